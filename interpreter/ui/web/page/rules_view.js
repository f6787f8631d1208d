// The rules tab: the whole rulebook on one page, searched as one types.

import { get } from "./server.js";
import { make, tell } from "./making.js";
import { fill } from "./texts.js";

export class RulesView {
  constructor(element, { words }) {
    Object.assign(this, { element, words });
    const attributes = { type: "search", "aria-label": words.find, placeholder: words.find, oninput: () => this.find() };
    this.field = make("input", attributes);
    this.count = make("span", { class: "found", role: "status" });
    this.next = make("button", { type: "button", hidden: true, onclick: () => this.goTo(this.at + 1) }, words.next_match);
    this.body = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": words.rules });
    element.append(make("div", { class: "bar" }, this.field, this.count, this.next), this.body);
    this.field.addEventListener("keydown", (event) => event.key === "Enter" && this.goTo(this.at + 1));
    this.found = [];
  }

  /** Load the rulebook once. */
  async load() {
    this.loading ??= get("/api/ask/rulebook").then((rules) => this.build(rules));
    await this.loading.catch(() => (this.loading = null));
  }

  build(rules) {
    const one = ({ number, title, lines }) => {
      const article = make("article", { "data-rule": number, tabindex: "-1" });
      const texts = [[make("h3", {}), title], ...lines.map((text) => [make("p", {}), text])];
      const parts = texts.map(([element, text]) => ({ element, text, spot: element.appendChild(make("span")) }));
      parts[0].element.prepend(make("span", { class: "number" }, number));
      for (const { spot, text } of parts) spot.textContent = text;
      article.append(...parts.map(({ element }) => element));
      return { article, parts, all: [number, title, ...lines].join("\n").toLowerCase() };
    };
    this.rules = rules.map(one);
    this.body.replaceChildren(...this.rules.map(({ article }) => article));
    this.find();
  }

  /** Show the paragraphs that contain the text of the field, with the text marked. */
  find() {
    if (!this.rules) return;
    const wanted = this.field.value.trim().toLowerCase();
    this.found = [];
    for (const { article, parts, all } of this.rules) {
      article.hidden = !all.includes(wanted);
      if (!article.hidden && wanted) this.found.push(article);
      for (const { spot, text } of parts) this.mark(spot, text, article.hidden ? "" : wanted);
    }
    this.at = -1;
    const none = fill(this.words.no_match, { text: this.field.value.trim() });
    tell(this.count, !wanted ? "" : this.found.length ? fill(this.words.matches, { number: this.found.length }) : none);
    this.next.hidden = this.found.length < 2;
    this.body.scrollTop = 0;
  }

  mark(spot, text, wanted) {
    if (spot.dataset.marked === wanted) return;
    spot.dataset.marked = wanted;
    const parts = [];
    const low = text.toLowerCase();
    let from = 0;
    for (let at = wanted ? low.indexOf(wanted) : -1; at >= 0; at = low.indexOf(wanted, from)) {
      parts.push(text.slice(from, at), make("mark", {}, text.slice(at, at + wanted.length)));
      from = at + wanted.length;
    }
    spot.replaceChildren(...parts.filter(Boolean), text.slice(from));
  }

  goTo(number) {
    if (!this.found.length) return;
    this.at = number % this.found.length;
    this.found[this.at].scrollIntoView({ block: "start" });
  }

  /** Show one paragraph among all. */
  async open(number) {
    await this.load();
    this.field.value = "";
    this.find();
    const found = this.rules?.find(({ article }) => article.dataset.rule === number)?.article;
    found?.scrollIntoView({ block: "start" });
    found?.focus({ preventScroll: true });
  }
}
