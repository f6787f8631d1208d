// The map: the ground as one picture, places and counters over it. Places and counters are made once and then patched.

import { get } from "./server.js";
import { SIDE, draw, parseDrawing, make, putCounter, tell } from "./making.js";
import { arrow, ring } from "./arrows.js";
import { Camera } from "./camera.js";
import { Dragging } from "./dragging.js";
import { FacingWheel } from "./facing_wheel.js";
import { GroundView } from "./ground_view.js";
import { GroupOrders } from "./group_orders.js";
import { zoomButtons } from "./zoom_buttons.js";
import { acting, front, playingScale, usualSize, viewAround } from "./opening.js";
import { OverlayView } from "./overlay_view.js";
import { StackFan } from "./stack_fan.js";

const NAMED = 40; // pixels of a counter of usual size from which the name on it can be read
const DISC = 3; // characters of a cost that fit on a disc
const PLANS = 60; // ways that the server tells at once
const MANY = 400; // counters above which those far from the viewport are not drawn
const REST = 350; // milliseconds that one points at a place before a reason is asked for

export class MapView {
  constructor(element, { words, still, selection, propose }) {
    Object.assign(this, { element, words, still, selection, propose });
    element.setAttribute("aria-label", words.map);
    const [width, height] = still.size;
    this.ground = new GroundView(still);
    this.places = draw("g", { class: "places" });
    this.overlay = new OverlayView(this, still);
    this.labels = draw("g", { class: "labels", "aria-hidden": "true" });
    this.pieces = draw("g", { class: "pieces" });
    this.fan = new StackFan(this, this.pieces);
    this.arrows = draw("g", { class: "arrows", "aria-hidden": "true" });
    this.wheel = new FacingWheel(this, words);
    const below = [this.ground.below, this.overlay.layer, this.places, this.pieces, this.ground.above];
    const layers = [...below, this.overlay.sight, this.arrows, this.labels, this.fan.layer, this.wheel.layer];
    this.world = draw("g", { class: "world" }, ...layers);
    this.svg = draw("svg", { role: "group", "aria-label": words.map, viewBox: `0 0 ${width} ${height}` }, pathHead(), this.world);
    this.camera = new Camera(this.svg, this.world, still.size, () => this.moved());
    this.tip = make("p", { class: "tip", "aria-live": "polite" });
    element.append(this.svg, this.tip, zoomButtons(this, words));
    this.byPlace = new Map();
    this.told = new Map();
    this.byPiece = new Map();
    this.comers = new Set();
    this.pointed = [];
    this.reach = new Map();
    this.makePlaces();
    this.groupOrders = new GroupOrders(this);
    new Dragging(this);
    this.svg.addEventListener("click", (event) => this.clicked(event));
    this.svg.addEventListener("pointerdown", () => this.fan.wait());
    this.svg.addEventListener("keydown", (event) => this.handleKey(event));
    this.svg.addEventListener("pointerover", (event) => this.hovered(event));
    this.svg.addEventListener("pointerleave", () => this.leave());
    this.svg.addEventListener("focusin", (event) => this.hovered(event));
  }

  /** Follow the camera: close the fan, and keep the size of ids on the screen. */
  moved() {
    this.fan.close();
    this.rescale();
    this.cull();
  }

  /** Draw only the counters near the viewport if the map has very many, so that it scrolls smoothly. */
  cull() {
    const { drawn } = this.camera;
    if (this.culled === drawn) return;
    this.culled = drawn;
    const isMany = this.byPiece.size > MANY;
    const [left, top, right, low] = this.camera.reach();
    for (const { piece, group } of this.byPiece.values()) {
      const [x, y] = piece.at;
      group.classList.toggle("away", isMany && (x < left || x > right || y < top || y > low));
    }
  }

  /** Keep lines and ids the same size on the screen. */
  rescale() {
    const pixels = this.camera.magnification();
    if (pixels === this.pixels) return;
    this.pixels = pixels;
    this.world.style.setProperty("--zoom", pixels);
    this.ground.rescale(pixels);
    this.pieces.classList.toggle("far", this.usual * pixels < NAMED);
  }

