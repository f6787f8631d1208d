"""Result of a game: winner, reason and margin, the sources of the points, and their course."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from interpreter.i18n.number_format import number_text
from interpreter.play.game import Game, GameOutcome
from interpreter.players.ownership import seat_sides
from interpreter.players.summaries.scores import score_lines, tally_lines
from interpreter.runtime.errors import SetupError
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import LoggedEnd
from interpreter.runtime.state import State, clone_state
from interpreter.view_model.log_view import answer_lines
from interpreter.view_model.records import AnswerLine, Ending
from interpreter.view_model.view_context import ViewContext

_REASONS = 2  # paragraphs given as the reason


def ending_of(context: ViewContext, game: Game) -> Ending:
    """Return the result of a game. Raises SetupError while it is in progress."""
    outcome, words = game.outcome, context.words
    if outcome is None:
        raise SetupError("the game is not over")
    scores, _fault = game.scores_or_fault()
    seats = list(scores) or sorted({game.program.ids["seat"][s] for s in game.state.seat_of})
    winners = _winners(outcome)
    sources = tally_lines(game, context.rules.form, words)
    points = tuple(
        (seat, words.thing("seat", seat), sides[0] if len(sides) == 1 else "", _number(scores.get(seat)))
        for seat in seats
        for sides in [seat_sides(game, seat)]
    )
    return Ending(
        winners,
        _title(winners, words),
        words.level(outcome.level) if outcome.level else "",
        _margin(winners, scores),
        tuple(_reasons(context, game)),
        points,
        answer_lines(sources or score_lines(game, words)),
        bool(sources),
        tuple(_course(game, seats)),
    )


def _winners(outcome: GameOutcome) -> tuple[str, ...]:
    if outcome.winner in (None, "draw", ()):
        return ()
    return (outcome.winner,) if isinstance(outcome.winner, str) else tuple(outcome.winner)


def _title(winners: tuple[str, ...], words: Localizer) -> str:
    if not winners:
        return words.say("the game is a draw")
    return words.say("won by {winner}", winner=words.say(" and ").join(words.thing("seat", w) for w in winners))


def _number(value: object) -> str:
    return number_text(value) if isinstance(value, int | Fraction) else ""


def _margin(winners: tuple[str, ...], scores: Mapping[str, Any]) -> str:
    """Return the winner's lead over the next seat, or '' if it is not positive."""
    own = [scores[w] for w in winners if isinstance(scores.get(w), int | Fraction)]
    others = [v for s, v in scores.items() if s not in winners and isinstance(v, int | Fraction)]
    lead = max(own) - max(others) if own and others else 0
    return number_text(lead) if lead > 0 else ""


def _reasons(context: ViewContext, game: Game) -> Iterator[AnswerLine]:
    """Yield the paragraphs by which the game ended as lines, at most `_REASONS`."""
    words, book = context.words, context.words.data["rulebook"]
    cites = next((raw.cites for raw in reversed(game.raw_log()) if isinstance(raw, LoggedEnd)), ())
    for cite in cites[:_REASONS]:
        if cite in book:
            yield AnswerLine(words.label(book[cite]["text"]) or words.label(book[cite]["title"]), (cite,))


def _course(game: Game, seats: list[str]) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Yield (turn, points of each seat) after every turn, as long as all scores are numbers."""
    last: Any = None
    for before, _length, key in game.past():
        if key and last is not None and before.turn != last.turn:
            yield from _points(game, last, seats)
        last = before if key else last
    yield from _points(game, game.state, seats)


def _points(game: Game, state: State, seats: list[str]) -> Iterator[tuple[int, tuple[float, ...]]]:
    shown = Game(game.program, clone_state(state), game.scenario, game.seed, False)
    scores, fault = shown.scores_or_fault()
    values = [scores.get(seat) for seat in seats]
    if fault is None and all(isinstance(value, int | Fraction) for value in values):
        yield state.turn, tuple(float(value) for value in values if value is not None)
