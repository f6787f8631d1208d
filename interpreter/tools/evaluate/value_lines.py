"""The value of an expression in a position, as data and as text. Never changes the position."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from interpreter.api.evaluate import EXPRESSION, evaluate_expression
from interpreter.i18n.translator import ENGLISH, Translator
from interpreter.model import types as t
from interpreter.model.ruleset import RecordDefinition
from interpreter.tools.describe.value_format import value_data

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.play.game import Game
    from interpreter.runtime.errors import RuleFault

_MOST = 400  # maximum number of members of a set or list shown in words


def expression_data(rules: Rules, game: Game, text: str, lang: str = "") -> dict[str, Any]:
    """Evaluate an expression, and return its value and type as data and in words.

    The value is given by ids, as a case would write it. Raises EvaluationError if the expression is invalid, RuleFault
    if it cannot be evaluated in this position.
    """
    model = rules.model
    found = evaluate_expression(model, game, text)
    value, words = _lists_of(found.value), ""
    if model is not None and _has_records(found.type):
        records = {name: RecordDefinition(name, dict(fields)) for name, fields in model.records.items()}
        known = replace(model.ruleset, records={**model.ruleset.records, **records})
        value = value_data(found.raw, found.type, known)
    else:
        words = game.program.localizer(lang).handle_value(found.show, found.raw)
    return {"expression": text, "type": str(found.type), "value": value, "words": words}


def _has_records(type_: t.Type) -> bool:
    match type_:
        case t.RecordType():
            return True
        case t.SetType(item=item) | t.ListType(item=item) | t.MaybeType(item=item):
            return item is not None and _has_records(item)
    return False


def _lists_of(value: object) -> object:
    return [_lists_of(v) for v in value] if isinstance(value, tuple) else value


def expression_lines(data: dict[str, Any], say: Translator = ENGLISH, in_words: bool = False) -> list[str]:
    """Format the value as a case writes it, followed by its wording.

    The wording is shown for a single value if it is clearer, and for any value if `in_words`.
    """
    value = data["value"]
    if isinstance(value, list) and len(value) > 1:
        listed = ENGLISH.value([*value[:_MOST], "..."] if len(value) > _MOST else value)
        lines = [say("{values} ({number} in all)", values=listed, number=len(value))]
        in_words = in_words and len(value) <= _MOST
    else:
        listed = '""' if value == "" else ENGLISH.value(value)
        lines, in_words = [listed], in_words or not isinstance(value, list)
    words = data["words"] if in_words else ""
    return [*lines, "  " + words] if words and words.casefold() != listed.casefold() else lines


def fault_lines(fault: RuleFault, say: Translator = ENGLISH) -> list[str]:
    """Explain why an expression cannot be evaluated in a position, with the rules' stack trace."""
    lines = [say("this cannot be computed in this position: {fault}", fault=fault.message)]
    return lines + [f"  {place}" for place in fault.stack[-8:] if not place.startswith(f"{EXPRESSION}:")]
