// Colours of the sides as CSS variables of `[data-side]`: counter colour, readable ink and tint, for light and dark.

const ENOUGH = 4.6; // contrast of text, a little above the 4.5 to 1 that guidelines ask for
const THEMES = { light: [[250, 248, 243], [0, 0, 0], 0.13], dark: [[34, 38, 42], [255, 255, 255], 0.2] };

/** Parse any CSS colour as red, green and blue from 0 to 255. */
function parseColour(colour) {
  const probe = document.createElement("i");
  probe.style.color = colour;
  document.body.append(probe);
  const numbers = getComputedStyle(probe).color.match(/[\d.]+/g) ?? [128, 128, 128];
  probe.remove();
  return numbers.slice(0, 3).map(Number);
}

function mixColours(a, b, share) {
  return a.map((x, n) => Math.round(x + (b[n] - x) * share));
}

function luminance(colour) {
  const [r, g, b] = colour.map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

/** Mix a colour with black or white until it can be read on a surface. */
function makeReadable(colour, surface, towards) {
  for (let share = 0; share < 1; share += 0.05) {
    const ink = mixColours(colour, towards, share);
    if (contrast(ink, surface) >= ENOUGH) return ink;
  }
  return towards;
}

/** Add a style sheet that gives every element with `data-side` the colours of that side. */
export function paintSides(sides) {
  const css = (rgb) => `rgb(${rgb.join(" ")})`;
  const rule = (side, [surface, towards, tint]) => {
    const colour = parseColour(side.colour);
    const soft = mixColours(surface, colour, tint);
    const on = contrast(colour, [255, 255, 255]) >= 3 ? [255, 255, 255] : [0, 0, 0];
    const colours = { side: colour, "side-ink": makeReadable(colour, soft, towards), "side-soft": soft, "on-side": on };
    const lines = Object.entries(colours).map(([name, rgb]) => `--${name}: ${css(rgb)};`);
    return `[data-side="${CSS.escape(side.id)}"] { ${lines.join(" ")} }`;
  };
  const of = (theme) => sides.map((side) => rule(side, THEMES[theme])).join("\n");
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${of("light")}\n@media (prefers-color-scheme: dark) {\n${of("dark")}\n}`);
  document.adoptedStyleSheets = [sheet];
}
