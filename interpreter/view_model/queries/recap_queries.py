"""Recap of what happened since a player's last choice, choice by choice, to step through."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from interpreter.play.events import build_event, is_silent
from interpreter.play.game import Game
from interpreter.play.lines import remove_brackets
from interpreter.players.narration.event_lines import EventFormatter, collect_ids
from interpreter.players.orders.choice_history import ChoiceHistory
from interpreter.players.ownership import find_side_of_thing, list_seat_sides, list_seats
from interpreter.players.summaries.scores import find_seats_with_fewer_points
from interpreter.players.summaries.turn_recap import TurnRecapItem, collect_recap
from interpreter.players.summaries.turning_points import TurningPoint, find_choice_turning_points, is_rung_change
from interpreter.runtime.errors import SetupError
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import LoggedChange, LoggedChoice, LoggedReport, LoggedRoll
from interpreter.tools.odds.results import Comparison
from interpreter.view_model.answer_records import AnswerLine, RecapItem, RecapMove
from interpreter.view_model.dynamic_view import Viewer
from interpreter.view_model.log_view import build_answer_lines
from interpreter.view_model.view_context import ViewContext

_MAX_CHOICES = 60  # choices shown at once
_MAX_RESULTS = 2  # results named of a choice that cost something
_MAX_CHOICES_FOR_ONLOOKER = 12  # choices shown to an onlooker


def build_recap(context: ViewContext, game: Game, viewer: Viewer) -> tuple[RecapItem, ...]:
    """Return the latest choices of other seats with their results.

    An onlooker, or a player of every seat, gets the latest choices of all seats. For other viewers the recap begins
    with the viewer's last consecutive choices before the other seats chose; of these it has the ones that rolled dice,
    changed a side's rung on a ladder or cost the viewer points. If that leaves nothing, the recap begins with earlier
    consecutive choices, so that it is empty only before anything has happened.
    """
    record = ChoiceHistory(game)
    own_seats = tuple(seat for seat in viewer.seats if seat not in viewer.bots)
    if not own_seats or set(own_seats) >= set(list_seats(game)):
        latest = range(max(1, len(record) - _MAX_CHOICES_FOR_ONLOOKER + 1), len(record) + 1)
        return tuple(item for number in latest for item in _build_items(context, game, record, number, own_seats, ()))
    since, sides = (
        record.find_last_own_choice(own_seats),
        {side for seat in own_seats for side in list_seat_sides(game, seat)},
    )
    while True:
        start = since
        while start > 0 and record.get_chooser(start) in own_seats:
            start -= 1
        rolled = record.list_with_dice(start)
        numbers = [
            number
            for number in range(max(start + 1, len(record) - _MAX_CHOICES + 1), len(record) + 1)
            if (
                number in rolled or _is_decisive(game, record, number, own_seats)
                if record.get_chooser(number) in own_seats
                else number > since
            )
        ]
        items = tuple(
            item for number in numbers for item in _build_items(context, game, record, number, own_seats, sides)
        )
        if items or start == 0 or len(record) - start > _MAX_CHOICES:
            return items
        since = start
        while since > 0 and record.get_chooser(since) not in own_seats:
            since -= 1


def _is_decisive(game: Game, record: ChoiceHistory, number: int, own_seats: Collection[str]) -> bool:
    """Return whether a choice moved a side to another rung, or led to a reported event and cost these seats points."""
    raws = record.list_log_entries(number)
    return any(is_rung_change(game.program, raw) for raw in raws) or _is_costing_points(game, record, number, own_seats)


def _is_costing_points(game: Game, record: ChoiceHistory, number: int, own_seats: Collection[str]) -> bool:
    """Return whether one of these seats has fewer points after a choice that led to a reported event."""
    program = game.program
    if not any(
        isinstance(raw, LoggedReport) and not is_silent(program, raw) for raw in record.list_log_entries(number)
    ):
        return False
    cost = find_seats_with_fewer_points(record.get_choice(number).before, record.get_state_after(number))
    return not cost.isdisjoint(own_seats)


def _build_items(
    context: ViewContext,
    game: Game,
    record: ChoiceHistory,
    number: int,
    own_seats: Collection[str],
    own_sides: Collection[str],
) -> tuple[RecapItem, ...]:
    """Return the recap items of choice `number`, none if it caused no move, result or roll.

    The first is about the choice itself; a second one is about the phases that began after it and led to results.
    `own_seats`, `own_sides`: the seats of the viewer and the sides that they play.
    """
    raws, localizer, program = record.list_log_entries(number), context.localizer, context.rules.program
    start = record.find_log_start(number)
    items = collect_recap(game, start, localizer, start + len(raws))
    moves = tuple(move for item in items for move in item.moves)
    results = tuple(result for item in items for result in zip(item.came, item.subjects, strict=True))
    side = next((raw.side for raw in raws if isinstance(raw, LoggedChoice)), "")
    has_dice = any(isinstance(raw, LoggedRoll) for raw in raws)
    if not (moves or results or has_dice):
        return ()
    places = dict.fromkeys(place for _, origin, goal in moves for place in (origin, goal))
    losing = _find_losing_sides(record, number)
    is_own = record.get_chooser(number) in own_seats
    hurt = () if is_own else tuple(losing_side for losing_side in losing if losing_side in own_sides)
    parts = [items[:1], items[1:]] if any(item.came for item in items[1:]) else [items]
    decisive = find_choice_turning_points(record, number, localizer)
    fallen = tuple(point.side for point in decisive if point.has_fallen and point.side in own_sides)
    points = [_list_turning_points(part, decisive) for part in parts]
    texts = [
        _format_turning_points(localizer, here) if here else choose_headline(localizer, game, part, hurt or losing)
        for part, here in zip(parts, points, strict=True)
    ]
    with_results = next((n for n, part in enumerate(parts) if any(item.came for item in part)), 0)
    worst = next(
        (n for n, part_points in enumerate(points) if part_points),
        next((n for n, (_, subject) in enumerate(texts) if subject in (hurt or losing)), with_results),
    )
    changed = any(isinstance(raw, LoggedChange) and raw.kind not in ("piece", "place", "edge", "game") for raw in raws)
    weight = "big" if losing or changed else "normal" if results or has_dice else "small"
    if fallen or (own_seats and _is_costing_points(game, record, number, own_seats)):
        weight = "loud"
    reports = [build_event(program, raw) for raw in raws if isinstance(raw, LoggedReport)]
    places.update(dict.fromkeys(collect_ids(reports)[0]))
    arrows = tuple(RecapMove(" ".join(pieces), origin, goal) for pieces, origin, goal in moves)
    turn, (text, subject) = items[-1].turn if items else game.turn, texts[0]
    hurts = bool(hurt or fallen)
    first = RecapItem(number, turn, side, text, weight, arrows, tuple(places), has_dice, subject, is_own, hurts)
    if len(texts) == 1:
        return (first,)
    plain = "normal" if weight in ("big", "loud") else weight
    later = replace(first, text=texts[1][0], subject=texts[1][1], has_dice=False, moves=(), places=())
    if worst:
        return replace(first, weight=plain, hurts=False), later
    return first, replace(later, weight=plain, hurts=False)


def _find_losing_sides(record: ChoiceHistory, number: int) -> tuple[str, ...]:
    """Return the sides that a choice cost pieces, or made pieces of which a number or a condition is lower."""
    program = record.game.program
    before = record.get_choice(number).before
    outcome = Comparison(program, before, valued=False).build_outcome(record.get_state_after(number), frozenset())
    losing = dict.fromkeys(side for side, _name, amount in outcome.losses if amount > 0 and side >= 0)
    return tuple(program.ids["side"][side] for side in losing)


def choose_headline(
    localizer: Localizer, game: Game, items: Sequence[TurnRecapItem], losing: Collection[str]
) -> tuple[str, str]:
    """Return the most informative text of some items, and the side that it is about or ''.

    It is the last result of each of the sides in `losing`, or the last ones if there is one such side, else the last
    result that concerns several sides if some are losing, else the last result, else the last move, else the chosen
    options after the name of the side.
    """
    moves = [move for item in items for move in item.moves]
    results = [result for item in items for result in zip(item.came, item.subjects, strict=True)]
    losses = [(text, side) for text, side in results if side in losing]
    if losses:
        side, last = losses[-1][1], {losing_side: text for text, losing_side in losses}
        texts = list(last.values()) if len(last) > 1 else [text for text, _ in losses]
        return localizer.join_sentences(texts[-_MAX_RESULTS:]), side
    if results:
        return next((result for result in reversed(results) if losing and not result[1]), results[-1])
    if moves:
        pieces, _origin, goal = moves[-1]
        movers = localizer.join_some(localizer.list_piece_counts(pieces), 2)
        side = find_side_of_thing(game.state, "piece", game.program.handles["piece"][pieces[0]])
        return localizer.say("{who} to {goal}", who=movers, goal=localizer.get_thing_name("place", goal)), side
    side, chosen = items[-1].side if items else "", localizer.join_list(text for item in items for text in item.chosen)
    return localizer.prefix_topic(localizer.get_thing_name("side", side), chosen) if side and chosen else chosen, side


def _list_turning_points(items: Sequence[TurnRecapItem], decisive: Sequence[TurningPoint]) -> list[TurningPoint]:
    """Return the turning points whose changes are among the log entries of some items."""
    entries = [entry for item in items for entry in item.entries]
    return [point for point in decisive if any(entry is point.change for entry in entries)]


def _format_turning_points(localizer: Localizer, points: Sequence[TurningPoint]) -> tuple[str, str]:
    """Return the sentences of turning points, and the side that they are about or '' for several."""
    sides = {point.side for point in points}
    texts = (remove_brackets(point.text, localizer.names_with_brackets) for point in points)
    text = localizer.join_sentences(dict.fromkeys(texts))
    return text, points[0].side if len(sides) == 1 else ""


def render_choice(context: ViewContext, game: Game, number: int) -> tuple[AnswerLine, ...]:
    """Return the events that choice number `number` caused, as lines with their paragraphs.

    Raises SetupError if the choice does not exist.
    """
    record = ChoiceHistory(game)
    if not 1 <= number <= len(record):
        raise SetupError("nothing is known about `{word}`", word=str(number))
    events = [build_event(game.program, raw) for raw in record.list_log_entries(number)]
    lines = EventFormatter(context.localizer, has_started=True).render_lines(events)
    return build_answer_lines(lines)
