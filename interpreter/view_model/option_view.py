"""The current options as a list under headings, each with the counters, the places and the facing that it names.

The game determines which options are legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from interpreter.i18n.number_format import format_number
from interpreter.play.game import Game
from interpreter.players.orders.bulk_orders import count_progress
from interpreter.players.orders.matching import Choosable, get_kind
from interpreter.players.orders.menu import describe_option
from interpreter.players.orders.name_index import NameIndex
from interpreter.runtime.decisions import Decision, Option
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.type_aliases import DisplayType, handle_of
from interpreter.tools.maps.style import build_counter_styles
from interpreter.view_model.records import OptionHeading, ShownDecision, ShownOption
from interpreter.view_model.view_context import ViewContext

_A_PIECE = ("thing", "piece")
_MIN_SHARED = 2  # fewest options naming one thing that get a heading; fewest pieces that take no common path


def build_decision(
    context: ViewContext, game: Game, counters: Mapping[str, str]
) -> tuple[ShownDecision | None, tuple[RuleFault, ...]]:
    """Return the pending decision, and the faults that the rules raised.

    The decision is None if it cannot be shown. `counters`: the id of the counter for each name of a piece.
    """
    decision = game.decision
    if decision is None:
        return None, ()
    try:
        decision_view = _build_decision(decision, context, game, counters)
    except RuleFault as fault:
        return None, (fault, *decision.faults.values())
    return decision_view, tuple(decision.faults.values())


def _build_decision(decision: Decision, context: ViewContext, game: Game, counters: Mapping[str, str]) -> ShownDecision:
    """Return the pending decision; `counters`: the id of the counter for each name of a piece."""
    name_index = NameIndex(game, context.localizer)
    facing = FacingAngles(context)
    options = [
        replace(build_option(option, name_index, counters), angle=facing.find_angle(option))
        for option in decision.options
    ]
    headings, numbered = _group_by_heading(options, context)
    return ShownDecision(
        decision.side,
        decision.seat,
        decision.format_prompt(context.lang),
        decision.cite,
        decision.is_draft,
        numbered,
        headings,
        tuple(dict.fromkeys(counters[piece] for piece in _iter_question_pieces(decision, game) if piece in counters)),
        count_progress(game),
    )


def _iter_question_pieces(decision: Decision, game: Game) -> Iterator[str]:
    """Yield the ids of the pieces that the decision's question names, and of the piece whose path it asks for."""
    program, prompt = game.program, decision.build_prompt_telling()
    if prompt[0] == "words":
        types = [part for part in program.data["texts"][prompt[1]] if not isinstance(part, str)]
        yield from (program.ids["piece"][v] for s, v in zip(types, prompt[2], strict=True) if tuple(s) == _A_PIECE)
    if decision.is_draft:
        param_types = [param.show for param in decision.draft.params]
        typed_args = zip(param_types, decision.draft_args, strict=True)
        yield from (program.ids["piece"][handle_of(v)] for s, v in typed_args if tuple(s) == _A_PIECE)


def build_option(option: Choosable, name_index: NameIndex, counters: Mapping[str, str]) -> ShownOption:
    """Return the record of an option, or of a path of several choices, with the counters and places it names.

    `counters`: the id of the counter for each name of a piece. The option's heading is not set yet.
    """
    pieces, places = _list_named_things(option, counters)
    cost = "" if option.cost is None else format_number(option.cost)
    path = list_path_places(option, name_index) if isinstance(option, Option) and len(pieces) < _MIN_SHARED else ()
    description = describe_option(option, name_index)
    return ShownOption(
        option.key,
        description.line,
        description.title,
        name_index.localizer.join_texts(description.details),
        option.name,
        pieces,
        places,
        path,
        cost,
        option.cite,
        0,
        number=_count_pieces(option) if len(pieces) == 1 else 0,
    )


def _count_pieces(option: Choosable) -> int:
    """Return the only integer among an option's arguments, or 0 if none or more than one is an integer."""
    numbers = [value for value in option.args.values() if isinstance(value, int) and not isinstance(value, bool)]
    return numbers[0] if len(numbers) == 1 else 0


