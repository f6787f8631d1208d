// The options as buttons under headings, and the off-map pieces. The map only filters this list.

import { get } from "./server.js";
import { make } from "./making.js";
import { stepper } from "./stepper.js";
import { capital, fill } from "./texts.js";

const MOST = 60; // combinations of many counters that are listed at once
const PICTURED = 120; // options up to which each shows its counter
const VARIANTS = 2; // number of options with one goal from which they are shown as one option with a box
const SERIES = 3; // options that differ in their number alone from which one is shown with a stepper
const FOLDED = 24; // options above which only the counters that have some are listed

export class OrdersView {
  constructor(element, beside, foot, { words, still, selection, choose, plan, sheet, map }) {
    Object.assign(this, { element, beside, words, still, selection, choose, plan, sheet, map });
    element.setAttribute("aria-label", words.orders);
    this.list = make("div", { class: "options" });
    this.ends = make("div", { class: "options row" }); // such as `done`: always visible
    this.about = make("div", { class: "orders-head" });
    this.all = make("button", { type: "button", class: "all", onclick: () => selection.empty() }, words.all_orders);
    this.coming = make("div", { class: "row coming" });
    this.more = make("p", { class: "more" });
    element.append(this.about, this.coming, this.list, this.more);
    foot.append(this.ends);
    for (const list of [this.list, this.ends]) list.addEventListener("keydown", (event) => this.handleKey(event));
    this.names = new Map(still.places.map((place) => [place.id, place.name]));
    this.buttons = [];
    this.series = [];
    this.variants = [];
  }

  /** Focus the first matching order. */
  focus() {
    this.meant()[0]?.focus();
  }

  meant() {
    const heads = [...this.list.querySelectorAll(".folded:not([hidden]) .unit")];
    return [...heads, ...this.buttons.filter((button) => !button.parentElement.hidden && !button.closest(".folded"))];
  }

  /** Handle arrow keys, Home and End to move between orders. */
  handleKey(event) {
    const meant = this.meant();
    const at = meant.indexOf(document.querySelector(":focus"));
    const turn = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const variants = turn && this.variants.find((one) => one.box && one.rows.some(({ row }) => row.contains(meant[at])));
    if (variants) {
      event.preventDefault();
      return this.turnVariant(variants, turn);
    }
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 + meant.length, Home: 0, End: meant.length - 1 }[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    meant[next % meant.length].focus();
  }

  show(scene) {
    if (scene.version !== this.version) {
      this.version = scene.version;
      this.build(scene);
      this.showBeside(scene);
    }
    const options = scene.decision?.options ?? [];
    const fitting = this.selection.meant(options);
    const listed = scene.decision?.is_draft && fitting.some((option) => option.pieces.length > 2) ? MOST : fitting.length;
    const meant = new Set(fitting.slice(0, listed).map((option) => option.key));
    this.more.hidden = fitting.length <= listed;
    this.more.textContent = fill(this.words.more_orders, { number: fitting.length - listed });
    for (const button of this.buttons) {
      const isEnd = this.ends.contains(button);
      button.parentElement.hidden = !isEnd && !meant.has(button.dataset.option);
    }
    for (const series of this.series) this.showSeries(series);
    for (const variants of this.variants) this.showVariants(variants);
    const isLong = this.selection.isEmpty && meant.size > FOLDED && !scene.decision?.is_draft;
    let isFirst = true; // its orders show what the others fold away
    for (const group of this.list.children) {
      group.hidden = ![...group.querySelectorAll("li:not(.how-many)")].some((row) => !row.hidden);
      group.classList.toggle("folded", isLong && !isFirst && Boolean(group.querySelector(".unit")));
      if (!group.hidden) isFirst = false;
    }
    this.all.hidden = fitting.length === options.length;
    this.showSelected(scene);
  }

  /** Show options that differ only in a number as one option with a stepper. */
  showSeries(series) {
    const shown = series.rows.filter(({ row }) => !row.hidden);
    series.element.hidden = shown.length < SERIES;
    if (series.element.hidden) return;
    const numbers = shown.map(({ number }) => number);
    if (!numbers.includes(series.number)) series.number = numbers.at(-1);
    for (const { row, number } of shown) row.hidden = number !== series.number;
    const set = (number) => {
      for (const { row } of shown) row.hidden = false;
      series.number = number;
      this.showSeries(series);
      series.element.querySelector("button:not(:disabled)")?.focus();
    };
    series.element.replaceChildren(stepper(this.words, numbers, series.number, set));
  }

