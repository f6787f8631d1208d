"""Make the map of Europe of the ruleset `napoleon` from Natural Earth and from lines drawn by hand.

    python docs/maps/europe.py countries-50m.json

reads `europe-lines.yaml` beside this file and writes `rulesets/napoleon/europe.yaml`. README.md says what it needs.
"""

from __future__ import annotations

import json
import math
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import shapely
import yaml
from shapely import LineString, MultiPolygon, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import polygonize, unary_union

HERE = Path(__file__).resolve().parent
RULESET = HERE.parents[1] / "rulesets" / "napoleon"
EARTH = 6371.0  # radius in kilometres
GRID = 0.02  # pixels: nodes of lines that nearly meet become one
SLIVER = 160.0  # square pixels: smaller faces may be left over where hand-drawn lines follow a border
SHARED = 0.22  # share of a sliver's outline along a neighbour from which it goes to that neighbour
SPECK = 7.0  # square pixels: smaller islands are left out
TOLERANCE = 0.75  # pixels of simplification
HALF = 2  # coordinates are whole halves of a pixel
FRAME = 24  # width of the frame in pixels
OUTSIDE = "none"

Pixels = tuple[float, float]


class Projection:
    """A Lambert conformal conic projection from degrees to pixels of the sheet."""

    def __init__(self, stated: dict[str, Any]) -> None:
        first, last = (math.radians(p) for p in stated["parallels"])
        self.longitude, middle = stated["middle"]
        ratio = math.log(self._stretch(last) / self._stretch(first))
        self.cone = math.log(math.cos(first) / math.cos(last)) / ratio
        self.scale = math.cos(first) * self._stretch(first) ** self.cone / self.cone
        self.top = self._radius(middle)
        kilometres = stated["kilometres"]
        self.size: tuple[int, int] = tuple(stated["sheet"])
        self.per_kilometre = self.size[0] / (kilometres["right"] - kilometres["left"])
        self.left, self.above = kilometres["left"], kilometres["top"]

    @staticmethod
    def _stretch(latitude: float) -> float:
        return math.tan(math.pi / 4 + latitude / 2)

    def _radius(self, latitude: float) -> float:
        return EARTH * self.scale / self._stretch(math.radians(latitude)) ** self.cone

    def __call__(self, longitude: float, latitude: float) -> Pixels:
        turn, far = self.cone * math.radians(longitude - self.longitude), self._radius(latitude)
        x, y = far * math.sin(turn), self.top - far * math.cos(turn)
        return (x - self.left) * self.per_kilometre, (self.above - y) * self.per_kilometre


def countries(source: Path, to_sheet: Projection, sheet: Polygon) -> dict[str, BaseGeometry]:
    """Return the countries of a TopoJSON file as projected polygons, cut off at the edge of the sheet."""
    topology = json.loads(source.read_text(encoding="utf-8"))
    arcs = list(_decoded_arcs(topology))
    near = box(-32, 22, 70, 74)  # degrees; what lies elsewhere is not projected
    found = {}
    for shape in topology["objects"]["countries"]["geometries"]:
        rings = shape.get("arcs", [])
        polygons = [
            shapely.make_valid(Polygon(_ring(part[0], arcs), [_ring(hole, arcs) for hole in part[1:]])).intersection(
                near
            )
            for part in (rings if shape["type"] == "MultiPolygon" else [rings])
            if part
        ]
        whole = unary_union([p for p in polygons if not p.is_empty])
        if whole.is_empty:
            continue
        flat = shapely.transform(whole, lambda points: [to_sheet(*point) for point in points])
        seen = shapely.make_valid(flat).intersection(sheet)
        if not seen.is_empty:
            found[shape["properties"]["name"]] = seen
    return found


def _decoded_arcs(topology: dict[str, Any]) -> Iterator[list[Pixels]]:
    (sx, sy), (tx, ty) = topology["transform"]["scale"], topology["transform"]["translate"]
    for arc in topology["arcs"]:
        x = y = 0
        line = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            line.append((x * sx + tx, y * sy + ty))
        yield line


def _ring(numbers: Sequence[int], arcs: Sequence[list[Pixels]]) -> list[Pixels]:
    points: list[Pixels] = []
    for number in numbers:
        arc = arcs[number] if number >= 0 else arcs[~number][::-1]
        points += arc[1:] if points else arc
    return points


