"""Values as stable data and back: ids for things, words for rungs, lists for sets."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.suggestions import suggest_words
from interpreter.i18n.translator import LocalizedError, mark as _
from interpreter.runtime.type_aliases import DisplayType

if TYPE_CHECKING:
    from interpreter.runtime.program import Program

_FRACTION = re.compile(r"-?[0-9]{1,18}/[1-9][0-9]{0,17}")  # fractions in data
_KINDS = {"piece": _("piece"), "place": _("place"), "side": _("side"), "seat": _("seat"), "word": _("word")}


def to_value_id(program: Program, show: DisplayType, value: Any) -> object:  # noqa: ANN401 - its shape follows `show`
    """Convert a value to the form in which it is saved: ids for things, words for rungs, lists for sets.

    `show`: its type.
    """
    match show[0]:
        case "thing":
            if value is None:
                return None
            if show[1] == "level":
                return program.level_data[value]["id"]
            return program.ids[show[1]][value]
        case "rung":
            return None if value is None else program.ladders[show[1]]["rungs"][value]
        case "maybe":
            return None if value is None else to_value_id(program, show[1], value)
        case "many":
            return tuple(to_value_id(program, show[1], v) for v in value)
        case "part":
            return f"{value[0]} {value[1]}" if value[1] else value[0]
    return value


def build_collection(show: DisplayType, values: Iterable[Any]) -> tuple[Any, ...]:
    """Return values as a set (sorted, each once) or a list (in the given order), by the type `show`."""
    return tuple(sorted(set(values))) if show[-1] == "set" else tuple(values)


class UnknownValueError(LocalizedError, ValueError):
    """Data that is not a value of the expected type; the message names the expected type."""


def from_value_id(program: Program, show: DisplayType, value_id: object) -> object:
    """Convert a value from saved data (ids, names, numbers, lists) to the form that the program computes with.

    `show`: the type, as plain data. Raises `UnknownValueError` if the data is not a value of the type.
    """
    match show[0]:
        case "thing":
            if show[1] == "edge" and str(value_id) in program.handles["edge"]:
                return program.handles["edge"][str(value_id)]
            ids = [x["id"] for x in program.level_data] if show[1] == "level" else program.ids[show[1]]
            return _find_index(value_id, ids, program.kinds[show[1]]["one"] if show[1] in program.kinds else show[1])
        case "rung":
            return _find_index(value_id, program.ladders[show[1]]["rungs"], _("rung of {ladder}", ladder=show[1]))
        case "flag":
            if isinstance(value_id, bool):
                return value_id
            if value_id in ("true", "yes"):
                return True
            if value_id in ("false", "no"):
                return False
            raise UnknownValueError("expected true or false, found `{given}`", given=value_id)
        case "int" | "number":
            if show[0] == "number" and isinstance(value_id, str) and _FRACTION.fullmatch(value_id):
                return Fraction(value_id)
            whole = isinstance(value_id, int) and not isinstance(value_id, bool)
            if not whole and not (show[0] == "number" and isinstance(value_id, Fraction)):
                raise UnknownValueError(
                    _("expected a whole number, found `{given}`", given=value_id)
                    if show[0] == "int"
                    else _("expected a number, found `{given}`", given=value_id)
                )
            return value_id
        case "maybe":
            return None if value_id is None else from_value_id(program, show[1], value_id)
        case "many":
            if not isinstance(value_id, list | tuple):
                raise UnknownValueError("expected a list, found `{given}`", given=value_id)
            return build_collection(show, (from_value_id(program, show[1], v) for v in value_id))
        case "word":
            return show[1][_find_index(value_id, show[1], "word")]
        case "part":
            return _parse_part(value_id, dict(show[1]))
    return value_id


def _parse_part(part_id: object, arms: dict[str, bool]) -> tuple[str, int]:
    """Parse a part of a chart's result, written as "name" or "name number", into (name, number).

    `arms`: the names allowed, and whether each has a number.
    """
    name, _gap, number = str(part_id).partition(" ")
    _find_index(name, arms, "word")
    if arms[name] and not number.isdecimal() or number and not arms[name]:
        raise UnknownValueError(
            _("expected `{name} 1` or another number, found `{given}`", name=name, given=part_id)
            if arms[name]
            else _("expected `{name}`, found `{given}`", name=name, given=part_id)
        )
    return name, int(number or 0)


def _find_index(value_id: object, ids: Iterable[str], what: str) -> int:
    for index, known in enumerate(ids):
        if known == str(value_id):
            return index
    raise UnknownValueError(
        "unknown {what} `{given}`{hint}",
        what=_KINDS.get(what, what),
        given=value_id,
        hint=suggest_words(str(value_id), ids),
    )
