"""Which remembered answers count steps of the budget when they are worked out: a choice does not begin with those.

So the budget ends at the same place whatever was remembered before. Must not choose what is remembered.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import CodeType

from interpreter.runtime.functions import NAMESPACE
from interpreter.runtime.notes import NOTES

_QUIET = {"_standing", "_at", "_is_first", "_alike"}  # what the runtime does with a state without counting


def counting(codes: Iterable[CodeType]) -> frozenset[str]:
    """Return the functions in some code that may count steps of a choice, themselves or by others that they name.

    Functions that are given no state count on the program's meter, which is no part of a choice.
    """
    made = [part for code in codes for part in _inside(code) if "G" in part.co_varnames[: part.co_argcount]]
    named = {part.co_name: frozenset(_names(part)) for part in made}
    own = {name for name, found in {**NAMESPACE, **NOTES}.items() if _takes_state(found)} - _QUIET | {"spent"}
    found: set[str] = set()
    further = {name for name, used in named.items() if not own.isdisjoint(used)}
    while further:
        found |= further
        further = {name for name, used in named.items() if name not in found and not found.isdisjoint(used)}
    return frozenset(found)


def _takes_state(found: object) -> bool:
    """True for a function of the runtime that is given a state."""
    code = getattr(found, "__code__", None)
    return code is not None and "state" in code.co_varnames[: code.co_argcount]


def _names(code: CodeType) -> Iterable[str]:
    """What is named in some code: what it calls, and what it reads of things."""
    yield from code.co_names
    for inner in _inside(code):
        yield from _names(inner)


def _inside(code: CodeType) -> Iterable[CodeType]:
    return (part for part in code.co_consts if isinstance(part, CodeType))
