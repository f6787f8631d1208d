"""A chart as people see it: one view for the terminal, the board, the site and the command line.

The view is built from a chart of a program (names of things, as players see them) or of a ruleset (ids, or a locale's
names, as authors see them). It holds texts only; each interface lays them out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Protocol

from interpreter.i18n.translator import Translator
from interpreter.tools.describe.value_format import format_label, to_plain_value

if TYPE_CHECKING:
    from interpreter.model.ruleset import Ruleset, Table
    from interpreter.runtime.localizer import Localizer
    from interpreter.runtime.program import Program
    from interpreter.runtime.tables import Chart, ChartAxis

CellIndex = tuple[int, ...]  # the number of a row on each axis


@dataclass(frozen=True, slots=True)
class AxisEnd:
    """The rule for values beyond one end of an axis.

    `is_clamped`: the nearest row is used; `result`: a fixed result; without either, such values have no row.
    """

    is_clamped: bool = False
    result: str | None = None


@dataclass(frozen=True, slots=True)
class AxisView:
    """The name of an axis, the titles of its rows, what happens past its ends, and how ratios are rounded.

    `has_plain_rows`: the titles of its rows are understood without its name.
    """

    name: str
    rows: tuple[str, ...]
    below: AxisEnd
    above: AxisEnd
    rounding: str
    has_plain_rows: bool = False

    def format_row_title(self, title: str) -> str:
        """Return the title of a row, with the name of the axis before it if the title alone is unclear."""
        return title if self.has_plain_rows else f"{self.name} {title}"


@dataclass(frozen=True, slots=True)
class CellView:
    """The content of a cell: in the notation of the chart, in words, and by column if the chart has columns."""

    text: str
    words: str
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChartSheet:
    """A sheet of a chart: its last two axes, or its only one, for one row of each other axis.

    `row_numbers`: the numbers of the rows of the other axes; `cells`: the cells by row and column, None for a blank
    one; `lit`: the marked cells by row and column.
    """

    row_numbers: CellIndex
    cells: tuple[tuple[CellView | None, ...], ...]
    lit: frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class ChartView:
    """A chart in one language.

    `cells`: by row numbers, one for each axis; `columns`: the names of values in a cell, () if it has only one;
    `signs`: (sign, meaning) of its notation; `lit`: the row numbers of the marked cells.
    """

    id: str
    label: str
    cites: tuple[str, ...]
    source: str
    note: str
    axes: tuple[AxisView, ...]
    columns: tuple[str, ...]
    cells: Mapping[CellIndex, CellView]
    signs: tuple[tuple[str, str], ...]
    lit: frozenset[CellIndex] = frozenset()

    @property
    def title(self) -> str:
        """Return the label, or the id in words."""
        return self.label or self.id.replace("_", " ")

    @property
    def across(self) -> AxisView:
        """Return the axis whose rows are columns of a sheet."""
        return self.axes[-1]

    @property
    def down(self) -> AxisView | None:
        """Return the axis whose rows are rows of a sheet, or None if the chart has one axis."""
        return self.axes[-2] if len(self.axes) > 1 else None

    def list_row_titles(self, place: CellIndex) -> tuple[str, ...]:
        """Return the titles of rows, given by their numbers for the first axes."""
        return tuple(axis.rows[n] for axis, n in zip(self.axes, place, strict=False))

    def iter_filled_cells(self) -> Iterator[tuple[CellIndex, CellView]]:
        """Yield the cells in the order of the rows, without blank ones."""
        for place in product(*(range(len(axis.rows)) for axis in self.axes)):
            if (cell := self.cells.get(place)) is not None:
                yield place, cell

    def iter_sheets(self) -> Iterator[ChartSheet]:
        """Yield a sheet for each combination of rows of the axes before the last two."""
        down, across = self.down, range(len(self.across.rows))
        rows: Sequence[CellIndex] = [(n,) for n in range(len(down.rows))] if down is not None else [()]
        for at in product(*(range(len(axis.rows)) for axis in self.axes[:-2])):
            places = [[(*at, *row, column) for column in across] for row in rows]
            yield ChartSheet(
                at,
                tuple(tuple(self.cells.get(place) for place in line) for line in places),
                frozenset((r, c) for r, line in enumerate(places) for c, place in enumerate(line) if place in self.lit),
            )


def build_program_chart(program: Program, name: str, lang: str = "", lit: Collection[CellIndex] = ()) -> ChartView:
    """Return the view of a chart for players, with names in a language; `lit`: the cells to mark."""
    chart = program.charts[name]
    return _build_chart(chart, _PlayerNames(chart, program.get_localizer(lang)), lit)


def build_ruleset_chart(table: Table, ruleset: Ruleset, lang: str, say: Translator) -> ChartView:
    """Return the view of a chart for authors: ids as in the documents, or names in a language that has a locale."""
    return _build_chart(table, _AuthorNames(table, ruleset, lang, say))


def _build_chart(chart: Chart, names: ChartNames, lit: Collection[CellIndex] = ()) -> ChartView:
    rows = [names.list_row_titles(axis) for axis in chart.axes]
    cells = ((index, names.build_cell(value)) for index, value in chart.cells.items())
    return ChartView(
        id=chart.id,
        label=names.format_label(chart.label),
        cites=chart.cites,
        source=chart.source,
        note=names.format_label(chart.note),
        axes=tuple(
            AxisView(
                names.translate(axis.name, "axis"),
                titles,
                _build_axis_end(axis.below, names),
                _build_axis_end(axis.above, names),
                axis.rounding,
                chart.has_plain_rows(number, titles),
            )
            for number, (axis, titles) in enumerate(zip(chart.axes, rows, strict=True))
        ),
        columns=tuple(names.translate(column) for column, _ in chart.columns),
        cells={index: cell for index, cell in cells if cell is not None},
        signs=tuple((sign, names.translate(part, "word")) for sign, part, _ in chart.signs),
        lit=frozenset(lit),
    )


def _build_axis_end(policy: object, names: ChartNames) -> AxisEnd:
    """Return the view of the policy beyond an end of an axis: "refuse", "clamp" or ("result", value)."""
    return AxisEnd(policy == "clamp", names.format_result(policy[1]) if isinstance(policy, tuple) else None)


class ChartNames(Protocol):
    """Protocol of the texts of a chart, for players or for authors."""

    def format_label(self, label: Mapping[str, str]) -> str:
        """Return a label in the language of the view."""

    def translate(self, name: str, *sorts: str) -> str:
        """Return the name of a column, an axis or a part of a result; `sorts`: the sorts of names to look it up in."""

    def list_row_titles(self, axis: ChartAxis) -> tuple[str, ...]:
        """Return the titles of the rows of an axis."""

    def format_result(self, value: Any) -> str:  # noqa: ANN401 - of the chart's type
        """Format a value of the chart's type."""

    def build_cell(self, value: Any) -> CellView | None:  # noqa: ANN401 - of the chart's type
        """Return the view of a cell, or None if the cell is blank and is left out."""


