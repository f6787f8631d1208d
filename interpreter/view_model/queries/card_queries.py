"""Resolution cards: a choice resolved by dice, with both sides, every step and the losses.

Built from the ledger of the choice, never from sentences; works for any ruleset.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from interpreter.i18n.number_format import format_number
from interpreter.play.events import LogEvent, build_event, format_forced_choice, is_silent
from interpreter.play.game import Game
from interpreter.play.ledger import LedgerEntry, build_last_trace, build_ledger_entries, list_states_at_entries
from interpreter.players.narration.event_lines import collect_ids
from interpreter.players.orders.choice_history import ChoiceHistory, OrderRecord, RecordedChoice
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
from interpreter.view_model.answer_records import AnswerLine, CardPart, CardSide, ResolutionCard, SideLoss
from interpreter.view_model.piece_view import CounterImages, build_pieces, map_names_to_counters
from interpreter.view_model.queries.card_losses import build_headline, count_steps, iter_losses, iter_regained
from interpreter.view_model.queries.card_parts import build_card_parts, render_events
from interpreter.view_model.queries.card_sides import (
    Opposition,
    find_opposition,
    find_participants,
    has_preliminary_rolls,
)
from interpreter.view_model.records import ShownPiece
from interpreter.view_model.undo_info import restore_game_at
from interpreter.view_model.view_context import ViewContext

_MAX_PIECES = 12  # counters shown of a side
_MAX_OWN = 40  # own orders with dice among which the last fight is looked for
_MAX_STATES = 12  # states in the course of a choice that are compared
_MAX_PARTS = 4  # orders of one choice among which a fight is looked for
LAST_PART = 99  # a part number that selects the last order of a choice; clients of the board send it too
_MAX_COUNTED = 30  # choices with dice since the last turn up to which their orders are counted
_MAX_ROLLS = 8  # choices with dice whose steps one card shows: the last ones


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
        return _number_card(context, game, _build_order_card(context, game, number, until, part), seats)
    history = ChoiceHistory(game)
    cards, rolled = list[ResolutionCard](), history.list_with_dice()
    sides = {side for seat in seats for side in list_seat_sides(game, seat)}
    for last in reversed(rolled):
        if any(last in card.own for card in cards):
            continue
        first = history.find_order_record(last).choices[0].number
        if history.get_chooser(first) in seats:  # another side may have made the choice `last` of this order
            by = () if history.get_chooser(last) in seats else sides
            cards.append(build_fight_card(context, game, last, until, by))
        if len(cards) == _MAX_OWN or cards and cards[-1].two_sided:
            break
    fights = [card for card in cards if card.two_sided]
    if fights or cards:
        return _number_card(context, game, (fights or cards)[0], seats)
    card = _build_order_card(context, game, rolled[-1] if rolled else 0, until, LAST_PART)
    return _number_card(context, game, card, seats)


def build_fight_card(
    context: ViewContext, game: Game, number: int, until: int, sides: Collection[str] = ()
) -> ResolutionCard:
    """Return the card of the last fight among the orders that choice `number` led to; without one, of its own order.

    `until`: the last choice to include, 0 for all. `sides`: the sides of which one must have begun the fight, () for
    any. Raises SetupError if no dice were rolled for the choice.
    """
    cards = [_build_order_card(context, game, number, until)]
    while cards[-1].following and cards[-1].following[0] == number and len(cards) < _MAX_PARTS:
        cards.append(_build_order_card(context, game, number, until, cards[-1].following[1]))
    fights = [card for card in cards if card.two_sided and (not sides or card.side in sides)]
    return fights[-1] if fights else cards[0]


def _number_card(context: ViewContext, game: Game, card: ResolutionCard, seats: Collection[str]) -> ResolutionCard:
    """Return the card with its number among the orders with dice since the latest turn of `seats`.

    Without a number: onlookers, players of every seat, and cards of earlier turns.
    """
    if not seats or set(seats) >= set(list_seats(game)):
        return card
    history = ChoiceHistory(game)
    rolled = history.list_with_dice(history.find_turn_before_answer(seats))
    if card.own[0] not in rolled or len(rolled) > _MAX_COUNTED:
        return card
    addresses = dict[tuple[int, int], None]()
    for number in rolled:
        addresses.update(
            dict.fromkeys(map(_format_address, _list_orders_with_dice(history, history.find_order_record(number))))
        )
    listed = sorted(addresses)
    if card.address not in listed or len(listed) == 1:
        return card
    position = listed.index(card.address) + 1
    text = context.localizer.say("{number} of {total} since your last turn", number=position, total=len(listed))
    return replace(card, counted=text, has_next=position < len(listed))


def _build_order_card(context: ViewContext, game: Game, number: int, until: int, part: int = 0) -> ResolutionCard:
    """Return the card of an order with dice; raise SetupError if the choice `number` rolled none.

    `number`: the number of a choice of the order; `until`: the last choice to include, 0 for all; `part`: selects one
    of the orders with dice to which the choice belongs.
    """
    history, localizer = ChoiceHistory(game), context.localizer
    numbers_with_dice = history.list_with_dice()
    if number not in numbers_with_dice:
        raise SetupError("no dice were rolled for choice {number}", number=number)
    orders = _list_orders_with_dice(history, history.find_order_record(number, until))
    order = _select_order(orders, number, part)
    rolling = [choice for choice in order.choices if choice.has_dice][-_MAX_ROLLS:]
    ledgers = [_Ledger(choice, _load_entries(context, history, choice)) for choice in rolling]
    entries = [entry for ledger in ledgers for entry in ledger.entries]
    mentioned = _collect_named_things(order, entries, context)
    ratio = _find_ratio(context, entries)
    after = order.end or history.get_state_after(order.choices[-1].number)
    losses = _list_losses(context, order, after)
    other_sides = [*map(_find_choosing_side, order.choices), *(loss.side for loss in losses)]
    opposition = find_opposition(order.start, _get_side(order), entries, other_sides)
    participants = _find_counters(context, game, order, mentioned, opposition, entries)
    strengths = () if ratio is None else ratio.strengths
    steps = count_steps(context, order.start, after, participants)
    sides = _build_sides(participants, opposition, strengths, steps, localizer)
    opposing = [p.place for side in sides if side.is_opponent for p in side.pieces if p.at]
    title = _format_title(context, history, order, tuple(mentioned.aims))
    last = ledgers[-1].choice.number
    choice_numbers = tuple(dict.fromkeys(ledger.choice.number for ledger in ledgers))
    previous, following = _find_neighbours(orders, order, numbers_with_dice, choice_numbers)
    return ResolutionCard(
        number=number,
        title=title,
        about=_list_choice_labels(order, title, localizer),
        side=opposition.lead,
        places=tuple(dict.fromkeys([*mentioned.aims, *opposing, *mentioned.places])),
        sides=sides,
        ratio=() if ratio is None else ratio.texts,
        parts=tuple(_iter_parts(context, order, ledgers)),
        result=_describe_result(context, order, last, after) or build_headline(context, order.start, after),
        losses=losses,
        later=_render_events(context, (choice for choice in order.after if choice.number > last)),
        others=numbers_with_dice,
        own=choice_numbers,
        previous=previous,
        following=following,
        two_sided=len({side.is_opponent for side in sides}) > 1,
        is_open=history.is_open(order),
        address=_format_address(order),
    )


def _select_order(orders: Sequence[OrderRecord], number: int, part: int) -> OrderRecord:
    """Return order `part` among those for which choice `number` rolled dice; the last one if `part` is too large."""
    rolling = [order for order in orders if any(c.number == number and c.has_dice for c in order.choices)]
    return rolling[min(part, len(rolling) - 1)]


def _find_neighbours(
    orders: Sequence[OrderRecord], order: OrderRecord, numbers_with_dice: Sequence[int], choice_numbers: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the addresses (choice, part) of the cards before and after the card of `order`; () where there is none.

    `orders`: the orders with dice of the same choices; `numbers_with_dice`: the choices with dice of the whole game;
    `choice_numbers`: those on the card of `order`.
    """
    index = orders.index(order)
    previous: tuple[int, ...] = next(((n, LAST_PART) for n in reversed(numbers_with_dice) if n < choice_numbers[0]), ())
    following: tuple[int, ...] = next(((n, 0) for n in numbers_with_dice if n > choice_numbers[-1]), ())
    if index > 0:
        previous = _format_address(orders[index - 1])
    if index + 1 < len(orders):
        following = _format_address(orders[index + 1])
    return previous, following