  /** Find the options of one counter that differ in their number alone, and put a stepper before them. */
  findSeries(options, rows) {
    const found = new Map();
    options.forEach((option, n) => {
      const key = [option.heading, option.name, option.pieces, option.places, option.angle].join("|");
      if (option.number) found.set(key, [...(found.get(key) ?? []), { row: rows[n], number: option.number }]);
    });
    const isSeries = (all) => all.length >= SERIES && new Set(all.map(({ number }) => number)).size === all.length;
    return [...found.values()].filter(isSeries).map((all) => {
      const element = make("li", { class: "how-many", hidden: true });
      all[0].row.before(element);
      return { element, rows: all.sort((a, b) => a.number - b.number), number: 0 };
    });
  }

  /** Show options with the same goal as one option with a box to choose among them. */
  showVariants(variants) {
    const shown = variants.rows.filter(({ row }) => !row.hidden);
    variants.box?.remove();
    variants.box = null;
    if (shown.length < VARIANTS) return;
    if (!shown.some(({ option }) => option === variants.chosen)) variants.chosen = shown[0].option;
    for (const { row, option } of shown) row.hidden = option !== variants.chosen;
    const choose = () => this.setVariant(variants, shown[+box.value].option);
    const mark = (option) => (option === variants.chosen ? "✓ " : "");
    const choice = ({ option }, n) => make("option", { value: n }, mark(option) + capital([option.title, option.detail].filter(Boolean).join(" · ")));
    const number = make("option", { selected: true, hidden: true }, fill(this.words.ways_number, { number: shown.length }));
    const box = make("select", { "aria-label": this.words.ways, onchange: choose }, number, ...shown.map(choice));
    variants.shown = shown;
    variants.box = box;
    shown.find(({ option }) => option === variants.chosen).row.append(box);
  }

  /** Show another option with the same goal, and give it the focus. */
  setVariant(variants, option) {
    for (const { row } of variants.shown) row.hidden = false;
    variants.chosen = option;
    this.showVariants(variants);
    variants.box.parentElement.querySelector("button").focus();
  }

  turnVariant(variants, by) {
    const at = variants.shown.findIndex(({ option }) => option === variants.chosen);
    const next = variants.shown[(at + by + variants.shown.length) % variants.shown.length];
    this.setVariant(variants, next.option);
  }

  /** Find the options of a draft that lead the same counters to the same place, or have the same targets. */
  findVariants(options, rows, isDraft) {
    const found = new Map();
    options.forEach((option, n) => {
      const goal = option.path.at(-1) ?? option.places.join(" ");
      const key = [option.heading, option.name, option.pieces, goal, option.number].join("|");
      if (isDraft && goal && !option.key.startsWith("done")) found.set(key, [...(found.get(key) ?? []), { row: rows[n], option }]);
    });
    const several = [...found.values()].filter((all) => all.length >= VARIANTS);
    return several.map((all) => ({ rows: all, chosen: all[0].option, shown: all, box: null }));
  }

  /** Show the selected counter with its details. */
  showSelected(scene) {
    const { piece, pieces, place } = this.selection;
    const shown = pieces.map((id) => scene.pieces.find((one) => one.id === id)).filter(Boolean);
    const ask = (what, id, text, ...parts) =>
      make("button", { type: "button", class: "about", onclick: () => this.sheet.ask(what, { id }, text) }, ...parts);
    this.about.replaceChildren(
      ...shown.map((one) => ask("piece", one.id, one.spoken, this.picture(one.id), make("span", {}, one.spoken))),
      ...(place ? [ask("place", place, this.names.get(place), fill(this.words.about_place, { place: this.names.get(place) }))] : []),
      this.all,
    );
    this.showComers(scene, piece ? null : place);
  }

  /** List the counters that can reach the selected place, each as a button that plans the order. */
  async showComers(scene, place) {
    const asked = place && scene.may_choose ? `${scene.version} ${place}` : "";
    if (asked === this.asked) return;
    this.asked = asked;
    const found = asked ? await get("/api/ask/comers", { place }).catch(() => []) : [];
    if (this.asked !== asked) return;
    const counters = found.map(([id, cost]) => [scene.pieces.find((one) => one.members.includes(id)), cost]);
    const button = ([piece, cost]) => {
      return make("button", { type: "button", onclick: () => this.send(piece.id, place) }, piece.label, cost && " ", cost && make("small", {}, cost));
    };
    this.coming.replaceChildren(...(found.length ? [this.words.comers, ...counters.map(button)] : []));
    this.map.comers = new Set(counters.map(([piece]) => piece.id));
    this.map.mark();
  }

