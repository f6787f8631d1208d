"""The current position as shown to one seat: counters, decision, log, scores."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from interpreter.i18n.number_format import format_number
from interpreter.play.game import Game
from interpreter.play.template_values import format_turn
from interpreter.play.views import build_all_views
from interpreter.players.narration.event_lines import render_outcome
from interpreter.players.narration.position_lines import format_phase_title, render_heading, render_position
from interpreter.players.narration.track_values import (
    TrackValue,
    collect_game_values,
    collect_side_values,
    collect_thing_values,
)
from interpreter.players.ownership import list_seats
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.limits import one_budget
from interpreter.runtime.localizer import Localizer
from interpreter.tools.maps.drawing_context import DrawingContext
from interpreter.tools.maps.painting.palette import AUTO
from interpreter.tools.maps.piece_groups import list_turns
from interpreter.tools.maps.scans import compute_background_digest
from interpreter.tools.maps.style import find_written_value
from interpreter.tools.maps.svg import list_ground_names, render_ground, render_legend, render_marks, render_painting
from interpreter.view_model.encoded_content import EncodedContent
from interpreter.view_model.ground_drawings import GroundDrawings
from interpreter.view_model.log_view import LogView
from interpreter.view_model.option_view import build_decision
from interpreter.view_model.piece_view import CounterImages, build_pieces, map_names_to_counters, mark_orderable
from interpreter.view_model.records import (
    DynamicView,
    LogLine,
    ShownDecision,
    ShownMapName,
    ShownNameSpot,
    Track,
    TrackRow,
    TrackSheet,
    UndoInfo,
)
from interpreter.view_model.undo_info import count_recorded_choices, find_last_undoable
from interpreter.view_model.view_context import ViewContext

_ALWAYS_OPEN = ("", "side", "seat")  # kinds of things with sheets that are not collapsed
Row = Mapping[str, Track]  # keyed by column name


def build_tracks(game: Game, view: Mapping[str, Any], localizer: Localizer) -> tuple[TrackSheet, ...]:
    """Return the sheets with a value: for the game, the sides, the seats, and each kind that the ruleset defines.

    `view`: the position as `Game.view` returns it.
    """
    views = {
        kind: {thing: {label: Track(text, 0, 0) for label, text, _ in texts} for thing, texts in things.items()}
        for kind, things in build_all_views(game.state, localizer.lang).items()
    }
    general = {**_build_tracks(collect_game_values(view, localizer)), **views.get("", {}).get("", {})}
    kinds = {"side": collect_side_values(view, localizer), "seat": {}, **collect_thing_values(view, localizer)}
    sheets = [_build_sheet("", {"": general}, localizer)]
    for kind, readings in kinds.items():
        views_of_kind = views.get(kind, {})
        rows = {
            t["id"]: {**_build_tracks(readings.get(t["id"], {}).values()), **views_of_kind.get(t["id"], {})}
            for t in localizer.get_kind(kind)["things"]
        }
        sheets.append(_build_sheet(kind, rows, localizer))
    return tuple(sheet for sheet in sheets if sheet.columns)


def _build_tracks(readings: Iterable[TrackValue]) -> dict[str, Track]:
    return {reading.label: Track(reading.text, reading.steps, reading.at) for reading in readings}


def _build_sheet(kind: str, rows: Mapping[str, Row], localizer: Localizer) -> TrackSheet:
    """Return a sheet of the rows that have a value, with the columns that some row uses.

    `kind`: the kind of the things in the rows, '' for the game; `rows`: one for each thing, by its id.
    """
    columns = tuple(dict.fromkeys(column for row in rows.values() for column in row))
    title = localizer.get_kind_name(kind) if kind else ""
    return TrackSheet(
        kind,
        title,
        kind not in _ALWAYS_OPEN,
        columns,
        tuple(
            TrackRow(
                thing,
                localizer.get_thing_name(kind, thing) if kind else "",
                tuple(row.get(column) for column in columns),
            )
            for thing, row in rows.items()
            if row
        ),
    )


MAX_LOG_LINES = 300  # log lines in a view; the rest is fetched on demand
_RECENT = 40  # log lines searched for the latest events


@dataclass(frozen=True, slots=True)
class Viewer:
    """The seats a view is built for, () for an onlooker; `bots` are the seats played by programs."""

    seats: tuple[str, ...]
    bots: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class _DrawnLayers:
    """The names of the map's drawings at a position, lowest layer first; '' for a drawing that would be empty."""

    position: object
    painting: str
    ground: str
    marks: str


