// Orders for many counters at once: a group forward, or to the place that is pointed out.

import { get } from "./server.js";
import { make } from "./making.js";
import { fill } from "./texts.js";

export class TogetherView {
  /** `send` carries out the order of a group, or of some pieces, to a place, or forward for "". */
  constructor(element, { words, still, selection, send }) {
    Object.assign(this, { element, words, selection, send });
    this.names = new Map(still.places.map((place) => [place.id, place.name]));
    this.list = make("ul", {});
    element.append(make("h3", {}, words.together), this.list);
  }

  /** Show the groups that can be ordered now. */
  async show(scene) {
    const asked = scene.may_choose && scene.decision?.options.some((option) => option.pieces.length === 1) ? scene.version : "";
    if (asked !== this.asked) {
      this.asked = asked;
      this.groups = [];
      const groups = asked ? await get("/api/ask/groups").catch(() => []) : [];
      if (this.asked !== asked) return;
      this.groups = groups;
    }
    this.draw();
  }

  draw() {
    const { place } = this.selection;
    const goal = place ? fill(this.words.to_place, { place: this.names.get(place) }) : "";
    const row = (group) => {
      const name = group.pieces ? this.words.selected : group.id === "/" ? this.words.all_units : group.name;
      const sent = group.pieces ? { pieces: group.pieces } : { group: group.id };
      const forward = group.goes_forward && make("button", { type: "button", "data-group": group.id, "aria-label": fill(this.words.named, { what: name, values: this.words.forward }), onclick: () => this.send(sent, "") }, this.words.forward);
      const there = goal ? make("button", { type: "button", "aria-label": fill(this.words.named, { what: name, values: goal }), onclick: () => this.send(sent, place) }, goal) : null;
      return make("li", { class: "row" }, make("span", {}, name, make("small", {}, fill(this.words.units, { number: group.number }))), forward || null, there);
    };
    const groups = (this.groups ?? []).filter((group) => group.goes_forward || (goal && group.id !== `place/${place}`));
    const { isGroup, pieces } = this.selection;
    const selected = isGroup && this.groups?.length ? [{ id: "selected", pieces, number: pieces.length, goes_forward: true }] : [];
    this.element.hidden = !groups.length && !selected.length;
    this.list.replaceChildren(...[...selected, ...groups].map(row));
  }
}
