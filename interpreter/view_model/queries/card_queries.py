"""Resolution cards: a choice that dice resolved, with both sides, every step and the losses.

Built from the ledger of the choice, never from sentences; works for any ruleset.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from interpreter.i18n.number_format import number_text
from interpreter.play.events import event_of, is_silent
from interpreter.play.game import Game
from interpreter.play.ledger import LedgerEntry, entries_of_log, last_ledger
from interpreter.players.narration.localizer import Localizer
from interpreter.players.orders.engagements import ChoiceRecord, Engagement, RecordedChoice
from interpreter.players.orders.matching import kind_of
from interpreter.runtime.decisions import Decision
from interpreter.runtime.errors import RuleFault, SetupError
from interpreter.runtime.log_entries import LoggedChoice, LoggedMove, LoggedReport, LoggedRoll
from interpreter.runtime.state import State, clone_state
from interpreter.runtime.type_aliases import Show
from interpreter.tools.maps.drawing_context import create_context
from interpreter.tools.maps.piece_groups import current_position
from interpreter.tools.odds.results import Comparison
from interpreter.view_model.piece_view import CounterImages, build_pieces, counters_by_name
from interpreter.view_model.queries.card_parts import came_lines, card_parts
from interpreter.view_model.records import AnswerLine, CardSide, ResolutionCard, ShownPiece
from interpreter.view_model.view_context import ViewContext

_MOST_PIECES = 12  # counters shown of a side


def card_of(context: ViewContext, game: Game, number: int) -> ResolutionCard:
    """Return the card of a choice by its number, from 1; 0 selects the last one that rolled dice.

    Raises SetupError if there is no such choice, or if no dice were rolled for it.
    """
    record = ChoiceRecord(game)
    rolled = record.with_dice()
    wanted = number or (rolled[-1] if rolled else 0)
    if wanted not in rolled:
        raise SetupError("no dice were rolled for choice {number}", number=number)
    engagement = record.engagement(wanted)
    form = context.rules.form("ledger")
    entries = _entries(context, game, engagement.choice, len(record) - wanted)
    before = _game_at(game, engagement.start)
    places, named = _places_and_pieces(engagement, entries, context)
    side = _side_of(engagement)
    counters = _counters(context, before)
    by_name = counters_by_name(before, counters)
    taking_part = _taking_part(counters, {by_name[name] for name in named if name in by_name}, places, side)
    ratio = _ratio(context, entries)
    end = (engagement.after or (engagement.choice,))[-1].number
    losses = _losses(context, engagement.start, record.state_after(end))
    words = context.words
    sides = tuple(
        CardSide(one, words.thing("side", one), tuple(pieces[:_MOST_PIECES]), ratio[1][n] if ratio and n < 2 else "")
        for n, (one, pieces) in enumerate(taking_part.items())
    )
    where = tuple(dict.fromkeys([*places, *(p.place for s in sides[1:] for p in s.pieces if p.at)]))
    return ResolutionCard(
        wanted,
        _title(engagement, where, words),
        _about(engagement, words),
        side,
        where,
        sides,
        ratio[0] if ratio else (),
        tuple(card_parts(context, form, entries, engagement.choice.raws)),
        tuple(losses),
        _later(context, engagement.after),
        rolled,
        len([s for s in sides if s.pieces]) > 1 and (bool(losses) or bool(ratio)),
    )


def _entries(context: ViewContext, game: Game, choice: RecordedChoice, back: int) -> tuple[LedgerEntry, ...]:
    """Return the ledger of a choice; only its rolls and events if it cannot be made again."""
    try:
        return last_ledger(game, context.rules.form("ledger"), back)
    except (SetupError, RuleFault):
        return entries_of_log(context.rules.program, choice.raws)


def _game_at(game: Game, state: State) -> Game:
    return Game(game.program, clone_state(state), game.scenario, game.seed, False)


def _counters(context: ViewContext, game: Game) -> tuple[ShownPiece, ...]:
    shown = current_position(
        context.ruleset, context.ruleset.scenarios.get(game.scenario or ""), game, "", context.lang
    )
    motif = create_context(context.ruleset, shown, context.lang, context.words.say, context.layout)
    return build_pieces(context, game, motif, CounterImages())


def _option(choice: RecordedChoice) -> tuple[str, Mapping[str, Any], Mapping[str, Any]]:
    """Return the name of a recorded option, its arguments as ids, and their types."""
    state = clone_state(choice.before)
    state.draft = ()
    decision = Decision(state)
    raw = decision.find(choice.key)
    if raw is None:
        return "", {}, {}
    return decision.option_name(raw), decision.option_args(raw), decision.option_shows(raw)


def _places_and_pieces(
    engagement: Engagement, entries: Iterable[LedgerEntry], context: ViewContext
) -> tuple[list[str], dict[str, None]]:
    """Return the places that the choices name, and the pieces or groups of pieces that they or the results name."""
    program = context.rules.program
    found: dict[str, dict[str, None]] = {"place": {}, "piece": {}}

    def note(show: Show | None, value: object) -> None:
        kind = kind_of(show)
        if kind in found:
            found[kind].update(dict.fromkeys(_ids_in(value)))

    for choice in (*engagement.before, engagement.choice):
        _name, args, shows = _option(choice)
        for name, value in args.items():
            note(shows.get(name, ()), value)
    for entry in entries:
        if entry.sort == "event":
            for name, show in program.events[entry.name].params:
                note(show, entry.args.get(name))
        elif isinstance(entry.raw, LoggedRoll) and entry.raw.kind in found:
            note(("thing", entry.raw.kind), entry.args["subject"])
    return list(found["place"]), found["piece"]


def _ids_in(value: object) -> Iterator[str]:
    """Yield every id in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Iterable):
        for inner in value:
            yield from _ids_in(inner)