def _list_losses(context: ViewContext, order: OrderRecord, after: State) -> tuple[SideLoss, ...]:
    """Return the losses of each side by an order, then those that were made good before its end.

    `after`: the state at the end of the order.
    """
    losses = tuple(iter_losses(context, order.start, after))
    losing = {loss.side for loss in losses}
    return (*losses, *iter_regained(context, order.start, _iter_states(order, losing), losing))


def _find_counters(
    context: ViewContext,
    game: Game,
    order: OrderRecord,
    mentioned: _Named,
    opposition: Opposition,
    entries: Sequence[LedgerEntry],
) -> dict[str, list[ShownPiece]]:
    """Return the counters that took part in an order, as they were before it, by side.

    `mentioned`: the things that the order names; `entries`: the entries of its ledgers.
    """
    before = restore_game_at(game, order.start)
    counters = build_pieces(context, before.view(), context.create_drawing_context(before), CounterImages())
    counter_ids = map_names_to_counters(before, counters)
    return find_participants(
        counters,
        {counter_ids[name] for name in mentioned.pieces if name in counter_ids},
        (mentioned.aims, list(mentioned.places)),
        opposition,
        has_preliminary_rolls(entries, order.start, opposition),
    )


def _build_sides(
    participants: Mapping[str, Sequence[ShownPiece]],
    opposition: Opposition,
    strengths: Sequence[str],
    steps: Mapping[str, tuple[int, int]],
    localizer: Localizer,
) -> tuple[CardSide, ...]:
    """Return the sides of a card with their counters.

    `strengths`: those of the first partner and the first opponent, () if none were compared; `steps`: the steps of each
    side before and after the order.
    """
    partner = next((side for side in participants if opposition.is_partner(side)), "")
    opponent = next((side for side in participants if not opposition.is_partner(side)), "")
    strength_by_side = dict(zip((partner, opponent), strengths, strict=False))
    return tuple(
        CardSide(
            side=side,
            name=localizer.get_thing_name("side", side),
            pieces=tuple(pieces[:_MAX_PIECES]),
            strength=strength_by_side.get(side, ""),
            names=localizer.join_list(piece.label for piece in pieces[:_MAX_PIECES]),
            steps=steps.get(side, ()),
            is_opponent=not opposition.is_partner(side),
        )
        for side, pieces in participants.items()
    )


