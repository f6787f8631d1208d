// The player's selection: a counter, a place or nothing; it filters the options.

export class Selection {
  constructor(changed) {
    this.changed = changed;
    this.piece = null;
    this.place = null;
  }

  /** Update after a change of the game: keep a counter only if it can still be ordered. */
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

  /** Clear the place first, then the counter. */
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

  /** Filter options to those of the selected counter, or keep all if none names it. */
  ofPiece(options) {
    const own = this.piece ? options.filter((option) => option.pieces.includes(this.piece)) : options;
    return own.length ? own : options;
  }

  /** Filter options by the selection, or keep all if none would be left. */
  meant(options) {
    const some = this.ofPiece(options);
    if (!this.place) return some;
    const there = some.filter((option) => option.places.includes(this.place));
    return there.length ? there : some;
  }
}