class ViewBuilder:
    """Builder of the views of one game in one language; it caches the drawings of the map."""

    def __init__(self, context: ViewContext) -> None:
        self.context = context
        self._log_view = LogView(context)
        self._pictures = CounterImages()
        self._drawings = GroundDrawings(context.rules)
        self._layers: _DrawnLayers | None = None

    def build_view(self, game: Game, viewer: Viewer, version: str) -> DynamicView:
        """Return the view of the current position; `version`: the id of the position that the view contains.

        Faults of the rules become notices of the view.
        """
        with one_budget(is_tolerant=True) as shared:
            view, faults = self._build_view(game, viewer, version)
        messages = dict.fromkeys(str(fault) for fault in (*faults, *(() if shared.fault is None else (shared.fault,))))
        say = self.context.localizer.say
        return replace(view, notices=tuple(say("error in the rules: {fault}", fault=fault) for fault in messages))

    def _build_view(self, game: Game, viewer: Viewer, version: str) -> tuple[DynamicView, tuple[RuleFault, ...]]:
        """Return the view of the current position, and the faults of the rules found meanwhile."""
        localizer, drawing, view = self.context.localizer, self._create_drawing_context(game), game.view()
        pieces = build_pieces(self.context, view, drawing, self._pictures)
        decision, faults = build_decision(self.context, game, map_names_to_counters(game, pieces))
        scores, score_fault = game.compute_scores()
        faults += (score_fault,) if score_fault is not None else ()
        lines, choices = self._log_view.list_lines(game), count_recorded_choices(game)
        may_choose = decision is not None and decision.seat in viewer.seats
        texts = render_position(game, localizer, view)
        layers = self._name_layers(drawing)
        orderable = () if decision is None else {piece for option in decision.options for piece in option.pieces}
        dynamic_view = DynamicView(
            version=version,
            heading=render_heading(view, localizer),
            turn=game.turn,
            phase=format_phase_title(view.get("phase"), localizer, view.get("phase_values", ())),
            painting=layers.painting,
            ground=layers.ground,
            marks=layers.marks,
            seat=viewer.seats[0] if len(viewer.seats) == 1 else "",
            may_choose=may_choose,
            waiting=_format_waiting(localizer, decision, viewer),
            pieces=mark_orderable(pieces, orderable),
            decision=decision if may_choose or decision is None else replace(decision, options=(), headings=()),
            log=tuple(lines[-MAX_LOG_LINES:]),
            log_from=max(0, len(lines) - MAX_LOG_LINES),
            standing=(
                *texts.general,
                *(localizer.prefix_topic(localizer.get_thing_name("side", s), t) for s, t in texts.sides.items()),
            ),
            tracks=build_tracks(game, view, localizer),
            scores=tuple((localizer.get_thing_name("seat", s), format_number(v)) for s, v in scores.items()),
            track=tuple((n, format_turn(localizer, n, game.scenario)) for n in list_turns(drawing.position.scenario)),
            choices=choices,
            undo=_find_undo_info(game, viewer, localizer),
            redo=game.can_redo and may_choose,
            outcome=tuple(line.text for line in render_outcome(game.outcome, localizer) if line.text)
            if game.over
            else (),
            last_places=_list_last_places(lines) if choices else (),
        )
        return dynamic_view, faults

    def build_minimal_view(self, game: Game, viewer: Viewer, version: str, fault: str) -> DynamicView:
        """Return a view without map and options for a position in which the rules fault, so that the player can undo.

        `version`: the id of the position that the view contains; `fault`: the message to show.
        """
        localizer, layers = self.context.localizer, self._layers or _DrawnLayers(None, "", "", "")
        return DynamicView(
            version=version,
            heading=localizer.say("turn {number}", number=game.turn),
            turn=game.turn,
            painting=layers.painting,
            ground=layers.ground,
            marks=layers.marks,
            seat=viewer.seats[0] if len(viewer.seats) == 1 else "",
            choices=count_recorded_choices(game),
            undo=_find_undo_info(game, viewer, localizer),
            notices=(fault,),
        )

    def get_legend_name(self, game: Game) -> str:
        """Return the name of the drawing of the map's legend, to be passed to `find_drawing`."""
        return self._drawings.add(render_legend(self._create_drawing_context(game)))

    def share_drawings(self) -> ViewBuilder:
        """Return a builder for the same game that shares the cached drawings, with a log of its own."""
        builder = ViewBuilder(self.context)
        builder._drawings = self._drawings
        return builder

    def list_drawing_names(self) -> tuple[str, ...]:
        """Return the names of the map drawings in the latest view, lowest layer first; () before the first view."""
        layers = self._layers
        return tuple(filter(None, (layers.painting, layers.ground, layers.marks))) if layers is not None else ()

    def has_drawing(self, name: str) -> bool:
        """Return whether a view refers to a map drawing by `name`, without drawing it."""
        return self._drawings.has(name)

    def find_drawing(self, name: str) -> EncodedContent | None:
        """Return the map drawing with this name, or None if no view has referred to it.

        A deferred drawing is rendered by its first call, which can be slow, and is then cached.
        """
        return self._drawings.find(name)

    def list_map_names(self, game: Game) -> tuple[ShownMapName, ...]:
        """Return the names on the painted map, each with the spots between which it can move."""
        ids = self.context.rules.program.ids["place"]
        return tuple(
            ShownMapName(
                name.text,
                name.look,
                name.size,
                name.spacing,
                tuple(
                    ShownNameSpot(spot.x, spot.y, spot.line, tuple(ids[cell] for cell in sorted(spot.cells)))
                    for spot in name.spots
                ),
            )
            for name in list_ground_names(self._create_drawing_context(game))
        )

    def _create_drawing_context(self, game: Game) -> DrawingContext:
        return replace(self.context.create_drawing_context(game), is_linked=True)

    def _name_layers(self, context: DrawingContext) -> _DrawnLayers:
        """Return the names of the drawings of a position; they are those of the last view if the ground is the same."""
        position = context.position.ground
        if self._layers is None or self._layers.position != position:
            marks = self._drawings.add(render_marks(context))
            self._layers = _DrawnLayers(position, self._add_painting(context), self._add_ground(context), marks)
        return self._layers

    def _add_ground(self, context: DrawingContext) -> str:
        """Return the name of the drawing below the counters that may change in play.

        The drawing of an area map is made on request.
        """
        draw = partial(render_ground, context, AUTO, with_painting=False)
        if context.geometry.on_grid:
            return self._drawings.add(draw())
        return self._defer_drawing(("ground", context.position.ground), context, draw)

    def _add_painting(self, context: DrawingContext) -> str:
        """Return the name of the painted background, which is painted on request; '' for an area map."""
        if not context.geometry.on_grid:
            return ""
        ruleset, fill = context.ruleset, context.style.fill
        is_expression = fill not in ruleset.kinds["place"].attributes
        values = (
            [find_written_value(ruleset, "place", fill, v) for v in context.position.places] if is_expression else []
        )
        return self._defer_drawing(("painting", values), context, partial(render_painting, context))

    def _defer_drawing(self, position_key: object, context: DrawingContext, draw: Callable[[], str]) -> str:
        """Return the name of a drawing, which is only drawn (by `draw`) when it is requested.

        `position_key`: the game data that the drawing depends on; `context` supplies its ruleset and language.
        """
        ruleset = context.ruleset
        identity = repr(
            (ruleset.content_hash, context.lang, position_key, compute_background_digest(ruleset.drawing.background))
        )
        return self._drawings.add_deferred(identity.encode(), draw)


