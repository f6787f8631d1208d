"""What is known of each operation: what it reads, whether it may fault, what it costs; and the register of builtins.

A builtin function of the language is declared where it is written, by `@builtin("name(word: type) -> type", ...)`:
checker, compiler and ledger read from here all that they know of it. Must not hold what any of them does with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

Made = TypeVar("Made", bound=Callable[..., Any])
EVERYTHING = "*"  # in place of what is read of the state: it may be anything


@dataclass(frozen=True, slots=True)
class OperationFacts:
    """What is known of an operation; its parts are looked at apart.

    `faults`: it may fault, whatever its parts are, so it stays where it stands. `takes_missing`: a part that is missing
    does no harm. `loops`: how much it goes through itself, roughly. `reads`: what it reads of the state ("at" where
    pieces stand, "turn", "last_turn", "options"). `looks_up`: in a table. `is_kept`: its value may be worth keeping
    for the next turn of a loop. `is_large`: too much to be written out where it is called. `is_silent`: a ledger notes
    nothing inside it. `weighs`: its value is reckoned from its parts, so what is noted of them tells of it.
    `any_order`: of a list it is all one in which order the members stand. `is_short`: a number of few digits, whatever
    it is made of. `grows`: a number that can come out longer than what it is made of.
    """

    faults: bool = False
    takes_missing: bool = False
    loops: int = 0
    reads: tuple[str, ...] = ()
    looks_up: bool = False
    is_kept: bool = False
    is_large: bool = False
    is_silent: bool = False
    weighs: bool = False
    any_order: bool = False
    is_short: bool = False
    grows: bool = False


@dataclass(frozen=True, slots=True)
class Builtin:
    """A builtin: `params` (words and types) and `result` as it is declared, and what it does.

    `needs` is what it is given before its arguments: "" nothing, "links" the map, "state" the position. `code` is what
    stands for a call of it in compiled rules, if not the call. A single argument that goes through a set may be
    written out (`count(x in .. where ..)`) and is then gathered by a former of the sort `gathers`.
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
        """How it is written."""
        return f"{self.name}({', '.join(word for word, _ in self.params)})"


BUILTINS: dict[str, Builtin] = {}


def builtin(
    declared: str, needs: str = "", code: str = "", gathers: str = "", facts: OperationFacts | None = None
) -> Callable[[Made], Made]:
    """Declares a function of the language; see `Builtin` and `Facts`."""
    head, result = declared.split(" -> ")
    name, inside = head.rstrip(")").split("(")
    words = [part.partition(": ") for part in inside.split(", ")]
    known = replace(facts or OperationFacts(), is_kept=True)

    def declare(made: Made) -> Made:
        params = tuple((word, type_) for word, _, type_ in words)
        BUILTINS[name] = Builtin(name, params, result, made, needs, code, gathers, known)
        return made

    return declare
