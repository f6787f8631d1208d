"""Counts the steps that rules take in a case, and stops those that go on far longer than they should.

Steps are loops gone round, turns begun and decisions passed, so that the count is the same on every machine. Must
not judge cases.
"""

from __future__ import annotations

from typing import Any

from interpreter.runtime.faults import OutOfSteps
from interpreter.runtime.program import Program


class Meter:
    """The steps of a program since `start`; OutOfSteps when there are more of them than it was given."""

    def __init__(self, program: Program) -> None:
        self.start()
        for name in ("_spend", "_turns", "_next_turn"):
            program.functions[name] = self._counting(program.functions[name], name == "_turns")
        program.play_turn = self._counting(program.play_turn, False)

    def start(self, most: int | None = None) -> None:
        """Count anew, and stop after so many."""
        self.steps = 0
        self.most = most

    def _counting(self, plain: Any, by_number: bool) -> Any:
        def counted(state: Any, *args: Any) -> Any:
            self.steps += max(args[0], 1) if by_number else 1
            if self.most is not None and self.steps > self.most:
                raise OutOfSteps("the rules take far more steps than they did as written")
            return plain(state, *args)

        return counted


def allowed(steps: int) -> int:
    """How many steps a case may take under a change that takes so many as written."""
    return 20_000 + 20 * steps
