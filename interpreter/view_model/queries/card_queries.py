"""Resolution cards: a choice resolved by dice, with both sides, every step and the losses.

Built from the ledger of the choice, never from sentences; works for any ruleset.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from interpreter.i18n.number_format import format_number
from interpreter.play.events import LogEvent, build_event, format_forced_choice, is_silent
from interpreter.play.game import Game
from interpreter.play.ledger import LedgerEntry, build_last_trace, build_ledger_entries, list_states_at_entries
from interpreter.players.narration.event_lines import collect_ids
from interpreter.players.orders.engagements import ChoiceRecord, Engagement, RecordedChoice
from interpreter.players.orders.matching import get_kind
from interpreter.players.ownership import list_seat_sides, list_seats
from interpreter.runtime.decisions import Decision, Option
from interpreter.runtime.errors import RuleFault, SetupError
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import (
    LogEntry,
    LoggedChoice,
    LoggedForcedChoice,
    LoggedMove,
    LoggedPhase,
    LoggedReport,
    LoggedRoll,
    TraceNote,
)
from interpreter.runtime.state import State, clone_state
from interpreter.runtime.type_aliases import DisplayType
from interpreter.runtime.value_ids import to_value_id
from interpreter.tools.odds.results import Comparison, is_loss
from interpreter.view_model.piece_view import CounterImages, build_pieces, map_names_to_counters
from interpreter.view_model.queries.card_losses import build_headline, count_steps, iter_losses, iter_regained
from interpreter.view_model.queries.card_parts import build_card_parts, render_events
from interpreter.view_model.queries.card_sides import find_opposition, find_participants, is_preliminary
from interpreter.view_model.records import AnswerLine, CardPart, CardSide, ResolutionCard
from interpreter.view_model.undo_info import restore_game_at
from interpreter.view_model.view_context import ViewContext

_MOST_PIECES = 12  # counters shown of a side
_MOST_OWN = 40  # own orders with dice among which the last fight is looked for
_MOST_STATES = 12  # states in the course of a choice that are compared
_MOST_PARTS = 4  # orders of one choice among which a fight is looked for
_LAST = 99  # the part that selects the last one
_MOST_COUNTED = 30  # choices with dice since the last turn up to which their orders are counted
_MOST_ROLLS = 8  # choices with dice whose steps one card shows: the last ones


@dataclass(frozen=True, slots=True)
class _Ledger:
    """A choice that rolled dice, with the entries of its ledger."""

    choice: RecordedChoice
    entries: tuple[LedgerEntry, ...]


def build_card(
    context: ViewContext, game: Game, number: int, until: int = 0, seats: Collection[str] = (), part: int = 0
) -> ResolutionCard:
    """Return the card of a choice by its number, from 1; 0 selects the last fight that an order of `seats` began.

    Without such a fight, 0 selects the last order of these seats that rolled dice, or else the last one of any seat.
    The card holds every roll of the same order, up to the choice `until` if it is not 0. Where a choice led to further
    orders that were given automatically, `part` selects one of them, from 1; a number too large selects the last.
    Raises SetupError if the choice does not exist, or if no dice were rolled for it.
    """
    if number:
        return _with_number(context, game, _build_order_card(context, game, number, until, part), seats)
    record = ChoiceRecord(game)
    own, rolled = list[ResolutionCard](), record.with_dice()
    sides = {side for seat in seats for side in list_seat_sides(game, seat)}
    for last in reversed(rolled):
        if any(last in card.own for card in own):
            continue
        if (
            record.get_chooser(record.find_engagement(last).choices[0].number) in seats
        ):  # the other side may have chosen `last`
            own.append(build_fight_card(context, game, last, until, () if record.get_chooser(last) in seats else sides))
        if len(own) == _MOST_OWN or own and own[-1].two_sided:
            break
    fights = [card for card in own if card.two_sided]
    found = (fights or own or [_build_order_card(context, game, rolled[-1] if rolled else 0, until, _LAST)])[0]
    return _with_number(context, game, found, seats)


def build_fight_card(
    context: ViewContext, game: Game, number: int, until: int, sides: Collection[str] = ()
) -> ResolutionCard:
    """Return the card of the last fight among the orders that choice `number` led to; without one, of its own order.

    `until`: the last choice to include, 0 for all. `sides`: the sides of which one must have begun the fight, () for
    any. Raises SetupError if no dice were rolled for the choice.
    """
    cards = [_build_order_card(context, game, number, until)]
    while cards[-1].following and cards[-1].following[0] == number and len(cards) < _MOST_PARTS:
        cards.append(_build_order_card(context, game, number, until, cards[-1].following[1]))
    fights = [card for card in cards if card.two_sided and (not sides or card.side in sides)]
    return fights[-1] if fights else cards[0]


def _with_number(context: ViewContext, game: Game, card: ResolutionCard, seats: Collection[str]) -> ResolutionCard:
    """Return the card with its number among the orders with dice since the latest turn of `seats`.

    Without a number: onlookers, players of every seat, and cards of earlier turns.
    """
    if not seats or set(seats) >= set(list_seats(game)):
        return card
    record = ChoiceRecord(game)
    rolled = record.with_dice(record.turn_before_answer(seats))
    if card.own[0] not in rolled or len(rolled) > _MOST_COUNTED:
        return card
    addresses = dict[tuple[int, int], None]()
    for number in rolled:
        addresses.update(
            dict.fromkeys(map(_format_address, _list_orders_with_dice(record, record.find_engagement(number))))
        )
    listed = sorted(addresses)
    if card.address not in listed or len(listed) == 1:
        return card
    at = listed.index(card.address) + 1
    text = context.words.say("{number} of {total} since your last turn", number=at, total=len(listed))
    return replace(card, counted=text, has_next=at < len(listed))


def _build_order_card(context: ViewContext, game: Game, number: int, until: int, part: int = 0) -> ResolutionCard:
    """Return the card of an order with dice; raise SetupError if the choice `number` rolled none.

    `number`: the number of a choice of the order; `until`: the last choice to include, 0 for all; `part`: selects one
    of the orders with dice to which the choice belongs.
    """
    record = ChoiceRecord(game)
    rolled = record.with_dice()
    if number not in rolled:
        raise SetupError("no dice were rolled for choice {number}", number=number)
    orders = _list_orders_with_dice(record, record.find_engagement(number, until))
    holding = [n for n, one in enumerate(orders) if any(c.number == number and c.has_dice for c in one.choices)]
    at = holding[min(part, len(holding) - 1)]
    engagement = orders[at]
    rolling = [choice for choice in engagement.choices if choice.has_dice][-_MOST_ROLLS:]
    ledgers = [_Ledger(choice, _load_entries(context, record, choice)) for choice in rolling]
    entries = [entry for ledger in ledgers for entry in ledger.entries]
    before = restore_game_at(game, engagement.start)
    mentioned = _collect_named_things(engagement, entries, context)
    places = list(mentioned.places)
    counters = build_pieces(context, before.view(), context.create_drawing_context(before), CounterImages())
    by_name = map_names_to_counters(before, counters)
    ratio = _find_ratio(context, entries)
    end = engagement.choices[-1].number
    after = engagement.end or record.get_state_after(end)
    losses = tuple(iter_losses(context, engagement.start, after))
    losing = {loss[0] for loss in losses}
    losses += tuple(iter_regained(context, engagement.start, _iter_states(engagement, losing), losing))
    other_sides = [*map(_get_chooser, engagement.choices), *(loss[0] for loss in losses)]
    opposition = find_opposition(engagement.start, _get_side(engagement), entries, other_sides)
    taking_part = find_participants(
        counters,
        {by_name[name] for name in mentioned.pieces if name in by_name},
        (mentioned.aims, places),
        opposition,
        is_preliminary(entries, engagement.start, opposition),
    )
    steps = count_steps(context, engagement.start, after, taking_part)
    first = [next((s for s in taking_part if opposition.is_partner(s) == is_own), "") for is_own in (True, False)]
    strengths = dict(zip(first, ratio[1], strict=True)) if ratio else {}
    own, words = tuple(dict.fromkeys(ledger.choice.number for ledger in ledgers)), context.words
    sides = tuple(
        CardSide(
            one,
            words.get_thing_name("side", one),
            tuple(pieces[:_MOST_PIECES]),
            strengths.get(one, ""),
            words.join_list(piece.label for piece in pieces[:_MOST_PIECES]),
            steps.get(one, ()),
            not opposition.is_partner(one),
        )
        for one, pieces in taking_part.items()
    )
    facing = [p.place for s in sides if s.is_opponent for p in s.pieces if p.at]
    where = tuple(dict.fromkeys([*mentioned.aims, *facing, *places]))
    title = _format_title(context, record, engagement, tuple(mentioned.aims))
    return ResolutionCard(
        number,
        title,
        _list_choice_labels(engagement, title, words),
        opposition.lead,
        where,
        sides,
        ratio[0] if ratio else (),
        tuple(_iter_parts(context, engagement, ledgers)),
        _describe_result(context, engagement, ledgers[-1].choice.number, after)
        or build_headline(context, engagement.start, after),
        losses,
        _render_events(context, (one for one in engagement.after if one.number > ledgers[-1].choice.number)),
        rolled,
        own,
        _format_address(orders[at - 1]) if at else next(((n, _LAST) for n in reversed(rolled) if n < own[0]), ()),
        _format_address(orders[at + 1]) if at + 1 < len(orders) else next(((n, 0) for n in rolled if n > own[-1]), ()),
        len({s.is_opponent for s in sides}) > 1,
        record.is_open(engagement),
        _format_address(orders[at]),
    )


def _iter_states(engagement: Engagement, losing: Collection[str]) -> Iterator[State]:
    """Yield the state before each reported event of the choices with dice that sides other than `losing` made."""
    for choice in engagement.choices[1:]:
        if choice.part or not choice.has_dice or _get_chooser(choice) in losing:
            continue
        faces = [face for raw in choice.raws if isinstance(raw, LoggedRoll) for face in raw.faces]
        with suppress(SetupError, RuleFault, ValueError):
            states = list_states_at_entries(
                choice.before, choice.key, faces, lambda raw, _: isinstance(raw, LoggedReport)
            )
            yield from (state for _index, state in states[-_MOST_STATES:])


def _list_orders_with_dice(record: ChoiceRecord, engagement: Engagement) -> list[Engagement]:
    """Return the orders of an engagement that rolled dice; [the whole engagement] if it cannot be replayed."""
    try:
        orders = record.split_engagement(engagement)
    except (SetupError, RuleFault, ValueError):
        return [engagement]
    return [order for order in orders if any(choice.has_dice for choice in order.choices)]


def _format_address(order: Engagement) -> tuple[int, int]:
    """Return the number of the choice and the part by which the card of an order is asked for."""
    rolled = next(choice for choice in order.choices if choice.has_dice)
    return rolled.number, rolled.part


def _iter_parts(context: ViewContext, engagement: Engagement, ledgers: Sequence[_Ledger]) -> Iterator[CardPart]:
    """Yield the parts of every roll; if there are several, each begins with its choice and the results in between.

    `ledgers`: the choices that rolled dice, with their entries.
    """
    form, previous = context.rules.form("ledger"), ledgers[0].choice.number
    for ledger in ledgers:
        choice = ledger.choice
        if came := _render_events(
            context, (one for one in engagement.choices if previous < one.number < choice.number)
        ):
            yield CardPart("came", texts=came)
        if len(ledgers) > 1:
            side, text = _get_chooser(choice), "" if choice.key == "done" else _format_choice(choice, context.words)
            title = (
                context.words.prefix_topic(context.words.get_thing_name("side", side), text) if side and text else text
            )
            title = title or (context.words.get_thing_name("side", side) if side else "")
            yield CardPart("order", title, side=side)
        yield from build_card_parts(context, form, ledger.entries, choice.raws)
        previous = choice.number


def _load_entries(context: ViewContext, record: ChoiceRecord, choice: RecordedChoice) -> tuple[LedgerEntry, ...]:
    """Return the ledger of a choice, or of a part of one; if it cannot be replayed, only its rolls and events."""
    whole, form = record.list_log_entries(choice.number), context.rules.form("ledger")
    try:
        trace = build_last_trace(record.game, form, len(record) - choice.number)
    except (SetupError, RuleFault):
        return build_ledger_entries(context.rules.program, choice.raws)
    logged = [n for n, entry in enumerate(trace) if not isinstance(entry, TraceNote)]
    if len(logged) != _count_logged(whole):
        return build_ledger_entries(context.rules.program, choice.raws)
    first = _count_logged(whole[: choice.offset])
    last = first + _count_logged(choice.raws)
    ends = [*logged, len(trace)]
    return build_ledger_entries(form, trace[ends[first] if choice.part else 0 : ends[last]])


def _count_logged(raws: Iterable[LogEntry]) -> int:
    """Return how many log entries a replay of a choice yields for `raws`: all but the choice itself."""
    return sum(not isinstance(raw, LoggedChoice) for raw in raws)


def _describe_recorded_option(choice: RecordedChoice) -> tuple[str, Mapping[str, Any], Mapping[str, Any]]:
    """Return (name, arguments as ids, their type descriptions) of a recorded option; ("", {}, {}) if it is unknown."""
    program = choice.before.program
    if choice.part:
        match _find_forced_order(choice):
            case LoggedForcedChoice(decision=number, option=(index, values)):
                described = program.decisions[number].options[index]
                shows = {param.name: param.show for param in described.params}
                args = zip(shows.items(), values, strict=True)
                return described.name, {name: to_value_id(program, show, value) for (name, show), value in args}, shows
        return "", {}, {}
    state = clone_state(choice.before)
    state.draft = ()
    decision = Decision(state)
    raw = decision.find(choice.key)
    if raw is None:
        return "", {}, {}
    option = Option(decision, raw)
    return option.name, option.args, option.shows


@dataclass(frozen=True, slots=True)
class _Named:
    """The ids of what the choices or results of an order name, in order: places, and pieces or groups of pieces.

    `aims`: the places named by the side that gave the order, before dice were rolled.
    """

    places: dict[str, None]
    pieces: dict[str, None]
    aims: dict[str, None]


def _collect_named_things(engagement: Engagement, entries: Iterable[LedgerEntry], context: ViewContext) -> _Named:
    """Return the things that the choices and the results of an engagement name.

    `entries`: the entries of its ledgers.
    """
    program = context.rules.program
    ids_by_kind: dict[str, dict[str, None]] = {"place": {}, "piece": {}}
    aims: dict[str, None] = {}

    def collect_name(show: DisplayType | None, value: object) -> None:
        kind = get_kind(show)
        if kind in ids_by_kind:
            ids_by_kind[kind].update(dict.fromkeys(_iter_ids(value)))

    ordered = [c for c in _list_until_first_dice(engagement) if _get_chooser(c) == _get_side(engagement)]
    for choice in engagement.choices:
        _name, args, shows = _describe_recorded_option(choice)
        for name, value in args.items():
            collect_name(shows.get(name, ()), value)
            if choice in ordered and get_kind(shows.get(name, ())) == "place":
                aims.update(dict.fromkeys(_iter_ids(value)))
    for entry in entries:
        if entry.sort == "event":
            for name, show in program.events[entry.name].params:
                collect_name(show, entry.args.get(name))
        elif isinstance(entry.raw, LoggedRoll) and entry.raw.kind in ids_by_kind:
            collect_name(("thing", entry.raw.kind), entry.args["subject"])
    return _Named(ids_by_kind["place"], ids_by_kind["piece"], aims)


def _iter_ids(value: object) -> Iterator[str]:
    """Yield every id in a nested value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Iterable):
        for inner in value:
            yield from _iter_ids(inner)


