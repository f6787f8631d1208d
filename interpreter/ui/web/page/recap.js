// What happened since the player's last choice: a strip of events, stepped over or played on the map with arrows.

import { get } from "./server.js";
import { icon, iconButton } from "./icons.js";
import { make } from "./making.js";
import { fill } from "./texts.js";

const SPEEDS = [3200, 1700, 800]; // milliseconds for each event, by the choice of the box
const READING = 2; // times as long for an event with a card
const NUMBER = 40; // pixels before the last event for the number of events that it covers
const PADDING = 4; // pixels of the strip beside its events, and for rounding

export class Recap {
  /** `look` shows an earlier position, or with null the present one; `card` is the card. */
  constructor(element, { words, still, map, card, look }) {
    Object.assign(this, { element, words, map, card, look, items: [], at: null });
    this.sides = new Map(still.sides.map((side, number) => [side.id, number]));
    element.setAttribute("aria-label", words.happened);
    this.playing = iconButton(words.play, "play", () => this.toggle());
    this.skipping = iconButton(words.skip, "skip", () => this.leave());
    const steps = [iconButton(words.previous, "previous", () => this.step(-1)), this.playing, iconButton(words.next, "next", () => this.step(1)), this.skipping];
    this.speed = make("select", { "aria-label": words.speed, hidden: true }, ...[words.slow, words.normal, words.fast].map((text, n) => make("option", { value: n, selected: n === 1 }, text)));
    this.player = make("div", { class: "player", role: "group", "aria-label": words.replay }, ...steps);
    this.chips = make("div", { class: "chips", role: "list" });
    this.nothing = make("p", { class: "more" }, words.nothing_happened);
    this.progress = make("div", { class: "progress", hidden: true });
    const title = make("h2", {}, words.happened, make("small", {}, words.since_move));
    element.append(title, this.player, this.speed, this.chips, this.nothing, this.progress);
    element.hidden = false;
    new ResizeObserver(() => (this.isOpen ? this.hideCovered() : this.seekNews())).observe(this.chips);
    this.chips.addEventListener("scroll", () => this.hideCovered());
    this.chips.addEventListener("focusin", (event) => event.target.scrollIntoView({ block: "nearest", inline: "nearest" }));
  }

  get isOpen() {
    return this.at !== null;
  }

  /** Load what happened, unless the strip shows it already. */
  async load(scene) {
    this.showProgress(scene);
    const asked = (this.asked = Symbol("recap"));
    const items = await get("/api/ask/recap").catch(() => this.items);
    if (this.asked !== asked || this.isOpen) return;
    const isNew = items.map((one) => one.number).join() !== this.items.map((one) => one.number).join();
    this.items = items;
    if (isNew) this.build();
    return isNew;
  }

  build() {
    const chip = (item, number) => {
      const dot = make("i", { class: this.sides.get(item.subject) % 2 ? "dot odd" : "dot", "data-side": item.subject || null, "aria-hidden": "true" });
      const show = () => (this.stop(), this.go(number));
      const point = () => {
        if (!this.isOpen) this.map.point(item.places);
        this.tellWhole(button, item.text);
      };
      const attributes = { type: "button", class: `chip ${item.weight}${item.hurts ? " hurts" : ""}`, "data-side": item.subject || null, onclick: show, onpointerenter: point, onfocus: point, onblur: () => this.tellWhole(null) };
      const button = make("button", attributes, dot, make("span", {}, item.text));
      button.addEventListener("pointerleave", () => {
        if (!this.isOpen) this.map.point([]);
        this.tellWhole(null);
      });
      return make("div", { role: "listitem" }, button);
    };
    this.chips.replaceChildren(...this.items.map(chip));
    this.chips.hidden = !this.items.length;
    this.nothing.hidden = this.items.length > 0;
    for (const button of this.player.querySelectorAll("button")) button.disabled = !this.items.length;
    this.skipping.disabled = true;
    this.seekNews();
  }

  /**
   * Scroll to what is new: to the last loud event, else after an own order to its result, which is the last one, else to
   * the first loss that others have caused, or else to the first thing that they did. No event is cut at the left, and
   * the last one stays visible at the end of the strip.
   */
  seekNews() {
    const { items } = this;
    const last = items.length - 1;
    this.chips.style.setProperty("--rest", "0px");
    this.chips.scrollLeft = 0;
    const loud = items.findLastIndex((item) => item.weight === "loud");
    const hurting = items.findIndex((item) => item.hurts);
    const others = hurting < 0 ? items.findIndex((item) => !item.is_own) : hurting;
    const number = loud >= 0 ? loud : items[last]?.is_own ? last : others;
    if (number <= 0) return this.hideCovered();
    const { children, clientWidth, scrollWidth } = this.chips;
    const starts = [...children].map((chip) => chip.offsetLeft - this.chips.offsetLeft);
    const width = children[last].offsetWidth;
    starts[last] = scrollWidth - width; // it sticks to the end of the strip
    const first = starts.findIndex((start) => scrollWidth - start <= clientWidth); // from here on all events fit
    const start = starts[Math.min(number, first < 0 ? last : first)];
    this.chips.style.setProperty("--rest", `${Math.max(0, start + clientWidth - scrollWidth)}px`);
    this.chips.scrollLeft = start;
    this.hideCovered();
  }

