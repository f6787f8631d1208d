"""Paint walls and works as engineers drew them: ramparts with bastions, ditches with ticks, forts, and ruined lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import cos, radians, sin

from interpreter.model.area_drawing import Point
from interpreter.tools.maps.painting.canvas import Coat
from interpreter.tools.maps.painting.cell_mesh import Key, build_corner_key
from interpreter.tools.maps.painting.courses import LineKind, extend_beyond_rim
from interpreter.tools.maps.painting.curves import (
    compute_direction,
    compute_distance,
    compute_heading,
    interpolate,
    join_chains,
    move_point,
    resample,
    sample_open,
    turn_left,
)
from interpreter.tools.maps.painting.noise import compute_value_noise, hash_to_unit, warp_point
from interpreter.tools.maps.painting.scene import Scene, join_outlines, smooth_outlines
from interpreter.tools.maps.shapes import format_path

_BACK = 5.5  # distance of a rampart from its side, on the side of its owner
_GATE, _POST = 11.5, 15.0  # half the gap of a gate, and how far its posts are looked for
_SALIENT = 0.2  # sine of a turn from which a corner gets a bastion
_CORNER = 0.03  # sine of a turn that is kept when a line is thinned
_SHADE: Coat = ("rampart-shade", {"transform": "translate(1.6 2.2)"})
_RAMPART: Sequence[Coat] = (("rampart-ink", {}), ("rampart", {}), ("rampart-lit", {}))
_FORTS = {"star_fort": 0.66, "field_fort": 0.5}  # size as a share of a space's radius


def paint_earth(scene: Scene) -> None:
    """Paint trodden ground beneath works."""
    cells = scene.find_cells("earth", "star_fort")
    if cells:
        shape = join_outlines(smooth_outlines(scene.mesh, cells, 3, 3, 2))
        scene.canvas.add_coats("ground", shape, [("earth", {}), ("earth-edge", {})])
    for tone, group in scene.iter_groups("earth", "star_fort", "field_fort"):
        if tone:
            scene.canvas.add_path("ground", f"earth {tone}", join_outlines(smooth_outlines(scene.mesh, group, 3, 3, 2)))


def paint_walls(scene: Scene, kinds: Sequence[LineKind], roads: Sequence[LineKind]) -> None:
    """Paint all walls of the kinds `kinds`, and a gate where a road of the kinds `roads` leads through one."""
    ramparts, ticks, ditches = list[str](), list[str](), list[str]()
    crossed = {frozenset(link.ends) for kind in roads for link in kind.links}
    for kind in kinds:
        gates = [
            interpolate(*side)
            for link in kind.links
            if frozenset(link.ends) in crossed and (side := scene.mesh.find_side_between(*link.ends)) is not None
        ]
        for line in _build_wall_lines(scene, kind):
            scene.walls.append(line)
            for piece in _cut_gates(line, gates):
                for end in (piece[0], piece[-1]):
                    if any(compute_distance(end, gate) < _POST for gate in gates):
                        post = [move_point(end, (x, y), 4.5) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
                        scene.canvas.add_path("gates", "gate", format_path(post, True))
                thin = _simplify(piece)
                ramparts.append(format_path(thin))
                ticks += _draw_ticks(piece)
                ditches.append(_draw_ditch(thin))
    canvas = scene.canvas
    canvas.add_path("works", "ditch", "".join(ditches))
    canvas.add_path("works", "tick", "".join(ticks))
    canvas.add_coats("works", "".join(ramparts), [_SHADE, *_RAMPART])


def _build_wall_lines(scene: Scene, kind: LineKind) -> list[list[Point]]:
    """Return the lines of a kind of wall, from neighbouring fort to neighbouring fort.

    A wall with an owner has the owner on its inner side, on the right, and is set back and has bastions.
    """
    mesh, corners = scene.mesh, dict[Key, Point]()
    owner: dict[frozenset[Key], int | None] = {}
    edges = []
    for link in kind.links:
        side = mesh.find_side_between(*link.ends)
        if side is not None:
            a, b = build_corner_key(side[0]), build_corner_key(side[1])
            corners[a], corners[b] = side
            owner[frozenset((a, b))] = link.owner
            edges.append((a, b))
    lines = []
    for chain in join_chains(edges):
        points = [corners[key] for key in chain]
        owner_cell = owner[frozenset(chain[:2])]
        if owner_cell is not None:
            centre, aside = mesh.centres[owner_cell], turn_left(compute_direction(points[0], points[1]))
            if (centre[0] - points[0][0]) * aside[0] + (centre[1] - points[0][1]) * aside[1] > 0:
                points.reverse()
        head, tail = (_find_fort_near(scene, end) for end in (points[0], points[-1]))
        points = [*([head] if head else []), *points, *([tail] if tail else [])]
        lines.append(_add_bastions(points, bool(head), bool(tail)) if owner_cell is not None else resample(points, 0.9))
    return lines


def _find_fort_near(scene: Scene, end: Point) -> Point | None:
    """Return the point of a fort's rampart towards `end`, the end of a wall, or None if no fort is next to it."""
    for cell in sorted(scene.find_cells(*_FORTS)):
        centre = scene.mesh.centres[cell]
        if compute_distance(centre, end) < scene.mesh.radius * 1.06:
            return move_point(centre, compute_direction(centre, end), scene.mesh.radius * 0.4)
    return None


