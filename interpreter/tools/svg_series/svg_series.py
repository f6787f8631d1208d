"""Drawings of several positions of one game for a single page, with each shared fragment stored once.

Every fragment of a drawing is defined once and referenced by its number, so a hundred maps take little more space than
one. The caller chooses which positions are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from interpreter.diagnostics.svg_markup import element, format_coordinate
from interpreter.i18n.translator import ENGLISH, Translator
from interpreter.model.ruleset import Ruleset
from interpreter.play.game import Game
from interpreter.tools.maps.counter_faces import FACE
from interpreter.tools.maps.counters import draw_inner_counter, draw_remainder, order_by_depth, place_boxes
from interpreter.tools.maps.drawing_context import DrawingContext, create_context
from interpreter.tools.maps.geometry import AREA, SIDE, MapGeometry, compute_geometry
from interpreter.tools.maps.painting.ground import define_symbols
from interpreter.tools.maps.painting.palette import AUTO
from interpreter.tools.maps.piece_groups import current_position
from interpreter.tools.maps.shapes import FONT, draw_pattern, format_transform
from interpreter.tools.maps.style import resolve_style
from interpreter.tools.maps.svg import boxes_of, draw_layers, is_area, map_rules
from interpreter.tools.svg_series.change_overlay import (
    ChangeOverlay,
    colours_by_piece,
    compare_positions,
    render_arrows,
    render_crosses,
)

_AROUND = 2.6 * SIDE  # margin around the places of a change
_NARROWEST = (9 * SIDE, 7 * SIDE)
_WHOLE = 0.6  # a part with more than this share of the map shows the whole map

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class SeriesFrame:
    """One position, split into the fragments of its drawing.

    `layers` holds fragment numbers by layer, `counters` markup by place, `at` the place of every piece, `colours` the
    colour of each piece.
    """

    layers: Mapping[str, tuple[int, ...]]
    counters: Mapping[int, str]
    at: tuple[int, ...]
    colours: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class SeriesDrawing:
    """A drawing as SVG markup, with the ids of the pieces that moved, were removed or were added.

    The page must also contain `SvgSeries.definitions()`.
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

    def take(self, game: Game) -> int:
        """Add the current position of a game and return its number."""
        self._common = None
        scenario = self.ruleset.scenarios.get(game.scenario or "")
        shown = current_position(self.ruleset, scenario, game, "", self.lang)
        context = create_context(self.ruleset, shown, self.lang, self.say, self.layout)
        self._patterns.update(dict.fromkeys(f.look.pattern for f in context.looks.fills if f.look.pattern))
        counters, colours = self._counters(context), colours_by_piece(shown, context.looks)
        self.frames.append(SeriesFrame(self._ground(context), counters, tuple(game.state.at), colours))
        return len(self.frames) - 1

    def render_map(self, number: int) -> SeriesDrawing:
        """Render the whole map with all its counters."""
        return SeriesDrawing(self._render_svg(self.frames[number], (0.0, 0.0, *self.layout.size), ChangeOverlay(), {}))

    def change(self, before: int, now: int) -> ChangeOverlay:
        """Return the pieces that changed place between the positions with these numbers."""
        return compare_positions(self.frames[before].at, self.frames[now].at, self.layout)

    def changed(self, before: int, now: int) -> SeriesDrawing | None:
        """Render the part of the map in which the position `now` differs from the position `before`.

        Both are numbers of added positions. Return None if nothing differs.
        """
        old, new = self.frames[before], self.frames[now]
        change = self.change(before, now)
        places = {
            place for place in (*old.counters, *new.counters) if old.counters.get(place) != new.counters.get(place)
        }
        if not places and old.layers == new.layers:
            return None
        ids = [piece.id for piece in self.ruleset.kinds["piece"].things]
        box = self._part(places | change.places)
        return SeriesDrawing(
            self._render_svg(new, box, change, {**old.colours, **new.colours}),
            tuple(ids[piece] for piece, *_ in change.moved),
            tuple(ids[piece] for piece, _ in change.removed),
            tuple(ids[piece] for piece, _ in change.added),
        )

    def definitions(self) -> str:
        """Render the fragments that all drawings reference, as an invisible SVG element."""
        shared = self._find_shared()
        common = {n for numbers in shared.values() for n in numbers}
        texts = {n: text for text, n in self._fragments.items()}
        parts = [element("style", map_rules(resolve_style(self.ruleset, self.lang), AUTO))]
        parts += [draw_pattern(name) for name in self._patterns]
        parts += [define_symbols()] if self.layout.on_grid else []
        parts += [element("g", [texts[n] for n in numbers], id=f"layer-{layer}") for layer, numbers in shared.items()]
        parts += [element("g", text, id=f"f{n}") for n, text in texts.items() if n not in common]
        hidden = {"width": 0, "height": 0, "aria_hidden": "true", "font_family": FONT, "class_": "definitions"}
        return element("svg", element("defs", parts), **hidden)

    def _find_shared(self) -> dict[str, dict[int, None]]:
        """Return the fragments of each layer that occur in every position, in drawing order.

        Memoized until another position is added.
        """
        if self._common is None:
            self._common = {}
            for layer, first in self.frames[0].layers.items() if self.frames else ():
                others = [frozenset(numbers) for numbers in {frame.layers[layer] for frame in self.frames}]
                self._common[layer] = {n: None for n in first if all(n in other for other in others)}
        return self._common

    def _number(self, text: str) -> int:
        return self._fragments.setdefault(text, len(self._fragments))

    def _ground(self, context: DrawingContext) -> dict[str, tuple[int, ...]]:
        seen = context.position.ground
        if self._last is None or self._last[0] != seen:
            layers = draw_layers(context.without_counters())
            kept = {f"ground-{n}": level for n, level in enumerate(layers.grounds)}
            kept |= {"texts": layers.texts, "names": layers.names}
            numbered = {name: tuple(self._number(part) for part in parts if part) for name, parts in kept.items()}
            self._last = seen, numbered
        return self._last[1]

    def _counters(self, context: DrawingContext) -> dict[int, str]:
        """Render the counters of each place, each as references to the fragments of its face and its facing arrow."""
        boxes, found = boxes_of(context), {}
        for place, here in context.position.groups.items():
            parts, is_free = [], is_area(place, self.layout)
            spots = place_boxes(here, self.layout.middles[place], boxes[place], context.looks)
            for one, spot in order_by_depth(here, spots):
                drawn = draw_inner_counter(one, context, spot)
                zoom = f"{spot.size / FACE:.3f}".rstrip("0").rstrip(".")
                at = format_transform(spot.at[0], spot.at[1]) + (f" scale({zoom})" if zoom != "1" else "")
                use = self._use(self._number(drawn))
                parts.append(
                    element("g", use, transform=at, class_="counter", data_piece=one.piece.id, data_count=one.count)
                )
            found[place] = "".join([*parts, draw_remainder(here, spots) if is_free else ""])
        return found

    @staticmethod
    def _use(number: int) -> str:
        return element("use", href=f"#f{number}")

    def _part(self, places: Iterable[int]) -> Box:
        """Return the box (left, top, width, height) around some places.

        Returns the whole map if the box covers most of it.
        """
        middles = [self.layout.middles[place] for place in places if place in self.layout.middles]
        wide, high = self.layout.size
        if not middles or self.layout.form == "areas":
            return 0.0, 0.0, wide, high
        left, right = _padded_interval([x for x, _ in middles], _NARROWEST[0], wide)
        top, low = _padded_interval([y for _, y in middles], _NARROWEST[1], high)
        if (right - left) * (low - top) > _WHOLE * wide * high:
            return 0.0, 0.0, wide, high
        return left, top, right - left, low - top

    def _render_svg(self, frame: SeriesFrame, box: Box, change: ChangeOverlay, colours: Mapping[int, str]) -> str:
        layers = {name: self._layer(frame, name) for name in frame.layers}
        names, texts = layers.pop("names"), layers.pop("texts")
        left, top, wide, high = box
        is_all = (wide, high) == self.layout.size
        inside = [
            element("rect", x=left, y=top, width=wide, height=high, class_="g-page"),
            *layers.values(),
            texts,
            render_arrows(change, self.layout, colours),
            *(text for place, text in frame.counters.items() if is_all or self._is_near(place, box)),
            names,
            render_crosses(change, self.layout),
        ]
        return element(
            "svg",
            inside,
            viewBox=" ".join(format_coordinate(n) for n in box),
            width=wide,
            height=high,
            font_family=FONT,
            class_="map",
            role="img",
        )

    def _layer(self, frame: SeriesFrame, name: str) -> str:
        shared = self._find_shared()[name]
        own = [self._use(n) for n in frame.layers[name] if n not in shared]
        return element("use", href=f"#layer-{name}") + "".join(own)

    def _is_near(self, place: int, box: Box) -> bool:
        x, y = self.layout.middles[place]
        left, top, wide, high = box
        return left - AREA[0] < x < left + wide + AREA[0] and top - AREA[1] < y < top + high + AREA[1]


def _padded_interval(values: list[float], least: float, most: float) -> tuple[float, float]:
    """Return the interval of `values` widened by a margin and to at least `least`, within 0 and `most`."""
    low, high = min(values) - _AROUND, max(values) + _AROUND
    missing = max(0.0, least - (high - low)) / 2
    low, high = low - missing, high + missing
    if low < 0:
        low, high = 0.0, high - low
    if high > most:
        low, high = max(0.0, low - (high - most)), most
    return low, high
