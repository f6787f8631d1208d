// The options as a list of buttons under headings, and what stands off the map. The map only filters this list.

import { make } from "./making.js";

export class OrdersView {
  constructor(element, beside, { words, still, selection, choose }) {
    Object.assign(this, { element, beside, words, still, selection, choose });
    element.setAttribute("aria-label", words.orders);
    this.list = make("div", { class: "options" });
    this.all = make("button", { type: "button", class: "all", onclick: () => selection.clear() }, words.all_orders);
    element.append(make("h2", {}, words.orders), this.all, this.list);
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
  }

  build(scene) {
    const { options, headings } = scene.decision ?? { options: [], headings: [] };
    this.buttons = [];
    const groups = headings.map((heading, number) => {
      const own = options.filter((option) => option.heading === number);
      const rows = own.map((option) => make("li", {}, this.button(option)));
      const title = heading.title ? [make("h3", {}, heading.title)] : [];
      return make("div", { class: "group" }, ...title, make("ul", {}, ...rows));
    });
    this.list.replaceChildren(...groups);
  }

  button(option) {
    const cost = option.cost && !option.label.includes(option.cost) ? make("span", { class: "cost" }, option.cost) : null;
    const button = make(
      "button",
      { type: "button", "data-option": option.key, onclick: () => this.choose(option) },
      option.label,
      cost,
    );
    this.buttons.push(button);
    return button;
  }

  /** Who stands off the map, by place. */
  showBeside(scene) {
    const off = scene.pieces.filter((piece) => !piece.at);
    const places = [...new Set(off.map((piece) => piece.place))];
    const parts = places.map((place) => {
      const rows = off.filter((piece) => piece.place === place).map((piece) => this.tile(piece));
      return make(
        "details",
        { "data-place": place, open: off.some((piece) => piece.place === place && piece.orderable) },
        make("summary", {}, `${this.names.get(place)} (${rows.length})`),
        make("ul", {}, ...rows),
      );
    });
    this.beside.replaceChildren(...(parts.length ? [make("h2", {}, this.words.off_map), ...parts] : []));
  }

  tile(piece) {
    const attributes = { type: "button", "data-piece": piece.id, class: piece.orderable ? "can-act" : "" };
    const name = `${piece.count > 1 ? `${piece.count} ` : ""}${piece.name} ${piece.short}`.trim();
    return make("li", {}, make("button", { ...attributes, onclick: () => this.selection.takePiece(piece.id) }, name));
  }
}