def rough(points: Sequence[Sequence[float]], to_sheet: Projection) -> list[Pixels]:
    """Project a line and roughen it by midpoint displacement, the same way each time."""
    line = [to_sheet(*point) for point in points]
    found = [line[0]]

    def divide(a: Pixels, b: Pixels, chance: random.Random) -> None:
        far = math.dist(a, b)
        if far < 5:
            found.append(b)
            return
        aside = chance.gauss(0, 0.13) if far < 160 else 0.0
        middle = (a[0] + b[0]) / 2 - (b[1] - a[1]) * aside, (a[1] + b[1]) / 2 + (b[0] - a[0]) * aside
        divide(a, middle, chance)
        divide(middle, b, chance)

    for a, b in zip(line, line[1:], strict=False):
        divide(a, b, random.Random(repr((a, b))))
    return found


def smooth(points: Sequence[Sequence[float]], to_sheet: Projection, steps: int = 6) -> list[Pixels]:
    """Project a line and lay a Catmull-Rom spline through its points."""
    line = [to_sheet(*point) for point in points]
    line = [line[0], *line, line[-1]]
    found = []
    for a, b, c, d in zip(line, line[1:], line[2:], line[3:], strict=False):
        for step in range(steps):
            t = step / steps
            found.append(
                tuple(
                    (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t**2 + (3 * q - p - 3 * r + s) * t**3) / 2
                    for p, q, r, s in zip(a, b, c, d, strict=True)
                )
            )
    return [*found, line[-2]]


def parts(shape: BaseGeometry) -> list[Polygon]:
    """Return the polygons of a shape."""
    return [part for part in getattr(shape, "geoms", [shape]) if part.geom_type == "Polygon"]


def cut(
    lands: dict[str, BaseGeometry], drawn: dict[str, Any], to_sheet: Projection, sheet: Polygon
) -> dict[str, list[Polygon]]:
    """Cut countries into areas: all lines make faces together, so that neighbours share the very same border."""
    inner = {
        name: shapely.make_valid(Polygon(rough([*line, line[0]], to_sheet))) for name, line in drawn["lines"].items()
    }
    borders = [land.boundary for land in lands.values()]
    borders += [line.boundary.intersection(sheet) for line in inner.values()] + [sheet.boundary]
    faces = polygonize(unary_union(shapely.set_precision(shapely.union_all(borders), GRID)))
    groups: dict[str, list[Polygon]] = defaultdict(list)
    for face in faces:
        spot = face.representative_point()
        country = next((name for name, land in lands.items() if land.contains(spot)), None)
        if country is not None:
            fits = (
                rule["area"]
                for rule in drawn["areas"]
                if country in rule["of"] and ("within" not in rule or inner[rule["within"]].contains(spot))
            )
            groups[next(fits, OUTSIDE)].append(face)
    pieces = _without_slivers(
        [(area, p) for area, found in groups.items() for p in parts(shapely.coverage_union_all(found))]
    )
    simple = shapely.coverage_simplify([piece for _, piece in pieces], TOLERANCE)
    return _rounded([area for area, _ in pieces], simple)


def _without_slivers(pieces: list[tuple[str, Polygon]]) -> list[tuple[str, Polygon]]:
    """Give slivers to the neighbour with the longest common border; drop specks that touch nothing."""
    for _ in range(3):
        for n, (area, piece) in sorted(enumerate(pieces), key=lambda item: item[1][1].area):
            if piece.area > SLIVER:
                break
            near = [
                (other.intersection(piece).length, name)
                for name, other in pieces
                if name != area and other.distance(piece) < 0.01
            ]
            if near and max(near)[0] > SHARED * piece.length:
                pieces[n] = max(near)[1], piece
        groups: dict[str, list[Polygon]] = defaultdict(list)
        for area, piece in pieces:
            groups[area].append(piece)
        pieces = [(area, p) for area, found in groups.items() for p in parts(shapely.coverage_union_all(found))]
    kept = [(a, p) for a, p in pieces if p.area > SPECK or any(p is not q and q.distance(p) < 0.05 for _, q in pieces)]
    return [(a, Polygon(p.exterior, [hole for hole in p.interiors if Polygon(hole).area > 12])) for a, p in kept]


def _rounded(areas: Sequence[str], shapes: Iterable[BaseGeometry]) -> dict[str, list[Polygon]]:
    """Round coordinates to halves of a pixel, shifted so that no outline crosses itself."""
    shapes = list(shapes)
    for shift in sorted((n / 20 for n in range(-8, 9)), key=abs):
        found: dict[str, list[Polygon]] = defaultdict(list)
        for area, shape in zip(areas, shapes, strict=True):
            for polygon in parts(shape):
                rings = [_halves(ring.coords, shift) for ring in (polygon.exterior, *polygon.interiors)]
                if len(rings[0]) > 3:
                    found[area].append(Polygon(rings[0], [ring for ring in rings[1:] if len(ring) > 2]))
        if all(MultiPolygon(p).is_valid for area, p in found.items() if area != OUTSIDE):
            return found
    raise SystemExit("every rounding makes some outline cross itself: change the tolerance")


