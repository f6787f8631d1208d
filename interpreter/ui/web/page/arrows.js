// Signs of moves over the map: arrows, and rings where a counter has arrived from off the map.

import { draw } from "./making.js";

const RING = 36; // map units of the radius of the ring around a place where a counter has arrived

/** Draw a ring around a point. */
export function ring([cx, cy], look, side) {
  return draw("g", { class: look, "data-side": side || null }, draw("circle", { cx, cy, r: RING }));
}

const HEAD = 16; // map units of an arrow's head

/** Draw an arrow that ends a little before its target. */
export function arrow([x, y], [toX, toY], look, side) {
  const far = Math.hypot(toX - x, toY - y) || 1;
  const [ux, uy] = [(toX - x) / far, (toY - y) / far];
  const [endX, endY] = [toX - ux * HEAD, toY - uy * HEAD];
  const head = `${endX},${endY} ${endX - ux * HEAD - uy * HEAD * 0.6},${endY - uy * HEAD + ux * HEAD * 0.6} ${endX - ux * HEAD + uy * HEAD * 0.6},${endY - uy * HEAD - ux * HEAD * 0.6}`;
  const line = draw("line", { x1: x, y1: y, x2: endX - ux * HEAD, y2: endY - uy * HEAD });
  return draw("g", { class: look, "data-side": side || null }, line, draw("polygon", { points: head }));
}
