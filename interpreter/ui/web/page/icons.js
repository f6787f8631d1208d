// Line icons of the page, as paths in a square of 24 units.

import { draw, make } from "./making.js";

const PATHS = {
  undo: "M9 7 5 11l4 4M5 11h8a5 5 0 0 1 0 10h-2",
  redo: "m15 7 4 4-4 4M19 11h-8a5 5 0 0 0 0 10h2",
  menu: "M4 7h16M4 12h16M4 17h16",
  quiet: "M5 10v4h3l5 4V6l-5 4zM17 10l4 4M21 10l-4 4",
  sound: "M5 10v4h3l5 4V6l-5 4zM16.500 9a4 4 0 0 1 0 6M19 7a7 7 0 0 1 0 10",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  find: "M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12M15 15l5 5",
  front: "M12 3v4M12 17v4M3 12h4M17 12h4M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8",
  previous: "m18 6-8 6 8 6zM7 6v12",
  play: "m8 5 11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  next: "m6 6 8 6-8 6zM17 6v12",
  skip: "m4 6 8 6-8 6zM12 6l8 6-8 6z",
  close: "M6 6l12 12M18 6 6 18",
  place: "M12 21s-6-6-6-11a6 6 0 0 1 12 0c0 5-6 11-6 11zM12 8v4",
  orders: "M5 6h14M5 12h14M5 18h9",
  log: "M6 4h12v16H6zM9 9h6M9 13h6",
  status: "M5 20V10M12 20V4M19 20v-7",
  charts: "M4 5h16v14H4zM4 10h16M10 5v14",
  rules: "M5 4h9a5 5 0 0 1 5 5v11H9a4 4 0 0 1-4-4zM9 9h5M9 13h6",
  chat: "M4 5h16v11H10l-5 4v-4H4z",
};

/** Create an icon by name, hidden from screen readers: its button has a name. */
export function icon(name) {
  return draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("path", { d: PATHS[name] }));
}

/** Create a button that shows an icon; its name is read aloud and shown as a tooltip. */
export function iconButton(name, sign, act, kind = "") {
  const attributes = { type: "button", class: `icon ${kind}`.trim(), "aria-label": name, title: name, onclick: act };
  return make("button", attributes, icon(sign));
}
