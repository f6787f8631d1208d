"""Paint the ground of a grid map: terrain and lines that never change, and the names on them.

Heights are rows of hachures along merged outlines, shaded away from a light in the north-west.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interpreter.diagnostics.svg_markup import build_element
from interpreter.model.area_drawing import Point
from interpreter.tools.maps.geometry import MapGeometry
from interpreter.tools.maps.painting import settlements, vegetation
from interpreter.tools.maps.painting.canvas import Coat, PaintingCanvas
from interpreter.tools.maps.painting.cell_mesh import CellMesh
from interpreter.tools.maps.painting.courses import LineKind, ThroughLines, chain_sides, extend_beyond_rim, trace_sides
from interpreter.tools.maps.painting.curves import (
    PointIndex,
    compute_heading,
    format_open_path,
    is_in_polygon,
    move_point,
    resample,
    sample_closed,
    turn_left,
)
from interpreter.tools.maps.painting.fortifications import paint_earth, paint_forts, paint_ruins, paint_walls
from interpreter.tools.maps.painting.noise import compute_value_noise, hash_to_unit
from interpreter.tools.maps.painting.place_labels import PlacedName, place_names
from interpreter.tools.maps.painting.scene import Scene, Terrain, join_outlines, smooth_outlines
from interpreter.tools.maps.painting.waters import paint_bridges, paint_rivers
from interpreter.tools.maps.shapes import format_dash_array, format_path, format_point

_TINTED = ("fields", "bare", "ruins")  # styles without their own ground: a stated colour lies beneath them


@dataclass(frozen=True, slots=True)
class GroundPlan:
    """Input of a ground: the terrain of every space, kinds of lines in drawing order, and names by space.

    `patterns`: spaces by the name of the pattern over them. `occupied`: spaces on which counters begin, and `marked`:
    spaces with figures; names avoid both.
    """

    layout: MapGeometry
    terrain: Mapping[int, Terrain]
    lines: Sequence[LineKind] = ()
    names: Mapping[int, str] | None = None
    patterns: Mapping[str, frozenset[int]] | None = None
    occupied: frozenset[int] = frozenset()
    marked: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class PaintedGround:
    """A painted ground as SVG markup: shared definitions and the picture clipped to the map; and the names over it."""

    definitions: str
    picture: str
    names: Sequence[PlacedName]


def define_symbols() -> str:
    """Return the definitions that every painted ground refers to."""
    return vegetation.define_symbols() + settlements.define_symbols()


def paint_ground(plan: GroundPlan, prefix: str = "g") -> PaintedGround:
    """Paint a ground. Deterministic: equal plans give equal markup.

    `prefix` begins the ids of its definitions, to tell several grounds of one document apart.
    """
    mesh = CellMesh(plan.layout)
    scene = Scene(mesh, PaintingCanvas(prefix), plan.terrain)
    through = ThroughLines(mesh)
    lines: dict[str, list[LineKind]] = {}
    for kind in plan.lines:
        lines.setdefault(kind.style, []).append(kind)
    crossing = [k for k in plan.lines if k.course == "through" and k.style not in ("river", "bridge", "ford", "wall")]
    beside = [k for k in plan.lines if k.course == "along" and k.style not in ("river", "bridge", "ford", "wall")]
    vegetation.paint_paper(scene)
    vegetation.paint_tones(scene, _TINTED)
    paint_rivers(scene, lines.get("river", ()), through)
    paint_roads(scene, crossing, through)
    paint_side_lines(scene, beside)
    vegetation.paint_fields(scene)
    vegetation.paint_sand(scene)
    vegetation.paint_rough(scene)
    paint_relief(scene)
    paint_earth(scene)
    vegetation.paint_marshes(scene)
    vegetation.paint_orchards(scene)
    vegetation.paint_woods(scene)
    vegetation.paint_lakes(scene)
    paint_ruins(scene)
    paint_walls(scene, lines.get("wall", ()), crossing)
    paint_forts(scene)
    paint_bridges(scene, lines.get("bridge", ()), lines.get("ford", ()))
    settlements.paint_towns(scene)
    for name, cells in (plan.patterns or {}).items():
        for cell in sorted(cells):
            scene.canvas.put("tints", _draw_pattern(mesh, cell, name))
    names = place_names(scene, plan.names or {}, lines.get("river", ()), plan.occupied, plan.marked)
    clip = f"{prefix}-clip"
    left, top, right, low = mesh.box
    sheet = build_element("rect", x=left, y=top, width=right - left, height=low - top)
    definitions = "".join(scene.canvas.definitions) + build_element("clipPath", sheet, id=clip)
    return PaintedGround(definitions, build_element("g", scene.canvas.list_parts(), clip_path=f"url(#{clip})"), names)


def _draw_pattern(mesh: CellMesh, cell: int, name: str) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in mesh.compute_corners(cell))
    return build_element("polygon", points=points, fill=f"url(#pattern-{name})", class_="g-pattern")


_LIGHT = (0.64, 0.77)  # an inward direction that looks away from the light
_ROUNDS = 15  # of averaging, after which an outline shows a hill and no longer the spaces that it is made of
_ROWS = {  # from low to high: depth of a row of hachures, their length, and the gap between them
    "hill": ((0.0, 7.0, 4.0), (9.0, 5.0, 6.2)),
    "slope": ((0.0, 10.0, 3.1), (11.5, 8.0, 4.2), (21.0, 6.0, 5.6)),
    "mountain": ((0.0, 13.0, 2.7), (13.0, 11.0, 3.4), (24.0, 9.0, 4.4), (33.0, 7.0, 5.4)),
}


def paint_relief(scene: Scene) -> None:
    """Paint hills, slopes and mountains.

    Higher ground is painted over the lower ground around it; spaces with equal ground on all sides rise a step more.
    """
    styles = list(_ROWS)
    for rank, style in enumerate(styles):
        higher = scene.find_cells(*styles[rank + 1 :])
        for tone, cells in scene.iter_groups(style):
            massifs = scene.mesh.find_components(cells | higher)
            _paint_height(
                scene, {cell for massif in massifs if cells & set(massif) for cell in massif}, tone, _ROWS[style]
            )
            broad = {cell for cell in cells if cells.issuperset(scene.mesh.iter_neighbours(cell))}
            if broad:
                _paint_height(scene, broad, tone, _ROWS[style][1:])


def _paint_height(scene: Scene, cells: set[int], tone: str, rows: tuple[tuple[float, float, float], ...]) -> None:
    """Paint one step of high ground with its shadow, and rows of hachures whose thickness depends on the light.

    `cells`: its spaces; `rows`: (distance from the rim, length, gap) of the hachures in each row.
    """
    polygons = smooth_outlines(scene.mesh, cells, 0, 11, _ROUNDS)
    shadow = ("rise-shade", {"transform": "translate(4 5)"})
    scene.canvas.add_coats("ground", join_outlines(polygons), [shadow, (f"rise {tone}", {})])
    inner = join_outlines(smooth_outlines(scene.mesh, cells, 11, 11, _ROUNDS + 2))
    scene.canvas.add_path("ground", "rise-lit", inner, transform="translate(-3 -3)")
    ticks = []
    for polygon in polygons:
        curve = sample_closed(polygon, 4)
        curve.append(curve[0])
        rim = PointIndex(24)
        for point in curve[::2]:
            rim.add(point)
        for row, (depth, length, gap) in enumerate(rows):
            line = resample(curve, gap)
            for n in range(len(line) - 1):
                ahead = compute_heading(line, n, 2)
                inwards = (-ahead[1], ahead[0])
                luck = hash_to_unit(n, row, 81)
                foot = move_point(line[n], inwards, depth + 2 * luck)
                if row and (rim.is_near(foot, depth * 0.82) or not is_in_polygon(curve, foot)):
                    continue
                tip = move_point(foot, inwards, length * (0.7 + 0.5 * luck))
                light = inwards[0] * _LIGHT[0] + inwards[1] * _LIGHT[1]
                half = max(0.25, 0.85 - 0.75 * light) * (1 - 0.18 * row)
                left, right = move_point(tip, ahead, -half), move_point(tip, ahead, half)
                ticks.append(f"M{format_point(left)}L{format_point(right)}L{format_point(foot)}Z")
    scene.canvas.add_path("ground", "hachure", "".join(ticks))


_RIM = 2.2  # how much a road's edge is wider than its fill
_AVENUE = 8.4  # distance of trees from the middle of their road


def paint_roads(scene: Scene, kinds: Sequence[LineKind], through: ThroughLines) -> None:
    """Paint the lines that run through spaces: roads first, tracks, railways and others over them.

    `through`: computes the lines of each kind.
    """
    order = {"road": 0, "track": 1, "rail": 2}
    for kind in sorted(kinds, key=lambda k: (order.get(k.style, 3), -k.widths[1])):
        lines = through.build_lines(kind.links)
        outline = "".join(format_open_path([*resample(line, 9), line[-1]]) for line in lines)
        width = kind.widths[1]
        canvas = scene.canvas
        if kind.style == "road":
            edge = ("road-edge", {"stroke_width": width + _RIM})
            canvas.add_coats("roads", outline, [edge, (f"road {kind.tone}", {"stroke_width": width})])
            _paint_avenues(scene, lines)
        elif kind.style == "rail":
            canvas.add_coats("roads", outline, [("sleeper", {}), (f"rail {kind.tone}", {})])
        elif kind.style == "track":
            canvas.add_path("roads", f"path {kind.tone}", outline, stroke_width=max(1.4, width * 0.5))
        else:
            _paint_plain(scene, kind, outline)
        scene.roads += lines
        for line in lines:
            scene.add_obstacle(line, 2.5)


def _paint_plain(scene: Scene, kind: LineKind, outline: str) -> None:
    width = kind.widths[1]
    dashes = format_dash_array(kind.stroke, width)
    scene.canvas.add_path("roads", f"line {kind.tone}", outline, stroke_width=width, stroke_dasharray=dashes)


def paint_side_lines(scene: Scene, kinds: Sequence[LineKind]) -> None:
    """Paint the lines along sides that are neither rivers nor walls, such as cliffs."""
    for kind in kinds:
        lines = []
        for chain in chain_sides(scene.mesh, kind.links):
            head = extend_beyond_rim(scene.mesh, chain[1], chain[0])[::-1]
            lines.append(trace_sides(scene.mesh, chain, head, extend_beyond_rim(scene.mesh, chain[-2], chain[-1])))
        outline = "".join(format_open_path([*resample(line, 9), line[-1]]) for line in lines)
        if kind.style == "border":
            scene.canvas.add_path("roads", f"border {kind.tone}", outline, stroke_width=max(1.6, kind.widths[1] * 0.6))
        elif kind.style == "cliff":
            ticks = [tick for line in lines for tick in _draw_cliff_ticks(line)]
            scene.canvas.add_path("works", "cliff", outline)
            scene.canvas.add_path("works", "hachure", "".join(ticks))
        else:
            _paint_plain(scene, kind, outline)
        for line in lines:
            scene.add_obstacle(line, 2.5)


def _draw_cliff_ticks(line: Sequence[Point]) -> list[str]:
    """Return the SVG paths of wedges along the right side of a cliff."""
    points, ticks = resample(line, 4), []
    for n in range(1, len(points) - 1):
        ahead = compute_heading(points, n)
        foot = move_point(points[n], turn_left(ahead), -(7 + 2 * compute_value_noise(n / 2, 1, 12)))
        base = [move_point(points[n], ahead, -1.2), move_point(points[n], ahead, 1.2)]
        ticks.append(format_path([*base, foot], close=True))
    return ticks


def _paint_avenues(scene: Scene, lines: Sequence[Sequence[Point]]) -> None:
    """Paint rows of trees beside some stretches of roads over open land."""
    rows = []
    for line in lines:
        points = resample(line, 6)
        for side in (-1, 1):
            row: list[Point] = []
            for n, point in enumerate(points):
                is_planted = (
                    compute_value_noise(point[0] / 90, point[1] / 90, 27) > 0.05 and scene.get_style(point) == "fields"
                )
                if is_planted:
                    row.append(move_point(point, turn_left(compute_heading(points, n, 2)), side * _AVENUE))
                if row and (not is_planted or n == len(points) - 1):
                    if len(row) > 6:
                        rows.append(format_open_path(row[::2]))
                    row = []
    coats: list[Coat] = [
        ("avenue-shade", {"transform": "translate(1.6 2.2)"}),
        ("avenue", {}),
        ("avenue-lit", {"transform": "translate(-.5 -.6)"}),
    ]
    scene.canvas.add_coats("avenues", "".join(rows), coats)
