"""Encode a value of a ruleset as a row of numbers with named channels. Does not need numpy.

Flags: one number, 1 or 0. Numbers: unchanged. One of a few values: one-hot. One of more than ONE_HOT things: its
index in document order, from 1. Missing: all 0. Sets: multi-hot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interpreter.runtime.program import Program
from interpreter.runtime.type_aliases import DisplayType

ONE_HOT = 64  # things that get a number each; of more, one number holds the place in the order

FLAG, NUMBER, ONE_OF, WHICH, SET, COUNT, PART = "flag", "number", "one of", "which", "set", "count", "part"


@dataclass(frozen=True, slots=True)
class EncodedField:
    """Encoding of one value as numbers.

    `sort`: the kind of encoding. `names`: the name of each number.
    `places` maps a value to its index for one-hot and multi-hot encodings; None if values are used as numbers. If
    `has_presence`, the last number is 1 if there is a value, else 0.
    """

    name: str
    sort: str
    names: tuple[str, ...]
    places: Mapping[Any, int] | None = field(default=None, repr=False)
    has_presence: bool = False

    @property
    def width(self) -> int:
        """Return how many numbers the encoding of a value has."""
        return len(self.names)


def build_field(program: Program, name: str, show: DisplayType) -> EncodedField | None:
    """Return the encoding of a value of type `show`, or None for texts and records, which are not encoded.

    `name`: the name of the value; the names of the encoded numbers begin with it.
    """
    match show[0]:
        case "flag":
            return EncodedField(name, FLAG, (name,))
        case "int" | "number":
            return EncodedField(name, NUMBER, (name,))
        case "many":
            return _build_set_field(program, name, show[1])
        case "part":
            arms = [arm for arm, _ in show[1]]
            names = (*(f"{name} = {arm}" for arm in arms), f"{name} number")
            return EncodedField(name, PART, names, {arm: n for n, arm in enumerate(arms)})
        case "maybe":
            inner = build_field(program, name, show[1])
            if inner is None or inner.sort in (ONE_OF, WHICH, SET):
                return inner
            return EncodedField(name, inner.sort, (*inner.names, f"{name} is there"), inner.places, True)
    words = list_values(program, show)
    if words is None:
        return None
    if len(words) > ONE_HOT:
        return EncodedField(name, WHICH, (f"{name}, by number",), {value: n + 1 for n, value in enumerate(words)})
    return EncodedField(
        name, ONE_OF, tuple(f"{name} = {word}" for word in words.values()), {v: n for n, v in enumerate(words)}
    )


def _build_set_field(program: Program, name: str, show: DisplayType) -> EncodedField:
    """Encode a set as a flag for each possible member, or as the number of members if they cannot be listed."""
    words = list_values(program, show)
    if words is None:
        return EncodedField(name, COUNT, (f"how many of {name}",))
    names = tuple(f"{word} in {name}" for word in words.values())
    return EncodedField(name, SET, names, {v: n for n, v in enumerate(words)})


def list_values(program: Program, show: DisplayType) -> dict[Any, str] | None:
    """Return the text of each possible value of type `show`, by value; None for numbers, texts and sets."""
    match show[0]:
        case "thing" if show[1] == "level":
            return {n: str(level["id"]) for n, level in enumerate(program.level_data)}
        case "thing":
            return dict(enumerate(program.ids[show[1]]))
        case "rung":
            return dict(enumerate(program.ladders[show[1]]["rungs"]))
        case "word":
            return {word: word for word in show[1]}
        case "direction" if program.links.directions:
            return {d: str(d) for d in program.links.directions}
        case "flag":
            return {False: "no", True: "yes"}
    return None
