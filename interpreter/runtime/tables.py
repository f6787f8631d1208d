"""Chart lookups: exact rows, ranges, bands and odds, and the policies past the ends."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import Any, Final, NamedTuple, TypeAlias

from interpreter.i18n.number_format import format_number
from interpreter.runtime.errors import RuntimeFault
from interpreter.runtime.plain_data import plain, value_of
from interpreter.runtime.type_aliases import DisplayType, Number, Value


class AxisRefusal(Enum):
    """The result of looking up a value beyond an end of an axis where the chart has no result for it."""

    REFUSED = "refused"


_REFUSED: Final = AxisRefusal.REFUSED
_MAX_MEMOIZED = 10_000  # odds columns memoized by both strengths
FixedResult: TypeAlias = tuple[str, Any]  # ("result", cell): the result past an end


class ShiftedKey(NamedTuple):
    """A value on an axis and a shift: the row (or column) to use is `by` rows after the row of the value."""

    value: Any
    by: int


@dataclass(frozen=True, slots=True)
class ChartAxis:
    """One axis of a chart; `find` returns the row of a value.

    `sort` is "keys" (a thing, rung or word: exact match on `keys`), "range" (integers low..high), "bands" (each key is
    (low, low_closed, high, high_closed), None open) or "ratio" (each key an exact fraction a/b; `rounding`
    "for_defender" | "down" | "up" | "near"). `labels` are the keys as written, `headings` the printed heading of each
    key if it differs: empty for keys without one, () if no key has one. `below` and `above` say what happens past each
    end: "refuse", "clamp", or ("result", cell value). `show` is the type of a value.
    """

    name: str
    sort: str
    keys: tuple[Any, ...]
    labels: tuple[str, ...]
    below: Any = "refuse"
    above: Any = "refuse"
    rounding: str = ""
    headings: tuple[Mapping[str, str], ...] = ()
    show: DisplayType = ("plain",)
    _row_of: dict[Any, int] = field(init=False, repr=False, compare=False, default_factory=dict)
    _columns: dict[Any, Any] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        if self.sort in ("keys", "range"):
            self._row_of.update((key, row) for row, key in enumerate(self.keys))

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> ChartAxis:
        """Build an axis from plain data."""
        return ChartAxis(**{name: value_of(value) for name, value in data.items()})

    def find(self, v: Any) -> int | FixedResult | AxisRefusal:  # noqa: ANN401 - of the type of the axis
        """Return the row index, ("result", cell) past an end with a fixed result, or a refusal."""
        if isinstance(v, ShiftedKey):
            return self._shift_row(v)
        if self.sort == "keys":
            return self._row_of.get(v, _REFUSED)
        if self.sort == "range":
            row: int | FixedResult | AxisRefusal | None = self._row_of.get(v)
            if row is not None:
                return row
            return self._get_result_past_end(v < self.keys[0])
        if self.sort == "bands":
            return self._find_band(v)
        row = self._columns.get(v)
        if row is None:
            if len(self._columns) >= _MAX_MEMOIZED:
                self._columns.clear()
            row = self._columns[v] = self._find_ratio(v)
        return row

    def _shift_row(self, v: ShiftedKey) -> int | FixedResult | AxisRefusal:
        """Return the row after the shift, or what `find` returns for a value beyond the end that the shift passes."""
        row = self.find(v.value)
        if not isinstance(row, int):
            return row
        index = row + v.by
        return index if 0 <= index < len(self.keys) else self._get_result_past_end(index < 0)

    def _get_result_past_end(self, low: bool) -> int | FixedResult | AxisRefusal:
        policy = self.below if low else self.above
        if policy == "clamp":
            return 0 if low else len(self.keys) - 1
        if isinstance(policy, tuple):
            return policy
        return _REFUSED

    def _find_band(self, v: Number) -> int | FixedResult | AxisRefusal:
        for i, (low, low_closed, high, high_closed) in enumerate(self.keys):
            above = low is None or (v >= low if low_closed else v > low)
            under = high is None or (v <= high if high_closed else v < high)
            if above and under:
                return i
        first = self.keys[0][0]
        return self._get_result_past_end(first is not None and v <= first)

    def _find_ratio(self, pair: tuple[Number, Number]) -> int | FixedResult | AxisRefusal:
        attack, defence = pair
        if defence <= 0 or attack < 0:
            raise RuntimeFault(
                f"the ratio {attack} : {defence} has no column; a strength of zero needs a rule of its own"
            )
        exact = Fraction(attack) / Fraction(defence)
        rounded = self._round_odds(exact)
        if rounded < self.keys[0]:
            return self._get_result_past_end(True)
        if rounded > self.keys[-1]:
            return self._get_result_past_end(False)
        return self._round_to_column(exact)

    def _round_to_column(self, exact: Fraction) -> int:
        """Return the column that exact odds are rounded to; odds between the last two columns stay inside."""
        low = bisect_right(self.keys, exact) - 1
        high = low + 1
        if low < 0 or high == len(self.keys):
            return max(low, 0)
        if self.keys[low] == exact or self.rounding in ("for_defender", "down"):
            return low
        if self.rounding == "up":
            return high
        if exact >= 1:
            return high if 2 * exact >= self.keys[low] + self.keys[high] else low
        return high if 2 / exact < 1 / Fraction(self.keys[low]) + 1 / Fraction(self.keys[high]) else low

    def _round_odds(self, exact: Fraction) -> Fraction:
        """Return odds as they are printed, n to 1 or 1 to n, in the rounding of the axis."""
        if self.rounding == "up":
            return Fraction(ceil(exact)) if exact >= 1 else Fraction(1, floor(1 / exact) or 1) if exact else exact
        if self.rounding == "near":
            return (
                Fraction(floor(exact + Fraction(1, 2)))
                if exact >= 1
                else (Fraction(1, floor(1 / exact + Fraction(1, 2))) if exact else exact)
            )
        return Fraction(floor(exact)) if exact >= 1 else Fraction(1, ceil(1 / exact)) if exact else exact


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart, for rules and for display: its axes, and `cells`, the value by a row index on each axis.

    `look` takes one value for each axis (a pair for a ratio axis). A blank cell is None; cells may be absent only if
    `blanks` is true. `show` is the type of a cell; `columns` are the name and type of each of the values of a cell that
    has several. `signs` is the notation of composite results: how a part is written ("Rn"), its name, and the number it
    has if none is written. `source` and `note` say where the chart is from: printed, reconstructed or inferred.
    """

    id: str
    axes: tuple[ChartAxis, ...]
    cells: Mapping[tuple[int, ...], Any]
    blanks: bool = False
    show: DisplayType = ("plain",)
    columns: tuple[tuple[str, DisplayType], ...] = ()
    signs: tuple[tuple[str, str, int | None], ...] = ()
    label: Mapping[str, str] = field(default_factory=dict)
    cites: tuple[str, ...] = ()
    source: str = ""
    note: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_data(cls, name: str, data: Mapping[str, Any]) -> Chart:
        """Build a chart from plain data, as `serialize_chart` returns it."""
        field_names = ("blanks", "show", "signs", "label", "cites", "source", "note")
        return Chart(
            name,
            tuple(ChartAxis.from_data(a) for a in data["axes"]),
            {tuple(k): value_of(v) for k, v in data["cells"]},
            columns=value_of(data["fields"]),
            **{field: value_of(data[field]) for field in field_names},
        )

    def has_plain_rows(self, number: int, titles: Iterable[str]) -> bool:
        """Return whether readers understand the rows of axis `number` without the name of the axis.

        They do if the rows are things, rungs or words without a comma, and no other axis has rows of that type.
        `titles`: the rows as shown.
        """
        show = self.axes[number].show
        is_name = show[0] in ("thing", "rung", "word") and not any(set(title) & set(",、") for title in titles)
        return is_name and not any(axis.show == show for n, axis in enumerate(self.axes) if n != number)

    def find_rows(self, values: tuple[Any, ...]) -> list[int] | FixedResult | AxisRefusal:
        """Return the row index on each axis, or, if a value is past an end, its fixed result or a refusal."""
        out = []
        for axis, v in zip(self.axes, values, strict=True):
            index = axis.find(v)
            if index is _REFUSED or isinstance(index, tuple):
                return index
            out.append(index)
        return out

    def find_unshifted_rows(self, values: tuple[Any, ...]) -> tuple[int | None, ...]:
        """Return the row index before the shift for each axis; None for axes whose value has no shift or no row."""
        indexes = [
            axis.find(v.value) if isinstance(v, ShiftedKey) else None for axis, v in zip(self.axes, values, strict=True)
        ]
        return tuple(index if isinstance(index, int) else None for index in indexes)

    def look(self, *values: Value) -> Value:
        """Return the cell for the value on each axis; raise RuntimeFault if the chart has none."""
        rows = self.find_rows(values)
        if rows is _REFUSED:
            raise RuntimeFault(f"table `{self.id}` has no row for {_format_keys(values)}")
        if isinstance(rows, tuple):
            return rows[1]
        value = self.cells.get(tuple(rows))
        if value is None and not self.blanks:
            raise RuntimeFault(f"table `{self.id}` has no cell for {_format_keys(values)}")
        return value

    def has(self, *values: object) -> bool:
        """Return whether the chart has a result for these values."""
        try:
            rows = self.find_rows(values)
        except RuntimeFault:
            return False
        if rows is _REFUSED:
            return False
        return isinstance(rows, tuple) or tuple(rows) in self.cells

    def list_exact_cells(self) -> ExactCells:
        """Return the cells by the value on each axis (None if blank), for charts whose axes are all of exact keys."""
        out = ExactCells(self.id)
        for rows in product(*(range(len(axis.keys)) for axis in self.axes)) if self.blanks else self.cells:
            keys = tuple(axis.keys[i] for axis, i in zip(self.axes, rows, strict=True))
            out[keys[0] if len(keys) == 1 else keys] = self.cells.get(tuple(rows))
        return out


