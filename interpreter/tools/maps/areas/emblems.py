"""Draw the small signs of a map of areas: towns, shields, wreaths, hills, trees, marshes and ships."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.diagnostics.svg_markup import build_element, format_coordinate
from interpreter.model.area_drawing import Point, SizedPoint
from interpreter.tools.maps.areas.lettering import BOLD, ROMAN, TextLook, compute_fitting_size, draw_line_of_text
from interpreter.tools.maps.areas.tones import format_tone
from interpreter.tools.maps.shapes import build_star_path, format_transform


def draw_star(middle: Point, r: float = 9.0) -> str:
    """Return SVG of a star around a point, the sign of a city; `r`: the distance of its points from the centre."""
    path = build_star_path(*middle, r)
    rim = build_element("path", d=path, stroke_width=2.6, stroke_linejoin="round", **format_tone("halo", "halo"))
    return rim + build_element("path", d=path, stroke_width=0.8, **format_tone("red", "ink"))


def draw_shield(middle: Point, text: str) -> str:
    """Return SVG of a shield around a point, with a short text on it."""
    outer, inner = (
        "M-9-10h18v10c0 7-5 10-9 12c-4-2-9-5-9-12z",
        "M-6.7-7.8h13.4v7.8c0 5.2-3.6 7.6-6.7 9.2c-3.1-1.6-6.7-4-6.7-9.2z",
    )
    plate = build_element("path", d=outer, stroke_width=1.3, **format_tone("plate", "ink"))
    rim = build_element("path", d=inner, stroke_width=0.6, **format_tone("none", "soft"))
    size = compute_fitting_size(text, 13.0, 15.0, BOLD)
    shield = build_element("g", plate + rim, transform=format_transform(*middle))
    return shield + draw_line_of_text(text, (middle[0], middle[1] + 4.6), TextLook(size, "ink", BOLD))


def draw_wreath(middle: Point, text: str) -> str:
    """Return SVG of a laurel wreath around a point, with a short text in it."""
    leaves = "".join(
        build_element("ellipse", cx=0, cy=-12.2, rx=1.9, ry=4, transform=f"rotate({s * a}) rotate({-s * 52} 0 -12.2)")
        for s in (1, -1)
        for a in (38, 62, 86, 110, 134, 158)
    )
    parts = build_element("g", leaves, stroke_width=0.5, **format_tone("gold", "ink"))
    parts += build_element("circle", r=9.5, stroke_width=1.2, **format_tone("plate", "gold"))
    size = compute_fitting_size(text, 15.0, 13.0)
    number = draw_line_of_text(text, (middle[0], middle[1] + size * 0.35), TextLook(size, "ink", ROMAN))
    return build_element("g", parts, transform=format_transform(*middle)) + number


def draw_disc(middle: Point, text: str) -> str:
    """Return SVG of a plain disc around a point, with a short text on it."""
    size = compute_fitting_size(text, 15.0, 13.0, BOLD)
    ground = build_element("circle", cx=middle[0], cy=middle[1], r=9.5, stroke_width=1, **format_tone("plate", "soft"))
    return ground + draw_line_of_text(text, (middle[0], middle[1] + size * 0.34), TextLook(size, "ink", BOLD))


def draw_town(middle: Point) -> str:
    """Return SVG of a small ring around a point, the sign of an unimportant town."""
    return build_element("circle", cx=middle[0], cy=middle[1], r=2.1, stroke_width=1, **format_tone("halo", "ink"))


_HILLS = (((-8, 4), (0, -8), (9, 4)), ((-7, 4), (-1, -6), (8, 4.5)), ((-9, 4.5), (1, -7), (8, 4)))
_HATCHES = (0.12, 0.3, 0.48, 0.66, 0.82)


def define_signs() -> str:
    """Return the SVG definitions of the signs for hills, trees and marshes."""
    hills = [_define_hill(n, *corners) for n, corners in enumerate(_HILLS)]
    tree = "M0-8l3 5h-1.5l3 4.5h-3.8v2.5h-1.4v-2.5h-3.8l3-4.5h-1.5z"
    marsh = "M-8 2h16M-5 5h10M0 1v-5M-3 1l-1.5-4M3 1l1.5-4"
    return "".join([*hills, build_element("path", id="am-tree", d=tree), build_element("path", id="am-marsh", d=marsh)])


def _define_hill(n: int, left: Point, top: Point, right: Point) -> str:
    """Return the SVG definition of the hill sign number `n`: its feet and its top, around the origin."""
    (lx, ly), (px, py), (rx, ry) = left, top, right
    slope_down = f"Q{format_coordinate((rx + px) / 2 - 1)} {format_coordinate((ry + py) / 2)} {rx} {ry}"
    slope_up = f"Q{format_coordinate((lx + px) / 2 + 1)} {format_coordinate((ly + py) / 2 + 1.5)} {px} {py}"
    ridge = f"M{lx} {ly}{slope_up}{slope_down}"
    strokes = "".join(
        f"M{px + (rx - px) * t:.1f} {py + (ry - py) * t + 0.6:.1f}"
        f"l{-1.2 + 0.5 * t:.1f} {(ry - py) * (1 - t) * 0.72:.1f}"
        for t in _HATCHES
    )
    parts = [
        build_element("path", d=ridge + "z", stroke="none"),
        build_element(
            "path",
            d=f"M{px} {py}{slope_down}L{px - 1.5} {ry}z",
            opacity="0.3",
            **{**format_tone("peak"), "stroke": "none"},
        ),
        build_element("path", d=ridge, fill="none", stroke_width=1),
        build_element("path", d=strokes, fill="none", stroke_width=0.65),
    ]
    return build_element("g", parts, id=f"am-hill{n}")


def draw_hills(hills: tuple[SizedPoint, ...]) -> str:
    """Return SVG of hills, the northernmost drawn first; or '' without hills."""
    ordered = [
        (f"#am-hill{(x * 7 + y * 3) % len(_HILLS)}", f"translate({x} {y}) scale({size / 100:g})")
        for x, y, size in sorted(hills, key=lambda hill: hill.y)
    ]
    markup = "".join(build_element("use", href=href, transform=transform) for href, transform in ordered)
    look = {"stroke_width": 0.8, "stroke_linejoin": "round", "stroke_linecap": "round", "opacity": "0.85"}
    return build_element("g", markup, **format_tone("slope", "peak"), **look) if markup else ""


def draw_woods(places: tuple[tuple[int, int], ...]) -> str:
    """Return SVG of a tree at each of the points `places`, the northernmost drawn first; or '' without places."""
    markup = "".join(
        build_element("use", href="#am-tree", x=x, y=y) for x, y in sorted(places, key=lambda tree: tree[1])
    )
    look = {"stroke_width": 0.7, "stroke_linejoin": "round", "opacity": "0.9"}
    return build_element("g", markup, **format_tone("leaf", "peak"), **look) if markup else ""


def draw_marshes(places: tuple[tuple[int, int], ...]) -> str:
    """Return SVG of marsh grass at each of the points `places`; or '' without places."""
    markup = "".join(build_element("use", href="#am-marsh", x=x, y=y) for x, y in places)
    return (
        build_element("g", markup, stroke_width=1, stroke_linecap="round", **format_tone("none", "river"))
        if markup
        else ""
    )


COVERS = {"circles": "trees", "dashes": "marsh", "chevrons": "hills"}  # what a pattern becomes on a map of areas
_COVER_TILE = (96, 84)
_COVER_SPOTS = ((14, 16), (46, 12), (78, 20), (28, 40), (62, 44), (88, 58), (12, 64), (44, 70), (72, 74))


def define_covers(covers: Iterable[str]) -> str:
    """Return the SVG definitions of the patterns that cover whole areas.

    `covers`: the names of the patterns, "trees", "marsh" or "hills"; a repeated name is defined once.
    """
    return "".join(_draw_cover(name) for name in sorted(set(covers)))


def _draw_cover(name: str) -> str:
    spots = _COVER_SPOTS if name == "trees" else _COVER_SPOTS[::2] if name == "hills" else _COVER_SPOTS[1::2]
    look = {
        "trees": {"stroke_width": 0.7, "stroke_linejoin": "round", **format_tone("leaf", "peak")},
        "marsh": {"stroke_width": 1, "stroke_linecap": "round", **format_tone("none", "river")},
        "hills": {"stroke_width": 0.8, "stroke_linejoin": "round", **format_tone("slope", "peak")},
    }[name]
    parts = [
        build_element("use", href=f"#am-{_SIGNS[name][n % len(_SIGNS[name])]}", x=x, y=y)
        for n, (x, y) in enumerate(spots)
    ]
    width, height = _COVER_TILE
    markup = build_element("g", parts, **look)
    return build_element("pattern", markup, id=f"am-{name}", width=width, height=height, patternUnits="userSpaceOnUse")


_SIGNS = {"trees": ("tree",), "marsh": ("marsh",), "hills": ("hill0", "hill1", "hill2")}
_SAILS = (
    (-16, ((-33, 6, 7), (-25, 9, 10), (-14, 11, 11))),
    (0, ((-41, 7, 8), (-32, 11, 12), (-19, 14, 15))),
    (15, ((-31, 6, 7), (-23, 9, 10), (-12, 11, 10))),
)


def draw_ship(x: float, y: float, size: int) -> str:
    """Return SVG of a ship under sail whose waterline is at (x, y); at a `size` of 100 it is about 80 pixels wide."""
    parts = [build_element("path", d="M-16 0V-34M0 0V-42M15 0V-32M25-3L38-12", fill="none")]
    for mast, sails in _SAILS:
        parts += [build_element("path", d=_draw_sail(mast, top, width, height)) for top, width, height in sails]
    pennants = "M-16-34l-7-2.5l7-1.5zM0-42l-8-2.8l8-1.7zM15-32l-7-2.5l7-1.5z"
    waves = "M-40 9q4-3 8 0t8 0t8 0t8 0t8 0t8 0t8 0t8 0t8 0M-30 13q4-3 8 0t8 0t8 0t8 0t8 0"
    parts += [
        build_element("path", d="M17-27L36-11L24-4z"),
        build_element("path", d=pennants, **{**format_tone("red"), "stroke": "none"}),
        build_element("path", d="M-27-7C-25-5-24-4-21-3.5L25-2.5L29-4C28 1 25 6 22 8H-21C-25 4-27-2-27-7z"),
        build_element("path", d="M-25.5-1.5L27-.2M-24 2.5H25", fill="none", stroke_width=1.6, stroke_dasharray="2 2.5"),
        build_element("path", d=waves, fill="none", stroke_width=0.8, opacity="0.8"),
    ]
    place = f"{format_transform(x, y)} scale({size / 100:g})"
    look = {
        **format_tone("plate", "sea_name"),
        "stroke_width": 1,
        "stroke_linejoin": "round",
        "stroke_linecap": "round",
    }
    return build_element("g", parts, transform=place, **look)


def _draw_sail(x: int, y: int, width: int, height: int) -> str:
    left, right, bottom = x - width / 2, x + width / 2, y + height
    return (
        f"M{left:g} {y}Q{x} {y + 1.5:g} {right:g} {y}Q{right + 3.5:g} {y + height / 2:g} {right + 1:g} {bottom}"
        f"Q{x + 1} {bottom - 2.5:g} {left - 0.5:g} {bottom}Q{left + 3:g} {y + height / 2:g} {left:g} {y}z"
    )


def draw_compass(middle: Point, r: float, turned: float) -> str:
    """Return SVG of a compass rose around a point, with radius `r`.

    `turned`: the degrees by which its north is turned clockwise.
    """
    parts = [
        build_element("circle", r=r * 0.62, stroke_width=1.1),
        build_element("circle", r=r * 0.56, stroke_width=0.5),
        build_element("circle", r=r * 0.2, stroke_width=0.6),
    ]
    layers = [build_element("g", parts, **format_tone("none", "sea_name"))]
    for count, length, width in ((16, 0.5, 0.05), (8, 0.74, 0.085), (4, 1.0, 0.13)):
        for n in range(count):
            if count == 4 or n % 2:
                layers.append(
                    build_element("g", _draw_ray(length * r, width * r), transform=f"rotate({n * 360 / count:g})")
                )
    lily = (
        f"M0 {format_coordinate(-r - 15)}c3 4 5 6 4.5 9c1.5-1.5 4-1 4 1c0 1.8-2 2.5-3.5 1.5l-1.5 3h-7l-1.5-3"
        "c-1.5 1-3.5.3-3.5-1.5c0-2 2.5-2.5 4-1c-.5-3 1.5-5 4.5-9z"
    )
    layers.append(build_element("path", d=lily, stroke_width=0.6, **format_tone("red", "plate")))
    return build_element("g", layers, transform=f"{format_transform(*middle)} rotate({turned:g})")


def _draw_ray(length: float, half_width: float) -> str:
    top, corner = f"M0 {format_coordinate(-length)}", format_coordinate(half_width * 1.05)
    w = format_coordinate(half_width)
    dark = build_element("path", d=f"{top}L{w} -{corner}L0 0z", **format_tone("sea_name"))
    light = build_element("path", d=f"{top}L-{w} -{corner}L0 0z", **format_tone("plate"))
    rim = f"{top}L{w} -{corner}L0 0L-{w} -{corner}z"
    return dark + light + build_element("path", d=rim, stroke_width=0.8, **format_tone("none", "sea_name"))
