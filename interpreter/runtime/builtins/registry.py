"""Registry of builtins and the facts known about each operation, such as what it reads and whether it faults.

A builtin is declared where it is implemented, by `@builtin("name(word: type) -> type", ...)`; checker, compiler and
ledger all read its declaration from here. This makes it work in Python. For games inside WebAssembly it needs an entry
in `lowering/builtin_lowering.py`, for the reference evaluator one in `tests/witness/builtins.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

Declared = TypeVar("Declared", bound=Callable[..., Any])
EVERYTHING = "*"  # wildcard for `reads`: any part of the state


@dataclass(frozen=True, slots=True)
class OperationFacts:
    """Properties of an operation that hold for all operands.

    `faults`: it may fault for any operands, so it is never moved. `takes_missing`: it accepts a missing operand.
    `reads`: the parts of the state that it reads ("at" for the places of pieces, "turn", "last_turn", "options").
    `looks_up`: it reads a table. `is_silent`: the trace records nothing inside it. `weighs`: it is
    arithmetic or a conditional, so the ledger explains its value by the rolls, tallies and look-ups in its operands.
    `any_order`: the order of a list operand does not matter. `is_short`:
    the result has few digits for any operands. `grows`: the result can have more digits than its operands.
    """

    faults: bool = False
    takes_missing: bool = False
    reads: tuple[str, ...] = ()
    looks_up: bool = False
    is_silent: bool = False
    weighs: bool = False
    any_order: bool = False
    is_short: bool = False
    grows: bool = False


@dataclass(frozen=True, slots=True)
class Builtin:
    """A builtin function of the rules language: its parameters (word and type of each), result type and implementation.

    `needs` is the implicit first argument: "" for none, "links" for the map, "state" for the position. `code`: Python
    code that replaces a call in compiled rules, or "". `gathers`: the aggregate that evaluates a call whose single set
    argument is written as a comprehension (`count(x in .. where ..)`), or "".
    """

    name: str
    params: tuple[tuple[str, str], ...]
    result: str
    function: Callable[..., Any]
    needs: str
    code: str
    gathers: str
    facts: OperationFacts

    @property
    def usage(self) -> str:
        """Return the call syntax, such as `name(word, word)`."""
        return f"{self.name}({', '.join(word for word, _ in self.params)})"


BUILTINS: dict[str, Builtin] = {}


def builtin(
    declared: str, needs: str = "", code: str = "", gathers: str = "", facts: OperationFacts | None = None
) -> Callable[[Declared], Declared]:
    """Return a decorator that declares a function of the rules language; see `Builtin` and `OperationFacts`."""
    head, result = declared.split(" -> ")
    name, inside = head.rstrip(")").split("(")
    words = [part.partition(": ") for part in inside.split(", ")]
    known = facts or OperationFacts()

    def declare(function: Declared) -> Declared:
        params = tuple((word, type_) for word, _, type_ in words)
        BUILTINS[name] = Builtin(name, params, result, function, needs, code, gathers, known)
        return function

    return declare
