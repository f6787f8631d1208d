"""Cursor and zoom of the map."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import dist

from interpreter.ui.tui.map.area_layout import AREA_ZOOMS
from interpreter.ui.tui.map.background_layer import BackgroundLayer, build_layout
from interpreter.ui.tui.map.map_layout import MapLayout, find_next_place
from interpreter.ui.tui.map.rendering import Highlights, Legend, render_map
from interpreter.ui.tui.map_view import MapView
from interpreter.ui.tui.messages import MessagePort
from interpreter.ui.tui.selection import find_front, find_next_orderable_place, find_place_asked_about
from interpreter.view_model.records import DynamicView, ShownPiece

_FIRST_ZOOM = 1
_FITTING_ZOOMS = 3  # number of zooms that find_fitting_zoom considers


class MapCursor:
    """The map's cursor and zoom. `neighbours` and `order` are keyed by place id."""

    def __init__(self, port: MessagePort, view: MapView) -> None:
        still = port.static_view
        self.context, self.view, self.places = port.context, view, still.places
        self.neighbours: Mapping[str, frozenset[str]] = {p.id: frozenset(p.neighbours.values()) for p in still.places}
        self.order: Mapping[str, int] = {p.id: p.order for p in still.places}
        self.middles: Mapping[str, tuple[float, float]] = {p.id: p.middle for p in still.places}
        labels = {p.id: p.id if p.kind == "space" else p.name for p in still.places}
        self.legend = Legend({s.id: (s.letter, s.colour) for s in still.sides}, labels, port.is_plain)
        self._kinds: Mapping[str, str] = {p.id: p.kind for p in still.places}
        self.zoom, self.cursor, self._row, self._side = -1, "", 0.0, ""
        self._plans: dict[int, MapLayout] = {}
        self._drawn: tuple[object, ...] = ()

    def get_layout(self, zoom: int) -> MapLayout:
        """Return the layout of the map at a zoom, memoized."""
        zoom = max(0, zoom)
        if zoom not in self._plans:
            self._plans[zoom] = build_layout(self.context, zoom)
        return self._plans[zoom]

    def walk(self, direction: str) -> None:
        """Move the cursor to the next place in a direction; a sideways walk keeps to its row."""
        plan = self.get_layout(self.zoom)
        if self.cursor in plan.spots:
            there = find_next_place(plan, self.cursor, direction, self.neighbours, self._row)
            if direction in ("up", "down"):
                self._row = plan.spots[there].middle[1]
            self._point_at(there)

    def move_to(self, place: str) -> None:
        """Move the cursor to a place."""
        plan = self.get_layout(self.zoom)
        if place in plan.spots:
            self._row = plan.spots[place].middle[1]
        self._point_at(place)

    def choose_place_to_show(self, game_view: DynamicView, has_rolled: bool) -> str | None:
        """Return the place to which the cursor moves in a position, or None to leave it where it is.

        That is the place that the question is about, else one with orderable pieces: the present one if possible, else
        the next. If no piece can be ordered, it is the place where the last events began if `has_rolled` (dice were
        rolled), and otherwise, once another side decides, the place that `find_front` finds for that side.
        """
        current, side = self.cursor, game_view.decision.side if game_view.decision is not None else ""
        is_other_side, self._side = side != self._side, side
        able = {p.place for p in game_view.pieces if p.orderable and p.place in self.order}
        if about := find_place_asked_about(game_view):
            return about
        beside = {place.id for place in self.places if place.kind == "box"}
        happened = [p for p in game_view.last_places if p in self.order and p not in beside]
        if current and not able and happened and has_rolled:
            return happened[0]
        front = find_front(game_view, self.order, self.middles)
        if current and not able:
            return front if front and is_other_side else None
        if current in able:
            return None
        first = min(self.order, key=lambda p: self.order[p], default="")
        occupied = next((p.place for p in game_view.pieces), first)
        return (
            ("" if current else front)
            or find_next_orderable_place(game_view, current, self.order, 1)
            or occupied
            or first
        )

    def _point_at(self, place: str) -> None:
        self.cursor = place
        self.view.point_at(place)

    def set_zoom(self, zoom: int) -> None:
        """Set the zoom, clamped to the available range."""
        self.zoom = max(0, min(AREA_ZOOMS - 1, zoom))

    def find_fitting_zoom(self) -> int:
        """Return the closest zoom that shows the whole map, else the first one with borders."""
        room = self.view.size
        plans = [self.get_layout(zoom) for zoom in range(_FITTING_ZOOMS)]
        fitting = [z for z, p in enumerate(plans) if p.width <= room.width and p.height <= room.height]
        is_grid = any(place.kind == "space" for place in self.places)
        return max([*fitting, _FIRST_ZOOM if is_grid else 0])

    def draw(self, view: DynamicView, background: BackgroundLayer, highlights: Highlights) -> None:
        """Redraw the map if the zoom, the position or the highlights have changed."""
        if self.zoom < 0:
            self.zoom = self.find_fitting_zoom()
        drawn = (self.zoom, view.version, highlights)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        counters: dict[str, list[ShownPiece]] = {}
        for piece in view.pieces:
            counters.setdefault(piece.place, []).append(piece)
        plan = self.get_layout(self.zoom)
        framed = frozenset(place for place in counters if self._kinds.get(place) != "box")
        self.view.show(plan, render_map(plan, background, counters, self.legend, highlights), framed)

    def list_nearest(self, places: Sequence[str], origin: str, enemies: Collection[str] = ()) -> list[str]:
        """Return the places by distance from `origin`; of equally distant ones, the nearest to `enemies` first."""

        def measure_distance(place: str) -> tuple[float, float, int]:
            towards = min((self._distance(place, enemy) for enemy in enemies), default=0.0)
            return round(self._distance(place, origin)), towards, self.order.get(place, 0)

        return sorted(places, key=measure_distance)

    def _distance(self, start: str, goal: str) -> float:
        """Return the distance between the centres of two places in drawing units."""
        return dist(self.middles.get(start, (0.0, 0.0)), self.middles.get(goal, (0.0, 0.0)))
