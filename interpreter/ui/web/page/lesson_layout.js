// Geometry of a lesson on the page: where its card covers nothing that matters, and what of the map must be visible.

const GAP = 12; // pixels between the card and what it leaves visible
const FAR = 0.02; // cost of a pixel of distance, where a covered pixel costs 1
const LIGHT = 0.1; // cost of a covered pixel of what may be covered at need

/** Return a rectangle around several, or null for none. */
export function boundingBox(boxes) {
  if (!boxes.length) return null;
  const pick = (side, choose) => choose(...boxes.map((box) => box[side]));
  const [left, top, right, bottom] = [pick("left", Math.min), pick("top", Math.min), pick("right", Math.max), pick("bottom", Math.max)];
  return { left, top, right, bottom };
}

/** Return what two rectangles have in common, or null. */
export function intersection(one, other) {
  const box = { left: Math.max(one.left, other.left), top: Math.max(one.top, other.top), right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom) };
  return box.right > box.left && box.bottom > box.top ? box : null;
}

/** Return the area that two rectangles share, in square pixels. */
export function overlapArea(one, other) {
  const box = intersection(one, other);
  return box ? (box.right - box.left) * (box.bottom - box.top) : 0;
}

/**
 * Return left and top of a card of a size inside an area, where it covers nothing of some rectangles if possible, little
 * of others, and is as near as possible to a point; `hidden`: how much it covers of the first ones, in square pixels.
 */
export function placeCard([wide, high], area, needed, wanted, [nearX, nearY]) {
  const xs = [area.left, area.right - wide, nearX - wide / 2];
  const ys = [area.top, area.bottom - high, nearY - high / 2];
  for (const box of needed) {
    xs.push(box.left - GAP - wide, box.right + GAP, box.left);
    ys.push(box.top - GAP - high, box.bottom + GAP, box.top);
  }
  const inside = (at, start, end) => Math.max(start, Math.min(at, Math.max(start, end)));
  let best = null;
  for (const x of new Set(xs.map((at) => inside(at, area.left, area.right - wide)))) {
    for (const y of new Set(ys.map((at) => inside(at, area.top, area.bottom - high)))) {
      const own = { left: x, top: y, right: x + wide, bottom: y + high };
      const sum = (boxes) => boxes.reduce((all, box) => all + overlapArea(own, box), 0);
      const hidden = sum(needed);
      const cost = hidden + LIGHT * sum(wanted) + FAR * Math.hypot(x + wide / 2 - nearX, y + high / 2 - nearY);
      if (!best || cost < best.cost) best = { x, y, cost, hidden };
    }
  }
  return best;
}

/** Return the parts of an area beside a card of a size, those first in which a shape of some proportions is largest. */
export function roomsBeside([wide, high], area, [width, height]) {
  const rooms = [
    { ...area, left: area.left + wide + GAP },
    { ...area, right: area.right - wide - GAP },
    { ...area, top: area.top + high + GAP },
    { ...area, bottom: area.bottom - high - GAP },
  ];
  const fit = (room) => Math.min((room.right - room.left) / width, (room.bottom - room.top) / height);
  return rooms.filter((room) => fit(room) > 0).sort((a, b) => fit(b) - fit(a));
}

/**
 * Return the parts of an area beside a card of a size, each with the `middle` that a shape has once it is moved into it no
 * farther than needed. Those that hold the whole shape come first, the nearest before the others.
 */
export function roomsFor(size, area, shape) {
  const [width, height] = [shape.right - shape.left, shape.bottom - shape.top];
  const [x, y] = [(shape.left + shape.right) / 2, (shape.top + shape.bottom) / 2];
  const inside = (at, start, end, length) => (end - start < length ? (start + end) / 2 : Math.max(start + length / 2, Math.min(at, end - length / 2)));
  const found = roomsBeside(size, area, [width, height]).map((room) => {
    const middle = [inside(x, room.left, room.right, width), inside(y, room.top, room.bottom, height)];
    const isWhole = room.right - room.left >= width && room.bottom - room.top >= height;
    return { middle, isWhole, far: Math.hypot(middle[0] - x, middle[1] - y) };
  });
  return [...found.filter((room) => room.isWhole).sort((a, b) => a.far - b.far), ...found.filter((room) => !room.isWhole)];
}
