"""Result of a game: winner, reason and margin, and the points: their sources, and their course over the turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from interpreter.i18n.number_format import format_number
from interpreter.play.game import Game, GameOutcome
from interpreter.play.ledger import LedgerEntry, build_last_ledger, compute_score_tallies
from interpreter.players.ownership import find_only_side
from interpreter.players.summaries.scores import render_scores, render_tallies
from interpreter.runtime.errors import RuleFault, SetupError
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import LoggedChange, LoggedEnd, TallyLine, TallyNote
from interpreter.runtime.program import Program
from interpreter.runtime.state import State
from interpreter.view_model.answer_records import AnswerLine, Ending, PointSource, SeatPoints, TurnScore
from interpreter.view_model.log_view import build_answer_lines
from interpreter.view_model.undo_info import restore_game_at
from interpreter.view_model.view_context import ViewContext

_MAX_REASONS = 2  # paragraphs given as the reason


def build_ending(context: ViewContext, game: Game) -> Ending:
    """Return the result of a game. Raises SetupError while it is in progress."""
    outcome, localizer = game.outcome, context.localizer
    if outcome is None:
        raise SetupError("the game is not over")
    scores, _fault = game.compute_scores()
    seats = list(scores) or sorted({game.program.ids["seat"][s] for s in game.state.seat_of})
    winners = _list_winners(outcome)
    sources = _build_sources(context, game, seats, scores)
    points = tuple(
        SeatPoints(
            seat, localizer.get_thing_name("seat", seat), find_only_side(game, seat), _format_number(scores.get(seat))
        )
        for seat in seats
    )
    title, lead = _build_titles(outcome, winners, _compute_margin(winners, scores), localizer)
    counted = () if sources else render_tallies(game, context.rules.form, localizer) or render_scores(game, localizer)
    return Ending(
        winners=winners,
        title=title,
        lead=lead,
        reasons=tuple(_iter_reasons(context, game)),
        points=points,
        sources=sources,
        counted=build_answer_lines(counted),
        course=tuple(_iter_course(game, seats)),
    )


def _list_winners(outcome: GameOutcome) -> tuple[str, ...]:
    if outcome.winner in (None, "draw", ()):
        return ()
    return (outcome.winner,) if isinstance(outcome.winner, str) else tuple(outcome.winner)


def _build_titles(
    outcome: GameOutcome, winners: tuple[str, ...], margin: int | Fraction, localizer: Localizer
) -> tuple[str, str]:
    """Return the heading, which is the grade of victory if there is one, and the line below it with winner and margin.

    `margin`: the winner's lead in points, 0 for none.
    """
    names = localizer.say(" and ").join(localizer.get_thing_name("seat", seat) for seat in winners)
    if not winners:
        result = localizer.say("the game is a draw")
    elif len(winners) == 1:
        result = localizer.say("{winner} wins", winner=names)
    else:
        result = localizer.say("{winners} win", winners=names)
    lead = localizer.say("{number} (point|points) ahead", number=margin) if margin else ""
    if outcome.level:
        return localizer.format_level(outcome.level), localizer.join_list(filter(None, (result, lead)))
    return result, lead


def _build_sources(
    context: ViewContext, game: Game, seats: Sequence[str], scores: Mapping[str, Any]
) -> tuple[PointSource, ...]:
    """Return the lines of the tallies that add up to the score of every seat; () if none do.

    These are the tallies behind the score, or else the tallies that the last choice added to earlier points of the
    seats.
    """
    if not context.rules.program.data["tallied"]:
        return ()
    form = context.rules.form("ledger")
    localizer = form.get_localizer(context.lang)
    for amounts in (_list_tally_lines(game, form, localizer), _list_awarded_lines(game, form, localizer)):
        if amounts and all(sum(amounts.get(seat, {}).values()) == scores.get(seat) for seat in seats):
            labels = dict.fromkeys(label for seat in seats for label, points in amounts.get(seat, {}).items() if points)
            rows = {label: [amounts.get(seat, {}).get(label, 0) for seat in seats] for label in labels}
            most = max((abs(points) for row in rows.values() for points in row), default=1)
            return tuple(
                PointSource(label, tuple(map(format_number, row)), tuple(float(abs(n) / most) for n in row))
                for label, row in rows.items()
            )
    return ()


_Amounts = dict[str, dict[str, Any]]  # by seat and label of a source


def _list_tally_lines(game: Game, form: Program, localizer: Localizer) -> _Amounts:
    """Return the lines of the tallies behind the scores of the seats."""
    amounts: _Amounts = {}
    for kind, thing, entries in compute_score_tallies(game, form):
        for entry in entries if kind == "seat" else ():
            _add_lines(amounts.setdefault(thing, {}), entry, localizer)
    return amounts


def _list_awarded_lines(game: Game, form: Program, localizer: Localizer) -> _Amounts:
    """Return the lines of the tallies that the last choice added to attributes of sides or seats, as points of seats.

    The earlier value of such an attribute is a line too. Return {} if the choice cannot be replayed.
    """
    if not game.get_history():
        return {}
    try:
        entries = build_last_ledger(game, form)
    except (SetupError, RuleFault):
        return {}
    before, awarded = game.get_history()[-1][0], _Amounts()
    tally: LedgerEntry | None = None
    for entry in entries:
        raw = entry.raw
        if entry.sort == "tally":
            tally = entry
        elif isinstance(raw, LoggedChange) and raw.kind in ("side", "seat") and tally is not None:
            before_value = getattr(before, game.program.slot_of[raw.kind, raw.attribute])[raw.owner]
            if isinstance(tally.raw, TallyNote) and before_value + tally.raw.total == raw.value:
                seat = raw.owner if raw.kind == "seat" else game.state.seat_of[raw.owner]
                seat_amounts = awarded.setdefault(game.program.ids["seat"][seat], {})
                _add_lines(seat_amounts, tally, localizer)
                earlier = localizer.say("points from before the end")
                seat_amounts[earlier] = seat_amounts.get(earlier, 0) + before_value
            tally = None
    return awarded


def _add_lines(amounts: dict[str, Any], tally: LedgerEntry, localizer: Localizer) -> None:
    """Add the amount of each line of a tally to `amounts`, under the label of the line."""
    for line in tally.inside:
        if isinstance(line.raw, TallyLine):
            label = localizer.fill_text(line.raw.words, line.raw.values)
            amounts[label] = amounts.get(label, 0) + line.raw.amount


def _format_number(value: object) -> str:
    return format_number(value) if isinstance(value, int | Fraction) else ""


def _compute_margin(winners: tuple[str, ...], scores: Mapping[str, Any]) -> int | Fraction:
    """Return the winner's lead over the next seat, or 0 if it is not positive."""
    winning_scores = [scores[w] for w in winners if isinstance(scores.get(w), int | Fraction)]
    losing_scores = [v for s, v in scores.items() if s not in winners and isinstance(v, int | Fraction)]
    lead: int | Fraction = max(winning_scores) - max(losing_scores) if winning_scores and losing_scores else 0
    return max(lead, 0)