def _side_of(engagement: Engagement) -> str:
    """Return the side that gave the order."""
    return _chooser((engagement.before or (engagement.choice,))[0])


def _taking_part(
    counters: Iterable[ShownPiece], named: Collection[str], places: Iterable[str], side: str
) -> dict[str, list[ShownPiece]]:
    """Return the counters of each side that took part, the side that gave the order first.

    Those are the counters that were named and, if no enemy was, the enemies at the places that were named.
    """
    found, there = dict[str, list[ShownPiece]](), dict[str, list[ShownPiece]]()
    found[side] = []
    wanted = set(places)
    for counter in counters:
        if counter.id in named:
            found.setdefault(counter.side, []).append(counter)
        elif counter.place in wanted and counter.side not in (side, ""):
            there.setdefault(counter.side, []).append(counter)
    if not any(own for other, own in found.items() if other != side):
        found.update(there)
    return {one: own for one, own in found.items() if own and one}


def _ratio(context: ViewContext, entries: Iterable[LedgerEntry]) -> tuple[tuple[str, ...], tuple[str, str]] | None:
    """Return the first comparison of two strengths: (both, the printed column), and each of them."""
    program = context.rules.program
    for entry in entries:
        if entry.sort == "look":
            for axis in program.charts[entry.name].axes:
                told = entry.args.get(axis.name)
                if axis.sort == "ratio" and told is not None:
                    first, second = (number_text(value) for value in told["value"])
                    return (f"{first} : {second}", str(told["row"] or "")), (first, second)
        if (found := _ratio(context, entry.inside)) is not None:
            return found
    return None


def _losses(context: ViewContext, before: State, after: State) -> Iterator[tuple[str, str, str]]:
    """Yield what each side has lost between two positions, in words: pieces, and sums of their numbers."""
    program, words = context.rules.program, context.words
    ids, attributes = program.ids["side"], program.kinds["piece"]["attributes"]
    lost: dict[int, list[str]] = {}
    for side, name, amount in Comparison(program, before, valued=False).outcome(after, frozenset()).losses:
        if amount <= 0 or side < 0 or (name and attributes[name]["show"][0] == "rung"):
            continue
        text = words.say("units lost: {number}", number=number_text(amount))
        if name:
            text = words.say("{what} −{number}", what=words.attribute(attributes[name]), number=number_text(amount))
        lost.setdefault(side, []).append(text)
    for side, texts in lost.items():
        yield ids[side], words.thing("side", ids[side]), words.join_list(texts)


def _later(context: ViewContext, choices: Iterable[RecordedChoice]) -> tuple[AnswerLine, ...]:
    """Return the events of the choices that settled a result, as lines."""
    program = context.rules.program
    raws = [raw for choice in choices for raw in choice.raws if isinstance(raw, LoggedReport | LoggedMove)]
    return came_lines(context, [event_of(program, raw) for raw in raws if not is_silent(program, raw)])


def _title(engagement: Engagement, places: Iterable[str], words: Localizer) -> str:
    """Return what was done and where: "attack: 1614"."""
    own = [c for c in (*engagement.before, engagement.choice) if _chooser(c) == _side_of(engagement)]
    name = words.name(_option(own[-1])[0], "option")
    where = words.join_list(words.thing("place", place) for place in list(places)[:2])
    return words.about(name, where) if where else name


def _chooser(choice: RecordedChoice) -> str:
    return next((raw.side for raw in choice.raws if isinstance(raw, LoggedChoice)), "")


def _about(engagement: Engagement, words: Localizer) -> str:
    """Return the words of the choices that led to the dice."""
    made = [raw for c in (*engagement.before, engagement.choice) for raw in c.raws[:1] if isinstance(raw, LoggedChoice)]
    return words.parted(dict.fromkeys(words.format_telling(raw.words) for raw in made))
