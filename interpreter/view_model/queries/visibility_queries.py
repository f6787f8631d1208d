"""Rules that relate a piece to a piece or a place, such as a line of sight, and the reasons if they do not hold.

Evaluates the ruleset's own rules that have two such parameters.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.play.failing_reasons import combine_reasons, find_failures
from interpreter.play.game import Game
from interpreter.players.orders.matching import get_kind
from interpreter.players.ownership import find_side_of_thing
from interpreter.runtime.errors import RuleFault, SetupError
from interpreter.runtime.limits import one_budget
from interpreter.runtime.machine import as_query, evaluate_or_none
from interpreter.view_model.answer_records import AnswerLine, Overlay, OverlayMark, VisibilityAnswer
from interpreter.view_model.view_context import ViewContext

_SENSELESS = (LookupError, TypeError)  # a rule that cannot be evaluated for a pair is left out


def list_visibility_names(context: ViewContext) -> tuple[tuple[str, str], ...]:
    """Return (name, title) of each rule about two things that the map can show."""
    return tuple((name, _get_title(context, name)) for name in context.localizer.data["between"])


@one_budget()
def build_visibility_overlay(context: ViewContext, game: Game, name: str, piece: str) -> Overlay:
    """Return an overlay of the pairs for which the rule `name` holds now; with a piece, only the pairs it belongs to.

    An overlay about places is empty without a piece and says that it needs one.
    """
    rule, program = context.localizer.data["between"][name], game.program
    (_, first), (kind, second) = rule["ends"]
    chosen_piece = program.handles["piece"].get(piece)
    marks: dict[str, set[str]] = {}
    lines: list[tuple[str, str]] = []
    if kind == "place":
        for place in range(len(program.ids["place"])) if _is_of_class(game, chosen_piece, first) else ():
            if program.on_map[place] and _is_rule_true(game, name, chosen_piece, place):
                marks[program.ids["place"][place]] = {_get_side(game, chosen_piece)}
    else:
        for viewer, target in _iter_pairs(game, chosen_piece, first, second):
            if _is_rule_true(game, name, viewer, target):
                ends = (_get_place_id(game, viewer), _get_place_id(game, target))
                lines += [ends] if ends not in lines else []
                marks.setdefault(ends[1], set()).add(_get_side(game, viewer))
    shown_marks = tuple(OverlayMark(place, "", tuple(sorted(sides - {""}))) for place, sides in marks.items())
    asks = kind == "place" and not _is_of_class(game, chosen_piece, first)
    return Overlay(name, _get_title(context, name), tuple(rule["cites"]), shown_marks, tuple(lines), asks, True)


@one_budget()
def answer_visibility(context: ViewContext, game: Game, name: str, piece: str, place: str) -> VisibilityAnswer:
    """Return whether a rule holds between a piece and a place or a piece there; if not, why, and the places in the way.

    Raises SetupError for an unknown name.
    """
    program, localizer = game.program, context.localizer
    rule, handles = localizer.data["between"].get(name), program.handles
    if rule is None or piece not in handles["piece"] or place not in handles["place"]:
        raise SetupError("nothing is known about `{word}`", word=quote_typed(f"{name} {piece} {place}"))
    piece_handle, place_handle = handles["piece"][piece], handles["place"][place]
    (_first, first), (kind, second) = rule["ends"]
    pieces_there = [p for p in _list_pieces(game, second) if game.state.at[p] == place_handle]
    targets = [place_handle] if kind == "place" else pieces_there
    if not _is_of_class(game, piece_handle, first):
        return VisibilityAnswer(False, (), ())
    failing: tuple[Any, ...] = ()
    for target in targets:
        try:
            failing = _list_failing(game, name, piece_handle, target)
        except RuleFault as fault:
            if fault.is_exhausted:
                raise
            continue
        except _SENSELESS:
            continue
        if not failing:
            return VisibilityAnswer(True, (), ())
    reasons = combine_reasons(game.state, failing)[:1] if failing else ()
    lines = tuple(AnswerLine(reason.text_in(context.lang), reason.cite) for reason in reasons)
    return VisibilityAnswer(
        False,
        lines,
        tuple(p for p in _iter_places(game, failing[:1]) if p not in (place, _get_place_id(game, piece_handle))),
    )


def _get_title(context: ViewContext, name: str) -> str:
    localizer = context.localizer
    cls = localizer.data["classes"].get(localizer.data["between"][name]["ends"][0][1] or "", {})
    subject = localizer.translate_label(cls["label"], cls["many"]) if cls else localizer.say("pieces")
    return localizer.prefix_topic(subject, localizer.translate_name(name, "rule"))


def _iter_pairs(
    game: Game, chosen_piece: int | None, first: str | None, second: str | None
) -> Iterator[tuple[int, int]]:
    """Yield (viewer, target) for pieces of the classes `first` and `second`; with `chosen_piece`, only its pairs."""
    for viewer in _list_pieces(game, first):
        for target in _list_pieces(game, second):
            if viewer != target and (chosen_piece is None or chosen_piece in (viewer, target)):
                yield viewer, target


def _list_pieces(game: Game, cls: str | None) -> list[int]:
    """Return the handles of the pieces on the map, of the class `cls` if one is given."""
    return [p for p in range(len(game.program.ids["piece"])) if _is_of_class(game, p, cls)]


def _is_of_class(game: Game, piece: int | None, cls: str | None) -> bool:
    if piece is None or not game.program.on_map[game.state.at[piece]]:
        return False
    return cls is None or game.program.kinds["piece"]["things"][piece]["cls"] == cls


def _get_side(game: Game, piece: int | None) -> str:
    return "" if piece is None else find_side_of_thing(game.state, "piece", piece)


def _get_place_id(game: Game, piece: int) -> str:
    return str(game.program.ids["place"][game.state.at[piece]])


def _is_rule_true(game: Game, name: str, viewer: object, target: int) -> bool:
    """Return whether a rule holds between two things, False where it makes no sense."""
    try:
        return bool(evaluate_or_none(game.state, game.program.functions.get_rule(name), viewer, target))
    except _SENSELESS:
        return False


@as_query
def _list_failing(game: Game, name: str, viewer: int, target: int) -> tuple[Any, ...]:
    """Return the failing requirements of the rule `name` for two things, given by their handles; () if it holds.

    Each is (number of the requirement, values of its text).
    """
    return find_failures(game.state, game.program.rules[name], (viewer, target))


def _iter_places(game: Game, failing: tuple[Any, ...]) -> Iterator[str]:
    """Yield the ids of the places that the texts of failing requirements name.

    `failing`: (number of the requirement, values of its text) for each.
    """
    program = game.program
    for number, values in failing:
        words = program.requirements[number].words
        parts = program.data["texts"][words] if isinstance(words, int) else words or ()
        for show, value in zip([p for p in parts if not isinstance(p, str)], values, strict=False):
            if get_kind(show) == "place":
                yield from (
                    program.ids["place"][v]
                    for v in (value if isinstance(value, tuple) else (value,))
                    if isinstance(v, int)
                )
