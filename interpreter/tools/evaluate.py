"""Find a position named on a command line, and evaluate an expression in one. Never changes the position."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.api.evaluate import EXPRESSION, evaluate_expression
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.suggestions import suggest_words
from interpreter.i18n.translator import ENGLISH, Translator, mark as _
from interpreter.model import types as t
from interpreter.model.ruleset import RecordDefinition
from interpreter.runtime.errors import SetupError
from interpreter.tools.describe.value_format import convert_tuples_to_lists, to_plain_value

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.play.game import Game
    from interpreter.runtime.dice import DiceSource
    from interpreter.runtime.errors import RuleFault

_MAX_MEMBERS = 400  # maximum number of members of a set or list shown in words


@dataclass(frozen=True, slots=True)
class NamedPosition:
    """A game in the position of a saved game or a case.

    `call`: procedure and arguments that the first step of the case calls, or None. `goes_on`: instead, play continues
    with the turn (a case whose first step is "go on", or that has no steps).
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

        return NamedPosition(open_replay(text, target=rules.target).finish_without_divergence(text), None)
    return _find_case_position(rules, text, dice)


def continue_position(position: NamedPosition) -> Game:
    """Start the call of a position's case, or its first turn, and return the game."""
    if position.call is not None:
        name, args = position.call
        position.game.call(name, **args)
    elif position.goes_on:
        position.game.play_on()
    return position.game


def _find_case_position(rules: Rules, text: str, dice: DiceSource | None) -> NamedPosition:
    """Return the position of a case, given as FILE:ID or ID, before its steps, and the call of its first step if any.

    Raises SetupError if the case does not exist or has an error.
    """
    from interpreter.tools.cases.case_documents import collect_cases
    from interpreter.tools.cases.case_runs import require_model, start_case
    from interpreter.tools.cases.name_checks import check_names, collect_names

    sink = Sink()
    file, parted, case_id = text.rpartition(":")
    cases = collect_cases(rules.target, sink, case_id)
    matches = [c for c in cases if c.id == case_id and (not parted or c.span.file.endswith(file))]
    if not matches:
        hint = suggest_words(case_id, [c.id for c in collect_cases(rules.target, Sink())]) or _(
            "; give the file of a saved game, or FILE:ID of a case under tests/"
        )
        raise SetupError("`{text}` is not a saved game or a case{hint}", text=text, hint=hint)
    case = matches[0]
    model = require_model(rules)
    check_names(case, collect_names(model), model, sink)
    if sink.has_errors:
        fault = sink.list_errors()[0]
        raise SetupError("the case `{case}` has an error: {fault}", case=case.id, fault=fault.message)
    try:
        game = start_case(case, rules, dice)
    except ValueError as problem:
        raise SetupError("cannot set up the position of `{case}`: {problem}", case=case.id, problem=problem) from None
    first_step = case.steps[0] if case.steps else None
    call = (first_step.name, dict(first_step.args)) if first_step is not None and first_step.sort == "call" else None
    return NamedPosition(game, call, goes_on=first_step is None or first_step.sort == "go on")


def evaluate_to_data(rules: Rules, game: Game, text: str, lang: str = "") -> dict[str, Any]:
    """Evaluate an expression, and return its value and type as data and in words.

    The value is given by ids, as a case would write it. Raises EvaluationError if the expression is invalid, RuleFault
    if it cannot be evaluated in this position.
    """
    model = rules.model
    evaluated = evaluate_expression(model, game, text)
    value, words = convert_tuples_to_lists(evaluated.value), ""
    if model is not None and _has_records(evaluated.type):
        records = {name: RecordDefinition(name, dict(fields)) for name, fields in model.records.items()}
        own_ruleset = replace(model.ruleset, records={**model.ruleset.records, **records})
        value = to_plain_value(evaluated.raw, evaluated.type, own_ruleset)
    else:
        words = game.program.get_localizer(lang).format_value(evaluated.show, evaluated.raw)
    return {"expression": text, "type": str(evaluated.type), "value": value, "words": words}


def _has_records(type_: t.Type) -> bool:
    match type_:
        case t.RecordType():
            return True
        case t.SetType(item=item) | t.ListType(item=item) | t.MaybeType(item=item):
            return item is not None and _has_records(item)
    return False


def format_expression(data: dict[str, Any], say: Translator = ENGLISH, in_words: bool = False) -> list[str]:
    """Format the value as a case writes it, followed by its wording.

    The wording is shown for a single value if it is clearer, and for any value if `in_words`.
    """
    value = data["value"]
    if isinstance(value, list) and len(value) > 1:
        listed = ENGLISH.format_value([*value[:_MAX_MEMBERS], "..."] if len(value) > _MAX_MEMBERS else value)
        lines = [say("{values} ({number} in all)", values=listed, number=len(value))]
        in_words = in_words and len(value) <= _MAX_MEMBERS
    else:
        listed = '""' if value == "" else ENGLISH.format_value(value)
        lines, in_words = [listed], in_words or not isinstance(value, list)
    words = data["words"] if in_words else ""
    return [*lines, "  " + words] if words and words.casefold() != listed.casefold() else lines


def explain_fault(fault: RuleFault, say: Translator = ENGLISH) -> list[str]:
    """Explain why an expression cannot be evaluated in a position, with the rules' stack trace."""
    lines = [say("this cannot be computed in this position: {fault}", fault=fault.message)]
    return lines + [f"  {place}" for place in fault.stack[-8:] if not place.startswith(f"{EXPRESSION}:")]
