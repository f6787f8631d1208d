"use strict";
// Clicks on a scan become calibration points or outlines, and those the lines of a map document.

const data = JSON.parse(document.getElementById("data").textContent);
const { words, places, corners, isGrid } = data;
const byId = new Map(places.map((place) => [place.id, place]));
const state = { mode: isGrid ? "points" : "outlines", points: [], rings: new Map(), clicks: [] };
const svg = document.querySelector("svg");
const chosen = document.getElementById("place");
const NEAR = 9; // pixels of the screen within which a click takes an existing corner
const MOVED = 5; // pixels after which a press is a drag
let view = { x: 0, y: 0, width: data.size[0], height: data.size[1] };

function draw(name, attributes = {}, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

function button(text, act) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = text;
  element.addEventListener("click", act);
  return element;
}

// --- the transform from the scan to the map: a similarity for two points, else the affine least-squares fit ---------

function fit(pairs) {
  if (pairs.length < 2) return null;
  if (pairs.length === 2) {
    const [[[ax, ay], [ux, uy]], [[bx, by], [vx, vy]]] = pairs;
    const [dx, dy, ex, ey] = [bx - ax, by - ay, vx - ux, vy - uy];
    const length = dx * dx + dy * dy;
    if (!length) return null;
    const [c, s] = [(dx * ex + dy * ey) / length, (dx * ey - dy * ex) / length];
    return [c, s, -s, c, ux - c * ax + s * ay, uy - s * ax - c * ay];
  }
  const mean = (read) => pairs.reduce((sum, pair) => sum + read(pair), 0) / pairs.length;
  const [mx, my] = [mean(([p]) => p[0]), mean(([p]) => p[1])];
  const sum = (read) => pairs.reduce((total, [p, q]) => total + read(p[0] - mx, p[1] - my, q), 0);
  const [xx, yy, xy] = [sum((x) => x * x), sum((x, y) => y * y), sum((x, y) => x * y)];
  const whole = xx * yy - xy * xy;
  if (whole <= 1e-9 * (xx * yy || 1)) return null;
  const row = (axis) => {
    const to = mean(([, q]) => q[axis]);
    const [xu, yu] = [sum((x, y, q) => x * (q[axis] - to)), sum((x, y, q) => y * (q[axis] - to))];
    const [a, c] = [(xu * yy - yu * xy) / whole, (yu * xx - xu * xy) / whole];
    return [a, c, to - a * mx - c * my];
  };
  const [[a, c, e], [b, d, f]] = [row(0), row(1)];
  return [a, b, c, d, e, f];
}

/** Return the location of a map point on the scan. */
function inverse([a, b, c, d, e, f], [x, y]) {
  const whole = a * d - b * c;
  return [(d * (x - e) - c * (y - f)) / whole, (a * (y - f) - b * (x - e)) / whole];
}

// --- what is shown -------------------------------------------------------------------------------------------------

function show() {
  svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
  const unit = view.width / svg.clientWidth;
  const parts = [draw("image", { href: data.source, width: data.size[0], height: data.size[1] })];
  if (state.mode === "points") {
    const matrix = fit(state.points.map(({ at, id }) => [at, byId.get(id).middle]));
    if (matrix && isGrid) {
      for (const { middle } of places) {
        const outline = corners.map(([x, y]) => inverse(matrix, [middle[0] + x, middle[1] + y]).join()).join(" ");
        parts.push(draw("polygon", { points: outline, class: "space", "stroke-width": unit * 1.5 }));
      }
    } else if (matrix) {
      for (const { middle } of places) {
        const [cx, cy] = inverse(matrix, middle);
        parts.push(draw("circle", { cx, cy, r: unit * 10, class: "space", "stroke-width": unit * 2 }));
      }
    }
    for (const { at, id } of state.points) parts.push(...mark(at, id, unit));
  } else {
    for (const [id, rings] of state.rings) {
      for (const ring of rings) {
        const look = id === chosen.value ? "ring now" : "ring";
        parts.push(draw("polygon", { points: ring.map((p) => p.join()).join(" "), class: look, "stroke-width": unit * 2 }));
        for (const [cx, cy] of ring) parts.push(draw("circle", { cx, cy, r: unit * 3, class: "at", "stroke-width": unit }));
      }
    }
  }
  svg.replaceChildren(...parts);
  document.getElementById("lines").value = lines();
  document.getElementById("help").textContent = `${words[`help_${state.mode}`]} ${words.zoom}`;
}