  /** Hide the events that the last one covers, wholly or in part, and show their number before it: none is cut. */
  hideCovered() {
    const boxes = [...this.chips.children];
    const last = boxes.pop();
    if (!last) return;
    const { left } = this.chips.getBoundingClientRect();
    const isCovered = (box, edge) => box.right > edge + 1 && box.left > left + 1; // the first one in view stays visible
    const edge = last.getBoundingClientRect().left;
    const shapes = boxes.map((box) => box.getBoundingClientRect());
    const isAny = shapes.some((box) => isCovered(box, edge));
    const covered = shapes.map((box) => isAny && isCovered(box, edge - NUMBER));
    boxes.forEach((box, n) => box.classList.toggle("covered", covered[n]));
    last.classList.remove("covered");
    if (isAny) last.dataset.more = `+${covered.filter(Boolean).length}`;
    else delete last.dataset.more;
    this.chips.style.scrollPaddingInlineEnd = `${last.offsetWidth + NUMBER + PADDING}px`; // a focused event is not covered
  }

  /** Return the texts of the loud events of the choices after the choice with a number. */
  loudSince(number) {
    return this.items.filter((item) => item.weight === "loud" && item.hurts && item.number > number).map((item) => item.text);
  }

  /** Show the whole text above an event whose own text is cut; null hides it. */
  tellWhole(chip, text = "") {
    this.whole?.remove();
    const own = chip?.querySelector("span");
    if (!own || (own.scrollHeight <= own.clientHeight + 1 && own.scrollWidth <= own.clientWidth)) return;
    const { left, top } = chip.getBoundingClientRect();
    this.whole = make("p", { class: "chip-text", role: "tooltip" }, text);
    this.element.append(this.whole);
    this.whole.style.left = `${Math.max(8, Math.min(left, innerWidth - this.whole.offsetWidth - 8))}px`;
    this.whole.style.bottom = `${innerHeight - top + 6}px`;
  }

  /** Show how many counters of the present row of orders are still without one. */
  showProgress(scene) {
    const [done, total] = scene.decision?.progress ?? [];
    this.progress.hidden = !total;
    if (!total) return;
    const text = fill(this.words.still_to_move, { number: total - done, total });
    const bar = make("progress", { value: done, max: total, "aria-label": text });
    this.progress.replaceChildren(make("span", {}, text), bar);
  }

  /** Return the choice number of the last fight that cost the player something, or else of the last one with losses, or 0. */
  lastDice() {
    const rolled = this.items.filter((item) => item.has_dice);
    const found = rolled.findLast((item) => item.hurts) ?? rolled.findLast((item) => ["big", "loud"].includes(item.weight));
    return found?.number ?? 0;
  }

  toggle() {
    if (this.timer) return this.stop();
    this.playing.replaceChildren(icon("pause"));
    this.playing.setAttribute("aria-label", this.words.pause);
    this.run(this.at === null || this.at >= this.items.length - 1 ? 0 : this.at + 1);
  }

  /** Return whether an event of one of some choices is in the strip. */
  holds(numbers) {
    return this.items.some((item) => numbers.includes(item.number));
  }

  /** Play the events of the choices of a card, then show the present position and the card again. */
  replay({ own, address: [number, part] }) {
    const shown = this.items.flatMap((item, n) => (own.includes(item.number) ? [n] : []));
    const aside = this.card.isAside;
    this.stop();
    this.run(shown[0], shown.at(-1), () => this.card.open(number, { part, aside }));
  }

  async run(number, last = this.items.length - 1, then = () => {}) {
    this.timer = -1;
    const hasCard = await this.go(number);
    if (!this.timer) return;
    const wait = SPEEDS[+this.speed.value] * (hasCard ? READING : 1);
    this.timer = setTimeout(() => (number < last ? this.run(number + 1, last, then) : (this.leave(), then())), wait);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.playing.replaceChildren(icon("play"));
    this.playing.setAttribute("aria-label", this.words.play);
  }

  step(by) {
    this.stop();
    if (!this.items.length) return;
    const at = this.at === null ? (by > 0 ? 0 : this.items.length - 1) : this.at + by;
    if (at >= this.items.length) this.leave();
    else this.go(Math.max(0, at));
  }

  /** Show the position after an event, with arrows for its moves and its card; return whether a card was shown. */
  async go(number) {
    const item = this.items[number];
    this.at = number;
    this.skipping.disabled = this.speed.hidden = false;
    const chips = [...this.chips.querySelectorAll("button")];
    chips.forEach((chip, n) => (n === number ? chip.setAttribute("aria-current", "step") : chip.removeAttribute("aria-current")));
    chips[number].scrollIntoView({ block: "nearest", inline: "center" });
    const scene = await get("/api/ask/earlier", { choices: item.number }).catch(() => null);
    if (this.at !== number || !scene) return false;
    this.look(scene);
    const middle = (id) => this.map.byPlace.get(id)?.place.middle;
    const lines = item.moves.map(([, from, to]) => [middle(from), middle(to), "went", item.side]).filter(([, end]) => end);
    this.map.showLines(lines);
    this.map.point(item.places);
    this.map.seek(item.places);
    this.card.close();
    return item.has_dice && this.card.open(item.number, { onlyTwoSided: true, focus: false, until: item.number });
  }

  /** Go back to the present position. */
  leave() {
    this.stop();
    if (!this.isOpen) return;
    this.at = null;
    this.skipping.disabled = this.speed.hidden = true;
    for (const chip of this.chips.querySelectorAll("[aria-current]")) chip.removeAttribute("aria-current");
    this.map.showLines([]);
    this.map.point([]);
    this.card.close();
    this.look(null);
  }
}