  makePlaces() {
    const onMap = this.still.places.filter((place) => place.kind !== "box").sort((a, b) => a.order - b.order);
    for (const place of onMap) {
      const points = place.shape.map(([x, y]) => `${place.middle[0] + x},${place.middle[1] + y}`).join(" ");
      const attributes = { class: "place", "data-place": place.id, role: "button", tabindex: "-1", "aria-label": place.name };
      const shape = place.outline ? draw("path", { d: place.outline, ...attributes }) : draw("polygon", { points, ...attributes });
      this.byPlace.set(place.id, { place, shape });
      this.places.append(shape);
    }
    this.roam(onMap[0]?.id);
  }

  // --- occupants of places --------------------------------------------------------------------

  show(scene) {
    this.ground.show(scene);
    this.usual ||= usualSize(scene.pieces);
    this.rescale();
    if (scene.version !== this.version) {
      this.version = scene.version;
      tell(this.tip, "");
      this.showPieces(scene.pieces.filter((piece) => piece.at));
      this.ground.placeNames(new Set(scene.pieces.filter((piece) => piece.at).map((piece) => piece.place)));
      this.reach = new Map();
      this.asked = null;
    }
    const isFirst = !this.scene;
    this.scene = scene;
    if (isFirst) this.openAtFront();
    this.groupOrders.loadAhead();
    this.askReach();
    this.mark();
  }

  /** Zoom in on the front, where the next orders are given. */
  openAtFront() {
    const middle = front(this.scene.pieces, acting(this.scene));
    const isGrid = this.still.places.some((place) => place.kind === "space");
    if (!middle) return;
    const scale = playingScale(this.scene.pieces, this.camera, isGrid);
    this.camera.lookAt(viewAround(middle, this.camera.visibleSize(scale), this.scene.pieces), scale);
  }

  /** Pan so that the middle of some places is in view, at least `margin` pixels from its edges. */
  seek(places, margin) {
    const middles = places.map((id) => this.byPlace.get(id)?.place.middle).filter(Boolean);
    if (!middles.length) return;
    const at = [0, 1].map((axis) => middles.reduce((sum, middle) => sum + middle[axis], 0) / middles.length);
    this.camera.seek(at, margin);
  }

  /** Pan to the nearest counter that an order is about now, if none of them is in view. */
  seekAction() {
    const able = acting(this.scene);
    if (!able.length || able.some((piece) => this.camera.isInView(piece.at))) return;
    const [left, top, right, bottom] = this.camera.visible();
    const { x, y } = this.camera.toMap((left + right) / 2, (top + bottom) / 2);
    const distance = ({ at }) => Math.hypot(at[0] - x, at[1] - y);
    this.camera.seek(able.reduce((best, piece) => (distance(piece) < distance(best) ? piece : best)).at);
  }

  /** Return a copy of the picture of a counter on the map, or null. */
  picture(id) {
    return this.byPiece.get(id)?.group.lastElementChild?.cloneNode(true) ?? null;
  }

  /** Return a copy of the picture of a counter on the map at the size of a list entry, or null. */
  mini(id) {
    const drawn = this.picture(id);
    return drawn && draw("svg", { class: "mini", viewBox: "-26 -26 52 52", "aria-hidden": "true" }, drawn);
  }

  /** Return the id of the place at a point of the window, or null. */
  placeAt(x, y) {
    return document.elementsFromPoint(x, y).find((one) => one.dataset?.place && this.svg.contains(one))?.dataset.place ?? null;
  }

  /** Return the one option of a counter whose target is at a place, or null. */
  targetAt(id, place) {
    const there = (one) => one !== id && this.byPiece.get(one)?.piece.place === place;
    const found = this.options().filter((option) => option.pieces.includes(id) && option.pieces.some(there));
    return found.length === 1 ? found[0] : null;
  }

