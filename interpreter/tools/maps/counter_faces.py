"""Draw the face of a counter: body, band with its name, sign, figures, steps, facing and markers of its condition.

Faces are drawn around (0, 0) with sides of `FACE` units; the caller scales and places them. All colours that belong to
no ruleset come from `counters.css`, so that a counter looks alike in pictures, reports and the page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import cos, radians, sin

from interpreter.diagnostics.svg_markup import build_element, escape, format_coordinate, sanitize_text
from interpreter.diagnostics.terminal_text import has_wide, measure_cells
from interpreter.model.drawing import MarkerStyle
from interpreter.tools.maps.areas.tones import parse_rgb
from interpreter.tools.maps.counter_signs import draw_fold, draw_hatching, draw_marker, draw_portrait, draw_sign_box
from interpreter.tools.maps.shapes import (
    break_lines,
    build_star_path,
    estimate_text_width,
    format_path,
    format_transform,
    truncate_text,
)

FACE = 63.0  # side of a counter in units of its drawing
_HALF = FACE / 2
_CONDENSED = 0.86  # width of the letters of counters relative to those that `estimate_text_width` estimates
_NARROWEST = 0.74  # share to which a name may be squeezed
_NARROWEST_WIDE = 0.62  # the same for square letters, which have more space in them
_BAND = 11.9  # height of the band
_LETTERS = 40
_MAX_MARKERS = 3
_SLOTS = ((27.0, -9.0), (27.0, 10.0), (-27.0, -9.0))
_TIP = 47.0  # distance of the point of a facing mark from the middle, where a hex has a corner
_SIDE_TIP = 41.5  # the same distance where a hex has a side

_ROUND = (
    "M-24.5-31.5H24.5A7 7 0 0 1 31.5-24.5V24.5A7 7 0 0 1 24.5 31.5H-24.5A7 7 0 0 1-31.5 24.5V-24.5A7 7 0 0 1-24.5-31.5Z"
)
_CUT = "M-24-31.5H24L31.5-24V24L24 31.5H-24L-31.5 24V-24Z"
# the same shapes twice, further down to the right
_ROUND_SHADE = (
    "M-23.1-29.5H25.9A7 7 0 0 1 32.9-22.5V26.5A7 7 0 0 1 25.9 33.5H-23.1A7 7 0 0 1-30.1 26.5V-22.5A7 7 0 0 1-23.1-29.5Z"
    "M-21.7-27.5H27.3A7 7 0 0 1 34.3-20.5V28.5A7 7 0 0 1 27.3 35.5H-21.7A7 7 0 0 1-28.7 28.5V-20.5A7 7 0 0 1-21.7-27.5Z"
)
_CUT_SHADE = (
    "M-22.6-29.5H25.4L32.9-22V26L25.4 33.5H-22.6L-30.1 26V-22ZM-21.2-27.5H26.8L34.3-20V28L26.8 35.5H-21.2L-28.7 28V-20Z"
)
_ROUND_BAND = "M-24.4-31H24.4A6.6 6.6 0 0 1 31-24.5V-19.6H-31V-24.5A6.6 6.6 0 0 1-24.4-31Z"
_CUT_BAND = "M-23.8-31H23.8L31-23.8V-19.6H-31V-23.8Z"


@dataclass(frozen=True, slots=True)
class Figure:
    """A value on a counter: its displayed name, its text, and the frame around it ("" for none)."""

    name: str
    text: str
    frame: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that a counter shows: its marker, what it means in words, and the letter for text output."""

    style: MarkerStyle
    words: str
    letter: str


@dataclass(frozen=True, slots=True)
class Face:
    """The content of a counter's face.

    `colour`: the colour of its side; `is_cut`: corners are cut instead of round, a second sign of the side. `letter`:
    the letter of its side, for pieces without a name. `band`: the colour of the stripe, "" for none; `sign`: the name
    of its sign, "" for none. `count`: the number of pieces in the pile. `steps`: (steps left, all steps), or None.
    `facing`: degrees clockwise from the top, or None; `is_to_side` if it points at a side, not at a corner, of its
    space. `form`: "medal" for a round counter, else a square one.
    """

    name: str
    colour: str
    is_cut: bool
    letter: str
    band: str
    sign: str
    figures: tuple[Figure, ...]
    conditions: tuple[Condition, ...]
    count: int
    steps: tuple[int, int] | None
    facing: float | None
    is_to_side: bool
    form: str


