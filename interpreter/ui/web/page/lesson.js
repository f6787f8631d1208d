// A lesson on the board: a card with the present step, and a ring around what it is about.

import { go, post } from "./server.js";
import { make, tell } from "./making.js";

const GAP = 12; // pixels between the ring and the card
const NARROW = 700; // pixels up to which the card lies below the page
const READABLE = 80; // pixels that a place is wide at least when a step is about it
const ROOM = 8; // pixels that the ring leaves around its target
const PARTS = { orders: "#orders", map: "#map", log: "#log", score: "#scores", status: "#tracks", turns: "#track", question: "#prompt" };
const TABS = ["orders", "log", "status"]; // parts that may lie behind a tab

/** Split a text at words between asterisks, which are emphasized. */
function emphasized(text) {
  return text.split("*").map((part, number) => (number % 2 ? make("em", {}, part) : part));
}

/** Begin a lesson: of the named ruleset at the list of games, else of the game that is shown. */
export async function beginLesson(body = {}) {
  const { path } = await post("/api/learn", body);
  go(new URLSearchParams(path).get("seat"));
}

export class Lesson {
  /**
   * `act` posts an action and shows the scene after it, `choose` gives the order with a key, `selection` is what the
   * player points at; `openTab` brings a part of the page to the front.
   */
  constructor({ words, selection, map, act, choose, openTab = () => {} }) {
    Object.assign(this, { words, selection, map, act, choose, openTab, shown: "" });
    this.heading = make("h2", { tabindex: "-1" });
    this.count = make("p", { class: "lesson-count" });
    this.bar = make("progress", { "aria-hidden": "true" });
    this.text = make("p", { class: "lesson-text" });
    this.refusal = make("p", { class: "lesson-refusal", role: "alert" });
    this.back = this.button(words.lesson_back, () => this.send({ do: "back" }));
    this.leave = this.button(words.lesson_leave, () => this.send({ do: "leave" }), "lesson-leave");
    this.help = this.button(words.lesson_show, () => this.showHow(), "lesson-help");
    this.next = this.button(words.lesson_next, () => this.send({ do: "next" }), "lesson-next");
    this.again = this.button(words.lesson_again, () => beginLesson().catch((fault) => this.refuse(fault.message)), "lesson-over");
    const said = make("div", { role: "status" }, this.count, this.heading, this.text);
    const row = make("div", { class: "lesson-row" }, this.leave, this.back, this.again, this.help, this.next);
    this.card = make("section", { id: "lesson", "aria-label": words.lesson, hidden: true }, this.bar, said, this.refusal, row);
    this.ring = make("div", { id: "lesson-ring", "aria-hidden": "true", hidden: true });
    document.querySelector("header").after(this.card);
    document.body.append(this.ring);
    const place = () => this.place();
    addEventListener("resize", place);
    addEventListener("scroll", place, true);
    this.moved = new MutationObserver(place); // the map has been panned or zoomed
  }

  button(text, onclick, kind = "") {
    return make("button", { type: "button", class: kind, onclick }, text);
  }

  send(body) {
    return this.act("/api/lesson", body);
  }

  /** Show the step of a scene, or hide the card if there is no lesson. */
  show(scene) {
    const { lesson } = scene;
    this.scene = scene;
    this.card.hidden = !lesson;
    document.body.classList.toggle("learning", Boolean(lesson));
    if (!lesson) return this.clear();
    const step = `${lesson.number} ${lesson.asks}`;
    if (step !== this.shown) {
      this.shown = step;
      this.refuse("");
      this.doesIt = false;
      tell(this.help, this.words.lesson_show);
    }
    const isOver = lesson.asks === "over";
    tell(this.count, isOver ? lesson.lesson : this.filled(this.words.lesson_step, lesson));
    tell(this.heading, lesson.title);
    this.text.replaceChildren(...emphasized(lesson.text));
    this.bar.max = lesson.total;
    this.bar.value = isOver ? lesson.total : lesson.number - 1;
    this.next.hidden = lesson.asks !== "read";
    this.help.hidden = isOver || lesson.asks === "read";
    this.back.hidden = isOver || lesson.number === 1;
    this.again.hidden = !isOver;
    tell(this.leave, isOver ? this.words.lesson_play_on : this.words.lesson_leave);
    this.seek(lesson);
    this.place();
    if (lesson.asks === "read" && !document.querySelector(":focus")) this.next.focus({ preventScroll: true });
  }

  filled(text, { number, total }) {
    return text.replace("{number}", number).replace("{total}", total);
  }

  /** Say in the card why an order was not carried out. */
  refuse(text) {
    this.refusal.replaceChildren(...emphasized(text));
  }

  /** Report what the player points at, where the step asks for that. */
  look() {
    const { lesson } = this.scene ?? {};
    if (lesson?.asks !== "look" || this.busy) return;
    const { piece, place } = this.selection;
    const members = this.scene.pieces.find((one) => one.id === piece)?.members ?? [];
    const [kind, ids] = piece ? ["piece", [piece, ...members]] : ["place", place ? [place] : []];
    const isMeant = lesson.targets.some((one) => ids.includes(one.id) || (piece && this.placeOf(piece) === one.id));
    if (!isMeant) return;
    this.busy = true;
    this.send({ do: "look", kind, ids }).finally(() => (this.busy = false));
  }

