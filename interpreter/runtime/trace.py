"""What a program for ledgers calls while it runs: notes of look-ups, tallies, tests and values.

Notes go into the log among events and rolls, each behind those that it is made of, and takes
them in. With no log nothing is noted. Must not change the game.
"""

from __future__ import annotations

from operator import eq, ge, gt, le, lt, ne
from typing import Any

from interpreter.runtime.builtins.values import called_by

_COMPARED = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
SORTS = ("look", "value", "test", "tally")  # first members of notes in a log


def mark(state: Any) -> int:
    """Where in the log notes from now on will stand."""
    return 0 if state.log is None else len(state.log)


def taken_notes(state: Any, since: int) -> tuple[Any, ...]:
    """The notes since a mark, taken out of the log."""
    log = state.log
    if log is None:
        return ()
    inside = tuple(log[since:])
    del log[since:]
    return inside


def noted_look(
    state: Any, since: int, table: str, chart: Any, keys: tuple[Any, ...], terms: tuple[Any, ...], column: Any
) -> Any:
    """A look-up; `terms` are what each row is reckoned from, `column` (index, name, show) one field of a record."""
    found = chart.look(*keys)
    told = found if column is None or found is None else found[column[0]]
    if state.log is not None and told is not None:
        rows = chart.rows(keys)
        inside = taken_notes(state, since)
        state.log.append(
            ("look", table, keys, tuple(rows) if isinstance(rows, list) else (), told, terms, column, inside)
        )
    return told


def noted_value(
    state: Any,
    since: int,
    value: Any,
    name: str,
    define: str,
    cites: tuple[str, ...],
    show: Any,
    kind: str | None,
    of: Any,
) -> Any:
    """What a define gives to a name or an attribute."""
    if state.log is not None:
        inside = taken_notes(state, since)
        state.log.append(("value", name, value, define, cites, show, kind, of, inside))
    return value


def noted_test(
    state: Any, since: int, symbol: str, left: Any, right: Any, names: tuple[str, str], terms: tuple[Any, ...]
) -> bool:
    """A comparison of two numbers."""
    result = bool(_COMPARED[symbol](left, right))
    if state.log is not None:
        inside = taken_notes(state, since)
        state.log.append(("test", symbol, left, right, names, terms, result, inside))
    return result


def noted_tally(state: Any, since: int, name: str, cites: tuple[str, ...], total: Any, lines: list[Any]) -> Any:
    """A tally: each line is (words, their values, amount, citations, notes)."""
    if state.log is not None:
        inside = taken_notes(state, since)
        state.log.append(("tally", name, cites, total, tuple(lines), inside))
    return total


def noted_each(state: Any, since: int, value: Any) -> Any:
    """One member of a sum or an extreme: equal notes of several members are several."""
    log = state.log
    if log is not None:
        log[since:] = [note if note[0] == "each" else ("each", note) for note in log[since:]]
    return value


NOTES = called_by(vars())
