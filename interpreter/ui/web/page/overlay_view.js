// Overlays of the map: tints with letters, lines, and lines of sight with reasons.

import { get } from "./server.js";
import { draw, copyOutline } from "./making.js";

const NOBODYS = "#7a4fa0";

export class OverlayView {
  constructor(map, still) {
    Object.assign(this, { map, still, overlay: null, told: new Map() });
    this.layer = draw("g", { class: "overlay", "aria-hidden": "true" });
    this.sight = draw("g", { class: "sight", "aria-hidden": "true" });
    this.sides = new Map(still.sides.map((side) => [side.id, side]));
  }

  /** Show an overlay on the map, or none for null. */
  lay(overlay) {
    this.overlay = overlay;
    this.look(null);
    const shapes = (overlay?.marks ?? []).flatMap(([id, , sides]) => this.tints(id, sides));
    const lines = (overlay?.lines ?? []).map(([from, to]) => this.line(from, to, "leads"));
    this.layer.replaceChildren(...shapes, ...lines);
    this.layer.dataset.laid = overlay?.id ?? "";
    this.told = new Map((overlay?.marks ?? []).map(([id, text]) => [id, [overlay.title, text]]));
  }

  tints(id, sides) {
    const found = this.map.byPlace.get(id);
    if (!found) return [];
    const [x, y] = found.place.middle;
    const tints = (sides.length ? sides : [""]).map((side) =>
      copyOutline(found.shape, { class: "tint", fill: this.sides.get(side)?.colour ?? NOBODYS }),
    );
    const letters = sides.map((side) => this.sides.get(side)?.letter ?? "").join("");
    return [...tints, draw("text", { x, y: y - 20 }, letters)];
  }

  line(from, to, look) {
    const [a, b] = [from, to].map((id) => this.map.byPlace.get(id)?.place.middle);
    return a && b ? draw("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], class: look }) : "";
  }

  /** Draw the line of sight between two places with its obstacles, or none for null. */
  look(sighting, from = "", to = "") {
    const look = sighting?.holds ? "clear" : "barred";
    const between = (sighting?.through ?? []).map((id) => this.map.byPlace.get(id)).filter(Boolean);
    const marks = between.map(({ shape }) => copyOutline(shape, { class: "through" }));
    this.sight.replaceChildren(...(sighting ? [...marks, this.line(from, to, look)] : []));
  }

  /** Query whether the overlay's relation holds between a counter and a place; draw it and return the reasons. */
  async ask(piece, place) {
    if (!this.overlay?.explains || !piece) return [];
    const found = await get("/api/ask/sight", { id: this.overlay.id, piece, place }).catch(() => null);
    if (!found || (!found.holds && !found.lines.length)) return [];
    const from = this.map.scene?.pieces.find((one) => one.id === piece)?.place;
    this.look(found, from, place);
    return found.holds ? [] : found.lines;
  }
}
