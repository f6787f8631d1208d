"""Draw the cartouche with a sheet's title, its scale bar and its compass."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

from interpreter.diagnostics.svg_markup import build_element, format_coordinate
from interpreter.model.drawing import MapScale
from interpreter.tools.describe.value_format import format_label
from interpreter.tools.maps.shapes import break_lines, draw_text, format_path, format_transform, truncate_text

_TITLE, _SMALL = 23.0, 12.5
_MAX_BARS = 3


def draw_cartouche(title: str, lines: Sequence[str], width: float) -> tuple[str, float]:
    """Draw a plate of the given width with a title and lines below it, upper left corner at (0, 0).

    Return the markup and its height in pixels.
    """
    title_lines, size = break_lines(truncate_text(title, 60), (width - 64, 62), _TITLE, is_bold=True)
    small = [(truncate_text(line, 60), _SMALL) for line in lines if line]
    height = 52 + len(title_lines) * size * 1.15 + len(small) * 18
    x, y = width / 2, 24 + size
    parts = [_draw_plate(width, height, 0, "g-ink-thick"), _draw_plate(width, height, 5, "g-ink-soft")]
    for line in title_lines:
        parts.append(draw_text(line, x, y, size, class_="g-text title", font_weight="bold", fill=None))
        y += size * 1.15
    flourish = "M-56-8c16-7 24 5 38 0 8-3 10-8 18-8s10 5 18 8c14 5 22-7 38 0"
    parts.append(build_element("path", class_="g-ink", d=flourish, transform=format_transform(x, y)))
    y += 12
    for line, most in small:
        fit = min(most, (width - 50) / max(1, len(line)) * 2)
        parts.append(draw_text(line, x, y, fit, class_="g-text g-soft-text", font_style="italic", fill=None))
        y += 18
    return build_element("g", parts, class_="cartouche"), height


def _draw_plate(width: float, height: float, inset: float, look: str) -> str:
    """Draw a plate whose corners are cut out in scrolls.

    `inset`: the distance of its outline from the edges in pixels; `look`: its class.
    """
    left, right, low, scroll = inset, width - inset, height - inset, 18.0 - inset * 0.4
    across, down = format_coordinate(right - left - 2 * scroll), format_coordinate(low - inset - 2 * scroll)
    s, h, trim = format_coordinate(scroll), format_coordinate(scroll * 0.62), format_coordinate(scroll * 0.38)
    outline = (
        f"M{format_coordinate(left + scroll)} {format_coordinate(inset)}h{across}c0 {h} {trim} {s} {s} {s}"
        f"v{down}c-{h} 0-{s} {trim}-{s} {s}h-{across}c0-{h}-{trim}-{s}-{s}-{s}v-{down}c{h} 0 {s}-{trim} {s}-{s}z"
    )
    return build_element("path", class_=look, d=outline)


def draw_compass(x: float, y: float, north: float, letter: str) -> str:
    """Draw a compass rose around a point; `north` is the bearing of north in degrees clockwise from the top.

    `letter` abbreviates north.
    """
    parts = [build_element("circle", class_="g-ink-soft", r=radius) for radius in (44.0, 41.0, 20.0)]
    ticks = [format_path([(r * cos(n * pi / 16), r * sin(n * pi / 16)) for r in (41, 44)]) for n in range(32)]
    parts.append(build_element("path", class_="g-ink-soft", d="".join(ticks)))
    for turn, length in [*((45 + 90 * n, 34) for n in range(4)), *((90 * n, 46) for n in range(4))]:
        wide = 6.5 if length > 40 else 5.4
        tip = format_coordinate(wide)
        light = build_element("path", class_="g-ink", d=f"M0-{length}L{tip}-{tip}L0 0Z", stroke_width="0.8")
        dark = build_element("path", class_="g-red" if not turn else "g-ink-full", d=f"M0-{length}L-{tip}-{tip}L0 0Z")
        parts.append(build_element("g", light + dark, transform=f"rotate({turn})"))
    parts.append(draw_text(letter, 0.0, -50.0, 14, class_="g-text", font_weight="bold", fill=None))
    turned = f" rotate({format_coordinate(north)})" if north else ""
    return build_element("g", parts, transform=format_transform(x, y) + turned, class_="compass")


def draw_scale_bar(scale: MapScale, across: float, lang: str, x: float, y: float) -> str:
    """Draw a scale bar whose parts are a space wide each, its left end at (x, y).

    `across`: the width of a space in pixels.
    """
    bars = max(1, min(_MAX_BARS, int(250 // across)))
    parts = []
    for n in range(bars):
        look = "g-checks" if n % 2 == 0 else "g-checks-gap"
        parts.append(build_element("rect", class_=look, x=x + n * across, y=y, width=across, height=6))
    parts.append(build_element("rect", class_="g-ink", x=x, y=y, width=bars * across, height=6))
    unit = format_label(scale.unit, lang)
    for n in range(bars + 1):
        text = f"{n * scale.across} {unit}".strip() if n == bars else str(n * scale.across)
        parts.append(draw_text(text, x + n * across, y + 19, 10.5, class_="g-text", fill=None))
    return build_element("g", parts, class_="scale")
