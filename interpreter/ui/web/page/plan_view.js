// Preview of an order before it is carried out: path, number, facing, cost, dice and possible outcomes.

import { get } from "./server.js";
import { make } from "./making.js";
import { stepper } from "./stepper.js";
import { capital } from "./texts.js";

const REST = 250; // milliseconds of hovering before an order is evaluated
const LAST = 2500; // milliseconds that a preview stays after hovering ends
const ASKING = "#alert .anyway"; // the button of a question, which says what an order's preview says

export class PlanView {
  constructor(element, peek, foot, { words, still, sheet, map, carryOut }) {
    Object.assign(this, { element, peekBox: peek, words, sheet, map, carryOut });
    this.names = new Map(still.places.map((place) => [place.id, place.name]));
    this.buttons = make("div", { class: "row", hidden: true });
    foot.append(this.buttons);
    element.setAttribute("aria-label", words.do_it);
    peek.addEventListener("pointerenter", () => clearTimeout(this.hiding));
    peek.addEventListener("pointerleave", () => this.point(null));
  }

  /** Show an option or plan with a button that carries it out; `all` are the alternatives for the same place. */
  propose(plan, all = [plan]) {
    const act = make("button", { type: "button", class: "do-it main", onclick: () => this.carryOut(plan) }, this.words.do_it, make("kbd", {}, "Enter"));
    const cancel = make("button", { type: "button", onclick: () => this.clear() }, this.words.cancel, " ", make("kbd", {}, "Esc"));
    this.preview = make("div", { class: "preview" });
    this.proposed = plan;
    this.selected = this.map.selection.key;
    this.all = all;
    const counter = plan.pieces?.[0] ?? this.map.selection.piece;
    const detail = plan.detail ? make("small", {}, plan.detail) : null;
    const said = make("p", { class: "planned" }, plan.title, " ", detail, ...this.sheet.cites(plan.cite));
    const text = make("div", { class: "plan-head" }, counter && this.map.mini(counter), said);
    this.element.replaceChildren(text, this.number(plan, all), this.facts(plan), this.others(plan, all), this.preview, this.odds(plan));
    for (const part of [...this.element.children]) if (!part.childNodes.length && part !== this.preview) part.remove();
    this.buttons.replaceChildren(act, cancel);
    this.buttons.hidden = false;
    this.hidePeek();
    this.element.hidden = false;
    document.body.classList.add("planning");
    const target = plan.path.at(-1) ?? plan.places?.at(-1);
    const isLines = !plan.path.length && (plan.pieces?.length > 1 || plan.places?.length > 1); // several counters or targets
    this.map.showPath(plan.path.length || isLines ? plan.path : (plan.places ?? []).slice(-1), plan);
    if (target) this.map.seek([target]);
    this.map.hideCost(target);
    this.map.wheel.show(target, this.angles(plan, all), plan.angle, (angle) => this.turn(angle));
    this.tell(plan);
    this.element.scrollIntoView({ block: "nearest" });
    act.focus({ preventScroll: true });
  }

  /** Drop the plan if the selection is no longer that for which it was made. */
  follow() {
    if (this.proposed && this.selected !== this.map.selection.key) this.clear();
  }