def _halves(points: Iterable[Pixels], shift: float) -> list[Pixels]:
    found: list[Pixels] = []
    for x, y in points:
        point = round(x * HALF + shift) / HALF, round(y * HALF + shift) / HALF
        if not found or found[-1] != point:
            found.append(point)
    return found[:-1] if len(found) > 1 and found[0] == found[-1] else found


# --- the sheet ----------------------------------------------------------------------------------


def ticks(to_sheet: Projection) -> dict[str, list[list[int]]]:
    """Return where meridians and parallels meet the frame, by side."""
    width, height = to_sheet.size
    found: dict[str, list[list[int]]] = {}
    for side, y in (("top", FRAME), ("bottom", height - FRAME)):
        marks = [(a, to_sheet(a, _root(lambda b, a=a, y=y: to_sheet(a, b)[1] - y, 25, 75))) for a in range(-24, 55)]
        found[side] = [[a, round(x)] for a, (x, at) in marks if FRAME < x < width - FRAME and abs(at - y) < 0.5]
    for side, x in (("left", FRAME), ("right", width - FRAME)):
        marks = [(b, to_sheet(_root(lambda a, b=b, x=x: to_sheet(a, b)[0] - x, -60, 75), b)) for b in range(28, 75)]
        found[side] = [[b, round(y)] for b, (at, y) in marks if FRAME < y < height - FRAME and abs(at - x) < 0.5]
    return found


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (function(low) > 0) == (function(middle) > 0) else (low, middle)
    return (low + high) / 2


def hills(ranges: dict[str, Any], to_sheet: Projection, land: BaseGeometry) -> list[list[int]]:
    """Set hills along ranges at irregular distances, two rows where a range is broad; none stands in the water."""
    chance, found = random.Random(5), []
    for stated in ranges.values():
        line = LineString(smooth(stated["line"], to_sheet))
        count = max(2, round(line.length / 15))
        for row in range(2 if stated["broad"] else 1):
            for n in range(count - row):
                spot = line.interpolate((n + 0.5 + row * 0.5) / count, normalized=True)
                x, y = spot.x + chance.uniform(-3, 3), spot.y + chance.uniform(-3, 3) + 7 * row
                size = chance.choice((70, 80, 90, 100, 110, 120) if not row else (60, 70, 80))
                if land.contains(Point(x, y)):
                    found.append([round(x), round(y), size])
    return sorted(found, key=lambda hill: hill[1])


def trees(groups: list[dict[str, Any]], to_sheet: Projection, land: BaseGeometry) -> list[list[int]]:
    """Scatter trees around the middles of woods."""
    chance, found = random.Random(7), []
    for group in groups:
        for _ in range(group["trees"]):
            spread = (chance.uniform(-s, s) for s in group["spread"])
            x, y = to_sheet(*(at + far for at, far in zip(group["at"], spread, strict=True)))
            if land.contains(Point(x, y)) and x < to_sheet.size[0] - 1.5 * FRAME:
                found.append([round(x), round(y)])
    return sorted(found, key=lambda tree: tree[1])


# --- the document -------------------------------------------------------------------------------


def path_of(lines: Iterable[Sequence[Pixels]], close: bool = True) -> str:
    """Return lines as one path of relative steps."""
    text = ""
    for line in lines:
        halves = [(round(x * HALF), round(y * HALF)) for x, y in line]
        steps = [(c - a, d - b) for (a, b), (c, d) in zip(halves, halves[1:], strict=False) if (a, b) != (c, d)]
        text += f"M{_half(halves[0][0])} {_half(halves[0][1])}l"
        text += " ".join(f"{_half(x)} {_half(y)}" for x, y in steps).replace(" -", "-") + ("z" if close else "")
    return text


def _half(number: int) -> str:
    whole, rest = divmod(abs(number), 2)
    return ("-" if number < 0 else "") + (f"{whole or ''}.5" if rest else str(whole))


def rings_of(polygons: Iterable[Polygon]) -> list[list[Pixels]]:
    """Return the closed lines of polygons, without the repeated last point."""
    return [list(ring.coords)[:-1] for p in polygons for ring in (p.exterior, *p.interiors)]


def open_path(line: Sequence[Pixels], sheet: Polygon) -> str:
    """Return the part of a line on the sheet as a path, simplified a little."""
    seen = LineString(line).simplify(0.3).intersection(sheet)
    lines = [part.coords for part in getattr(seen, "geoms", [seen]) if part.geom_type == "LineString" and part.length]
    return path_of(lines, close=False)