def _get_side(engagement: Engagement) -> str:
    """Return the side that gave the order."""
    return _get_chooser(engagement.choices[0])


def _find_ratio(context: ViewContext, entries: Iterable[LedgerEntry]) -> tuple[tuple[str, ...], tuple[str, str]] | None:
    """Return the first comparison of two strengths in the entries, or None.

    It is ((both strengths, printed column), (left strength, right strength)), for example (("5 : 2", "2-1"), ("5",
    "2")).
    """
    program = context.rules.program
    for entry in entries:
        if entry.sort == "look":
            for axis in program.charts[entry.name].axes:
                operands = entry.args.get(axis.name)
                if axis.sort == "ratio" and operands is not None:
                    first, second = (format_number(value) for value in operands["value"])
                    return (f"{first} : {second}", str(operands["row"] or "")), (first, second)
        if (ratio := _find_ratio(context, entry.inside)) is not None:
            return ratio
    return None


def _describe_result(context: ViewContext, engagement: Engagement, last: int, after: State) -> tuple[AnswerLine, ...]:
    """Return what the choices up to `last` did to the pieces that are worse off, as lines; equal ones are counted.

    These are reports of the same phase that name one such piece and no other; () if no report does, or if pieces are
    interchangeable, so that a report does not say which one it is about.
    """
    program, events = context.rules.program, list[LogEvent]()
    comparison = Comparison(program, engagement.start, valued=False)
    worse = set[str]()
    for kind, handle, name, was, now, _count in comparison.build_outcome(after, frozenset()).changes:
        if kind == "piece" and is_loss(program, name, was, now):
            if program.is_alike[handle]:
                return ()
            worse.add(program.ids["piece"][handle])
    raws = (raw for choice in engagement.choices if choice.number <= last for raw in choice.raws)
    for raw in takewhile(lambda raw: not isinstance(raw, LoggedPhase), raws):
        if isinstance(raw, LoggedReport) and not is_silent(program, raw):
            pieces = collect_ids([event := build_event(program, raw)])[1]
            if len(pieces) == 1 and pieces[0] in worse:
                events.append(event)
    return render_events(context, events)