  send(piece, place) {
    this.selection.takePiece(piece);
    this.map.sendTo(place);
  }

  build(scene) {
    const { options, headings } = scene.decision ?? { options: [], headings: [] };
    const rows = headings.map(() => []);
    const isPictured = (number) => options.length <= PICTURED && headings[number].by !== "piece";
    const items = options.map((option) => make("li", {}, this.button(option, isPictured(option.heading))));
    options.forEach((option, n) => rows[option.heading].push(items[n]));
    const named = headings.map((_heading, n) => options.some((one) => one.heading === n && (one.pieces.length || one.places.length)));
    const group = (heading, number) => {
      const title = heading.title ? [make("h3", {}, heading.by === "piece" ? this.unit(heading, rows[number].length) : heading.title)] : [];
      return make("div", { class: "group" }, ...title, make("ul", {}, ...rows[number]));
    };
    const groups = headings.map(group);
    const isEnd = (number) => !named[number] && named.includes(true);
    this.list.replaceChildren(...groups.filter((_one, number) => !isEnd(number)));
    this.ends.replaceChildren(...groups.filter((_one, number) => isEnd(number)));
    this.series = this.findSeries(options, items);
    this.variants = this.findVariants(options, items, scene.decision?.is_draft);
    for (const group of this.list.children) {
      const [first] = this.variants.filter((one) => group.contains(one.rows[0].row));
      const rows = group.querySelectorAll("li:not(.how-many)").length;
      group.classList.toggle("one-goal", Boolean(first) && first.rows.length === rows && !group.querySelector(".unit"));
    }
    this.buttons = [...this.list.querySelectorAll("[data-option]"), ...this.ends.querySelectorAll("[data-option]")];
  }

  /** Build the heading of a counter's orders, a button that selects it. */
  unit(heading, number) {
    const take = () => this.selection.takePiece(heading.id);
    const text = make("span", {}, capital(heading.title), make("small", {}, fill(this.words.orders_of, { number })));
    return make("button", { type: "button", class: "unit", onclick: take }, this.picture(heading.id), text);
  }

  button(option, isPictured) {
    const cost = option.cost && !option.label.includes(option.cost) ? make("span", { class: "cost" }, option.cost) : null;
    const point = () => this.plan.point(option);
    let isHovered = false;
    const move = (event) => {
      if (isHovered || !(event.movementX || event.movementY)) return; // a resting pointer does not preview what appears under it
      isHovered = true;
      point();
    };
    const away = () => {
      isHovered = false;
      this.plan.point(null);
    };
    const attributes = { type: "button", "data-option": option.key, onclick: () => this.choose(option), onpointermove: move, onfocus: point };
    if (option.key === "done") attributes.class = "end";
    const picture = isPictured && option.pieces.length ? this.picture(option.pieces[0]) : null;
    const button = make("button", attributes, picture, make("span", {}, option.title, option.detail && " ", option.detail && make("small", {}, option.detail)), cost);
    button.addEventListener("pointerleave", away);
    return button;
  }

  /** Copy the picture of a counter on the map at the size of a list entry; null if it is not there. */
  picture(id) {
    return this.map.mini(id);
  }

  /** List the off-map pieces by place. */
  showBeside(scene) {
    const off = scene.pieces.filter((piece) => !piece.at);
    const places = [...new Set(off.map((piece) => piece.place))];
    const parts = places.map((place) => {
      const own = off.filter((piece) => piece.place === place);
      const number = own.reduce((sum, piece) => sum + piece.count, 0);
      const title = make("summary", {}, fill(this.words.with_number, { what: this.names.get(place), more: number }));
      const isOpen = own.some((piece) => piece.orderable);
      return make("details", { "data-place": place, open: isOpen }, title, make("ul", {}, ...own.map((one) => this.tile(one))));
    });
    const total = off.reduce((sum, piece) => sum + piece.count, 0);
    const head = make("summary", { class: "off-map" }, fill(this.words.with_number, { what: this.words.off_map, more: total }));
    const isOpen = this.beside.querySelector("details")?.open || off.some((piece) => piece.orderable);
    this.beside.replaceChildren(...(parts.length ? [make("details", { open: isOpen }, head, ...parts)] : []));
  }

  tile(piece) {
    const take = () => this.selection.takePiece(piece.id);
    const attributes = { type: "button", "data-piece": piece.id, class: piece.orderable ? "orderable" : "", onclick: take };
    return make("li", {}, make("button", attributes, piece.label, piece.short && " ", piece.short && make("small", {}, piece.short)));
  }
}
