// A lesson on the board: a card with the present step, and rings around what it is about.

import { make, tell } from "./making.js";
import { boundingBox, placeCard, roomsBeside, overlapArea } from "./lesson_layout.js";
import { LessonMarks } from "./lesson_marks.js";
import { openGame } from "./seat_link.js";
import { fill } from "./texts.js";

const EDGE = 12; // pixels between the card and the edges of the map
const NARROW = 700; // pixels up to which the card lies below the page
const READABLE = 80; // pixels that a place is wide at least when a step is about it
const MOST = 60; // places and counters that the card leaves visible if it can
const TIP = 72; // pixels at the lower edge of the map where the tooltip appears
const LOW = 480; // pixels of height up to which no tooltip appears
const MARGIN = 16; // pixels around what a step shows on the map
const PARTS = {
  log: ["#tab-log"],
  score: ["#scores"],
  status: ["#tracks .parts"],
  turns: ["#track", "#heading"],
  question: ["#more > summary"],
}; // elements of a part of the page, the first one that shows something; the map as a whole has no ring
const TABS = ["orders", "log", "status"]; // parts that may lie behind a tab

/** Split a text at words between asterisks, which are emphasized; figures such as "3-4-2" stay on one line. */
function parseEmphasis(text) {
  const unbroken = (part) => part.split(/(\d+(?:-\d+)+)/).map((one, number) => (number % 2 ? make("span", { class: "figures" }, one) : one));
  return text.split("*").flatMap((part, number) => (number % 2 ? make("em", {}, ...unbroken(part)) : unbroken(part)));
}

/** Begin a lesson: of the named ruleset at the list of games, else of the game that is shown. */
export function beginLesson(body = {}) {
  return openGame("/api/learn", body);
}

export class Lesson {
  /**
   * `act` posts an action and shows the scene after it, `choose` gives the order with a key, `selection` is what the
   * player points at, `plan` shows an order before it is carried out; `openTab` brings a part of the page to the front.
   */
  constructor({ words, selection, map, plan, act, choose, openTab = () => {} }) {
    Object.assign(this, { words, selection, map, plan, act, choose, openTab, shown: "" });
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
    this.own = this.button(words.lesson_own_game, () => openGame("/api/again").catch((fault) => this.refuse(fault.message)), "lesson-own");
    const said = make("div", { role: "status" }, this.count, this.heading, this.text);
    const row = make("div", { class: "lesson-row" }, this.leave, this.back, this.again, this.help, this.next, this.own);
    this.card = make("section", { id: "lesson", "aria-label": words.lesson, hidden: true }, this.bar, said, this.refusal, row);
    document.querySelector("header").after(this.card);
    this.marks = new LessonMarks(map);
    this.watch();
  }

  /** Observe all changes that move the targets or resize the space for the card. */
  watch() {
    const place = () => this.placeSoon();
    const settle = () => this.placeSoon(true);
    addEventListener("resize", settle);
    addEventListener("scroll", place, true);
    this.map.svg.addEventListener("click", (event) => this.tapped(event));
    this.changes = new MutationObserver(place); // a plan is shown, a list is narrowed, the map has been panned
    this.sizes = new ResizeObserver(settle); // a result card has opened or closed
  }

  button(text, onclick, kind = "") {
    return make("button", { type: "button", class: kind, onclick }, text);
  }

  send(body) {
    return this.act("/api/lesson", body);
  }

  /** Show the step of a scene, or hide the card without a lesson. */
  show(scene) {
    const { lesson } = scene;
    this.scene = scene;
    this.known = this.selection.piece;
    this.card.hidden = !lesson;
    document.body.classList.toggle("learning", Boolean(lesson));
    if (!lesson) return this.clear();
    const step = `${lesson.number} ${lesson.asks}`;
    const isNew = step !== this.shown;
    if (isNew) {
      this.shown = step;
      this.refuse("");
      this.doesIt = false;
      tell(this.help, this.words.lesson_show);
      for (const list of document.querySelectorAll('#side .scroll:not([role="log"])')) list.scrollTop = 0;
    }
    const isOver = lesson.asks === "over";
    tell(this.count, isOver ? lesson.lesson : fill(this.words.lesson_step, { number: lesson.number, total: lesson.total }));
    tell(this.heading, lesson.title);
    this.text.replaceChildren(...parseEmphasis(lesson.text));
    this.bar.max = lesson.total;
    this.bar.value = isOver ? lesson.total : lesson.number - 1;
    this.next.hidden = lesson.asks !== "read";
    this.help.hidden = isOver || lesson.asks === "read";
    this.back.hidden = isOver || lesson.number === 1;
    this.again.hidden = !isOver;
    this.own.hidden = !isOver;
    tell(this.leave, isOver ? this.words.lesson_play_on : this.words.lesson_leave);
    this.follow();
    if (isNew) this.approach(lesson);
    else this.place();
    if (lesson.asks === "read" && !document.querySelector(":focus")) this.next.focus({ preventScroll: true });
  }

