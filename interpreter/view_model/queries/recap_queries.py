"""Recap of what happened since a player's last choice, choice by choice, to step through."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from interpreter.play.events import event_of
from interpreter.play.game import Game
from interpreter.players.narration.event_lines import EventFormatter
from interpreter.players.orders.engagements import ChoiceRecord
from interpreter.players.ownership import seat_sides, seats_of, side_of_thing
from interpreter.players.summaries.turn_recap import TurnRecapItem, collect_recap
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import LoggedChange, LoggedChoice, LoggedMove, LoggedReport, LoggedRoll
from interpreter.tools.odds.results import Comparison
from interpreter.view_model.dynamic_view import Viewer
from interpreter.view_model.log_view import answer_lines
from interpreter.view_model.records import RecapItem
from interpreter.view_model.view_context import ViewContext

_MOST = 60  # choices shown at once
_MOST_RESULTS = 2  # results named of a choice that cost something
_WATCHED = 12  # choices shown to an onlooker


def recap_of(context: ViewContext, game: Game, viewer: Viewer) -> tuple[RecapItem, ...]:
    """Return the latest choices of other seats with their results.

    An onlooker, or a player of every seat, gets the latest choices of all seats. The viewer's own choices that rolled
    dice are included too, from the last series of own choices that other seats have answered.
    """
    record = ChoiceRecord(game)
    own = tuple(seat for seat in viewer.seats if seat not in viewer.bots)
    is_alone = set(own) >= set(seats_of(game))
    since = record.since_own(own) if own and not is_alone else max(0, len(record) - _WATCHED)
    begun = since
    while own and not is_alone and begun > 0 and record.chooser(begun) in own:
        begun -= 1
    rolled = record.with_dice(begun)

    def is_told(number: int) -> bool:
        if is_alone or not own:
            return True
        return number in rolled if record.chooser(number) in own else number > since

    first = max(begun + 1, len(record) - _MOST + 1)
    shown = [n for n in range(first, len(record) + 1) if is_told(n)]
    sides = {side for seat in own for side in seat_sides(game, seat)} if not is_alone else set()
    found = [_item(context, game, record, number, own, sides) for number in shown]
    return tuple(item for item in found if item is not None)


def _item(
    context: ViewContext,
    game: Game,
    record: ChoiceRecord,
    number: int,
    own: Collection[str] = (),
    own_sides: Collection[str] = (),
) -> RecapItem | None:
    """Return the recap item of choice `number`, or None if it caused no move, result or roll.

    `own`, `own_sides`: the seats of the viewer and the sides that they play.
    """
    raws, words, program = record.raws(number), context.words, context.rules.program
    start = record.start(number)
    items = collect_recap(game, start, words, start + len(raws))
    moves = tuple(move for item in items for move in item.moves)
    came = tuple(result for item in items for result in zip(item.came, item.subjects, strict=True))
    side = next((raw.side for raw in raws if isinstance(raw, LoggedChoice)), "")
    has_dice = any(isinstance(raw, LoggedRoll) for raw in raws)
    if not (moves or came or has_dice):
        return None
    ids = program.ids["place"]
    places = dict.fromkeys(place for _, origin, goal in moves for place in (origin, goal))
    losing = _losing_sides(record, number)
    is_own = record.chooser(number) in own
    hurt = () if is_own else tuple(one for one in losing if one in own_sides)
    text, subject = _text(words, game, moves, came, items, hurt or losing)
    changed = any(isinstance(raw, LoggedChange) and raw.kind not in ("piece", "place", "edge", "game") for raw in raws)
    weight = "big" if losing or changed else "normal" if came or has_dice else "small"
    for raw in raws:
        if isinstance(raw, LoggedReport | LoggedMove):
            for value in event_of(program, raw).args.values():
                for one in value if isinstance(value, list | tuple) else (value,):
                    if isinstance(one, str) and one in ids and isinstance(raw, LoggedReport):
                        places[one] = None
    arrows = tuple((" ".join(pieces), origin, goal) for pieces, origin, goal in moves)
    turn = items[-1].turn if items else game.turn
    return RecapItem(number, turn, side, text, weight, arrows, tuple(places), has_dice, subject, is_own, bool(hurt))


def _losing_sides(record: ChoiceRecord, number: int) -> tuple[str, ...]:
    """Return the sides that a choice cost pieces, or made pieces of which a number or a condition is lower."""
    program = record.game.program
    before = record.choice(number).before
    outcome = Comparison(program, before, valued=False).outcome(record.state_after(number), frozenset())
    losing = dict.fromkeys(side for side, _name, amount in outcome.losses if amount > 0 and side >= 0)
    return tuple(program.ids["side"][side] for side in losing)


def _text(
    words: Localizer,
    game: Game,
    moves: Sequence[Any],
    came: Sequence[tuple[str, str]],
    items: Sequence[TurnRecapItem],
    losing: Collection[str],
) -> tuple[str, str]:
    """Return the most informative text of a choice, and the side that it is about or ''.

    It is the last results of one of the sides in `losing`, else the last result, else the last move, else the chosen
    options. `moves`: (pieces, from, to); `came`: (result in words, its side).
    """
    about = [(text, side) for text, side in came if side in losing]
    if about:
        side = about[-1][1]
        return words.parted([text for text, one in about if one == side][-_MOST_RESULTS:]), side
    if came:
        return came[-1]
    if moves:
        pieces, _origin, goal = moves[-1]
        who = words.some(words.company(pieces), 2)
        side = side_of_thing(game.state, "piece", game.program.handles["piece"][pieces[0]])
        return words.say("{who} to {goal}", who=who, goal=words.thing("place", goal)), side
    return words.join_list(text for item in items for text in item.chosen), items[-1].side if items else ""


def choice_lines(context: ViewContext, game: Game, number: int) -> tuple[Any, ...]:
    """Return the events that choice number `number` caused, as lines with their paragraphs."""
    record = ChoiceRecord(game)
    events = [event_of(game.program, raw) for raw in record.raws(number)]
    lines = EventFormatter(context.words, has_started=True).lines(events)
    return answer_lines(lines)
