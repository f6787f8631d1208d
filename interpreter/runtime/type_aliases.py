"""Names for the types that the modules of the runtime share."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

Value: TypeAlias = object  # a value of the rules; its type is known from the ruleset alone
Values: TypeAlias = tuple[Value, ...]
Cites: TypeAlias = tuple[str, ...]  # paragraphs of the rulebook
DisplayType: TypeAlias = Sequence[Any]  # plain data that describes a type: ("thing", kind), ("many", inner) ...
Telling: TypeAlias = tuple[Any, ...]  # words as data, in the forms that `Localizer.format_telling` lists
Number: TypeAlias = int | Fraction
Terms: TypeAlias = tuple[tuple[int, str, Number], ...]  # sign, name or '', and number of each operand of a sum

PlainOption: TypeAlias = tuple[int, Values]  # the number of the option in its decision (-1: done), and its arguments
Step: TypeAlias = tuple[int, Values]  # the number of the step in its draft, and its arguments

Resume: TypeAlias = tuple[str, int]  # a procedure and its resume point
Frame: TypeAlias = tuple[str, int, Values]  # a procedure, its resume point and its locals
Stack: TypeAlias = "tuple[()] | tuple[Resume, Values, Stack]"  # suspended procedures, innermost first
Above: TypeAlias = "None | tuple[Resume, Values, Above]"  # callers recorded while a decision suspends the run
Memo: TypeAlias = dict[Any, Any]  # memoized values by their arguments; only compiled rules know the types
Snapshot: TypeAlias = Values  # the values of a state at a decision
Failures: TypeAlias = tuple[tuple[int, Values], ...]  # number and values of each failing requirement


class Outcome(NamedTuple):
    """The end of a game.

    `winners`: the handles of the winning seats, or None for a draw. `level`: the number of the victory level, or None.
    `cites`: the paragraphs of the statement that ended the game. `reason`: "time" after the last turn, else "".
    """

    winners: tuple[int, ...] | None
    level: int | None
    cites: Cites = ()
    reason: str = ""


def handle_of(value: Value) -> int:
    """Return a value of the rules that is a handle; fail if it is not an int."""
    assert isinstance(value, int)
    return value
