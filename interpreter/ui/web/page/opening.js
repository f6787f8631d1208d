// Where the map opens: at playing zoom on the front, that is, where counters of different sides are nearest.

const COUNTER = 56; // pixels of a counter at playing zoom
const COUNTER_NARROW = 44;
const SHARE = { grid: 0.3, areas: 0.55 }; // least share of the map's width or height that is in view

/** Return the middle between the nearest counters of different sides, those that can be ordered before others. */
export function front(pieces) {
  const here = pieces.filter((piece) => piece.at && piece.side);
  const able = here.filter((piece) => piece.orderable);
  let best = null;
  for (const a of able.length ? able : here) {
    for (const b of here) {
      const far = a.side === b.side ? Infinity : Math.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]);
      if (!best || far < best.far) best = { far, middle: [(a.at[0] * 2 + b.at[0]) / 3, (a.at[1] * 2 + b.at[1]) / 3] };
    }
  }
  return best && best.far < Infinity ? best.middle : (able[0] ?? here[0] ?? pieces.find((piece) => piece.at))?.at ?? null;
}

/** Return the width of most counters on the map, in its units; 0 if there is none. */
export function usualSize(pieces) {
  const sizes = pieces.filter((piece) => piece.at).map((piece) => piece.size);
  return sizes.sort((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? 0;
}

/** Return the scale of the camera at which a counter has its playing size, and some of the map is still in view. */
export function playingScale(pieces, camera, isGrid) {
  const usual = usualSize(pieces);
  if (!usual) return 1;
  const wanted = window.innerWidth <= 640 ? COUNTER_NARROW : COUNTER;
  const fit = camera.magnification() / camera.scale;
  return Math.min(wanted / (usual * fit), 1 / SHARE[isGrid ? "grid" : "areas"]);
}