@cache
def render_counter_css() -> str:
    """Return the CSS rules of counters."""
    css = resources.files(__package__).joinpath("counters.css").read_text(encoding="utf-8")
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    return re.sub(r"\s*([{};:,])\s*", r"\1", re.sub(r"\s+", " ", css)).strip()


def choose_ink(colour: str) -> str:
    """Return black or white, whichever contrasts better with a colour."""
    red, green, blue = parse_rgb(colour)
    return "#ffffff" if 0.299 * red + 0.587 * green + 0.114 * blue < 150 else "#1c1c1c"


def _choose_letter_tone(colour: str) -> str:
    """Return "light" or "dark", the tone of letters on a colour."""
    return "light" if choose_ink(colour) == "#ffffff" else "dark"


def draw_front(face: Face) -> str:
    """Draw a face without its facing mark."""
    return _draw_medal(face) if face.form == "medal" else _draw_square(face)


def draw_facing(face: Face) -> str:
    """Draw a chevron outside the counter in the direction of its facing; "" without a facing or for a medal."""
    if face.facing is None or any(condition.style.sign == "flag" for condition in face.conditions):
        return ""
    if face.is_to_side:
        points = [(-20.0, -_SIDE_TIP + 4.4), (0.0, -_SIDE_TIP), (20.0, -_SIDE_TIP + 4.4)]
    else:
        points = [(-18.6, -_TIP + 10.75), (0.0, -_TIP), (18.6, -_TIP + 10.75)]
    turn = radians(face.facing)
    turned = format_path([(x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)) for x, y in points])
    shapes = build_element("path", class_="c-arrow-rim", d=turned) + build_element("path", class_="c-arrow", d=turned)
    return build_element("g", shapes, class_="arrow")


def draw_count(count: int) -> str:
    """Draw a number: how many counters are in a pile."""
    disc = build_element("circle", class_="c-count", cx=29, cy=30, r=8.4)
    return build_element("g", disc + _draw_text(f"×{count}", "c-light", 33.4, 9.5, 29.0), class_="c-pile")


def _draw_text(text: str, look: str, y: float, size: float, x: float | None = None, squeezed: float = 0.0) -> str:
    """Draw a centred line of text; `look`: its classes; `squeezed`: the width to squeeze it to, 0 for its own."""
    stretch = {"textLength": squeezed, "lengthAdjust": "spacingAndGlyphs"} if squeezed else {}
    text = escape(sanitize_text(text))
    return build_element("text", text, class_=f"c-text {look}", x=x, y=y, font_size=size, **stretch)


def draw_edge(face: Face) -> str:
    """Draw the body of a counter alone: its edge if it lies beneath others."""
    shape = _CUT if face.is_cut else _ROUND
    shade = build_element("path", class_="c-shade", d=_CUT_SHADE if face.is_cut else _ROUND_SHADE)
    bevel = build_element("path", class_="c-lit", d="M-29.6 24V-23L-23.5-29.6H23") + build_element(
        "path", class_="c-deep", d="M-23.5 30.2H23.5L30.2 23.5V-23"
    )
    return shade + build_element("path", class_="c-body", d=shape, fill=face.colour) + bevel


def _draw_square(face: Face) -> str:
    tone = _choose_letter_tone(face.colour)
    parts = [draw_edge(face), *_draw_title(face, tone)]
    if face.sign:
        parts.append(draw_sign_box(face.sign, -4.6))
    if face.steps is not None:
        parts.append(_draw_steps(*face.steps, tone))
    covers = [condition.style.sign for condition in face.conditions if condition.style.sign in ("corner", "dim")]
    if covers:
        cover = "c-dim" if "dim" in covers else "c-spent"
        parts.append(build_element("path", class_=cover, d=_CUT if face.is_cut else _ROUND))
    if "dim" in covers:
        parts.append(draw_hatching(_HALF))
    parts.append(_draw_figures(face, tone, "corner" in covers))
    if "corner" in covers:
        parts.append(draw_fold(_HALF + 0.4, _HALF + 0.4, 12.0))
    parts += draw_markers(face)
    return "".join(parts)


