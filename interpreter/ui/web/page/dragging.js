// Dragging a counter that can be ordered: the drop plans the order and never carries it out alone.

import { putCounter } from "./making.js";

const LONG = 450; // milliseconds of a touch that adds a counter to the selected ones
const STEP = 6; // pixels of movement that turn a press into a drag
const RETURN = 300; // milliseconds, a little longer than the transition of a counter

export class Dragging {
  constructor(map) {
    this.map = map;
    map.svg.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    addEventListener("pointermove", (event) => this.move(event));
    addEventListener("pointerup", (event) => this.up(event));
    addEventListener("pointercancel", () => this.end());
  }

  down(event) {
    const id = event.target.closest("[data-piece]")?.dataset.piece;
    const { map } = this;
    if (!id || event.button || !map.scene?.may_choose || !map.byPiece.get(id)?.piece.orderable) return;
    event.stopPropagation(); // the camera would pan
    map.camera.hasMoved = false;
    map.fan.wait();
    this.held = { id, x: event.clientX, y: event.clientY, pointer: event.pointerId };
    clearTimeout(this.timer);
    if (event.pointerType === "touch") this.timer = setTimeout(() => this.pressLong(), LONG);
  }

  /** Handle a long touch: add the counter to the selection and ignore the following click. */
  pressLong() {
    const { held, map } = this;
    if (!held || held.isMoved) return;
    map.camera.hasMoved = true;
    this.held = null;
    map.groupOrders.add(held.id);
  }

  move(event) {
    const { held, map } = this;
    if (!held || event.pointerId !== held.pointer) return;
    if (!held.isMoved && Math.hypot(event.clientX - held.x, event.clientY - held.y) < STEP) return;
    if (!held.isMoved) this.lift();
    const { x, y } = map.camera.toMap(event.clientX, event.clientY);
    const { piece, group } = map.byPiece.get(held.id);
    putCounter(group, [x, y], piece.size);
    this.over = map.placeAt(event.clientX, event.clientY);
    map.point(this.over ? [this.over] : []);
  }

  lift() {
    const { held, map } = this;
    held.isMoved = true;
    map.camera.hasMoved = true; // the click that follows is part of the drag
    map.fan.shut();
    if (!map.selection.pieces.includes(held.id)) map.selection.takePiece(held.id);
    map.byPiece.get(held.id).group.classList.add("held");
    held.reach = map.askReach();
  }

  async up(event) {
    const { held, map, over } = this;
    if (!held || event.pointerId !== held.pointer) return;
    const reach = held.reach;
    this.end();
    if (!held.isMoved || !over || over === map.byPiece.get(held.id)?.piece.place) return;
    await reach;
    const enemy = map.options().length && map.targetAt(held.id, over);
    if (enemy) map.propose(enemy);
    else if (map.leading().has(over)) map.pickPlace(over);
    else map.rest(over);
  }

  /** Put the counter back: only the order moves it. */
  end() {
    const { held, map } = this;
    this.held = null;
    this.over = null;
    const found = held && map.byPiece.get(held.id);
    if (!held?.isMoved || !found) return;
    found.group.classList.remove("held");
    found.group.classList.add("returning"); // on its way back it must not take the clicks on the place under it
    setTimeout(() => found.group.classList.remove("returning"), RETURN);
    putCounter(found.group, found.piece.at, found.piece.size);
    map.point([]);
  }
}
