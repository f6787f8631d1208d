"""Scores: points so far, the ruleset's views of sides and seats, and the victory levels that hold now.

Makes no forecast of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from interpreter.i18n.number_format import format_number
from interpreter.play.game import Game
from interpreter.play.lines import Line, TextLine
from interpreter.play.views import build_all_views
from interpreter.players.ownership import list_seat_sides, list_seats
from interpreter.players.summaries.objectives import build_scoring_text
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.limits import one_budget
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.machine import evaluate_or_none
from interpreter.runtime.program import Program
from interpreter.runtime.state import State


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one seat.

    `points`: None if no score is kept. `lines`: the ruleset's views of the seat and of its sides.
    """

    seat: str
    points: Any
    lines: tuple[str, ...]


@one_budget()
def compute_scores(game: Game, localizer: Localizer) -> tuple[Score, ...]:
    """Return the score of every seat that plays a side, in the order of the sides."""
    points, views = game.scores(), build_all_views(game.state, localizer.lang)
    scores = []
    for seat in list_seats(game):
        own = [f"{label} {text}".rstrip() for label, text, _ in views.get("seat", {}).get(seat, ())]
        sides = list_seat_sides(game, seat)
        for side in sides:
            of_side = localizer.join_list(
                f"{label} {text}".rstrip() for label, text, _ in views.get("side", {}).get(side, ())
            )
            if of_side:
                own.append(
                    of_side
                    if len(sides) == 1
                    else localizer.prefix_topic(localizer.get_thing_name("side", side), of_side)
                )
        scores.append(Score(seat, points.get(seat), tuple(own)))
    return tuple(scores)


@one_budget()
def find_seats_with_fewer_points(before: State, after: State) -> frozenset[str]:
    """Return the ids of the seats with fewer points in one position than in an earlier one; none if a rule fails."""
    program = before.program
    score = program.functions.find_score()
    if score is None:
        return frozenset()
    try:
        return frozenset(
            program.ids["seat"][seat] for seat in set(after.seat_of) if score(after, seat) < score(before, seat)
        )
    except RuleFault:
        return frozenset()


@one_budget()
def find_current_levels(game: Game) -> tuple[str, ...]:
    """Return the ids of the victory levels with a winner whose condition holds now, the highest of each seat."""
    levels: dict[int, str] = {}
    for number, level in enumerate(game.program.level_data):
        condition = game.program.functions.find_level(number)
        if level["seat"] is not None and condition is not None and evaluate_or_none(game.state, condition):
            levels[level["seat"]] = level["id"]
    return tuple(levels.values())


@one_budget()
def render_scores(game: Game, localizer: Localizer) -> list[TextLine]:
    """Render a line for each seat, the victory levels that hold now, and how points are counted."""
    say = localizer.say
    lines: list[TextLine] = []
    for score in compute_scores(game, localizer):
        points = "" if score.points is None else say("{number} (point|points)", number=format_number(score.points))
        lines.append(
            localizer.prefix_topic(
                localizer.get_thing_name("seat", score.seat),
                localizer.join_texts(t for t in (points, *score.lines) if t),
            )
        )
    levels = [localizer.format_level(level) for level in find_current_levels(game)]
    if levels:
        lines.append(say("current result: {levels}", levels=localizer.join_list(levels)))
    counted = build_scoring_text(game, localizer)
    return [*lines, Line(say("scoring: {text}", text=counted.text), counted.cite)]


def render_tallies(game: Game, form: Callable[[str], Program], localizer: Localizer) -> list[TextLine]:
    """Render the components of scores, those of a side only if they differ from its seat's; [] without tallies.

    `form`: returns the program of the ruleset in the form with this name.
    """
    if not game.program.data["tallied"]:
        return []
    from interpreter.play.ledger import compute_score_tallies  # lazy: not needed to start a game
    from interpreter.play.ledger_lines import format_ledger

    ledger = form("ledger")
    lines: list[TextLine] = []
    lines_by_seat: dict[str, list[TextLine]] = {}
    for kind, thing, tallies in compute_score_tallies(game, ledger):
        seat_lines: list[TextLine] = [
            replace(line, level=line.level + 1) for line in format_ledger(ledger, tallies, localizer.lang)
        ]
        seat = (
            thing
            if kind == "seat"
            else game.program.ids["seat"][game.state.seat_of[game.program.handles["side"][thing]]]
        )
        if lines_by_seat.setdefault(seat, seat_lines) is seat_lines or lines_by_seat[seat] != seat_lines:
            lines += [localizer.prefix_topic(localizer.get_thing_name(kind, thing), "").rstrip(), *seat_lines]
    return lines
