"""Ledger of a choice: every tally, lookup, test and roll of its resolution in order.

The choice is replayed from the position before it, with the same dice, on a program instrumented to note its
computations. The replay must reach the same position, otherwise no ledger is built. The game itself does not change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.play.events import build_event
from interpreter.play.snapshot import to_plain_data
from interpreter.play.state_transfer import select_needed_frames, transfer_state
from interpreter.runtime import machine
from interpreter.runtime.decisions import Decision, Option
from interpreter.runtime.dice import ScriptedDice, SeededDice
from interpreter.runtime.drafts import DraftStep, RawOption, to_answer
from interpreter.runtime.errors import RuleFault, SetupError
from interpreter.runtime.limits import one_budget
from interpreter.runtime.log_entries import (
    ComparisonNote,
    ComputationNote,
    EachNote,
    LoggedChoice,
    LoggedPhase,
    LoggedPhaseEnd,
    LoggedRoll,
    LoggedTurn,
    LookupNote,
    TallyLine,
    TallyNote,
    TraceEntry,
    TraceLog,
    TraceNote,
    ValueNote,
)
from interpreter.runtime.state import State, clone_state, copy_shared_lists, serialize_state, to_json
from interpreter.runtime.tables import ShiftedKey
from interpreter.runtime.type_aliases import DisplayType, handle_of
from interpreter.runtime.value_ids import to_value_id

if TYPE_CHECKING:
    from interpreter.play.game import Game
    from interpreter.runtime.program import Program

_EFFECT_SORTS = ("event", "move", "set", "taken", "end")  # entries that explain nothing
_COMPUTATION_SORTS = ("look", "value", "test", "tally", "line")  # entries that are not events
_OMITTED = (LoggedChoice, LoggedTurn, LoggedPhase, LoggedPhaseEnd)  # log entries that the ledger leaves out


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One step of the resolution of a choice.

    `sort` determines the meaning of `args` and `value`, which hold ids, numbers and words:

    - "look": a lookup in table `name`; `args` maps each axis to {"value": the key (two numbers for a ratio), "row": the
      printed row or column, "terms": [sign, name, value] for each term of a computed key}. A shifted row also has
      "base", the row before the shift (None past an end), and "shift". `args["column"]`: the column, if the table has
      several. Example: LedgerEntry("look", "losses", {"odds": {"value": [8, 4], "row": "2:1", ...}}, 3, ...)
    - "tally": a sum with the total `value`; `inside` has an entry "line" for each summand: its amount as `value`, its
      text as args["words"]
    - "value": the value of the local name or attribute `name`, computed by the define args["rule"]
    - "test": a comparison; `args` has "left" and "right" (each with value, name and terms) and "symbol"; `value`:
      whether it holds
    - "roll", "event", "move", "set", "taken", "end": as in a game's log

    `cite`: the paragraphs it cites. `source`: the provenance of a table, such as "printed"; '' for other entries.
    `times`: the number of equal members of a sum that the entry represents.
    """

    sort: str
    name: str
    args: dict[str, Any]
    value: Any
    cite: tuple[str, ...]
    source: str
    inside: tuple[LedgerEntry, ...]
    times: int
    raw: TraceEntry | TallyLine


def build_last_ledger(game: Game, program: Program, back: int = 0) -> tuple[LedgerEntry, ...]:
    """Return the ledger of the last choice of a recorded game, or of the choice `back` choices earlier.

    `program` is the ruleset's form "ledger". Raises SetupError if the choice does not exist or if replaying does not
    reach the same position.
    """
    return build_ledger_entries(program, build_last_trace(game, program, back))


def build_last_trace(game: Game, program: Program, back: int = 0) -> TraceLog:
    """Return the log with notes of the choice `back` choices before the last one.

    `program` is the ruleset's form "ledger". Raises SetupError as `build_last_ledger` does.
    """
    history = game.get_history()
    chosen = next(islice((entry for entry in reversed(history) if entry.key), back, None), None)
    if chosen is None:
        raise SetupError("no choice that could be explained has been recorded yet")
    start, raw = _build_repeatable_choice(chosen.state, chosen.key)
    rolls = (raw for raw in game.get_raw_log()[chosen.log_length :] if isinstance(raw, LoggedRoll))
    faces = [face for roll in rolls for face in roll.faces]
    later = history[history.index(chosen) + 1 :]
    return _replay_choice(program, start, raw, faces, later[0].state if later else game.state)


