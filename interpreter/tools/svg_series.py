"""Drawings of several positions of one game for a single page, with each shared fragment stored once.

Every fragment of a drawing is defined once and referenced by its number, so a hundred maps take little more space than
one. The caller chooses which positions are shown.

What changes between two positions is drawn over the map: arrows for moved pieces, crosses for removed ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from interpreter.diagnostics.svg_markup import build_element, format_coordinate
from interpreter.i18n.translator import ENGLISH, Translator
from interpreter.model.area_drawing import Point
from interpreter.model.ruleset import Ruleset
from interpreter.play.game import Game
from interpreter.tools.maps.counter_faces import FACE
from interpreter.tools.maps.counters import (
    compute_place_boxes,
    draw_inner_counter,
    draw_remainder,
    get_colour,
    order_by_depth,
)
from interpreter.tools.maps.drawing_context import DrawingContext, create_context
from interpreter.tools.maps.geometry import AREA, SIDE, MapGeometry, compute_geometry
from interpreter.tools.maps.painting.ground import define_symbols
from interpreter.tools.maps.painting.palette import AUTO
from interpreter.tools.maps.piece_groups import ShownPosition, build_current_position
from interpreter.tools.maps.shapes import FONT, GONE, draw_haloed_text, draw_pattern, format_path, format_transform
from interpreter.tools.maps.style import MapStyle, resolve_style
from interpreter.tools.maps.svg import compute_boxes, draw_layers, render_map_css

_AROUND = 2.6 * SIDE  # margin around the places of a change
_NARROWEST = (9 * SIDE, 7 * SIDE)
_WHOLE = 0.6  # a part with more than this share of the map shows the whole map

Box = tuple[float, float, float, float]
_RIM = "#ffffff"
_END = 25.0  # distance of an arrow's ends from the middles of its places
_HEAD = 13.0
_BEND, _MAX_BENT = 0.14, 60.0  # bend of an arrow as a share of its length, and its maximum


@dataclass(frozen=True, slots=True)
class SeriesFrame:
    """One position, split into the fragments of its drawing.

    `layers` holds fragment numbers by layer, `counters` markup by place, `piece_places` the place of every piece,
    `colours` the colour of each piece.
    """

    layers: Mapping[str, tuple[int, ...]]
    counters: Mapping[int, str]
    piece_places: tuple[int, ...]
    colours: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class SeriesDrawing:
    """A drawing as SVG markup, with the ids of the pieces that moved, were removed or were added.

    The page must also contain `SvgSeries.render_definitions()`.
    """

    markup: str
    moved: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


class SvgSeries:
    """A collector of positions of one game, which draws them once all have been added."""

    def __init__(self, ruleset: Ruleset, lang: str = "", say: Translator = ENGLISH) -> None:
        self.ruleset = ruleset
        self.lang = lang
        self.say = say
        self.layout: MapGeometry = compute_geometry(ruleset)
        self.frames: list[SeriesFrame] = []
        self._fragments: dict[str, int] = {}
        self._last: tuple[object, dict[str, tuple[int, ...]]] | None = None
        self._patterns: dict[str, None] = {}
        self._common: dict[str, dict[int, None]] | None = None

    def add_position(self, game: Game) -> int:
        """Add the current position of a game and return its number."""
        self._common = None
        scenario = self.ruleset.scenarios.get(game.scenario or "")
        position = build_current_position(self.ruleset, scenario, game, "", self.lang)
        context = create_context(self.ruleset, position, self.lang, self.say, self.layout)
        self._patterns.update(dict.fromkeys(f.look.pattern for f in context.style.fills if f.look.pattern))
        counters, colours = self._render_counters(context), _collect_piece_colours(position, context.style)
        self.frames.append(SeriesFrame(self._draw_ground(context), counters, tuple(game.state.at), colours))
        return len(self.frames) - 1

    def render_map(self, number: int) -> SeriesDrawing:
        """Render the whole map with all its counters."""
        return SeriesDrawing(self._render_svg(self.frames[number], (0.0, 0.0, *self.layout.size), ChangeOverlay(), {}))

    def find_change(self, before: int, now: int) -> ChangeOverlay:
        """Return the pieces that changed place between the positions with these numbers."""
        return _compare_positions(self.frames[before].piece_places, self.frames[now].piece_places, self.layout)

    def draw_change(self, before: int, now: int) -> SeriesDrawing | None:
        """Render the part of the map in which the position `now` differs from the position `before`.

        Both are numbers of added positions. Return None if nothing differs.
        """
        old, new = self.frames[before], self.frames[now]
        change = self.find_change(before, now)
        places = {
            place for place in (*old.counters, *new.counters) if old.counters.get(place) != new.counters.get(place)
        }
        if not places and old.layers == new.layers:
            return None
        ids = [piece.id for piece in self.ruleset.kinds["piece"].things]
        box = self._compute_part(places | change.places)
        return SeriesDrawing(
            self._render_svg(new, box, change, {**old.colours, **new.colours}),
            tuple(ids[piece] for piece, *_ in change.moved),
            tuple(ids[piece] for piece, _ in change.removed),
            tuple(ids[piece] for piece, _ in change.added),
        )

    def render_definitions(self) -> str:
        """Render the fragments that all drawings reference, as an invisible SVG element."""
        shared = self._find_shared()
        common = {n for numbers in shared.values() for n in numbers}
        texts = {n: text for text, n in self._fragments.items()}
        parts = [build_element("style", render_map_css(resolve_style(self.ruleset, self.lang), AUTO))]
        parts += [draw_pattern(name) for name in self._patterns]
        parts += [define_symbols()] if self.layout.on_grid else []
        parts += [
            build_element("g", [texts[n] for n in numbers], id=f"layer-{layer}") for layer, numbers in shared.items()
        ]
        parts += [build_element("g", text, id=f"f{n}") for n, text in texts.items() if n not in common]
        hidden = {"width": 0, "height": 0, "aria_hidden": "true", "font_family": FONT, "class_": "definitions"}
        return build_element("svg", build_element("defs", parts), **hidden)

    def _find_shared(self) -> dict[str, dict[int, None]]:
        """Return the fragments of each layer that occur in every position, in drawing order.

        Memoized until another position is added.
        """
        if self._common is None:
            self._common = {}
            for layer, first_layer in self.frames[0].layers.items() if self.frames else ():
                fragment_sets = [frozenset(numbers) for numbers in {frame.layers[layer] for frame in self.frames}]
                self._common[layer] = {
                    n: None for n in first_layer if all(n in fragments for fragments in fragment_sets)
                }
        return self._common

    def _number_fragment(self, text: str) -> int:
        """Return the number of a fragment of markup; equal fragments share one."""
        return self._fragments.setdefault(text, len(self._fragments))

    def _draw_ground(self, context: DrawingContext) -> dict[str, tuple[int, ...]]:
        ground = context.position.ground
        if self._last is None or self._last[0] != ground:
            layers = draw_layers(context.copy_without_counters())
            parts_by_level = {f"ground-{n}": level for n, level in enumerate(layers.grounds)}
            parts_by_level |= {"texts": layers.texts, "names": layers.names}
            numbered = {
                name: tuple(self._number_fragment(part) for part in parts if part)
                for name, parts in parts_by_level.items()
            }
            self._last = ground, numbered
        return self._last[1]

    def _render_counters(self, context: DrawingContext) -> dict[int, str]:
        """Render the counters of each place, each as references to the fragments of its face and its facing arrow."""
        boxes, counters = compute_boxes(context), {}
        for place, groups in context.position.groups.items():
            parts, is_free = [], place not in self.layout.on_grid
            middle, scale = self.layout.middles[place], self.layout.get_counter_scale(place)
            spots = compute_place_boxes(groups, middle, boxes[place], context.style, scale)
            for group, spot in order_by_depth(groups, spots):
                drawing = draw_inner_counter(group, context, spot)
                zoom = f"{spot.size / FACE:.3f}".rstrip("0").rstrip(".")
                transform = format_transform(spot.middle[0], spot.middle[1]) + (
                    f" scale({zoom})" if zoom != "1" else ""
                )
                use = self._use(self._number_fragment(drawing))
                parts.append(
                    build_element(
                        "g",
                        use,
                        transform=transform,
                        class_="counter",
                        data_piece=group.piece.id,
                        data_count=group.count,
                    )
                )
            counters[place] = "".join([*parts, draw_remainder(groups, spots) if is_free else ""])
        return counters

    @staticmethod
    def _use(number: int) -> str:
        return build_element("use", href=f"#f{number}")

    def _compute_part(self, places: Iterable[int]) -> Box:
        """Return the box (left, top, width, height) around the given places.

        Returns the whole map if the box covers most of it.
        """
        middles = [self.layout.middles[place] for place in places if place in self.layout.middles]
        wide, high = self.layout.size
        if not middles or self.layout.form == "areas":
            return 0.0, 0.0, wide, high
        left, right = _compute_padded_interval([x for x, _ in middles], _NARROWEST[0], wide)
        top, low = _compute_padded_interval([y for _, y in middles], _NARROWEST[1], high)
        if (right - left) * (low - top) > _WHOLE * wide * high:
            return 0.0, 0.0, wide, high
        return left, top, right - left, low - top

    def _render_svg(self, frame: SeriesFrame, box: Box, change: ChangeOverlay, colours: Mapping[int, str]) -> str:
        """Render the part of a frame in `box`, with the change that led to it; `colours`: the colour of each piece."""
        layers = {name: self._render_layer(frame, name) for name in frame.layers}
        names, texts = layers.pop("names"), layers.pop("texts")
        left, top, wide, high = box
        is_all = (wide, high) == self.layout.size
        inside = [
            build_element("rect", x=left, y=top, width=wide, height=high, class_="g-page"),
            *layers.values(),
            texts,
            _render_arrows(change, self.layout, colours),
            *(text for place, text in frame.counters.items() if is_all or self._is_near(place, box)),
            names,
            _render_crosses(change, self.layout),
        ]
        return build_element(
            "svg",
            inside,
            viewBox=" ".join(format_coordinate(n) for n in box),
            width=wide,
            height=high,
            font_family=FONT,
            class_="map",
            role="img",
        )

    def _render_layer(self, frame: SeriesFrame, name: str) -> str:
        shared = self._find_shared()[name]
        elements = [self._use(n) for n in frame.layers[name] if n not in shared]
        return build_element("use", href=f"#layer-{name}") + "".join(elements)

    def _is_near(self, place: int, box: Box) -> bool:
        x, y = self.layout.middles[place]
        left, top, wide, high = box
        return left - AREA[0] < x < left + wide + AREA[0] and top - AREA[1] < y < top + high + AREA[1]


def _compute_padded_interval(values: list[float], least: float, most: float) -> tuple[float, float]:
    """Return the interval of `values` widened by a margin and to at least `least`, within 0 and `most`."""
    low, high = min(values) - _AROUND, max(values) + _AROUND
    missing = max(0.0, least - (high - low)) / 2
    low, high = low - missing, high + missing
    if low < 0:
        low, high = 0.0, high - low
    if high > most:
        low, high = max(0.0, low - (high - most)), most
    return low, high


@dataclass(frozen=True, slots=True)
class ChangeOverlay:
    """The pieces that changed place, by handle.

    `moved` holds (piece, from, to), `removed` holds (piece, place) of removed pieces, `added` (piece, place) of added
    ones.
    """

    moved: tuple[tuple[int, int, int], ...] = ()
    removed: tuple[tuple[int, int], ...] = ()
    added: tuple[tuple[int, int], ...] = ()

    @property
    def places(self) -> frozenset[int]:
        """Return every place where a piece moved, was removed or was added."""
        ends = {place for _, start, end in self.moved for place in (start, end)}
        return frozenset(ends | {place for _, place in (*self.removed, *self.added)})


def _compare_positions(before: Sequence[int], now: Sequence[int], layout: MapGeometry) -> ChangeOverlay:
    """Return the pieces that moved, were removed or were added between two positions.

    `before` and `now`: the place of every piece, by its handle.
    """
    moved, removed, added = [], [], []
    for piece, (a, b) in enumerate(zip(before, now, strict=True)):
        if a == b:
            continue
        if a in layout.middles and b in layout.middles:
            moved.append((piece, a, b))
        elif a in layout.middles:
            removed.append((piece, a))
        elif b in layout.middles:
            added.append((piece, b))
    return ChangeOverlay(tuple(moved), tuple(removed), tuple(added))


def _collect_piece_colours(position: ShownPosition, style: MapStyle) -> dict[int, str]:
    """Return the colour of each piece's side, by the handle of the piece; only pieces on the map."""
    return {
        member: get_colour(group, style)
        for groups in position.groups.values()
        for group in groups
        for member in group.members
    }