def _iter_states(order: OrderRecord, losing: Collection[str]) -> Iterator[State]:
    """Yield the state before each reported event of the choices with dice that sides other than `losing` made."""
    for choice in order.choices[1:]:
        if choice.part or not choice.has_dice or _find_choosing_side(choice) in losing:
            continue
        faces = [face for raw in choice.raws if isinstance(raw, LoggedRoll) for face in raw.faces]
        with suppress(SetupError, RuleFault, ValueError):
            states = list_states_at_entries(
                choice.before, choice.key, faces, lambda raw, _: isinstance(raw, LoggedReport)
            )
            yield from (state for _index, state in states[-_MAX_STATES:])


def _list_orders_with_dice(history: ChoiceHistory, order: OrderRecord) -> list[OrderRecord]:
    """Return the parts of an order record that rolled dice; [the whole record] if it cannot be replayed."""
    try:
        parts = history.split_order_record(order)
    except (SetupError, RuleFault, ValueError):
        return [order]
    return [part for part in parts if any(choice.has_dice for choice in part.choices)]


def _format_address(order: OrderRecord) -> tuple[int, int]:
    """Return the number of the choice and the part by which the card of an order is asked for."""
    rolled = next(choice for choice in order.choices if choice.has_dice)
    return rolled.number, rolled.part


def _iter_parts(context: ViewContext, order: OrderRecord, ledgers: Sequence[_Ledger]) -> Iterator[CardPart]:
    """Yield the parts of every roll; if there are several, each begins with its choice and the results in between.

    `ledgers`: the choices that rolled dice, with their entries.
    """
    form, previous = context.rules.form("ledger"), ledgers[0].choice.number
    for ledger in ledgers:
        choice = ledger.choice
        if came := _render_events(context, (one for one in order.choices if previous < one.number < choice.number)):
            yield CardPart("came", texts=came)
        if len(ledgers) > 1:
            side, text = (
                _find_choosing_side(choice),
                "" if choice.key == "done" else _format_choice(choice, context.localizer),
            )
            title = (
                context.localizer.prefix_topic(context.localizer.get_thing_name("side", side), text)
                if side and text
                else text
            )
            title = title or (context.localizer.get_thing_name("side", side) if side else "")
            yield CardPart("order", title, side=side)
        yield from build_card_parts(context, form, ledger.entries, choice.raws)
        previous = choice.number