function mark([x, y], id, unit) {
  const cross = `M${x - unit * 9} ${y}h${unit * 18}M${x} ${y - unit * 9}v${unit * 18}`;
  const size = { "font-size": unit * 14, "stroke-width": unit * 3 };
  return [
    draw("path", { d: cross, class: "space", "stroke-width": unit * 2 }),
    draw("text", { x: x + unit * 10, y: y - unit * 6, ...size }, id),
  ];
}

const quoted = (id) => (/^[A-Za-z_][A-Za-z0-9_-]*$/.test(id) ? id : JSON.stringify(id));

function lines() {
  const image = /^[A-Za-z0-9_][A-Za-z0-9_./-]*$/.test(data.image) ? data.image : JSON.stringify(data.image);
  const found = ["drawing:", "  background:", `    image: ${image}`];
  if (state.points.length) found.push("    points:");
  for (const { at, id } of state.points) found.push(`      - {at: [${at.join(", ")}], place: ${quoted(id)}}`);
  const traced = [...state.rings].filter(([, rings]) => rings.some((ring) => ring.length > 2));
  if (traced.length) found.push("  areas:");
  for (const [id, rings] of traced) {
    const closed = rings.filter((ring) => ring.length > 2).map((ring) => `[${ring.map(([x, y]) => `[${x}, ${y}]`).join(", ")}]`);
    found.push(`    ${quoted(id)}:`, `      shape: ${closed.length > 1 ? `[${closed.join(", ")}]` : closed[0]}`);
  }
  return `${found.join("\n")}\n`;
}

// --- clicks --------------------------------------------------------------------------------------------------------

function inside(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [Math.round(point.x), Math.round(point.y)];
}

function clicked(at) {
  const id = chosen.value;
  if (!id) return;
  if (state.mode === "points") {
    const before = state.points.slice();
    state.clicks.push(() => (state.points = before));
    state.points = [...state.points.filter((point) => point.id !== id), { at, id }];
  } else {
    const rings = state.rings.get(id) ?? [[]];
    state.rings.set(id, rings);
    const ring = rings.at(-1);
    ring.push(snapped(at));
    state.clicks.push(() => ring.pop());
  }
  show();
}

/** Return the corner of another outline near a point, else the point. */
function snapped([x, y]) {
  const reach = (NEAR * view.width) / svg.clientWidth;
  const all = [...state.rings].filter(([id]) => id !== chosen.value).flatMap(([, rings]) => rings.flat());
  const far = (p) => Math.hypot(p[0] - x, p[1] - y);
  const near = all.filter((p) => far(p) <= reach).sort((p, q) => far(p) - far(q));
  return near[0] ?? [x, y];
}

let press = null;
svg.addEventListener("pointerdown", (event) => {
  press = { x: event.clientX, y: event.clientY, view: { ...view }, hasMoved: false };
  svg.setPointerCapture(event.pointerId);
});
svg.addEventListener("pointermove", (event) => {
  if (!press) return;
  const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
  press.hasMoved ||= Math.hypot(dx, dy) > MOVED;
  if (!press.hasMoved) return;
  const scale = svg.getScreenCTM().a;
  view = { ...view, x: press.view.x - dx / scale, y: press.view.y - dy / scale };
  svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
});
svg.addEventListener("pointerup", (event) => {
  if (press && !press.hasMoved) clicked(inside(event));
  press = null;
});
svg.addEventListener("wheel", (event) => {
  event.preventDefault();
  const [x, y] = inside(event);
  const by = Math.exp(event.deltaY * 0.0015);
  view = { x: x - (x - view.x) * by, y: y - (y - view.y) * by, width: view.width * by, height: view.height * by };
  show();
}, { passive: false });

// --- controls ------------------------------------------------------------------------------------------------------

for (const { id, name } of places) chosen.append(new Option(name === id ? id : `${id} — ${name}`, id));
chosen.addEventListener("change", show);
document.getElementById("which").textContent = words.place;
document.getElementById("told").textContent = words.result;
if (!isGrid) {
  for (const mode of ["outlines", "points"]) {
    document.getElementById("modes").append(button(words[mode], () => ((state.mode = mode), show())));
  }
}
document.getElementById("acts").append(
  button(words.undo, () => (state.clicks.pop()?.(), show())),
  ...(isGrid ? [] : [button(words.ring, () => (state.rings.get(chosen.value)?.push([]), show()))]),
  button(words.copy, () => navigator.clipboard?.writeText(lines())),
);
addEventListener("resize", show);
show();
