// The bar of what can be asked and shown beside the map: sheets, charts, rules, overlays, notes, links, languages.

import { address, get, go, lang, link, post, seat } from "./server.js";
import { make, tell } from "./making.js";

const SHEETS = ["briefing", "score", "front", "roster", "ledger", "luck", "report"];

export class Menu {
  /** `wrote` is called with the number of notes that are written here. */
  constructor(element, { words, still, selection, sheet, map, replay, wrote }) {
    Object.assign(this, { element, words, still, selection, sheet, map, replay, wrote });
    for (const what of SHEETS) this.add(element, words[what], () => sheet.ask(what, {}, words[what]));
    this.add(element, words.since, () => sheet.ask("news", {}, words.since));
    this.add(element, words.charts, () => this.charts());
    this.add(element, words.rules, () => this.rules());
    this.add(element, words.legend, () => this.legend());
    this.add(element, words.notes, () => this.notes());
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

  /** What can be done with the mouse, and the keys. */
  help() {
    const rows = Object.entries(this.words.key_words).map(([key, text]) => {
      return make("tr", {}, make("th", { scope: "row" }, make("kbd", {}, key)), make("td", {}, text));
    });
    this.sheet.open(this.words.help, make("p", {}, this.words.keys), make("table", { class: "keys" }, make("tbody", {}, ...rows)));
  }

  list(rows) {
    const make1 = ([text, act]) => make("li", {}, make("button", { type: "button", onclick: act }, text));
    return make("ul", { class: "options" }, ...rows.map(make1));
  }

  charts() {
    const rows = this.still.charts.map(([id, title]) => [title, () => this.sheet.ask("chart", { id }, title)]);
    this.sheet.open(this.words.charts, this.list(rows));
  }

  async legend() {
    const { drawing } = await get("/api/ask/legend");
    this.sheet.open(this.words.legend, make("img", { src: address(`/ground/${drawing}.svg`), alt: this.words.legend }));
  }

  rules() {
    const rows = this.still.rules.map(([id, title]) => [`${id}  ${title}`, () => this.sheet.ask("rule", { id }, id)]);
    const list = this.list(rows);
    const filter = () => {
      for (const row of list.children) row.hidden = !row.textContent.toLowerCase().includes(field.value.toLowerCase());
    };
    const field = make("input", { type: "search", "aria-label": this.words.find, placeholder: this.words.find, oninput: filter });
    this.sheet.open(this.words.rules, field, list);
  }

  async notes() {
    await this.sheet.ask("notes", {}, this.words.notes);
    const field = make("input", { type: "text", "aria-label": this.words.note, maxlength: "2000" });
    const send = async (event) => {
      event.preventDefault();
      if (!field.value.trim()) return;
      this.wrote(1);
      await post("/api/note", { text: field.value }).catch((fault) => {
        this.wrote(-1);
        field.setCustomValidity(fault.message);
      });
      this.sheet.dialog.close();
      this.notes();
    };
    this.sheet.body.append(make("form", { onsubmit: send }, field, make("button", {}, this.words.note)));
  }

  async players() {
    const { seats, links, base } = await get("/api/seats");
    const rows = seats.map((one) => make("li", {}, `${one.name}: ${one.player}`));
    const isHere = !base && ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
    const shown = links.map((one) => [one.name, link(new URLSearchParams(one.path).get("seat"), base || undefined)]);
    const own = [this.words.own_link, link(seat, base || undefined)];
    const list = (all) => make("ul", {}, ...all.map(([name, url]) => this.linked(name, url)));
    const told = shown.length ? [make("h3", {}, this.words.links), make("p", {}, this.words.links_told), list(shown)] : [];
    const only = isHere && shown.length ? [make("p", { class: "warn" }, this.words.links_here)] : [];
    const kept = [make("h3", {}, this.words.your_link), make("p", {}, this.words.your_link_told), list([own])];
    this.sheet.open(this.words.players, make("ul", {}, ...rows), ...told, ...only, ...kept);
  }

  /** A link with a button that copies it; where the browser lets no page copy, its text to be copied by hand. */
  linked(name, url) {
    const row = make("li", {}, make("a", { href: url, target: "_blank", rel: "noopener" }, name), " ");
    const show = () => {
      const field = make("input", { type: "text", readonly: true, value: url, "aria-label": name });
      button.replaceWith(field);
      field.select();
    };
    const copy = () => (navigator.clipboard ? navigator.clipboard.writeText(url).catch(show) : show());
    const button = make("button", { type: "button", onclick: copy, "aria-label": `${this.words.copy}: ${name}` }, this.words.copy);
    row.append(button);
    return row;
  }

  /** One overlay at a time, named in the box that chooses it. */
  async overlays() {
    const names = await get("/api/ask/overlays").catch(() => []);
    if (!names.length) return;
    const options = [["", "–"], ...names].map(([id, title]) => make("option", { value: id }, title));
    this.overlay = make("select", { onchange: () => this.lay() }, ...options);
    this.element.append(make("label", {}, `${this.words.overlay} `, this.overlay));
  }

  /** Lay the overlay over the map, as it is for the counter that is pointed out, or for all where none is. */
  async lay() {
    const id = this.overlay?.value;
    const piece = this.selection.piece ?? "";
    if (!id && !this.map.overlay.overlay) return;
    this.laid = piece;
    const asked = (this.asked = Symbol(id)); // answers may come in another order: only the last one asked for is laid
    const overlay = id ? await get("/api/ask/overlay", { id, piece }).catch(() => null) : null;
    if (this.asked !== asked) return;
    this.map.overlay.lay(overlay);
    const isEmpty = overlay && !overlay.asks_piece && !overlay.marks.length && !overlay.lines.length;
    if (isEmpty) tell(this.map.tip, `${overlay.title}: ${this.words.overlay_empty}`);
  }

  /** The same anew where another counter is pointed out. */
  follow() {
    if (this.overlay?.value && this.laid !== (this.selection.piece ?? "")) this.lay();
  }

  /** The overlay after the one that is laid; after the last one none. */
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
