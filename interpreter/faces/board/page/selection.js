// What a player has pointed out: counters, a place, or nothing. Decides nothing but which options are meant.

export class Selection {
  constructor(changed) {
    this.changed = changed;
    this.piece = null;
    this.others = []; // counters that an option takes together with the first
    this.place = null;
    this.options = [];
  }

  /** All counters that are pointed out. */
  get pieces() {
    return this.piece ? [this.piece, ...this.others] : [];
  }

  /** After the game has gone on: keep only a counter that can still be ordered. */
  forget(scene) {
    const piece = scene.pieces.find((one) => one.id === this.piece);
    if (!piece?.orderable) this.piece = null;
    this.others = [];
    this.place = null;
    this.options = scene.decision?.options ?? [];
  }

  /** Point out a counter: beside the others where an option takes them together, else in their place. */
  takePiece(id) {
    if (this.others.includes(id)) this.others = this.others.filter((one) => one !== id);
    else if (this.joins(id)) this.others.push(id);
    else {
      this.piece = id;
      this.others = [];
    }
    this.place = null;
    this.changed();
  }

  joins(id) {
    const all = [...this.pieces, id];
    return all.length > 1 && this.piece !== id && this.options.some((option) => takes(option, all));
  }

  takePlace(id) {
    this.place = id;
    this.changed();
  }

  /** Let go of the place first, then of the counters. */
  clear() {
    if (this.place) this.place = null;
    else this.letGo();
    this.changed();
  }

  empty() {
    this.letGo();
    this.place = null;
    this.changed();
  }

  letGo() {
    this.piece = null;
    this.others = [];
  }

  get isEmpty() {
    return !this.piece && !this.place;
  }

  /** Those options that name the counters pointed out; all where none does. */
  ofPiece(options) {
    const own = this.piece ? options.filter((option) => takes(option, this.pieces)) : options;
    return own.length ? own : options;
  }

  /** The options that are meant: those that name what is pointed out; all where none would be left. */
  meant(options) {
    const some = this.ofPiece(options);
    if (!this.place) return some;
    const there = some.filter((option) => option.places.includes(this.place));
    return there.length ? there : some;
  }
}

function takes(option, pieces) {
  return pieces.every((id) => option.pieces.includes(id));
}
