"""Paint heights: rows of hachures along merged outlines, shaded away from a light in the north-west."""

from __future__ import annotations

from interpreter.tools.maps.painting.curves import (
    PointIndex,
    contains,
    format_point,
    heading_at,
    move_point,
    resample,
    sample_closed,
)
from interpreter.tools.maps.painting.noise import chance
from interpreter.tools.maps.painting.scene import Scene, join_outlines, smooth_outlines

_LIGHT = (0.64, 0.77)  # an inward direction that looks away from the light
_ROUNDS = 15  # of averaging, after which an outline shows a hill and no longer the spaces that it is made of
_ROWS = {  # depth of a row of hachures, their length, and the gap between them
    "slope": ((0.0, 10.0, 3.1), (11.5, 8.0, 4.2), (21.0, 6.0, 5.6)),
    "mountain": ((0.0, 13.0, 2.7), (13.0, 11.0, 3.4), (24.0, 9.0, 4.4), (33.0, 7.0, 5.4)),
}


def paint_relief(scene: Scene) -> None:
    """Paint slopes and mountains."""
    for style, rows in _ROWS.items():
        for tone, cells in scene.groups(style):
            _paint_height(scene, cells, tone, rows)


def _paint_height(scene: Scene, cells: set[int], tone: str, rows: tuple[tuple[float, float, float], ...]) -> None:
    polygons = smooth_outlines(scene.mesh, cells, 0, 11, _ROUNDS)
    shadow = ("rise-shade", {"transform": "translate(4 5)"})
    scene.canvas.coats("ground", join_outlines(polygons), [shadow, (f"rise {tone}".strip(), {})])
    inner = join_outlines(smooth_outlines(scene.mesh, cells, 11, 11, _ROUNDS + 2))
    scene.canvas.path("ground", "rise-lit", inner, transform="translate(-3 -3)")
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
                ahead = heading_at(line, n, 2)
                inwards = (-ahead[1], ahead[0])
                luck = chance(n, row, 81)
                foot = move_point(line[n], inwards, depth + 2 * luck)
                if row and (rim.is_near(foot, depth * 0.82) or not contains(curve, foot)):
                    continue
                tip = move_point(foot, inwards, length * (0.7 + 0.5 * luck))
                light = inwards[0] * _LIGHT[0] + inwards[1] * _LIGHT[1]
                half = max(0.25, 0.85 - 0.75 * light) * (1 - 0.18 * row)
                left, right = move_point(tip, ahead, -half), move_point(tip, ahead, half)
                ticks.append(f"M{format_point(left)}L{format_point(right)}L{format_point(foot)}Z")
    scene.canvas.path("ground", "hachure", "".join(ticks))