def list_path_places(option: Option, name_index: NameIndex) -> tuple[str, ...]:
    """Return the places that the steps of a draft name, in order; () if it is not a draft, or if a step names a piece.

    Places that are named together with pieces are targets of these pieces, not a path.
    """
    handles = name_index.program.handles
    values = [value for step in option.way for value in step.values() if isinstance(value, str)]
    if any(value in handles["piece"] for value in values):
        return ()
    return tuple(value for value in values if value in handles["place"])


def _list_named_things(option: Choosable, counters: Mapping[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of the counters and of the places among an option's arguments, each once, in order.

    `counters`: the id of the counter for each name of a piece.
    """
    pieces: dict[str, None] = {}
    places: dict[str, None] = {}
    for name, value in option.args.items():
        kind = get_kind(option.shows.get(name))
        for thing in value if isinstance(value, tuple | list) else (value,):
            if kind == "place" and isinstance(thing, str):
                places[thing] = None
            elif kind == "piece" and isinstance(thing, str) and thing in counters:
                pieces[counters[thing]] = None
    return tuple(pieces), tuple(places)


def _group_by_heading(
    options: list[ShownOption], context: ViewContext
) -> tuple[tuple[OptionHeading, ...], tuple[ShownOption, ...]]:
    """Return the headings, and the options in the order of their headings, each with the number of its heading.

    Options that name the same single counter, or else the same single place, have a common heading.
    """
    by_piece = Counter(option.pieces[0] for option in options if option.pieces)
    by_place = Counter(option.places[-1] for option in options if option.places)
    numbers: dict[OptionHeading, int] = {}
    numbered = []
    for option in options:
        heading = _choose_heading(option, by_piece, by_place, context)
        numbered.append(replace(option, heading=numbers.setdefault(heading, len(numbers))))
    return tuple(numbers), tuple(sorted(numbered, key=lambda option: option.heading))


def _choose_heading(
    option: ShownOption, by_piece: Mapping[str, int], by_place: Mapping[str, int], context: ViewContext
) -> OptionHeading:
    """Return an option's heading: its first piece or its last place if enough options share it, else its verb."""
    localizer = context.localizer
    if option.pieces and by_piece[option.pieces[0]] >= _MIN_SHARED:
        return OptionHeading("piece", option.pieces[0], localizer.get_piece_name(option.pieces[0]))
    if option.places and by_place[option.places[-1]] >= _MIN_SHARED:
        return OptionHeading("place", option.places[-1], localizer.get_thing_name("place", option.places[-1]))
    return OptionHeading("verb", option.name if option.pieces or option.places else "", "")


class FacingAngles:
    """The types of the values that a ruleset's counters show as an arrow, with the angle of each value."""

    def __init__(self, context: ViewContext) -> None:
        self._layout = context.layout
        attributes = context.rules.program.kinds["piece"]["attributes"]
        self._angles: dict[tuple[Any, ...], dict[str, float]] = {}
        for look in build_counter_styles(context.ruleset).values():
            if look.arrow in attributes:
                angles = {value: float(angle) for value, angle in look.angles.items()}
                self._angles.setdefault(_unwrap_maybe(attributes[look.arrow]["show"]), {}).update(angles)

    def find_angle(self, option: Choosable) -> float | None:
        """Return the facing that an option gives, in degrees clockwise from the top, or None if it gives none."""
        facing = None
        for name, show in option.shows.items() if self._angles else ():
            angles, value = self._angles.get(_unwrap_maybe(show)), option.args.get(name)
            if angles is not None and isinstance(value, str):
                facing = angles[value] if value in angles else self._layout.compute_bearing(value)
        return facing


def _unwrap_maybe(show: DisplayType) -> tuple[Any, ...]:
    """Return a type without "maybe", hashable."""
    while show and show[0] == "maybe":
        show = show[1]
    return tuple(map(str, show))
