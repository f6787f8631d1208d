"""Prediction of the table rows that an option looks up, as far as they are known before the dice fall.

Runs the rules on copies with the "ledger" program, which logs look-ups, and with dice of its own; what differs between
throws is left open (None). Returns data only and never reads the dice of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from interpreter.play.state_transfer import transfer_state
from interpreter.runtime import machine
from interpreter.runtime.decisions import Decision, Option
from interpreter.runtime.drafts import DraftStep, to_answer
from interpreter.runtime.errors import RuleFault, SetupError
from interpreter.runtime.log_entries import (
    ComparisonNote,
    EachNote,
    LoggedRoll,
    LoggedTurn,
    LookupNote,
    TallyNote,
    TraceEntry,
    TraceLog,
    ValueNote,
)
from interpreter.runtime.pending import get_pending_decision
from interpreter.runtime.state import State, clone_state
from interpreter.runtime.tables import Chart
from interpreter.tools.odds.resolution_scope import SEQUENCE, count_remaining_frames, sample_evenly

if TYPE_CHECKING:
    from interpreter.play.game import Game
    from interpreter.runtime.program import Program

MAX_RUNS = 240  # runs of the rules per question
OPTIONS = 24  # options explored of the pending decision
_FURTHER = 12  # options explored of each further decision of the same side before dice fall
_OTHERS = 2  # options explored of any other decision: its first and its last
_MAX_DEPTH = 4  # nesting depth of decisions
_FACES = 12  # throws that show one face each

Rows = tuple[int | None, ...]  # known row number by axis; None if it is not known
Shift = tuple[int, int]  # row number before a shift, and the number of rows shifted
AxisReadings = tuple[tuple[int | None, Shift | None], ...]  # row and shift by axis


@dataclass(frozen=True, slots=True)
class TableReading:
    """A path through the rules and its look-ups in the table.

    `way`: the option taken first, then the options taken at later decisions of its side, until dice fall. `looks`: the
    look-ups, in order.
    """

    way: tuple[Option, ...]
    looks: tuple[AxisReadings, ...]

    @property
    def rows(self) -> tuple[Rows, ...]:
        """Return the known rows of each look-up."""
        return tuple(get_unshifted_rows(look) for look in self.looks)


@dataclass(frozen=True, slots=True)
class _Path:
    """A path of the search from the start position.

    `options`: the option taken first, then those taken at later decisions of its side: the key of the look-ups.
    `frames_left`: how many of the start position's stack frames are still on the stack. `rolls`: the number of rolls so
    far. `depth`: how many decisions have been answered since the first option.
    """

    options: tuple[Option, ...]
    frames_left: int
    rolls: int = 0
    depth: int = 0


@dataclass(slots=True)
class FixedRoll:
    """A dice source that always shows the face with the index `face` or, if it is None, one face after another.

    `number`: how many dice have been rolled; `sides`: the number of faces of the first die rolled.
    """

    face: int | None = 0
    number: int = 0
    sides: int = 0

    def clone(self) -> FixedRoll:
        """Return a copy of this dice source that continues from the same position."""
        return FixedRoll(self.face, self.number, self.sides)

    def roll_faces(self, name: str, subject: str, faces: tuple[int, ...], count: int) -> list[int]:
        """Return `count` of the die's `faces` according to this source; `name` and `subject` are ignored."""
        self.sides = self.sides or len(faces) * bool(count)
        first, self.number = self.number, self.number + count
        return [faces[(first + n if self.face is None else self.face) % len(faces)] for n in range(count)]


def find_readings(program: Program, game: Game, table: str, keys: Iterable[str] = ()) -> tuple[TableReading, ...]:
    """Return what options of the pending decision would look up in the table `table`.

    `keys`: the keys of the options; none means all options. `program` is the ruleset's form "ledger". Reports only the
    first look-ups on each path: the look-ups before which the fewest dice fall. Raises SetupError for an unknown key.
    """
    decision = game.decision
    if decision is None:
        return ()
    options = [option for key in keys for option in _find_options(decision, key)] or [
        option for option in decision.options if not _is_step(option.raw)
    ]
    return _Search(program, game.state, table).find_readings(sample_evenly(options, OPTIONS))


def find_tables_read(program: Program, game: Game, key: str) -> frozenset[str]:
    """Return the names of the tables that the paths of an option look up.

    Paths are followed as far as `find_readings` follows them.
    """
    if game.decision is None:
        return frozenset()
    search = _Search(program, game.state, "")  # no table has this name, so that no path ends early
    search.find_readings(sample_evenly(_find_options(game.decision, key), OPTIONS))
    return frozenset(search.tables_met)