def _build_repeatable_choice(before: State, key: str) -> tuple[State, RawOption]:
    """Return a copy of a state without draft steps, and its option `key`; raise SetupError if it has none."""
    start = clone_state(before)
    start.draft = ()
    raw = Decision(start).find(key)
    if raw is None:
        raise SetupError("`{key}` cannot be repeated", key=key)
    return start, raw


class _SnapshotLog(TraceLog):
    """A log that copies the state before each entry for which `begins(entry, state)` holds."""

    __slots__ = ("begins", "snapshots", "state")

    def __init__(self, state: State, begins: Callable[[TraceEntry, State], bool]) -> None:
        super().__init__()
        self.state, self.begins = state, begins
        self.snapshots: list[tuple[int, State]] = []

    def append(self, entry: TraceEntry, /) -> None:
        """Append an entry; take a snapshot first if `begins` holds for it."""
        if self.begins(entry, self.state):
            owned = self.state.own
            snapshot = clone_state(self.state)
            copy_shared_lists(snapshot)
            self.state.own = owned  # the snapshot shares no list with the state
            snapshot.log, snapshot.pending, snapshot.stack = None, None, ()
            self.snapshots.append((len(self), snapshot))
        super().append(entry)


def list_states_at_entries(
    before: State, key: str, faces: Sequence[int], begins: Callable[[TraceEntry, State], bool]
) -> tuple[tuple[int, State], ...]:
    """Return (index, state before it) of the log entries of a choice for which `begins(entry, state)` holds.

    The option `key` is chosen again in the state `before`, with the dice `faces` if they were not seeded. The log of
    the repeated choice lacks the entry of the choice itself. Nothing is pending in the returned states. Raises
    SetupError if the choice cannot be made again.
    """
    state, raw = _build_repeatable_choice(before, key)
    if not isinstance(before.dice, SeededDice):
        state.dice = ScriptedDice(list(faces))
    state.log = log = _SnapshotLog(state, begins)
    machine.answer(state, to_answer(state, raw))
    return tuple(log.snapshots)


def count_choices_since_roll(game: Game) -> int | None:
    """Return the number of choices after the last one that rolled dice, or None if the log has no roll."""
    end = len(game.get_raw_log())
    back = 0
    for length, key in game.get_history().iter_marks():
        if any(isinstance(entry, LoggedRoll) for entry in game.get_raw_log()[length:end]):
            return back
        end = length
        back += bool(key)
    return None


def explain_last_choice(game: Game, program: Program) -> tuple[tuple[LedgerEntry, ...], int]:
    """Return the entries that explain the last choice, and how many choices back they are from.

    If the last choice neither rolled nor looked anything up, the entries explain the last choice that rolled dice;
    () if there is none. Raises SetupError as `build_last_ledger` does.
    """
    entries, back = build_last_ledger(game, program), count_choices_since_roll(game)
    if any(entry.sort not in _EFFECT_SORTS for entry in entries):
        return entries, 0
    return (build_last_ledger(game, program, back), back) if back else ((), 0)


def collect_read_cells(program: Program, entries: Iterable[LedgerEntry]) -> dict[str, set[tuple[int, ...]]]:
    """Return, for each table, the cells that entries have read, as row numbers; `program` is the form for play."""
    cells: dict[str, set[tuple[int, ...]]] = {}
    for entry in _iter_lookups(entries):
        assert isinstance(entry.raw, LookupNote)
        rows = entry.raw.rows
        if len(rows) == len(program.charts[entry.name].axes):
            cells.setdefault(entry.name, set()).add(rows)
    return cells


def _iter_lookups(entries: Iterable[LedgerEntry]) -> Iterator[LedgerEntry]:
    for entry in entries:
        if entry.sort == "look":
            yield entry
        yield from _iter_lookups(entry.inside)