def _add_bastions(points: Sequence[Point], has_head: bool, has_tail: bool) -> list[Point]:
    """Return the trace of a wall: set back from its sides, with a bastion at each corner that juts out.

    `has_head` and `has_tail`: the first or last point belongs to a fort and is not set back.
    """
    trace = [
        points[0] if has_head else move_point(points[0], turn_left(compute_direction(points[0], points[1])), -_BACK)
    ]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        u, v = compute_direction(before, corner), compute_direction(corner, after)
        out = compute_direction((0, 0), (turn_left(u)[0] + turn_left(v)[0], turn_left(u)[1] + turn_left(v)[1]))
        point = move_point(corner, out, -_BACK)
        if u[0] * v[1] - u[1] * v[0] > _SALIENT:
            shoulder, face = (
                move_point(move_point(point, u, -13), out, 4.5),
                move_point(move_point(point, v, 13), out, 4.5),
            )
            trace += [move_point(point, u, -17), shoulder, move_point(point, out, 10.5), face, move_point(point, v, 17)]
        else:
            trace.append(point)
    last = (
        points[-1] if has_tail else move_point(points[-1], turn_left(compute_direction(points[-2], points[-1])), -_BACK)
    )
    return [*resample([*trace, last], 0.9), last]


def _cut_gates(line: Sequence[Point], gates: Sequence[Point]) -> list[list[Point]]:
    pieces: list[list[Point]] = [[]]
    for point in line:
        if any(compute_distance(point, gate) < _GATE for gate in gates):
            pieces.append([])
        else:
            pieces[-1].append(point)
    return [piece for piece in pieces if len(piece) > 3]


def _simplify(points: Sequence[Point]) -> list[Point]:
    """Return the points at which a line turns noticeably, and its two ends."""
    turns = [points[0]]
    for a, b, c in zip(points, points[1:], points[2:], strict=False):
        u, v = compute_direction(a, b), compute_direction(b, c)
        if abs(u[0] * v[1] - u[1] * v[0]) > _CORNER:
            turns.append(b)
    return [*turns, points[-1]]


def _draw_ticks(points: Sequence[Point]) -> list[str]:
    ticks = []
    for n in range(4, len(points), 4):  # points lie 0.9 apart
        out = turn_left(compute_heading(points, n, 2))
        ticks.append(format_path([move_point(points[n], out, 6.2), move_point(points[n], out, 10.6)]))
    return ticks


def _draw_ditch(points: Sequence[Point]) -> str:
    edge = []
    for a, b in pairwise(points):
        out = turn_left(compute_direction(a, b))
        edge += [move_point(a, out, 6), move_point(b, out, 6)]
    return format_path(edge)


def paint_forts(scene: Scene) -> None:
    """Paint closed works: forts of four bastions, and small five-sided ones."""
    for style, share in _FORTS.items():
        for cell in sorted(scene.find_cells(style)):
            centre, size = scene.mesh.centres[cell], scene.mesh.radius * share
            body = _build_star(centre, size) if style == "star_fort" else _build_pentagon(centre, size)
            _paint_fort(scene, centre, body)


