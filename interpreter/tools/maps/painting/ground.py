"""Paint the ground of a grid map: terrain and lines that never change, and the names on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interpreter.diagnostics.svg_markup import element
from interpreter.tools.maps.geometry import MapGeometry
from interpreter.tools.maps.painting import settlements, vegetation
from interpreter.tools.maps.painting.canvas import PaintingCanvas
from interpreter.tools.maps.painting.cell_mesh import CellMesh
from interpreter.tools.maps.painting.courses import LineKind, ThroughLines
from interpreter.tools.maps.painting.fortifications import paint_earth, paint_forts, paint_ruins, paint_walls
from interpreter.tools.maps.painting.place_labels import PlacedName, place_names
from interpreter.tools.maps.painting.relief import paint_relief
from interpreter.tools.maps.painting.roads import paint_roads, paint_side_lines
from interpreter.tools.maps.painting.scene import Scene, Terrain
from interpreter.tools.maps.painting.waters import paint_bridges, paint_rivers

_TINTED = ("fields", "bare", "ruins")  # styles without a ground of their own: a stated colour lies beneath them


@dataclass(frozen=True, slots=True)
class GroundPlan:
    """Input of a ground: the terrain of every space, kinds of lines in drawing order, and names by space.

    `patterns`: spaces by the name of the pattern over them. `occupied`: spaces on which counters begin, which names
    avoid.
    """

    layout: MapGeometry
    terrain: Mapping[int, Terrain]
    lines: Sequence[LineKind] = ()
    names: Mapping[int, str] | None = None
    patterns: Mapping[str, frozenset[int]] | None = None
    occupied: frozenset[int] = frozenset()


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
            scene.canvas.put("tints", _patterned(mesh, cell, name))
    names = place_names(scene, plan.names or {}, lines.get("river", ()), plan.occupied)
    clip = f"{prefix}-clip"
    left, top, right, low = mesh.box
    sheet = element("rect", x=left, y=top, width=right - left, height=low - top)
    definitions = "".join(scene.canvas.definitions) + element("clipPath", sheet, id=clip)
    return PaintedGround(definitions, element("g", scene.canvas.parts(), clip_path=f"url(#{clip})"), names)


def _patterned(mesh: CellMesh, cell: int, name: str) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in mesh.corners(cell))
    return element("polygon", points=points, fill=f"url(#pattern-{name})", class_="g-pattern")
