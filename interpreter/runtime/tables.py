"""Chart lookups: exact rows, ranges, bands and odds, and the policies past the ends."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from interpreter.i18n.number_format import number_text
from interpreter.runtime.errors import RuntimeFault
from interpreter.runtime.type_aliases import Number, Value

if TYPE_CHECKING:
    from interpreter.runtime.type_aliases import Value


class AxisRefusal(Enum):
    """The answer of an axis for a value past an end that has no fixed result."""

    REFUSED = "refused"


_REFUSED: Final = AxisRefusal.REFUSED
FixedResult: TypeAlias = tuple[str, Any]  # ("result", cell): the result past an end


class ShiftedKey(NamedTuple):
    """A key of an axis with a shift: the answer is `by` rows or columns further on."""

    value: Any
    by: int


class Chart:
    """One table; `look` takes one value for each axis (a pair for a ratio axis).

    A blank cell is None; a value past the end of an axis that refuses it is a fault.
    """

    __slots__ = ("axes", "cells", "name", "blanks")

    def __init__(self, name: str, data: dict[str, Any], value: Callable[[Any], Any]) -> None:
        self.name = name
        self.axes = [AxisIndex(a, value) for a in data["axes"]]
        self.blanks: bool = data["blanks"]
        self.cells = {tuple(k): value(v) for k, v in data["cells"]}

    def rows(self, values: tuple[Any, ...]) -> list[int] | FixedResult | AxisRefusal:
        """Return the row index on each axis; ("result", x) or a refusal object replaces an index past an end."""
        out = []
        for axis, v in zip(self.axes, values, strict=True):
            index = axis.find(v)
            if index is _REFUSED or isinstance(index, tuple):
                return index
            out.append(index)
        return out

    def unshifted(self, values: tuple[Any, ...]) -> tuple[int | None, ...]:
        """Return the row index before a shift for each axis; None for axes without a shift."""
        found = [
            axis.find(v.value) if isinstance(v, ShiftedKey) else None for axis, v in zip(self.axes, values, strict=True)
        ]
        return tuple(index if isinstance(index, int) else None for index in found)

    def look(self, *values: Value) -> Value:
        """Return the cell for these values."""
        rows = self.rows(values)
        if rows is _REFUSED:
            raise RuntimeFault(f"table `{self.name}` has no row for {_format_keys(values)}")
        if isinstance(rows, tuple):
            return rows[1]
        found = self.cells.get(tuple(rows))
        if found is None and not self.blanks:
            raise RuntimeFault(f"table `{self.name}` has no cell for {_format_keys(values)}")
        return found

    def has(self, *values: object) -> bool:
        """Return whether the table has an answer for these values."""
        try:
            rows = self.rows(values)
        except RuntimeFault:
            return False
        if rows is _REFUSED:
            return False
        return isinstance(rows, tuple) or tuple(rows) in self.cells

    def exact_cells(self) -> dict[Any, Any]:
        """Return the cells keyed by axis values (None if blank), for tables whose axes are all exact."""
        out = {}
        for rows in product(*(range(len(axis.keys)) for axis in self.axes)) if self.blanks else self.cells:
            keys = tuple(axis.keys[i] for axis, i in zip(self.axes, rows, strict=True))
            out[keys[0] if len(keys) == 1 else keys] = self.cells.get(tuple(rows))
        return out


def _format_keys(values: tuple[Any, ...]) -> str:
    return ", ".join(_format_key(v) for v in values)


def _format_key(value: object) -> str:
    if isinstance(value, ShiftedKey):
        return f"{_format_key(value.value)} shifted by {value.by}"
    return " : ".join(number_text(x) for x in value) if isinstance(value, tuple) else number_text(value)


_MOST_KNOWN = 10_000


class AxisIndex:
    """One axis: finds the row of a value."""

    __slots__ = ("name", "sort", "keys", "labels", "below", "above", "rounding", "index", "show", "_known")

    def __init__(self, data: dict[str, Any], value: Callable[[Any], Any]) -> None:
        self.name = data["name"]
        self.sort = data["sort"]
        self.keys = [value(k) for k in data["keys"]]
        self.labels = data["labels"]
        self.below = value(data["below"])
        self.above = value(data["above"])
        self.rounding = data["rounding"]
        self.show = data["show"]
        self._known: dict[Any, Any] = {}  # memo of odds columns by both strengths
        self.index = {k: i for i, k in enumerate(self.keys)} if self.sort in ("keys", "range") else {}

    def find(self, v: Any) -> int | FixedResult | AxisRefusal:  # noqa: ANN401 - of the type of the axis
        """Return the row index, ("result", cell) past an end with a fixed result, or a refusal."""
        if isinstance(v, ShiftedKey):
            return self._shifted(v)
        if self.sort == "keys":
            return self.index.get(v, _REFUSED)
        if self.sort == "range":
            found: int | FixedResult | AxisRefusal | None = self.index.get(v)
            if found is not None:
                return found
            return self._past(v < self.keys[0])
        if self.sort == "bands":
            return self._band(v)
        found = self._known.get(v)
        if found is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = self._known[v] = self._ratio(v)
        return found

    def _shifted(self, v: ShiftedKey) -> int | FixedResult | AxisRefusal:
        """Return the shifted row; a shift past an end follows that end's policy."""
        found = self.find(v.value)
        if not isinstance(found, int):
            return found
        index = found + v.by
        return index if 0 <= index < len(self.keys) else self._past(index < 0)

    def _past(self, low: bool) -> int | FixedResult | AxisRefusal:
        policy = self.below if low else self.above
        if policy == "clamp":
            return 0 if low else len(self.keys) - 1
        if isinstance(policy, tuple):
            return policy
        return _REFUSED

    def _band(self, v: Any) -> int | FixedResult | AxisRefusal:  # noqa: ANN401 - of the type of the axis
        for i, (low, low_closed, high, high_closed) in enumerate(self.keys):
            above = low is None or (v >= low if low_closed else v > low)
            under = high is None or (v <= high if high_closed else v < high)
            if above and under:
                return i
        first = self.keys[0][0]
        return self._past(first is not None and v <= first)

    def _ratio(self, pair: tuple[Number, Number]) -> int | FixedResult | AxisRefusal:
        attack, defence = pair
        if defence <= 0 or attack < 0:
            raise RuntimeFault(
                f"the ratio {attack} : {defence} has no column; a strength of zero needs a rule of its own"
            )
        exact = Fraction(attack) / Fraction(defence)
        rounded = self._rounded(exact)
        if rounded < self.keys[0]:
            return self._past(True)
        if rounded > self.keys[-1]:
            return self._past(False)
        return self._column(exact)

    def _column(self, exact: Fraction) -> int:
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

    def _rounded(self, exact: Fraction) -> Fraction:
        """Return odds as printed, n to 1 or 1 to n, rounded as the axis says."""
        if self.rounding == "up":
            return Fraction(ceil(exact)) if exact >= 1 else Fraction(1, floor(1 / exact) or 1) if exact else exact
        if self.rounding == "near":
            return (
                Fraction(floor(exact + Fraction(1, 2)))
                if exact >= 1
                else (Fraction(1, floor(1 / exact + Fraction(1, 2))) if exact else exact)
            )
        return Fraction(floor(exact)) if exact >= 1 else Fraction(1, ceil(1 / exact)) if exact else exact
