// Replay: a slider over all past choices. The game itself continues meanwhile.

import { get } from "./server.js";
import { make } from "./making.js";
import { fill } from "./texts.js";

export class Replay {
  constructor(element, { words, look }) {
    Object.assign(this, { element, words, look, at: null });
    this.slider = make("input", { type: "range", min: "0", "aria-label": words.replay, oninput: () => this.go(+this.slider.value) });
    const step = (text, by) => make("button", { type: "button", onclick: () => this.go(this.at + by) }, text);
    const close = make("button", { type: "button", onclick: () => this.close() }, words.present);
    this.told = make("p", {});
    element.append(this.told, step(words.earlier, -1), this.slider, step(words.later, 1), close);
    element.setAttribute("aria-label", words.replay);
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !element.hidden && !document.querySelector("dialog[open]")) this.close();
    });
  }

  get isOpen() {
    return !this.element.hidden;
  }

  open() {
    this.element.hidden = false;
    this.last = this.count();
    this.slider.max = this.last;
    this.go(this.last);
    this.slider.focus();
  }

  close() {
    this.element.hidden = true;
    this.at = null;
    this.look(null);
  }

  async go(number) {
    this.at = Math.min(Math.max(0, number), this.last);
    this.slider.value = this.at;
    this.told.textContent = fill(this.words.looking_at, { number: this.at, last: this.last });
    if (this.busy) return;
    this.busy = true; // fetch only the slider's latest position
    try {
      let shown = null;
      while (this.isOpen && shown !== this.at) {
        shown = this.at;
        this.look(await get("/api/ask/earlier", { choices: shown }));
      }
    } finally {
      this.busy = false;
    }
  }
}
