// The buttons that zoom the map; in a narrow window one button folds them, so that they cover little of the map.

import { iconButton } from "./icons.js";
import { make } from "./making.js";

/** Build the buttons of a map. */
export function zoomButtons(map, words) {
  const bar = make("div", { class: "zoom" });
  const fold = iconButton(words.zoom, "find", () => fold.setAttribute("aria-expanded", String(bar.classList.toggle("open"))), "fold");
  fold.setAttribute("aria-expanded", "false");
  bar.append(
    iconButton(words.zoom_in, "plus", () => map.camera.zoom(1.4)),
    iconButton(words.zoom_out, "minus", () => map.camera.zoom(1 / 1.4)),
    iconButton(words.whole_map, "fit", () => map.camera.whole()),
    iconButton(words.to_front, "front", () => map.openAtFront()),
    fold,
  );
  return bar;
}
