"""Paint paper, fields, woods, orchards, marshes, sand and rough ground."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import cos, floor, pi, sin

from interpreter.diagnostics.svg_markup import build_element, format_coordinate
from interpreter.model.area_drawing import Point
from interpreter.tools.maps.painting.curves import (
    PointIndex,
    compute_direction,
    format_closed_path,
    interpolate,
    move_point,
)
from interpreter.tools.maps.painting.noise import compute_value_noise, hash_to_unit, warp_point
from interpreter.tools.maps.painting.scene import Scene, iter_scattered, join_outlines, smooth_outlines
from interpreter.tools.maps.shapes import format_path, format_point

_BLOTS = 16  # stains of the paper
_BLOCK = 96.0  # distance between blocks of fields
_CROWNS = ((6.8, 1), (5.2, 2), (7.6, 3), (4.6, 2), (6.2, 1), (5.8, 3))  # radius and colour of each sort of tree
_GRAIN = 220.0  # size of the paper's tile
_SPECKS = 150


def define_symbols() -> str:
    """Return the definitions of trees, reeds and rocks, and of the paper's grain."""
    parts = []
    for n, (radius, colour) in enumerate(_CROWNS):
        crown = []
        for k in range(9):
            angle, distance = 2 * pi * k / 9, radius * (0.86 + 0.26 * hash_to_unit(n, k, 7))
            crown.append((distance * cos(angle), distance * sin(angle) * 0.96))
        lit = [(x * 0.5 - radius * 0.24, y * 0.42 - radius * 0.3) for x, y in crown]
        shapes = [
            build_element("path", class_=f"g-crown{colour}", d=format_closed_path(crown)),
            build_element("path", class_="g-crown-lit", d=format_closed_path(lit)),
        ]
        parts.append(build_element("g", shapes, id=f"g-tree{n}"))
    reeds = (
        "M0 0C0-3-1-5-2.6-7M0 0C0-4 .2-6 .4-8.4M0 0C.2-3 1.4-5 3-6.4M-4 .4H4",
        "M-1.6 0-3-5.4M-.6 0-.4-7M.8 0 2.2-6M-4 .4H3.6",
    )
    parts += [build_element("path", id=f"g-reed{n}", class_="g-reed", d=d) for n, d in enumerate(reeds)]
    rocks = ("M-6 3-4-3 1-5 5-1 6 3ZM1-5 0 3", "M-4 2-2-3 3-2 4 2ZM-2-3-1 2")
    parts += [build_element("path", id=f"g-rock{n}", class_="g-rock", d=d) for n, d in enumerate(rocks)]
    blot = [build_element("stop", class_="g-blot0"), build_element("stop", class_="g-blot1", offset=1)]
    parts.append(build_element("radialGradient", blot, id="g-blot"))
    specks = "".join(
        f"M{format_point((_GRAIN * hash_to_unit(n, 1, 11), _GRAIN * hash_to_unit(n, 2, 11)))}"
        f"l{format_point((1 + 5 * hash_to_unit(n, 3, 11) ** 3, 2.4 * (hash_to_unit(n, 4, 11) - 0.5)))}"
        for n in range(_SPECKS)
    )
    tile = build_element("path", class_="g-speck", d=specks)
    parts.append(
        build_element("pattern", tile, id="g-grain", width=_GRAIN, height=_GRAIN, patternUnits="userSpaceOnUse")
    )
    return "".join(parts)


def paint_paper(scene: Scene) -> None:
    """Paint the sheet of paper beneath everything: one tone, large soft stains, and grain."""
    left, top, right, low = scene.mesh.box
    wide, high = right - left, low - top
    sheet = {"x": left, "y": top, "width": wide, "height": high}
    scene.canvas.put("paper", build_element("rect", class_="g-paper", **sheet))
    for n in range(_BLOTS):
        x, y = left + wide * hash_to_unit(n, 1, 50), top + high * hash_to_unit(n, 2, 50)
        rx, ry = 150 + 260 * hash_to_unit(n, 3, 50), 110 + 160 * hash_to_unit(n, 4, 50)
        scene.canvas.put("paper", build_element("ellipse", fill="url(#g-blot)", cx=x, cy=y, rx=rx, ry=ry))
    scene.canvas.put("paper", build_element("rect", fill="url(#g-grain)", **sheet))


