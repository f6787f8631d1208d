"""Choose where a map of areas writes the names of towns: clear of counters, letters, borders and rivers.

Depends on the language, whose names have their own widths, and never on which counters are shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from interpreter.model.area_drawing import AreaStyle, Lettering, Point, Town
from interpreter.model.ruleset import Thing
from interpreter.tools.describe.value_format import format_label
from interpreter.tools.maps.areas.furniture import PANEL
from interpreter.tools.maps.areas.label_placement import LabelSpot, Obstacles, choose_spots
from interpreter.tools.maps.areas.lettering import BOLD, ITALIC, ROMAN, compute_letter_spots, measure_width
from interpreter.tools.maps.areas.plan import AreaPlan, LabelPlan
from interpreter.tools.maps.boxes import Box
from interpreter.tools.maps.counters import LARGEST, compute_row_boxes
from interpreter.tools.maps.drawing_context import DrawingContext
from interpreter.tools.maps.shapes import truncate_text
from interpreter.tools.maps.spaces import SpaceValue, format_values

CITY = 14.5  # font size of the town of an area, in pixels
TOWN = 11.0  # font size of other towns, in pixels
_FIGURE_STEP = 21  # between the figures beside a town
_STAR = 19  # pixels from a city's sign to its first figure
_MAX_NAME_LENGTH = 40  # characters
_ASCENT, _DESCENT = 0.74, 0.2  # of letters, in font sizes
_PILE = 9.0  # pixels by which a pile of counters reaches beyond its lowest one, upwards and to the right
_PANEL_HIGH = 240.0
_OTHER_SIDE = {"site": 40.0, "town": 25.0}  # cost of another side than that which the author states
_SHIFT = 1.0  # cost of a pixel by which a name above or below its town lies off the middle
_SHARES = (0.0, 0.15, -0.15, 0.3, -0.3, 0.45, -0.45)  # such shifts, in widths of the name
_LIFTS = (0.0, -5.0, 5.0)  # shifts of a name beside its town, in pixels

# Costs of a square pixel of what a name may cover, and of 4 pixels of a line.
_STACKS = {1: 10.0, 3: 3.0, 5: 0.5}  # by the number of stacks that an area holds
_LETTER, _SIGN, _FURNITURE, _CONTENT = 6.0, 10.0, 12.0, 3.0
_BORDER, _RIVER, _COAST = 8.0, 6.0, 6.0


def get_style(context: DrawingContext, place: int) -> AreaStyle:
    """Return the drawing of an area, or a plain one if the author states none."""
    return context.ruleset.drawing.area_map.areas.get(place, AreaStyle())


def format_area_name(context: DrawingContext, place: Thing) -> str:
    """Return the name of an area, truncated to what a map can hold."""
    return truncate_text(format_label(place.label, context.lang) or place.id, _MAX_NAME_LENGTH)


def get_lettering_text(lettering: Lettering, context: DrawingContext) -> str:
    """Return the text stated for a lettering, " " for none in this language, or "" for the name of its area."""
    if not lettering.text:
        return ""
    return format_label(lettering.text, context.lang) or " "


def compute_figure_offsets(side: str, count: int, has_star: bool) -> list[float]:
    """Return how far to the right of a town the middles of its `count` figures lie, in pixels.

    `side`: the side of the town on which they lie, "e" or another one for the left; `has_star`: the town has a city's
    sign.
    """
    return [(1 if side == "e" else -1) * ((_STAR if has_star else 0) + _FIGURE_STEP * n) for n in range(count)]


def is_city(context: DrawingContext, values: Sequence[SpaceValue]) -> bool:
    """Return True if the town of an area has the sign of a city."""
    badges = context.ruleset.drawing.area_map.badges
    return any(badges.get(value.name) == "city" for value in values if not value.is_figure)


def compute_letter_circles(context: DrawingContext, plan: AreaPlan) -> tuple[tuple[float, float, float], ...]:
    """Return circles (x, y, radius) that cover the letters of names along curves. Memoized by language."""
    known = plan.letters.get(context.lang)
    if known is not None:
        return known
    area_map, places = context.ruleset.drawing.area_map, context.ruleset.kinds["place"].things
    circles: list[tuple[float, float, float]] = []
    for n, lettering, text in [
        *((-1, lettering, "") for lettering in area_map.landscape.names),
        *(
            (n, lettering, format_area_name(context, places[n]))
            for n, style in area_map.areas.items()
            for lettering in style.lettering
        ),
    ]:
        text = get_lettering_text(lettering, context) or text
        text, font = (text, ITALIC) if lettering.is_water or n in plan.waters else (text.upper(), ROMAN)
        circles += compute_letter_spots(text, lettering, font)
    plan.letters[context.lang] = tuple(circles)
    return plan.letters[context.lang]


def iter_letter_boxes(context: DrawingContext, plan: AreaPlan) -> Iterator[Box]:
    """Yield the boxes of the letters of names along curves."""
    for x, y, r in compute_letter_circles(context, plan):
        yield x - r, y - r, x + r, y + r


def compute_label_box(point: Point, anchor: str, width: float, size: float) -> Box:
    """Return the box of a line of text.

    `point`: a point of its base line; `anchor`: the end of the text that lies there; `width`: its width in pixels.
    """
    left = point[0] - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
    return left, point[1] - size * _ASCENT, left + width, point[1] + size * _DESCENT


def plan_labels(
    context: DrawingContext, plan: AreaPlan, values: Mapping[int, Sequence[SpaceValue]], boxes: Mapping[int, Box]
) -> LabelPlan:
    """Choose the spots of the names of towns. Memoized by language and by what is written at the towns.

    `values`: what is written on each area; `boxes`: the box for the counters of each area from its middle.
    """
    towns = context.ruleset.drawing.area_map.landscape.towns
    sites = {n: _Site(context, n, values[n]) for n in plan.outlines if get_style(context, n).site is not None}
    key = (context.lang, tuple((n, site.figures, site.text) for n, site in sites.items()))
    known = plan.labels.get(key)
    if known is None:
        obstacles = _collect_obstacles(context, plan, boxes)
        for site in sites.values():
            obstacles.add_box(site.signs, _SIGN)
        named = [n for n, site in sites.items() if site.text]
        candidates = [sites[n].list_spots() for n in named]
        candidates += [_list_label_spots(town, format_label(town.name, context.lang)) for town in towns]
        chosen = choose_spots(candidates, obstacles)
        known = LabelPlan(dict(zip(named, chosen, strict=False)), tuple(chosen[len(named) :]))
        plan.labels[key] = known
    return known


class _Site:
    """The town of an area: its signs in a row, and its name beside, above or below them."""

    def __init__(self, context: DrawingContext, place: int, values: Sequence[SpaceValue]) -> None:
        style = get_style(context, place)
        assert style.site is not None
        self.point, self.side = style.site, style.side or "s"
        self.text = format_values(values)
        self.figures = sum(value.is_figure for value in values)
        (x, y), city = self.point, is_city(context, values)
        ends = [x + offset for offset in compute_figure_offsets(self.side, self.figures, city)]
        left = min([x - 10.0 * city, *(end - 11.0 for end in ends)])
        right = max([x + 10.0 * city, *(end + 11.0 for end in ends)])
        self.signs: Box = (left, y - 12.0, right, y + 12.0)

    def list_spots(self) -> list[LabelSpot]:
        """Return the candidate spots of the name, the ones on the stated side first."""
        left, _top, right, _bottom = self.signs
        y, middle = self.point[1], (left + right) / 2
        ends = {"e": (right + 2, y + 5), "w": (left - 2, y + 5), "n": (middle, y - 16), "s": (middle, y + 23)}
        return _list_spots(ends, self.side, measure_width(self.text, CITY, BOLD), CITY, _OTHER_SIDE["site"])


def _list_label_spots(town: Town, name: str) -> list[LabelSpot]:
    x, y = town.at
    ends = {"e": (x + 5, y + 3.5), "w": (x - 5, y + 3), "n": (x, y - 5), "s": (x, y + 13)}
    return _list_spots(ends, town.side or "e", measure_width(name, TOWN, ITALIC), TOWN, _OTHER_SIDE["town"])


def _list_spots(
    ends: Mapping[str, Point], stated_side: str, width: float, size: float, other_cost: float
) -> list[LabelSpot]:
    """Return the candidate spots of a name on four sides of a town, the ones on the side `stated_side` first.

    `ends`: the point of the base line on each side; `width`: the width of the name; `other_cost`: the cost of another
    side.
    """
    spots = []
    for side in sorted(ends, key=lambda side: side != stated_side):
        (x, y), cost = ends[side], 0.0 if side == stated_side else other_cost
        if side in ("e", "w"):
            anchor = "start" if side == "e" else "end"
            shifted = [((x, y + lift), cost + _SHIFT * abs(lift) * 2) for lift in _LIFTS]
        else:
            anchor = "middle"
            shifted = [((x + share * width, y), cost + _SHIFT * abs(share) * width) for share in _SHARES]
        spots += [
            LabelSpot(point, anchor, compute_label_box(point, anchor, width, size), price) for point, price in shifted
        ]
    return spots


def _collect_obstacles(context: DrawingContext, plan: AreaPlan, boxes: Mapping[int, Box]) -> Obstacles:
    """Return what the names of towns should not cover: counters, letters, town signs, borders, waters and the panel.

    `boxes`: the box for the counters of each area from its middle.
    """
    frame, area_map = plan.frame, context.ruleset.drawing.area_map
    obstacles = Obstacles((frame, frame, plan.size[0] - frame, plan.size[1] - frame))
    for n, box in boxes.items():
        largest = LARGEST * plan.get_scale(n)
        for count, weight in _STACKS.items():
            for spot in compute_row_boxes(count, context.geometry.middles[n], box, largest):
                (x, y), half = spot.middle, spot.size / 2
                obstacles.add_box((x - half - 2, y - half - _PILE, x + half + _PILE, y + half + 2), weight)
        if not get_style(context, n).lettering and n not in plan.counters:
            obstacles.add_box(plan.contents[n], _CONTENT)
    for box in iter_letter_boxes(context, plan):
        obstacles.add_box(box, _LETTER)
    for town in area_map.landscape.towns:
        x, y = town.at
        obstacles.add_box((x - 2.5, y - 2.5, x + 2.5, y + 2.5), _SIGN)
    for border in plan.borders:
        obstacles.add_line(border.line, _COAST if border.neighbour is None else _BORDER)
    for ring in (*plan.lands, *(ring for rings in area_map.landscape.lakes for ring in rings)):
        obstacles.add_line([*ring, ring[0]], _COAST)
    for line in area_map.landscape.rivers:
        obstacles.add_line(line, _RIVER)
    if area_map.sheet.cartouche is not None:
        x, y = area_map.sheet.cartouche
        obstacles.add_box((x, y, x + PANEL, y + _PANEL_HIGH), _FURNITURE)
    if area_map.sheet.compass is not None:
        (x, y), r = area_map.sheet.compass.at, area_map.sheet.compass.size
        obstacles.add_box((x - r, y - r, x + r, y + r), _CONTENT)
    return obstacles
