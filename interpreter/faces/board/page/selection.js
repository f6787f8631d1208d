// What a player has pointed out: a counter, a place, or nothing. Decides nothing but which options are meant.

export class Selection {
  constructor(changed) {
    this.changed = changed;
    this.piece = null;
    this.place = null;
  }

  /** After the game has gone on: keep only a counter that can still act. */
  forget(scene) {
    const piece = scene.pieces.find((one) => one.id === this.piece);
    if (!piece || !piece.orderable) this.piece = null;
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

  clear() {
    if (this.place) this.place = null;
    else this.piece = null;
    this.changed();
  }

  get isEmpty() {
    return !this.piece && !this.place;
  }

  /** The options that are meant: those that name what is pointed out; all where none would be left. */
  meant(options) {
    const ofPiece = this.piece ? options.filter((o) => o.pieces.includes(this.piece)) : options;
    const some = ofPiece.length ? ofPiece : options;
    if (!this.place) return some;
    const there = some.filter((o) => o.places.includes(this.place) || o.path.includes(this.place));
    return there.length ? there : some;
  }
}
