// The map: the ground as one picture, places and counters over it. Places and counters are made once and then patched.

import { draw, drawn, make, tell } from "./making.js";
import { Camera } from "./camera.js";

const SIDE = 44; // of a counter's picture

export class MapView {
  constructor(element, { words, still, selection, choose }) {
    Object.assign(this, { element, words, still, selection, choose });
    element.setAttribute("aria-label", words.map);
    const [width, height] = still.size;
    this.ground = draw("image", { width, height, "aria-hidden": "true" });
    this.places = draw("g", { class: "places" });
    this.labels = draw("g", { class: "labels", "aria-hidden": "true" });
    this.pieces = draw("g", { class: "pieces" });
    this.world = draw("g", {}, this.ground, this.places, this.pieces, this.labels);
    this.svg = draw("svg", { role: "group", "aria-label": words.map, viewBox: `0 0 ${width} ${height}` }, this.world);
    this.camera = new Camera(this.svg, this.world, still.size);
    element.append(this.svg, this.zoomButtons());
    this.byPlace = new Map();
    this.byPiece = new Map();
    this.makePlaces();
    this.svg.addEventListener("click", (event) => this.clicked(event));
    this.svg.addEventListener("keydown", (event) => this.typed(event));
  }

  zoomButtons() {
    const button = (name, sign, act) => make("button", { type: "button", "aria-label": name, onclick: act }, sign);
    return make(
      "div",
      { class: "zoom" },
      button(this.words.zoom_in, "+", () => this.camera.zoom(1.4)),
      button(this.words.zoom_out, "−", () => this.camera.zoom(1 / 1.4)),
      button(this.words.whole_map, "□", () => this.camera.whole()),
    );
  }

  makePlaces() {
    const onMap = this.still.places.filter((place) => place.kind !== "box").sort((a, b) => a.order - b.order);
    for (const place of onMap) {
      const points = place.shape.map(([x, y]) => `${place.middle[0] + x},${place.middle[1] + y}`).join(" ");
      const shape = draw("polygon", {
        points,
        class: "place",
        "data-place": place.id,
        role: "button",
        tabindex: "-1",
        "aria-label": place.name,
      });
      this.byPlace.set(place.id, { place, shape });
      this.places.append(shape);
    }
    this.roam(onMap[0]?.id);
  }

  show(scene) {
    if (scene.ground !== this.shownGround) {
      this.shownGround = scene.ground;
      this.ground.setAttribute("href", `/ground/${scene.ground}.svg`);
    }
    if (scene.version !== this.version) {
      this.version = scene.version;
      this.showPieces(scene.pieces.filter((piece) => piece.at));
    }
    this.scene = scene;
    this.mark();
  }

  showPieces(pieces) {
    const left = new Set(this.byPiece.keys());
    for (const piece of pieces) {
      left.delete(piece.id);
      this.showPiece(piece);
    }
    for (const id of left) {
      this.byPiece.get(id).group.remove();
      this.byPiece.delete(id);
    }
    const here = new Map();
    for (const piece of pieces) here.set(piece.place, [...(here.get(piece.place) ?? []), piece.spoken]);
    for (const [id, { place, shape }] of this.byPlace) {
      shape.setAttribute("aria-label", [place.name, ...(here.get(id) ?? [])].join("; "));
    }
  }

  showPiece(piece) {
    const known = this.byPiece.get(piece.id);
    const group = known?.group ?? draw("g", { "data-piece": piece.id, role: "button", tabindex: "-1" });
    if (known?.piece.drawn !== piece.drawn) {
      const picture = drawn(piece.drawn);
      for (const own of [picture, ...picture.querySelectorAll("*")]) own.removeAttribute("data-piece");
      picture.setAttribute("aria-hidden", "true");
      group.replaceChildren(draw("rect", { class: "rim", x: -25, y: -25, width: 50, height: 50, rx: 6 }), picture);
    }
    const [x, y] = piece.at;
    group.setAttribute("transform", `translate(${x} ${y}) scale(${piece.size / SIDE})`);
    group.setAttribute("aria-label", piece.spoken);
    group.classList.toggle("can-act", piece.orderable);
    if (!known) this.pieces.append(group);
    this.byPiece.set(piece.id, { piece, group });
  }