def _draw_title(face: Face, tone: str) -> list[str]:
    """Draw the band and the name at the top of a face; without a sign the name fills the upper part.

    `tone`: "light" or "dark", the colour of the letters.
    """
    name = face.name or face.letter
    parts = []
    if face.band:
        parts.append(
            build_element("path", class_="c-band", d=_CUT_BAND if face.is_cut else _ROUND_BAND, fill=face.band)
        )
        tone = _choose_letter_tone(face.band)
    if not name:
        return parts
    if not face.name and face.sign and not face.band:
        return [*parts, _draw_text(name, f"c-name c-{tone}", -19.0, 12.0, 6.0 * len(name) - 28)]
    if face.sign or face.band:
        text, size, squeezed = fit_name(name, 54.0)
        parts.append(_draw_text(text, f"c-name c-{tone}", -22.6, size, squeezed=squeezed))
    else:
        box = (56.0, 34.0 if face.figures or face.count > 1 else 54.0)
        lines, size = break_lines(truncate_text(name, _LETTERS), box, 13.0, is_bold=True)
        middle = -12.0 if face.figures or face.count > 1 else 0.0
        first = middle - (len(lines) - 1) * size * 1.12 / 2 + size * 0.36
        for n, line in enumerate(lines):
            parts.append(_draw_text(line, f"c-name c-{tone}", first + n * size * 1.12, size))
    return parts


def fit_name(name: str, width: float) -> tuple[str, float, float]:
    """Return (text, font size, width to squeeze the text to, or 0) for a name, so that it fits into a width.

    Shrinks first, then squeezes, then drops text in brackets and final words.
    """
    narrowest = _NARROWEST_WIDE if has_wide(name) else _NARROWEST
    for size in (8.4, 7.6, 6.9):
        if estimate_text_width(name, size, _CONDENSED) <= width:
            return sanitize_text(name), size, 0.0
    words = re.sub(r"\s*[(（].*?[)）]", "", name).split() or [name]
    while len(words) > 1 and estimate_text_width(" ".join(words), 6.9, _CONDENSED) * narrowest > width:
        words.pop()
    if len(words) > 2 and len(words[-1]) < 3 and words[-1].islower():
        words.pop()
    text = " ".join(words)
    estimated = estimate_text_width(text, 6.9, _CONDENSED)
    if estimated <= width:
        return sanitize_text(text), 6.9, 0.0
    if estimated * narrowest > width:
        cells = measure_cells(text)
        return truncate_text(text, max(4, int(cells * width / (estimated * narrowest)))), 6.9, width
    return sanitize_text(text), 6.9, width


def _draw_steps(remaining: int, total: int, tone: str) -> str:
    """Draw a dot for each of the `total` steps, at most four, from the bottom; the dots above `remaining` are hollow.

    `tone`: "light" or "dark", the colour of the dots.
    """
    count = min(total, 4)
    parts = []
    for n in range(count):
        middle = {"cx": -24.2, "cy": 2.4 - n * 7.2}
        look, radius = (f"c-{tone}", 2.5) if n < remaining else (f"c-pip-lost c-line-{tone}", 2.2)
        parts.append(build_element("circle", class_=look, r=radius, **middle))
    return "".join(parts)


def _draw_figures(face: Face, tone: str, has_corner: bool) -> str:
    """Draw the row of figures at the bottom of a face: the first largest, the last at the right.

    `tone`: "light" or "dark", the colour of the text; `has_corner`: the lower right corner is taken.
    """
    figures = list(face.figures)
    if face.count > 1:
        figures.insert(0, Figure("", f"×{face.count}"))
    if not figures:
        return ""
    is_reduced = face.steps is not None and face.steps[0] < face.steps[1]
    count = len(figures)
    if count == 1:
        spots, sizes, room = [0.0], [20.0], 54.0
    elif count <= 3:
        spots, sizes, room = [-19.0, 0.0, 17.5], [20.0, 14.5, 16.5], 20.0
        if count == 2:
            spots, sizes, room = [-17.0, 17.0], [20.0, 16.5], 27.0
    else:
        step = 50.0 / (count - 1)
        spots, sizes, room = [-25.0 + step * n for n in range(count)], [15.0] * count, step
    parts = []
    for n, (figure, x, largest) in enumerate(zip(figures, spots, sizes, strict=False)):
        size = min(largest, room / max(0.4, estimate_text_width(figure.text, 1.0, _CONDENSED)))
        if has_corner and n == count - 1 and count > 1:
            x -= 3.5
        look = f"c-short{'-dark' if tone == 'dark' else ''}" if is_reduced and n == 0 else f"c-{tone}"
        if figure.frame in ("shield", "disc", "box"):
            parts.append(_draw_frame(figure.frame, x))
            look = "c-light"
        elif figure.frame == "move" and not has_corner:
            arrow = format_path([(x + 6.6, 15.4), (x + 10.8, 20.0), (x + 6.6, 24.6)])
            parts.append(build_element("path", class_=f"c-move c-line-{tone}", d=arrow))
        parts.append(_draw_text("–" if figure.text == "-" else figure.text, look, 19.0 + size * 0.36, size, x))
    return "".join(parts)


