"""Parse typed queries about odds: a position, a procedure and its arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.suggestions import suggest_words
from interpreter.i18n.number_format import parse_number
from interpreter.i18n.translator import mark as _
from interpreter.runtime.errors import SetupError
from interpreter.runtime.type_aliases import DisplayType

if TYPE_CHECKING:
    from interpreter.api.rules import Rules

_INTEGER = re.compile("[-+]?[0-9]{1,18}")


def parse_arguments(rules: Rules, procedure: str, words: Iterable[str]) -> dict[str, Any]:
    """Parse arguments such as `u=guards` and `targets=hill,ford` into the values of a procedure's parameters.

    `procedure`: its name; `words`: the arguments. Raises SetupError for an unknown procedure and for invalid
    arguments.
    """
    known = rules.program.data["procedures"]
    if procedure in rules.program.charts:
        raise SetupError("`{table}` is a table, not a procedure; write: odds RULESET table {table}", table=procedure)
    if "(" in procedure:
        raise SetupError("`{option}` is not a procedure; write an option as: --choose '{option}'", option=procedure)
    if procedure not in known:
        hint = suggest_words(procedure, known, all_of_them=True)
        raise SetupError("unknown procedure `{procedure}`{hint}", procedure=procedure, hint=hint)
    shows = dict(known[procedure]["params"])
    signature = ", ".join(f"{n}={_format_type(s)}" for n, s in shows.items()) or _("no arguments")
    arguments: dict[str, Any] = {}
    for word in words:
        name, parted, value = word.partition("=")
        if not parted:
            holes = {"word": word, "procedure": procedure, "wanted": signature}
            raise SetupError("`{word}`: expected ARGUMENT=VALUE; `{procedure}` takes {wanted}", **holes)
        if name not in shows:
            holes = {"procedure": procedure, "name": name, "wanted": signature}
            raise SetupError("`{procedure}` has no argument `{name}`; it takes {wanted}", **holes)
        if name in arguments:
            raise SetupError("`{name}` is given twice; write several values as {name}=a,b", name=name)
        arguments[name] = _parse_value(shows[name], value.strip())
    if missing := tuple(n for n in shows if n not in arguments):
        text = _(
            "`{procedure}` also needs {missing}; it takes {wanted}",
            procedure=procedure,
            missing=missing,
            wanted=signature,
        )
        raise SetupError(text)
    return arguments


def _format_type(show: DisplayType) -> str:
    match show[0]:
        case "thing" | "rung":
            return str(show[1]).upper()
        case "many":
            return f"{_format_type(show[1])},..."
        case "maybe":
            return _format_type(show[1])
        case "int" | "number":
            return "NUMBER"
        case "flag":
            return "yes|no"
    return "VALUE"


def _parse_value(show: DisplayType, text: str) -> object:
    match show[0]:
        case "many":
            inside = text.removeprefix("{").removesuffix("}")
            return [_parse_value(show[1], w.strip()) for w in inside.replace(";", ",").split(",") if w.strip()]
        case "maybe":
            return None if text in ("", "nothing") else _parse_value(show[1], text)
        case "int" | "number":
            return parse_number_or_text(text)
    return text


def parse_number_or_text(text: str) -> int | Fraction | str:
    """Parse text as an exact number; return the text unchanged if it is not a number."""
    if _INTEGER.fullmatch(text.strip()):
        return int(text)
    number = parse_number(text.strip().removeprefix("+"))
    return text if number is None else number
