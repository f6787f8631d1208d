// Orders for several selected counters: targets and lines to them, one plan for all that may, moves together.

import { get } from "./server.js";
import { fill } from "./texts.js";

export class GroupOrders {
  constructor(map) {
    this.map = map;
    this.selection = map.selection;
    this.words = map.words;
    this.ahead = []; // options of the next decision, which a button such as "start an attack" leads to
  }

  /** Load the options to which a button without counters leads, so that the map offers them at once. */
  async loadAhead() {
    const { scene } = this.map;
    const options = scene.decision?.options ?? [];
    const isGate = (option) => option.key !== "done" && !option.pieces.length && !option.places.length;
    const asked = scene.may_choose && !scene.decision.is_draft && options.some(isGate) ? scene.version : "";
    if (asked === this.asked) return;
    this.asked = asked;
    this.ahead = [];
    const found = asked ? await get("/api/ask/ahead").catch(() => []) : [];
    if (this.asked !== asked || !found.length) return;
    const counter = (id) => scene.pieces.find((piece) => piece.members.includes(id));
    for (const { keys, option } of found) {
      const counters = [...new Set(option.pieces.map(counter).filter(Boolean))];
      for (const piece of counters) piece.orderable = true;
      this.ahead.push({ ...option, key: "", keys, pieces: counters.map((piece) => piece.id), isAhead: true });
    }
    this.selection.options = [...options, ...this.ahead];
    this.map.mark();
  }

  /** Add a counter that can be ordered to the selected ones, or take it out. */
  add(id) {
    const piece = this.map.byPiece.get(id)?.piece;
    if (piece?.orderable && piece.side === this.map.scene.decision?.side) this.selection.togglePiece(id);
  }

  /** Draw lines to a counter that is pointed at from each selected counter that has an order against it. */
  aim(target) {
    if (document.body.classList.contains("planning") || !this.selection.piece) return;
    const from = target ? this.selection.against(target).flatMap((option) => option.pieces) : [];
    const own = from.filter((id) => this.selection.pieces.includes(id));
    this.map.showLines(own.map((id) => [this.map.byPiece.get(id)?.piece.at, this.map.byPiece.get(target)?.piece.at, "aim"]).filter(([a, b]) => a && b));
  }

  /** Return whether a counter is one of another side that a selected one has an order against. */
  canTarget(id) {
    return this.map.byPiece.get(id)?.piece.side !== this.map.scene.decision?.side && this.selection.against(id).length > 0;
  }

  /** Plan the orders of all selected counters that have one against a target. */
  planAgainst(target) {
    const found = this.selection.against(target);
    if (found.length === 1) return this.map.propose(found[0]);
    const pieces = [...new Set(found.flatMap((option) => option.pieces))];
    const title = fill(this.words.orders_of, { number: found.length });
    const detail = found.map((option) => option.title).join(" · ");
    this.map.propose({ keys: found.map((option) => option.key), pieces, places: [], path: [], title, detail, label: detail, cite: found[0].cite, isGroup: true });
  }

  /** Plan an option that names a counter and the selected ones; one of the player's own is then selected too. */
  planWith(piece, option) {
    const { place } = this.selection;
    if (piece.side === this.map.scene.decision?.side && this.selection.joins(piece.id)) {
      this.selection.takePiece(piece.id);
      if (place) this.selection.takePlace(place);
    }
    this.map.propose(option);
  }

  /** Plan the moves of all selected counters to a place, each as near as it gets. */
  planMoves(place) {
    const { pieces } = this.selection;
    const title = fill(this.words.units, { number: pieces.length });
    const detail = fill(this.words.to_place, { place: this.map.byPlace.get(place).place.name });
    this.map.propose({ group: { pieces, place }, pieces, places: [place], path: [], title, detail, label: title, cite: [], isGroup: true });
  }

  /** Plan the option of a draft that takes most counters against a place, for use without a selection. */
  planLargest(place) {
    const { scene } = this.map;
    if (this.selection.piece || !scene.may_choose || !scene.decision?.is_draft) return;
    const there = this.map.options().filter((option) => option.pieces.length && option.places.length === 1 && option.places[0] === place);
    if (there.length) this.map.propose(there.reduce((best, one) => (one.pieces.length > best.pieces.length ? one : best)), there);
  }
}
