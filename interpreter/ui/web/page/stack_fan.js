// Counters that stand together, spread out large enough to be read and pressed for as long as one points at their place.

import { draw } from "./making.js";

const SIDE = 44; // of a counter's picture
const LARGE = 46; // pixels that a counter has when it is spread out
const PART = 1.14; // from middle to middle, in sides
const MOST = 5; // in a row
const REST = 220; // milliseconds that one points before a stack is spread out

export class StackFan {
  /** `home`: the layer of the counters; `layer`: one above all else; `map`: where places and counters are. */
  constructor(map, home) {
    Object.assign(this, { map, home, place: null, closed: null, own: [] });
    this.layer = draw("g", { class: "fan" });
  }

  /** The counters of a place that are too small or too many to be told apart. */
  crowd(place) {
    const here = [...this.map.byPiece.values()].filter(({ piece }) => piece.place === place);
    const shown = Math.min(...here.map(({ piece }) => piece.size)) * this.map.camera.magnification();
    return here.length > 1 && (shown < LARGE || here.length > 9) ? here : [];
  }

  /** Spread out after a moment, or at once; what was spread out before closes. */
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
      group.setAttribute("transform", `translate(${x} ${y}) scale(${side / SIDE})`);
      this.layer.append(group);
    });
  }

  /** Spread nothing out by itself for now. */
  wait() {
    clearTimeout(this.timer);
  }

  /** Close, and stay closed until one points elsewhere. */
  shut() {
    this.closed = this.place;
    this.close();
  }

  /** Put every counter back where it stands. */
  close() {
    this.wait();
    this.place = null;
    for (const { piece, group } of this.own) {
      if (!group.isConnected) continue;
      const [x, y] = piece.at;
      group.setAttribute("transform", `translate(${x} ${y}) scale(${piece.size / SIDE})`);
      this.home.append(group);
    }
    this.own = [];
    this.layer.replaceChildren();
  }
}