  showPieces(pieces) {
    const spread = this.fan.place;
    this.fan.close();
    const left = new Set(this.byPiece.keys());
    for (const piece of pieces) {
      left.delete(piece.id);
      this.showPiece(piece);
    }
    for (const id of left) {
      this.byPiece.get(id).group.remove();
      this.byPiece.delete(id);
    }
    this.pile(pieces);
    this.culled = null;
    this.cull();
    const here = new Map();
    for (const piece of pieces) here.set(piece.place, [...(here.get(piece.place) ?? []), piece.spoken]);
    for (const [id, { place, shape }] of this.byPlace) {
      const told = [place.name, place.ground, ...(here.get(id) ?? [])].filter(Boolean);
      this.told.set(id, told);
      shape.setAttribute("aria-label", told.join("; "));
    }
    if (spread) this.fan.open(spread);
  }

  showPiece(piece) {
    const known = this.byPiece.get(piece.id);
    const group = known?.group ?? draw("g", { "data-piece": piece.id, role: "button", tabindex: "-1" });
    if (known?.piece.drawn !== piece.drawn) {
      const picture = parseDrawing(piece.drawn);
      for (const own of [picture, ...picture.querySelectorAll("*")]) own.removeAttribute("data-piece");
      picture.querySelector("title")?.remove();
      picture.setAttribute("aria-hidden", "true");
      group.replaceChildren(draw("rect", { class: "rim", x: -25, y: -25, width: 50, height: 50, rx: 6 }), picture);
    }
    putCounter(group, piece.at, piece.size);
    group.setAttribute("aria-label", piece.spoken);
    group.classList.toggle("under", piece.depth > 0);
    if (!known) this.pieces.append(group);
    this.byPiece.set(piece.id, { piece, group });
  }

  /** Put the counters into their order: those beneath others first, leaders on the edge of a pile last. */
  pile(pieces) {
    const height = (piece) => (piece.is_rider ? 1 : -piece.depth);
    const ordered = [...pieces].sort((a, b) => height(a) - height(b)).map((piece) => this.byPiece.get(piece.id).group);
    ordered.forEach((group, n) => {
      if (this.pieces.children[n] !== group) this.pieces.insertBefore(group, this.pieces.children[n] ?? null);
    });
  }

  hidePieces() {
    return this.pieces.classList.toggle("hidden");
  }

  // --- what is marked ---------------------------------------------------------------------------

  options() {
    return [...(this.scene?.decision?.options ?? []), ...this.groupOrders.ahead];
  }

  /** Return the goals of the selected counters that no option names, found by following their orders on a copy. */
  askReach() {
    const asked = this.selection.pieces.join(" ");
    if (asked !== this.asked) {
      this.asked = asked;
      this.asking = this.findReach(this.selection.pieces, asked);
    }
    return this.asking;
  }

  async findReach(pieces, asked) {
    this.reach = new Map();
    const hasReach = (piece) => {
      const own = this.options().filter((option) => option.pieces.includes(piece));
      return own.length && !own.some((option) => option.places.length);
    };
    const found = await Promise.all(pieces.filter(hasReach).map((piece) => get("/api/ask/reach", { piece }).catch(() => [])));
    if (this.asked !== asked || !found.length) return;
    const cost = (text) => (found.length > 1 ? "" : text); // several counters pay different costs
    this.reach = new Map(found.flat().map(([place, text]) => [place, cost(text)]));
    this.mark();
  }

  /** Return the places that can be highlighted now, with the cost of reaching them. */
  leading() {
    const found = new Map(this.reach);
    if (this.selection.isGroup && found.size) return found;
    const meant = this.selection.ofPiece(this.options());
    if (!this.selection.isEmpty || this.options().some((option) => option.places.length && !option.pieces.length)) {
      for (const option of meant) for (const place of option.places) found.set(place, found.get(place) || option.cost);
    }
    return found;
  }