def _iter_reasons(context: ViewContext, game: Game) -> Iterator[AnswerLine]:
    """Yield the paragraphs by which the game ended as lines, at most `_MAX_REASONS`."""
    localizer, book = context.localizer, context.localizer.data["rulebook"]
    cites = next((raw.cites for raw in reversed(game.get_raw_log()) if isinstance(raw, LoggedEnd)), ())
    for cite in cites[:_MAX_REASONS]:
        if cite in book:
            yield AnswerLine(
                localizer.translate_label(book[cite]["text"]) or localizer.translate_label(book[cite]["title"]), (cite,)
            )


def _iter_course(game: Game, seats: Sequence[str]) -> Iterator[TurnScore]:
    """Yield the points after every turn in which all scores are numbers."""
    previous: State | None = None
    for before, _length, key in game.get_history():
        if key and previous is not None and before.turn != previous.turn:
            yield from _iter_points(game, previous, seats)
        previous = before if key else previous
    yield from _iter_points(game, game.state, seats)


def _iter_points(game: Game, state: State, seats: Sequence[str]) -> Iterator[TurnScore]:
    """Yield the points in a state; nothing if a score is not a number or cannot be computed."""
    scores, fault = restore_game_at(game, state).compute_scores()
    values = [scores.get(seat) for seat in seats]
    if fault is None and all(isinstance(value, int | Fraction) for value in values):
        yield TurnScore(state.turn, tuple(float(value) for value in values if value is not None))
