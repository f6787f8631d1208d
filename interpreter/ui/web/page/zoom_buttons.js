// The buttons that zoom the map; in a narrow window one button folds them, so that they cover little of the map.

import { icon } from "./icons.js";
import { make } from "./making.js";

/** Build the buttons of a map. */
export function zoomButtons(map, words) {
  const button = (name, sign, act, kind = "") => make("button", { type: "button", class: `icon ${kind}`.trim(), "aria-label": name, title: name, onclick: act }, icon(sign));
  const bar = make("div", { class: "zoom" });
  const fold = button(words.zoom, "find", () => fold.setAttribute("aria-expanded", String(bar.classList.toggle("open"))), "fold");
  fold.setAttribute("aria-expanded", "false");
  bar.append(
    button(words.zoom_in, "plus", () => map.camera.zoom(1.4)),
    button(words.zoom_out, "minus", () => map.camera.zoom(1 / 1.4)),
    button(words.whole_map, "fit", () => map.camera.whole()),
    button(words.to_front, "front", () => map.openAtFront()),
    fold,
  );
  return bar;
}