def ledger(before: Game, option: Option | str, program: Program) -> tuple[LedgerEntry, ...]:
    """Return the ledger that an option would have in the position `before`, rolled with the game's own next dice.

    `program` is the ruleset's form "ledger". The game itself does not change. Raises SetupError if it lacks
    `option`.
    """
    decision = before.decision
    key = option.key if isinstance(option, Option) else option
    raw = None if decision is None else decision.find(key)
    if decision is None or raw is None or isinstance(raw, DraftStep):
        raise SetupError("`{key}` is not an option of the current decision", key=key)
    if not isinstance(before.state.dice, SeededDice | ScriptedDice):
        raise SetupError("a roll with these dice cannot be previewed; make the choice first, then ask for its details")
    twin = clone_state(before.state)
    twin.log = None
    machine.answer(twin, to_answer(twin, raw))
    return build_ledger_entries(program, _replay_choice(program, before.state, raw, None, twin))


class ScoreTallies(NamedTuple):
    """The tallies behind the score or the views of one seat or side; `kind` is "seat" or "side"."""

    kind: str
    id: str
    tallies: tuple[LedgerEntry, ...]


@one_budget()
def compute_score_tallies(game: Game, program: Program) -> tuple[ScoreTallies, ...]:
    """Compute the tallies behind the scores and the ruleset's views of sides and seats.

    `program` is the ruleset's form "ledger". Tallies that cannot be evaluated in this position are left out.
    """
    handles_by_kind = {"seat": sorted(set(game.state.seat_of)), "side": range(len(program.ids["side"]))}
    owners = []
    for name, kind in program.data["tallied"]:
        for handle in handles_by_kind[kind]:
            state = transfer_state(program, game.state)
            state.log = log = TraceLog()
            try:
                machine.evaluate(state, program.functions.get_tallied_value(name), handle)
            except RuleFault as fault:
                if fault.is_exhausted:
                    raise
                continue
            if tallies := tuple(entry for entry in build_ledger_entries(program, log) if entry.sort == "tally"):
                owners.append(ScoreTallies(kind, program.ids[kind][handle], tallies))
    return tuple(owners)


def _replay_choice(program: Program, before: State, raw: RawOption, faces: list[int] | None, after: State) -> TraceLog:
    """Choose an option again on `program`, a form that notes its computations, and return the notes.

    `faces`: the faces that were rolled, used if the dice are not seeded. Raises SetupError unless the position `after`
    is reached.
    """
    state = transfer_state(program, before)
    if faces is not None and not isinstance(before.dice, SeededDice):
        state.dice = ScriptedDice(faces)
    log = TraceLog()
    state.log = log
    machine.answer(state, to_answer(state, raw))
    state.log = None
    state = transfer_state(after.program, state)
    (data, counter), (expected, expected_counter) = (
        _serialize_for_comparison(state, after.program),
        _serialize_for_comparison(after, after.program),
    )
    if data != expected or isinstance(before.dice, SeededDice) and counter != expected_counter:
        raise SetupError("repeating the choice does not lead to the same position, so its details cannot be shown")
    return log


def _serialize_for_comparison(state: State, program: Program) -> tuple[dict[str, Any], int | None]:
    """Return the data by which two states are compared, as JSON data, and the number of dice rolled.

    Locals that are never read again are left out. The number is None for dice without a counter. `program`: the program
    whose states have these frames.
    """
    data = serialize_state(state)
    data["frames"] = to_json(select_needed_frames(program, state.frames))
    return data, getattr(state.dice, "counter", None)


def build_ledger_entries(program: Program, log: Iterable[TraceEntry]) -> tuple[LedgerEntry, ...]:
    """Build the entries of a log with notes; equal notes with no event between them are merged."""
    entries: list[LedgerEntry] = []
    start = 0
    for raw in log:
        if isinstance(raw, TraceNote):
            _add_note(entries, start, program, raw)
        elif not isinstance(raw, _OMITTED):
            event = build_event(program, raw)
            entries.append(LedgerEntry(event.sort, event.name, event.args, None, event.cite, "", (), 1, raw))
            start = len(entries)
    return _drop_repeated_tallies(entries)


def _drop_repeated_tallies(entries: Iterable[LedgerEntry]) -> tuple[LedgerEntry, ...]:
    """Remove tallies that repeat an earlier one with no event in between."""
    previous: dict[Any, None] = {}

    def drop_repeats(entry: LedgerEntry) -> LedgerEntry:
        inside = [drop_repeats(inner) for inner in entry.inside if inner.sort != "tally" or inner.raw not in previous]
        if entry.sort == "tally":
            previous[entry.raw] = None
        return replace(entry, inside=tuple(inside))

    kept_entries = []
    for entry in entries:
        if entry.sort not in _COMPUTATION_SORTS:
            previous.clear()
        if entry.sort != "tally" or entry.raw not in previous:
            kept_entries.append(drop_repeats(entry))
    return tuple(kept_entries)