  /** Show in the card why an order was not carried out. */
  refuse(text) {
    this.refusal.replaceChildren(...parseEmphasis(text));
    this.placeSoon();
  }

  /** Report what the player points at, where the step asks for that. */
  look() {
    const { lesson } = this.scene ?? {};
    if (lesson?.asks === "order") return this.takeOrder();
    if (lesson?.asks !== "look" || this.busy) return;
    const { piece, place } = this.selection;
    const members = this.scene.pieces.find((one) => one.id === piece)?.members ?? [];
    const [kind, ids] = piece ? ["piece", [piece, ...members]] : ["place", place ? [place] : []];
    const isMeant = lesson.targets.some((one) => ids.includes(one.id) || (piece && this.placeOf(piece) === one.id));
    if (!isMeant) return;
    this.busy = true;
    const keep = () => this.keepSelected(piece, place);
    this.send({ do: "look", kind, ids }).then(keep).finally(() => (this.busy = false));
  }

  /** Take the choice of the counter that the step is about as its order, if that is the only order of the counter. */
  takeOrder() {
    const { lesson, decision } = this.scene;
    const { piece } = this.selection;
    const isNew = piece !== this.known;
    this.known = piece;
    const [target, ...more] = lesson.targets;
    if (!isNew || !piece || this.isShowing || this.selection.isGroup || more.length) return;
    if (target?.kind !== "piece" || this.counter(target.id) !== piece) return;
    const [option, ...others] = (decision?.options ?? []).filter((one) => one.pieces.includes(piece));
    const isChoice = option?.pieces.length === 1 && !option.places.length && !others.length;
    if (isChoice && lesson.keys.includes(option.key)) this.choose(option.key);
  }

  /** Take a tap on a place as a look at it, also where a first tap only fans out the counters there. */
  tapped(event) {
    const { lesson } = this.scene ?? {};
    const place = this.map.placeOf(event.target) ?? event.target.closest?.("[data-fan]")?.dataset.fan;
    if (lesson?.asks !== "look" || this.busy || this.map.camera.hasMoved || !this.selection.isEmpty) return;
    if (lesson.targets.some((one) => one.kind === "place" && one.id === place)) this.selection.takePlace(place);
  }

  /** Keep the item that the player was asked to look at selected while the next step describes it. */
  keepSelected(piece, place) {
    if (this.scene.lesson?.asks !== "read") return;
    if (piece) this.selection.takePiece(this.counter(piece));
    else this.selection.takePlace(place);
    this.map.fan.rest(place ?? this.placeOf(piece), true);
  }

  placeOf(piece) {
    return this.scene.pieces.find((one) => one.id === piece)?.place;
  }

  /** Show what to do; when asked a second time, do it for the player. */
  showHow() {
    const { lesson } = this.scene;
    if (lesson.asks === "look") {
      const [target] = lesson.targets;
      return target.kind === "piece" ? this.selection.takePiece(this.counter(target.id)) : this.selection.takePlace(target.id);
    }
    if (this.doesIt) return this.choose(lesson.keys[0]);
    this.doesIt = true;
    tell(this.help, this.words.lesson_do_it);
    this.selection.empty();
    this.openTab("orders");
    this.reveal(lesson.keys[0]);
    const button = this.orderButton();
    if (!button) return this.refuse(this.words.lesson_no_button);
    button.focus({ preventScroll: true });
    this.place();
  }

  /** Show the button of an order that lies in a folded list. */
  reveal(key) {
    const option = this.scene.decision?.options.find((one) => one.key === key);
    const [piece] = option?.pieces ?? [];
    if (!piece || this.shownButton(key)) return;
    this.isShowing = true;
    this.selection.takePiece(this.counter(piece));
    this.isShowing = false;
  }

