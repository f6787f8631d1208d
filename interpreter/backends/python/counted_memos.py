"""Analysis of which cached values charge the budget when computed; a choice starts without those.

So the budget runs out at the same point regardless of earlier memoization.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import CodeType

from interpreter.runtime.intrinsics import NAMESPACE
from interpreter.runtime.trace import NOTES

_QUIET = {"_is_first", "_alike"}  # what the runtime does with a state without counting


def counting(codes: Iterable[CodeType]) -> frozenset[str]:
    """Return the functions that may charge budget steps to a choice, directly or through functions that they name.

    Functions without a state argument charge the program's meter instead.
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
    """Return whether an object is a function of the runtime with a state parameter."""
    code = getattr(found, "__code__", None)
    return code is not None and "state" in code.co_varnames[: code.co_argcount]


def _names(code: CodeType) -> Iterable[str]:
    """Yield the names of the functions and attributes that a code object uses, nested code included."""
    yield from code.co_names
    for inner in _inside(code):
        yield from _names(inner)


def _inside(code: CodeType) -> Iterable[CodeType]:
    return (part for part in code.co_consts if isinstance(part, CodeType))
