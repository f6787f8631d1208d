// The card of a choice that dice resolved: both sides, how the figures came about, charts, dice, results and losses.
// Its data is a `ResolutionCard` of view_model/records.py, built by view_model/queries/card_queries.py and card_parts.py.

import { draw, parseDrawing, make } from "./making.js";
import { get } from "./server.js";
import { iconButton } from "./icons.js";
import { boundingBox, placeCard, roomsFor } from "./lesson_layout.js";

const SPOTS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const AROUND = 60; // pixels between the places of a card and the edges of what it leaves visible
const STILL = 1; // units of the map by which it may move without having been panned
const EDGE = 14; // pixels between the card and the edges of the map
const FOOT = 66; // pixels at the foot of the map for its buttons
const REACH = 90; // pixels around the middle of a place that the card leaves visible
const MOST_SHOWN = 80; // counters and places that the card avoids if it can
const SHEET = "(max-width: 640px), (max-height: 480px)"; // windows in which the style sheet places the card
const MANY = 8; // dice from which they are drawn small
const WIDE = 7; // characters of a figure beyond which it has a line of its own

export class CardView {
  constructor(element, { words, still, sheet, map }) {
    Object.assign(this, { element, words, sheet, map });
    this.sides = new Map(still.sides.map((side, number) => [side.id, { ...side, number }]));
    element.className = "result-card";
    element.setAttribute("aria-labelledby", "card-title");
    element.tabIndex = -1;
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** Return whether the card lies over the map, where it covers no orders, also on a telephone. */
  get isAside() {
    return this.isOpen && this.element.classList.contains("aside");
  }

  /**
   * Show the card of a choice, or with 0 the last one of the player's own orders; `onlyTwoSided`: only if two sides fought.
   * `aside`: over the map, not over the orders.
   */
  async open(number, { onlyTwoSided = false, focus = true, aside = !focus, until = 0, part = 0 } = {}) {
    const asked = (this.asked = Symbol("card"));
    const ask = (part) => get("/api/ask/card", { number, until, part }).catch(() => null);
    let card = await ask(part);
    while (onlyTwoSided && card && !card.two_sided && card.following[0] === number && card.following[1] > 0) card = await ask(card.following[1]);
    if (!card || this.asked !== asked || (onlyTwoSided && !card.two_sided)) return false;
    this.element.classList.toggle("aside", aside);
    if (!this.isOpen) this.opener = document.querySelector(":focus");
    this.show(card);
    if (focus) this.element.focus({ preventScroll: true });
    return true;
  }

  /** Open the last fight of an own order; if a card is open, the roll before it. */
  showPrevious() {
    return this.isOpen ? this.step(-1) : this.open(0);
  }

  /** Show the roll after the one that is shown, or with -1 the one before it. */
  step(by) {
    if (!this.isOpen) return;
    const [number, part] = by < 0 ? this.card.previous : this.card.following;
    if (number) this.open(number, { part, aside: this.isAside });
  }

  close() {
    this.asked = null; // a card that is on its way is not shown
    if (!this.isOpen) return;
    const hadFocus = this.element.contains(document.querySelector(":focus"));
    this.element.hidden = true;
    this.map.camera.apply(); // fills what the card has covered
    this.panBack();
    this.map.point([]);
    if (hadFocus) (this.opener?.isConnected ? this.opener : this.map).focus();
  }

  show(card) {
    this.card = card;
    const result = this.result(card);
    const told = new Set(result.map((line) => line.text));
    const isTold = (part) => part.kind === "came" && part.texts.every((line) => told.has(line.text));
    const others = card.parts.filter((part) => !isTold(part));
    const steps = arrangeSteps(others);
    const parts = steps.flat().map((part) => this.part(part));
    const first = steps[0]?.filter((part) => part.kind === "dice" || part.kind === "chart").length ?? 0;
    for (const part of parts.slice(0, first)) part.classList.add("first-roll");
    const later = card.later.length ? [this.list(this.words.afterwards, card.later)] : [];
    const head = [this.head(card), ...this.versus(card), this.outcome(card, result)];
    this.element.replaceChildren(...head.filter(Boolean), ...parts.filter(Boolean), ...later, this.foot(card));
    this.element.hidden = false;
    this.element.scrollTop = 0;
    this.map.point(card.places);
    this.dock(card);
  }

  /** Update an open card as the game continues: complete its order, count later rolls, uncover the next orders. */
  async update() {
    if (!this.isOpen) return;
    const updating = (this.updating = Symbol("update"));
    const { own, address } = this.card;
    const [number, part] = address;
    const card = await get("/api/ask/card", { number, part }).catch(() => null);
    if (this.updating !== updating || !this.isOpen || this.card.address !== address) return;
    const isSame = card?.own[0] === own[0];
    if (isSame && this.card.is_open) return this.show(card);
    if (isSame && card.address.join() === address.join()) this.count(card);
    this.dock(this.card);
  }

  /** Replace the head and the foot, which count the rolls, by those of the same card at a later time. */
  count(card) {
    const { firstElementChild: head, lastElementChild: foot } = this.element;
    const hasFocus = [head, foot].some((one) => one.contains(document.querySelector(":focus")));
    this.card = card;
    head.replaceWith(this.head(card));
    foot.replaceWith(this.foot(card));
    if (hasFocus) this.element.focus({ preventScroll: true });
  }

  /** Return the ids of the places of the fight: the first one that the order names, and those of both sides. */
  scene(card) {
    const stood = card.sides.flatMap((side) => side.pieces.map((piece) => piece.place));
    return [...new Set([...card.places.slice(0, 1), ...stood])].filter((id) => this.map.byPlace.has(id));
  }

  /** Return the boxes in the window of the middles of some places. */
  boxes(places) {
    return places.map((id) => {
      const box = this.map.byPlace.get(id).shape.getBoundingClientRect();
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      return { left: Math.max(box.left, x - REACH), top: Math.max(box.top, y - REACH), right: Math.min(box.right, x + REACH), bottom: Math.min(box.bottom, y + REACH) };
    });
  }

  /** Return the position and scale of the map, to be compared later. */
  view() {
    const { x, y, scale } = this.map.camera;
    return { x, y, scale };
  }

  /** Undo what the card has panned, unless the map has been panned or zoomed since. */
  panBack() {
    const [before, after] = [this.before, this.after];
    this.before = this.after = null;
    if (!after || ["x", "y", "scale"].some((name) => Math.abs(this.map.camera[name] - after[name]) > STILL)) return;
    Object.assign(this.map.camera, before);
    this.map.camera.fit();
  }

  /** Place the card, and remember what of the map was in view before. */
  dock(card) {
    const before = this.view();
    this.place(card);
    const after = this.view();
    const isSame = before.x === after.x && before.y === after.y;
    if (!isSame) this.before ??= before;
    if (this.before) this.after = after;
  }

  /** Place the card on the side of the map away from the fight, over few counters with orders; if needed, pan the map. */
  place(card) {
    const { element } = this;
    element.style.left = element.style.top = "";
    let places = this.scene(card);
    if (window.matchMedia(SHEET).matches) return this.map.seek(places.length ? places : card.places, AROUND);
    const field = this.map.svg.parentElement.getBoundingClientRect();
    const area = { left: field.left + EDGE, top: field.top + EDGE, right: field.right - EDGE, bottom: field.bottom - FOOT };
    const size = [element.offsetWidth, element.offsetHeight];
    const able = document.querySelectorAll("#map .orderable, #map .place.reach");
    const spot = () => {
      const needed = this.boxes(places);
      const whole = boundingBox(needed) ?? area;
      const wanted = [...able].slice(0, MOST_SHOWN).map((one) => one.getBoundingClientRect());
      const isIn = whole.left >= area.left && whole.right <= area.right && whole.top >= area.top && whole.bottom <= area.bottom;
      const isLeft = needed.length && whole.left + whole.right < area.left + area.right;
      const near = [isLeft ? area.right - size[0] / 2 : area.left + size[0] / 2, area.top + size[1] / 2];
      return { ...placeCard(size, area, needed, wanted, near), whole, isIn };
    };
    let best = spot();
    const isTooWide = (best.hidden || !best.isIn) && !roomsFor(size, area, best.whole).some((room) => room.isWhole);
    if (places.length > 1 && isTooWide) {
      places = places.slice(0, 1); // the place of the fight alone, not those that the attackers came from
      best = spot();
    }
    if (places.length && (best.hidden || !best.isIn)) {
      const { left, top, right, bottom } = best.whole;
      const { x, y } = this.map.camera.toMap((left + right) / 2, (top + bottom) / 2);
      for (const { middle } of roomsFor(size, area, best.whole)) {
        this.map.camera.putAt([x, y], middle);
        best = spot();
        if (!best.hidden && best.isIn) break;
      }
    }
    element.style.left = `${Math.round(best.x - field.left)}px`;
    element.style.top = `${Math.round(best.y - field.top)}px`;
    element.classList.toggle("at-right", best.x + size[0] / 2 > (field.left + field.right) / 2);
  }

  head(card) {
    const close = iconButton(this.words.close, "close", () => this.close());
    const at = iconButton(this.words.show_on_map, "place", () => this.dock(card));
    const told = [card.counted, card.about !== card.title && card.about].filter(Boolean).map((text) => make("span", {}, text));
    const about = told.length ? make("p", {}, ...told) : null;
    return make("header", {}, make("div", {}, make("h2", { id: "card-title" }, card.title), about), card.places.length ? at : null, close);
  }

  /** Build both sides, partners in one column, with their counters and strengths, and the comparison between them. */
  versus(card) {
    if (!card.sides.length) return [];
    const side = (one) => {
      const counters = one.pieces.map((piece) => draw("svg", { viewBox: "-24 -24 48 48", role: "img", "aria-label": piece.spoken }, parseDrawing(piece.drawn)));
      const strength = one.strength ? make("b", {}, one.strength) : null;
      return make("div", { "data-side": one.side }, make("h3", {}, one.name), make("div", { class: "set" }, ...counters, strength), make("p", {}, one.names));
    };
    const [both, printed] = card.ratio;
    const middle = both ? [make("b", {}, printed || both), make("small", {}, this.words.strengths)] : [make("small", {}, this.words.versus)];
    const [own, other] = [false, true].map((is) => card.sides.filter((one) => one.is_opponent === is).map(side));
    const column = (sides) => (sides.length > 1 ? make("div", { class: "partners" }, ...sides) : sides[0]);
    const parts = own.length && other.length ? [column(own), make("div", { class: "middle" }, ...middle), column(other)] : [...own, ...other];
    return [make("div", { class: "versus" }, ...parts)];
  }

  /** Return the lines of the result: its effects on the pieces that lost, or else the last lines of the phase. */
  result(card) {
    if (card.result.length) return card.result;
    const end = card.parts.findIndex((part) => part.kind === "phase");
    return card.parts.slice(0, end < 0 ? undefined : end).findLast((part) => part.kind === "came")?.texts ?? [];
  }

  /** Show the result in words and the losses, before the steps that led to them. */
  outcome(card, result) {
    const lost = this.losses(card);
    if (!result.length && !lost) return null;
    return make("section", { class: "part came outcome" }, ...result.map((line) => this.line("p", line)), lost);
  }

  /** Build a part of the card by the method of its kind. */
  part(part) {
    return this[part.kind](part);
  }

  phase(part) {
    return make("div", { class: "part" }, make("h2", {}, part.title));
  }

  /** Return the heading of one of several rolls: the choice that it belongs to. */
  order(part) {
    return make("div", { class: "part order", "data-side": part.side || null }, make("h2", { class: "side-ink" }, part.title));
  }

  sums(part) {
    const row = (line) => {
      return make("li", { class: line.is_total ? "sum" : line.amount.length > WIDE ? "words" : null }, make("b", {}, line.amount), make("span", {}, line.text), make("span", {}, ...this.cites(line.cite)));
    };
    return make("section", { class: "part" }, make("h3", {}, this.words.how_it_came), make("ul", { class: "shifts" }, ...part.lines.map(row)));
  }

  dice(part) {
    const yields = part.yields ?? [];
    const order = part.faces.map((_face, n) => n).sort((a, b) => (yields[b]?.[1] ?? 0) - (yields[a]?.[1] ?? 0) || a - b);
    const thrown = (n) => {
      const [text, isAny] = yields[n] ?? ["", true];
      const drawn = die(part.faces[n], part.pips);
      return yields.length ? make("figure", { class: isAny ? "hit" : "miss" }, drawn, make("figcaption", {}, text)) : drawn;
    };
    const dice = order.map(thrown);
    const total = part.total ? make("span", { class: "sum" }, part.total) : null;
    const terms = part.terms.map(([amount, name]) => make("span", { class: "term" }, make("b", {}, amount), make("small", {}, name)));
    if (terms.length) terms.push(make("b", { class: "term" }, "="));
    const compared = part.compared ? make("p", {}, part.compared) : null;
    const look = `dice${dice.length > MANY ? " many" : ""}`;
    const title = make("h3", {}, part.title, ...this.cites(part.cite));
    return make("section", { class: "part roll", "data-side": part.side || null }, title, make("div", { class: look }, ...dice, ...terms, total, compared));
  }

  /** Show what lies around the marked cells of a chart; a button shows the whole chart. */
  chart(part) {
    const isTold = part.results.length === part.cuts.length; // each result is the caption of its sheet
    const grid = (one, n) => this.sheet.grid(isTold ? { ...one, title: part.results[n] } : one);
    const cuts = make("div", { class: "cuts" }, ...part.cuts.map(grid));
    const isCut = part.grids.some((one, n) => one.heads.length > part.cuts[n].heads.length || one.cells.length > part.cuts[n].cells.length);
    const toggle = () => {
      const isWhole = whole.getAttribute("aria-expanded") === "false";
      whole.setAttribute("aria-expanded", isWhole);
      cuts.classList.toggle("whole", isWhole);
      cuts.replaceChildren(...(isWhole ? part.grids : part.cuts).map(grid));
    };
    const whole = make("button", { type: "button", class: "link", "aria-expanded": "false", onclick: toggle }, this.words.whole_chart);
    const results = isTold ? [] : part.results.map((text) => make("p", {}, text));
    const ours = part.reconstructed ? make("p", { class: "more" }, this.words.reconstructed) : null;
    const title = make("h3", {}, make("span", {}, part.title, ...this.cites(part.cite)), isCut ? whole : null);
    return make("section", { class: "part chart" }, title, cuts, ...results, ours);
  }

  came(part) {
    return make("section", { class: "part came" }, ...part.texts.map((line) => this.line("p", line)));
  }

  /** Build an element with a line of text and its first paragraphs. */
  line(element, { text, cite }) {
    return make(element, {}, text, ...this.cites(cite));
  }

  cites(numbers) {
    return this.sheet.cites(numbers.slice(0, 2));
  }

  list(title, lines) {
    const rows = lines.map((line) => this.line("li", line));
    return make("section", { class: "part" }, make("h3", {}, title), make("ul", { class: "later" }, ...rows));
  }

  losses(card) {
    if (!card.two_sided) return null;
    const lost = new Map(card.losses.map(([side, , text]) => [side, text]));
    const none = card.is_open ? this.words.loss_open : this.words.no_loss;
    const row = (one) => {
      const dot = make("i", { class: this.sides.get(one.side)?.number % 2 ? "dot odd" : "dot", "aria-hidden": "true" });
      return make("li", { "data-side": one.side }, dot, make("b", { class: "side-ink" }, one.name), boxes(one.steps), make("span", {}, lost.get(one.side) ?? none));
    };
    const others = card.losses.filter(([side]) => !card.sides.some((one) => one.side === side));
    const absent = others.map(([side, name]) => ({ side, name, steps: [] }));
    return make("ul", { "aria-label": this.words.losses }, ...[...card.sides, ...absent].map(row));
  }

  foot(card) {
    const step = ([number], by, text) => {
      return number ? make("button", { type: "button", onclick: () => this.step(by) }, text) : null;
    };
    const done = make("button", { type: "button", class: "main", onclick: () => this.close() }, this.words.back_to_map);
    const later = step(card.following, 1, this.words.later_card);
    if (card.has_next) later?.classList.add("main");
    const replay = this.recap?.holds(card.own) ? make("button", { type: "button", onclick: () => this.recap.replay(card) }, this.words.replay_card) : null;
    const earlier = step(card.previous, -1, this.words.earlier_card);
    return make("footer", {}, earlier, replay, later, card.has_next ? null : done);
  }
}

const STEP = { dice: 0, chart: 1, sums: 2 }; // a roll is shown before the chart that was read, and before how its figures came about

/** Return the parts of a card step by step, with each roll and its charts before the sums that led to them. */
function arrangeSteps(parts) {
  const steps = [];
  let step = [];
  for (const part of parts) {
    const has = (kind) => step.some((one) => one.kind === kind);
    const isNew = !(part.kind in STEP) || (part.kind === "dice" && has("dice")) || (part.kind === "sums" && has("dice") && has("chart"));
    if (isNew || !step.every((one) => one.kind in STEP)) steps.push((step = []));
    else if (!steps.length) steps.push(step);
    step.push(part);
  }
  return steps.map((one) => one.sort((a, b) => STEP[a.kind] - STEP[b.kind]));
}

/** Draw a box for each step, those that are lost empty; null without steps. */
function boxes([before, after]) {
  if (!before) return null;
  const box = (_one, n) => draw("rect", { x: n * 12 + 1, y: 1, width: 9, height: 9, rx: 2, class: n < after ? "" : "lost" });
  const size = { viewBox: `0 0 ${before * 12} 11`, width: before * 12, height: 11 };
  return draw("svg", { class: "steps", "aria-hidden": "true", ...size }, ...Array.from({ length: before }, box));
}

/** Draw a die: pips if it has them, else its number. */
function die(face, hasPips) {
  const spots = hasPips ? SPOTS[+face] : null;
  const marks = spots
    ? spots.map((spot) => draw("circle", { cx: 11 + (spot % 3) * 11, cy: 11 + Math.floor(spot / 3) * 11, r: 3.7 }))
    : [draw("text", { x: 22, y: 30 }, face)];
  const body = draw("rect", { x: 2, y: 2, width: 40, height: 40, rx: 9 });
  return draw("svg", { class: "die", viewBox: "0 0 44 44", role: "img", "aria-label": face }, body, ...marks);
}