def _load_entries(context: ViewContext, history: ChoiceHistory, choice: RecordedChoice) -> tuple[LedgerEntry, ...]:
    """Return the ledger of a choice, or of a part of one; if it cannot be replayed, only its rolls and events."""
    whole, form = history.list_log_entries(choice.number), context.rules.form("ledger")
    try:
        trace = build_last_trace(history.game, form, len(history) - choice.number)
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


@dataclass(frozen=True, slots=True)
class _ChosenOption:
    """The option of a recorded choice: its name, its arguments as ids, and the types that these are shown as."""

    name: str = ""
    args: Mapping[str, Any] = field(default_factory=dict)
    shows: Mapping[str, Any] = field(default_factory=dict)


def _find_chosen_option(choice: RecordedChoice) -> _ChosenOption:
    """Return the option of a recorded choice, without name and arguments if it is unknown."""
    program = choice.before.program
    if choice.part:
        match _find_forced_order(choice):
            case LoggedForcedChoice(decision=number, option=(index, values)):
                described = program.decisions[number].options[index]
                shows = {param.name: param.show for param in described.params}
                args = zip(shows.items(), values, strict=True)
                ids = {name: to_value_id(program, show, value) for (name, show), value in args}
                return _ChosenOption(described.name, ids, shows)
        return _ChosenOption()
    state = clone_state(choice.before)
    state.draft = ()
    decision = Decision(state)
    raw = decision.find(choice.key)
    if raw is None:
        return _ChosenOption()
    option = Option(decision, raw)
    return _ChosenOption(option.name, option.args, option.shows)


@dataclass(frozen=True, slots=True)
class _Named:
    """The ids of what the choices or results of an order name, in order: places, and pieces or groups of pieces.

    `aims`: the places named by the side that gave the order, before dice were rolled.
    """

    places: dict[str, None]
    pieces: dict[str, None]
    aims: dict[str, None]


def _collect_named_things(order: OrderRecord, entries: Iterable[LedgerEntry], context: ViewContext) -> _Named:
    """Return the things that the choices and the results of an order name.

    `entries`: the entries of its ledgers.
    """
    program = context.rules.program
    ids_by_kind: dict[str, dict[str, None]] = {"place": {}, "piece": {}}
    aims: dict[str, None] = {}

    def collect_name(show: DisplayType | None, value: object) -> None:
        kind = get_kind(show)
        if kind in ids_by_kind:
            ids_by_kind[kind].update(dict.fromkeys(_iter_ids(value)))

    ordered = [c for c in _list_until_first_dice(order) if _find_choosing_side(c) == _get_side(order)]
    for choice in order.choices:
        option = _find_chosen_option(choice)
        for name, value in option.args.items():
            collect_name(option.shows.get(name, ()), value)
            if choice in ordered and get_kind(option.shows.get(name, ())) == "place":
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


def _get_side(order: OrderRecord) -> str:
    """Return the side that gave the order."""
    return _find_choosing_side(order.choices[0])


@dataclass(frozen=True, slots=True)
class _Ratio:
    """A comparison of two strengths: `texts` has it as a ratio and the printed column, such as ("5 : 2", "2-1")."""

    texts: tuple[str, str]
    strengths: tuple[str, str]


def _find_ratio(context: ViewContext, entries: Iterable[LedgerEntry]) -> _Ratio | None:
    """Return the first comparison of two strengths in the entries, or None."""
    program = context.rules.program
    for entry in entries:
        if entry.sort == "look":
            for axis in program.charts[entry.name].axes:
                operands = entry.args.get(axis.name)
                if axis.sort == "ratio" and operands is not None:
                    first, second = (format_number(value) for value in operands["value"])
                    return _Ratio((f"{first} : {second}", str(operands["row"] or "")), (first, second))
        if (ratio := _find_ratio(context, entry.inside)) is not None:
            return ratio
    return None


