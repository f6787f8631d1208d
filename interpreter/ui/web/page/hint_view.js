// The hint: what a bot would choose now, why, and where it is.

import { get } from "./server.js";
import { make } from "./making.js";

export class HintView {
  /** `propose` shows an option as a plan before it is carried out. */
  constructor(element, { words, sheet, propose }) {
    Object.assign(this, { element, words, sheet, propose });
    this.button = make("button", { type: "button", onclick: () => this.ask() }, words.hint);
    this.row = make("p", {}, this.button);
  }

  /** Forget the hint of another position. */
  show(scene) {
    if (scene.version === this.version) return;
    this.version = scene.version;
    this.scene = scene;
    this.element.hidden = true;
    this.row.hidden = !scene.may_choose;
  }

  async ask() {
    const { version } = this;
    this.button.disabled = true;
    this.button.textContent = this.words.waiting;
    const hint = await get("/api/ask/hint").catch((fault) => ({ label: fault.message, cite: [], lines: [] }));
    this.button.disabled = false;
    this.button.textContent = this.words.hint;
    if (version !== this.version) return;
    const option = this.scene.decision?.options.find((one) => one.key === hint.key);
    const show = option ? make("button", { type: "button", class: "link", onclick: () => this.propose(option) }, this.words.show_on_map) : null;
    const hide = make("button", { type: "button", class: "link", onclick: () => (this.element.hidden = true) }, this.words.hide);
    const lines = hint.lines.map((line) => make("p", {}, line.text, ...this.sheet.cites(line.cite.slice(0, 3))));
    this.element.replaceChildren(make("p", {}, make("b", {}, hint.label), " ", ...this.sheet.cites(hint.cite.slice(0, 3))), ...lines, make("div", { class: "row" }, show, hide));
    this.element.hidden = false;
    this.element.scrollIntoView({ block: "nearest" });
  }
}
