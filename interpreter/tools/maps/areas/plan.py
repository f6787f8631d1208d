"""Plan a map of areas: outlines, borders, coasts, and the boxes in which names and counters lie.

Outlines are those of the drawing; an area without one gets a cell around its position. Independent of colours and
picture formats.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from math import hypot
from typing import TypeVar

from interpreter.model.area_drawing import AreaMap, AreaStyle, Line, Point, Rings
from interpreter.tools.maps.areas.borders import Border, Side, build_side_key, find_owners, list_borders, snap_outlines
from interpreter.tools.maps.areas.cells import compute_cells
from interpreter.tools.maps.areas.label_placement import LabelSpot
from interpreter.tools.maps.areas.planes import (
    BandedSides,
    BoxIndex,
    Segments,
    Warp,
    compute_line_bounds,
    crop_ring,
    find_nearest_point,
    find_pole,
    is_clear,
    is_inside,
    list_segments,
    measure_length,
    roughen_rings,
    round_to_tenths,
    sample_quadratic_curve,
)
from interpreter.tools.maps.boxes import Box

FRAME = 24.0  # width of a frame with numbers, in pixels
NARROW_FRAME = 14.0  # width of a frame without
MARGIN = 40.0  # around areas whose sheet has no stated size, in pixels
WATER = "waves"  # the pattern of a look that makes its places water
_LAND = -1  # owner number of out-of-play land
_SHORTEST = 4.0  # pixels of a common border that make two areas neighbours
LARGEST_SCALE = 1.6  # of the content of a roomy area
_CELL_SCALES = (LARGEST_SCALE, 1.5, 1.4, 1.3, 1.2, 1.1)  # tried for the content of a cell before its usual size
_COLUMN = 0.72  # width of a name and the counters below it, as a share of the content's
_AIR = 1.06  # size of the room for that column relative to the column
_WIDTHS = (1.0, 0.92, 0.84, _COLUMN)  # tried for the content of a roomy cell, as shares of its width
_SCALES = (1.5, 1.25, 1.0, 0.85, 0.72, 0.6, 0.5, 0.42)  # tried for that box, largest first
_SHIFTS = (0.0, 0.35, -0.35, 0.7, -0.7)  # of the box around the pole, in radii
_BENDS = (0.0, 0.08, -0.08, 0.16, -0.16, 0.25, -0.25, 0.36, -0.36, 0.5, -0.5)  # tried for a crossing, in lengths
_ARC, _ARC_STEP = 48, 12.0  # pieces of such a curve, and their length in pixels on a large map
_COARSE = 12.0  # precision of the widest spot of a cell, in pixels
MANY_AREAS = 200  # areas from which a map is drawn with fewer points and lines
_FINE_STEP, _COARSE_STEP = 11.0, 18.0  # length of the pieces of a cell's outline, in pixels
TINTS = 6  # colours of neighbouring areas
_ROUND = 12.0  # cut off at the corners of a box that represents an area


_Key = TypeVar("_Key")
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class LabelPlan:
    """The spots of the names of towns.

    `sites`: the spot of an area's town by place handle; `towns`: the spots of the landscape's towns, in the landscape's
    order.
    """

    sites: Mapping[int, LabelSpot]
    towns: tuple[LabelSpot, ...]


@dataclass(frozen=True)
class AreaPlan:
    """The geometry of a map of areas, in pixels; mappings are by place handle.

    `size`: the width and height of the sheet; `frame`: the width of its frame. `outlines`: the outline of every area on
    the sheet; `authored_outlines`: the areas whose outline the author drew; `waters`: the areas that are water;
    `lands`: rings of land out of play. `contents`: the box of an area's name, counters and figures; `counters`: the box
    of its counters if the author states one; `scales`: see `get_scale`. `letters` and `labels` are caches of
    `town_labels`.
    """

    size: Point
    outlines: Mapping[int, Rings]
    waters: frozenset[int]
    lands: Rings
    contents: Mapping[int, Box]
    counters: Mapping[int, Box]
    authored_outlines: frozenset[int]  # areas whose outline the author has drawn
    frame: float  # width of the frame around the sheet
    scales: Mapping[int, float] = field(default_factory=dict)  # of names and counters in roomy areas; 1 elsewhere
    letters: dict[str, tuple[tuple[float, float, float], ...]] = field(default_factory=dict, compare=False, repr=False)
    labels: dict[tuple[object, ...], LabelPlan] = field(default_factory=dict, compare=False, repr=False)

    def get_scale(self, area: int) -> float:
        """Return the size of an area's name and counters relative to the usual one, from 1 to `LARGEST_SCALE`."""
        return self.scales.get(area, 1.0)

    @property
    def is_large(self) -> bool:
        """Return True for a map so large that a browser would take seconds to draw it in full detail."""
        return len(self.outlines) > MANY_AREAS

    @cached_property
    def borders(self) -> tuple[Border, ...]:
        """Return the borders and coasts of the land areas.

        `neighbour` is negative for land out of play, and None for a coast.
        """
        land = {n: rings for n, rings in self.outlines.items() if n not in self.waters}
        return tuple(list_borders(land, find_owners({**land, _LAND: self.lands} if self.lands else land)))

    @cached_property
    def _sea_owners(self) -> dict[Side, tuple[int, ...]]:
        return find_owners({n: self.outlines[n] for n in self.outlines if n in self.waters})

    @cached_property
    def sides(self) -> Mapping[int, Segments]:
        """Return the sides of each outline."""
        return {n: list_segments(rings) for n, rings in self.outlines.items()}

    @cached_property
    def _boxes(self) -> Mapping[int, Box]:
        return {n: compute_line_bounds(rings) for n, rings in self.outlines.items()}

    @cached_property
    def _land_index(self) -> BoxIndex:
        return BoxIndex({n: box for n, box in self._boxes.items() if n not in self.waters})

    @cached_property
    def _coasts(self) -> Mapping[int, tuple[Border, ...]]:
        """Return for each land area the sections of its outline that border on water."""
        return _group_items((border.owner, border) for border in self.borders if border.neighbour is None)

    @cached_property
    def _sea_borders_by_pair(self) -> Mapping[frozenset[int], tuple[Border, ...]]:
        pairs = ((b.owner, b.neighbour, b) for b in self.sea_borders)
        return _group_items((frozenset((a, other)), b) for a, other, b in pairs if other is not None)

    @cached_property
    def common(self) -> Mapping[frozenset[int], tuple[Line, ...]]:
        """Return the common border lines of each pair of land areas."""
        pairs = ((b.owner, b.neighbour, b.line) for b in self.borders)
        return _group_items(
            (frozenset((a, other)), line) for a, other, line in pairs if other is not None and other >= 0
        )

    @cached_property
    def sea_borders(self) -> tuple[Border, ...]:
        """Return the borders between two waters."""
        waters = {n: rings for n, rings in self.outlines.items() if n in self.waters}
        return tuple(b for b in list_borders(waters, self._sea_owners) if b.neighbour is not None)

    def are_adjacent(self, a: int, b: int) -> bool:
        """Return True if the drawing shows two areas as neighbours: by a border, a coast or open water.

        Two land areas whose common border is very short are not neighbours.
        """
        if a not in self.outlines or b not in self.outlines:
            return False
        if a in self.waters and b in self.waters:
            return self._has_open_border(a, b)
        if a in self.waters or b in self.waters:
            return self._is_coast(*((b, a) if a in self.waters else (a, b)))
        return sum(map(measure_length, self.common.get(frozenset((a, b)), ()))) >= _SHORTEST

    def _is_coast(self, land: int, water: int) -> bool:
        width, height = self.size
        left, top, right, bottom = self._boxes[water]
        # an outline that ends at the edge of the sheet has no coast there
        box, length = (max(1.0, left), max(1.0, top), min(width - 1, right), min(height - 1, bottom)), 0.0
        sides = self.sides[water]
        for border in self._coasts.get(land, ()):
            for a, b in zip(border.line, border.line[1:], strict=False):
                middle = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
                if not _has_point(box, middle):
                    continue
                if water in self._sea_owners.get(build_side_key(a, b), ()) or is_inside(middle, sides):
                    length += measure_length((a, b))
                if length >= _SHORTEST:
                    return True
        return False

    def _has_open_border(self, a: int, b: int) -> bool:
        length = 0.0
        for border in self._sea_borders_by_pair.get(frozenset((a, b)), ()):
            for start, end in zip(border.line, border.line[1:], strict=False):
                pieces = max(1, round(measure_length((start, end)) / _SHORTEST))
                for k in range(pieces):
                    share = (k + 0.5) / pieces
                    point = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
                    length += 0.0 if self._is_dry(point) else measure_length((start, end)) / pieces
                if length >= _SHORTEST:
                    return True
        return False

    def _is_dry(self, point: Point) -> bool:
        """Return True if a point lies on land."""
        if not _has_point((0.0, 0.0, *self.size), point):
            return True  # beyond the sheet nobody sails
        if any(self._banded_sides[n].is_inside(*point) for n in self._land_index.find_containing(*point)):
            return True
        return is_inside(point, self._land_sides)

    @cached_property
    def _land_sides(self) -> Segments:
        return list_segments(self.lands)

    def get_visible_outline(self, area: int) -> Rings:
        """Return the part of an area's outline inside the sheet's frame."""
        width, height = self.size
        inner = (self.frame, self.frame, width - self.frame, height - self.frame)
        left, top, right, bottom = self._boxes[area]
        if left > inner[0] and top > inner[1] and right < inner[2] and bottom < inner[3]:
            return self.outlines[area]
        return tuple(ring for full_ring in self.outlines[area] if (ring := crop_ring(full_ring, inner)))

    def compute_crossing(self, a: int, b: int) -> Line:
        """Return a curve from the outline of one area to the outline of another that is not adjacent.

        Of several curves, it is the one that crosses the fewest other areas. If one area lies within the other, it is
        the straight line between the middles of their contents.
        """
        start, end = _get_middle(self.contents[a]), _get_middle(self.contents[b])
        length = hypot(end[0] - start[0], end[1] - start[1])
        pieces = max(_ARC // 4, min(_ARC, round(length / _ARC_STEP))) if self.is_large else _ARC
        best: tuple[int, Line] | None = None
        for bend in _BENDS:
            candidate = self._list_points_outside(
                _sample_arc(start, end, bend, pieces), a, b, None if best is None else best[0]
            )
            if candidate is not None and len(candidate[1]) > 1:
                best = candidate
                if not candidate[0]:
                    break
        if best is None:  # one lies within the other
            return start, end
        line = best[1]
        return (find_nearest_point(line[0], self.sides[a]), *line, find_nearest_point(line[-1], self.sides[b]))

    def _list_points_outside(self, line: Line, a: int, b: int, most: int | None) -> tuple[int, Line] | None:
        """Return the points of a line outside two areas, and the number of them that lie in other land areas.

        Return None if that number is not below `most`.
        """
        (left, top, right, bottom), in_a = self._boxes[a], self._banded_sides[a].is_inside
        (west, north, east, south), in_b = self._boxes[b], self._banded_sides[b].is_inside
        crossed, last, outside = 0, -1, []
        for x, y in line:
            if left <= x <= right and top <= y <= bottom and in_a(x, y):
                continue
            if west <= x <= east and north <= y <= south and in_b(x, y):
                continue
            outside.append((x, y))
            near = self._land_index.find_containing(x, y)
            if last in near and self._banded_sides[last].is_inside(x, y):  # a line stays in an area for some points
                crossed += 1
            else:
                for n in near:
                    if n not in (a, b, last) and self._banded_sides[n].is_inside(x, y):
                        crossed, last = crossed + 1, n
                        break
                else:
                    continue
            if crossed == most:
                return None
        return crossed, tuple(outside)

    @cached_property
    def _banded_sides(self) -> Mapping[int, BandedSides]:
        return {n: BandedSides(sides) for n, sides in self.sides.items()}

    @cached_property
    def tints(self) -> Mapping[int, int]:
        """Return a tint number for each land area so that neighbours differ (greedy graph colouring)."""
        near: dict[int, set[int]] = {}
        for a, b in map(sorted, self.common):
            near.setdefault(a, set()).add(b)
            near.setdefault(b, set()).add(a)
        tint_by_area: dict[int, int] = {}
        counts = [0] * TINTS
        for n in self.outlines:
            if n not in self.waters:
                used_nearby = {tint_by_area.get(m) for m in near.get(n, ())}
                free = [k for k in range(TINTS) if k not in used_nearby] or [0]
                tint_by_area[n] = min(free, key=lambda k: (counts[k], k))
                counts[tint_by_area[n]] += 1
        return tint_by_area


def _group_items(items: Iterable[tuple[_Key, _Item]]) -> dict[_Key, tuple[_Item, ...]]:
    """Return the items of each key, in their order."""
    groups: dict[_Key, list[_Item]] = {}
    for key, item in items:
        groups.setdefault(key, []).append(item)
    return {key: tuple(group) for key, group in groups.items()}


def _sample_arc(start: Point, end: Point, bend: float, pieces: int) -> Line:
    """Return points that divide a curve from `start` to `end` into `pieces`.

    `bend`: the offset of the curve's middle from the straight line, as a share of their distance.
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    control = (start[0] + end[0]) / 2 - dy * bend * 2, (start[1] + end[1]) / 2 + dx * bend * 2
    return tuple(sample_quadratic_curve(start, control, end, pieces))


def _has_point(box: Box, point: Point) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _get_middle(box: Box) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def plan_areas(
    drawing: AreaMap,
    waters: Collection[int],
    middles: Mapping[int, Point],
    neighbours: Mapping[int, Collection[int]],
    usual: Point,
    sheet: Point | None = None,
) -> AreaPlan:
    """Plan the map of areas whose middles are given, by place handle.

    If no outline is drawn, all areas get cells, and the sheet is moved and sized to hold them. `waters`: the areas
    that are water; `neighbours`: the linked areas by area; `usual`: the width and height of the box that holds name,
    counters and figures of an area; `sheet`: the size of the sheet if it is known.
    """
    stated = {n: style.rings for n, style in drawing.areas.items() if style.rings and n in middles}
    if not stated:
        return _plan_cells(waters, middles, neighbours, usual)
    lands = tuple(ring for rings in drawing.landscape.lands for ring in rings)
    frame = FRAME if drawing.sheet.ticks else NARROW_FRAME
    agreed = snap_outlines({**stated, _LAND: lands} if lands else stated)
    lands = agreed.pop(_LAND, ())
    outlines = dict(agreed)
    size = drawing.sheet.size or sheet or _measure_size(ring for rings in stated.values() for ring in rings)
    beside = {n: middle for n, middle in middles.items() if n not in outlines}
    outlines.update({n: (_build_box_outline(_build_box_around(middle, usual, 1.0)),) for n, middle in beside.items()})
    barred = [side for n in agreed if n not in waters for side in list_segments(agreed[n])] + list_segments(lands)
    contents: dict[int, Box] = {}
    counters: dict[int, Box] = {}
    for n, rings in outlines.items():
        style = drawing.areas.get(n, AreaStyle())
        if style.counters is not None:
            left, top, right, bottom = style.counters
            counters[n] = contents[n] = (float(left), float(top), float(right), float(bottom))
        elif n in beside:
            contents[n] = _build_box_around(beside[n], usual, 1.0)
        else:
            contents[n] = _find_content_box(rings, barred if n in waters else [], size, usual)
    if beside:
        far_x, far_y = max(x for x, _ in beside.values()), max(y for _, y in beside.values())
        size = (max(size[0], far_x + usual[0] / 2 + MARGIN), max(size[1], far_y + usual[1] / 2 + MARGIN))
    roomy = {n: box for n, box in contents.items() if n in agreed and n not in counters}
    scales = _limit_scales({n: (box[2] - box[0]) / usual[0] for n, box in roomy.items()})
    outlined = frozenset(agreed)
    return AreaPlan(size, outlines, frozenset(waters), lands, contents, counters, outlined, frame, scales)


def _limit_scales(largest: Mapping[int, float]) -> dict[int, float]:
    """Return the scales of areas, limited to their median so that counters look alike; a scale of 1 is left out.

    `largest`: the scale for which each area has room.
    """
    if not largest:
        return {}
    common = min(LARGEST_SCALE, sorted(largest.values())[(len(largest) - 1) // 2])
    return {n: min(common, scale) for n, scale in largest.items() if min(common, scale) > 1.0}


def _plan_cells(
    waters: Collection[int], middles: Mapping[int, Point], neighbours: Mapping[int, Collection[int]], usual: Point
) -> AreaPlan:
    """Return the plan of a map whose areas have no drawn outlines: a rough-edged cell around the middle of each.

    `waters`: the areas that are water; `usual`: the width and height of the content of an area.
    """
    cells = snap_outlines({n: (cell,) for n, cell in compute_cells(middles, neighbours).items()})
    step = _COARSE_STEP if len(cells) > MANY_AREAS else _FINE_STEP
    rings = roughen_rings((ring for rings in cells.values() for ring in rings), step)
    remaining = iter(rings)
    rough = {n: tuple(islice(remaining, len(cell_rings))) for n, cell_rings in cells.items()}
    left, top, right, bottom = compute_line_bounds(rings)
    dx, dy = round(MARGIN - left), round(MARGIN - top)
    shifted = {
        point: round_to_tenths(point[0] + dx, point[1] + dy)
        for point in {point for ring in rings for point in ring}  # most points lie on two outlines
    }
    outlines: dict[int, Rings] = {
        n: tuple(tuple([shifted[point] for point in ring]) for ring in cell_rings) for n, cell_rings in rough.items()
    }
    size = (float(round(right + dx + MARGIN)), float(round(bottom + dy + MARGIN)))
    warp = Warp()
    sites = {n: _choose_cell_site(cells[n], middle, usual) for n, middle in middles.items()}
    scales: dict[int, float] = {}
    if len(cells) <= MANY_AREAS:
        roomiest = {n: _find_roomiest_spot(cells[n], middle, usual) for n, middle in sites.items()}
        sites = {n: middle for n, (middle, _scale) in roomiest.items()}
        scales = _limit_scales({n: scale for n, (_at, scale) in roomiest.items()})
    contents = {}
    for n, site in sites.items():
        x, y = warp.displace(*site)
        scale = scales.get(n, 1.0)
        wide = _compute_widest_box(cells[n], site, (usual[0] * scale, usual[1] * scale), usual[0])
        contents[n] = _build_box_around((round(x + dx), round(y + dy)), (wide, usual[1] * scale), 1.0)
    outlined = frozenset[int]()
    return AreaPlan(size, outlines, frozenset(waters), (), contents, {}, outlined, NARROW_FRAME, scales)


def _find_roomiest_spot(rings: Rings, site: Point, usual: Point) -> tuple[Point, float]:
    """Return (middle, scale): where a cell has most room for its content, and the largest scale that fits there.

    The middle is the cell's site, its widest part, or halfway between. `rings`: the cell with straight sides; `usual`:
    the width and height of the content.
    """
    room = _compute_largest_scale(rings, site, usual)
    if room == LARGEST_SCALE:
        return site, room
    pole, _far = find_pole(rings, precision=_COARSE)
    between = ((pole[0] + site[0]) / 2, (pole[1] + site[1]) / 2)
    others = [(middle, _compute_largest_scale(rings, middle, usual)) for middle in (between, pole)]
    return max([(site, room), *others], key=lambda spot: spot[1])


def _compute_largest_scale(rings: Rings, site: Point, usual: Point) -> float:
    """Return the largest scale, at least 1, at which the column of a name and its counters fits into a cell.

    `rings`: the cell with straight sides; `site`: the middle of the column; `usual`: the width and height of the
    content.
    """
    sides, column = list_segments(rings), (usual[0] * _COLUMN * _AIR, usual[1] * _AIR)
    return next((scale for scale in _CELL_SCALES if is_clear(_build_box_around(site, column, scale), sides)), 1.0)


def _compute_widest_box(rings: Rings, site: Point, size: Point, least: float) -> float:
    """Return the largest width, at most the width of `size`, at which a box of its height fits into a cell.

    Return `least` if none fits.
    """
    sides = list_segments(rings)
    widths = (size[0] * share for share in _WIDTHS)
    return next(
        (wide for wide in widths if wide > least and is_clear(_build_box_around(site, (wide, size[1]), 1.0), sides)),
        least,
    )


def _choose_cell_site(rings: Rings, site: Point, usual: Point) -> Point:
    """Return the middle of a cell's content: its site if the content fits there, else nearer to its widest part.

    `rings`: the cell with straight sides; `usual`: the width and height of the content.
    """
    sides = list_segments(rings)
    if not is_clear(_build_box_around(site, usual, 1.0), sides):
        pole, _room = find_pole(rings, precision=_COARSE)
        is_roomy = is_clear(_build_box_around(pole, usual, 1.0), sides)
        site = pole if is_roomy else ((pole[0] + site[0]) / 2, (pole[1] + site[1]) / 2)
    return site


def _build_box_around(middle: Point, usual: Point, scale: float) -> Box:
    half_width, half_height = usual[0] * scale / 2, usual[1] * scale / 2
    return middle[0] - half_width, middle[1] - half_height, middle[0] + half_width, middle[1] + half_height


def _build_box_outline(box: Box) -> Line:
    """Return the outline of an area without a drawn one on a map with outlines: a box with its corners cut off."""
    left, top, right, bottom = box
    west, north, east, south = left + _ROUND, top + _ROUND, right - _ROUND, bottom - _ROUND
    upper = ((west, top), (east, top), (right, north), (right, south))
    return (*upper, (east, bottom), (west, bottom), (left, south), (left, north))


def _find_content_box(rings: Rings, barred: Segments, size: Point, usual: Point) -> Box:
    """Return the largest box with the proportions of `usual` near the pole of an outline that no side reaches into.

    `barred`: the sides of areas in which the box may not lie; `size`: width and height of the sheet.
    """
    inside = list_segments(rings)
    left, top, right, bottom = compute_line_bounds(rings)
    near = [s for s in barred if max(s[0], s[2]) > left and min(s[0], s[2]) < right]
    near = [s for s in near if max(s[1], s[3]) > top and min(s[1], s[3]) < bottom]
    (x, y), room = find_pole(rings, near)
    spots: Sequence[Point] = [(x + room * dx, y + room * dy) for dy in _SHIFTS for dx in _SHIFTS]
    spots = sorted(spots, key=lambda p: (abs(p[0] - x) + abs(p[1] - y), p))
    for scale in _SCALES:
        for spot in spots:
            box = _build_box_around(spot, usual, scale)
            is_on_sheet = box[0] > 0 and box[1] > 0 and box[2] < size[0] and box[3] < size[1]
            is_own = is_inside(spot, inside) and not (barred and is_inside(spot, barred))
            if is_on_sheet and is_own and is_clear(box, inside) and is_clear(box, near):
                return box
    return _build_box_around((x, y), usual, max(_SCALES[-1], room / usual[0] * 2))


def _measure_size(rings: Iterable[Line]) -> Point:
    _left, _top, right, bottom = compute_line_bounds(rings)
    return right + MARGIN, bottom + MARGIN