class ExactCells(dict[Any, Any]):
    """Cells of a chart by the value on each axis; a missing key raises a fault that names the chart."""

    __slots__ = ("chart",)

    def __init__(self, chart: str) -> None:
        super().__init__()
        self.chart = chart

    def __missing__(self, key: object) -> object:
        raise RuntimeFault(f"table `{self.chart}` has no row for {key}")


_AXIS_FIELDS = ("name", "sort", "keys", "labels", "below", "above", "rounding", "show")


def serialize_chart(chart: Chart) -> dict[str, Any]:
    """Return a chart as plain data, from which `Chart.from_data` builds it again."""
    return {
        "signs": [list(sign) for sign in chart.signs],
        "fields": plain(chart.columns),
        "axes": [
            {name: plain(getattr(a, name)) for name in _AXIS_FIELDS} | {"headings": [dict(h) for h in a.headings]}
            for a in chart.axes
        ],
        "blanks": chart.blanks,
        "show": plain(chart.show),
        "cells": [[list(at), plain(value)] for at, value in chart.cells.items()],
        "label": dict(chart.label),
        "source": chart.source,
        "cites": list(chart.cites),
        "note": dict(chart.note),
    }


def _format_keys(values: tuple[Any, ...]) -> str:
    return ", ".join(_format_key(v) for v in values)


def _format_key(value: object) -> str:
    if isinstance(value, ShiftedKey):
        return f"{_format_key(value.value)} shifted by {value.by}"
    return " : ".join(format_number(x) for x in value) if isinstance(value, tuple) else format_number(value)
