// What a player has pointed out: a counter, a place, or nothing. Decides nothing but which options are meant.

export class Selection {
  constructor(changed) {
    this.changed = changed;
    this.piece = null;
    this.place = null;
  }

  /** After the game has gone on: keep only a counter that can still be ordered. */
  forget(scene) {
    const piece = scene.pieces.find((one) => one.id === this.piece);
    if (!piece?.orderable) this.piece = null;
    this.place = null;
  }

  takePiece(id) {
    this.piece = id;
    this.place = null;
    this.changed();
  }

  takePlace(id) {
    this.place = id;
    this.changed();
  }

  /** Let go of the place first, then of the counter. */
  clear() {
    if (this.place) this.place = null;
    else this.piece = null;
    this.changed();
  }

  empty() {
    this.piece = null;
    this.place = null;
    this.changed();
  }

  get isEmpty() {
    return !this.piece && !this.place;
  }

  /** Those options that name the counter pointed out; all where none does. */
  ofPiece(options) {
    const own = this.piece ? options.filter((option) => option.pieces.includes(this.piece)) : options;
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
