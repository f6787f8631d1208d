"""Look-ups in charts as the author's guide describes them: one row for each axis, ends, odds and shifts.

Reads the checked documents only, never compiled data, and knows no expressions.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Any, NamedTuple

from interpreter.model.ruleset import Axis, Table

REFUSED = "refused"


class Shift(NamedTuple):
    """A value that an axis is read by, and the shift in columns to the right."""

    value: Any
    by: int


class NoColumn(Exception):
    """A ratio with zero on either side has no column."""


def cell_of(table: Table, values: tuple[Any, ...]) -> tuple[bool, Any]:
    """Return whether the chart answers for these values, and the answer (None for a blank cell)."""
    rows = []
    for axis, value in zip(table.axes, values, strict=True):
        row = row_of(axis, value)
        if row == REFUSED:
            return False, None
        if isinstance(row, tuple):
            return True, row[1]
        rows.append(row)
    if tuple(rows) in table.cells:
        return True, table.cells[tuple(rows)]
    return table.blanks, None


def has_cell(table: Table, values: tuple[Any, ...]) -> bool:
    """Return what `has` evaluates to: a blank cell is no answer."""
    try:
        rows = [row_of(axis, value) for axis, value in zip(table.axes, values, strict=True)]
    except NoColumn:
        return False
    for row in rows:
        if row == REFUSED:
            return False
        if isinstance(row, tuple):
            return True
    return tuple(rows) in table.cells


def row_of(axis: Axis, value: Any) -> Any:
    """Return the number of the row, REFUSED, or ("result", cell) past an end that says so."""
    if isinstance(value, Shift):
        row = row_of(axis, value.value)
        if not isinstance(row, int):
            return row
        if row + value.by < 0:
            return past(axis, axis.below, 0)
        if row + value.by >= len(axis.keys):
            return past(axis, axis.above, len(axis.keys) - 1)
        return row + value.by
    if axis.sort == "ratio":
        return odds_row(axis, *value)
    if axis.sort == "bands":
        return band(axis, value)
    if value in axis.keys:
        return axis.keys.index(value)
    if axis.sort == "keys":
        return REFUSED
    low = value < axis.keys[0]
    return past(axis, axis.below if low else axis.above, 0 if low else len(axis.keys) - 1)


def past(axis: Axis, policy: Any, last: int) -> Any:
    """Return the row beyond an end: the last one, REFUSED, or the result of the policy."""
    if policy == "clamp":
        return last
    return REFUSED if policy == "refuse" else policy


def band(axis: Axis, value: Any) -> Any:
    """Return the band that contains a number."""
    for row, (low, low_closed, high, high_closed) in enumerate(axis.keys):
        if low is not None and (value < low or value == low and not low_closed):
            continue
        if high is not None and (value > high or value == high and not high_closed):
            continue
        return row
    low = axis.keys[0][0]
    if low is not None and value <= low:
        return past(axis, axis.below, 0)
    return past(axis, axis.above, len(axis.keys) - 1)


def odds_row(axis: Axis, attack: Any, defence: Any) -> Any:
    """Return the column of odds to which the true odds are rounded."""
    if defence <= 0 or attack < 0:
        raise NoColumn
    odds = Fraction(attack) / Fraction(defence)
    shown = simple(odds, axis.rounding)
    if shown < axis.keys[0]:
        return past(axis, axis.below, 0)
    if shown > axis.keys[-1]:
        return past(axis, axis.above, len(axis.keys) - 1)
    under = [row for row, key in enumerate(axis.keys) if key <= odds]
    if not under:
        return 0
    row = under[-1]
    if row == len(axis.keys) - 1 or axis.keys[row] == odds or axis.rounding in ("for_defender", "down"):
        return row
    if axis.rounding == "up":
        return row + 1
    low, high = Fraction(axis.keys[row]), Fraction(axis.keys[row + 1])
    if odds >= 1:
        return row + 1 if odds - low >= high - odds else row
    return row + 1 if 1 / odds - 1 / high < 1 / low - 1 / odds else row


def simple(odds: Fraction, rounding: str) -> Fraction:
    """Return odds as they are printed: a whole number to 1, or 1 to a whole number."""
    if odds == 0:
        return odds
    whole = odds if odds >= 1 else 1 / odds
    if rounding == "near":
        rounded = floor(whole + Fraction(1, 2))
    elif (rounding == "up") == (odds >= 1):
        rounded = ceil(whole)
    else:
        rounded = floor(whole)
    return Fraction(rounded) if odds >= 1 else Fraction(1, rounded or 1)
