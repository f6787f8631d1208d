"""Shapes of maps and counters in SVG: text, patterns and signs; knows no rulesets.

Security: text from files passes only through `element` or `draw_text`, so that no name can become markup.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import cos, pi, sin

from interpreter.diagnostics.svg_markup import build_element, escape, format_coordinate, sanitize_text
from interpreter.diagnostics.terminal_text import count_fitting, has_wide, measure_cells

INK = "#2b2b2b"
GONE = "#8b0000"  # colour of pieces that were removed
FONT = "DejaVu Sans, Noto Sans, Noto Sans CJK JP, Helvetica, Arial, sans-serif"


def format_transform(x: float, y: float, zoom: float = 1.0) -> str:
    """Return an SVG transform that moves the origin to (x, y) and scales by `zoom` there."""
    scale = f"{zoom:.3f}".rstrip("0").rstrip(".")
    return f"translate({format_point((x, y))})" + (f" scale({scale})" if scale != "1" else "")


def draw_text(text: str, x: float, y: float, size: float, /, **attributes: object) -> str:
    """Draw a line of text whose base line is at `y`, centred on `x` by default.

    `attributes`: further attributes of the element, which override the default ones.
    """
    stated = {"text_anchor": "middle", "fill": INK, **attributes}
    if stated.get("font_style") == "italic" and has_wide(text):
        del stated["font_style"]  # fonts have no slanted Japanese letters
    return build_element("text", escape(sanitize_text(text)), x=x, y=y, font_size=size, **stated)


def draw_haloed_text(text: str, x: float, y: float, size: float, /, **attributes: object) -> str:
    """Draw a line of text with a light halo, readable on any ground; the parameters are as for `draw_text`."""
    rim = {"stroke": "#ffffff", "stroke_width": size / 4, "stroke_linejoin": "round", "stroke_opacity": "0.8"}
    behind = {**attributes, **rim, "class_": "rim"}
    return draw_text(text, x, y, size, **behind) + draw_text(text, x, y, size, **attributes)


def truncate_text(text: str, cells: int) -> str:
    """Truncate text to a number of character cells, with an ellipsis if something is missing."""
    text = sanitize_text(text)
    if measure_cells(text) <= cells:
        return text
    return text[: count_fitting(text, cells - 1)].rstrip() + "…"


_NARROW = frozenset("iljftrI.,:;!'|()[]-·/ ")
_BROAD = frozenset("mwMW@%")


def estimate_text_width(text: str, size: float, narrow: float = 1.0) -> float:
    """Estimate the width of a line of bold text in pixels, without font metrics.

    `narrow`: the width of letters relative to bold sans ones; double-width characters are square in every font.
    """
    wide = sum(measure_cells(c) > 1 for c in text) if has_wide(text) else 0
    letters = sum(0.42 if c in _NARROW else 1.0 if c in _BROAD else 0.7 for c in text)
    return size * (narrow * (letters - 0.7 * wide) + wide)


def fit_font_size(text: str, widest: float, size: float) -> float:
    """Return the largest font size, up to `size`, at which a line of text fits into the width."""
    return min(size, widest / max(0.1, estimate_text_width(text, 1.0)))


_THIN = 0.9  # width of regular letters relative to bold ones
_LINE = 1.12  # line height relative to the font size
_LETTERS = 40  # characters of a name before it is truncated
_GAIN = 1.02  # factor by which the font has to grow to justify another line
_LARGE_GAIN = 1.2  # the same factor for breaking inside a word
_MAX_LINES = 3  # lines of a broken text
_BREAKS = r"[^\s・＝-]*[・＝-]+\s*|[^\s・＝-]+\s*"  # parts of a text that may start a line
_LETTER = ".[ぁぃぅぇぉっゃゅょァィゥェォッャュョー、。）」]*"  # a character with those that may not start a line


def draw_lines(
    text: str, x: float, middle: float, box: tuple[float, float], largest: float, /, **attributes: object
) -> str:
    """Draw text around (`x`, `middle`), broken into the lines that allow the largest font in a box.

    `box`: width and height in pixels; `largest`: the largest font size.
    """
    broken, size = break_lines(truncate_text(text, _LETTERS), box, largest, "font_weight" in attributes)
    first = middle - (len(broken) - 1) * size * _LINE / 2 + size * 0.36
    return "".join(draw_text(line, x, first + n * size * _LINE, size, **attributes) for n, line in enumerate(broken))


def break_lines(text: str, box: tuple[float, float], largest: float, is_bold: bool = False) -> tuple[list[str], float]:
    """Return the lines of a text that fill a box best, and their font size.

    Breaks at blanks and after hyphens and points, or (double-width text) anywhere if that gains much size. `box`:
    width and height in pixels; `largest`: the largest font size.
    """
    parts = [m[0] for m in re.finditer(_BREAKS, text)] or [text]
    gain = _GAIN
    if len(parts) == 1 and measure_cells(text) > len(text):
        parts, gain = re.findall(_LETTER, text), _LARGE_GAIN
    best: tuple[float, float, list[str]] | None = None
    for number in range(1, min(_MAX_LINES, len(parts)) + 1):
        candidate: tuple[float, float, list[str]] | None = None
        for breaks in combinations(range(1, len(parts)), number - 1):
            lines = ["".join(parts[a:b]).strip() for a, b in zip((0, *breaks), (*breaks, len(parts)), strict=True)]
            widest = max(estimate_text_width(line, 1.0) if is_bold else _estimate_thin_width(line) for line in lines)
            size = min(largest, box[0] / max(widest, 0.1), box[1] / (1 + (number - 1) * _LINE))
            if candidate is None or (size, -widest) > (candidate[0], -candidate[1]):
                candidate = (size, widest, lines)
        if candidate is not None and (best is None or candidate[0] > best[0] * gain):
            best = candidate
    assert best is not None
    return best[2], best[0]


@lru_cache(4096)  # names repeat on many spaces
def _estimate_thin_width(text: str) -> float:
    """Estimate the width of a line of regular text in units of its font size; double-width characters are square."""
    return estimate_text_width(text, 1.0, _THIN)


def format_point(point: tuple[float, float]) -> str:
    """Format a point as "x y" for an SVG path."""
    return f"{format_coordinate(point[0])} {format_coordinate(point[1])}"


def format_path(points: Sequence[tuple[float, float]], close: bool = False) -> str:
    """Return the `d` attribute of a line through points; `close` joins the last to the first."""
    return "M" + "L".join(map(format_point, points)) + ("Z" if close else "")


def format_dash_array(stroke: str, width: float) -> str | None:
    """Return the SVG dash array for a stroke "dashed" or "dotted", or None for any other."""
    return {
        "dashed": f"{format_coordinate(width * 2.5)} {format_coordinate(width * 1.8)}",
        "dotted": f"0.1 {format_coordinate(width * 2)}",
    }.get(stroke)


def draw_pattern(name: str) -> str:
    """Draw the tile of a pattern, to be laid over a colour; its id is the name."""
    draw = {"fill": "none", "stroke": INK, "stroke_opacity": "0.45", "stroke_width": 1.2}
    tiles = {
        "dots": build_element("circle", cx=5, cy=5, r=1.3, fill=INK, fill_opacity="0.4"),
        "circles": build_element("circle", cx=6, cy=6, r=3.6, fill="#2e5d2e", fill_opacity="0.45")
        + build_element("circle", cx=14, cy=14, r=3.6, fill="#2e5d2e", fill_opacity="0.45"),
        "dashes": build_element("path", d="M2 5h8M12 13h8", **draw),
        "waves": build_element("path", d="M0 6q5 -5 10 0t10 0", **draw),
        "lines": build_element("path", d="M0 10L10 0M-2 2L2 -2M8 12L12 8", **draw),
        "blocks": build_element("path", d="M2 2h7v6h-7zM12 10h6v7h-6z", fill="#7a2f22", fill_opacity="0.75"),
        "chevrons": build_element("path", d="M1 9l4 -5l4 5", **draw),
    }
    size = {"dots": 10, "lines": 10, "chevrons": 10}.get(name, 20)
    return build_element(
        "pattern", tiles[name], id=f"pattern-{name}", width=size, height=size, patternUnits="userSpaceOnUse"
    )


def draw_sign(name: str, x: float, y: float, wide: float, high: float, colour: str = INK) -> str:
    """Draw a sign in a frame whose upper left corner is at (x, y), `wide` and `high` pixels large.

    An unknown name gives the frame only.
    """
    frame = build_element("rect", x=x, y=y, width=wide, height=high, fill="#ffffff", stroke=colour, stroke_width=1.2)
    line = {"fill": "none", "stroke": colour, "stroke_width": 1.4}
    mx, my, r = x + wide / 2, y + high / 2, high * 0.3
    left, right, top, low = x, x + wide, y, y + high
    if name == "cross":
        diagonals = format_path([(left, top), (right, low)]) + format_path([(left, low), (right, top)])
        return frame + build_element("path", d=diagonals, **line)
    if name == "slash":
        return frame + build_element("path", d=format_path([(left, low), (right, top)]), **line)
    if name == "dot":
        return frame + build_element("circle", cx=mx, cy=my, r=r * 0.9, fill=colour)
    if name == "ring":
        return frame + build_element("circle", cx=mx, cy=my, r=r, **line)
    if name == "bar":
        return frame + build_element("path", d=format_path([(mx, top), (mx, low)]), **line)
    if name == "triangle":
        outline = format_path([(mx - r, my + r), (mx, my - r), (mx + r, my + r)], True)
        return frame + build_element("path", d=outline, fill=colour)
    if name == "square":
        return frame + build_element("rect", x=mx - r, y=my - r, width=2 * r, height=2 * r, fill=colour)
    if name == "star":
        return frame + build_element("path", d=build_star_path(mx, my, r * 1.3), fill=colour)
    return frame


def build_star_path(x: float, y: float, radius: float, points: int = 5, inner: float = 0.42) -> str:
    """Return the SVG path of a star around (x, y).

    `points`: how many points it has; `inner`: the radius of the corners between them, as a share of `radius`.
    """
    turns = [(n * pi / points - pi / 2, radius if n % 2 == 0 else radius * inner) for n in range(2 * points)]
    return format_path([(x + distance * cos(turn), y + distance * sin(turn)) for turn, distance in turns], True)