  /** Return the counters that can be selected next: targets of the selected one, and those that can join it. */
  orderable() {
    const options = this.options();
    const meant = this.selection.piece ? this.selection.ofPiece(options) : options;
    return new Set(meant.flatMap((option) => option.pieces));
  }

  mark() {
    const leading = this.leading();
    const orderable = this.orderable();
    for (const [id, { shape }] of this.byPlace) {
      shape.classList.toggle("reach", leading.has(id));
      shape.classList.toggle("chosen", id === this.selection.place);
      shape.classList.toggle("last", this.scene.last_places.includes(id));
    }
    for (const [id, { piece, group }] of this.byPiece) {
      group.classList.toggle("chosen", this.selection.pieces.includes(id));
      group.classList.toggle("comer", this.comers.has(id));
      const isAble = this.scene.may_choose ? orderable.has(id) : piece.orderable;
      group.classList.toggle("orderable", isAble);
      group.classList.toggle("target", isAble && this.scene.may_choose && piece.side !== this.scene.decision?.side);
    }
    const full = new Set(this.scene.pieces.map((piece) => piece.place));
    const costs = [...leading].filter(([id, cost]) => cost && this.byPlace.has(id));
    const label = ([id, cost]) => {
      const { place, shape } = this.byPlace.get(id);
      const [x, y] = place.middle;
      const lowest = place.outline ? y + SIDE : Math.max(...[...shape.points].map((corner) => corner.y));
      const at = full.has(id) ? lowest : y; // not over the counters
      const disc = cost.length > DISC ? null : draw("circle", { cx: x, cy: at });
      return draw("g", { class: "cost", "data-of": id }, disc, draw("text", { x, y: at, dy: "0.36em" }, cost));
    };
    this.labels.replaceChildren(...costs.map(label), ...(this.path ? [this.path] : []));
  }

  /** Hide the cost on a place, where a plan is shown instead. */
  hideCost(place) {
    for (const label of this.labels.querySelectorAll(".cost")) label.toggleAttribute("hidden", label.dataset.of === place);
  }

  /** Outline places for as long as something is pointed at. */
  point(places) {
    for (const id of this.pointed) this.byPlace.get(id)?.shape.classList.remove("pointed");
    this.pointed = places;
    for (const id of places) this.byPlace.get(id)?.shape.classList.add("pointed");
  }

  /** Draw a path over the map from the counter of an order, and lines to its targets. */
  showPath(places, order = null) {
    this.path?.remove();
    this.path = null;
    const find = (id) => this.scene?.pieces.find((piece) => piece.id === id);
    const named = (order?.pieces ?? []).map(find).filter((piece) => piece?.at);
    const mine = this.scene?.decision?.side;
    const from = find(this.selection.piece) ?? named[0];
    const middles = [from?.place, ...places].map((id) => this.byPlace.get(id)?.place.middle).filter(Boolean);
    if (places.length && middles.length > 1) {
      this.path = draw("polyline", { class: "path", points: middles.map((at) => at.join()).join(" "), "marker-end": "url(#path-head)" });
      this.labels.append(this.path);
    }
    const own = named.filter((piece) => piece.side === mine);
    const ends = [...named.filter((piece) => piece.side !== mine).map((piece) => piece.at), ...this.endsOf(order, places)];
    this.showLines(own.flatMap((piece) => ends.map((end) => [piece.at, end, "aim"])));
  }

  /** Return the centres of the places that an order names without a path to them. */
  endsOf(order, places) {
    if (!order || places.length || !order.places) return [];
    return order.places.map((id) => this.byPlace.get(id)?.place.middle).filter(Boolean);
  }

  /** Draw lines with a head, as (from, to, class, side); without a start, a ring around the end. */
  showLines(lines) {
    this.arrows.replaceChildren(...lines.map(([from, to, look, side]) => (from ? arrow(from, to, look, side) : ring(to, look, side))));
  }

  // --- what is pointed at --------------------------------------------------------------------------