def _render_events(context: ViewContext, choices: Iterable[RecordedChoice]) -> tuple[AnswerLine, ...]:
    """Return the events and moves of some choices as lines."""
    program = context.rules.program
    raws = [raw for choice in choices for raw in choice.raws if isinstance(raw, LoggedReport | LoggedMove)]
    return render_events(context, [build_event(program, raw) for raw in raws if not is_silent(program, raw)])


def _format_title(context: ViewContext, record: ChoiceRecord, engagement: Engagement, aimed: Sequence[str]) -> str:
    """Return the title of a card: the chosen option and up to two places that it names, "attack: 1614".

    `aimed`: the ids of these places. Without them it is the whole label of the option. If dice were rolled without an
    order, it is the last report before them that names a place, or else the title of the phase.
    """
    words = context.words
    side = _get_side(engagement)
    ordered = [
        choice for choice in _list_until_first_dice(engagement) if _get_chooser(choice) == side
    ] or engagement.choices[:1]
    option = _describe_recorded_option(ordered[-1])[0]
    if option and ordered[-1].key != "done":
        name = words.name(option, "option")
        where = words.join_list(words.get_thing_name("place", place) for place in aimed[:2])
        return words.prefix_topic(name, where) if where else _format_choice(ordered[-1], words) or name
    rolled = next(choice for choice in engagement.choices if choice.has_dice)
    logged = (raw for choice in engagement.choices for raw in choice.raws)
    before = takewhile(lambda raw: not isinstance(raw, LoggedRoll), logged)
    reports = [raw for raw in before if isinstance(raw, LoggedReport) and not is_silent(words.program, raw)]
    for event in reversed([build_event(words.program, raw) for raw in reports]):
        if collect_ids([event])[0]:
            return render_events(context, [event])[0].text
    log = record.game.get_raw_log()[: record.start(rolled.number) + rolled.offset + len(rolled.raws)]
    phase = rolled.before.phase if not rolled.part else ""
    begun = next((raw for raw in reversed(log) if isinstance(raw, LoggedPhase) and phase in ("", raw.phase)), None)
    return words.phase(begun.phase, begun.title_values) if begun else words.name(option, "option")


