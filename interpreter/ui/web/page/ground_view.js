// The ground of the map: its painting, what may change on it, the lines between spaces, their ids, and marks above counters.

import { address, get } from "./server.js";
import { draw } from "./making.js";

const ID = 9.5; // pixels of an id on the screen
const FADED = 38; // pixels of a space from which its id shows
const PLAIN = 58; // pixels of a space from which its id is as dark as it gets

export class GroundView {
  constructor(still) {
    const [width, height] = still.size;
    const picture = () => draw("image", { width, height, "aria-hidden": "true" });
    this.pictures = { painting: picture(), ground: picture(), marks: picture() };
    const spaces = still.places.filter((place) => place.kind === "space");
    this.ids = draw("g", { class: "ids", "aria-hidden": "true" }, ...spaces.map(idOf));
    this.grid = draw("path", { class: "grid", d: spaces.map(outline).join("") });
    this.names = draw("g", { class: "names", "aria-hidden": "true" });
    this.named = [];
    this.below = draw("g", {}, this.pictures.painting, this.pictures.ground, this.grid, this.ids, this.names);
    this.pictures.painting.addEventListener("load", () => this.loadNames());
    this.above = draw("g", { class: "marks" }, this.pictures.marks);
    this.across = spaces.length ? Math.max(...spaces[0].shape.map(([, y]) => y)) * 2 : 0;
  }

  /** Show the drawings that a scene names. */
  show(scene) {
    for (const [name, picture] of Object.entries(this.pictures)) {
      const href = scene[name] ? address(`/ground/${scene[name]}.svg`).href : "";
      if (picture.dataset.shown === href) continue;
      picture.dataset.shown = href;
      if (href) picture.setAttribute("href", href);
      else picture.removeAttribute("href");
    }
  }

  /** Load the names on the painting, which the server knows once it has painted it. */
  async loadNames() {
    const { shown } = this.pictures.painting.dataset;
    if (!shown || this.namedFor === shown) return;
    this.namedFor = shown;
    const names = await get("/api/ask/names").catch(() => []);
    if (this.namedFor !== shown) return;
    this.named = names.map((name, n) => ({ name, spot: null, ...textOf(name, n) }));
    this.names.replaceChildren(...this.named.map(({ element }) => element));
    this.placeNames(this.occupied ?? new Set());
  }

  /** Move the names that counters cover to a free spot; other names do not move. */
  placeNames(occupied) {
    this.occupied = occupied;
    const covered = (spot) => spot[3].filter((place) => occupied.has(place)).length;
    const freest = (spots) => spots.reduce((best, spot) => (covered(spot) < covered(best) ? spot : best));
    for (const one of this.named) {
      const spot = one.spot && !covered(one.spot) ? one.spot : freest(one.name.spots);
      if (spot === one.spot) continue;
      one.spot = spot;
      one.move(spot);
    }
  }

  /** Keep ids the same size on the screen, and fade them where they would crowd. */
  rescale(pixels) {
    if (!this.across) return;
    this.ids.setAttribute("font-size", ID / pixels);
    const share = (this.across * pixels - FADED) / (PLAIN - FADED);
    const seen = Math.max(0, Math.min(1, share));
    this.ids.setAttribute("opacity", seen);
    this.grid.setAttribute("opacity", 0.45 + 0.55 * seen);
  }
}

/** Build the text of a name, and the function that moves it to a spot. */
function textOf(name, number) {
  const look = { class: name.look, "font-size": name.size };
  const [, , line] = name.spots[0];
  if (!line) {
    const text = draw("text", { ...look, "letter-spacing": name.spacing || null, "text-anchor": "middle" }, name.text);
    const move = ([x, y]) => [["x", x], ["y", y]].forEach(([key, value]) => text.setAttribute(key, value));
    return { element: text, move };
  }
  const id = `name-line-${number}`;
  const path = draw("path", { id });
  const text = draw("text", look, draw("textPath", { href: `#${id}`, startOffset: "50%" }, name.text));
  return { element: draw("g", {}, draw("defs", {}, path), text), move: ([, , d]) => path.setAttribute("d", d) };
}

function outline(place) {
  const [x, y] = place.middle;
  return `M${place.shape.map(([a, b]) => `${x + a} ${y + b}`).join("L")}Z`;
}

/** Return the id of a space, close to its upper side, or below its upper corner. */
function idOf(place) {
  const top = Math.min(...place.shape.map(([, y]) => y));
  const isCorner = place.shape.filter(([, y]) => y < top + 1).length === 1;
  return draw("text", { x: place.middle[0], y: place.middle[1] + top, dy: isCorner ? "1.9em" : "1.05em" }, place.id);
}
