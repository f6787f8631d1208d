// Rings around what the step of a lesson is about: outlines on the map, which move with it, and frames on the page.

import { draw, make, copyOutline } from "./making.js";
import { intersection } from "./lesson_layout.js";

const ROOM = 5; // pixels that a frame leaves around its element
const RIM = 27; // half of a ring around a counter, in units of its picture

export class LessonMarks {
  constructor(map) {
    this.map = map;
    this.layer = draw("g", { class: "lesson-marks", "aria-hidden": "true" });
    map.world.append(this.layer);
    this.frames = [];
  }

  /** Outline places and counters on the map. */
  onMap(targets) {
    const { byPlace, byPiece } = this.map;
    const outlines = targets.flatMap(({ kind, id }) => {
      if (kind === "place") {
        const shape = byPlace.get(id)?.shape;
        return shape ? [copyOutline(shape)] : [];
      }
      const transform = byPiece.get(id)?.group.getAttribute("transform"); // where a fan may have put it
      if (!transform) return [];
      return [draw("rect", { x: -RIM, y: -RIM, width: 2 * RIM, height: 2 * RIM, rx: 8, transform })];
    });
    const lines = outlines.flatMap((outline) => {
      const halo = outline.cloneNode();
      halo.setAttribute("class", "lesson-halo");
      outline.setAttribute("class", "lesson-ring");
      return [halo, outline];
    });
    this.layer.replaceChildren(...lines);
  }

  /** Put frames around elements of the page, cut off where a list is scrolled or the window ends; return their boxes. */
  onPage(elements) {
    const boxes = elements.map(visibleBox).filter(Boolean);
    while (this.frames.length > boxes.length) this.frames.pop().remove();
    while (this.frames.length < boxes.length) {
      const frame = make("div", { class: "lesson-frame", "aria-hidden": "true" });
      this.frames.push(frame);
      document.body.append(frame);
    }
    boxes.forEach((box, number) => {
      const { style } = this.frames[number];
      [style.left, style.top, style.width, style.height] = [box.left, box.top, box.right - box.left, box.bottom - box.top].map((value) => `${value}px`);
    });
    return boxes;
  }

  clear() {
    this.onMap([]);
    this.onPage([]);
  }
}

/** Return the visible part of an element with a margin, or null. */
function visibleBox(element) {
  const whole = element.getBoundingClientRect();
  if (!whole.width || !whole.height) return null;
  let box = { left: whole.left - ROOM, top: whole.top - ROOM, right: whole.right + ROOM, bottom: whole.bottom + ROOM };
  const window = { left: 2, top: 2, right: innerWidth - 2, bottom: innerHeight - 2 };
  const list = element.parentElement?.closest(".scroll");
  for (const limit of list ? [list.getBoundingClientRect(), window] : [window]) box = box && intersection(box, limit);
  return box;
}
