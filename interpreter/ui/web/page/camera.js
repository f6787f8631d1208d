// Pan and zoom of the map by mouse, wheel, touch and buttons, as one transform of one group.

const STEP = 5; // pixels of movement that turn a press into a drag
const MOST = 12;
const AROUND = 120; // pixels between a point that is brought into view and the edges of what is visible
const BESIDE = 120; // pixels beside a card that are enough to show a place in
const MARGIN = 0.5; // viewports around the visible one in which counters are drawn

export class Camera {
  constructor(svg, world, [width, height], changed = () => {}) {
    Object.assign(this, { svg, world, width, height, changed, scale: 1, x: 0, y: 0, hasMoved: false, isDragged: false });
    this.drawn = { x: 0, y: 0, scale: 1 };
    this.fingers = new Map();
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    for (const sort of ["pointerup", "pointercancel"]) svg.addEventListener(sort, (event) => this.up(event));
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    const resized = new ResizeObserver(() => this.isDragged || this.fit());
    for (const one of [svg, document.getElementById("side")]) if (one) resized.observe(one);
  }

  /** Convert a window point to map units, before the transform. */
  inside(clientX, clientY) {
    const matrix = this.svg.getScreenCTM();
    return matrix ? new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse()) : new DOMPoint();
  }

  /** Return the window pixels per map unit. */
  magnification() {
    return (this.svg.getScreenCTM()?.a ?? 1) * this.scale;
  }

  /** Return left and top of a box of the map, moved into the viewport. */
  within(left, top, wide, high) {
    const fit = (at, length, start, room) => Math.max(start, Math.min(at, start + room - length));
    const { scale } = this;
    return [fit(left, wide, -this.x / scale, this.width / scale), fit(top, high, -this.y / scale, this.height / scale)];
  }

  apply() {
    this.scale = Math.min(MOST, Math.max(1, this.scale));
    const [left, top, right, low] = this.isDragged ? this.limits : this.shown();
    this.x = clampStart(this.x, this.width * this.scale, left, right);
    this.y = clampStart(this.y, this.height * this.scale, top, low);
    if (this.isDragged) this.slide();
    else this.settle();
    this.changed();
  }

  /** Return left, top, right and bottom of what is drawn: the viewport as it was last drawn, and a margin around it. */
  reach() {
    const { x, y, scale } = this.drawn;
    const [left, top] = [-x / scale, -y / scale];
    const [wide, high] = [this.width / scale, this.height / scale];
    return [left - MARGIN * wide, top - MARGIN * high, left + (1 + MARGIN) * wide, top + (1 + MARGIN) * high];
  }

  /** Draw the map where it is now. */
  settle() {
    this.drawn = { x: this.x, y: this.y, scale: this.scale };
    this.world.setAttribute("transform", `translate(${this.x} ${this.y}) scale(${this.scale})`);
    this.svg.style.transform = "";
  }

  /** Move what is drawn as it is, which costs the browser no drawing; draw the map again once it has gone far. */
  slide() {
    const [dx, dy] = [this.x - this.drawn.x, this.y - this.drawn.y];
    const isFar = Math.abs(dx) > MARGIN * this.width || Math.abs(dy) > MARGIN * this.height;
    if (this.scale !== this.drawn.scale || isFar) this.settle();
    const unit = this.svg.getScreenCTM()?.a ?? 1;
    this.svg.style.transform = `translate(${(this.x - this.drawn.x) * unit}px, ${(this.y - this.drawn.y) * unit}px)`;
  }

  zoom(factor, at = null) {
    const point = at ?? { x: this.width / 2, y: this.height / 2 };
    const before = this.scale;
    this.scale = Math.min(MOST, Math.max(1, before * factor));
    const by = this.scale / before;
    this.x = point.x - (point.x - this.x) * by;
    this.y = point.y - (point.y - this.y) * by;
    this.apply();
  }

  whole() {
    this.scale = 1;
    this.fit();
  }

  fit() {
    this.apply();
    this.closeGap();
  }

  /** Convert a window point to map coordinates. */
  toMap(clientX, clientY) {
    const at = this.inside(clientX, clientY);
    return { x: (at.x - this.x) / this.scale, y: (at.y - this.y) / this.scale };
  }

  /**
   * Return the part of the window in which the map is not covered, as left, top, right and bottom. The map fills that part
   * and what a card beside it covers, so without `besideCard` such a card counts as map.
   */
  visible(besideCard = true) {
    const box = this.svg.getBoundingClientRect();
    const [side, card] = ["side", "card"].map((id) => document.getElementById(id)?.getBoundingClientRect());
    const isWide = (one) => one && one.left < box.right && one.width >= box.width - 1;
    const covers = (one) => isWide(one) && one.top > box.top && one.top < box.bottom;
    const bottom = Math.min(box.bottom, ...[side, card].filter(covers).map((one) => one.top));
    const zoom = this.svg.parentElement?.querySelector(".zoom")?.getBoundingClientRect();
    const isAbove = zoom?.height && zoom.top < box.top + box.height / 4 && zoom.bottom < bottom;
    const top = Math.max(isAbove ? zoom.bottom : box.top, this.top());
    if (!besideCard || !card?.width) return [box.left, top, box.right, bottom];
    const [atLeft, atRight] = [card.left - box.left, box.right - card.right];
    if (Math.max(atLeft, atRight) < BESIDE) return [box.left, top, box.right, bottom];
    return atLeft > atRight ? [box.left, top, card.left, bottom] : [card.right, top, box.right, bottom];
  }

  /** Return where in the window the map begins, below a card that lies over its whole upper edge. */
  top() {
    const box = this.svg.getBoundingClientRect();
    const card = document.getElementById("card")?.getBoundingClientRect();
    const isAcross = card?.width >= box.width - 1 && card.left < box.right && card.top <= box.top + 1;
    return isAcross ? Math.max(box.top, card.bottom) : box.top;
  }

  /** Return what the map fills, in units of the map before the transform. */
  shown() {
    const [left, top, right, bottom] = this.visible(false);
    const [start, end] = [this.inside(left, top), this.inside(right, bottom)];
    return end.x > start.x ? [start.x, start.y, end.x, end.y] : [0, 0, this.width, this.height];
  }

  /** Return the width and height of the visible part at a scale, in units of the map. */
  visibleSize(scale) {
    const [left, top, right, low] = this.shown();
    return [(right - left) / scale, (low - top) / scale];
  }

  isInView([x, y], margin = 40) {
    const [left, top, right, bottom] = this.visible();
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return true;
    const at = new DOMPoint(x * this.scale + this.x, y * this.scale + this.y).matrixTransform(matrix);
    return at.x > left + margin && at.y > top + margin && at.x < right - margin && at.y < bottom - margin;
  }

  /** Pan no farther than until a point of the map is well in view; a far one comes into the middle. */
  seek(at, margin) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix || this.isInView(at, margin)) return;
    const [left, top, right, bottom] = this.visible();
    const point = new DOMPoint(at[0] * this.scale + this.x, at[1] * this.scale + this.y).matrixTransform(matrix);
    const shift = (now, low, high) => {
      const room = Math.min(Math.max(margin ?? 0, AROUND), (high - low) / 2);
      return Math.max(low + room - now, Math.min(high - room - now, 0));
    };
    const [dx, dy] = [shift(point.x, left, right), shift(point.y, top, bottom)];
    if (Math.abs(dx) > right - left || Math.abs(dy) > bottom - top) return this.lookAt(at, this.scale);
    this.x += dx / matrix.a;
    this.y += dy / matrix.d;
    this.apply();
  }

  /** Put a point of the map in the middle of what is visible, at a scale. */
  lookAt([x, y], scale) {
    const [left, top, right, bottom] = this.visible();
    this.putAt([x, y], [(left + right) / 2, (top + bottom) / 2], scale);
    this.closeGap();
  }

  /** Move the map up into the strip beside the zoom buttons, which would be empty; by half of it where the map ends below. */
  closeGap() {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return;
    const [, , , bottom] = this.visible(false);
    const [top, low] = [this.y, this.y + this.height * this.scale].map((y) => y * matrix.d + matrix.f);
    const [above, below] = [top - this.top(), bottom - low];
    const by = below > 0 ? (above - below) / 2 : Math.min(above, -below);
    if (above <= 0 || by <= 0) return;
    this.y -= by / matrix.d;
    this.settle();
    this.changed();
  }

  /** Put a point of the map at a point of the window, at a scale. */
  putAt([x, y], [clientX, clientY], scale = this.scale) {
    this.scale = Math.min(MOST, Math.max(1, scale));
    const at = this.inside(clientX, clientY);
    this.x = at.x - x * this.scale;
    this.y = at.y - y * this.scale;
    this.apply();
  }

  down(event) {
    this.hasMoved = false;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.start = { x: event.clientX, y: event.clientY };
  }

  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    if (!this.hasMoved && Math.hypot(now.x - this.start.x, now.y - this.start.y) < STEP) return;
    if (!this.hasMoved) this.svg.setPointerCapture(event.pointerId); // not earlier, or a click would lose its target
    if (!this.isDragged) this.limits = this.shown();
    this.hasMoved = this.isDragged = true;
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    const [from, to] = [this.inside(before.x, before.y), this.inside(now.x, now.y)];
    if (others.length) {
      const still = this.inside(others[0].x, others[0].y);
      const apart = (p) => Math.hypot(p.x - still.x, p.y - still.y);
      this.zoom(apart(to) / Math.max(1, apart(from)), still);
    } else {
      this.x += to.x - from.x;
      this.y += to.y - from.y;
      this.apply();
    }
    this.fingers.set(event.pointerId, now);
  }

  up(event) {
    this.fingers.delete(event.pointerId);
    if (!this.isDragged || this.fingers.size) return;
    this.isDragged = false;
    this.apply();
  }

  wheel(event) {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY * 0.0015), this.inside(event.clientX, event.clientY));
  }
}

/** Return where a map begins so that it fills what is visible, or lies in its middle if it is smaller. */
function clampStart(at, length, start, end) {
  const spare = end - start - length;
  return spare > 0 ? start + spare / 2 : Math.max(start + spare, Math.min(start, at));
}
