// The charts tab: one chart at a time, with the cells that were read last.

import { get } from "./server.js";
import { make } from "./making.js";

export class ChartsView {
  constructor(element, { words, still, sheet }) {
    Object.assign(this, { element, words, sheet });
    const options = still.charts.map(([id, title]) => make("option", { value: id }, title));
    this.box = make("select", { "aria-label": words.charts, onchange: () => this.show() }, ...options);
    this.body = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": words.charts });
    element.append(make("div", { class: "bar" }, this.box), this.body);
  }

  /** Show the chosen chart; with a name, that one. */
  async show(id = this.box.value) {
    if (!id) return;
    this.box.value = id;
    const answer = await get("/api/ask/chart", { id }).catch(() => null);
    if (answer && this.box.value === id) this.body.replaceChildren(make("h2", {}, answer.title), ...this.sheet.parts(answer));
  }
}