def _describe_result(context: ViewContext, order: OrderRecord, last: int, after: State) -> tuple[AnswerLine, ...]:
    """Return what the choices up to `last` did to the pieces that are worse off, as lines; equal ones are counted.

    These are reports of the same phase that name one such piece and no other; () if no report does, or if pieces are
    interchangeable, so that a report does not say which one it is about.
    """
    program, events = context.rules.program, list[LogEvent]()
    comparison = Comparison(program, order.start, valued=False)
    worse = set[str]()
    for kind, handle, name, was, now, _count in comparison.build_outcome(after, frozenset()).changes:
        if kind == "piece" and is_loss(program, name, was, now):
            if program.is_alike[handle]:
                return ()
            worse.add(program.ids["piece"][handle])
    raws = (raw for choice in order.choices if choice.number <= last for raw in choice.raws)
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


def _format_title(context: ViewContext, history: ChoiceHistory, order: OrderRecord, aimed: Sequence[str]) -> str:
    """Return the title of a card: the chosen option and up to two places that it names, "attack: 1614".

    `aimed`: the ids of these places. Without them it is the whole label of the option. If dice were rolled without an
    order, it is the last report before them that names a place, or else the title of the phase.
    """
    localizer = context.localizer
    side = _get_side(order)
    ordered = [
        choice for choice in _list_until_first_dice(order) if _find_choosing_side(choice) == side
    ] or order.choices[:1]
    option = _find_chosen_option(ordered[-1]).name
    if option and ordered[-1].key != "done":
        name = localizer.translate_name(option, "option")
        place_text = localizer.join_list(localizer.get_thing_name("place", place) for place in aimed[:2])
        return (
            localizer.prefix_topic(name, place_text) if place_text else _format_choice(ordered[-1], localizer) or name
        )
    rolled = next(choice for choice in order.choices if choice.has_dice)
    logged = (raw for choice in order.choices for raw in choice.raws)
    before = takewhile(lambda raw: not isinstance(raw, LoggedRoll), logged)
    reports = [raw for raw in before if isinstance(raw, LoggedReport) and not is_silent(localizer.program, raw)]
    for event in reversed([build_event(localizer.program, raw) for raw in reports]):
        if collect_ids([event])[0]:
            return render_events(context, [event])[0].text
    log = history.game.get_raw_log()[: history.find_log_start(rolled.number) + rolled.offset + len(rolled.raws)]
    phase = rolled.before.phase if not rolled.part else ""
    begun = next((raw for raw in reversed(log) if isinstance(raw, LoggedPhase) and phase in ("", raw.phase)), None)
    return (
        localizer.format_phase_title(begun.phase, begun.title_values)
        if begun
        else localizer.translate_name(option, "option")
    )


def _find_forced_order(choice: RecordedChoice) -> LoggedForcedChoice | None:
    """Return the order that was given automatically at the start of a part of a choice, before its dice; or None."""
    before = takewhile(lambda raw: not isinstance(raw, LoggedRoll), choice.raws if choice.part else ())
    return next((raw for raw in before if isinstance(raw, LoggedForcedChoice)), None)


def _find_choosing_side(choice: RecordedChoice) -> str:
    """Return the id of the side that made a choice, or to which the rules forced it; '' for none."""
    if choice.part:
        forced_order = _find_forced_order(choice)
        return (
            ""
            if forced_order is None or forced_order.side is None
            else choice.before.program.ids["side"][forced_order.side]
        )
    return next((raw.side for raw in choice.raws if isinstance(raw, LoggedChoice)), "")


def _list_until_first_dice(order: OrderRecord) -> tuple[RecordedChoice, ...]:
    """Return the choices of an order up to the first that rolled dice."""
    first = next(n for n, choice in enumerate(order.choices) if choice.has_dice)
    return order.choices[: first + 1]


def _format_choice(choice: RecordedChoice, localizer: Localizer) -> str:
    """Return the text of a choice made by a player or forced by the rules, '' if it is neither."""
    if choice.part:
        forced_order = _find_forced_order(choice)
        return "" if forced_order is None else format_forced_choice(localizer.program, localizer, forced_order)
    return next((localizer.format_telling(raw.words) for raw in choice.raws if isinstance(raw, LoggedChoice)), "")


def _list_choice_labels(order: OrderRecord, title: str, localizer: Localizer) -> str:
    """Return the labels of the choices of the ordering side up to the first roll, as one text, without the title."""
    ordered = (choice for choice in _list_until_first_dice(order) if _find_choosing_side(choice) == _get_side(order))
    labels = (_format_choice(choice, localizer) for choice in ordered if choice.key != "done")
    return localizer.join_sentences(dict.fromkeys(text for text in labels if text and text != title))