def paint_tones(scene: Scene, styles: Sequence[str]) -> None:
    """Paint the spaces of some styles in the colours that their author stated, as merged shapes."""
    for tone, cells in scene.iter_groups(*styles):
        if tone:
            shape = join_outlines(smooth_outlines(scene.mesh, cells, 0, 6, 3))
            scene.canvas.add_path("tints", f"tint {tone}", shape)


@dataclass(slots=True)
class _FieldShapes:
    """The SVG paths of fields: strips by the number of their tint, furrows, boundaries, and hedges."""

    tints: dict[int, list[str]] = field(default_factory=lambda: {n: [] for n in range(1, 6)})
    furrows: list[str] = field(default_factory=list)
    boundaries: list[str] = field(default_factory=list)
    hedges: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Strip:
    """A strip of a block: its numbers along and across the block, and its ends in the block's coordinates."""

    column: int
    row: int
    left: float
    right: float
    top: float
    low: float


@dataclass(frozen=True, slots=True)
class _FieldBlock:
    """A turned block of strips of fields.

    `i` and `j`: its lattice point; `along` and `across`: unit vectors of its axes; `half` and `deep`: half its length
    and half its depth.
    """

    i: int
    j: int
    middle: Point
    along: Point
    across: Point
    half: float
    deep: float

    @classmethod
    def create(cls, i: int, j: int) -> _FieldBlock:
        """Return the block of fields at a lattice point."""
        x, y = (i + 0.5 * (j % 2) + 0.7 * hash_to_unit(i, j, 31)) * _BLOCK, (j + 0.7 * hash_to_unit(i, j, 32)) * _BLOCK
        turn = pi * (0.5 * compute_value_noise(x / 400, y / 400, 33) + 0.25 * (hash_to_unit(i, j, 34) - 0.5))
        half, deep = 46 + 46 * hash_to_unit(i, j, 36), 32 + 26 * hash_to_unit(i, j, 37)
        return cls(i, j, (x, y), (cos(turn), sin(turn)), (-sin(turn), cos(turn)), half, deep)

    def compute_displaced_point(self, s: float, t: float) -> Point:
        """Return the point at the coordinates `s` along and `t` across the block, displaced by noise."""
        return warp_point(self.compute_point(s, t), 3.2)

    def compute_point(self, s: float, t: float) -> Point:
        """Return the point at the coordinates `s` along and `t` across the block."""
        return move_point(move_point(self.middle, self.along, s), self.across, t)

    def iter_strips(self) -> Iterator[_Strip]:
        """Yield each strip of the block."""
        cuts = [0.0]
        for k in range(3 + int(4 * hash_to_unit(self.i, self.j, 38))):
            cuts.append(cuts[-1] + 0.6 + hash_to_unit(self.i * 7 + k, self.j, 39))
        cuts = [-self.half + 2 * self.half * cut / cuts[-1] for cut in cuts]
        for k, (left, right) in enumerate(pairwise(cuts)):
            parts = [-self.deep, self.deep]
            if hash_to_unit(self.i + k, self.j, 40) >= 0.6:
                parts.insert(1, self.deep * (hash_to_unit(k, self.i + self.j, 41) - 0.5))
            for n, (top, low) in enumerate(pairwise(parts)):
                yield _Strip(k, n, left, right, top, low)


def paint_fields(scene: Scene) -> None:
    """Paint blocks of strips with furrows, hedges and boundaries on open land."""
    mesh = scene.mesh
    left, top, right, bottom = mesh.box
    field_cells = scene.find_cells("fields")
    if not field_cells:
        return
    barred = mesh.index_centres((cell for cell in scene.terrain if cell not in field_cells), mesh.across * 0.43)
    for water in scene.waters:
        for point in water.points[::3]:
            barred.add(point, water.width)
    shapes, placed = _FieldShapes(), PointIndex(60)
    for j in range(floor(top / _BLOCK) - 1, floor(bottom / _BLOCK) + 2):
        for i in range(floor(left / _BLOCK) - 1, floor(right / _BLOCK) + 2):
            if hash_to_unit(i, j, 35) < 0.14:
                continue
            block = _FieldBlock.create(i, j)
            for strip in block.iter_strips():
                x, y = centre = block.compute_point((strip.left + strip.right) / 2, (strip.top + strip.low) / 2)
                reach = (strip.low - strip.top) / 2 * 0.8
                tips = [move_point(centre, block.across, z) for z in (-reach, 0.0, reach)]
                is_inside = left - 40 < x < right + 40 and top - 40 < y < bottom + 40
                if is_inside and not placed.is_near(centre, 16) and not any(barred.is_near(tip, 7) for tip in tips):
                    _add_strip(shapes, block, strip)
            for z in range(-3, 4):
                placed.add(move_point(block.middle, block.along, block.half * z / 3.4), block.deep * 0.72)
    for tint, paths in shapes.tints.items():
        scene.canvas.add_path("fields", f"field{tint}", "".join(paths))
    scene.canvas.add_path("fields", "furrow", "".join(shapes.furrows))
    scene.canvas.add_path("fields", "boundary", "".join(shapes.boundaries))
    scene.canvas.add_path("fields", "hedge", "".join(shapes.hedges))


