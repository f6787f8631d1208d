"""Losses of a resolved order: those of each side, losses made good again, and steps before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from interpreter.i18n.number_format import format_number
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.state import State
from interpreter.tools.odds.results import LADDER, Comparison, Raw, ResolutionOutcome, is_loss
from interpreter.view_model.answer_records import AnswerLine, SideLoss
from interpreter.view_model.records import ShownPiece
from interpreter.view_model.view_context import ViewContext

_MAX_STEPS = 12  # steps of a side that are drawn as boxes
_MAX_WORSE = 3  # pieces named that are lost or whose condition is lower


def iter_losses(context: ViewContext, before: State, after: State) -> Iterator[SideLoss]:
    """Yield the losses of each side with losses between two positions.

    Losses are those that odds count: pieces, sums of their numbers, and pieces whose condition is lower on its ladder.
    """
    program, localizer = context.rules.program, context.localizer
    ids, attributes = program.ids["side"], program.kinds["piece"]["attributes"]
    comparison = Comparison(program, before, valued=False)
    outcome = comparison.build_outcome(after, frozenset())
    lost: dict[int, list[str]] = {}
    for side, name, amount in outcome.losses:
        if amount <= 0 or side < 0 or (name and attributes[name]["show"][0] == LADDER):
            continue
        text = localizer.say("units lost: {number}", number=format_number(amount))
        text = localizer.with_detail(text, _name_lost_pieces(comparison, outcome, side, localizer))
        if name:
            text = localizer.say(
                "{what} −{number}", what=localizer.translate_attribute(attributes[name]), number=format_number(amount)
            )
        lost.setdefault(side, []).append(text)
    worse: dict[tuple[int, str, str], list[str]] = {}
    for side, (_kind, handle, name, was, now, count) in _iter_lowered_conditions(comparison, outcome):
        value, had = (localizer.format_value(attributes[name]["show"], raw_value) for raw_value in (now, was))
        piece = localizer.get_piece_name(program.ids["piece"][handle])
        worse.setdefault((side, value, had), []).append(f"{count} × {piece}" if count > 1 else piece)
    for (side, value, had), pieces in worse.items():
        changed = localizer.with_detail(value, localizer.say("before: {value}", value=had))
        lost.setdefault(side, []).append(localizer.prefix_topic(localizer.join_some(pieces, _MAX_WORSE), changed))
    for side, texts in lost.items():
        yield SideLoss(ids[side], localizer.get_thing_name("side", ids[side]), localizer.join_texts(texts))


def _name_lost_pieces(comparison: Comparison, outcome: ResolutionOutcome, side: int, localizer: Localizer) -> str:
    """Return the names of the pieces that a side lost, without interchangeable ones, whose names say nothing more."""
    program = comparison.program
    names = [
        localizer.get_name_by_handle("piece", handle)
        for kind, handle, name, was, now, _count in outcome.changes
        if kind == "piece" and comparison.owners[handle] == side and not program.is_alike[handle]
        if name == "at" and is_loss(program, name, was, now)
    ]
    return localizer.join_some(names, _MAX_WORSE)


def _iter_lowered_conditions(comparison: Comparison, outcome: ResolutionOutcome) -> Iterator[tuple[int, Raw]]:
    """Yield (side, change) for each change of a side's pieces to a lower rung of a ladder."""
    program = comparison.program
    attributes = program.kinds["piece"]["attributes"]
    for change in outcome.changes:
        kind, handle, name, was, now, _count = change
        side = comparison.owners[handle] if kind == "piece" else -1
        if side < 0 or name == "at" or attributes[name]["show"][0] != LADDER:
            continue
        if is_loss(program, name, was, now):
            yield side, change


def iter_regained(
    context: ViewContext, before: State, meanwhile: Iterable[State], losing: Collection[str]
) -> Iterator[SideLoss]:
    """Yield the losses of each side whose losses during the order are made good at its end.

    `meanwhile`: states in the course of the order; `losing`: the sides that have still lost something.
    """
    lost: dict[str, SideLoss] = {}
    for state in meanwhile:
        lost |= {loss.side: loss for loss in iter_losses(context, before, state) if loss.side not in losing}
    for loss in lost.values():
        yield loss._replace(text=context.localizer.say("{what}, restored since", what=loss.text))


def build_headline(context: ViewContext, before: State, after: State) -> tuple[AnswerLine, ...]:
    """Return one line with the lost pieces and the lowered conditions of each side; () without any."""
    program, localizer = context.rules.program, context.localizer
    ids, attributes = program.ids["side"], program.kinds["piece"]["attributes"]
    comparison = Comparison(program, before, valued=False)
    outcome = comparison.build_outcome(after, frozenset())
    text_of_side: dict[int, str] = {}
    for side, name, amount in outcome.losses:
        if not name and amount > 0 and side >= 0:
            name_of_side = localizer.get_thing_name("side", ids[side])
            text_of_side[side] = localizer.say("{side}: {number} (unit|units) lost", side=name_of_side, number=amount)
    worse = Counter[tuple[int, str]]()
    for side, (_kind, _handle, name, _was, now, count) in _iter_lowered_conditions(comparison, outcome):
        worse[side, localizer.format_value(attributes[name]["show"], now)] += count
    lowered: dict[int, list[str]] = {}
    for (side, value), count in worse.items():
        amount = localizer.say("{number} × {value}", number=format_number(count), value=value)
        lowered.setdefault(side, []).append(amount)
    texts = [localizer.join_list([text, *lowered.pop(side, ())]) for side, text in text_of_side.items()]
    texts += [
        localizer.prefix_topic(localizer.get_thing_name("side", ids[side]), amount)
        for side, amounts in lowered.items()
        for amount in amounts
    ]
    return (AnswerLine(localizer.join_texts(texts)),) if texts else ()


def count_steps(
    context: ViewContext, before: State, after: State, taking_part: Mapping[str, Sequence[ShownPiece]]
) -> dict[str, tuple[int, int]]:
    """Return the steps of each side before and after a resolution: those of its pieces that took part.

    A step is one point of the first whole-number attribute of which points were lost, or a piece if only pieces were
    lost. {} if nothing was lost, or if a side has too many steps to be drawn.
    """
    program = context.rules.program
    attributes = program.kinds["piece"]["attributes"]
    losses = Comparison(program, before, valued=False).build_outcome(after, frozenset()).losses
    lost = [name for _side, name, amount in losses if amount > 0 and (not name or attributes[name]["show"][0] == "int")]
    if not lost:
        return {}
    counted = next(filter(None, lost), "")
    slot = program.slot_of.get(("piece", counted))

    def count_side_steps(state: State, pieces: Iterable[ShownPiece]) -> int:
        handles = [program.handles["piece"][member] for piece in pieces for member in piece.members]
        on_map = [handle for handle in handles if program.on_map[state.at[handle]]]
        return sum(getattr(state, slot)[handle] or 0 for handle in on_map) if slot else len(on_map)

    steps = {
        side: (count_side_steps(before, pieces), count_side_steps(after, pieces))
        for side, pieces in taking_part.items()
    }
    is_drawn = all(0 <= now <= had <= _MAX_STEPS for had, now in steps.values())
    return steps if is_drawn and any(now < had for had, now in steps.values()) else {}