def _find_forced_order(choice: RecordedChoice) -> LoggedForcedChoice | None:
    """Return the order that was given automatically at the start of a part of a choice, before its dice; or None."""
    before = takewhile(lambda raw: not isinstance(raw, LoggedRoll), choice.raws if choice.part else ())
    return next((raw for raw in before if isinstance(raw, LoggedForcedChoice)), None)


def _get_chooser(choice: RecordedChoice) -> str:
    if choice.part:
        forced_order = _find_forced_order(choice)
        return (
            ""
            if forced_order is None or forced_order.side is None
            else choice.before.program.ids["side"][forced_order.side]
        )
    return next((raw.side for raw in choice.raws if isinstance(raw, LoggedChoice)), "")


def _list_until_first_dice(engagement: Engagement) -> tuple[RecordedChoice, ...]:
    """Return the choices of an engagement up to the first that rolled dice."""
    first = next(n for n, choice in enumerate(engagement.choices) if choice.has_dice)
    return engagement.choices[: first + 1]


def _format_choice(choice: RecordedChoice, words: Localizer) -> str:
    if choice.part:
        forced_order = _find_forced_order(choice)
        return "" if forced_order is None else format_forced_choice(words.program, words, forced_order)
    return next((words.format_telling(raw.words) for raw in choice.raws if isinstance(raw, LoggedChoice)), "")


def _list_choice_labels(engagement: Engagement, title: str, words: Localizer) -> str:
    """Return the labels of the choices of the ordering side up to the first roll, as one text, without the title."""
    ordered = (choice for choice in _list_until_first_dice(engagement) if _get_chooser(choice) == _get_side(engagement))
    labels = (_format_choice(choice, words) for choice in ordered if choice.key != "done")
    return words.join_sentences(dict.fromkeys(text for text in labels if text and text != title))
