// The log, line by line; pointing at a line shows its places on the map.

import { make } from "./making.js";

export class LogView {
  constructor(element, { words, map }) {
    Object.assign(this, { element, words, map });
    element.setAttribute("aria-label", words.log);
    this.list = make("ol", { role: "log", "aria-live": "off", tabindex: "0", "aria-label": words.log });
    element.append(make("h2", {}, words.log), this.list);
    this.shown = [];
  }

  show(scene) {
    const last = this.shown.at(-1);
    const same = scene.log.findIndex((line) => last && line.number === last.number && line.text === last.text);
    const fresh = same >= 0 ? scene.log.slice(same + 1) : scene.log;
    if (same < 0) this.list.replaceChildren();
    this.list.append(...fresh.map((line) => this.line(line)));
    this.shown = scene.log;
    if (fresh.length) this.list.scrollTop = this.list.scrollHeight;
  }

  line(line) {
    const point = () => this.map.point(line.places);
    const away = () => this.map.point([]);
    const cite = line.cite.map((number) => make("span", { class: "cite" }, `[${number}]`));
    return make("li", { class: line.kind, onmouseenter: point, onmouseleave: away }, line.text, " ", ...cite);
  }
}
