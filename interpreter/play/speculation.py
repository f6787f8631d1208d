"""Positions ahead of one, where trials come to: what is worked out at one of them is worked out for all trials.

Where no die falls, an answer leads to the same position whoever gives it. So only what nobody has answered there
before is carried out. Must not answer anything itself.
"""

from __future__ import annotations

from typing import Any

from interpreter.runtime.decisions import Decision
from interpreter.runtime.state import copied, is_same

_MOST = 5_000  # positions that are kept ahead of one


class SpeculativeNode:
    """Such a position: nobody writes in its state. `led` has the positions that answers led to, by answer.

    None stands there for what was given once: only what is given again is kept, and what is given where trials begin
    (`tried`).
    """

    __slots__ = ("state", "decision", "led", "tried", "_kept")

    def __init__(self, state: Any, kept: list[int]) -> None:
        self.state = state
        self.decision: Decision | None = None
        self.led: dict[Any, SpeculativeNode | None] = {}
        self.tried = False
        self._kept = kept  # how many there are ahead of the first

    def leads(self, answer: Any, state: Any) -> SpeculativeNode | None:
        """The position that an answer led to; None where there is no room to keep it."""
        if not self.tried and answer not in self.led:
            self.led[answer] = None
            return None
        self._kept[0] += 1
        if self._kept[0] > _MOST:
            return None
        self.led[answer] = there = SpeculativeNode(state, self._kept)
        return there

    def met(self, state: Any) -> SpeculativeNode | None:
        """The position that one answer led to where it is that of a state; what is kept ahead of it has room anew."""
        for there in self.led.values():
            if there is not None and is_same(there.state, state):
                self._kept[0] = 0
                return there
        return None


def ahead_of(state: Any, decision: Decision | None, dice: Any) -> SpeculativeNode:
    """The position of a state, with what is known of its decision: of one on trial the state itself, else a copy."""
    first = SpeculativeNode(state if state.on_trial else copied(state, dice), [0])
    first.state.on_trial = True
    if decision is not None and decision.state is state:
        first.decision = decision if first.state is state else decision.in_twin(first.state)
    return first
