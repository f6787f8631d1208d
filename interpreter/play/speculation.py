"""Positions reachable in trials, shared so that each is computed and memoized only once.

As long as no die is rolled, the same answer leads to the same position, so only answers not given there before are
carried out.
"""

from __future__ import annotations

from typing import Any

from interpreter.runtime.decisions import Decision
from interpreter.runtime.dice import DiceSource
from interpreter.runtime.state import State, clone_state, is_same

_MOST = 5_000  # nodes kept ahead of a root


class SpeculativeNode:
    """A position that trials share and do not change; `successors` maps an answer to the node it led to.

    The first time an answer is given it maps to None: its position is stored from the second time on, or from the first
    time at the node where trials begin (`begins_trials`).
    """

    __slots__ = ("state", "decision", "successors", "begins_trials", "_kept")

    def __init__(self, state: State, kept: list[int]) -> None:
        self.state = state
        self.decision: Decision | None = None
        self.successors: dict[Any, SpeculativeNode | None] = {}
        self.begins_trials = False
        self._kept = kept  # shared counter of nodes ahead of the root

    def add_successor(self, answer: object, state: State) -> SpeculativeNode | None:
        """Record that an answer led to the position `state`; return its node, or None if no node is stored for it."""
        if not self.begins_trials and answer not in self.successors:
            self.successors[answer] = None
            return None
        self._kept[0] += 1
        if self._kept[0] > _MOST:
            return None
        self.successors[answer] = there = SpeculativeNode(state, self._kept)
        return there

    def find_successor(self, state: State) -> SpeculativeNode | None:
        """Return the successor node whose position equals `state`, or None; a hit allows more nodes to be stored."""
        for there in self.successors.values():
            if there is not None and is_same(there.state, state):
                self._kept[0] = 0
                return there
        return None


def create_root(state: State, decision: Decision | None, dice: DiceSource) -> SpeculativeNode:
    """Return the root node of a state.

    `decision`: the pending decision, which is used again if it belongs to `state`. The state itself is used if it is
    on trial, otherwise a copy with `dice`.
    """
    first = SpeculativeNode(state if state.on_trial else clone_state(state, dice), [0])
    first.state.on_trial = True
    if decision is not None and decision.state is state:
        first.decision = decision if first.state is state else decision.copy_for(first.state)
    return first