def _render_arrows(change: ChangeOverlay, layout: MapGeometry, colours: Mapping[int, str]) -> str:
    """Render one movement arrow for each distinct (origin, destination, colour).

    `colours`: the colour of each piece's side, by the handle of the piece.
    """
    arrows = dict.fromkeys((a, b, colours.get(piece, GONE)) for piece, a, b in change.moved)
    return "".join(_render_arrow(layout.middles[a], layout.middles[b], colour) for a, b, colour in arrows)


def _render_crosses(change: ChangeOverlay, layout: MapGeometry) -> str:
    """Render a cross beside each place that lost pieces, with their number if it is more than one."""
    counts: dict[int, int] = {}
    for _, place in change.removed:
        counts[place] = counts.get(place, 0) + 1
    parts = []
    for place, count in counts.items():
        (x, y), is_area = layout.middles[place], place not in layout.on_grid
        centre = (x - AREA[0] / 2 + 14, y + AREA[1] / 2 - 14) if is_area else (x + 31, y + 20)
        parts.append(_render_cross(centre, count))
    return "".join(parts)


def render_changes(
    before: tuple[ShownPosition, Sequence[int]],
    now: tuple[ShownPosition, Sequence[int]],
    layout: MapGeometry,
    style: MapStyle,
) -> tuple[str, str]:
    """Render the changes between two positions as (markup below the counters, markup above them).

    `before` and `now`: each position with the place of every piece, by its handle.
    """
    change = _compare_positions(before[1], now[1], layout)
    colours = {**_collect_piece_colours(before[0], style), **_collect_piece_colours(now[0], style)}
    return _render_arrows(change, layout, colours), _render_crosses(change, layout)


