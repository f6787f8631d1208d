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
from typing import Any, TypeVar

from interpreter.runtime.dice import EnumeratingDice, Faces, InvalidDiceError, NextRoll
from interpreter.runtime.errors import IllegalAction, RuleFault, RuntimeFault
from interpreter.runtime.program import Program
from interpreter.runtime.state import State
from interpreter.runtime.tables import Chart

MOST_WAYS = 1296  # combinations of the dice that decide one look-up together; larger products are skipped
MOST_BETWEEN = 200  # look-ups between a roll and the one it decides; later look-ups are not attributed
_NO_END = 1 << 60
_LOOK, _POSSIBLE = "_look_covered", "_possible"
_NOT_HERE = (RuleFault, RuntimeFault, IllegalAction, NextRoll, InvalidDiceError)

Key = tuple[Any, ...]
Run = Callable[[Any], object]  # replays a choice with these dice
Ends = Callable[[Any, int], bool]  # (state, listings so far) -> whether a run may stop where options are listed


@dataclass(frozen=True, slots=True)
class RolledDice:
    """One roll: its name, the faces of the die, and the faces rolled.

    `at` is the number of look-ups that the choice made before the roll.
    """

    name: str
    die: Faces
    faces: tuple[int, ...]
    at: int = 0


@dataclass(frozen=True, slots=True)
class LookupChances:
    """A look-up decided by dice: the actual cell, and every possible cell with its number of combinations.

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
    """The table look-ups of a run of the rules in order: their keys (table, axis values) and the cells found.

    `lists`: if the run was stopped where options are listed, the number of that listing, from 1; else None.
    """

    keys: list[tuple[str, Key]] = field(default_factory=list)
    cells: list[Any] = field(default_factory=list)
    lists: int | None = None


_Found = TypeVar("_Found")
PausableWork = Generator[None, None, _Found]  # yields between steps so that the caller can pause and resume


class _DivergenceSignal(Exception):  # noqa: N818 - control flow
    """Control-flow signal: the run made a look-up that differs by more than one die axis."""


class LookupTracer:
    """Recorder of the table look-ups of an instrumented program; it replaces functions of that program to see them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._trace: LookupTrace | None = None
        self._against: Sequence[tuple[str, Key]] | None = None
        self._ends: Ends | None = None
        self._last = self._lists = 0
        functions = program.namespace
        functions[_LOOK] = self._record_lookup
        for name in (_POSSIBLE, *(f"list_{number}" for number in range(len(program.decisions)))):
            if name in functions:
                functions[name] = self._wrap_listing(functions[name])

    @property
    def position(self) -> int:
        """Return the number of look-ups recorded in this run."""
        return len(self._trace.keys) if self._trace is not None else 0

    def stop_soon(self) -> None:
        """Stop the current run after a fixed number of further look-ups; called at the last roll."""
        self._last = self.position + MOST_BETWEEN

    def trace(
        self,
        run: Callable[[], object],
        against: Sequence[tuple[str, Key]] | None = None,
        last: int = _NO_END,
        ends: Ends | None = None,
    ) -> LookupTrace:
        """Call `run` and return the look-ups it makes.

        With `against`, the run stops at the first look-up that differs from that list by more than a number on one
        axis; this look-up is still recorded. The run also stops after `last` look-ups, and where options are listed if
        `ends(state, times options were listed)` is true.
        """
        self.program.forget_for_good()  # memoized results would skip their look-ups
        self._trace, self._against, self._last, self._ends, self._lists = LookupTrace(), against, last, ends, 0
        trace = self._trace
        try:
            with suppress(_DivergenceSignal):
                run()
        finally:
            self._trace = self._against = self._ends = None
        return trace

    def _wrap_listing(self, listed: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function that lists or tests options so that a run can be stopped before it."""

        def listen(state: State, *values: object) -> object:
            trace = self._trace
            if trace is not None and self._ends is not None:
                self._lists += 1
                if self._ends(state, self._lists):
                    trace.lists = self._lists
                    raise _DivergenceSignal
            return listed(state, *values)

        return listen

    def _record_lookup(self, coverage: object, table: str, chart: Chart, values: Key) -> object:
        """Look up a cell of a chart and record it; this replaces the function that the rules call."""
        cell = chart.look(*values)
        trace = self._trace
        if trace is not None:
            at = len(trace.keys)
            trace.keys.append((table, values))
            trace.cells.append(cell)
            against = self._against
            if at >= self._last or against is not None and _has_diverged(self.program, against, at, (table, values)):
                raise _DivergenceSignal
        return cell


def attribute_rolls(
    tracer: LookupTracer, run: Run, trace: LookupTrace, rolls: Sequence[RolledDice]
) -> PausableWork[list[LookupChances]]:
    """Return the look-ups of one choice whose result its rolls decided, in order; yield before each replay.

    `trace`: the look-ups of the choice as played; `run` replays it with other dice; `rolls`: its rolls, in order.
    """
    replay = _ChoiceReplay(tracer, run, trace, [roll for roll in rolls if roll.faces])
    decided: dict[int, list[tuple[int, int]]] = {}
    for number, roll in enumerate(replay.dice):
        for die in range(len(roll.faces)):
            for at in (yield from _find_decided_lookups(replay, number, die)):
                decided.setdefault(at, []).append((number, die))
    analyzed = []
    for at in sorted(decided):
        chances = yield from _count_outcomes(replay, at, decided[at])
        if chances is not None:
            numbers = tuple(dict.fromkeys(number for number, _ in decided[at]))
            analyzed.append(LookupChances(*trace.keys[at], numbers, trace.cells[at], chances))
    return analyzed


@dataclass(slots=True)
class _ChoiceReplay:
    """A choice that can be replayed with some of its dice changed; the look-ups of each replay are memoized."""

    tracer: LookupTracer
    run: Run
    trace: LookupTrace
    dice: Sequence[RolledDice]
    tables: dict[frozenset[tuple[tuple[int, int], int]], LookupTrace] = field(default_factory=dict)

    def replay_with(self, faces: dict[tuple[int, int], int]) -> PausableWork[LookupTrace]:
        """Return the look-ups of a replay in which some dice show other faces, up to the first difference.

        `faces`: the new face by (index of the roll, index of the die within it).
        """
        changed = frozenset((at, face) for at, face in faces.items() if self.dice[at[0]].faces[at[1]] != face)
        if not changed:
            return self.trace
        if changed not in self.tables:
            yield
            self.tables[changed] = self._rerun(faces)
        return self.tables[changed]

    def _rerun(self, turned: dict[tuple[int, int], int]) -> LookupTrace:
        """Replay the choice with other faces of some dice, given as for `replay_with`."""
        last = max(self.dice[number].at for number, _ in turned) + MOST_BETWEEN
        prefix = [
            tuple(turned.get((number, die), face) for die, face in enumerate(roll.faces))
            for number, roll in enumerate(self.dice)
        ]

        def go() -> None:
            with suppress(*_NOT_HERE):
                self.run(EnumeratingDice(prefix))

        listed = self.trace.lists
        ends = None if listed is None else lambda _state, lists: lists >= listed
        return self.tracer.trace(go, self.trace.keys, last, ends)


def _find_decided_lookups(replay: _ChoiceReplay, number: int, die: int) -> PausableWork[list[int]]:
    """Return the positions, in order, of the look-ups that one die decides.

    `replay` replays the choice; `number`: the index of the roll; `die`: the index of the die within it.
    """
    roll, trace, program = replay.dice[number], replay.trace, replay.tracer.program
    own = roll.faces[die]
    looked = {own: trace}
    common, is_moved = len(trace.keys), False  # how many look-ups all runs have in common but for one axis
    ends = [face for face in (min(roll.die), max(roll.die)) if face != own]
    for face in dict.fromkeys([*ends, *roll.die]):
        if face in looked:
            continue
        if len(looked) > len(ends) and not is_moved:
            return []  # neither end of the die changes anything: no face between them will
        other_trace = looked[face] = yield from replay.replay_with({(number, die): face})
        common = min(common, _measure_common_prefix(program, other_trace, trace))
        first = next((at for at in range(common) if other_trace.keys[at] != trace.keys[at]), None)
        if first is None and common < min(len(trace.keys), len(other_trace.keys)):
            return []  # the die first decides a branch of the rules
        is_moved = is_moved or first is not None
    indices = []
    for at in range(common):
        keys = {face: other_trace.keys[at] for face, other_trace in looked.items()}
        if any(key != trace.keys[at] for key in keys.values()):
            if not _is_shifting_one_axis(program, keys):
                break
            indices.append(at)
    return indices


def _measure_common_prefix(program: Program, other_trace: LookupTrace, trace: LookupTrace) -> int:
    """Return how many look-ups of the run `other_trace` match those of `trace`, apart from a number on one axis."""
    diverged = (at for at, key in enumerate(other_trace.keys) if _has_diverged(program, trace.keys, at, key))
    return next(diverged, len(other_trace.keys))


def _has_diverged(program: Program, against: Sequence[tuple[str, Key]], at: int, key: tuple[str, Key]) -> bool:
    """Return whether the look-up `key` differs from number `at` of the other run by more than a number on one axis.

    `against`: the look-ups (table, values) of the other run; True as well if that run made fewer look-ups.
    """
    if at >= len(against):
        return True
    if against[at] == key:
        return False
    if against[at][0] != key[0]:
        return True
    axes = program.charts[key[0]].axes
    moved = [n for n, (v, w) in enumerate(zip(against[at][1], key[1], strict=True)) if v != w]
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
    replay: _ChoiceReplay, at: int, dice: Sequence[tuple[int, int]]
) -> PausableWork[tuple[tuple[Any, int], ...] | None]:
    """Return every cell that the dice could have given in one look-up, with the number of combinations that give it.

    `replay` replays the choice; `at`: the position of the look-up; `dice`: its dice as (index of the roll, index of the
    die). Return None if there are more than MOST_WAYS combinations or if one of them makes another look-up at that
    position.
    """
    faces = [replay.dice[number].die for number, _ in dice]
    if prod(map(len, faces)) > MOST_WAYS:
        return None
    counted: list[tuple[Any, int]] = []
    for fallen in product(*faces):
        looked = yield from replay.replay_with(dict(zip(dice, fallen, strict=True)))
        if at >= _measure_common_prefix(replay.tracer.program, looked, replay.trace):
            return None
        cell = looked.cells[at]
        for n, (outcome, count) in enumerate(counted):
            if outcome == cell:
                counted[n] = (outcome, count + 1)
                break
        else:
            counted.append((cell, 1))
    return tuple(counted)