  hovered(event) {
    const fan = event.target.closest?.("[data-fan]");
    this.groupOrders.aim(event.target.closest?.("[data-piece]")?.dataset.piece ?? null);
    const id = fan ? fan.dataset.fan : this.placeOf(event.target);
    this.rest(id, event.target.closest?.("[data-piece]")?.dataset.piece);
    if (event.type === "focusin") {
      if (event.target.matches(":focus-visible")) this.fan.rest(id, true); // by keys; a click would lose its target
    } else this.fan.rest(this.selection.piece && this.leading().has(id) ? null : id);
  }

  leave() {
    this.rest(null);
    if (!this.element.contains(document.querySelector(":focus"))) this.fan.rest(null);
  }

  /** Return the place that an element of the map is or lies in, or null. */
  placeOf(element) {
    const piece = element.closest?.("[data-piece]");
    const shown = piece && this.byPiece.get(piece.dataset.piece)?.piece;
    return shown ? shown.place : element.closest?.("[data-place]")?.dataset.place ?? null;
  }

  /** Show what a counter or place shows; after a moment, also why the selected counter cannot go there. */
  rest(id, over = null) {
    clearTimeout(this.timer);
    const found = id && this.byPlace.get(id);
    const counter = this.byPiece.get(over)?.piece;
    const known = [counter?.tip, ...(counter?.tip ? [found?.place.name, found?.place.ground] : (this.told.get(id) ?? []))];
    if (found) known.push(...(this.overlay.told.get(id) ?? []));
    else if (this.overlay.overlay?.asks_piece) known.push(this.words.point_first);
    this.showTip(known.filter(Boolean).map((text) => ({ text, cite: [] })));
    this.overlay.look(null);
    const { piece } = this.selection;
    const isHere = this.byPiece.get(piece)?.piece.place === id || ["read", "look"].includes(this.scene.lesson?.asks); // asks for no way
    const isBarred = found && piece && !isHere && !this.leading().has(id) && !this.isAimedAt(id) && this.scene.may_choose;
    if (!found || !piece || (!isBarred && !this.overlay.overlay?.explains)) return;
    this.timer = setTimeout(() => this.tellReasons(piece, id, found.place, isBarred), REST);
  }

  /** Return whether the selected counter has an order with a target at a place. */
  isAimedAt(place) {
    const { piece } = this.selection;
    const targets = this.selection.ofPiece(this.options()).flatMap((option) => option.pieces.slice(1));
    return targets.some((id) => id !== piece && this.byPiece.get(id)?.piece.place === place);
  }

  /** Show some lines, with the numbers of their paragraphs, at the foot of the map. */
  showTip(lines) {
    const parts = lines.flatMap(({ text, cite }, n) => [n ? " · " : "", make("span", {}, text, ...cite.map((number) => make("small", {}, ` [${number}]`)))]);
    const text = parts.map((part) => part.textContent ?? part).join("");
    if (this.tip.textContent !== text) this.tip.replaceChildren(...parts); // else screen readers would repeat it
  }

  async tellReasons(piece, id, place, isBarred) {
    const reasons = await this.overlay.ask(piece, id);
    if (!reasons.length && isBarred && !this.overlay.overlay?.explains) {
      const answer = await get("/api/ask/why", { piece, place: id }).catch(() => null);
      reasons.push(...(answer?.lines ?? []));
    }
    if (reasons.length && this.selection.piece === piece) this.showTip([{ text: place.name, cite: [] }, ...reasons]);
  }

  clicked(event) {
    if (this.camera.hasMoved || event.target.closest(".wheel")) return;
    const piece = event.target.closest("[data-piece]");
    const place = event.target.closest("[data-place], [data-fan]");
    const here = this.placeOf(event.target);
    const isFirst = event.pointerType === "touch" && here !== this.fan.place && this.fan.crowd(here).length;
    if (isFirst) this.fan.rest(here, true);
    else if (piece && isAdding(event)) this.groupOrders.add(piece.dataset.piece);
    else if (piece) this.pickPiece(piece.dataset.piece);
    else if (place) this.enter(place.dataset.place ?? place.dataset.fan);
    else this.selection.clear();
  }