  /** Show what can be chosen, and what is chosen. */
  mark() {
    const options = this.scene.decision?.options ?? [];
    const meant = this.selection.meant(options);
    const reach = new Map();
    const isNarrow = !this.selection.isEmpty || options.every((option) => option.places.length);
    if (isNarrow) {
      for (const option of meant) for (const place of option.places) reach.set(place, reach.get(place) ?? option.cost);
    }
    for (const [id, { shape }] of this.byPlace) {
      shape.classList.toggle("reach", reach.has(id));
      shape.classList.toggle("chosen", id === this.selection.place);
      shape.classList.toggle("last", this.scene.last_places.includes(id));
    }
    for (const [id, { group }] of this.byPiece) {
      group.classList.toggle("chosen", id === this.selection.piece);
    }
    const costs = [...reach].filter(([id, cost]) => cost && this.byPlace.has(id));
    this.labels.replaceChildren(
      ...costs.map(([id, cost]) => {
        const [x, y] = this.byPlace.get(id).place.middle;
        return draw("text", { x, y: y + 6, class: "cost" }, cost);
      }),
    );
  }

  /** Outline places for as long as something is pointed at. */
  point(places) {
    for (const [id, { shape }] of this.byPlace) shape.classList.toggle("pointed", places.includes(id));
  }

  clicked(event) {
    if (this.camera.hasMoved) return;
    const piece = event.target.closest("[data-piece]");
    const place = event.target.closest("[data-place]");
    if (piece) this.pickPiece(piece.dataset.piece);
    else if (place) this.pickPlace(place.dataset.place);
    else this.selection.clear();
  }

  pickPiece(id) {
    const piece = this.byPiece.get(id)?.piece;
    if (this.selection.piece && piece && !piece.orderable && this.leadsTo(piece.place)) this.pickPlace(piece.place);
    else this.selection.takePiece(id);
  }

  leadsTo(place) {
    return this.selection.meant(this.scene.decision?.options ?? []).some((option) => option.places.includes(place));
  }

  pickPlace(id) {
    this.roam(id);
    this.selection.takePlace(id);
  }

  typed(event) {
    const place = event.target.closest("[data-place]")?.dataset.place;
    if (event.key === "Escape") this.selection.clear();
    else if ((event.key === "Enter" || event.key === " ") && place) this.pickPlace(place);
    else if (event.key.startsWith("Arrow") && place) this.go(place, event.key);
    else return;
    event.preventDefault();
  }

  /** The neighbour that lies most nearly in the direction of an arrow key. */
  go(from, key) {
    const [x, y] = this.byPlace.get(from).place.middle;
    const [ux, uy] = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[key];
    let best = null;
    for (const id of Object.values(this.byPlace.get(from).place.neighbours)) {
      const there = this.byPlace.get(id);
      if (!there) continue;
      const [dx, dy] = [there.place.middle[0] - x, there.place.middle[1] - y];
      const along = (dx * ux + dy * uy) / Math.hypot(dx, dy);
      if (along > 0.3 && (!best || along > best.along)) best = { id, along };
    }
    if (best) this.roam(best.id, true);
  }

  /** Exactly one place can be reached by the tabulator; from there one goes on with arrow keys. */
  roam(id, focus = false) {
    if (this.roaming) this.byPlace.get(this.roaming)?.shape.setAttribute("tabindex", "-1");
    this.roaming = id;
    const shape = this.byPlace.get(id)?.shape;
    shape?.setAttribute("tabindex", "0");
    if (focus) {
      shape?.focus({ preventScroll: true });
      this.camera.seek(this.byPlace.get(id).place.middle);
    }
  }
}
