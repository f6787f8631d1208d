// What a player has selected: counters, a place, or nothing. Decides nothing but which options are meant.

export class Selection {
  constructor(changed) {
    this.changed = changed;
    this.piece = null;
    this.others = []; // counters selected together with the first
    this.place = null;
    this.options = [];
  }

  /** Return all selected counters. */
  get pieces() {
    return this.piece ? [this.piece, ...this.others] : [];
  }

  /** Return the selection as a text to compare. */
  get key() {
    return [this.place, ...this.pieces].join(" ");
  }

  /** Return whether several counters are selected that no single option takes together: each needs an order. */
  get isGroup() {
    return this.others.length > 0 && !this.options.some((option) => includesAll(option, this.pieces));
  }

  /** Keep only a counter that can still be ordered, after the game has continued. */
  forget(scene) {
    const piece = scene.pieces.find((one) => one.id === this.piece);
    if (!piece?.orderable) this.piece = null;
    this.others = [];
    this.place = null;
    this.options = scene.decision?.options ?? [];
  }

  /** Select a counter: added to the selection if an option takes them together, else replacing it. */
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

  /** Add a counter to the selected ones, or take it out, whether or not an option takes them together. */
  togglePiece(id) {
    const rest = this.pieces.filter((one) => one !== id);
    const all = rest.length < this.pieces.length ? rest : [...this.pieces, id];
    [this.piece, this.others] = [all[0] ?? null, all.slice(1)];
    this.place = null;
    this.changed();
  }

  joins(id) {
    const all = [...this.pieces, id];
    return all.length > 1 && this.piece !== id && this.options.some((option) => includesAll(option, all));
  }

  takePlace(id) {
    this.place = id;
    this.changed();
  }

  /** Clear the place or, if none is selected, the counters. */
  clear() {
    if (this.place) this.place = null;
    else this.clearPieces();
    this.changed();
  }

  empty() {
    this.clearPieces();
    this.place = null;
    this.changed();
  }

  clearPieces() {
    this.piece = null;
    this.others = [];
  }

  get isEmpty() {
    return !this.piece && !this.place;
  }

  /** Return the options that take the selected counters together, else those that name any of them; all if none does. */
  ofPiece(options) {
    if (!this.piece) return options;
    const together = options.filter((option) => includesAll(option, this.pieces));
    const own = together.length ? together : options.filter((option) => this.pieces.some((id) => option.pieces.includes(id)));
    return own.length ? own : options;
  }

  /** Return the options that name the selection, or all options if none does. */
  meant(options) {
    const some = this.ofPiece(options);
    if (!this.place) return some;
    const there = some.filter((option) => option.places.includes(this.place));
    return there.length ? there : some;
  }

  /** Return the options that take exactly the selected counters. */
  ofExactly(options) {
    return options.filter((option) => option.pieces.length === this.pieces.length && includesAll(option, this.pieces));
  }

  /**
   * Return the only option, or of those that take exactly the selected counters the only one with the fewest places, such
   * as an attack on the selected place alone; null if several or none qualify.
   */
  exactly(options) {
    if (options.length < 2) return options[0] ?? null;
    const exact = this.ofExactly(options);
    const least = Math.min(...exact.map((option) => option.places.length));
    const simplest = exact.filter((option) => option.places.length === least);
    return simplest.length === 1 ? simplest[0] : null;
  }

  /**
   * The options that give each selected counter its order against a target, a counter: of several for one counter the
   * kind of order that most of them can be given.
   */
  against(target) {
    const fitting = this.pieces.map((id) => this.options.filter((option) => includesAll(option, [id, target]) && id !== target));
    const names = fitting.flatMap((own) => [...new Set(own.map((option) => option.name))]);
    const often = (option) => names.filter((name) => name === option.name).length;
    return fitting.filter((own) => own.length).map((own) => own.reduce((best, one) => (often(one) > often(best) ? one : best)));
  }
}

function includesAll(option, pieces) {
  return pieces.every((id) => option.pieces.includes(id));
}
