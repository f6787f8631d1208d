"""The extent of a resolution: which rolls and decisions still belong to the question.

The frames still on the stack, not their procedure names, tell where execution has been; the program marks the end of
an option of a choice row. Runs rules only to try where the answers to a decision lead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from interpreter.runtime.lazy_options import list_pending_options
from interpreter.runtime.machine import find_deciding_side
from interpreter.runtime.pending import PendingChance, PendingClose, PendingDecision, PendingDraft, get_pending_decision
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import Frame, Value
from interpreter.tools.odds.outcome_enumeration import CLOSE, TooManyOutcomesError, iter_answers
from interpreter.tools.odds.results import Seen

SEQUENCE = ("turn", "setup", "")  # procedures of the sequence of play itself
_TRIED = 8  # answers to a decision that are tried, evenly spaced
_TRIED_INSIDE = 4  # answers tried for each nested decision
_DEEPEST = 3  # nesting depth of tried decisions
_MAX_SMALL_ANSWERS = 4  # answers up to which a choice row counts as small
MAX_ENUMERATED = 250  # ends of a draft, or positions of a choice row, up to which it is enumerated inside a resolution

Test = Callable[[Any, Any, "ExecutionSummary", int], bool]
ScopeMemo = dict[tuple[bytes, int], bool]  # by the digest of a position and the depth of the search


@dataclass(frozen=True, slots=True)
class ExecutionSummary:
    """Summary of the execution path to a position.

    `events`: events with their first argument.
    `frames_left`: how many of the frames on the stack at the time of the question remain, outermost first.
    `frames_at_roll`: where dice were thrown: 0 before any dice; `frames_left` if it was in one of those frames;
    `frames_left` + 1 if it was in the outermost procedure called since, or in a procedure called by it.
    `phase`: the phase of dice thrown by the sequence of play itself.
    `has_rolled`: whether any dice were thrown.
    `row`: (frame depth, decision number) of the repeated decision around the question, or None.
    `has_closed`: whether an option of that row has finished before any dice.
    """

    events: frozenset[Seen]
    frames_left: int
    frames_at_roll: int = 0
    phase: Any = None
    has_rolled: bool = False
    row: tuple[int, int] | None = None
    has_closed: bool = False

    def advance(self, before: State, now: State, seen: frozenset[Seen]) -> ExecutionSummary:
        """Return the trail after a step from one position to another; `seen`: the events up to the new position."""
        is_chance = isinstance(before.pending, PendingChance)
        closed = self.has_closed or not self.has_rolled and _is_closing(before, self.row)
        if not self.frames_left:
            return replace(self, events=seen, has_rolled=self.has_rolled or is_chance, has_closed=closed)
        depth = len(before.frames)
        remaining = count_remaining_frames(before, now)
        frames_left = min(self.frames_left, remaining)
        thrown = min(max(self.frames_at_roll, depth if is_chance else 0), remaining, frames_left + 1)
        if thrown <= frames_left:
            thrown = frames_left if self.frames_at_roll or is_chance else 0
        in_sequence = is_chance and depth == self.frames_left and before.frames[0][0] in SEQUENCE
        phase = before.phase if in_sequence else self.phase
        phase = phase if frames_left == self.frames_left else None
        return ExecutionSummary(seen, frames_left, thrown, phase, self.has_rolled or is_chance, self.row, closed)


def count_remaining_frames(before: State, after: State) -> int:
    """Return how many of the stack frames before a step are still on the stack after it.

    The innermost of them may have advanced.
    """
    old, new, same = _stack_frames(before), _stack_frames(after), 0
    while same < min(len(old), len(new)) and old[same] is new[same]:
        same += 1
    return min(same + 1, len(new), len(old))


def _is_closing(state: State, row: tuple[int, int] | None) -> bool:
    """Return True if an option of the repeated decision `row` (frame depth, decision number) has just finished."""
    return row is not None and state.pending == (CLOSE, row[1]) and len(state.frames) == row[0]


def _stack_frames(state: State) -> list[Any]:
    """Return the frames of a state's call stack, outermost first; each is linked to its callers."""
    frames, frame = [], state.stack
    while frame:
        frames.append(frame)
        frame = frame[2]
    return frames[::-1]


