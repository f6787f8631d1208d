"""Resolve the positions named on a command line: a saved game or a case.

Evaluates nothing in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.suggestions import suggest_words
from interpreter.i18n.translator import mark as _
from interpreter.runtime.errors import SetupError

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.play.game import Game
    from interpreter.runtime.dice import DiceSource


@dataclass(frozen=True, slots=True)
class NamedPosition:
    """A game in the position of a saved game or a case.

    `call`: procedure and arguments with which the case continues, or None. `goes_on`: the case plays on from a turn
    that has begun.
    """

    game: Game
    call: tuple[str, dict[str, Any]] | None
    goes_on: bool = False


def find_position(rules: Rules, text: str, dice: DiceSource | None = None) -> NamedPosition:
    """Return the position of a saved game or of a case (FILE:ID, or ID alone).

    Raises SetupError if it does not exist. For a case, `rules` must have been loaded with its checked model. `dice`
    supplies the rolls after the position of a case; without it every die shows its first face.
    """
    if Path(text).is_file():
        from interpreter.api.resume import open_replay

        return NamedPosition(open_replay(text, target=rules.target).finish_exactly(text), None)
    return _of_case(rules, text, dice)


def continue_position(position: NamedPosition) -> Game:
    """Start the call of a position's case, or its first turn, and return the game."""
    if position.call is not None:
        name, args = position.call
        position.game.call(name, **args)
    elif position.goes_on:
        position.game.play_on()
    return position.game


def _of_case(rules: Rules, text: str, dice: DiceSource | None) -> NamedPosition:
    from interpreter.tools.cases.case_documents import collect_cases
    from interpreter.tools.cases.case_runs import start_case
    from interpreter.tools.cases.name_checks import check_names, names_in_play

    sink = Sink()
    file, parted, wanted = text.rpartition(":")
    cases = collect_cases(rules.target, sink, wanted)
    found = [c for c in cases if c.id == wanted and (not parted or c.span.file.endswith(file))]
    if not found:
        hint = suggest_words(wanted, [c.id for c in collect_cases(rules.target, Sink())]) or _(
            "; give the file of a saved game, or FILE:ID of a case under tests/"
        )
        raise SetupError("there is no saved game or case `{text}`{hint}", text=text, hint=hint)
    case = found[0]
    model = rules.model
    assert model is not None
    check_names(case, names_in_play(model), model, sink)
    if sink.has_errors:
        fault = sink.errors()[0]
        raise SetupError("the case `{case}` has an error: {fault}", case=case.id, fault=fault.message)
    try:
        game = start_case(case, rules, model, dice)
    except ValueError as problem:
        raise SetupError("cannot set up the position of `{case}`: {problem}", case=case.id, problem=problem) from None
    first = case.steps[0] if case.steps else None
    call = (first.name, dict(first.args)) if first is not None and first.sort == "call" else None
    return NamedPosition(game, call, goes_on=first is None or first.sort == "go on")