def find_common_lookups(readings: Sequence[TableReading]) -> tuple[AxisReadings, ...]:
    """Return the rows and shifts on which all readings agree, one entry per look-up."""
    return _merge_common_values([reading.looks for reading in readings])


def get_unshifted_rows(look: AxisReadings) -> Rows:
    """Return the rows of a look-up without their shifts."""
    return tuple(row for row, _ in look)


def _find_options(decision: Decision, key: str) -> list[Option]:
    """Return the option with a key; for the key of one step of a draft, all complete options that contain the step."""
    raw = decision.find(key)
    if raw is not None and not _is_step(raw):
        return [Option(decision, raw, 0)]
    options = [option for option in decision.options if not _is_step(option.raw) and key in option.key.split(" > ")]
    if not options:
        raise SetupError("`{key}` is not an option of the current decision", key=key)
    return options


def _is_step(raw: object) -> bool:
    return isinstance(raw, DraftStep)


def _merge_common_values(sequences: Sequence[Sequence[AxisReadings]]) -> tuple[AxisReadings, ...]:
    """Merge sequences of look-ups position by position, up to the end of the shortest sequence.

    A row or shift on which the sequences disagree becomes None; look-ups that are equal after the merge appear once.
    """
    return tuple(
        dict.fromkeys(
            tuple(_merge_rows(axis) for axis in zip(*looks, strict=True)) for looks in zip(*sequences, strict=False)
        )
    )


def _merge_rows(readings: Sequence[tuple[int | None, Shift | None]]) -> tuple[int | None, Shift | None]:
    if len({row for row, _ in readings}) > 1:
        return None, None
    return readings[0] if len(set(readings)) == 1 else (readings[0][0], None)


def _get_dice_source(state: State) -> FixedRoll:
    """Return the dice source of a state, which this module has installed."""
    assert isinstance(state.dice, FixedRoll)
    return state.dice


