"""Positions reachable in trials, shared so that each is computed and memoized only once.

As long as no die is rolled, an answer always leads from one position to the same next one. So an answer is carried out
only the first time, and its position is reused afterwards.
"""

from __future__ import annotations

from typing import Any

from interpreter.runtime.decisions import Decision
from interpreter.runtime.dice import DiceSource
from interpreter.runtime.state import State, clone_state, is_same

_MAX_NODES = 5_000  # nodes stored ahead of a root


class SpeculativeNode:
    """A position that trials share and do not change; `successors` maps an answer to the node it led to.

    An answer maps to None after its first use: its position is stored from the second use on, or, at the node where
    trials begin (`begins_trials`), from the first.
    """

    __slots__ = ("state", "decision", "successors", "begins_trials", "_node_count")

    def __init__(self, state: State, node_count: list[int]) -> None:
        self.state = state
        self.decision: Decision | None = None
        self.successors: dict[Any, SpeculativeNode | None] = {}
        self.begins_trials = False
        self._node_count = node_count  # shared counter of nodes ahead of the root

    def add_successor(self, answer: object, state: State) -> SpeculativeNode | None:
        """Record that an answer led to the position `state`; return its node, or None if no node is stored for it."""
        if not self.begins_trials and answer not in self.successors:
            self.successors[answer] = None
            return None
        self._node_count[0] += 1
        if self._node_count[0] > _MAX_NODES:
            return None
        self.successors[answer] = successor = SpeculativeNode(state, self._node_count)
        return successor

    def find_successor(self, state: State) -> SpeculativeNode | None:
        """Return the successor node whose position equals `state`, or None; a hit allows more nodes to be stored."""
        for successor in self.successors.values():
            if successor is not None and is_same(successor.state, state):
                self._node_count[0] = 0
                return successor
        return None


def create_root(state: State, decision: Decision | None, dice: DiceSource) -> SpeculativeNode:
    """Return the root node for a state: with the state itself if it is on trial, otherwise with a copy that has `dice`.

    `decision`: the pending decision, which is reused if it belongs to `state`.
    """
    root = SpeculativeNode(state if state.on_trial else clone_state(state, dice), [0])
    root.state.on_trial = True
    if decision is not None and decision.state is state:
        root.decision = decision if root.state is state else decision.copy_for(root.state)
    return root
