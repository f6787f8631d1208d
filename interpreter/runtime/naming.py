"""How values are told: as stable ids for keys and data, as words for people.

`Naming(program, language)`; must not decide what is shown where.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.runtime.program import Program

_AND = {"en": " and ", "ja": "、"}
_YES = {"en": ("yes", "no"), "ja": ("はい", "いいえ")}
_NONE = {"en": "nothing", "ja": "なし"}


class Naming:
    """Words for values in one language; the ruleset's first language where a label is missing."""

    __slots__ = ("program", "language")

    def __init__(self, program: Program, language: str = "") -> None:
        self.program = program
        self.language = language or program.languages[0]

    def label(self, label: Any, fallback: str = "") -> str:
        """A label in this language."""
        if not label:
            return fallback
        return str(label.get(self.language) or next(iter(label.values())))

    def value(self, show: Any, value: Any) -> str:
        """A value as people read it."""
        match show[0]:
            case "thing":
                return self.thing(show[1], value)
            case "rung":
                ladder = self.program.ladders[show[1]]
                return self.label(ladder["labels"][value], ladder["rungs"][value])
            case "flag":
                yes, no = _YES.get(self.language, _YES["en"])
                return yes if value else no
            case "maybe":
                return _NONE.get(self.language, "nothing") if value is None else self.value(show[1], value)
            case "many":
                return self.many([self.value(show[1], v) for v in value])
            case "word":
                return str(value).replace("_", " ")
            case "part":
                return f"{value[0]} {value[1]}" if value[1] else str(value[0])
        return number_text(value)

    def many(self, words: list[str]) -> str:
        """Several words as a list."""
        if not words:
            return _NONE.get(self.language, "nothing")
        if len(words) == 1:
            return words[0]
        glue = _AND.get(self.language, ", ")
        if glue == "、":
            return glue.join(words)
        return ", ".join(words[:-1]) + glue + words[-1]

    def thing(self, kind: str, handle: int) -> str:
        """The name of a thing; an alike piece goes by its group."""
        if kind == "level":
            level = self.program.level_data[handle]
            return self.label(level["title"], level["id"])
        data = self.program.kinds[kind]["things"][handle]
        if kind == "piece" and self.program.is_alike[handle]:
            cls = self.program.classes[data["cls"]]
            owner = [self.value(a["show"], self.program.constant_of(handle, n))
                     for n in cls["counters"] if not (a := self.program.kinds["piece"]["attributes"][n])["changes"]]
            return " ".join([self.label(cls["label"], cls["one"]), *(f"({o})" for o in owner)])
        return self.label(data["label"], data["id"])

    def words(self, parts: Any, values: Any) -> str:
        """Words with their holes filled."""
        out: list[str] = []
        following = iter(values)
        for part in parts or ():
            out.append(part if isinstance(part, str) else self.value(part, next(following)))
        return "".join(out)


def number_text(value: Any) -> str:
    """A number, with halves and other fractions as people write them."""
    if isinstance(value, Fraction):
        whole, rest = divmod(value.numerator, value.denominator)
        return f"{whole} {rest}/{value.denominator}" if whole else f"{rest}/{value.denominator}"
    return str(value)


def value_id(program: Program, show: Any, value: Any) -> Any:
    """A value as stable data: ids for things, words for rungs, lists for sets."""
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
            return None if value is None else value_id(program, show[1], value)
        case "many":
            return tuple(value_id(program, show[1], v) for v in value)
        case "part":
            return f"{value[0]} {value[1]}" if value[1] else value[0]
    return value


class UnknownValue(ValueError):
    """Data that is no value of the wanted sort; the message says what was expected."""


def value_from_id(program: Program, show: Any, given: Any) -> Any:
    """Stable data as a value; raises `UnknownValue` with a helpful message."""
    match show[0]:
        case "thing":
            ids = [x["id"] for x in program.level_data] if show[1] == "level" else program.ids[show[1]]
            return _index(given, ids, program.kinds[show[1]]["one"] if show[1] in program.kinds else show[1])
        case "rung":
            return _index(given, program.ladders[show[1]]["rungs"], f"rung of {show[1]}")
        case "flag":
            if isinstance(given, bool):
                return given
            if given in ("true", "yes"):
                return True
            if given in ("false", "no"):
                return False
            raise UnknownValue(f"expected true or false, found `{given}`")
        case "int" | "number":
            whole = isinstance(given, int) and not isinstance(given, bool)
            if not whole and not (show[0] == "number" and isinstance(given, Fraction)):
                raise UnknownValue(f"expected a {'whole ' if show[0] == 'int' else ''}number, found `{given}`")
            return given
        case "maybe":
            return None if given is None else value_from_id(program, show[1], given)
        case "many":
            if not isinstance(given, list | tuple):
                raise UnknownValue(f"expected a list, found `{given}`")
            return tuple(value_from_id(program, show[1], v) for v in given)
    return given


def _index(given: Any, ids: Any, what: str) -> int:
    from interpreter.source.suggestion import did_you_mean

    for index, known in enumerate(ids):
        if known == str(given):
            return index
    hint = did_you_mean(str(given), ids)
    raise UnknownValue(f"there is no {what} `{given}`" + (f"; {hint}" if hint else ""))