  /** Handle a click on a counter: if a place is required or can be reached, the counter represents its place. */
  pickPiece(id) {
    const piece = this.byPiece.get(id)?.piece;
    const other = this.selection.piece && this.selection.piece !== id;
    const isForItsPlace = other || (!this.selection.piece && !piece?.orderable);
    if (isForItsPlace && piece && this.leading().has(piece.place)) this.pickPlace(piece.place);
    else if (other && this.named(id)) this.groupOrders.planWith(piece, this.named(id));
    else if (this.selection.isGroup && this.groupOrders.canTarget(id)) this.groupOrders.planAgainst(id);
    else {
      const meant = this.fan.meant(piece, this.orderable()) ?? id;
      this.selection.takePiece(meant);
      this.fan.settle(piece?.place, this.scene.may_choose && !this.orderable().has(meant));
    }
  }

  /** Return the only option that names the selected counters and another one, or null. */
  named(id) {
    const all = [...this.selection.pieces, id];
    const together = this.options().filter((option) => all.every((one) => option.pieces.includes(one)));
    return together.length === 1 ? together[0] : null;
  }

  async pickPlace(id) {
    this.roam(id);
    const { piece } = this.selection;
    const leads = this.leading().has(id);
    this.selection.takePlace(id);
    if (!leads) return this.groupOrders.planLargest(id);
    const there = this.selection.meant(this.options()).filter((option) => option.places.includes(id));
    if (this.selection.isGroup && !there.length) return this.groupOrders.planMoves(id);
    const meant = this.selection.exactly(there);
    const ways = this.selection.ofExactly(there); // an attack on this place, or on this one and another
    if (meant) this.propose(meant, ways.includes(meant) ? ways : undefined);
    else if (!there.length && piece) {
      const plans = await this.plansTo(piece, id).catch(() => []);
      if (this.selection.place === id && plans.length) this.propose(plans[0], plans);
    }
  }

  /** Return every route of a counter to a place, the usual one first; the server sends some at a time. */
  async plansTo(piece, place) {
    const plans = [];
    for (;;) {
      const more = await get("/api/ask/plan", { piece, place, from: plans.length });
      plans.push(...more);
      if (more.length < PLANS) return plans;
    }
  }

  /** Plan the route of the selected counter to a place, once the places in its reach are loaded. */
  async sendTo(place) {
    await this.askReach();
    this.pickPlace(place);
  }

  // --- keys --------------------------------------------------------------------------------------

  handleKey(event) {
    const place = event.target.closest("[data-place]")?.dataset.place;
    if (/^[1-9]$/.test(event.key) && place) this.takeNth(place, +event.key);
    else if ((event.key === "Enter" || event.key === " ") && place) this.enter(place, event.shiftKey);
    else if (event.key.startsWith("Arrow") && place) this.go(place, event.key);
    else return;
    event.preventDefault();
  }

  /** Close the fan if nothing is selected, else clear the selection. */
  deselect() {
    if (this.fan.place && this.selection.isEmpty) this.fan.rest(null);
    else this.selection.clear();
  }

  /** Select the counter with a number at a place, even if it cannot be ordered. */
  takeNth(place, number) {
    const here = [...this.byPiece.values()].filter(({ piece }) => piece.place === place);
    if (here[number - 1]) this.selection.takePiece(here[number - 1].piece.id);
  }