  placeOf(piece) {
    return this.scene.pieces.find((one) => one.id === piece)?.place;
  }

  /** Show what to do; asked a second time, do it for the player. */
  showHow() {
    const { lesson } = this.scene;
    if (lesson.asks === "look") {
      const [target] = lesson.targets;
      return target.kind === "piece" ? this.selection.takePiece(this.counter(target.id)) : this.selection.takePlace(target.id);
    }
    const [key] = lesson.keys;
    if (this.doesIt) return this.choose(key);
    this.doesIt = true;
    tell(this.help, this.words.lesson_do_it);
    this.selection.empty();
    const button = document.querySelector(`[data-option="${CSS.escape(key)}"]`);
    if (!button) return this.refuse(this.words.lesson_no_button);
    button.scrollIntoView({ block: "nearest" });
    button.focus();
    button.classList.add("lesson-meant");
    setTimeout(() => button.classList.remove("lesson-meant"), 2500);
  }

  /** Return the counter that shows a piece. */
  counter(id) {
    return this.scene.pieces.find((one) => one.members.includes(id))?.id ?? id;
  }

  clear() {
    if (this.shown) this.openTab("orders"); // the lesson has ended, on whatever tab it was
    this.shown = "";
    this.ring.hidden = true;
    this.moved.disconnect();
    this.place();
  }

  /** Find the elements of the step's targets. */
  elements() {
    const found = (this.scene?.lesson?.targets ?? []).map(({ kind, id, place }) => {
      if (kind === "part") return document.querySelector(`[data-part="${id}"]`) ?? document.querySelector(PARTS[id]);
      const counter = kind === "piece" && document.querySelector(`#map [data-piece="${CSS.escape(this.counter(id))}"]`);
      return counter || document.querySelector(`#map [data-place="${CSS.escape(place || id)}"]`);
    });
    return found.filter((element) => element?.getClientRects().length);
  }

  /** Bring a target on the map into view. */
  seek(lesson) {
    this.moved.disconnect();
    const world = document.querySelector("#map svg g[transform]") ?? document.querySelector("#map svg");
    if (world) this.moved.observe(world, { attributes: true });
    const target = lesson.targets.find((one) => one.kind !== "part");
    const isNew = this.approached !== this.shown;
    this.approached = this.shown;
    const part = lesson.asks === "order" ? "orders" : lesson.targets.find((one) => TABS.includes(one.id))?.id;
    if (isNew && part) this.openTab(part);
    if (isNew && target) this.closeUp(target.place || target.id);
  }

  /** Pan to a place, and zoom in where it is drawn too small to be read. */
  closeUp(id) {
    this.map.roam?.(id);
    const { camera, byPlace } = this.map;
    const shape = document.querySelector(`#map [data-place="${CSS.escape(id)}"]`);
    const middle = byPlace?.get(id)?.place.middle;
    if (!camera?.zoom || !shape || !middle) return;
    const { width } = shape.getBoundingClientRect();
    if (!width || width >= READABLE) return camera.seek(middle);
    camera.zoom(READABLE / width);
    camera.x = camera.width / 2 - middle[0] * camera.scale;
    camera.y = camera.height / 2 - middle[1] * camera.scale;
    camera.apply();
  }

  /** Put the ring around the first target, and the card beside it where there is room. */
  place() {
    const isBelow = !this.card.hidden && innerWidth <= NARROW;
    document.body.style.paddingBottom = isBelow ? `${this.card.offsetHeight + 2 * ROOM}px` : "";
    if (this.card.hidden) return;
    const [first] = this.elements();
    const whole = first?.getBoundingClientRect();
    const isLarge = whole && whole.width > innerWidth * 0.6 && whole.height > innerHeight * 0.5;
    this.ring.hidden = !whole || isLarge || whole.bottom < 0 || whole.top > innerHeight;
    if (!this.ring.hidden) {
      const box = { left: whole.left - ROOM, top: whole.top - ROOM, width: whole.width + 2 * ROOM, height: whole.height + 2 * ROOM };
      for (const [side, value] of Object.entries(box)) this.ring.style[side] = `${value}px`;
    }
    this.card.classList.toggle("beside", !this.ring.hidden && innerWidth > NARROW);
    if (!this.card.classList.contains("beside")) return this.card.removeAttribute("style");
    const own = this.card.getBoundingClientRect();
    const right = whole.right + ROOM + GAP;
    const left = whole.left - ROOM - GAP - own.width;
    const edge = first.closest("#map")?.getBoundingClientRect().right ?? innerWidth; // beside the map is the text that it speaks of
    const x = right + own.width < edge ? right : left > 0 ? left : Math.max(GAP, edge - own.width - GAP);
    const overlaps = x < whole.right + ROOM && x + own.width > whole.left - ROOM;
    const below = whole.bottom + ROOM + GAP;
    const y = overlaps ? (below + own.height < innerHeight ? below : whole.top - ROOM - GAP - own.height) : whole.top;
    this.card.style.left = `${x}px`;
    this.card.style.top = `${Math.max(GAP, Math.min(y, innerHeight - own.height - GAP))}px`;
  }
}
