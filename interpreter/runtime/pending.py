"""Pending inputs of a state: a decision, the end of a draft, or, in programs for odds, an outcome of chance.

The rules create these records when they suspend; `runtime/machine.py` resumes them with an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from interpreter.runtime.type_aliases import PlainOption, Value

if TYPE_CHECKING:
    from interpreter.runtime.state import State


class PendingDecision(NamedTuple):
    """A decision that a side has to take.

    `number`: its number in the program; `values`: the local values that its expressions read; `options`: the legal
    options.
    """

    number: int
    values: tuple[Value, ...]
    options: list[PlainOption]


class PendingDraft(NamedTuple):
    """A decision that is answered by a draft.

    `number`: its number in the program; `values`: the local values that its expressions read; `args`: the arguments of
    the draft.
    """

    number: int
    values: tuple[Value, ...]
    args: tuple[Value, ...]


class PendingChance(NamedTuple):
    """Dice or a draw for which a program that computes odds waits.

    `kind` and `subject`: kind and handle of what it is rolled for, or None. `source`: the faces, or the members to draw
    from. `amount`: how many. `signature`: returns, for each value that the rules compute from a die, that value for
    every face; None if they read the faces themselves. `is_ordered`: whether the order matters. `is_summed`: only sums
    over the dice are read.
    """

    sort: Literal["roll", "draw"]
    name: str
    kind: str | None
    subject: Value
    source: tuple[Value, ...]
    amount: int
    signature: Callable[[], Sequence[Sequence[Any]]] | None
    is_ordered: bool
    is_summed: bool


class PendingClose(NamedTuple):
    """The end of a repeated decision, at which programs that compute odds pause.

    `sort` is always "close"; `decision`: the number of the decision.
    """

    sort: Literal["close"]
    decision: int


PendingQuestion: TypeAlias = PendingDecision | PendingDraft
Pending: TypeAlias = PendingQuestion | PendingChance | PendingClose

_ASKED = (PendingDecision, PendingDraft)


def get_pending_decision(state: State) -> PendingQuestion:
    """Return the decision that a state waits for; fail if it waits for none."""
    pending = state.pending
    assert isinstance(pending, _ASKED)
    return pending


# classes that compiled rules create, by the names they use
EMITTED = {"_" + cls.__name__: cls for cls in (PendingDecision, PendingDraft, PendingChance, PendingClose)}
