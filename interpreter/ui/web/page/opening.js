// Where the map opens: at playing zoom on the front, that is, where counters of different sides are nearest.

const COUNTER = 56; // pixels of a counter at playing zoom
const COUNTER_NARROW = 44;
const READABLE = 40; // least pixels of a counter at which a map that fits opens whole
const READABLE_NARROW = 22;
const INSIDE = 0.03; // share of the view by which a counter must be inside it to be seen whole
const EDGE = 0.06; // share of the view between its edge and the outermost counter
const NEAR = 0.25; // share of the view between its edge and the front
const SHARE = { grid: 0.3, areas: 0.55 }; // least share of the map's width or height that is in view

/**
 * Return the counters on the map that an order is about: those that can be ordered, else those that the question names,
 * else those of the side that decides.
 */
export function acting({ pieces, decision }) {
  const here = pieces.filter((piece) => piece.at && piece.side);
  const choices = [(piece) => piece.orderable, (piece) => decision?.about.includes(piece.id), (piece) => piece.side === decision?.side];
  return choices.map((holds) => here.filter(holds)).find((found) => found.length) ?? [];
}

/** Return the middle between the nearest counters of different sides, those in `able` before others. */
export function front(pieces, able = []) {
  const here = pieces.filter((piece) => piece.at && piece.side);
  let best = null;
  for (const a of able.length ? able : here) {
    for (const b of here) {
      const far = a.side === b.side ? Infinity : Math.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]);
      if (!best || far < best.far) best = { far, middle: [(a.at[0] * 2 + b.at[0]) / 3, (a.at[1] * 2 + b.at[1]) / 3] };
    }
  }
  return best && best.far < Infinity ? best.middle : (able[0] ?? here[0] ?? pieces.find((piece) => piece.at))?.at ?? null;
}

/**
 * Return the middle of a view of a size in which most counters lie, those that can be ordered first, and a point, which
 * keeps a quarter of the view as its distance from the edges.
 */
export function viewAround([x, y], [wide, high], pieces) {
  const here = pieces.filter((piece) => piece.at && piece.side);
  const weighs = (piece) => (piece.orderable ? 2 : 1);
  let [left, top] = [x - wide / 2, y - high / 2];
  const isSeen = (at, start, length) => at - start > INSIDE * length && start + length - at > INSIDE * length;
  const starts = (axis, at, length) => {
    const ends = here.flatMap((piece) => [piece.at[axis] - EDGE * length, piece.at[axis] - (1 - EDGE) * length]);
    return [at - length / 2, ...ends.filter((start) => start >= at - (1 - NEAR) * length && start <= at - NEAR * length)];
  };
  const weight = (startX, startY) => here.reduce((sum, piece) => sum + (isSeen(piece.at[0], startX, wide) && isSeen(piece.at[1], startY, high) ? weighs(piece) : 0), 0);
  const best = (all, worth) => all.reduce((one, other) => (worth(other) > worth(one) ? other : one));
  for (let turn = 0; turn < 2; turn += 1) {
    top = best(starts(1, y, high), (start) => weight(left, start));
    left = best(starts(0, x, wide), (start) => weight(start, top));
  }
  return [left + wide / 2, top + high / 2];
}

/** Return the width of most counters on the map, in its units; 0 if the map has none. */
export function usualSize(pieces) {
  const sizes = pieces.filter((piece) => piece.at).map((piece) => piece.size);
  return sizes.sort((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? 0;
}

/** Return the scale of the camera at which a counter has its playing size, or 1 if all of the map can be read at once. */
export function playingScale(pieces, camera, isGrid) {
  const usual = usualSize(pieces);
  if (!usual) return 1;
  const isNarrow = window.innerWidth <= 640;
  const wanted = isNarrow ? COUNTER_NARROW : COUNTER;
  const fit = camera.magnification() / camera.scale;
  const [wide, high] = camera.visibleSize(1);
  const isWhole = wide >= camera.width && high >= camera.height;
  if (isWhole && usual * fit >= (isNarrow ? READABLE_NARROW : READABLE)) return 1;
  return Math.min(wanted / (usual * fit), 1 / SHARE[isGrid ? "grid" : "areas"]);
}
