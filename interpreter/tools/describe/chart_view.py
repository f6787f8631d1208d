"""A chart as people see it: one view for the terminal, the board, the site and the command line.

The view is built from a chart of a program (names of things, as players see them) or of a ruleset (ids, or a locale's
names, as authors see them). It holds texts only; each face lays them out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from interpreter.i18n.translator import Translator
from interpreter.tools.describe.value_format import format_label, to_plain_value

if TYPE_CHECKING:
    from interpreter.model.ruleset import Ruleset, Table
    from interpreter.runtime.localizer import Localizer
    from interpreter.runtime.program import Program
    from interpreter.runtime.tables import Chart, ChartAxis

Place = tuple[int, ...]  # a row number for each axis


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

    `at`: the numbers of the rows of the other axes; `cells`: the cells by row and column, None for a blank one; `lit`:
    the marked cells by row and column.
    """

    at: Place
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
    cells: Mapping[Place, CellView]
    signs: tuple[tuple[str, str], ...]
    lit: frozenset[Place] = frozenset()

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

    def list_row_titles(self, at: Place) -> tuple[str, ...]:
        """Return the titles of rows, given by their numbers for the first axes."""
        return tuple(axis.rows[n] for axis, n in zip(self.axes, at, strict=False))

    def iter_filled_cells(self) -> Iterator[tuple[Place, CellView]]:
        """Yield the cells in the order of the rows, without blank ones."""
        for at in product(*(range(len(axis.rows)) for axis in self.axes)):
            if (cell := self.cells.get(at)) is not None:
                yield at, cell

    def iter_sheets(self) -> Iterator[ChartSheet]:
        """Yield a sheet for each combination of rows of the axes before the last two."""
        down, across = self.down, range(len(self.across.rows))
        rows: Sequence[Place] = [(n,) for n in range(len(down.rows))] if down is not None else [()]
        for at in product(*(range(len(axis.rows)) for axis in self.axes[:-2])):
            places = [[(*at, *row, column) for column in across] for row in rows]
            yield ChartSheet(
                at,
                tuple(tuple(self.cells.get(place) for place in line) for line in places),
                frozenset((r, c) for r, line in enumerate(places) for c, place in enumerate(line) if place in self.lit),
            )


def build_program_chart(program: Program, name: str, lang: str = "", lit: Collection[Place] = ()) -> ChartView:
    """Return the view of a chart for players, with names in a language.

    `lit`: the cells to mark, as row numbers by axis.
    """
    chart, localizer = program.charts[name], program.get_localizer(lang)

    def build_axis_end(policy: object) -> AxisEnd:
        result = localizer.handle_value(chart.show, policy[1]) if isinstance(policy, tuple) else None
        return AxisEnd(policy == "clamp", result)

    return ChartView(
        name,
        localizer.translate_label(chart.label),
        chart.cites,
        chart.source,
        localizer.translate_label(chart.note),
        tuple(
            AxisView(
                localizer.name(a.name, "axis"),
                _list_row_names(a, localizer),
                build_axis_end(a.below),
                build_axis_end(a.above),
                a.rounding,
                chart.has_plain_rows(n, _list_row_names(a, localizer)),
            )
            for n, a in enumerate(chart.axes)
        ),
        tuple(localizer.name(column) for column, _ in chart.columns),
        {at: _build_named_cell(value, chart, localizer) for at, value in chart.cells.items() if value is not None},
        tuple((sign, localizer.name(arm, "word")) for sign, arm, _ in chart.signs),
        frozenset(lit),
    )


def _list_row_names(axis: ChartAxis, localizer: Localizer) -> tuple[str, ...]:
    """Return the titles of an axis's rows in a language."""
    return tuple(localizer.format_axis_heading(axis, n) for n in range(len(axis.keys)))


def _build_named_cell(value: Any, chart: Chart, localizer: Localizer) -> CellView:  # noqa: ANN401 - of the chart's type
    if chart.signs:
        words = " ".join(localizer.handle_value(("part",), part) for part in value)
        return CellView(format_notation(value, chart.signs), words)
    if chart.columns:
        parts = tuple(localizer.handle_value(show, part) for (_, show), part in zip(chart.columns, value, strict=True))
        words = ", ".join(
            f"{localizer.name(name)} {part}" for (name, _), part in zip(chart.columns, parts, strict=True)
        )
        return CellView(words, words, tuple(part or "-" for part in parts))
    text = "-" if value == () else localizer.handle_value(chart.show, value)
    return CellView(text or "-", text)


def build_ruleset_chart(table: Table, ruleset: Ruleset, lang: str, say: Translator) -> ChartView:
    """Return the view of a chart for authors: ids as in the documents, or names in a language that has a locale."""

    def build_axis_end(policy: object) -> AxisEnd:
        result = say.format_value(to_plain_value(policy[1], table.type, ruleset)) if isinstance(policy, tuple) else None
        return AxisEnd(policy == "clamp", result)

    return ChartView(
        table.id,
        format_label(table.label, lang),
        table.cites,
        table.source,
        format_label(table.note, lang),
        tuple(
            AxisView(
                say.translate_name(a.name, "axis"),
                _list_row_labels(a, lang, say),
                build_axis_end(a.below),
                build_axis_end(a.above),
                a.rounding,
            )
            for a in table.axes
        ),
        tuple(say.translate_name(column) for column, _ in table.columns),
        {
            at: _build_identified_cell(value, table, ruleset, say)
            for at, value in table.cells.items()
            if value is not None or not table.columns
        },
        tuple((sign, _describe_sign(arm, say)) for sign, arm, _ in table.signs),
    )


def _describe_sign(arm: str, say: Translator) -> str:
    text = say.translate_name(arm, "word")
    return arm.replace("_", " ") if text == arm else text


def _list_row_labels(axis: ChartAxis, lang: str, say: Translator) -> tuple[str, ...]:
    headings: Sequence[Mapping[str, str]] = axis.headings or [{}] * len(axis.labels)
    return tuple(
        format_label(own, lang) or say.translate_name(label, "word", "text")
        for own, label in zip(headings, axis.labels, strict=True)
    )


def _build_identified_cell(value: Any, table: Table, ruleset: Ruleset, say: Translator) -> CellView:  # noqa: ANN401 - as above
    if table.signs and value is not None:
        text = format_notation(value, table.signs)
        return CellView(text, text)
    data = to_plain_value(value, table.type, ruleset)
    text = say.format_value(data)
    if table.columns and isinstance(data, dict):
        return CellView(text, text, tuple(say.format_value(part) for part in data.values()))
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
