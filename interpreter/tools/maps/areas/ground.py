"""Paint the ground of a map of areas: sea with water lines, tinted land, rivers and hills, coasts and borders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import sqrt

from interpreter.diagnostics.svg_markup import build_element, format_coordinate
from interpreter.model.area_drawing import Landscape, Line, Rings
from interpreter.model.drawing import LineStyle
from interpreter.tools.maps.areas.emblems import (
    COVERS,
    define_covers,
    define_signs,
    draw_hills,
    draw_marshes,
    draw_woods,
)
from interpreter.tools.maps.areas.plan import AreaPlan
from interpreter.tools.maps.areas.planes import compute_value_noise
from interpreter.tools.maps.areas.tones import Pair, choose_shades, format_tone, mix_tones

SEAS = ("sea", "sea_2", "sea_3")
_GLOW = (26, 22, 18, 14, 10, 6)  # distances of the soft rim of a coast, in pixels
_RINGS = (
    (21.0, 0.2),
    (16.7, 0.27),
    (12.7, 0.35),
    (9.2, 0.45),
    (6.0, 0.58),
    (3.2, 0.75),
)  # water lines: distance, depth
_RING_WIDTH = 0.52  # of a water line, in pixels
_BANDS = ((24.0, 0.15), (15.0, 0.2), (7.0, 0.4))  # width and opacity of the coloured edge of an area
_COMMON_BANDS = ((17.0, "0.1"), (7.0, "0.18"))  # the same for the edges of all areas of a large map
_USUAL = 240.0  # extent of an area whose coloured edge has its full width, in pixels
POLITICAL = ("#c9b06c", "#a9b98a", "#c99f8d", "#9fb2bf", "#b8a5b6", "#9db8ad")  # of areas that nothing colours
_BORDER = 0.45  # width of a border relative to the stated width of its link
_THINNEST, _THICKEST = 1.4, 4.0  # border, in pixels
_BLOTS, _SPECKS, _TILE = 34, 110, 220.0
_BLOT_COLOURS = {"stain": ("#6b5432", "#000000"), "light": ("#f5eddb", "#3c4038")}


def format_rings_path(rings: Iterable[Line]) -> str:
    """Return the SVG path of closed lines, in relative coordinates, which are shorter."""
    return "".join(_format_line(ring) + "z" for ring in rings if ring)


def format_lines_path(lines: Iterable[Line]) -> str:
    """Return the SVG path of open lines, in relative coordinates."""
    return "".join(_format_line(line) for line in lines if len(line) > 1)


@lru_cache(4096)  # an outline is written into the picture and into the page
def _format_line(line: Line) -> str:
    short = _SHORT_NUMBERS
    tens = [(round(x * 10), round(y * 10)) for x, y in line]
    steps = [f"{short[bx - ax]} {short[by - ay]}" for (ax, ay), (bx, by) in pairwise(tens) if ax != bx or ay != by]
    return f"M{short[tens[0][0]]} {short[tens[0][1]]}" + ("l" + " ".join(steps).replace(" -", "-") if steps else "")


class _ShortNumbers(dict[int, str]):
    """Coordinates in tenths of a pixel, each in as few characters as possible; formatted at the first look-up."""

    def __missing__(self, tenths: int) -> str:
        integer, tenth = divmod(abs(tenths), 10)
        text = f"{integer}.{tenth}" if tenth else str(integer)
        text = ("-" if tenths < 0 else "") + (text.removeprefix("0") if tenth else text)
        if abs(tenths) < _MAX_STEP:
            self[tenths] = text
        return text


_MAX_STEP = 4096  # tenths of a pixel; most steps are shorter
_SHORT_NUMBERS = _ShortNumbers()


def define_ground(plan: AreaPlan, grounds: Mapping[int, AreaGround]) -> str:
    """Return the SVG definitions that the ground refers to: outlines, clips, patterns and paper.

    `grounds`: the grounds of the land areas by handle.
    """
    sheet = build_element("rect", width=plan.size[0], height=plan.size[1])
    patterns = sorted({ground.pattern for ground in grounds.values()} & set(COVERS))
    covers = define_covers(COVERS[name] for name in patterns)
    parts = [define_signs(), covers, build_element("clipPath", sheet, id="am-sheet")]
    lands = [build_element("path", d=format_rings_path(plan.lands))] if plan.lands else []
    for n, ground in grounds.items():
        outline = build_element("path", id=f"am-a-{ground.id}", d=format_rings_path(plan.outlines[n]))
        if plan.is_large:
            lands.append(outline)
            continue
        use = build_element("use", href=f"#am-a-{ground.id}")
        parts += [outline, build_element("clipPath", use, id=f"am-c-{ground.id}")]
        lands.append(use)
    parts.append(build_element("g", lands, id="am-land"))
    for name, (light, dark) in _BLOT_COLOURS.items():
        stops = "".join(
            build_element(
                "stop", offset=offset, stop_opacity=opacity, stop_color=light, class_=f"am-p{light[1:]}{dark[1:]}"
            )
            for offset, opacity in (("0", "1"), ("0.3", "0.8"), ("0.65", "0.3"), ("1", "0"))
        )
        parts.append(build_element("radialGradient", stops, id=f"am-{name}"))
    specks = "".join(_draw_speck(n) for n in range(_SPECKS))
    parts.append(
        build_element("pattern", specks, id="am-paper", width=_TILE, height=_TILE, patternUnits="userSpaceOnUse")
    )
    return "".join(parts)


def _draw_speck(n: int) -> str:
    x, y = (
        _TILE * (compute_value_noise(n * 1.37, 0.5, 3) + 1) / 2,
        _TILE * (compute_value_noise(0.5, n * 1.91, 4) + 1) / 2,
    )
    r = 0.35 + 0.5 * abs(compute_value_noise(n * 0.73, 7.5, 5))
    return build_element("circle", cx=x, cy=y, r=f"{r:.2f}", **format_tone("stain"))


def draw_paper(plan: AreaPlan) -> str:
    """Draw the texture of old paper over the ground: large blots and small specks, without filters."""
    width, height = plan.size
    across = max(width, height)
    blots = []
    for n in range(_BLOTS):
        x = width * (compute_value_noise(n * 2.13, 1.5, 6) * 0.75 + 0.5)
        y = height * (compute_value_noise(n * 1.71, 4.5, 7) * 0.75 + 0.5)
        r = across * (0.06 + 0.12 * abs(compute_value_noise(n * 0.91, 2.5, 8)))
        name = "stain" if n % 2 else "light"
        blots.append(
            build_element("circle", cx=x, cy=y, r=r, fill=f"url(#am-{name})", opacity="0.07" if n % 2 else "0.11")
        )
    specks = build_element("rect", width=width, height=height, fill="url(#am-paper)", opacity="0.22")
    return build_element("g", [*blots, specks], class_="am-paper")


def draw_sea(plan: AreaPlan, landscape: Landscape, colours: Mapping[int, Pair | str]) -> str:
    """Paint the water, or bare ground around the areas of a map without water, up to the coasts.

    `colours`: the colour of each water area by handle.
    """
    width, height = plan.size
    has_water = bool(plan.waters or landscape.waters)
    base: str | Pair = "sea" if has_water else "land"
    parts = [build_element("rect", width=width, height=height, **format_tone(base))]
    if has_water:
        parts += _draw_water_lines(plan.is_large)
    for n in sorted(plan.waters):
        parts.append(
            build_element("path", d=format_rings_path(plan.outlines[n]), opacity="0.5", **format_tone(colours[n]))
        )
    for rings in landscape.waters:
        parts.append(build_element("path", d=format_rings_path(rings), opacity="0.72", **format_tone("strange_sea")))
    if not has_water:
        for width_, opacity in ((46, "0.07"), (30, "0.09"), (16, "0.14")):
            look = {"stroke_width": width_, "stroke_linejoin": "round", "opacity": opacity}
            parts.append(
                build_element("g", build_element("use", href="#am-land"), **format_tone("none", "stain"), **look)
            )
    if landscape.lines:
        look = {"stroke_width": 0.6, "opacity": "0.5"}
        parts.append(build_element("path", d=format_lines_path(landscape.lines), **format_tone("none", "thin"), **look))
    apart = [border.line for border in plan.sea_borders]
    if apart and not plan.authored_outlines:
        look = {"stroke_width": 1.4, "stroke_dasharray": "1.5 5", "stroke_linecap": "round"}
        parts.append(build_element("path", d=format_lines_path(apart), **format_tone("none", "wave"), **look))
    return "".join(parts)


def _draw_water_lines(is_short: bool) -> list[str]:
    """Draw lines along the coasts: wide strokes under slightly narrower ones in the colour of the water.

    `is_short`: draw fewer of them, for a large map.
    """
    land = build_element("use", href="#am-land")
    look = {"stroke_linejoin": "round"}
    parts = [
        build_element("g", land, stroke_width=2 * distance, opacity="0.05", **format_tone("none", "wave"), **look)
        for distance in (_GLOW[2::2] if is_short else _GLOW)
    ]
    for n, (distance, depth) in enumerate(_RINGS[3:] if is_short else _RINGS):
        line = mix_tones("sea", "wave", depth)
        water = mix_tones("sea", "wave", 0.05 + 0.05 * n)[0], mix_tones("sea", "wave", 0.03 + 0.03 * n)[1]
        parts.append(build_element("g", land, stroke_width=2 * distance, **format_tone("none", line), **look))
        parts.append(
            build_element("g", land, stroke_width=2 * (distance - _RING_WIDTH), **format_tone("none", water), **look)
        )
    return parts


def draw_land_out_of_play(plan: AreaPlan) -> str:
    """Paint the land out of play, and the shadow of all land."""
    shadow = {"stroke_width": 5, "opacity": "0.1", "transform": "translate(1.6 2.2)", "stroke_linejoin": "round"}
    shade = build_element("g", build_element("use", href="#am-land"), **format_tone("none", "shade"), **shadow)
    return shade + (build_element("path", d=format_rings_path(plan.lands), **format_tone("land")) if plan.lands else "")


@dataclass(frozen=True, slots=True)
class AreaGround:
    """The ground of a land area: its id, its colour, and the name of a pattern or ''."""

    id: str
    colour: str
    pattern: str


def draw_area(plan: AreaPlan, place: int, ground: AreaGround) -> str:
    """Paint the land area with the handle `place`: its ground, deeper in colour along the edge, and its pattern.

    On a large map the ground is a single path, without clip and deeper edge; only a pattern refers to its outline.
    """
    fill, edge = choose_shades(ground.colour)
    use = f"#am-a-{ground.id}"
    if plan.is_large:
        markup = build_element(
            "path", d=format_rings_path(plan.outlines[place]), data_place=ground.id, **format_tone(fill, more="place")
        )
        return markup + _draw_cover(use, ground.pattern)
    parts = [build_element("use", href=use, **format_tone(fill)), _draw_cover(use, ground.pattern)]
    share = max(0.4, min(1.0, _measure_extent(plan.outlines[place]) / _USUAL))
    parts += [
        build_element("use", href=use, stroke_width=width * share, opacity=opacity, **format_tone("none", edge))
        for width, opacity in _BANDS
    ]
    markup = build_element("g", parts, clip_path=f"url(#am-c-{ground.id})", stroke_linejoin="round")
    return build_element("g", markup, class_="place", data_place=ground.id)


def draw_common_edges(plan: AreaPlan) -> str:
    """Draw darkened edges for all areas of a large map; return '' for a smaller map, whose areas draw their own."""
    if not plan.is_large:
        return ""
    edges = [
        build_element("use", href="#am-land", stroke_width=width, opacity=opacity, **format_tone("none", "stain"))
        for width, opacity in _COMMON_BANDS
    ]
    return build_element("g", edges, stroke_linejoin="round")


def _draw_cover(use: str, pattern: str) -> str:
    """Return markup that lays a pattern over the shape at the address `use`, or '' without a pattern."""
    if not pattern:
        return ""
    cover = COVERS.get(pattern)
    fill, opacity = (f"url(#am-{cover})", "0.9") if cover else (f"url(#pattern-{pattern})", "0.55")
    return build_element("use", href=use, fill=fill, opacity=opacity)


def _measure_extent(rings: Rings) -> float:
    """Return the square root of the area enclosed by the largest ring, in pixels."""
    largest = 0.0
    for ring in rings:
        twice = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, (*ring[1:], ring[0]), strict=True))
        largest = max(largest, abs(twice) / 2)
    return sqrt(largest)


def draw_water_area(plan: AreaPlan, place: int, id: str) -> str:
    """Return an invisible shape of a water area, so that programs find the area in the picture.

    `place`: its handle; `id`: its id in the documents.
    """
    return build_element("path", d=format_rings_path(plan.outlines[place]), fill="none", class_="place", data_place=id)


def draw_landscape(landscape: Landscape) -> str:
    """Draw rivers, lakes, hills, trees and marshes."""
    parts = []
    if landscape.rivers:
        look = {"stroke_width": 1.35, "stroke_linecap": "round", "stroke_linejoin": "round"}
        parts.append(
            build_element("path", d=format_lines_path(landscape.rivers), **format_tone("none", "river"), **look)
        )
    if landscape.lakes:
        lakes = "".join(format_rings_path(rings) for rings in landscape.lakes)
        parts.append(build_element("path", d=lakes, stroke_width=0.9, **format_tone("lake", "river")))
    return "".join([*parts, draw_hills(landscape.hills), draw_woods(landscape.woods), draw_marshes(landscape.marshes)])


def draw_coasts(plan: AreaPlan) -> str:
    """Draw the coast lines, and the borders with land out of play."""
    shore = [(*b.line, b.line[0]) if b.is_closed else b.line for b in plan.borders if b.neighbour is None]
    out = [b.line for b in plan.borders if b.neighbour is not None and b.neighbour < 0]
    look = {"stroke_width": 1, "stroke_linejoin": "round", "opacity": "0.75"}
    parts = []
    if plan.lands:
        parts.append(build_element("path", d=format_rings_path(plan.lands), **format_tone("none", "ink"), **look))
    parts.append(build_element("path", d=format_lines_path(shore), **format_tone("none", "ink"), **look))
    if out:
        parts.append(draw_border(out, "soft", 1.2, "dotted"))
    return "".join(parts)


_DASHES = {"border": (6.5, 2.5, 1.25, 2.5), "dashed": (5.0, 3.5), "dotted": (0.8, 2.6)}


def draw_border(lines: Sequence[Line], colour: str | Pair, width: float, stroke: str) -> str:
    """Draw border lines on a light rim.

    `width`: in pixels; `stroke`: the name of a line style such as "dotted".
    """
    path = format_lines_path(lines)
    rim = build_element(
        "path", d=path, stroke_width=width * 1.75, opacity="0.5", stroke_linejoin="round", **format_tone("none", "halo")
    )
    dashes = _DASHES.get(stroke)
    look = {
        "stroke_width": width,
        "stroke_dasharray": " ".join(format_coordinate(d * width / 2) for d in dashes) if dashes else None,
        "stroke_linejoin": "round",
        "stroke_linecap": "round" if stroke == "dotted" else "butt",
    }
    return rim + build_element("path", d=path, **format_tone("none", colour), **look)


def compute_border_width(line: LineStyle) -> float:
    """Return the width in pixels at which a line is drawn along a border."""
    return max(_THINNEST, min(_THICKEST, line.width * _BORDER))
