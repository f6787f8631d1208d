"""Tracing functions of ledger programs: notes of lookups, tallies, tests and values.

Notes are appended to the log among events and rolls. Each note follows the notes it is made of and absorbs them.
Without a log nothing is noted.
"""

from __future__ import annotations

from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any

from interpreter.runtime.builtins.values import list_compiled_functions
from interpreter.runtime.log_entries import (
    ComparisonNote,
    EachNote,
    LookupNote,
    TallyLine,
    TallyNote,
    TraceLog,
    TraceNote,
    ValueNote,
)
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import DisplayType, Number

if TYPE_CHECKING:
    from interpreter.runtime.tables import Chart

_COMPARED = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def trace_of(state: State) -> TraceLog | None:
    """Return the log of an instrumented program, or None if nothing is logged."""
    log = state.log
    assert log is None or isinstance(log, TraceLog)
    return log


def mark(state: State) -> int:
    """Return the length of the log, the index of the next note."""
    log = trace_of(state)
    return 0 if log is None else len(log)


def take_notes(state: State, since: int) -> tuple[TraceNote, ...]:
    """Remove the notes of the log from index `since` on and return them; () if nothing is logged."""
    log = trace_of(state)
    if log is None:
        return ()
    inside = tuple([note for note in log[since:] if isinstance(note, TraceNote)])  # an expression logs nothing else
    del log[since:]
    return inside


def note_lookup(
    state: State,
    since: int,
    table: str,
    chart: Chart,
    keys: tuple[Any, ...],
    terms: tuple[Any, ...],
    column: tuple[int, str, DisplayType] | None,
) -> object:
    """Look up a chart, record that in the trace, and return the result.

    `since`: the length of the log before the keys were evaluated; later notes move inside this one. `terms`: for each
    axis, the operands from which its key was computed. `column`: (index, name, type) of the field that is read from a
    record in the cell, or None.
    """
    cell: Any = chart.look(*keys)
    value = cell if column is None or cell is None else cell[column[0]]
    if (log := trace_of(state)) is not None and value is not None:
        found_rows = chart.find_rows(keys)
        rows = tuple(found_rows) if isinstance(found_rows, list) else ()
        log.append(LookupNote(table, keys, rows, value, terms, column, take_notes(state, since)))
    return value


def note_value(
    state: State,
    since: int,
    value: object,
    name: str,
    define: str,
    cites: tuple[str, ...],
    show: DisplayType,
    kind: str | None,
    of: object,
) -> object:
    """Record the value of a define in the trace, and return it.

    `since`: the length of the log before it was evaluated; later notes move inside this one. `name`: the variable or
    attribute to which it is assigned. `show`: its type. `kind`, `of`: kind and handle of the attribute's owner, or
    None.
    """
    if (log := trace_of(state)) is not None:
        log.append(ValueNote(name, value, define, cites, show, kind, of, take_notes(state, since)))
    return value


def note_comparison(
    state: State,
    since: int,
    symbol: str,
    left: Number,
    right: Number,
    names: tuple[str, str],
    terms: tuple[Any, ...],
    rolled: tuple[bool, bool],
) -> bool:
    """Evaluate a comparison of two numbers, record it in the trace, and return its result.

    `since`: the length of the log before the operands were evaluated; later notes move inside this one. `names`: the
    names of the left and the right side, or ''. `terms`: the operands from which each side is computed. `rolled`:
    whether each side is computed from dice.
    """
    result = bool(_COMPARED[symbol](left, right))
    if (log := trace_of(state)) is not None:
        log.append(ComparisonNote(symbol, left, right, names, terms, rolled, result, take_notes(state, since)))
    return result


def note_tally(
    state: State, since: int, name: str, cites: tuple[str, ...], total: Number, lines: list[TallyLine]
) -> object:
    """Record a tally in the trace and return its total.

    `since`: the length of the log before it was computed; later notes move inside this one. `lines`: the lines that
    applied.
    """
    if (log := trace_of(state)) is not None:
        log.append(TallyNote(name, cites, total, tuple(lines), take_notes(state, since)))
    return total


def note_member(state: State, since: int, value: object) -> object:
    """Mark the notes made for one member of a sum, minimum or maximum, so that they are counted apart; return `value`.

    `since`: the length of the log before the member was evaluated; later notes are marked.
    """
    if (log := trace_of(state)) is not None:
        log[since:] = [note if isinstance(note, EachNote) else EachNote(note) for note in take_notes(state, since)]
    return value


NOTES = list_compiled_functions(vars())
