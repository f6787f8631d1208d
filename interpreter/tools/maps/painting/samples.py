"""Paint small samples of grounds and lines for a legend."""

from __future__ import annotations

from math import pi, sin

from interpreter.diagnostics.svg_markup import build_element, format_coordinate
from interpreter.tools.maps.geometry import MapGeometry
from interpreter.tools.maps.painting.ground import GroundPlan, paint_ground
from interpreter.tools.maps.painting.scene import Terrain
from interpreter.tools.maps.shapes import format_dash_array, format_path

_CELL = 84.0  # side of a square space
_WIDE, _HIGH = 36.0, 20.0  # size of a sample
_SAMPLE_GROUND = 92.0  # width of the ground that a sample shows


def draw_ground_sample(terrain: Terrain, pattern: str, prefix: str) -> str:
    """Paint a sample of a ground with open land beside it, its left end at (0, 0), half of its height above that.

    `pattern`: the name of a pattern over it or ""; `prefix`: begins the ids of its definitions.
    """
    half = _CELL / 2
    corners = ((-half, -half), (half, -half), (half, half), (-half, half))
    middles = {n: (half + _CELL * (n % 3), half + _CELL * (n // 3)) for n in range(9)}
    grounds = {n: terrain if n == 4 else Terrain("fields") for n in middles}
    layout = MapGeometry("square", middles, corners, (3 * _CELL, 3 * _CELL), frozenset(middles))
    patterns = {pattern: frozenset([4])} if pattern else None
    painted = paint_ground(GroundPlan(layout, grounds, patterns=patterns), prefix)
    high = _SAMPLE_GROUND * _HIGH / _WIDE
    middle = 1.5 * _CELL
    view = " ".join(map(format_coordinate, (middle - _SAMPLE_GROUND / 2 + 6, middle - high / 2, _SAMPLE_GROUND, high)))
    box = {"x": 0, "y": -_HIGH / 2, "width": _WIDE, "height": _HIGH}
    return build_element("svg", [build_element("defs", painted.definitions), painted.picture], viewBox=view, **box)


def draw_line_sample(style: str, width: float, tone: str, stroke: str) -> str:
    """Draw a sample of a line with its left end at (0, 0).

    `style`: the name of its style; `width`: in pixels; `tone`: the class of its own colour or ""; `stroke`: the name
    of a dash style such as "dotted".
    """
    curve = f"M0 3C10-5 24 8 {format_coordinate(_WIDE)}-3"
    straight = f"M0 0H{format_coordinate(_WIDE)}"

    def draw_coat(look: str, outline: str, wide: float | None = None) -> str:
        return build_element("path", class_=f"g-{look}", d=outline, stroke_width=wide)

    def compute_wave(x: float) -> float:
        return 2.0 * sin(x / _WIDE * 2 * pi)

    tone_class, steps = f" {tone}" if tone else "", [_WIDE * n / 8 for n in range(9)]
    match style:
        case "river":
            high = min(width, 12.0) / 2
            band = format_path(
                [(x, compute_wave(x) - high) for x in steps] + [(x, compute_wave(x) + high) for x in reversed(steps)],
                True,
            )
            return draw_coat("bank", band) + draw_coat(f"water{tone_class}", band)
        case "road":
            return draw_coat("road-edge", curve, width + 2.2) + draw_coat(f"road{tone_class}", curve, width)
        case "track":
            return draw_coat(f"path{tone_class}", curve, max(1.4, width * 0.5))
        case "rail":
            return draw_coat("sleeper", straight) + draw_coat(f"rail{tone_class}", straight)
        case "wall":
            trace = "M0 3H12L18-6L24 3H36"
            return draw_coat("rampart-ink", trace) + draw_coat("rampart", trace) + draw_coat("rampart-lit", trace)
        case "bridge":
            rails = "M4-6 8-4H28L32-6M4 6 8 4H28L32 6"
            return draw_coat("deck", "M8-4H28V4H8Z") + draw_coat("parapet", rails)
        case "ford":
            stones = ((5, 1), (13, -1), (21, 1), (28, -1))
            return draw_coat("rock", "".join(f"M{x} {y}a2.4 1.9 0 1 0 4.8 0a2.4 1.9 0 1 0-4.8 0" for x, y in stones))
        case "border":
            return draw_coat(f"border{tone_class}", curve, max(1.6, width * 0.6))
        case "cliff":
            return draw_coat("cliff", "M0-4H36") + draw_coat(
                "hachure", "".join(f"M{x}-4h2.4l-1.2 8z" for x in range(1, 36, 4))
            )
    dashes = format_dash_array(stroke, width)
    return build_element("path", class_=f"g-line{tone_class}", d=curve, stroke_width=width, stroke_dasharray=dashes)
