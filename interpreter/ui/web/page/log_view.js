// The log with filters; hovering over a line outlines its places on the map.

import { get } from "./server.js";
import { make } from "./making.js";

const KINDS = ["choice", "roll", "move", "change", "event"];

export class LogView {
  constructor(element, { words, map, sheet }) {
    Object.assign(this, { element, words, map, sheet });
    element.setAttribute("aria-label", words.log);
    this.list = make("ol", {});
    this.roll = make("div", { role: "log", "aria-live": "off", tabindex: "0", "aria-label": words.log }, this.list);
    const kinds = [["", words.everything], ...KINDS.map((kind) => [kind, words[kind]])];
    const options = kinds.map(([kind, text]) => make("option", { value: kind }, text));
    const filter = () => (this.list.dataset.only = box.value);
    const box = make("select", { "aria-label": words.log, onchange: filter }, ...options);
    this.earlier = make("button", { type: "button", hidden: true, onclick: () => this.showAll() }, words.whole_log);
    element.append(make("div", { class: "row" }, make("h2", {}, words.log), box, this.earlier), this.roll);
    this.shown = [];
  }

  /** Load the whole log, since a scene holds only its end. */
  async showAll() {
    const lines = await get("/api/ask/log");
    this.list.replaceChildren(...lines.map((line) => this.line(line)));
    this.earlier.hidden = true;
  }

  show(scene) {
    this.earlier.hidden = !scene.log_from;
    const last = this.shown.at(-1);
    const same = scene.log.findIndex((line) => last && line.number === last.number && line.text === last.text);
    const fresh = same >= 0 ? scene.log.slice(same + 1) : scene.log;
    const goneBack = same >= 0 && scene.log.length < this.shown.length && same + 1 < this.shown.length;
    if (same < 0 || goneBack) this.list.replaceChildren();
    this.list.append(...(goneBack ? scene.log : fresh).map((line) => this.line(line)));
    this.shown = scene.log;
    if (fresh.length || goneBack || same < 0) this.roll.scrollTop = this.roll.scrollHeight;
  }

  line(line) {
    const point = () => this.map.point(line.places);
    const away = () => this.map.point([]);
    const attributes = { class: line.kind, "data-kind": line.kind, onmouseenter: point, onmouseleave: away };
    return make("li", attributes, line.text, ...this.sheet.cites(line.cite));
  }
}
