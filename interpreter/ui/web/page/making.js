// Element factory. Text always becomes a text node, so nothing in a ruleset or game can inject markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** Create an HTML element. */
export function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Create an SVG element. */
export function draw(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** Create a shape with the outline of another one. */
export function copyOutline(shape, attributes = {}) {
  const key = shape.tagName === "path" ? "d" : "points";
  return draw(shape.tagName, { [key]: shape.getAttribute(key), ...attributes });
}

export const SIDE = 44; // units of the picture of a counter

/** Move a counter to a point of the map, with sides of a length. */
export function putCounter(group, [x, y], size) {
  const where = `translate(${x} ${y}) scale(${size / SIDE})`;
  if (group.getAttribute("transform") !== where) group.setAttribute("transform", where);
}

/** Import an SVG drawing of the server into this page. */
export function parseDrawing(text) {
  const parsed = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${text}</svg>`, "image/svg+xml");
  return document.importNode(parsed.documentElement.firstElementChild, true);
}

/** Set a text only if it differs, so that screen readers do not repeat it. */
export function tell(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
