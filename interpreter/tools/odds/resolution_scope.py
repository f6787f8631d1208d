"""How far odds reach: which rolls and decisions still belong to what was asked about.

What a history has come through is told by the frames that still stand, never by their names alone; the
end of an option of a row is marked by the program. Must not run rules, but for trying where the answers
to a decision lead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from interpreter.runtime.lazy_options import options_of
from interpreter.runtime.machine import decided_by
from interpreter.tools.odds.outcome_enumeration import CHANCE, CLOSE, TooManyOutcomesError, answers_of
from interpreter.tools.odds.results import Seen

SEQUENCE = ("turn", "setup", "")  # procedures that are the sequence of play itself
_TRIED = 8  # answers to a decision that are tried, evenly spread over all
_TRIED_INSIDE = 4  # and to each decision behind it
_DEEPEST = 3  # decisions one behind the other
_SHORT = 4  # answers of a row of choices that may still be small
WIDEST = 250  # ends of a draft, or positions of a row of choices, that are gone through inside a resolution

Try = Callable[[Any, Any, "Trail", bytes], tuple[Any, "Trail"]]
Key = Callable[[Any, "Trail"], bytes]
Test = Callable[[Any, Any, "Trail", int], bool]
Known = dict[tuple[bytes, int], bool]  # by a position and how deep it lies


@dataclass(frozen=True, slots=True)
class Trail:
    """What a history has come through.

    `seen`: events with their first argument. `stood`: how many of the frames that stood when the question was asked
    still stand, the outermost first. `thrown`: 0 when no dice have fallen, `stood` when some have, one more when they
    fell in the outermost procedure called since. `phase`: of dice that fell in the sequence of play itself. `fell`:
    some have fallen, wherever.
    """

    seen: frozenset[Seen]
    stood: int
    thrown: int = 0
    phase: Any = None
    fell: bool = False

    def after(self, before: Any, now: Any, seen: frozenset[Seen]) -> Trail:
        """The trail behind a step from one position to another."""
        fell = before.pending is not None and before.pending[0] in CHANCE
        if not self.stood:
            return replace(self, seen=seen, fell=self.fell or fell)
        depth = len(before.frames)
        left = still_standing(before, now)
        stood = min(self.stood, left)
        thrown = min(max(self.thrown, depth if fell else 0), left, stood + 1)
        if thrown <= stood:
            thrown = stood if self.thrown or fell else 0
        in_sequence = fell and depth == self.stood and before.frames[0][0] in SEQUENCE
        phase = before.phase if in_sequence else self.phase
        return Trail(seen, stood, thrown, phase if stood == self.stood else None, self.fell or fell)


def still_standing(before: Any, after: Any) -> int:
    """How many of the frames before a step stand after it; the innermost of them has gone on."""
    old, new, same = _stacks(before), _stacks(after), 0
    while same < min(len(old), len(new)) and old[same] is new[same]:
        same += 1
    return min(same + 1, len(new), len(old))


def _stacks(state: Any) -> list[Any]:
    """Each frame with all that wait for it, outermost first."""
    found, rest = [], state.stack
    while rest:
        found.append(rest)
        rest = rest[2]
    return found[::-1]


@dataclass(frozen=True, slots=True)
class Stop:
    """Where odds end.

    `sort`: "decision" (a number, and the side), "roll" (its name), "over", "chosen" (the option asked about, or the one
    around it, has done all it does) or "end" of a call. `inside`: what comes of it would belong to what was asked.
    """

    sort: str
    what: Any = None
    side: int = -1
    inside: bool = False


class ResolutionScope:
    """Tells whether the machine stands at something that no longer belongs to what was asked about.

    An option of a row of choices reaches as far as it goes itself: to the end of its own text, and so does what is
    asked about inside such an option. Whatever is asked about elsewhere reaches as far as nobody has a free choice:
    through what its decision's procedure calls; and, when that procedure has ended, through whatever the rules do next,
    up to a decision outside the resolution in which dice have fallen. Dice of what the sequence of play turns to after
    dice have fallen, and of another turn, belong to something else.

    Inside, decisions belong to it when dice have fallen, but for rows and drafts that are too wide to be gone through
    and rows in which dice are thrown: with those somebody plays. Before the dice a choice is free when it opens a row
    or a draft. A called procedure (`decision` None) reaches to its end.
    """

    def __init__(self, start: Any, is_call: bool, answer: Any = None) -> None:
        self.decision = None if is_call else start.pending[0]
        self.base = 0 if is_call else len(start.frames)
        self.turn = start.turn
        data = start.program.data
        self._around = {
            (name, block): decisions for name, blocks in data["around"].items() for block, decisions in blocks
        }
        self._within = data["within"]
        self._described = start.program.decisions
        self._row = None if is_call else self._row_around(start, answer)
        self._try: Try | None = None
        self._key: Key | None = None
        self._small: Known = {}
        self._closed: Known = {}
        self._narrow: dict[bytes, bool] = {}

    def _row_around(self, start: Any, answer: Any) -> tuple[int, int] | None:
        """The innermost row of choices in whose option it all happens: how many frames stand there, and its number."""
        if self._described[self.decision]["until_done"] and answer is not None and answer[0] >= 0:
            return self.base, start.pending[0]
        for at, frame in enumerate(start.frames):
            rows = [d for d in self._decisions_around(frame) if self._described[d]["until_done"]]
            if rows:
                return len(start.frames) - at, rows[-1]
        return None

    def _decisions_around(self, frame: Any) -> list[int]:
        """The decisions in whose options a frame goes on, outermost first."""
        found: list[int] = self._around.get((frame[0], frame[1]), [])
        return found

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
        if self._row is not None and (
            trail.stood < self._row[0] or pending == (CLOSE, self._row[1]) and len(state.frames) == self._row[0]
        ):
            return Stop("chosen")
        if pending[0] == CLOSE:
            return None
        if pending[0] in CHANCE:
            return None if self._is_ours(state, trail) else Stop("roll", pending[1])
        if self._is_bound(state, trail):
            return None
        side = decided_by(state, pending[0], pending[1])
        return Stop("decision", pending[0], side, self._is_within(state, trail))

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
        is_forced = self._described[number]["draft"] is None and len(options_of(state)) == 1
        if self._is_within(state, trail):
            return is_forced or self._is_inside(state, trail)
        if trail.stood == self.base:  # the procedure that asked still stands
            return is_forced and not trail.thrown
        if state.turn != self.turn or trail.thrown and _is_sequence(state, trail):
            return False
        return is_forced or not self._is_row(number) and self._leads_to_dice(state, trail)

    def _is_within(self, state: Any, trail: Trail) -> bool:
        """True for a decision in what the option asked about does, or in a resolution in which dice have fallen."""
        number = state.pending[0]
        if trail.stood == self.base:
            return (
                len(state.frames) > self.base
                or self.decision in self._within[number]
                or (trail.fell and number != self.decision)
            )
        return state.turn == self.turn and trail.thrown > trail.stood

    def _is_inside(self, state: Any, trail: Trail) -> bool:
        """True for a decision inside a resolution that is not free."""
        is_row = self._is_row(state.pending[0])
        if is_row:
            return self._is_narrow(state, trail) if trail.fell else self._leads_to_dice(state, trail)
        return not self._opens(state, trail)

    def _is_row(self, number: int) -> bool:
        """True for a row of choices and for a draft."""
        described = self._described[number]
        return bool(described["until_done"]) or described["draft"] is not None

    def _is_narrow(self, state: Any, trail: Trail) -> bool:
        """True for a draft with few ends; for a row in which no dice are thrown, that soon comes to its end."""
        if self._key is None:
            return False
        key = self._key(state, trail)
        known = self._narrow.get(key)
        if known is None:
            draft = self._described[state.pending[0]]["draft"]
            known = self._narrow[key] = (
                self._is_short_draft(state) if draft is not None else self._is_short_row(state, trail, key)
            )
        return known

    def _is_short_draft(self, state: Any) -> bool:
        try:
            return len(list(answers_of(state))) <= WIDEST
        except TooManyOutcomesError:
            return False

    def _is_short_row(self, state: Any, trail: Trail, key: bytes) -> bool:
        """True when every way through a row of choices leaves it, without dice, within so many positions."""
        assert self._try is not None and self._key is not None
        depth, number = len(state.frames), state.pending[0]
        known, waiting = {key}, [(state, trail, key)]
        while waiting:
            here, had, at = waiting.pop()
            try:
                answers = list(answers_of(here))
            except TooManyOutcomesError:
                return False
            for answer in answers:
                now, then = self._try(here, answer, had, at)
                if not self._goes_on(now, depth, number):
                    continue
                if now.pending[0] in CHANCE:
                    return False
                new = self._key(now, then)
                if new not in known:
                    known.add(new)
                    waiting.append((now, then, new))
                if len(known) > WIDEST:
                    return False
        return True

    def _goes_on(self, state: Any, depth: int, number: int) -> bool:
        """True while a row of choices that was asked with so many frames has not come to its end."""
        if state.pending is None or state.outcome is not None or len(state.frames) < depth:
            return False
        if len(state.frames) == depth and state.pending[0] == number:
            return True
        if number in self._decisions_around(state.frames[len(state.frames) - depth]):
            return True
        asked = state.pending[0]
        return len(state.frames) == depth and isinstance(asked, int) and number in self._within[asked]

    def _leads_to_dice(self, state: Any, trail: Trail, deep: int = 0) -> bool:
        """True for a small decision: whatever is answered, dice fall next in the procedure that led to it."""
        until_done = self._described[state.pending[0]]["until_done"]
        if until_done and len(options_of(state)) > _SHORT:
            return False
        return self._holds(state, trail, deep, self._throws, self._small) is True

    def _opens(self, state: Any, trail: Trail, deep: int = 0) -> bool:
        """True for a decision behind which somebody plays."""
        return self._holds(state, trail, deep, self._is_closed, self._closed) is False

    def _holds(self, state: Any, trail: Trail, deep: int, test: Test, known: Known) -> bool | None:
        """Whether a test holds for wherever the answers to a decision lead, as far as they are tried; None too deep.

        What was found out is noted in `known`.
        """
        if self._key is None or self._try is None or deep == _DEEPEST:
            return None
        key = self._key(state, trail)
        if (key, deep) not in known:
            try:
                answers = spread(list(answers_of(state)), _TRIED_INSIDE if deep else _TRIED)
            except TooManyOutcomesError:
                known[key, deep] = False
            else:
                tried = (self._try(state, answer, trail, key) for answer in answers)
                known[key, deep] = all(test(state, *found, deep + 1) for found in tried)
        return known[key, deep]

    def _is_left(self, before: Any, state: Any, trail: Trail) -> bool:
        """True when a step has led out of the procedure in which it began: the one asked in, or called since."""
        lowest = trail.stood + (trail.stood != self.base)
        if state.pending is None or state.pending[0] == CLOSE:
            return True
        return still_standing(before, state) < lowest

    def _throws(self, before: Any, state: Any, trail: Trail, deep: int) -> bool:
        if self._is_left(before, state, trail):
            return False
        number = state.pending[0]
        return (
            number in CHANCE
            or number == before.pending[0]
            and self._described[number]["until_done"]
            or (self._leads_to_dice(state, trail, deep))
        )

    def _is_closed(self, before: Any, state: Any, trail: Trail, deep: int) -> bool:
        if self._is_left(before, state, trail) or state.pending[0] in CHANCE or len(state.frames) == trail.stood:
            return True
        if not self._is_row(state.pending[0]):
            return not self._opens(state, trail, deep)
        return self._is_narrow(state, trail) if trail.fell else self._leads_to_dice(state, trail, deep)


def _is_sequence(state: Any, trail: Trail) -> bool:
    """True when what goes on is the sequence of play itself."""
    return not trail.stood or state.frames[len(state.frames) - trail.stood][0] in SEQUENCE


def spread(options: Sequence[Any], most: int) -> list[Any]:
    """So many of the options, evenly spread, the first and the last among them."""
    if len(options) <= most:
        return list(options)
    return [options[n * (len(options) - 1) // (most - 1)] for n in range(most)]
