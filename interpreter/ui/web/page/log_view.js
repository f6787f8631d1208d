// The log by turns and phases, filtered by kind; a line lights its places, and a roll opens its card again.

import { get } from "./server.js";
import { make } from "./making.js";

const KINDS = ["choice", "roll", "move", "change", "event"];

export class LogView {
  /** `openCard` shows the card of a choice by its number. */
  constructor(element, { words, sheet, map, openCard }) {
    Object.assign(this, { words, sheet, map, openCard });
    this.list = make("ol", {});
    this.roll = make("div", { class: "scroll", role: "log", "aria-live": "off", tabindex: "0", "aria-label": words.log }, this.list);
    const kinds = [["", words.everything], ...KINDS.map((kind) => [kind, words[kind]])];
    const options = kinds.map(([kind, text]) => make("option", { value: kind }, text));
    const filter = () => (this.list.dataset.only = box.value);
    const box = make("select", { "aria-label": words.log, onchange: filter }, ...options);
    this.earlier = make("button", { type: "button", hidden: true, onclick: () => this.showAll() }, words.whole_log);
    element.append(make("div", { class: "bar" }, box, this.earlier), this.roll);
    this.shown = [];
    this.list.addEventListener("click", (event) => this.clicked(event));
  }

  /** Load the whole log, since a scene holds only its end. */
  async showAll() {
    const lines = await get("/api/ask/log");
    this.list.replaceChildren(...this.lines(lines));
    this.earlier.hidden = true;
  }

  show(scene) {
    this.earlier.hidden = !scene.log_from;
    const last = this.shown.at(-1);
    const same = scene.log.findIndex((line) => last && line.number === last.number && line.text === last.text);
    const fresh = same >= 0 ? scene.log.slice(same + 1) : scene.log;
    const goneBack = same >= 0 && scene.log.length < this.shown.length && same + 1 < this.shown.length;
    if (same < 0 || goneBack) this.list.replaceChildren();
    this.list.append(...this.lines(goneBack ? scene.log : fresh));
    this.shown = scene.log;
    if (fresh.length || goneBack || same < 0) this.toEnd();
  }

  toEnd() {
    this.roll.scrollTop = this.roll.scrollHeight;
  }

  lines(lines) {
    let rolled = +(this.list.lastElementChild?.dataset.rolled ?? 0);
    return lines.map((line) => {
      const isFirst = line.kind === "roll" && line.choice > 0 && line.choice !== rolled;
      if (isFirst) rolled = line.choice;
      const item = this.line(line, isFirst);
      item.dataset.rolled = rolled;
      return item;
    });
  }

  line(line, hasCard) {
    const point = () => this.map.point(line.places);
    const away = () => this.map.point([]);
    const where = line.places.length ? line.places.join(" ") : null;
    const attributes = { class: line.kind, "data-kind": line.kind, "data-places": where, onmouseenter: point, onmouseleave: away };
    const text = where ? make("button", { type: "button", class: "line", onfocus: point, onblur: away }, line.text) : line.text;
    const open = () => this.openCard(line.choice);
    const card = hasCard ? make("button", { type: "button", class: "open", onclick: open }, this.words.open_card) : null;
    return make("li", attributes, card, text, ...this.sheet.cites(line.cite));
  }

  /** Pan the map to the places of a line. */
  clicked(event) {
    const line = event.target.closest("li[data-places]");
    if (line && (event.target === line || event.target.closest(".line"))) this.map.seek(line.dataset.places.split(" "));
  }
}
