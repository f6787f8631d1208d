// Fan of stacked counters: spread out, large enough to read and press, while their place is hovered.

import { draw, putCounter } from "./making.js";

const LARGE = 64; // least pixels of a counter in the fan
const PART = 1.14; // distance between centres, in counter sides
const MOST = 5; // counters in a row
const REST = 220; // milliseconds of hovering before a stack is fanned

export class StackFan {
  /** `home` is the layer of the counters, `layer` the topmost one, `map` the view with places and counters. */
  constructor(map, home) {
    Object.assign(this, { map, home, place: null, closed: null, own: [] });
    this.layer = draw("g", { class: "fan" });
  }

  /** Return the counters of a place if there are several: a pile hides them, or they are small. */
  crowd(place) {
    const here = [...this.map.byPiece.values()].filter(({ piece }) => piece.place === place);
    const shown = Math.min(...here.map(({ piece }) => piece.size)) * this.map.camera.magnification();
    const isPiled = here.some(({ piece }) => piece.depth || piece.is_rider);
    return here.length > 1 && (isPiled || shown < LARGE) ? here : [];
  }

  /** Fan out a place's stack after a delay or at once, and close the previous one. */
  rest(place, atOnce = false) {
    this.wait();
    if (place !== this.closed) this.closed = null;
    if (place === this.place || place === this.closed) return;
    this.close();
    if (place && atOnce) this.open(place);
    else if (place) this.timer = setTimeout(() => this.open(place), REST);
  }

  open(place) {
    const here = this.crowd(place);
    const middle = this.map.byPlace.get(place)?.place.middle;
    if (!here.length || !middle || this.map.pieces.classList.contains("hidden")) return;
    this.place = place;
    this.own = here;
    const side = LARGE / this.map.camera.magnification();
    const columns = Math.min(here.length, MOST);
    const rows = Math.ceil(here.length / columns);
    const [wide, high] = [columns * side * PART + side * 0.2, rows * side * PART + side * 0.2];
    const [left, top] = this.map.camera.within(middle[0] - wide / 2, middle[1] - high / 2, wide, high);
    const paper = draw("rect", { class: "fan-paper", "data-fan": place, x: left, y: top, width: wide, height: high, rx: side / 8 });
    this.layer.replaceChildren(paper);
    here.forEach(({ group }, n) => {
      const x = left + side * 0.1 + side * PART * ((n % columns) + 0.5);
      const y = top + side * 0.1 + side * PART * (Math.floor(n / columns) + 0.5);
      putCounter(group, [x, y], side);
      this.layer.append(group);
    });
  }

  /** Return the topmost counter of some that a pile hides under a counter that is not one of them, or null. */
  meant(over, able) {
    if (!over || over.is_rider || over.place === this.place || able.has(over.id)) return null;
    const here = [...this.map.byPiece.values()].map(({ piece }) => piece);
    const below = here.filter((one) => one.place === over.place && one.depth > over.depth && able.has(one.id));
    return below.sort((a, b) => a.depth - b.depth)[0]?.id ?? null;
  }

  /** Close the fan after a counter was selected; show the whole stack if the player may have meant another one. */
  settle(place, isDoubtful) {
    const isClosed = place && place !== this.place;
    if (isDoubtful && isClosed && this.crowd(place).length) {
      this.closed = null;
      this.rest(place, true);
    } else this.shut();
  }

  /** Cancel a pending fan-out. */
  wait() {
    clearTimeout(this.timer);
  }

  /** Close the fan, and keep it closed until another place is hovered. */
  shut() {
    this.closed = this.place;
    this.close();
  }

  /** Put every counter back in its place. */
  close() {
    this.wait();
    this.place = null;
    for (const { piece, group } of this.own) {
      if (!group.isConnected) continue;
      putCounter(group, piece.at, piece.size);
      this.home.append(group);
    }
    this.own = [];
    this.layer.replaceChildren();
  }
}