@dataclass(frozen=True, slots=True)
class _PlayerNames:
    """The texts of a program's chart, as players see them."""

    chart: Chart
    localizer: Localizer

    def format_label(self, label: Mapping[str, str]) -> str:
        return self.localizer.translate_label(label)

    def translate(self, name: str, *sorts: str) -> str:
        return self.localizer.translate_name(name, *sorts)

    def list_row_titles(self, axis: ChartAxis) -> tuple[str, ...]:
        return tuple(self.localizer.format_axis_heading(axis, n) for n in range(len(axis.keys)))

    def format_result(self, value: Any) -> str:  # noqa: ANN401 - of the chart's type
        return self.localizer.format_value(self.chart.show, value)

    def build_cell(self, value: Any) -> CellView | None:  # noqa: ANN401 - of the chart's type
        chart, localizer = self.chart, self.localizer
        if value is None:
            return None
        if chart.signs:
            words = " ".join(localizer.format_value(("part",), part) for part in value)
            return CellView(format_notation(value, chart.signs), words)
        if chart.columns:
            shows = [show for _, show in chart.columns]
            parts = [localizer.format_value(show, part) for show, part in zip(shows, value, strict=True)]
            named = zip(chart.columns, parts, strict=True)
            words = ", ".join(f"{localizer.translate_name(name)} {part}" for (name, _), part in named)
            return CellView(words, words, tuple(part or "-" for part in parts))
        text = "-" if value == () else self.format_result(value)
        return CellView(text or "-", text)


@dataclass(frozen=True, slots=True)
class _AuthorNames:
    """The texts of a ruleset's chart, as authors see them."""

    table: Table
    ruleset: Ruleset
    lang: str
    say: Translator

    def format_label(self, label: Mapping[str, str]) -> str:
        return format_label(label, self.lang)

    def translate(self, name: str, *sorts: str) -> str:
        text = self.say.translate_name(name, *sorts)
        return name.replace("_", " ") if text == name and sorts == ("word",) else text

    def list_row_titles(self, axis: ChartAxis) -> tuple[str, ...]:
        headings: Sequence[Mapping[str, str]] = axis.headings or [{}] * len(axis.labels)
        return tuple(
            format_label(heading, self.lang) or self.say.translate_name(label, "word", "text")
            for heading, label in zip(headings, axis.labels, strict=True)
        )

    def format_result(self, value: Any) -> str:  # noqa: ANN401 - of the chart's type
        return self.say.format_value(to_plain_value(value, self.table.type, self.ruleset))

    def build_cell(self, value: Any) -> CellView | None:  # noqa: ANN401 - of the chart's type
        if value is None and self.table.columns:
            return None
        if self.table.signs and value is not None:
            text = format_notation(value, self.table.signs)
            return CellView(text, text)
        data = to_plain_value(value, self.table.type, self.ruleset)
        text = self.say.format_value(data)
        if self.table.columns and isinstance(data, dict):
            return CellView(text, text, tuple(self.say.format_value(part) for part in data.values()))
        return CellView(text, text)


def format_notation(parts: Sequence[tuple[str, int | None]], signs: Sequence[tuple[str, str, int | None]]) -> str:
    """Format a composite result as printed ("1DR2"); "-" if it has no parts.

    `parts`: (name, number or None) for each part; `signs`: (printed sign, name of the part, default number or None).
    """
    return "".join(_format_sign(name, number, signs) for name, number in parts) or "-"


def _format_sign(name: str, number: int | None, signs: Sequence[tuple[str, str, int | None]]) -> str:
    for sign, arm, default in signs:
        if arm == name:
            if number is None or "n" not in sign:
                return sign
            return sign.replace("n", "" if number == default and sign != "n" else str(number))
    return name


def format_cell_data(data: object, signs: Sequence[tuple[str, str, int | None]], say: Translator) -> str:
    """Format the plain data of a cell in the notation `signs` of its chart, or in words if the chart has none."""
    if not signs or not isinstance(data, list):
        return say.format_value(data)
    return format_notation([next(iter(x.items())) if isinstance(x, dict) else (x, None) for x in data], signs)