@dataclass(frozen=True, slots=True)
class Stop:
    """A reason why the computation of odds stops at a position.

    `sort`: "decision" (`what` is its number, `side` the deciding side), "roll" (`what` is its name), "over", "chosen"
    (the option in question, or the one around it, has finished) or "end" of a call. `inside`: the continuation would
    belong to the resolution.
    """

    sort: str
    what: Any = None
    side: int = -1
    inside: bool = False


@dataclass(frozen=True, slots=True)
class Lookahead:
    """The callbacks with which a scope looks ahead.

    `try_out`: answers the pending decision on a copy of a position with this trail and digest, and returns the new
    position and trail; `get_digest`: returns the digest of a position and its trail, for memoization.
    """

    try_out: Callable[[Any, Any, ExecutionSummary, bytes], tuple[Any, ExecutionSummary]]
    get_digest: Callable[[Any, ExecutionSummary], bytes]


class ResolutionScope:
    """A test for whether the machine has reached something outside the resolution in question.

    How far the resolution extends depends on the question:

    1. A called procedure (`decision` None): to its end.
    2. An option of a choice row, or anything inside such an option: to the end of the option's own text. If it throws
       no dice and the row then ends by itself, as after the last order: also through what the procedures do next, up
       to the sequence of play.
    3. Any other option: until a side has a free choice, through the calls of its decision's procedure. When that
       procedure has ended: through whatever the rules do next, up to a decision outside the resolution in which dice
       have fallen.

    Two things never belong to it: dice that the sequence of play throws after dice have fallen, and dice of another
    turn. Decisions inside belong to it as follows:

    - Before any dice, a choice is free, and ends the resolution, if it opens a row or a draft.
    - Once dice have fallen, decisions belong to it, except rows and drafts that are too wide to enumerate and rows in
      which dice are thrown: those are separate play.
    """

    def __init__(self, start: State, is_call: bool, answer: Value, lookahead: Lookahead) -> None:
        self._lookahead = lookahead
        self.decision = None if is_call else get_pending_decision(start).number
        self.base = 0 if is_call else len(start.frames)
        self.turn = start.turn
        data = start.program.data
        self._around = {
            (name, block): decisions for name, blocks in data["around"].items() for block, decisions in blocks
        }
        self._within = data["within"]
        self._described = start.program.decisions
        self._row = None if is_call else self._find_enclosing_row(start, answer)
        self._small: ScopeMemo = {}
        self._closed: ScopeMemo = {}
        self._narrow: dict[bytes, bool] = {}

    def _find_enclosing_row(self, start: State, answer: object) -> tuple[int, int] | None:
        """Return (frame depth, decision number) of the innermost repeated decision around the question, or None.

        `answer`: the answer that takes the option in question.
        """
        number = get_pending_decision(start).number
        if self._described[number].is_repeated and isinstance(answer, tuple) and answer[0] >= 0:
            return self.base, number
        for depth, frame in enumerate(start.frames):
            rows = [d for d in self._list_enclosing_decisions(frame) if self._described[d].is_repeated]
            if rows:
                return len(start.frames) - depth, rows[-1]
        return None

    def _list_enclosing_decisions(self, frame: Frame) -> list[int]:
        """Return the numbers of the decisions whose options a frame is executing, outermost first."""
        decisions: list[int] = self._around.get((frame[0], frame[1]), [])
        return decisions

    def create_root_trail(self, seen: frozenset[Seen]) -> ExecutionSummary:
        """Return the trail of the root of the graph. `seen`: the events that had happened before the resolution."""
        return ExecutionSummary(seen, self.base, row=self._row)

    def stop(self, state: State, trail: ExecutionSummary) -> Stop | None:
        """Return the reason why the resolution ends at this position, or None if it continues."""
        pending = state.pending
        if state.outcome is not None:
            return Stop("over")
        if pending is None:
            return Stop("end")
        if self.decision is None:
            return None
        if self._row is not None and self._is_finished(state, trail, self._row):
            return Stop("chosen")
        if isinstance(pending, PendingClose):
            return None
        if isinstance(pending, PendingChance):
            return None if self._is_own_roll(state, trail) else Stop("roll", pending.name)
        if self._is_followed(state, trail):
            return None
        side = find_deciding_side(state, pending.number, pending.values)
        return Stop("decision", pending.number, side, self._is_within(state, trail))

    def _is_finished(self, state: State, trail: ExecutionSummary, row: tuple[int, int]) -> bool:
        """Return True if the option of the repeated decision `row` and what belongs to it have finished.

        What follows belongs to it if no dice have fallen and the row has ended by itself.
        """
        if not trail.has_closed:
            return trail.frames_left < row[0] or trail.has_rolled and _is_closing(state, row)
        is_asked_again = len(state.frames) == row[0] and get_pending_number(state) == row[1]
        return is_asked_again or _is_sequence(state, trail)

    def _is_own_roll(self, state: State, trail: ExecutionSummary) -> bool:
        """Return True if the pending dice belong to the resolution in question."""
        if trail.frames_left == self.base:
            return True
        if state.turn != self.turn:
            return False
        if not trail.frames_at_roll or trail.frames_at_roll > trail.frames_left or not _is_sequence(state, trail):
            return True
        return len(state.frames) == trail.frames_left and trail.phase is not None and trail.phase == state.phase

    def _is_followed(self, state: State, trail: ExecutionSummary) -> bool:
        """Return True if the search continues with the pending decision.

        That is so if the decision belongs to the resolution, leaves no choice, or leads to dice of the resolution.
        """
        number = get_pending_decision(state).number
        is_forced = self._described[number].draft is None and len(list_pending_options(state)) == 1
        if self._is_within(state, trail):
            return is_forced or self._is_inside(state, trail)
        if trail.frames_left == self.base:  # the procedure that asked is still on the stack
            return is_forced and not trail.frames_at_roll
        if state.turn != self.turn or trail.frames_at_roll and _is_sequence(state, trail):
            return False
        return is_forced or not self._is_row(number) and self._is_leading_to_dice(state, trail)

    def _is_within(self, state: State, trail: ExecutionSummary) -> bool:
        """Return True if the decision is part of the option in question, or of a resolution whose dice have fallen."""
        number = get_pending_decision(state).number
        if trail.frames_left == self.base:
            return (
                len(state.frames) > self.base
                or self.decision in self._within[number]
                or (trail.has_rolled and number != self.decision)
            )
        return state.turn == self.turn and trail.frames_at_roll > trail.frames_left

    def _is_inside(self, state: State, trail: ExecutionSummary) -> bool:
        """Return True if the decision belongs inside the resolution: it offers no free choice.

        A repeated decision or a draft must be small enough to enumerate or, before any dice, lead to dice.
        """
        if self._is_row(get_pending_decision(state).number):
            return self._is_narrow(state, trail) if trail.has_rolled else self._is_leading_to_dice(state, trail)
        return not self._is_opening_choice(state, trail)

    def _is_row(self, number: int) -> bool:
        """Return True if the decision with this number is repeated or answered by a draft."""
        described = self._described[number]
        return bool(described.is_repeated) or described.draft is not None

    def _is_narrow(self, state: State, trail: ExecutionSummary) -> bool:
        """Return True if the pending decision is small enough to enumerate; memoized.

        That is a draft with few ends, or a repeated decision without dice that ends soon.
        """
        key = self._lookahead.get_digest(state, trail)
        known = self._narrow.get(key)
        if known is None:
            draft = self._described[get_pending_decision(state).number].draft
            known = self._narrow[key] = (
                self._is_short_draft(state) if draft is not None else self._is_short_row(state, trail, key)
            )
        return known

    def _is_short_draft(self, state: State) -> bool:
        try:
            return len(list(iter_answers(state))) <= MAX_ENUMERATED
        except TooManyOutcomesError:
            return False

    def _is_short_row(self, state: State, trail: ExecutionSummary, key: bytes) -> bool:
        """Return True if a repeated decision ends on every path, without dice, within few positions.

        `key`: the digest of the position.
        """
        depth, number = len(state.frames), get_pending_decision(state).number
        seen, waiting = {key}, [(state, trail, key)]
        while waiting:
            position, position_trail, digest = waiting.pop()
            try:
                answers = list(iter_answers(position))
            except TooManyOutcomesError:
                return False
            for answer in answers:
                new_state, new_trail = self._lookahead.try_out(position, answer, position_trail, digest)
                if not self._is_continuing(new_state, depth, number):
                    continue
                if isinstance(new_state.pending, PendingChance):
                    return False
                new_digest = self._lookahead.get_digest(new_state, new_trail)
                if new_digest not in seen:
                    seen.add(new_digest)
                    waiting.append((new_state, new_trail, new_digest))
                if len(seen) > MAX_ENUMERATED:
                    return False
        return True

    def _is_continuing(self, state: State, depth: int, number: int) -> bool:
        """Return True if the repeated decision `number`, asked at the frame depth `depth`, has not ended."""
        if state.pending is None or state.outcome is not None or len(state.frames) < depth:
            return False
        pending_number = get_pending_number(state)
        if len(state.frames) == depth and pending_number == number:
            return True
        if number in self._list_enclosing_decisions(state.frames[len(state.frames) - depth]):
            return True
        return len(state.frames) == depth and pending_number is not None and number in self._within[pending_number]

    def _is_leading_to_dice(self, state: State, trail: ExecutionSummary, depth: int = 0) -> bool:
        """Return True if dice always fall next in the calling procedure after any answer to a small decision.

        `depth`: how many decisions deep the search is.
        """
        until_done = self._described[get_pending_decision(state).number].is_repeated
        if until_done and len(list_pending_options(state)) > _MAX_SMALL_ANSWERS:
            return False
        return self._is_always_true(state, trail, depth, self._is_throwing_dice, self._small) is True

    def _is_opening_choice(self, state: State, trail: ExecutionSummary, depth: int = 0) -> bool:
        """Return True if some answer to the decision leads to a free choice of a side.

        `depth`: how many decisions deep the search is.
        """
        return self._is_always_true(state, trail, depth, self._is_closed, self._closed) is False

    def _is_always_true(
        self, state: State, trail: ExecutionSummary, depth: int, test: Test, memo: ScopeMemo
    ) -> bool | None:
        """Return whether a test holds after every answer that was tried; None if the search is too deep.

        `depth`: how many decisions deep the search is; `test`: is given the position before, the position and trail
        after the answer, and the next depth; `memo`: memoized results, to which this one is added.
        """
        if depth == _DEEPEST:
            return None
        key = self._lookahead.get_digest(state, trail)
        if (key, depth) not in memo:
            try:
                answers = sample_evenly(list(iter_answers(state)), _TRIED_INSIDE if depth else _TRIED)
            except TooManyOutcomesError:
                memo[key, depth] = False
            else:
                tried = (self._lookahead.try_out(state, answer, trail, key) for answer in answers)
                memo[key, depth] = all(test(state, *result, depth + 1) for result in tried)
        return memo[key, depth]

    def _is_left(self, before: State, state: State, trail: ExecutionSummary) -> bool:
        """Return True if a step from `before` to `state` returned from the procedure that the trail is in.

        Also True if no decision or roll is pending in `state`. `trail`: holds the number of frames of that procedure.
        """
        lowest = trail.frames_left + (trail.frames_left != self.base)
        if state.pending is None or isinstance(state.pending, PendingClose):
            return True
        return count_remaining_frames(before, state) < lowest

    def _is_throwing_dice(self, before: State, state: State, trail: ExecutionSummary, depth: int) -> bool:
        if self._is_left(before, state, trail):
            return False
        number = get_pending_number(state)
        if number is None:
            return True
        is_again = number == get_pending_number(before) and self._described[number].is_repeated
        return is_again or self._is_leading_to_dice(state, trail, depth)

    def _is_closed(self, before: State, state: State, trail: ExecutionSummary, depth: int) -> bool:
        number = get_pending_number(state)
        if self._is_left(before, state, trail) or number is None or len(state.frames) == trail.frames_left:
            return True
        if not self._is_row(number):
            return not self._is_opening_choice(state, trail, depth)
        return self._is_narrow(state, trail) if trail.has_rolled else self._is_leading_to_dice(state, trail, depth)


def get_pending_number(state: State) -> int | None:
    """Return the number of the decision that a state waits for, or None if it waits for dice or for nothing."""
    pending = state.pending
    return pending.number if isinstance(pending, PendingDecision | PendingDraft) else None


def _is_sequence(state: State, trail: ExecutionSummary) -> bool:
    """Return True if the sequence of play itself is executing, rather than a procedure that it has called."""
    return not trail.frames_left or state.frames[len(state.frames) - trail.frames_left][0] in SEQUENCE


def sample_evenly(options: Sequence[Any], most: int) -> list[Any]:
    """Return at most `most` of the options, evenly spaced, including the first and the last."""
    if len(options) <= most:
        return list(options)
    return [options[n * (len(options) - 1) // (most - 1)] for n in range(most)]