class _Search:
    """A depth-first search along the options and throws of a position.

    A path ends at its first look-up in `table`. `run_count`: the runs of the rules so far; `max_runs`: their limit for
    the present option; `tables_met`: the names of all tables looked up; `looks_by_path`: the look-ups of each path, one
    entry (rolls before, look-ups) for each throw tried.
    """

    def __init__(self, program: Program, state: State, table: str) -> None:
        self.program = program
        self.table = table
        self.start = transfer_state(program, state)
        self.start.draft = ()
        self.side = Decision(self.start).side_handle
        self.run_count = self.max_runs = 0
        self.tables_met: set[str] = set()
        self.looks_by_path: dict[tuple[Option, ...], list[tuple[int, tuple[AxisReadings, ...]]]] = {}

    def find_readings(self, options: Sequence[Option]) -> tuple[TableReading, ...]:
        """Follow every option and return one reading for each path that looks up the table; other paths are left out.

        For each path only the look-ups after the fewest rolls count, merged over the throws tried: a row that depends
        on the throw is None. Paths are in the order in which the search meets them. Adds every table looked up to
        `tables_met`.
        """
        for number, option in enumerate(options):
            # runs that one option leaves over are available to the next
            self.max_runs = MAX_RUNS * (number + 1) // len(options)
            self._follow(self.start, option, FixedRoll(), _Path((option,), len(self.start.frames)))
        readings = []
        for way, looks in self.looks_by_path.items():
            fewest = min(rolls for rolls, _rows in looks)
            readings.append(TableReading(way, _merge_common_values([look for rolls, look in looks if rolls == fewest])))
        return tuple(readings)

    def _follow(self, state: State, option: Option, throw: FixedRoll, path: _Path) -> None:
        """Take an option with the dice `throw`, record its first look-ups, or else follow the next decision.

        If the path has had no rolls and the option rolls dice, other throws are tried as well.
        """
        waiting: list[FixedRoll] = [throw]
        while waiting:
            dice = waiting.pop(0)
            new, log = self._run(state, option, dice.clone())
            if new is None:
                continue
            new_rolls, looks = self._list_lookups(log)
            if not path.rolls and new_rolls and dice is throw:
                waiting = _list_other_throws(_get_dice_source(new).sides)
            if looks:
                self.looks_by_path.setdefault(path.options, []).append(
                    (path.rolls + looks[0][0], tuple(look for before, look in looks if before == looks[0][0]))
                )
                continue
            remaining = min(path.frames_left, count_remaining_frames(state, new))
            if path.depth < _MAX_DEPTH and self._is_within_option(new, remaining):
                self._follow_options(new, replace(path, rolls=path.rolls + new_rolls, frames_left=remaining))

    def _follow_options(self, state: State, path: _Path) -> None:
        """Follow a sample of the options of the decision that is pending after the option last taken."""
        decision = Decision(state)
        options = [o for o in decision.options if not _is_step(o.raw)]
        is_own = not path.rolls and decision.side_handle == self.side and len(options) > 1
        for option in sample_evenly(options, _FURTHER if is_own else _OTHERS):
            options_taken = (*path.options, option) if is_own else path.options
            further = replace(path, options=options_taken, depth=path.depth + 1)
            self._follow(state, option, _get_dice_source(state), further)

    def _run(self, state: State, option: Option, dice: FixedRoll) -> tuple[State | None, TraceLog]:
        """Take an option on a copy of the state with the dice `dice`; return the copy and the log of the step.

        The copy is None if the limit of runs is reached or the rules raise a fault.
        """
        log = TraceLog()
        if self.run_count >= self.max_runs:
            return None, log
        self.run_count += 1
        new = clone_state(state)
        new.dice, new.log = dice, log
        raw = option.raw
        try:
            machine.answer(new, to_answer(new, raw))
        except RuleFault:  # a fault of the rules is reported when it happens in play
            return None, log
        new.log = None
        return new, log

    def _is_within_option(self, state: State, frames_left: int) -> bool:
        """Return True if the pending decision belongs to the option being explored, in the same turn.

        It does if it was asked by a procedure that the option has called or, after the option, by the rest of the
        calling procedures. `frames_left`: how many of the start position's stack frames are still on the stack.
        """
        if state.pending is None or state.turn != self.start.turn:
            return False
        base, number = len(self.start.frames), get_pending_decision(state).number
        described = self.program.decisions[number]
        if frames_left == base and len(state.frames) == base:
            return get_pending_decision(self.start).number in self.program.data["within"][number]
        if described.is_repeated:
            return False
        return (
            frames_left == base
            or described.draft is None
            and (state.frames[len(state.frames) - frames_left][0] not in SEQUENCE)
        )

    def _list_lookups(self, log: TraceLog) -> tuple[int, list[tuple[int, AxisReadings]]]:
        """Return the number of rolls in a log, and (rolls before it, look-up) for each look-up in the table."""
        rolls, lookups = 0, []
        for entry in log:
            if isinstance(entry, LoggedTurn):
                break  # later entries belong to another turn
            if isinstance(entry, LoggedRoll):
                rolls += bool(entry.faces)
            for note in _iter_look_ups(entry):
                self.tables_met.add(note.table)
                if note.table == self.table and note.rows:
                    lookups.append((rolls, _build_look(self.program.charts[self.table], note.keys, note.rows)))
        return rolls, lookups


def _build_look(chart: Chart, keys: tuple[Any, ...], rows: Sequence[int]) -> AxisReadings:
    """Return (row, shift) for each axis of a look-up; the shift is None for an axis that was not shifted.

    `keys`: the values looked up, one for each axis; `rows`: the numbers of the rows that were read.
    """
    return tuple(
        (row, None if base is None else (base, key.by))
        for row, base, key in zip(rows, chart.find_unshifted_rows(keys), keys, strict=True)
    )


def _list_other_throws(sides: int) -> list[FixedRoll]:
    """Return the throws to try after the first face: each other face, the last one first, then all faces in turn.

    `sides`: the number of faces of the die; only the first few are tried.
    """
    faces = range(1, min(sides, _FACES))
    return [FixedRoll(face) for face in [*reversed(faces[-1:]), *faces[:-1]]] + [FixedRoll(None)]


def _iter_look_ups(entry: TraceEntry) -> Iterator[LookupNote]:
    """Yield the look-ups of a log entry and of its nested entries, in order."""
    inner: Iterable[TraceEntry] = ()
    match entry:
        case EachNote(note):
            inner = (note,)
        case LookupNote() | ComparisonNote() | ValueNote():
            inner = entry.inside
        case TallyNote():
            inner = (*entry.inside, *(note for line in entry.lines for note in line.inside))
    for nested in inner:
        yield from _iter_look_ups(nested)
    if isinstance(entry, LookupNote):
        yield entry
