"""Furniture of an area map: the frame with its numbers, and the panel with title, key and scale bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from interpreter.diagnostics.svg_markup import build_element, format_coordinate
from interpreter.model.area_drawing import Point, ScaleBar, SheetStyle
from interpreter.tools.maps.areas.lettering import BOLD, ITALIC, TextLook, compute_fitting_size, draw_line_of_text
from interpreter.tools.maps.areas.plan import FRAME
from interpreter.tools.maps.areas.tones import format_tone
from interpreter.tools.maps.shapes import build_star_path, format_transform

_NUMBERED_EVERY = 5  # numbers of the frame that are written: multiples of this
PANEL = 250.0  # width of the panel, in pixels
_ROW = 26.0
_LETTER = 13.5


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """A row of the key: a sign drawn around (0, 0), at most 30 pixels wide, and what it means."""

    sign: str
    words: str


def draw_frame(size: Point, m: float, sheet: SheetStyle) -> str:
    """Draw the frame of a sheet, `m` pixels wide, with bars and numbers if the style states ticks.

    `size`: the width and height of the sheet.
    """
    width, height = size
    hole = (
        f"M0 0H{format_coordinate(width)}V{format_coordinate(height)}H0zM{format_coordinate(m)} {format_coordinate(m)}"
    )
    hole += f"V{format_coordinate(height - m)}H{format_coordinate(width - m)}V{format_coordinate(m)}z"
    parts = [build_element("path", d=hole, **format_tone("plate"))]
    bars = [_draw_bars(side, marks, size) for side, marks in sorted(sheet.ticks.items())]
    parts.append(build_element("g", bars, **format_tone("frame")))
    lines = [
        _draw_rectangle(m, size, 1.4),
        _draw_rectangle(m - 7 if sheet.ticks else m - 4, size, 0.8),
        _draw_rectangle(4, size, 2.6),
    ]
    parts.append(build_element("g", lines, **format_tone("none", "frame")))
    for side, marks in sorted(sheet.ticks.items()):
        parts += [
            _draw_number(side, value, distance, size)
            for value, distance in marks
            if value % _NUMBERED_EVERY == 0 and _is_free(side, distance, size)
        ]
    return "".join(parts)


def _draw_rectangle(inset: float, size: Point, stroke: float) -> str:
    width, height = size[0] - 2 * inset, size[1] - 2 * inset
    return build_element("rect", x=inset, y=inset, width=width, height=height, stroke_width=stroke)


def _is_free(side: str, distance: float, size: Point) -> bool:
    length = size[0] if side in ("top", "bottom") else size[1]
    return 60 < distance < length - 60


def _draw_bars(side: str, marks: Sequence[tuple[int, int]], size: Point) -> str:
    """Draw every second interval between the marks of a side of the frame as a bar.

    `side`: "top", "bottom", "left" or "right"; `marks`: (number, distance along the side in pixels); `size`: the width
    and height of the sheet.
    """
    length = size[0] if side in ("top", "bottom") else size[1]
    ordered = sorted(marks, key=lambda mark: mark[1])
    if not ordered:
        return ""
    step = 1 if len(ordered) < 2 or ordered[1][0] > ordered[0][0] else -1
    ends = [
        (ordered[0][0] - step, FRAME),
        *((number, float(distance)) for number, distance in ordered),
        (0, length - FRAME),
    ]
    return "".join(
        _draw_bar(side, start, end, size)
        for (value, start), (_, end) in pairwise(ends)
        if value % 2 == 0 and end > start
    )


def _draw_bar(side: str, start: float, end: float, size: Point) -> str:
    is_level = side in ("top", "bottom")
    across = FRAME - 6 if side in ("top", "left") else size[is_level] - FRAME + 1
    if is_level:
        return build_element("rect", x=start, y=across, width=end - start, height=5)
    return build_element("rect", x=across, y=start, width=5, height=end - start)


def _draw_number(side: str, value: int, distance: float, size: Point) -> str:
    text = f"{abs(value)}°"
    if side in ("top", "bottom"):
        return draw_line_of_text(text, (distance, 14.5 if side == "top" else size[1] - 8), TextLook(9.5, "soft"))
    x = 11.0 if side == "left" else size[0] - 11
    turn = -90 if side == "left" else 90
    label = draw_line_of_text(text, (x, distance + 3.3), TextLook(9.5, "soft"))
    return build_element("g", label, transform=f"rotate({turn} {format_coordinate(x)} {format_coordinate(distance)})")


def draw_panel(
    corner: Point, title: str, subtitle: str, key: Sequence[KeyEntry], scale: tuple[ScaleBar, str] | None
) -> str:
    """Draw the panel with its upper left corner at `corner`: title, subtitle, the key in two columns, and a scale bar.

    `scale`: the bar and the name of its unit, or None for no bar.
    """
    x, y = corner
    middle = x + PANEL / 2
    rows = (len(key) + 1) // 2
    height = 104 + rows * _ROW + (52 if scale else 8)
    parts = [_draw_plate(x, y, height)]
    title = title.upper()
    size = compute_fitting_size(title, PANEL - 40, 32.0, BOLD)
    parts.append(
        draw_line_of_text(title, (middle, y + 54), TextLook(size, "name", BOLD, spacing=1.2 if size > 24 else 0.0))
    )
    if subtitle:
        small = compute_fitting_size(subtitle, PANEL - 50, 16, ITALIC)
        parts.append(draw_line_of_text(subtitle, (middle, y + 77), TextLook(small, "soft", ITALIC)))
    line = f"M{format_coordinate(middle - 92)} {format_coordinate(y + 92)}h78m28 0h78"
    parts.append(build_element("path", d=line, stroke_width=1, **format_tone("none", "gold")))
    parts.append(build_element("path", d=build_star_path(middle, y + 92, 6), **format_tone("gold")))
    left = x + 32
    for n, entry in enumerate(key):
        column, row = (n % 2, n // 2) if len(key) > 1 else (0, 0)
        kx, ky = left + column * 112, y + 114 + row * _ROW
        parts.append(build_element("g", entry.sign, transform=format_transform(kx, ky)))
        room = 72.0 if column == 0 else PANEL - 32 - 112 - 32
        text_size = compute_fitting_size(entry.words, room, _LETTER, ITALIC)
        parts.append(draw_line_of_text(entry.words, (kx + 18, ky + 4), TextLook(text_size, "ink", ITALIC), "start"))
    if scale:
        parts.append(_draw_scale(middle, y + 104 + rows * _ROW + 18, *scale))
    return build_element("g", parts, class_="panel")


def _draw_plate(x: float, y: float, height: float) -> str:
    """Draw the empty plate of the legend: its shadow, ground and frame with hollow corners."""
    panel_width = PANEL
    parts = [
        build_element(
            "rect", x=x + n, y=y + n + 1, width=panel_width, height=height, rx=3, opacity="0.07", **format_tone("shade")
        )
        for n in (1, 2, 3, 4)
    ]
    parts.append(
        build_element(
            "rect", x=x, y=y, width=panel_width, height=height, stroke_width=2.2, **format_tone("plate", "frame")
        )
    )
    for inset, corner, width, colour in ((6, 12, 1, "frame"), (10, 11, 0.8, "gold")):
        left, right = format_coordinate(x + inset + corner), format_coordinate(x + panel_width - inset - corner)
        path = (
            f"M{left} {format_coordinate(y + inset)}H{right}"
            f"a{corner} {corner} 0 0 0 {corner} {corner}V{format_coordinate(y + height - inset - corner)}"
            f"a{corner} {corner} 0 0 0-{corner} {corner}H{left}"
            f"a{corner} {corner} 0 0 0-{corner}-{corner}V{format_coordinate(y + inset + corner)}"
            f"a{corner} {corner} 0 0 0 {corner}-{corner}z"
        )
        parts.append(build_element("path", d=path, stroke_width=width, **format_tone("none", colour)))
    return "".join(parts)


def _draw_scale(middle: float, y: float, scale: ScaleBar, unit: str) -> str:
    left, parts, piece = middle - scale.length / 2, [], scale.length / 4
    parts.append(
        build_element(
            "rect", x=left, y=y, width=scale.length, height=5, stroke_width=0.8, **format_tone("plate", "ink")
        )
    )
    for n in (0, 2):
        parts.append(build_element("rect", x=left + piece * n, y=y, width=piece, height=5, **format_tone("ink")))
    for n in range(5):
        distance = scale.distance * n / 4
        parts.append(draw_line_of_text(f"{distance:g}", (left + piece * n, y - 5), TextLook(10.5, "ink")))
    parts.append(draw_line_of_text(unit, (middle, y + 19), TextLook(11.5, "soft", ITALIC)))
    return "".join(parts)