def _add_strip(shapes: _FieldShapes, block: _FieldBlock, strip: _Strip) -> None:
    """Add one strip of a block to `shapes`, with furrows, a hedge or a boundary."""
    k, n, i, j = strip.column, strip.row, block.i, block.j
    left, right, top, low = strip.left, strip.right, strip.top, strip.low
    a, b, c, d = left + 0.7, right - 0.7, top + 0.7, low - 0.7
    x, y = (a + b) / 2, (top + low) / 2
    rim = [(a, c), (x, c), (b, c), (b, y), (b, d), (x, d), (a, d), (a, y)]
    tint = 1 + int(5 * hash_to_unit(i * 5 + k, j * 3 + n, 42))
    shapes.tints[tint].append(format_path([block.compute_displaced_point(s, t) for s, t in rim], close=True))

    def draw_side(s: float) -> str:
        return format_path(
            [
                block.compute_displaced_point(s, top),
                block.compute_displaced_point(s, y),
                block.compute_displaced_point(s, low),
            ]
        )

    if hash_to_unit(i * 3 + k, j + n, 43) < 0.42:
        shapes.furrows += _draw_furrows(block, a, b, top, low)
    elif hash_to_unit(i + k, j * 5 + n, 44) < 0.22:
        shapes.hedges.append(draw_side(a))
    else:
        shapes.boundaries.append(draw_side(b))


def _draw_furrows(block: _FieldBlock, left: float, right: float, top: float, low: float) -> list[str]:
    """Return the SVG paths of furrows along the longer side of a strip, whose ends are in the block's coordinates."""
    gap = 4.1
    if right - left < low - top:
        offsets = [left + gap * (n + 0.8) for n in range(int((right - left - 2) / gap))]
        return [
            format_path([block.compute_displaced_point(s, top + 2), block.compute_displaced_point(s, low - 2)])
            for s in offsets
        ]
    offsets = [top + gap * (n + 0.8) for n in range(int((low - top - 2) / gap))]
    return [
        format_path([block.compute_displaced_point(left + 2, t), block.compute_displaced_point(right - 2, t)])
        for t in offsets
    ]


