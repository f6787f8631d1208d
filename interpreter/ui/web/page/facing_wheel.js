// The facing wheel: a ring of arrows on the target of an order, one for each facing that the order can end with.

import { draw } from "./making.js";

const INNER = 0.5;
const OUTER = 0.92;
const GAP = 3; // degrees between neighbouring arrows

export class FacingWheel {
  constructor(map, words) {
    Object.assign(this, { map, words });
    this.layer = draw("g", { class: "wheel", role: "radiogroup", "aria-label": words.facing });
  }

  /** Show the wheel on a place; `choose` is called with the angle that is pressed. */
  show(place, angles, current, choose) {
    this.hide();
    const found = this.map.byPlace.get(place)?.place;
    if (!found || angles.length < 2) return;
    const [x, y] = found.middle;
    const radius = Math.min(...found.shape.map(([dx, dy]) => Math.hypot(dx, dy)));
    const half = Math.min(60, 360 / Math.max(angles.length, 6)) / 2 - GAP / 2;
    const parts = angles.map((angle) => {
      const at = (turn, far) => {
        const radians = ((angle + turn - 90) * Math.PI) / 180;
        return `${x + Math.cos(radians) * radius * far},${y + Math.sin(radians) * radius * far}`;
      };
      const [i, o] = [radius * INNER, radius * OUTER];
      const ring = `M${at(-half, INNER)}L${at(-half, OUTER)}A${o} ${o} 0 0 1 ${at(half, OUTER)}L${at(half, INNER)}A${i} ${i} 0 0 0 ${at(-half, INNER)}Z`;
      const tip = `M${at(0, 0.9)}L${at(-18, 0.58)}L${at(18, 0.58)}Z`;
      const isOn = angle === current;
      const attributes = { class: isOn ? "on" : "", role: "radio", "aria-checked": isOn, "aria-label": `${Math.round(angle)}°`, "data-angle": angle };
      const group = draw("g", attributes, draw("path", { d: ring, class: "segment" }), draw("path", { d: tip, class: "tip-mark" }));
      group.addEventListener("click", (event) => {
        event.stopPropagation();
        if (!this.map.camera.hasMoved) choose(angle);
      });
      return group;
    });
    this.layer.replaceChildren(...parts);
  }

  hide() {
    this.layer.replaceChildren();
  }
}