  /** Return what to press for the order of the step: the button of an accepted order, or of the plan that shows it. */
  orderButton() {
    const { keys } = this.scene.lesson;
    const { proposed } = this.plan;
    if (proposed) {
      const isMeant = keys.includes(proposed.key ?? proposed.keys?.[0]);
      return isMeant ? document.querySelector("#foot .do-it") : null;
    }
    for (const key of keys) {
      const button = this.shownButton(key);
      if (button) return button;
    }
    return null;
  }

  shownButton(key) {
    const button = document.querySelector(`#side [data-option="${CSS.escape(key)}"]`);
    return button?.getClientRects().length ? button : null;
  }

  /** Return the id of the counter that shows a piece. */
  counter(id) {
    return this.scene.pieces.find((one) => one.members.includes(id))?.id ?? id;
  }

  clear() {
    if (this.shown) this.openTab("orders"); // the lesson has ended, on whatever tab it was
    this.shown = "";
    this.changes.disconnect();
    this.sizes.disconnect();
    this.isFollowing = false;
    this.marks.clear();
    document.body.style.removeProperty("--lesson");
  }

  /** Watch the page while the lesson is on. */
  follow() {
    if (this.isFollowing) return;
    this.isFollowing = true;
    const what = { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "class"] };
    this.changes.observe(document.getElementById("side"), what);
    this.changes.observe(this.map.world, { attributes: true, attributeFilter: ["transform"] });
    this.changes.observe(this.map.fan.layer, { childList: true });
    this.sizes.observe(document.getElementById("card"));
    this.sizes.observe(document.getElementById("field"));
  }

  /** Return whether the step only describes some of the places, so that their card may stay open. */
  isAbout(places) {
    const { lesson } = this.scene ?? {};
    if (lesson?.asks !== "read") return false;
    return lesson.targets.some((one) => places.includes(one.kind === "piece" ? one.place : one.id));
  }

  // --- where everything is ------------------------------------------------------------------------

  /** Return the targets on the map as counters and places; a piece that no counter shows counts for its place. */
  onMap() {
    const targets = (this.scene.lesson?.targets ?? []).filter((one) => one.kind !== "part");
    return targets.map(({ kind, id, place }) => {
      const counter = this.counter(id);
      return kind === "piece" && this.map.byPiece.has(counter) ? { kind, id: counter, place } : { kind: "place", id: place || id, place: place || id };
    });
  }

  /** Return whether the player has selected a target for the order of the step: what to press now is on the page. */
  isDone({ kind, id }) {
    const { pieces, place } = this.selection;
    const isSelected = kind === "piece" ? pieces.includes(id) : place === id;
    return isSelected && this.scene.lesson.asks === "order" && Boolean(this.orderButton());
  }

  /** Return the elements of the page that the step is about. */
  onPage() {
    const { lesson } = this.scene;
    const parts = lesson.targets.filter((one) => one.kind === "part").map((one) => one.id);
    const isShown = (element) => element?.getClientRects().length && (element.childElementCount || element.textContent.trim());
    const found = parts.filter((id) => PARTS[id]).map((id) => PARTS[id].map((name) => document.querySelector(name)).find(isShown));
    const hasButton = lesson.asks === "order" && (parts.includes("orders") || !this.onMap().length || this.doesIt || this.plan.proposed || !this.selection.isEmpty);
    if (hasButton) found.push(this.orderButton());
    return found.filter(Boolean);
  }

  /** Bring what the step is about to the front and into view. */
  approach(lesson) {
    const part = lesson.asks === "order" ? "orders" : lesson.targets.find((one) => TABS.includes(one.id))?.id;
    if (part) this.openTab(part);
    if (lesson.asks !== "read") this.map.fan.rest(null); // a fan left open by an earlier step must not cover this step's subject
    const [target] = this.onMap();
    if (target) this.map.roam?.(target.place ?? target.id);
    this.place(true);
  }

  /** Scroll to the element to press, once per change. */
  scrollToButton() {
    const button = this.scene.lesson.asks === "order" ? this.onPage().at(-1) : null;
    if (button && button !== this.scrolledTo) button.scrollIntoView({ block: "nearest" });
    this.scrolledTo = button;
  }

  placeSoon(fits = false) {
    this.mustFit = this.mustFit || fits;
    this.pending ??= requestAnimationFrame(() => {
      this.pending = null;
      this.place(this.mustFit);
      this.mustFit = false;
    });
  }

  /** Put the card and the rings where they belong; if `fits`, move the map so that the targets are beside the card. */
  place(fits = false) {
    if (this.card.hidden || !this.scene?.lesson) return;
    const isBelow = innerWidth <= NARROW;
    this.card.classList.toggle("placed", !isBelow);
    if (isBelow) {
      this.card.removeAttribute("style");
      document.body.style.setProperty("--lesson", `${this.card.offsetHeight + 1.5 * EDGE}px`);
    } else document.body.style.removeProperty("--lesson");
    const targets = this.onMap();
    if (fits && targets.length) this.fit(targets, isBelow);
    this.marks.onMap(targets.filter((target) => !this.isDone(target)));
    this.scrollToButton();
    const frames = this.marks.onPage(this.onPage());
    if (!isBelow) this.putCard(this.mapBoxes(targets), frames, fits);
  }

  /** Return the boxes of targets in the window. */
  mapBoxes(targets) {
    const shapes = targets.map(({ kind, id }) => (kind === "piece" ? this.map.byPiece.get(id)?.group : this.map.byPlace.get(id)?.shape));
    return shapes.filter(Boolean).map((shape) => shape.getBoundingClientRect());
  }

  get size() {
    return [this.card.offsetWidth, this.card.offsetHeight];
  }

  /** Move and zoom the map, if needed, until the targets are in view, can be read and leave room for the card. */
  fit(targets, isBelow) {
    const { camera } = this.map;
    const [left, top, right, bottom] = camera.visible();
    const area = { left: left + MARGIN, top: top + MARGIN, right: right - MARGIN, bottom: bottom - MARGIN };
    const places = targets.map(({ kind, id, place }) => ({ kind: "place", id: kind === "piece" ? place : id }));
    const whole = boundingBox(this.mapBoxes(places));
    if (!whole || area.right <= area.left || area.bottom <= area.top) return;
    const narrowest = Math.min(...this.mapBoxes(places).map((box) => box.width));
    const hidden = () => (isBelow ? 0 : this.bestSpot(this.mapBoxes(places), boundingBox(this.mapBoxes(places))).hidden);
    const isIn = whole.left >= area.left && whole.top >= area.top && whole.right <= area.right && whole.bottom <= area.bottom;
    if (isIn && narrowest >= READABLE && !hidden()) return;
    const [width, height] = [whole.right - whole.left, whole.bottom - whole.top];
    const { x, y } = camera.toMap((whole.left + whole.right) / 2, (whole.top + whole.bottom) / 2);
    const { scale } = camera;
    for (const room of isBelow ? [area] : roomsBeside(this.size, area, [width, height])) {
      const most = Math.min((room.right - room.left) / width, (room.bottom - room.top) / height);
      const by = Math.min(most, Math.max(1, READABLE / narrowest));
      camera.putAt([x, y], [(room.left + room.right) / 2, (room.top + room.bottom) / 2], scale * by);
      if (!hidden()) return; // at the edges of the map the targets may lie elsewhere than they were put
    }
  }

  /** Return where the card can be, what it must not cover there, and what it should not. */
  obstacles(targets) {
    const field = document.getElementById("field").getBoundingClientRect();
    const area = { left: field.left + EDGE, top: field.top + EDGE, right: field.right - EDGE, bottom: field.bottom - (innerHeight > LOW ? TIP : EDGE) };
    const boxes = (names) => [...document.querySelectorAll(names)].slice(0, MOST).map((one) => one.getBoundingClientRect()).filter((box) => box.width);
    return { area, needed: [...targets, ...boxes("#card")], wanted: boxes("#map .zoom, #map .reach, #map .pieces > g") };
  }

  /** Return the best place of the card: near to a box, or in a corner. */
  bestSpot(targets, near) {
    const { area, needed, wanted } = this.obstacles(targets);
    const at = near ? [(near.left + near.right) / 2, (near.top + near.bottom) / 2] : [area.left, area.bottom];
    return placeCard(this.size, area, needed, wanted, at);
  }

  /** Put the card where it covers neither a target nor the result card; it stays where it is as long as that holds. */
  putCard(targets, frames, isNew) {
    const { area, needed } = this.obstacles(targets);
    const own = this.card.getBoundingClientRect();
    const isInside = own.left >= area.left && own.right <= area.right && own.top >= area.top && own.bottom <= area.bottom;
    if (!isNew && this.card.style.left && isInside && !needed.some((box) => overlapArea(own, box))) return;
    const { x, y } = this.bestSpot(targets, boundingBox([...targets, ...frames]));
    this.card.style.left = `${Math.round(x)}px`;
    this.card.style.top = `${Math.round(y)}px`;
  }
}
