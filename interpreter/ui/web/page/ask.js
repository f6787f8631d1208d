// Questions in plain words: what a term means, how to win, how to attack an enemy.

import { get } from "./server.js";
import { make } from "./making.js";

export class AskBox {
  /** `sheet` shows the answers. */
  constructor({ words, sheet }) {
    Object.assign(this, { words, sheet });
    this.field = make("input", { type: "text", name: "question", maxlength: "150", autocomplete: "off", "aria-label": words.ask, placeholder: words.ask_example });
    const send = make("button", { class: "do-it" }, words.ask_send);
    this.form = make("form", { class: "ask", onsubmit: (event) => this.ask(event) }, this.field, send);
    this.answer = make("div", { class: "ask-answer", role: "status" });
  }

  open() {
    this.sheet.open(this.words.ask, this.form, this.answer);
    this.field.focus();
    this.field.select();
  }

  async ask(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    if (!text) return;
    try {
      const { lines } = await get("/api/ask/plain", { text });
      this.answer.replaceChildren(this.sheet.lines(lines));
    } catch (fault) {
      this.answer.replaceChildren(make("p", { class: "warn" }, fault.message));
    }
  }
}
