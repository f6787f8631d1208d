"""How far odds reach: which rolls and decisions still belong to what was asked about.

What a history has come through is told by the frames that still stand, never by their names alone.
Must not run rules, but for trying where the answers to a small decision lead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from interpreter.tools.odds_chance import CHANCE, TooMany, answers_of
from interpreter.tools.odds_results import Seen

SEQUENCE = ("turn", "setup", "")  # procedures that are the sequence of play itself
_TRIED = 8  # answers to a decision that are tried, evenly spread over all
_TRIED_INSIDE = 4  # and to each decision behind it
_DEEPEST = 3  # decisions one behind the other
_SHORT = 4  # answers of a row of choices that may still be small

Try = Callable[[Any, Any, "Trail", bytes], tuple[Any, "Trail"]]
Key = Callable[[Any, "Trail"], bytes]
Test = Callable[[Any, Any, "Trail", int], bool]


@dataclass(frozen=True, slots=True)
class Trail:
    """What a history has come through.

    `seen`: events with their first argument. `stood`: how many of the frames that stood when the question was asked
    still stand, the outermost first. `thrown`: 0 when no dice have fallen, `stood` when some have, one more when they
    fell in the outermost procedure called since. `phase`: of dice that fell in the sequence of play itself.
    """

    seen: frozenset[Seen]
    stood: int
    thrown: int = 0
    phase: Any = None

    def after(self, before: Any, now: Any, seen: frozenset[Seen]) -> Trail:
        """The trail behind a step from one position to another."""
        if not self.stood:
            return replace(self, seen=seen)
        depth = len(before.frames)
        left = still_standing(before.frames, now.frames)
        stood = min(self.stood, left)
        fell = before.pending is not None and before.pending[0] in CHANCE
        thrown = min(max(self.thrown, depth if fell else 0), left, stood + 1)
        if thrown <= stood:
            thrown = stood if self.thrown or fell else 0
        in_sequence = fell and depth == self.stood and before.frames[0][0] in SEQUENCE
        phase = before.phase if in_sequence else self.phase
        return Trail(seen, stood, thrown, phase if stood == self.stood else None)


def still_standing(before: Sequence[Any], after: Sequence[Any]) -> int:
    """How many of the frames before a step stand after it; the innermost of them has gone on."""
    same = 0
    for old, new in zip(reversed(before), reversed(after), strict=False):
        if old is not new:
            break
        same += 1
    return min(same + 1, len(after), len(before))


@dataclass(frozen=True, slots=True)
class Stop:
    """Where odds end. `sort`: "decision" (a number, and the side), "roll" (its name), "over", or "end" of a call."""

    sort: str
    what: Any = None
    side: int = -1


class Reach:
    """Tells whether the machine stands at something that no longer belongs to what was asked about.

    An option reaches as far as nobody has a free choice: through what its decision's procedure calls; and, when that
    procedure has ended, through whatever the rules do next, up to a decision outside the resolution in which dice have
    fallen. Dice of what the sequence of play turns to after dice have fallen, and of another turn, belong to something
    else. A choice is free when it opens a row of choices or a draft: with those somebody plays. A called procedure
    (`decision` None) reaches to its end.
    """

    __slots__ = ("decision", "base", "turn", "_within", "_described", "_try", "_key", "_small", "_opening")

    def __init__(self, start: Any, is_call: bool) -> None:
        self.decision = None if is_call else start.pending[0]
        self.base = 0 if is_call else len(start.frames)
        self.turn = start.turn
        self._within = start.program.data["within"]
        self._described = start.program.decisions
        self._try: Try | None = None
        self._key: Key | None = None
        self._small: dict[tuple[bytes, int], bool] = {}
        self._opening: dict[tuple[bytes, int], bool] = {}

    def begin(self, seen: frozenset[Seen]) -> Trail:
        """The trail of a history that has not begun."""
        return Trail(seen, self.base)

    def try_with(self, step: Try, key: Key) -> None:
        """What makes a step on a copy, and tells positions apart: for trying where decisions lead."""
        self._try, self._key = step, key

    def stop(self, state: Any, trail: Trail) -> Stop | None:
        """Why it is over, or None."""
        pending = state.pending
        if state.outcome is not None:
            return Stop("over")
        if pending is None:
            return Stop("end")
        if self.decision is None:
            return None
        if pending[0] in CHANCE:
            return None if self._is_ours(state, trail) else Stop("roll", pending[1])
        if self._is_bound(state, trail):
            return None
        return Stop("decision", pending[0], state.program.functions[f"by_{pending[0]}"](state, *pending[1]))

    def _is_ours(self, state: Any, trail: Trail) -> bool:
        """True for dice that belong to what was asked about."""
        if trail.stood == self.base:
            return True
        if state.turn != self.turn:
            return False
        if not trail.thrown or trail.thrown > trail.stood or not _is_sequence(state, trail):
            return True
        return len(state.frames) == trail.stood and trail.phase is not None and trail.phase == state.phase

    def _is_bound(self, state: Any, trail: Trail) -> bool:
        """True for a decision that belongs to what was asked about, or leaves no choice."""
        number = state.pending[0]
        is_forced = self._described[number]["draft"] is None and len(state.pending[2]) == 1
        if trail.stood == self.base:  # the procedure that asked still stands
            if len(state.frames) == self.base:
                return self.decision in self._within[number] or is_forced and not trail.thrown
            return is_forced or self._is_inside(state, trail)
        if state.turn != self.turn:
            return False
        if trail.thrown > trail.stood:
            return is_forced or self._is_inside(state, trail)
        if trail.thrown and _is_sequence(state, trail):
            return False
        return is_forced or not self._is_row(number) and self._leads_to_dice(state, trail)

    def _is_inside(self, state: Any, trail: Trail) -> bool:
        """True for a decision inside a resolution that is not free."""
        if self._is_row(state.pending[0]):
            return self._leads_to_dice(state, trail)
        return not self._opens(state, trail)

    def _is_row(self, number: int) -> bool:
        """True for a row of choices and for a draft."""
        described = self._described[number]
        return bool(described["until_done"]) or described["draft"] is not None

    def _leads_to_dice(self, state: Any, trail: Trail, deep: int = 0) -> bool:
        """True for a small decision: whatever is answered, dice fall next in the procedure that led to it."""
        until_done = self._described[state.pending[0]]["until_done"]
        if self._key is None or deep == _DEEPEST or until_done and len(state.pending[2]) > _SHORT:
            return False
        key = self._key(state, trail)
        known = self._small.get((key, deep))
        if known is None:
            known = self._small[key, deep] = self._holds(state, trail, deep, key, self._throws)
        return known

    def _opens(self, state: Any, trail: Trail, deep: int = 0) -> bool:
        """True for a decision behind which somebody plays."""
        if self._key is None or deep == _DEEPEST:
            return False
        key = self._key(state, trail)
        known = self._opening.get((key, deep))
        if known is None:
            known = self._opening[key, deep] = not self._holds(state, trail, deep, key, self._is_closed)
        return known

    def _holds(self, state: Any, trail: Trail, deep: int, key: bytes, test: Test) -> bool:
        """True when a test holds for wherever the answers to a decision lead, as far as they are tried."""
        assert self._try is not None
        try:
            answers = spread(list(answers_of(state)), _TRIED_INSIDE if deep else _TRIED)
        except TooMany:
            return False
        return all(test(state, *self._try(state, answer, trail, key), deep + 1) for answer in answers)

    def _is_left(self, before: Any, state: Any, trail: Trail) -> bool:
        """True when a step has led out of the procedure in which it began: the one asked in, or called since."""
        lowest = trail.stood + (trail.stood != self.base)
        return state.pending is None or still_standing(before.frames, state.frames) < lowest

    def _throws(self, before: Any, state: Any, trail: Trail, deep: int) -> bool:
        if self._is_left(before, state, trail):
            return False
        number = state.pending[0]
        return number in CHANCE or number == before.pending[0] and self._described[number]["until_done"] or (
            self._leads_to_dice(state, trail, deep))

    def _is_closed(self, before: Any, state: Any, trail: Trail, deep: int) -> bool:
        if self._is_left(before, state, trail) or state.pending[0] in CHANCE or len(state.frames) == trail.stood:
            return True
        if self._is_row(state.pending[0]):
            return self._leads_to_dice(state, trail, deep)
        return not self._opens(state, trail, deep)


def _is_sequence(state: Any, trail: Trail) -> bool:
    """True when what goes on is the sequence of play itself."""
    return not trail.stood or state.frames[len(state.frames) - trail.stood][0] in SEQUENCE


def spread(options: Sequence[Any], most: int) -> list[Any]:
    """So many of the options, evenly spread, the first and the last among them."""
    if len(options) <= most:
        return list(options)
    return [options[n * (len(options) - 1) // (most - 1)] for n in range(most)]