  /** Select the orderable counters at a place in turn, or the place if it has none. */
  enter(place, isAdding = false) {
    const here = [...this.byPiece.values()].filter(({ piece }) => piece.place === place && piece.orderable);
    const ids = here.map(({ piece }) => piece.id);
    const leads = !this.selection.isEmpty && this.leading().has(place);
    const joining = ids.find((id) => !this.selection.pieces.includes(id)) ?? ids[0];
    if (isAdding && joining) return this.groupOrders.add(joining);
    const target = this.selection.isGroup && [...this.byPiece.values()].find(({ piece }) => piece.place === place && this.groupOrders.canTarget(piece.id));
    if (target) return this.groupOrders.planAgainst(target.piece.id);
    if (!leads && ids.length) this.selection.takePiece(ids[(ids.indexOf(this.selection.piece) + 1) % ids.length]);
    else this.pickPlace(place);
  }

  /** Return the neighbour closest to the direction of an arrow key, else the nearest place in that direction. */
  go(from, key) {
    const { place } = this.byPlace.get(from);
    const [ux, uy] = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[key];
    const best = (ids) => {
      let found = null;
      for (const id of ids) {
        const middle = id !== from && this.byPlace.get(id)?.place.middle;
        if (!middle) continue;
        const [dx, dy] = [middle[0] - place.middle[0], middle[1] - place.middle[1]];
        const far = Math.hypot(dx, dy);
        const along = (dx * ux + dy * uy) / far;
        const worth = along > 0.3 ? far / along ** 2 : Infinity;
        if (worth < Infinity && (!found || worth < found.worth)) found = { id, worth };
      }
      return found?.id;
    };
    const next = best(Object.values(place.neighbours)) ?? best(this.byPlace.keys());
    if (next) this.roam(next, true);
  }

  /** Select the next counter on the map that can be ordered, in reading order. */
  nextAble(step) {
    const able = [...this.byPiece.values()].filter(({ piece }) => piece.orderable && this.byPlace.has(piece.place));
    if (!able.length) return;
    const order = ({ piece }) => this.byPlace.get(piece.place).place.order;
    able.sort((a, b) => order(a) - order(b));
    const at = able.findIndex(({ piece }) => piece.id === this.selection.piece);
    const next = able[at < 0 ? (step > 0 ? 0 : able.length - 1) : (at + step + able.length) % able.length].piece;
    this.selection.takePiece(next.id);
    this.roam(next.place, true);
  }

  /** Focus the next place that the selected counter can reach, or an order names; the nearest first. */
  async nextGoal(step) {
    await this.askReach();
    const start = this.byPiece.get(this.selection.piece)?.piece.at ?? [0, 0];
    const far = (id) => Math.hypot(...this.byPlace.get(id).place.middle.map((x, n) => x - start[n]));
    const goals = [...this.leading().keys()].filter((id) => this.byPlace.has(id)).sort((a, b) => far(a) - far(b));
    if (!goals.length) return;
    const at = goals.indexOf(this.roaming);
    this.roam(goals[at < 0 ? (step > 0 ? 0 : goals.length - 1) : (at + step + goals.length) % goals.length], true);
  }

  /** Return the focus to the place from which the arrow keys go on. */
  focus() {
    this.byPlace.get(this.roaming)?.shape.focus({ preventScroll: true });
  }

  /** Make a place the only one that the Tab key reaches; arrow keys go on from there. */
  roam(id, focus = false) {
    if (this.roaming) this.byPlace.get(this.roaming)?.shape.setAttribute("tabindex", "-1");
    this.roaming = id;
    const found = this.byPlace.get(id);
    found?.shape.setAttribute("tabindex", "0");
    if (focus && found) {
      found.shape.focus({ preventScroll: true });
      this.camera.seek(found.place.middle);
    }
  }
}

/** Return whether a click adds to the selection. */
function isAdding(event) {
  return event.shiftKey || event.ctrlKey || event.metaKey;
}

/** Define the head of a path, which is as large as its line is broad. */
function pathHead() {
  const shape = { id: "path-head", class: "path-head", viewBox: "0 0 10 10", refX: 6, refY: 5, markerWidth: 4, markerHeight: 4, orient: "auto" };
  return draw("defs", {}, draw("marker", shape, draw("path", { d: "M0 0L10 5L0 10L3 5Z" })));
}