def folded(text: str, indent: int) -> list[str]:
    """Break a path at blanks into the lines of a folded block."""
    lines, line = [], ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > 116 - indent:
            lines.append(" " * indent + line)
            line = ""
        line += (" " if line else "") + word
    return [*lines, " " * indent + line]


def rows(items: Sequence[object], indent: int) -> list[str]:
    """Break a list into lines of YAML."""
    lines, line = [], " " * indent + "["
    for n, item in enumerate(items):
        text = f"{item}" + ("]" if n == len(items) - 1 else ", ")
        if len(line) + len(text.rstrip()) > 118:
            lines.append(line.rstrip())
            line = " " * (indent + 1)
        line += text
    return [*lines, line]


def document(source: Path) -> str:
    """Return the text of europe.yaml."""
    drawn = yaml.safe_load((HERE / "europe-lines.yaml").read_text(encoding="utf-8"))
    to_sheet = Projection(drawn["projection"])
    sheet = box(0, 0, *to_sheet.size)
    areas = cut(countries(source, to_sheet, sheet), drawn, to_sheet, sheet)
    seas = {
        name: shapely.make_valid(Polygon([to_sheet(*point) for point in line])).intersection(sheet)
        for name, line in drawn["seas"].items()
        if line
    }
    seas["euxine"] = seas["euxine"].difference(seas["mediterranean"])
    first = next(iter(drawn["seas"]))
    seas = {first: sheet.difference(unary_union(list(seas.values()))), **seas}
    land = unary_union([shapely.make_valid(MultiPolygon(found)) for found in areas.values()])
    capitals = drawn["capitals"]
    out = [*_HEAD.splitlines(), f"    size: {list(to_sheet.size)}", "    ticks:"]
    for side, marks in ticks(to_sheet).items():
        out += [f"      {side}:", *rows(marks, 8)]
    out.append("  areas:")
    known = [rule["area"] for rule in drawn["areas"] if rule["area"] != OUTSIDE]
    for area in dict.fromkeys(known):
        out.append(f"    {area}:")
        if area in capitals:
            x, y = to_sheet(*capitals[area]["at"])
            out += [f"      site: [{round(x)}, {round(y)}]", f"      side: {capitals[area]['side']}"]
        out += ["      shape: >-", *folded(path_of(rings_of(areas[area])), 8)]
    for sea, shape in seas.items():
        if sea != "euxine":
            out += [f"    {sea}:", "      shape: >-", *folded(path_of(rings_of(parts(shape.simplify(0.5)))), 8)]
    out += ["  landscape:", "    towns:"]
    for name, town in drawn["towns"].items():
        x, y = to_sheet(*town["at"])
        label = f"{{en: {town['name']['en']}, ja: {town['name']['ja']}}}"
        out.append(f"      {name}: {{at: [{round(x)}, {round(y)}], side: {town['side']}, name: {label}}}")
    out += ["    hills:", *rows(hills(drawn["ranges"], to_sheet, land), 6)]
    out += ["    woods:", *rows(trees(drawn["woods"], to_sheet, land), 6)]
    out += ["    marshes:", *rows([[round(v) for v in to_sheet(*at)] for at in drawn["marshes"]], 6)]
    out.append("    rivers:")
    for name, line in drawn["rivers"].items():
        if path := open_path(smooth(line, to_sheet), sheet):
            out += [f"      {name}: >-", *folded(path, 8)]
    lakes = [smooth([*line, line[0]], to_sheet, 4)[:-1] for line in drawn["lakes"].values()]
    meridians = [[to_sheet(a, b / 2) for b in range(60, 132)] for a in range(-40, 65, 5)]
    parallels = [[to_sheet(a, b) for a in range(-40, 66)] for b in range(30, 70, 5)]
    for key, path in (
        ("lakes", path_of(lakes)),
        ("waters", path_of(rings_of(parts(seas["euxine"].simplify(0.5))))),
        ("lines", "".join(open_path(line, sheet) for line in meridians + parallels)),
        ("lands", path_of(rings_of(areas[OUTSIDE]))),
    ):
        out += [f"    {key}:", "      - >-", *folded(path, 8)]
    return "\n".join(out) + "\n"


_HEAD = """\
# The map of Europe about 1805 under the areas of map.yaml; its lettering is in lettering.yaml. Appearance only: play
# never reads it. Coasts: Natural Earth, 1:50 million, public domain. Borders, rivers, hills and towns are drawn by hand
# for this game; where history differs from the links of the map, they follow the links.
#
# Generated by docs/maps/europe.py. A test compares it with the links: two areas touch if and only if they are linked.

kind: map
format: 2

drawing:
  sheet:
"""


if __name__ == "__main__":
    (RULESET / "europe.yaml").write_text(document(Path(sys.argv[1])), encoding="utf-8")
