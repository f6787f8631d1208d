"""Roll attribution: which rolls of a choice decided which table look-ups, and the results of the other faces.

Each choice is replayed from the position before it with one die changed to each of its other faces. A look-up is
attributed to a die if it changes with the die in even steps, up to the first look-up that differs in another way.
Look-ups made to list the options of the following decision are ignored. Requires an instrumented program (`load(...,
instrument=True)`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Any, NamedTuple, TypeVar

from interpreter.runtime.dice import EnumeratingDice, Faces, InvalidDiceError, NextRoll
from interpreter.runtime.errors import IllegalAction, RuleFault, RuntimeFault
from interpreter.runtime.program import Program
from interpreter.runtime.state import State
from interpreter.runtime.tables import Chart

MAX_COMBINATIONS = 1296  # combinations of the dice that decide one look-up together; larger products are skipped
MAX_LOOKUPS_AFTER_ROLL = 200  # look-ups between a roll and the one it decides; later look-ups are not attributed
_NO_END = 1 << 60
_LOOKUP_FUNCTION, _OPTION_TEST_FUNCTION = "_look_covered", "_possible"
_REPLAY_ERRORS = (RuleFault, RuntimeFault, IllegalAction, NextRoll, InvalidDiceError)

Key = tuple[Any, ...]
Run = Callable[[Any], object]  # replays a choice with these dice
Ends = Callable[[Any, int], bool]  # (state, listings so far) -> whether a run may stop where options are listed


@dataclass(frozen=True, slots=True)
class RolledDice:
    """One roll: its name, the faces of the die, and the faces rolled.

    `lookups_before` is the number of look-ups that the choice made before the roll.
    """

    name: str
    die: Faces
    faces: tuple[int, ...]
    lookups_before: int = 0


@dataclass(frozen=True, slots=True)
class LookupChances:
    """A look-up decided by dice: the actual cell, and every possible cell with its number of dice combinations.

    `rolls` are the indices (in the order of the choice) of the rolls whose dice decided it; `key` holds the axis
    values of the look-up.
    """

    table: str
    key: Key
    rolls: tuple[int, ...]
    actual: Any
    chances: tuple[tuple[Any, int], ...]


@dataclass(slots=True)
class LookupTrace:
    """The table look-ups of a run of the rules in order: their keys (table, axis values) and the cells read.

    `stopped_listing`: if the run was stopped where options are listed, the number of that listing, from 1; else None.
    """

    keys: list[tuple[str, Key]] = field(default_factory=list)
    cells: list[Any] = field(default_factory=list)
    stopped_listing: int | None = None


_Result = TypeVar("_Result")
PausableWork = Generator[None, None, _Result]  # yields between steps so that the caller can pause and resume


class _StopReplay(Exception):  # noqa: N818 - control flow
    """Control-flow signal: the rest of the run is not needed, because it diverged or reached its end."""


class _DieIndex(NamedTuple):
    """A die of a choice: the index of its roll, and its index within the roll."""

    roll: int
    die: int


class LookupTracer:
    """Recorder of the table look-ups of an instrumented program; it replaces functions of that program to see them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._trace: LookupTrace | None = None
        self._reference: Sequence[tuple[str, Key]] | None = None
        self._ends: Ends | None = None
        self._last = self._lists = 0
        functions = program.namespace
        functions[_LOOKUP_FUNCTION] = self._record_lookup
        for name in (_OPTION_TEST_FUNCTION, *(f"list_{number}" for number in range(len(program.decisions)))):
            if name in functions:
                functions[name] = self._wrap_listing(functions[name])

    @property
    def position(self) -> int:
        """Return the number of look-ups recorded in this run."""
        return len(self._trace.keys) if self._trace is not None else 0

    def stop_soon(self) -> None:
        """Stop the current run after a fixed number of further look-ups; called at the last roll."""
        self._last = self.position + MAX_LOOKUPS_AFTER_ROLL

    def trace(
        self,
        run: Callable[[], object],
        reference: Sequence[tuple[str, Key]] | None = None,
        last: int = _NO_END,
        ends: Ends | None = None,
    ) -> LookupTrace:
        """Call `run` and return the look-ups it makes.

        With `reference`, the run stops at the first look-up that differs from that list by more than a number on one
        axis; this look-up is still recorded. The run also stops after `last` look-ups, and where options are listed if
        `ends(state, times options were listed)` is true.
        """
        self.program.clear_static_memos()  # memoized results would skip their look-ups
        self._trace, self._reference, self._last, self._ends, self._lists = LookupTrace(), reference, last, ends, 0
        trace = self._trace
        try:
            with suppress(_StopReplay):
                run()
        finally:
            self._trace = self._reference = self._ends = None
        return trace

    def _wrap_listing(self, list_options: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function that lists or tests options so that a run can be stopped before it."""

        def list_or_stop(state: State, *values: object) -> object:
            trace = self._trace
            if trace is not None and self._ends is not None:
                self._lists += 1
                if self._ends(state, self._lists):
                    trace.stopped_listing = self._lists
                    raise _StopReplay
            return list_options(state, *values)

        return list_or_stop

    def _record_lookup(self, coverage: object, table: str, chart: Chart, values: Key) -> object:
        """Look up a cell of a chart and record it; this replaces the function that the rules call."""
        cell = chart.look(*values)
        trace = self._trace
        if trace is not None:
            index = len(trace.keys)
            trace.keys.append((table, values))
            trace.cells.append(cell)
            reference = self._reference
            if (
                index >= self._last
                or reference is not None
                and _has_diverged(self.program, reference, index, (table, values))
            ):
                raise _StopReplay
        return cell


def attribute_rolls(
    tracer: LookupTracer, run: Run, trace: LookupTrace, rolls: Sequence[RolledDice]
) -> PausableWork[list[LookupChances]]:
    """Return the look-ups of one choice whose result its rolls decided, in order; yield before each replay.

    `trace`: the look-ups of the choice as played; `run` replays it with other dice; `rolls`: its rolls, in order.
    """
    replay = _ChoiceReplay(tracer, run, trace, [roll for roll in rolls if roll.faces])
    decided: dict[int, list[_DieIndex]] = {}
    for die in [_DieIndex(n, m) for n, roll in enumerate(replay.dice) for m in range(len(roll.faces))]:
        for index in (yield from _find_decided_lookups(replay, die)):
            decided.setdefault(index, []).append(die)
    analyzed = []
    for index in sorted(decided):
        chances = yield from _count_outcomes(replay, index, decided[index])
        if chances is not None:
            numbers = tuple(dict.fromkeys(die.roll for die in decided[index]))
            analyzed.append(LookupChances(*trace.keys[index], numbers, trace.cells[index], chances))
    return analyzed


@dataclass(slots=True)
class _ChoiceReplay:
    """A choice that can be replayed with some of its dice changed; the look-ups of each replay are memoized."""

    tracer: LookupTracer
    run: Run
    trace: LookupTrace
    dice: Sequence[RolledDice]
    memo: dict[frozenset[tuple[_DieIndex, int]], LookupTrace] = field(default_factory=dict)

    def replay_with(self, faces: dict[_DieIndex, int]) -> PausableWork[LookupTrace]:
        """Return the look-ups of a replay in which some dice show other faces, up to the first difference.

        `faces`: the new face by die.
        """
        changed = frozenset((die, face) for die, face in faces.items() if self.dice[die.roll].faces[die.die] != face)
        if not changed:
            return self.trace
        if changed not in self.memo:
            yield
            self.memo[changed] = self._rerun(faces)
        return self.memo[changed]

    def _rerun(self, faces: dict[_DieIndex, int]) -> LookupTrace:
        """Replay the choice with other faces of some dice, given as for `replay_with`."""
        last = max(self.dice[die.roll].lookups_before for die in faces) + MAX_LOOKUPS_AFTER_ROLL
        prefix = [
            tuple(faces.get(_DieIndex(number, die), face) for die, face in enumerate(roll.faces))
            for number, roll in enumerate(self.dice)
        ]

        def replay_choice() -> None:
            with suppress(*_REPLAY_ERRORS):
                self.run(EnumeratingDice(prefix))

        listing = self.trace.stopped_listing
        ends = None if listing is None else lambda _state, listings: listings >= listing
        return self.tracer.trace(replay_choice, self.trace.keys, last, ends)


def _find_decided_lookups(replay: _ChoiceReplay, die: _DieIndex) -> PausableWork[list[int]]:
    """Return the positions, in order, of the look-ups that one die decides; `replay` replays the choice."""
    roll, trace, program = replay.dice[die.roll], replay.trace, replay.tracer.program
    actual_face = roll.faces[die.die]
    traces = {actual_face: trace}
    common = len(trace.keys)  # how many look-ups all runs have in common, apart from a number on one axis
    is_moved = False
    ends = [face for face in (min(roll.die), max(roll.die)) if face != actual_face]
    for face in dict.fromkeys([*ends, *roll.die]):
        if face in traces:
            continue
        if len(traces) > len(ends) and not is_moved:
            return []  # neither end of the die changes anything: no face between them will
        other_trace = traces[face] = yield from replay.replay_with({die: face})
        common = min(common, _measure_common_prefix(program, other_trace, trace))
        first = next((index for index in range(common) if other_trace.keys[index] != trace.keys[index]), None)
        if first is None and common < min(len(trace.keys), len(other_trace.keys)):
            return []  # the die first decides a branch of the rules
        is_moved = is_moved or first is not None
    indices = []
    for index in range(common):
        keys = {face: other_trace.keys[index] for face, other_trace in traces.items()}
        if any(key != trace.keys[index] for key in keys.values()):
            if not _is_shifting_one_axis(program, keys):
                break
            indices.append(index)
    return indices


def _measure_common_prefix(program: Program, other_trace: LookupTrace, trace: LookupTrace) -> int:
    """Return how many look-ups of the run `other_trace` match those of `trace`, apart from a number on one axis."""
    diverged = (index for index, key in enumerate(other_trace.keys) if _has_diverged(program, trace.keys, index, key))
    return next(diverged, len(other_trace.keys))


def _has_diverged(program: Program, reference: Sequence[tuple[str, Key]], index: int, key: tuple[str, Key]) -> bool:
    """Return whether the look-up `key` differs from number `index` of the other run by more than a number on one axis.

    `reference`: the look-ups (table, values) of the other run; True as well if that run made fewer look-ups.
    """
    if index >= len(reference):
        return True
    if reference[index] == key:
        return False
    if reference[index][0] != key[0]:
        return True
    axes = program.charts[key[0]].axes
    moved = [n for n, (v, w) in enumerate(zip(reference[index][1], key[1], strict=True)) if v != w]
    return len(moved) != 1 or axes[moved[0]].sort not in ("range", "bands")


def _is_shifting_one_axis(program: Program, keys: dict[int, tuple[str, Key]]) -> bool:
    """Return whether a die shifts one number of a look-up in equal steps, except for clamped ends.

    `keys`: the look-up (table, values) for each face.
    """
    tables = {table for table, _ in keys.values()}
    if len(tables) != 1:
        return False
    axes = program.charts[next(iter(tables))].axes
    moved = [n for n in range(len(axes)) if len({str(values[n]) for _, values in keys.values()}) > 1]
    if len(moved) != 1 or axes[moved[0]].sort not in ("range", "bands"):
        return False
    numbers = [(face, values[moved[0]]) for face, (_, values) in sorted(keys.items())]
    if not all(isinstance(v, int | Fraction) for _, v in numbers):
        return False
    steps = [Fraction(w - v) / (g - f) for (f, v), (g, w) in pairwise(numbers)]
    while steps and steps[0] == 0:
        steps.pop(0)
    while steps and steps[-1] == 0:
        steps.pop()
    # a single step is a comparison with the die, unless the die has only two faces
    return len(set(steps)) == 1 and (len(steps) > 1 or len(numbers) == 2)


def _count_outcomes(
    replay: _ChoiceReplay, index: int, dice: Sequence[_DieIndex]
) -> PausableWork[tuple[tuple[Any, int], ...] | None]:
    """Return every cell that the dice could have given in one look-up, with the number of combinations that give it.

    `replay` replays the choice; `index`: the position of the look-up; `dice`: the dice that decide it. Return None if
    there are more than MAX_COMBINATIONS combinations or if one of them makes another look-up at that position.
    """
    faces = [replay.dice[die.roll].die for die in dice]
    if prod(map(len, faces)) > MAX_COMBINATIONS:
        return None
    counts: list[tuple[Any, int]] = []
    for combination in product(*faces):
        other_trace = yield from replay.replay_with(dict(zip(dice, combination, strict=True)))
        if index >= _measure_common_prefix(replay.tracer.program, other_trace, replay.trace):
            return None
        cell = other_trace.cells[index]
        for n, (outcome, count) in enumerate(counts):
            if outcome == cell:
                counts[n] = (outcome, count + 1)
                break
        else:
            counts.append((cell, 1))
    return tuple(counts)
