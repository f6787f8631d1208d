// Preview of an order before it is carried out: path, cost, dice and possible outcomes.

import { get } from "./server.js";
import { make } from "./making.js";

const REST = 250; // milliseconds of hovering before an order is evaluated
const LAST = 2500; // milliseconds that a preview stays after hovering ends

export class PlanView {
  constructor(element, { words, sheet, map, carryOut }) {
    Object.assign(this, { element, words, sheet, map, carryOut });
    element.hidden = true;
    element.setAttribute("aria-label", words.do_it);
    element.addEventListener("pointerenter", () => clearTimeout(this.hiding));
    element.addEventListener("pointerleave", () => this.point(null));
  }

  /** Show an option or plan with a button that carries it out; `all` are the alternative paths. */
  propose(plan, all = [plan]) {
    const dice = plan.dice?.length ? [make("p", {}, `${this.words.dice}: ${plan.dice.join(", ")}`)] : [];
    const act = make("button", { type: "button", class: "do-it", onclick: () => this.carryOut(plan) }, this.words.do_it);
    const cancel = make("button", { type: "button", onclick: () => this.clear() }, this.words.cancel);
    this.preview = make("div", { class: "preview" });
    this.proposed = plan;
    const text = make("p", { class: "planned" }, plan.label, ...this.sheet.cites(plan.cite));
    const buttons = make("div", { class: "row" }, act, cancel, this.odds(plan));
    this.element.replaceChildren(text, ...this.others(plan, all), ...dice, this.preview, buttons);
    this.element.classList.remove("peek");
    clearTimeout(this.timer); // cancel the evaluation of the order hovered before
    clearTimeout(this.hiding);
    this.element.hidden = false;
    this.map.showPath(plan.path.length ? plan.path : plan.places.slice(-1));
    this.tell(plan);
    act.focus({ preventScroll: true });
  }

  /** Build a select box for several paths to the same place. */
  others(plan, all) {
    if (all.length < 2) return [];
    const option = (one, number) => make("option", { value: number, selected: one === plan }, one.label);
    const choose = () => this.propose(all[+box.value], all);
    const box = make("select", { "aria-label": this.words.do_it, onchange: choose }, ...all.map(option));
    return [box];
  }

  odds(plan) {
    if (plan.keys) return null;
    const ask = () => this.sheet.ask("odds", { key: plan.key }, plan.label);
    return make("button", { type: "button", class: "odds", onclick: ask }, this.words.exact_odds);
  }

  /** Show a hovered order's path and, after a delay, its outcomes. */
  point(option) {
    clearTimeout(this.timer);
    clearTimeout(this.hiding);
    if (this.proposed) return;
    this.map.showPath(option?.path ?? []);
    this.map.point(option ? option.places : []);
    this.pointed = option ?? this.pointed;
    if (option) this.timer = setTimeout(() => this.peek(option), REST);
    else this.hiding = setTimeout(() => (this.element.hidden = true), LAST);
  }

  /** Show a hovered order's outcomes beside the list, so that the list does not move. */
  peek(option) {
    this.element.hidden = true;
    this.element.classList.add("peek");
    this.preview = make("div", { class: "preview" });
    this.element.replaceChildren(this.preview);
    this.tell(option, true);
  }

  /** Show the exact odds of the proposed or last hovered order. */
  askOdds() {
    const option = this.proposed ?? this.pointed;
    if (option?.key) this.sheet.ask("odds", { key: option.key }, option.label);
  }

  async tell(plan, onlyIfAny = false) {
    if (plan.keys || !plan.key) return;
    this.asking?.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    const target = this.preview;
    const answer = await get("/api/ask/preview", { key: plan.key }, signal).catch(() => null);
    if (signal.aborted || !answer || target !== this.preview) return;
    target.replaceChildren(...answer.lines.map((line) => make("p", {}, line)));
    if (onlyIfAny && answer.lines.length) {
      target.append(this.odds(plan));
      this.element.hidden = false;
    }
  }

  clear() {
    clearTimeout(this.timer);
    clearTimeout(this.hiding);
    this.pointed = null;
    this.asking?.abort();
    this.proposed = null;
    this.element.hidden = true;
    this.map.showPath([]);
    this.map.point([]);
  }
}