def _add_note(out: list[LedgerEntry], start: int, program: Program, raw: TraceNote) -> None:
    """Append the entry of a note to `out`, unless an equal entry was added at index `start` or later.

    For a member of a sum, that entry is then counted once more; any other duplicate is dropped.
    """
    is_member = isinstance(raw, EachNote)
    entry = _build_entry(program, raw.note if isinstance(raw, EachNote) else raw)
    for n in range(start, len(out)):
        if out[n].raw == entry.raw:
            if is_member:
                out[n] = replace(out[n], times=out[n].times + 1)
            return
    out.append(entry)


def _build_entries(program: Program, notes: Iterable[TraceNote]) -> tuple[LedgerEntry, ...]:
    entries: list[LedgerEntry] = []
    for note in notes:
        _add_note(entries, 0, program, note)
    return tuple(entries)


def _build_entry(program: Program, raw: ComputationNote) -> LedgerEntry:
    match raw:
        case LookupNote():
            chart = program.charts[raw.table]
            value = _to_plain_value(program, get_lookup_type(program, raw), raw.value)
            rows, inside = _describe_rows(program, raw), _build_entries(program, raw.inside)
            return LedgerEntry("look", raw.table, rows, value, chart.cites, chart.source, inside, 1, raw)
        case ValueNote():
            args: dict[str, Any] = {"rule": raw.define}
            if raw.kind is not None and raw.kind != "game":
                args["of"] = program.ids[raw.kind][handle_of(raw.owner)]
            value = _to_plain_value(program, raw.show, raw.value)
            return LedgerEntry(
                "value", raw.name, args, value, raw.cites, "", _build_entries(program, raw.inside), 1, raw
            )
        case ComparisonNote(symbol, left, right):
            sides = [
                {"value": to_plain_data(v), "name": n, "terms": to_plain_data(t)}
                for v, n, t in zip((left, right), raw.names, raw.terms, strict=True)
            ]
            args = {"left": sides[0], "symbol": symbol, "right": sides[1]}
            return LedgerEntry("test", "", args, raw.result, (), "", _build_entries(program, raw.inside), 1, raw)
        case TallyNote():
            inside = (*_build_entries(program, raw.inside), *(_build_tally_line(program, line) for line in raw.lines))
            return LedgerEntry("tally", raw.name, {}, to_plain_data(raw.total), raw.cites, "", inside, 1, raw)


def _build_tally_line(program: Program, line: TallyLine) -> LedgerEntry:
    text, amount = program.get_localizer().fill_text(line.words, line.values), to_plain_data(line.amount)
    return LedgerEntry(
        "line", "", {"words": text}, amount, line.cites, "", _build_entries(program, line.inside), 1, line
    )


def get_lookup_type(program: Program, raw: LookupNote) -> DisplayType:
    """Return the type description of the value that a lookup has read."""
    show: DisplayType = program.charts[raw.table].show if raw.column is None else raw.column[2]
    return show


def _describe_rows(program: Program, raw: LookupNote) -> dict[str, Any]:
    """Return the value and the row of each axis of a look-up, and the terms of the values."""
    table, keys, rows, _, terms, column, _ = raw
    rows_by_axis: dict[str, Any] = {}
    chart = program.charts[table]
    bases = chart.find_unshifted_rows(keys)
    for n, axis in enumerate(chart.axes):
        key, base = keys[n], bases[n]
        shift: dict[str, Any] = {}
        if isinstance(key, ShiftedKey):
            shift = {"base": None if base is None else axis.labels[base], "shift": key.by}
            key = key.value
        value = to_plain_data(key) if axis.sort == "ratio" else _to_plain_value(program, axis.show, key)
        row = axis.labels[rows[n]] if rows else None
        rows_by_axis[axis.name] = {"value": value, "row": row, "terms": to_plain_data(terms[n]), **shift}
    if column is not None:
        rows_by_axis["column"] = column[1]
    return rows_by_axis


def _to_plain_value(program: Program, show: DisplayType, value: object) -> object:
    return to_plain_data(to_value_id(program, show, value))
