"""Tracks and markers beside a printed map: values of the game, its sides and other things."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from interpreter.play.game import Game
from interpreter.play.views import views_of_all
from interpreter.players.narration.localizer import Localizer
from interpreter.players.narration.track_values import TrackValue, game_readings, side_readings, thing_readings
from interpreter.view_model.records import Track, TrackSheet

_IN_SIGHT = ("", "side", "seat")
Row = Mapping[str, Track]  # keyed by column name


def build_tracks(game: Game, view: Mapping[str, Any], words: Localizer) -> tuple[TrackSheet, ...]:
    """Build a sheet for the game, one for the sides, and one for each kind of the ruleset, if not empty."""
    told = {
        kind: {thing: {label: Track(text, 0, 0) for label, text, _ in own} for thing, own in of.items()}
        for kind, of in views_of_all(game.state, words.lang).items()
    }
    general = {**_tracks(game_readings(view, words)), **told.get("", {}).get("", {})}
    kinds = {"side": side_readings(view, words), "seat": {}, **thing_readings(view, words)}
    sheets = [_sheet("", {"": general}, words)]
    for kind, readings in kinds.items():
        more = told.get(kind, {})
        rows = {
            t["id"]: {**_tracks(readings.get(t["id"], {}).values()), **more.get(t["id"], {})}
            for t in words.kind(kind)["things"]
        }
        sheets.append(_sheet(kind, rows, words))
    return tuple(sheet for sheet in sheets if sheet.columns)


def _tracks(readings: Iterable[TrackValue]) -> dict[str, Track]:
    return {one.label: Track(one.text, one.steps, one.at) for one in readings}


def _sheet(kind: str, rows: Mapping[str, Row], words: Localizer) -> TrackSheet:
    """Build a sheet of the rows that have a value, with the columns that some row uses."""
    columns = tuple(dict.fromkeys(column for row in rows.values() for column in row))
    title = words.name(words.kind(kind)["one"], "kind") if kind else ""
    return TrackSheet(
        kind,
        title,
        kind not in _IN_SIGHT,
        columns,
        tuple(
            (thing, words.thing(kind, thing) if kind else "", tuple(row.get(column) for column in columns))
            for thing, row in rows.items()
            if row
        ),
    )