  facts(plan) {
    const path = plan.path.length > 1 ? plan.path.map((id) => this.names.get(id) ?? id).join(" – ") : "";
    const rows = [[this.words.path, path], [this.words.cost, plan.cost], [this.words.dice, (plan.dice ?? []).join(", ")]];
    const shown = rows.filter(([, text]) => text);
    return make("dl", { class: "facts" }, ...shown.flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]));
  }

  /** Return the alternatives that take along as many pieces as this one. */
  alike(plan, all) {
    return all.filter((one) => (one.number ?? 0) === (plan.number ?? 0));
  }

  /** Build a stepper for the number of counters that go along. */
  number(plan, all) {
    const numbers = [...new Set(all.map((one) => one.number ?? 0))].sort((a, b) => a - b);
    if (numbers.length < 2) return make("div");
    const set = (number) => {
      const found = all.filter((one) => one.number === number);
      this.propose(found.find((one) => one.path.join() === plan.path.join()) ?? found[0], all);
    };
    return stepper(this.words, numbers, plan.number, set);
  }

  /** Build a select box for several ways to the same place with the same number. */
  others(plan, all) {
    const alike = this.alike(plan, all);
    if (alike.length < 2) return make("div");
    const isShort = new Set(alike.map((one) => one.title)).size === alike.length;
    const option = (one, number) => make("option", { value: number, selected: one === plan }, capital(isShort ? one.title : one.label));
    const choose = () => this.propose(alike[+box.value], all);
    const box = make("select", { "aria-label": this.words.ways, onchange: choose }, ...alike.map(option));
    return box;
  }

  angles(plan, all) {
    const path = plan.path.join();
    const found = this.alike(plan, all).filter((one) => one.angle !== null && one.angle !== undefined && one.path.join() === path);
    return [...new Set(found.map((one) => one.angle))].sort((a, b) => a - b);
  }

  /** Take the alternative that differs from the plan as little as possible and faces an angle. */
  turn(angle) {
    const alike = this.alike(this.proposed, this.all).filter((one) => one.angle === angle);
    const path = this.proposed.path.join();
    const found = alike.find((one) => one.path.join() === path) ?? alike[0];
    if (found) this.propose(found, this.all);
  }

  /** Turn to the next facing, clockwise or against. */
  turnBy(step) {
    if (!this.proposed) return;
    const angles = this.angles(this.proposed, this.all);
    const at = angles.indexOf(this.proposed.angle);
    if (angles.length > 1) this.turn(angles[(at + step + angles.length) % angles.length]);
  }

  odds(plan) {
    if (plan.keys || plan.group) return make("div");
    const ask = () => this.sheet.ask("odds", { key: plan.key }, plan.label);
    return make("button", { type: "button", class: "odds", onclick: ask }, this.words.exact_odds);
  }

  /** Show a hovered order's path or target, and, after a delay, its outcomes. */
  point(option) {
    clearTimeout(this.timer);
    clearTimeout(this.hiding);
    if (this.proposed) return;
    this.map.showPath(option?.path ?? [], option);
    this.map.point(option ? option.places : []);
    this.pointed = option ?? this.pointed;
    if (option) this.timer = setTimeout(() => this.peek(option), REST);
    else this.hiding = setTimeout(() => (this.peekBox.hidden = true), LAST);
  }

  /** Show a hovered order's outcomes over the map, so that the list does not move. */
  peek(option) {
    this.peekBox.hidden = true;
    if (document.querySelector(ASKING)) return;
    this.preview = make("div", { class: "preview" });
    this.peekBox.replaceChildren(this.preview);
    this.tell(option, true);
  }

  hidePeek() {
    clearTimeout(this.timer);
    clearTimeout(this.hiding);
    if (!this.proposed) this.asking?.abort(); // its answer would show the box again
    this.peekBox.hidden = true;
  }

  /** Show the exact odds of the proposed or last hovered order. */
  askOdds() {
    const option = this.proposed ?? this.pointed;
    if (option?.key) this.sheet.ask("odds", { key: option.key }, option.label);
  }

  async tell(plan, onlyIfAny = false) {
    const isRoute = plan.keys?.length === 2 && !plan.isGroup; // the second choice depends on the first
    const [after, key] = isRoute ? plan.keys : ["", plan.key];
    if (!key || (plan.keys && !isRoute)) return;
    this.asking?.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    const target = this.preview;
    const answer = await get("/api/ask/preview", { key, after }, signal).catch(() => null);
    if (signal.aborted || !answer || target !== this.preview) return;
    const question = plan.dice?.length ? answer.question.slice(0, -1) : answer.question; // its last line names the dice
    const lines = [...question, ...answer.lines];
    target.replaceChildren(...lines.map((line) => make("p", {}, line)));
    if (this.proposed === plan) plan.isAsked = true;
    if (onlyIfAny && lines.length) {
      if (answer.lines.length) target.append(this.odds(plan)); // nothing is left to chance otherwise
      this.peekBox.hidden = false;
    }
  }

  clear() {
    this.hidePeek();
    this.pointed = null;
    this.asking?.abort();
    this.proposed = null;
    this.element.hidden = true;
    this.buttons.replaceChildren();
    this.buttons.hidden = true;
    document.body.classList.remove("planning");
    this.map.wheel.hide();
    this.map.hideCost(null);
    this.map.showPath([]);
    this.map.point([]);
  }
}