def build_viewer(game: Game, bots: Collection[str]) -> Viewer:
    """Return a viewer that decides for all seats except those in `bots`, which programs play."""
    return Viewer(tuple(seat for seat in list_seats(game) if seat not in bots), bots)


def _find_undo_info(game: Game, viewer: Viewer, localizer: Localizer) -> UndoInfo | None:
    """Return the choice that the viewer can undo, or None."""
    return (
        find_last_undoable(game, [s for s in viewer.seats if s not in viewer.bots], localizer) if viewer.seats else None
    )


def _format_waiting(localizer: Localizer, decision: ShownDecision | None, viewer: Viewer) -> str:
    """Return the text that says which seat the viewer waits for, or '' if the viewer decides."""
    if decision is None or decision.seat in viewer.seats:
        return ""
    seat = localizer.get_thing_name("seat", decision.seat)
    if decision.seat in viewer.bots:
        return localizer.say("{player} is thinking ...", player=seat)
    return localizer.say("waiting for {player}", player=seat)


def _list_last_places(lines: Sequence[LogLine]) -> tuple[str, ...]:
    """Return the places that the lines of the log after the last choice name, latest first."""
    places: dict[str, None] = {}
    for line in reversed(lines[-_RECENT:]):
        if line.kind == "choice" and places:
            break
        places.update(dict.fromkeys(line.places))
    return tuple(places)