def _build_star(centre: Point, size: float) -> list[Point]:
    body = []
    for n in range(4):
        turn = radians(45 + 90 * n - 90)
        axis, along = (cos(turn), sin(turn)), (-sin(turn), cos(turn))
        for distance, aside in ((0.6, -0.17), (0.74, -0.3), (1.16, 0.0), (0.74, 0.3), (0.6, 0.17)):
            body.append(move_point(move_point(centre, axis, size * distance), along, size * aside))
    return body


def _build_pentagon(centre: Point, size: float) -> list[Point]:
    corners = ((-1.0, -1.0), (0.0, -1.22), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
    slant, upright = 0.34, 0.94  # sine and cosine of its turn
    return [
        (centre[0] + size * 0.72 * (x * upright - y * slant), centre[1] + size * 0.72 * (x * slant + y * upright))
        for x, y in corners
    ]


def _paint_fort(scene: Scene, centre: Point, body: Sequence[Point]) -> None:
    canvas, ticks = scene.canvas, list[str]()
    for a, b in zip(body, [*body[1:], body[0]], strict=True):
        out, middle = turn_left(compute_direction(a, b)), interpolate(a, b)
        if out[0] * (middle[0] - centre[0]) + out[1] * (middle[1] - centre[1]) < 0:
            out = (-out[0], -out[1])
        ticks += [format_path([move_point(p, out, 5), move_point(p, out, 9)]) for p in resample([a, b], 4)]
    outline = format_path(body, close=True)
    canvas.add_path("works", "tick", "".join(ticks))
    canvas.add_coats("works", outline, [_SHADE, ("work", {}), *_RAMPART])


def paint_ruins(scene: Scene) -> None:
    """Paint ruined lines: two parapets with gaps along each chain of neighbouring spaces with ruins."""
    mesh, cells = scene.mesh, scene.find_cells("ruins")
    forts = scene.find_cells(*_FORTS)
    edges = set[tuple[int, int]]()
    for cell in sorted(cells):
        for near in mesh.iter_neighbours(cell):
            if near in cells and (near, cell) not in edges or near in forts:
                edges.add((cell, near))
    joined = {cell for edge in edges for cell in edge}
    parapets, ticks = list[str](), list[str]()
    for chain in [*join_chains(sorted(edges)), *([cell] for cell in sorted(cells - joined))]:
        points = _build_ruin_line(scene, chain, cells, forts)
        for side in (-1, 1):
            part: list[Point] = []
            for n, point in enumerate(points):
                out = turn_left(compute_heading(points, n))
                shifted = move_point(point, out, side * 9 + 1.2 * compute_value_noise(n / 3, side, 95))
                stands = compute_value_noise(n / 7, side * 5, 96) + 0.5 * compute_value_noise(n / 2.3, side, 97) > -0.28
                if stands:
                    part.append(shifted)
                    if n % 2 == 0 and hash_to_unit(n, side, 98) < 0.8:
                        tip = side * (5 + 2 * hash_to_unit(n, 2, 99))
                        ticks.append(format_path([move_point(shifted, out, side * 2), move_point(shifted, out, tip)]))
                if part and (not stands or n == len(points) - 1):
                    if len(part) > 2:
                        parapets.append(format_path(part[::2] if len(part) > 5 else part))
                    part = []
    scene.canvas.add_path("ruins", "ruin-tick", "".join(ticks))
    scene.canvas.add_coats("ruins", "".join(parapets), [("ruin", {}), ("ruin-lit", {})])


def _build_ruin_line(scene: Scene, chain: Sequence[int], cells: set[int], forts: set[int]) -> list[Point]:
    mesh = scene.mesh
    points = [mesh.centres[cell] for cell in chain]
    if len(points) == 1:
        x, y = points[0]
        points = [(x - mesh.across * 0.4, y + 6), (x, y), (x + mesh.across * 0.4, y - 6)]
        return resample(sample_open([warp_point(p, 3) for p in points], 10), 2)
    for end, inner in ((0, 1), (-1, -2)):
        if chain[end] in forts:
            points[end] = interpolate(points[end], points[inner], 0.3)
        elif chain[end] in cells and mesh.is_on_boundary(chain[end]):
            outside = extend_beyond_rim(mesh, points[inner], points[end], 60)
            if outside:
                points = [outside[-1], *points] if end == 0 else [*points, outside[-1]]
    return resample(sample_open([warp_point(p, 3) for p in points], 10), 2)
