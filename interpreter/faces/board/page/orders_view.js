// The options as a list of buttons under headings, and what stands off the map. The map only filters this list.

import { make } from "./making.js";

export class OrdersView {
  constructor(element, beside, { words, still, selection, choose, plan, sheet }) {
    Object.assign(this, { element, beside, words, still, selection, choose, plan, sheet });
    element.setAttribute("aria-label", words.orders);
    this.list = make("div", { class: "options" });
    this.about = make("div", { class: "row" });
    this.all = make("button", { type: "button", class: "all", onclick: () => selection.empty() }, words.all_orders);
    element.append(make("h2", {}, words.orders), this.about, this.list);
    this.names = new Map(still.places.map((place) => [place.id, place.name]));
  }

  show(scene) {
    if (scene.version !== this.version) {
      this.version = scene.version;
      this.build(scene);
      this.showBeside(scene);
    }
    const options = scene.decision?.options ?? [];
    const meant = new Set(this.selection.meant(options).map((option) => option.key));
    for (const button of this.buttons) button.parentElement.hidden = !meant.has(button.dataset.option);
    for (const group of this.list.children) {
      group.hidden = ![...group.querySelectorAll("li")].some((row) => !row.hidden);
    }
    this.all.hidden = meant.size === options.length;
    this.showSelected(scene);
  }

  /** Whom one has pointed out, with all that is known of him. */
  showSelected(scene) {
    const { piece, place } = this.selection;
    const shown = piece && scene.pieces.find((one) => one.id === piece);
    const ask = (what, id, text) =>
      make("button", { type: "button", class: "about", onclick: () => this.sheet.ask(what, { id }, text) }, text);
    this.about.replaceChildren(
      ...(shown ? [ask("piece", piece, shown.spoken)] : []),
      ...(place ? [ask("place", place, this.names.get(place))] : []),
      this.all,
    );
  }

  build(scene) {
    const { options, headings } = scene.decision ?? { options: [], headings: [] };
    this.buttons = [];
    const rows = headings.map(() => []);
    for (const option of options) rows[option.heading].push(make("li", {}, this.button(option)));
    const groups = headings.map((heading, number) => {
      const title = heading.title ? [make("h3", {}, heading.title)] : [];
      return make("div", { class: "group" }, ...title, make("ul", {}, ...rows[number]));
    });
    this.list.replaceChildren(...groups);
  }

  button(option) {
    const cost = option.cost && !option.label.includes(option.cost) ? make("span", { class: "cost" }, option.cost) : null;
    const point = () => this.plan.point(option);
    const away = () => this.plan.point(null);
    const button = make(
      "button",
      { type: "button", "data-option": option.key, onclick: () => this.choose(option), onpointerenter: point, onfocus: point },
      option.label,
      cost,
    );
    button.addEventListener("pointerleave", away);
    this.buttons.push(button);
    return button;
  }

  /** Who stands off the map, by place. */
  showBeside(scene) {
    const off = scene.pieces.filter((piece) => !piece.at);
    const places = [...new Set(off.map((piece) => piece.place))];
    const parts = places.map((place) => {
      const own = off.filter((piece) => piece.place === place);
      const number = own.reduce((sum, piece) => sum + piece.count, 0);
      const title = make("summary", {}, `${this.names.get(place)} (${number})`);
      const isOpen = own.some((piece) => piece.orderable);
      return make("details", { "data-place": place, open: isOpen }, title, make("ul", {}, ...own.map((one) => this.tile(one))));
    });
    this.beside.replaceChildren(...(parts.length ? [make("h2", {}, this.words.off_map), ...parts] : []));
  }

  tile(piece) {
    const name = `${piece.count > 1 ? `${piece.count} × ` : ""}${piece.name} ${piece.short}`.trim();
    const take = () => this.selection.takePiece(piece.id);
    const attributes = { type: "button", "data-piece": piece.id, class: piece.orderable ? "orderable" : "", onclick: take };
    return make("li", {}, make("button", attributes, name));
  }
}
