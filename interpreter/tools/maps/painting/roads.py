"""Paint roads, tracks, railways, borders, cliffs and lines without a style of their own."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.diagnostics.svg_markup import format_coordinate
from interpreter.tools.maps.geometry import Point
from interpreter.tools.maps.painting.courses import LineKind, ThroughLines, chain_sides, extend_beyond_rim, trace_sides
from interpreter.tools.maps.painting.curves import heading_at, left_of, move_point, open_path, polyline, resample
from interpreter.tools.maps.painting.noise import value_noise
from interpreter.tools.maps.painting.scene import Scene
from interpreter.tools.maps.shapes import dash_array

_RIM = 2.2  # how much a road's edge is wider than its fill
_AVENUE = 8.4  # distance of trees from the middle of their road


def paint_roads(scene: Scene, kinds: Sequence[LineKind], through: ThroughLines) -> None:
    """Paint the lines that run through spaces: roads first, tracks, railways and others over them."""
    order = {"road": 0, "track": 1, "rail": 2}
    for kind in sorted(kinds, key=lambda k: (order.get(k.style, 3), -k.widths[1])):
        lines = through.lines(kind.links)
        outline = "".join(open_path([*resample(line, 9), line[-1]]) for line in lines)
        width = kind.widths[1]
        canvas = scene.canvas
        if kind.style == "road":
            edge, fill = {"stroke-width": format_coordinate(width + _RIM)}, {"stroke-width": format_coordinate(width)}
            canvas.coats("roads", outline, [("road-edge", edge), (f"road {kind.tone}".strip(), fill)])
            _paint_avenues(scene, lines)
        elif kind.style == "rail":
            canvas.coats("roads", outline, [("sleeper", {}), (f"rail {kind.tone}".strip(), {})])
        elif kind.style == "track":
            canvas.path(
                "roads", f"path {kind.tone}".strip(), outline, stroke_width=format_coordinate(max(1.4, width * 0.5))
            )
        else:
            _paint_plain(scene, kind, outline)
        scene.roads += lines
        for line in lines:
            scene.block(line, 2.5)


def _paint_plain(scene: Scene, kind: LineKind, outline: str) -> None:
    dash = dash_array(kind.stroke, kind.widths[1])
    stated = {"stroke_dasharray": dash} if dash else {}
    look = f"line {kind.tone}".strip()
    scene.canvas.path("roads", look, outline, stroke_width=format_coordinate(kind.widths[1]), **stated)


def paint_side_lines(scene: Scene, kinds: Sequence[LineKind]) -> None:
    """Paint the lines along sides that are neither rivers nor walls."""
    for kind in kinds:
        lines = []
        for chain in chain_sides(scene.mesh, kind.links):
            head, tail = (
                extend_beyond_rim(scene.mesh, chain[1], chain[0])[::-1],
                extend_beyond_rim(scene.mesh, chain[-2], chain[-1]),
            )
            lines.append(trace_sides(scene.mesh, chain, head, tail))
        outline = "".join(open_path([*resample(line, 9), line[-1]]) for line in lines)
        if kind.style == "border":
            width = format_coordinate(max(1.6, kind.widths[1] * 0.6))
            scene.canvas.path("roads", f"border {kind.tone}".strip(), outline, stroke_width=width)
        elif kind.style == "cliff":
            ticks = [tick for line in lines for tick in _cliff_ticks(line)]
            scene.canvas.path("works", "cliff", outline)
            scene.canvas.path("works", "hachure", "".join(ticks))
        else:
            _paint_plain(scene, kind, outline)
        for line in lines:
            scene.block(line, 2.5)


def _cliff_ticks(line: Sequence[Point]) -> list[str]:
    """Return wedges along one side of a cliff."""
    points, found = resample(line, 4), []
    for n in range(1, len(points) - 1):
        ahead = heading_at(points, n)
        foot = move_point(points[n], left_of(ahead), -(7 + 2 * value_noise(n / 2, 1, 12)))
        found.append(
            polyline([move_point(points[n], ahead, -1.2), move_point(points[n], ahead, 1.2), foot], close=True)
        )
    return found


def _paint_avenues(scene: Scene, lines: Sequence[Sequence[Point]]) -> None:
    """Paint rows of trees beside roads over open land, here and there."""
    rows = []
    for line in lines:
        points = resample(line, 6)
        for side in (-1, 1):
            row: list[Point] = []
            for n, point in enumerate(points):
                is_planted = value_noise(point[0] / 90, point[1] / 90, 27) > 0.05 and scene.style_at(point) == "fields"
                if is_planted:
                    row.append(move_point(point, left_of(heading_at(points, n, 2)), side * _AVENUE))
                if row and (not is_planted or n == len(points) - 1):
                    if len(row) > 6:
                        rows.append(open_path(row[::2]))
                    row = []
    coats: list[tuple[str, dict[str, str]]] = [
        ("avenue-shade", {"transform": "translate(1.6 2.2)"}),
        ("avenue", {}),
        ("avenue-lit", {"transform": "translate(-.5 -.6)"}),
    ]
    scene.canvas.coats("avenues", "".join(rows), coats)
