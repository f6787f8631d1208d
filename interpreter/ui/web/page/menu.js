// The menu: sheets, overlays, links and languages.

import { address, get, go, lang, link, seat } from "./server.js";
import { make, tell } from "./making.js";
import { fill } from "./texts.js";

export class Menu {
  constructor(element, { words, still, selection, sheet, map, replay }) {
    Object.assign(this, { element, words, still, selection, sheet, map, replay });
    this.add(element, words.briefing, () => sheet.ask("briefing", {}, words.briefing));
    this.add(element, words.report, () => sheet.ask("report", {}, words.report));
    this.add(element, words.legend, () => this.legend());
    this.add(element, words.replay, () => replay.open());
    this.add(element, words.players, () => this.players());
    this.add(element, words.help, () => this.help());
    this.overlays();
    this.hiding();
    this.languages();
  }

  add(element, text, act) {
    const close = () => {
      element.closest("details").open = false;
      act();
    };
    const button = make("button", { type: "button", onclick: close }, text);
    element.append(button);
    return button;
  }

  /** Show the help for mouse and keyboard. */
  help() {
    const rows = Object.entries(this.words.key_words).map(([key, text]) => {
      return make("tr", {}, make("th", { scope: "row" }, make("kbd", {}, key)), make("td", {}, text));
    });
    this.sheet.open(this.words.help, make("p", {}, this.words.keys), make("table", { class: "keys" }, make("tbody", {}, ...rows)));
  }

  async legend() {
    const { drawing } = await get("/api/ask/legend");
    this.sheet.open(this.words.legend, make("img", { src: address(`/ground/${drawing}.svg`), alt: this.words.legend }));
  }

  async players() {
    const { seats, links, base } = await get("/api/seats");
    const rows = seats.map((one) => make("li", {}, fill(this.words.named, { what: one.name, values: one.player })));
    const isHere = !base && ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
    const shown = links.map((one) => [one.name, link(new URLSearchParams(one.path).get("seat"), base || undefined)]);
    const own = [this.words.own_link, link(seat, base || undefined)];
    const list = (all) => make("ul", {}, ...all.map(([name, url]) => this.linked(name, url)));
    const told = shown.length ? [make("h3", {}, this.words.links), make("p", {}, this.words.links_told), list(shown)] : [];
    const only = isHere && shown.length ? [make("p", { class: "warn" }, this.words.links_here)] : [];
    const kept = [make("h3", {}, this.words.your_link), make("p", {}, this.words.your_link_told), list([own])];
    this.sheet.open(this.words.players, make("ul", {}, ...rows), ...told, ...only, ...kept);
  }

  /** Build a link with a copy button, or with its plain text if the browser forbids clipboard access. */
  linked(name, url) {
    const row = make("li", {}, make("a", { href: url, target: "_blank", rel: "noopener" }, name), " ");
    const show = () => {
      const field = make("input", { type: "text", readonly: true, value: url, "aria-label": name });
      button.replaceWith(field);
      field.select();
    };
    const copy = () => (navigator.clipboard ? navigator.clipboard.writeText(url).catch(show) : show());
    const button = make("button", { type: "button", onclick: copy, "aria-label": fill(this.words.named, { what: this.words.copy, values: name }) }, this.words.copy);
    row.append(button);
    return row;
  }

  /** Build the select box for the overlay; one is shown at a time. */
  async overlays() {
    const names = await get("/api/ask/overlays").catch(() => []);
    if (!names.length) return;
    const options = [["", "–"], ...names].map(([id, title]) => make("option", { value: id }, title));
    this.overlay = make("select", { onchange: () => this.lay() }, ...options);
    this.element.append(make("label", {}, `${this.words.overlay} `, this.overlay));
  }

  /** Show the chosen overlay for the selected counter, or for all counters if none is selected. */
  async lay() {
    const id = this.overlay?.value;
    const piece = this.selection.piece ?? "";
    if (!id && !this.map.overlay.overlay) return;
    this.laid = piece;
    const asked = (this.asked = Symbol(id)); // answers may arrive out of order: show only the latest
    const overlay = id ? await get("/api/ask/overlay", { id, piece }).catch(() => null) : null;
    if (this.asked !== asked) return;
    this.map.overlay.lay(overlay);
    const isEmpty = overlay && !overlay.asks_piece && !overlay.marks.length && !overlay.lines.length;
    if (isEmpty) tell(this.map.tip, fill(this.words.named, { what: overlay.title, values: this.words.overlay_empty }));
  }

  /** Reload the overlay if the selected counter has changed. */
  follow() {
    if (this.overlay?.value && this.laid !== (this.selection.piece ?? "")) this.lay();
  }

  /** Switch to the next overlay, or to none after the last. */
  next() {
    if (!this.overlay) return;
    this.overlay.selectedIndex = (this.overlay.selectedIndex + 1) % this.overlay.options.length;
    tell(this.map.tip, this.overlay.selectedOptions[0].textContent);
    this.lay();
  }

  hiding() {
    const button = this.add(this.element, this.words.hide_pieces, () => {
      const hidden = this.map.hidePieces();
      button.setAttribute("aria-pressed", hidden);
    });
    button.setAttribute("aria-pressed", "false");
  }

  languages() {
    const itself = (code) => new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
    const options = this.words.languages.map((code) =>
      make("option", { value: code, selected: code === (lang || this.words.lang), lang: code }, itself(code)),
    );
    const change = () => go(seat, box.value);
    const box = make("select", { onchange: change }, ...options);
    this.element.append(make("label", {}, `${this.words.language} `, box));
  }
}
