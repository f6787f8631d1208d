"""Recap of what happened since a player's last choice, choice by choice, to step through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.play.events import event_of
from interpreter.play.game import Game
from interpreter.players.narration.event_lines import EventFormatter
from interpreter.players.orders.engagements import ChoiceRecord
from interpreter.players.ownership import seats_of
from interpreter.players.reports.losses import list_lost_pieces
from interpreter.players.summaries.turn_recap import TurnRecapItem, collect_recap
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import LoggedChange, LoggedChoice, LoggedMove, LoggedReport, LoggedRoll
from interpreter.view_model.dynamic_view import Viewer
from interpreter.view_model.log_view import answer_lines
from interpreter.view_model.records import RecapItem
from interpreter.view_model.view_context import ViewContext

_MOST = 60  # choices told at once
_WATCHED = 12  # choices told to an onlooker


def recap_of(context: ViewContext, game: Game, viewer: Viewer) -> tuple[RecapItem, ...]:
    """Return the latest choices of other seats with their results.

    An onlooker, or a player of every seat, gets the latest choices of all seats. The viewer's own orders that rolled
    dice are included, from the turn on that the others have answered to.
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
    found = [_item(context, game, record, number) for number in shown]
    return tuple(item for item in found if item is not None)


def _item(context: ViewContext, game: Game, record: ChoiceRecord, number: int) -> RecapItem | None:
    """Return the recap item of choice `number`, or None if it caused no move, result or roll."""
    raws, words = record.raws(number), context.words
    start = record.start(number)
    deeds = collect_recap(game, start, words, start + len(raws))
    moves = tuple(move for deed in deeds for move in deed.moves)
    came = tuple(text for deed in deeds for text in deed.came)
    side = next((raw.side for raw in raws if isinstance(raw, LoggedChoice)), "")
    has_dice = any(isinstance(raw, LoggedRoll) for raw in raws)
    if not (moves or came or has_dice):
        return None
    ids = context.rules.program.ids["place"]
    places = dict.fromkeys(place for _, origin, goal in moves for place in (origin, goal))
    text = _text(words, moves, came, deeds)
    lost = bool(list_lost_pieces(raws, context.rules.program))
    changed = any(isinstance(raw, LoggedChange) and raw.kind not in ("piece", "place", "edge", "game") for raw in raws)
    weight = "big" if lost or changed else "normal" if came or has_dice else "small"
    for raw in raws:
        if isinstance(raw, LoggedReport | LoggedMove):
            for value in event_of(context.rules.program, raw).args.values():
                for one in value if isinstance(value, list | tuple) else (value,):
                    if isinstance(one, str) and one in ids and isinstance(raw, LoggedReport):
                        places[one] = None
    arrows = tuple((" ".join(pieces), origin, goal) for pieces, origin, goal in moves)
    turn = deeds[-1].turn if deeds else game.turn
    return RecapItem(number, turn, side, text, weight, arrows, tuple(places), has_dice)


def _text(words: Localizer, moves: Sequence[Any], came: Sequence[str], deeds: Sequence[TurnRecapItem]) -> str:
    """Return the most informative text of a choice: its last result, else its last move, else the chosen options.

    `moves`: (pieces, from, to); `came`: its results in words.
    """
    if came:
        return came[-1]
    if moves:
        pieces, _origin, goal = moves[-1]
        who = words.some(words.company(pieces), 2)
        return words.say("{who} to {goal}", who=who, goal=words.thing("place", goal))
    return words.join_list(text for deed in deeds for text in deed.chosen)


def choice_lines(context: ViewContext, game: Game, number: int) -> tuple[Any, ...]:
    """Return the events that choice number `number` caused, as lines with their paragraphs."""
    record = ChoiceRecord(game)
    events = [event_of(game.program, raw) for raw in record.raws(number)]
    lines = EventFormatter(context.words, has_started=True).lines(events)
    return answer_lines(lines)