def _draw_frame(frame: str, x: float) -> str:
    """Draw the frame "shield", "disc" or "box" of a figure around `x`."""
    if frame == "disc":
        return build_element("circle", class_="c-frame", cx=x, cy=19.0, r=9.2)
    if frame == "box":
        return build_element("rect", class_="c-frame", x=x - 8.5, y=10.5, width=17, height=17)
    shield = f"M{format_coordinate(x)} 18.8m-8.2-8.6h16.4v9.6c0 5-4.2 7.8-8.2 9.8-4-2-8.2-4.8-8.2-9.8z"
    return build_element("path", class_="c-frame", d=shield)


def draw_markers(face: Face) -> list[str]:
    """Draw the markers of a counter's conditions, each in a separate slot, up to a limit."""
    markers = [
        (marker, condition)
        for condition in face.conditions
        if (marker := draw_marker(condition.style, condition.letter))
    ]
    parts = []
    for (marker, condition), (x, y) in zip(markers[:_MAX_MARKERS], _SLOTS, strict=False):
        parts.append(_draw_titled(marker, condition, format_transform(x, y)))
    return parts


def _draw_titled(marker: str, condition: Condition, transform: str | None) -> str:
    """Return a marker with a tooltip that says what its condition means; `marker`: its markup."""
    title = build_element("title", escape(sanitize_text(condition.words)))
    return build_element("g", title + marker, transform=transform, class_="marker")


def _draw_medal(face: Face) -> str:
    """Draw a round counter with a portrait: a gilt rim, a ribbon with the name, figures at both sides."""
    parts = [
        build_element("circle", class_="c-shade", cx=1.6, cy=2.6, r=26.5),
        build_element("circle", class_="c-gold", r=24.5),
        build_element("circle", class_="c-rim", r=22.6),
        build_element("circle", r=20.4, fill=face.colour),
        draw_portrait(face.sign),
    ]
    stars = [condition for condition in face.conditions if condition.style.sign == "star"]
    if stars:
        parts.append(build_element("path", class_="c-star", d=build_star_path(0, -24, 6.8)))
    details = []
    if face.name:
        text, size, squeezed = fit_name(face.name, 50.0)
        width = max(34.0, min(58.0, estimate_text_width(text, size, _CONDENSED) + 8))
        across = format_coordinate(width)
        ribbon = f"M{format_coordinate(-width / 2)} 11.5h{across}l-4 6 4 6h-{across}l4-6z"
        details.append(build_element("path", class_="c-ribbon", d=ribbon))
        details.append(_draw_text(text, "c-name c-dark", 20.2, size, squeezed=squeezed))
    tone = _choose_letter_tone(face.colour)
    shield = "M0-9.5 8-3.4 5 6.5H-5L-8-3.4Z"
    for n, figure in enumerate(face.figures[:3]):
        x, y = ((-25.0, -4.0), (25.0, -4.0), (25.0, -21.0))[n]
        plate = (
            build_element("path", class_="c-disc", d=shield, fill=face.colour)
            if n == 0
            else build_element("circle", class_="c-disc", r=8.3, fill=face.colour)
        )
        size = min(11.0, 14 / max(0.5, estimate_text_width(figure.text, 1.0)))
        text = _draw_text(figure.text, f"c-{tone}", 4.0, size)
        details.append(build_element("g", plate + text, transform=format_transform(x, y)))
    parts.append(build_element("g", details, class_="c-detail"))
    others = [condition for condition in face.conditions if condition.style.sign != "star"]
    for n, condition in enumerate(others[:2]):
        cover = "c-dim" if condition.style.sign == "dim" else "c-spent"
        marker = draw_marker(condition.style, condition.letter) or build_element("circle", class_=cover, r=24.5)
        is_cover = condition.style.sign in ("corner", "dim")
        transform = None if is_cover else f"translate({format_coordinate(18.0 - 36 * n)} 26) scale(.8)"
        parts.append(_draw_titled(marker, condition, transform))
    return "".join(parts)