def paint_woods(scene: Scene) -> None:
    """Paint woods: a merged floor, crowns from far to near with one joint shadow, and a few trees beyond the edge."""
    for tone, cells in scene.iter_groups("woods"):
        polygons = smooth_outlines(scene.mesh, cells, 1, 8, 3)
        scene.canvas.add_coats("ground", join_outlines(polygons), [(f"woods {tone}", {}), ("woods-edge", {})])
        blocked = scene.obstacles
        trees = [t for t in iter_scattered(scene, cells, polygons, 9.6, 61) if not blocked.is_near((t[0], t[1]), 5.5)]
        near = PointIndex(12)
        for x, y, _ in trees:
            near.add((x, y))
        for polygon in polygons:
            middle = interpolate(polygon[0], polygon[len(polygon) // 2])
            for n, point in enumerate(polygon):
                if hash_to_unit(n, 0, 65) < 0.11:
                    lone = move_point(point, compute_direction(middle, point), 9 + 8 * hash_to_unit(n, 1, 66))
                    if not blocked.is_near(lone, 7) and not near.is_near(lone, 7):
                        trees.append((*lone, 0.6 + 0.39 * hash_to_unit(floor(lone[0]), floor(lone[1]), 67)))
        _draw_trees(scene, trees)


def paint_orchards(scene: Scene) -> None:
    """Paint orchards and vineyards: small trees in rows on a light ground."""
    for tone, cells in scene.iter_groups("orchard"):
        polygons = smooth_outlines(scene.mesh, cells, 4, 5, 2)
        scene.canvas.add_path("ground", f"garden {tone}", join_outlines(polygons))
        spots = iter_scattered(scene, cells, polygons, 14, 62, 0.06)
        _draw_trees(scene, [(x, y, 0.55) for x, y, _ in spots if not scene.obstacles.is_near((x, y), 6)])


def _draw_trees(scene: Scene, trees: Sequence[tuple[float, float, float]]) -> None:
    ordered = sorted(trees, key=lambda tree: (tree[1], tree[0]))
    shades = [f"M{format_point((x - 2.2, y + 3.6))}a6 5 0 1 0 11.5 0a6 5 0 1 0-11.5 0" for x, y, _ in ordered]
    scene.canvas.add_path("trees", "tree-shade", "".join(shades))
    for x, y, sort in ordered:
        scene.canvas.add_symbol("trees", f"g-tree{int(sort * (len(_CROWNS) - 0.01))}", x, y)


def paint_marshes(scene: Scene) -> None:
    """Paint marshes in two tints with pools, dashes of water, and reeds."""
    for tone, cells in scene.iter_groups("marsh"):
        polygons = smooth_outlines(scene.mesh, cells, -1, 9, 4)
        scene.canvas.add_path("ground", f"marsh {tone}", join_outlines(polygons))
        scene.canvas.add_path("ground", "marsh-deep", join_outlines(smooth_outlines(scene.mesh, cells, 8, 11, 4)))
        dashes, pools = [], []
        for x, y, sort in iter_scattered(scene, cells, polygons, 10.5, 71, 0.45):
            if scene.obstacles.is_near((x, y), 3):
                continue
            if sort < 0.13:
                pools.append(f"M{format_point((x - 8, y))}q8-4 16 0q-8 4-16 0Z")
            elif sort < 0.62:
                wide = 3 + 6 * hash_to_unit(floor(x), floor(y), 72)
                dashes.append(f"M{format_point((x - wide / 2, y))}h{format_coordinate(wide)}")
            elif sort < 0.9:
                scene.canvas.add_symbol("reeds", f"g-reed{int(sort * 100) % 2}", x, y)
        scene.canvas.add_path("ground", "ripple", "".join(dashes))
        scene.canvas.add_path("ground", "pool", "".join(pools))


def paint_sand(scene: Scene) -> None:
    """Paint sand and desert as stippled ground."""
    for tone, cells in scene.iter_groups("sand"):
        polygons = smooth_outlines(scene.mesh, cells, 0, 9, 4)
        scene.canvas.add_path("ground", f"sand {tone}", join_outlines(polygons))
        dots = [
            f"M{format_point((x, y))}h.1"
            for x, y, sort in iter_scattered(scene, cells, polygons, 6.5, 75, 0.5)
            if sort < 0.6 and not scene.obstacles.is_near((x, y), 2)
        ]
        scene.canvas.add_path("ground", "sand-dot", "".join(dots))


def paint_rough(scene: Scene) -> None:
    """Paint rough ground: a darker floor with scattered rocks and shrubs."""
    for tone, cells in scene.iter_groups("rough"):
        polygons = smooth_outlines(scene.mesh, cells, 0, 9, 4)
        scene.canvas.add_path("ground", f"rough {tone}", join_outlines(polygons))
        for x, y, sort in sorted(iter_scattered(scene, cells, polygons, 15, 77, 0.45), key=lambda p: (p[1], p[0])):
            if not scene.obstacles.is_near((x, y), 6) and sort < 0.62:
                scene.canvas.add_symbol("reeds", "g-reed0" if sort < 0.22 else f"g-rock{int(sort * 100) % 2}", x, y)


def paint_lakes(scene: Scene) -> None:
    """Paint lakes and seas: a shore, water with a coast line and its echoes inside."""
    for tone, cells in scene.iter_groups("water"):
        canvas, mesh = scene.canvas, scene.mesh
        canvas.add_path("ground", "shore", join_outlines(smooth_outlines(mesh, cells, -7, 9, 4)))
        water = join_outlines(smooth_outlines(mesh, cells, 0, 8, 4))
        canvas.add_coats("ground", water, [(f"water {tone}", {}), ("coast", {})])
        for depth in (7, 14):
            canvas.add_path(
                "ground", "coast-echo", join_outlines(smooth_outlines(mesh, cells, depth, 8, 4 + depth // 4))
            )
        canvas.add_path("ground", "water-deep", join_outlines(smooth_outlines(mesh, cells, 22, 9, 8)))
