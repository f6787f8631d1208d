"""Foreseeable losses: what the rules do to a seat by themselves once an order ends its decision, before any roll.

Only what cannot turn out differently counts: neither dice nor the choice of a seat may come in between.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from interpreter.play.events import format_event, is_silent
from interpreter.play.game import Game
from interpreter.play.ledger import list_states_at_entries
from interpreter.play.lines import remove_brackets
from interpreter.players.narration.event_lines import render_outcome
from interpreter.players.orders.choice_history import ChoiceHistory, RecordedChoice
from interpreter.players.orders.matching import get_kind
from interpreter.players.orders.repeated_decisions import find_series_in_state
from interpreter.players.ownership import find_side_of_thing, list_seat_sides
from interpreter.players.summaries.scores import find_seats_with_fewer_points
from interpreter.players.summaries.turning_points import find_turning_points, is_rung_change
from interpreter.runtime.errors import SetupError
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import (
    LogEntry,
    LoggedEnd,
    LoggedMove,
    LoggedPhase,
    LoggedPhaseEnd,
    LoggedReport,
    LoggedRoll,
    LoggedTurn,
    TraceEntry,
)
from interpreter.runtime.program import Program
from interpreter.runtime.state import State

_MAX_LOSSES = 4  # losses named; more are counted
_MAX_RESULTS = 2  # events named of an order that costs points


@dataclass(frozen=True, slots=True)
class _Consequences:
    """Log entries `start` to `end`, from the end of a decision to the first roll, with the states before and after."""

    start: int
    end: int
    before: State
    after: State


def find_foreseeable_losses(game: Game, trial: Game, localizer: Localizer) -> tuple[str, ...]:
    """Return sentences about the losses of the deciding seat that follow an order automatically, () for none.

    `trial`: a copy of the game after the order. Losses are: a side that falls on a ladder, the end of a game that the
    seat does not win, points lost with a reported event, and, after a repeated decision, pieces lost.
    """
    decision, record = game.decision, ChoiceHistory(trial)
    if decision is None or not len(record):
        return ()
    last = record.get_choice(len(record))
    is_repeated = decision.info.is_repeated
    if not any(_may_be_loss(game.program, raw) for raw in last.raws):
        return ()
    consequences = _find_consequences(trial, last)
    if consequences is None:
        return ()
    own_sides = list_seat_sides(game, decision.seat)
    raws = last.raws[consequences.start : consequences.end]
    texts = [
        point.text
        for point in find_turning_points(consequences.before, raws, localizer)
        if point.has_fallen and point.side in own_sides
    ]
    texts += _describe_defeat(trial, raws, decision.seat, localizer)
    if is_repeated:
        texts += _describe_lost_pieces(trial, raws, own_sides, localizer)
    if not texts and decision.seat in find_seats_with_fewer_points(consequences.before, consequences.after):
        texts = [
            format_event(game.program, raw, localizer.lang)
            for raw in raws
            if isinstance(raw, LoggedReport) and not is_silent(game.program, raw)
        ][-_MAX_RESULTS:]
    plain = dict.fromkeys(remove_brackets(text, localizer.names_with_brackets) for text in texts)
    return tuple(localizer.limit_texts(list(plain), _MAX_LOSSES))


def _may_be_loss(program: Program, raw: LogEntry) -> bool:
    """Return whether a log entry alone may be, or accompany, a loss."""
    if isinstance(raw, LoggedMove):
        return _leaves_map(program, raw)
    return isinstance(raw, LoggedReport | LoggedEnd) or is_rung_change(program, raw)


def _find_consequences(trial: Game, last: RecordedChoice) -> _Consequences | None:
    """Return what follows the choice `last` of a trial once its decision has ended, or None if the decision goes on."""
    series = find_series_in_state(last.before)
    has_begun = has_rolled = False

    def is_limit(entry: TraceEntry, state: State) -> bool:
        nonlocal has_begun, has_rolled
        if has_rolled:
            return False
        if isinstance(entry, LoggedRoll):
            has_rolled = True
            return has_begun
        if has_begun:
            return False
        has_begun = (
            last.key == "done"
            or isinstance(entry, LoggedPhase | LoggedPhaseEnd | LoggedTurn | LoggedEnd)
            or (series is not None and not series.is_running_in(state))
        )
        return has_begun

    try:
        limits = list_states_at_entries(last.before, last.key, (), is_limit)
    except SetupError:  # the record holds a step of a draft, which ends nothing
        return None
    if not limits:
        return None
    begun, before = limits[0]
    if len(limits) > 1:
        return _Consequences(begun + 1, limits[1][0] + 1, before, limits[1][1])  # the choice itself is an entry more
    return _Consequences(begun + 1, len(last.raws), before, trial.state)


def _describe_defeat(trial: Game, raws: Sequence[LogEntry], seat: str, localizer: Localizer) -> list[str]:
    """Return how the game ends among some log entries, unless this seat wins; [] if it goes on."""
    end = next((raw for raw in raws if isinstance(raw, LoggedEnd)), None)
    if end is None or end.winner is not None and trial.program.handles["seat"][seat] in end.winner:
        return []
    return [localizer.say("the game ends: {how}", how=render_outcome(trial.outcome, localizer)[1].text)]


def _describe_lost_pieces(
    trial: Game, raws: Sequence[LogEntry], own_sides: Collection[str], localizer: Localizer
) -> list[str]:
    """Return a sentence for each of some log entries in which pieces of these sides leave the map.

    The sentence is that of the event that the rules report with the move, or else of the move itself.
    """
    program, texts = trial.program, list[str]()
    for number, raw in enumerate(raws):
        if not isinstance(raw, LoggedMove) or not _leaves_map(program, raw):
            continue
        if not any(find_side_of_thing(trial.state, "piece", piece) in own_sides for piece in raw.pieces):
            continue
        adjacent = (*raws[max(0, number - 1) : number], *raws[number + 1 : number + 2])
        report = next((event for event in adjacent if _names_one_of(program, event, raw.pieces)), raw)
        texts.append(format_event(program, report, localizer.lang))
    return texts


def _leaves_map(program: Program, raw: LoggedMove) -> bool:
    return bool(program.on_map[raw.origin] and not program.on_map[raw.destination])


def _names_one_of(program: Program, raw: LogEntry, pieces: Collection[int]) -> bool:
    """Return whether a log entry is a reported event that names one of these pieces."""
    if not isinstance(raw, LoggedReport) or is_silent(program, raw):
        return False
    shows = zip(program.events[raw.event].params, raw.args, strict=True)
    return any(get_kind(show) == "piece" and value in pieces for (_name, show), value in shows)