def _render_arrow(a: Point, b: Point, colour: str) -> str:
    """Render an arrow from `a` to `b` that bends to its left, so that opposite or collinear moves do not overlap."""
    distance = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    ux, uy = (b[0] - a[0]) / distance, (b[1] - a[1]) / distance
    bend = min(_BEND * distance, _MAX_BENT)
    control = ((a[0] + b[0]) / 2 + uy * 2 * bend, (a[1] + b[1]) / 2 - ux * 2 * bend)
    end = min(_END, distance / 3)
    start, tip = _compute_point_toward(a, control, end), _compute_point_toward(b, control, end)
    neck = _compute_point_toward(tip, control, _HEAD)
    nx, ny = (tip[0] - neck[0]) / _HEAD, (tip[1] - neck[1]) / _HEAD
    wing = _HEAD * 0.62
    head = format_path(
        [tip, (neck[0] - ny * wing, neck[1] + nx * wing), (neck[0] + ny * wing, neck[1] - nx * wing)], True
    )
    places = [format_coordinate(n) for point in (start, control, neck) for n in point]
    line = {"d": "M{} {}Q{} {} {} {}".format(*places), "fill": "none", "stroke_linecap": "round"}
    return build_element(
        "g",
        [
            build_element("path", **line, stroke=_RIM, stroke_width=8),
            build_element("path", d=head, fill=_RIM, stroke=_RIM, stroke_width=4, stroke_linejoin="round"),
            build_element("path", **line, stroke=colour, stroke_width=4),
            build_element("path", d=head, fill=colour),
        ],
        class_="way",
    )


def _compute_point_toward(start: Point, end: Point, length: float) -> Point:
    """Return the point at a distance `length` from `start` in the direction of `end`."""
    distance = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    return start[0] + (end[0] - start[0]) / distance * length, start[1] + (end[1] - start[1]) / distance * length


def _render_cross(centre: Point, count: int) -> str:
    (x, y), r = centre, 6.5
    bars = format_path([(x - r, y - r), (x + r, y + r)]) + format_path([(x - r, y + r), (x + r, y - r)])
    look = {"d": bars, "fill": "none", "stroke_linecap": "round"}
    parts = [
        build_element("path", **look, stroke=_RIM, stroke_width=7.5),
        build_element("path", **look, stroke=GONE, stroke_width=3.5),
    ]
    if count > 1:
        parts.append(draw_haloed_text(str(count), x + 14, y + 5, 13, fill=GONE, font_weight="bold"))
    return build_element("g", parts, class_="gone")
