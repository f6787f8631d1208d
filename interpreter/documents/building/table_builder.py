"""Builder of ladders, dice, charts and named values.

A chart must have all rows of its axes, unless it allows blank cells. Its `gives` states the form of all its cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from interpreter.diagnostics.diagnostic import Related, Sink
from interpreter.diagnostics.plain_signs import to_half_width, to_keyboard_characters
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.documents.reading.tree import (
    MappingEntry,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    describe,
    get_entry_mapping,
    is_null,
)
from interpreter.documents.reading.typo_heuristics import report_decimal_comma
from interpreter.documents.values.attributes import COMPOUND, read_type
from interpreter.documents.values.axes import AxisPlan, find_row_index, guess_row_index, read_axis, read_band
from interpreter.documents.values.composite_results import ResultNotation, read_notation, read_parts
from interpreter.documents.values.context import BuildContext, read_label, read_origin
from interpreter.documents.values.names import list_rung_entries
from interpreter.documents.values.printed_forms import guess_band, guess_number
from interpreter.documents.values.typed_values import FAULT, read_value
from interpreter.i18n.number_format import is_canonical_number
from interpreter.i18n.translator import Message, mark as _
from interpreter.model import types as t
from interpreter.model.ruleset import Axis, Constant, Die, Ladder, RecordDefinition, Table, Value
from interpreter.model.types import to_display_type

MAX_CELLS = 200_000
_BLANK_SIGNS = ("-", "--", ".", "..", "...", "x", "p", "na", "n/a", "n.a.", "nil", "none", "nothing", "*", "/")
_LACKS_ROW = _("`{table}` lacks the row {rows} ({axis}){where}")
_LACKS_ROWS = _("`{table}` lacks the rows {rows} ({axis}){where}")
_LACKS_COLUMN = _("`{table}` lacks the column {rows} ({axis}){where}")
_LACKS_COLUMNS = _("`{table}` lacks the columns {rows} ({axis}){where}")
_NO_ROW = _("the axis `{name}` of `{table}` has no row `{key}`")
_NO_COLUMN = _("the axis `{name}` of `{table}` has no column `{key}`")
_NUMBERS = ("bands", "range", "ratio")  # keys of axes whose rows are numbers that the chart itself sets


def build_ladders(ctx: BuildContext) -> dict[str, Ladder]:
    """Return the ladders, lowest rung first."""
    ladders = {}
    for entry in ctx.kinds["ladders"].get_mapping("ladders"):
        rungs = list_rung_entries(entry)
        names = [key.text for key, _ in rungs]
        ladders[entry.key.text] = Ladder(
            entry.key.text,
            tuple(dict.fromkeys(names)),
            tuple(
                read_label(form.get("name"), ctx, key.text) for key, form in {k.text: (k, f) for k, f in rungs}.values()
            ),
            read_label(get_entry_mapping(entry).get("name"), ctx, entry.key.text),
            read_origin(entry, ctx),
        )
    return ladders


def build_dice(ctx: BuildContext) -> dict[str, Die]:
    """Return the dice with the numbers on their faces."""
    return {
        entry.key.text: Die(entry.key.text, ctx.names.dice.get(entry.key.text, ()), read_origin(entry, ctx))
        for entry in ctx.kinds["ruleset"].get_mapping("dice")
    }


def build_constants(ctx: BuildContext) -> dict[str, Constant]:
    """Return the named values."""
    constants = {}
    for entry in ctx.kinds["tables"].get_mapping("values"):
        tree = get_entry_mapping(entry)
        node: Node | None = tree.get("value") if isinstance(entry.value, MappingNode) else entry.value
        if node is None:
            continue
        stated = tree.get("type")
        type_ = read_type(stated, ctx) if stated is not None else _read_result_type(node, ctx)
        value = read_value(node, type_, ctx) if not isinstance(type_, t.NeverType) else FAULT
        constants[entry.key.text] = Constant(
            entry.key.text,
            type_,
            None if value is FAULT else value,
            read_label(tree.get("name"), ctx, entry.key.text),
            read_origin(entry, ctx),
        )
    return constants


def _read_result_type(node: Node, ctx: BuildContext) -> t.Type:
    """Return the type of a constant without `type:`, as its value suggests."""
    if isinstance(node, ScalarNode):
        if isinstance(node.value, bool):
            return t.FLAG
        if isinstance(node.value, int):
            return t.INT
        if node.text != to_half_width(node.text) and to_half_width(node.text).isdecimal():
            return t.INT  # full-width digits are text; the value reader reports them
        if node.value is not None:
            if is_canonical_number(node.text):
                return t.NUMBER
            if not node.style and (suggestion := guess_number(node.text)) is not None:
                _report_number(node, suggestion, ctx)
                return t.NEVER
            return t.TEXT
    cure = _("add `type:`, for example `type: {list_of: int}`")
    ctx.sink.add_error("missing-type", _("the type of {found} is unclear", found=describe(node)), node.span, help=cure)
    return t.NEVER


def _report_number(node: ScalarNode, suggestion: str, ctx: BuildContext) -> None:
    """Report a value that looks like a number but would be read as text, at the value rather than at its uses.

    `suggestion`: the number that was probably meant.
    """
    if node.text.isdecimal() and len(node.text) > 2:
        cure = _(
            "write `{right}` for a number; if it names a space of the grid, write `{place}`",
            right=suggestion,
            place=f'{{value: "{node.text}", type: place}}',
        )
    else:
        cure = _("write it as `{right}`; a text needs quotes", right=suggestion)
    message = _("found {found}, which looks like a number but is not", found=describe(node))
    ctx.sink.add_error("wrong-type", message, node.span, help=cure)


def build_tables(ctx: BuildContext) -> tuple[dict[str, Table], dict[str, RecordDefinition]]:
    """Return (charts by id, including orders of activation; record types of cells with columns, by id)."""
    tables: dict[str, Table] = {}
    records: dict[str, RecordDefinition] = {}
    sides = CellForm(t.ListType(t.SIDE))
    for section, key, usual in (("tables", "tables", None), ("activation", "orders", sides)):
        for entry in ctx.kinds[section].get_mapping(key):
            name = entry.key.text
            if name in tables:
                message = _("the chart `{name}` is defined twice", name=name)
                ctx.sink.report_duplicate(message, entry.key.span, tables[name].origin.span, _("rename one of them"))
                continue
            form = _read_form(entry, usual, ctx)
            tables[name] = _build_table(entry, form, ctx)
            if (record := build_record_definition(form)) is not None:
                records[name] = record
    return tables, records


def _read_form(entry: MappingEntry, usual: CellForm | None, ctx: BuildContext) -> CellForm:
    """Return the form of a chart's cells, which its key `gives` states; `usual`: the form for charts without it."""
    node = get_entry_mapping(entry).get("gives")
    if node is not None:
        return read_form(node, entry.key.text, ctx)
    if usual is None:
        cure = _("add the type of the cells, for example `gives: int`")
        ctx.sink.add_error(
            "missing-key", _("`{key}` lacks the key `gives`", key=entry.key.text), entry.key.span, help=cure
        )
        return CellForm(t.NEVER)
    return usual


@dataclass(slots=True)
class _ChartCells:
    """The cells of one chart, collected while they are read.

    `declared`: for each axis the place where the chart sets its numbers, else None; `blanks`: cells may be empty.
    """

    table: str
    axes: tuple[Axis, ...]
    declared: tuple[Span | None, ...]
    form: CellForm
    blanks: bool
    ctx: BuildContext
    cells: dict[tuple[int, ...], Value] = field(default_factory=dict)
    spans: dict[tuple[int, ...], Span] = field(default_factory=dict)


def _build_table(entry: MappingEntry, form: CellForm, ctx: BuildContext) -> Table:
    """Build a chart whose cells have this form."""
    tree, name = get_entry_mapping(entry), entry.key.text
    plans = [read_axis(e, ctx) for e in tree.get_mapping("axes")]
    axes = tuple(_add_end_policies(p, form, ctx) for p in plans if p is not None)
    declared = tuple(
        e.key.span if any(key in get_entry_mapping(e) for key in _NUMBERS) else None for e in tree.get_mapping("axes")
    )
    chart = _ChartCells(name, axes, declared, form, tree.is_true("blanks"), ctx)
    cells = tree.entries.get("cells")
    if cells is not None and axes and len(axes) == len(plans) and _check_chart_size(axes, entry, ctx):
        _fill_cells(chart, cells.value, cells.key.span, ())
    origin, record = read_origin(entry, ctx), build_record_definition(form)
    fields = record.fields.items() if record is not None else ()
    return Table(
        name,
        axes,
        chart.cells,
        blanks=chart.blanks,
        show=to_display_type(form.type),
        columns=tuple((column, to_display_type(type_)) for column, type_ in fields),
        signs=tuple((s.spelling, s.arm, s.default) for s in form.notation.signs) if form.notation else (),
        label=read_label(tree.get("name"), ctx, name),
        cites=origin.cite,
        source=origin.source,
        note=origin.note,
        type=form.type,
        cell_spans=chart.spans,
        origin=origin,
        unreadable=len(axes) < len(plans),
    )


def _check_chart_size(axes: tuple[Axis, ...], entry: MappingEntry, ctx: BuildContext) -> bool:
    """Return whether a chart has at most `MAX_CELLS` cells; report a larger one."""
    count = prod(max(1, len(axis.keys)) for axis in axes)
    if count > MAX_CELLS:
        message = _("the chart would have {count} cells; the limit is {max_cells}", count=count, max_cells=MAX_CELLS)
        ctx.sink.add_error("table-too-large", message, entry.key.span, help=_("use bands, or split the chart"))
    return count <= MAX_CELLS


def _add_end_policies(plan: AxisPlan, form: CellForm, ctx: BuildContext) -> Axis:
    return replace(plan.axis, below=_read_policy(plan.below, form, ctx), above=_read_policy(plan.above, form, ctx))


def _read_policy(node: Node | None, form: CellForm, ctx: BuildContext) -> object:
    """Return what a value beyond an axis gives: "clamp", "refuse", or ("result", value)."""
    if isinstance(node, MappingNode) and (result := node.get("result")) is not None:
        value = read_cell(result, form, ctx)
        return ("result", None if value is FAULT else value)
    return node.text if isinstance(node, ScalarNode) and node.text == "clamp" else "refuse"


def _fill_cells(chart: _ChartCells, node: Node, span: Span, outer_rows: tuple[int, ...]) -> None:
    """Read the cells below `node` into `chart`.

    `outer_rows`: the row numbers on the axes above `node`, () at the root; `span`: the span of its key, for messages.
    """
    if len(outer_rows) == len(chart.axes):
        _fill_cell(chart, node, span, outer_rows)
        return
    axis = chart.axes[len(outer_rows)]
    if isinstance(node, SequenceNode):
        _fill_list(chart, node, span, outer_rows)
    elif isinstance(node, MappingNode):
        rows = _read_rows(chart, node, axis)
        for index in sorted(rows):
            _fill_cells(chart, rows[index].value, rows[index].key.span, (*outer_rows, index))
        absent = [label for n, label in enumerate(axis.labels) if n not in rows]
        # otherwise one of the unknown keys may be the missing one
        if absent and not chart.blanks and len(rows) == len(node.entries):
            _report_missing(chart, axis, absent, span, outer_rows)
    elif not (chart.blanks and is_blank(node, chart.form)):
        message = _("found {found}, expected a row for each {name}", found=describe(node), name=axis.name)
        cure = _("rows: {listed}", listed=_list_words(axis.labels))
        chart.ctx.sink.add_error(
            "wrong-type", message, node.span if node.span.start < node.span.end else span, help=cure
        )


def _read_rows(chart: _ChartCells, node: MappingNode, axis: Axis) -> dict[int, MappingEntry]:
    """Return the entries of a mapping of cells by their row number on `axis`; report unknown and repeated rows."""
    rows: dict[int, MappingEntry] = {}
    declared = chart.declared[chart.axes.index(axis)]
    is_across = _is_across(chart, axis)
    for entry in node:
        index = find_row_index(axis, entry.key.text)
        sink = chart.ctx.sink
        if index is None and report_decimal_comma(entry, sink):
            continue
        if index is None:
            sink.add_error(
                "unknown-row",
                _(_NO_COLUMN if is_across else _NO_ROW, name=axis.name, table=chart.table, key=entry.key.text),
                entry.key.span,
                help=_suggest_row(axis, entry.key.text, is_across, declared is not None),
                related=(Related(_("declared here"), declared),) if declared is not None else (),
                known=axis.labels,
            )
        elif index in rows:
            sink.add_error(
                "duplicate-key",
                _("`{key}` means a row that is already here", key=entry.key.text),
                entry.key.span,
                help=_("keep one of the two"),
                related=(Related(_("first written here"), rows[index].key.span),),
            )
        else:
            rows[index] = entry
    return rows


def _is_across(chart: _ChartCells, axis: Axis) -> bool:
    """Return whether an axis is the last of several, which charts have side by side."""
    return len(chart.axes) > 1 and axis is chart.axes[-1]


def _suggest_row(axis: Axis, text: str, is_across: bool, is_declared: bool) -> Message:
    """Return the help for an unknown row or, if `is_across`, column; `is_declared`: the chart itself sets the rows."""
    suggestion = guess_row_index(axis, text)
    if suggestion is not None:
        return _("write it as `{right}`", right=axis.labels[suggestion])
    listed = _list_words(axis.labels)
    if rows := _find_rows_between(axis, text):
        return _("write one entry for each: {listed}", listed=_list_words(rows))
    if is_declared:
        return _("use one of {listed}, or change them under `axes`", listed=listed)
    return did_you_mean(text, axis.labels) or (
        _("columns: {listed}", listed=listed) if is_across else _("rows: {listed}", listed=listed)
    )


def _fill_list(chart: _ChartCells, node: SequenceNode, span: Span, outer_rows: tuple[int, ...]) -> None:
    """Read cells that are written as a list, one for each row of the last axis; report a wrong number of them."""
    axis, sink = chart.axes[len(outer_rows)], chart.ctx.sink
    if len(outer_rows) + 1 < len(chart.axes):
        message = _("found a list, expected a mapping with a row for each {name}", name=axis.name)
        sink.add_error("wrong-type", message, span, help=_("only the last axis can be written as a list"))
        return
    count = len(axis.keys)
    if len(node.items) < count and (stuck := _find_missing_comma(node, count)) is not None:
        cure = _("write `{right}`", right=", ".join(stuck.text.split()))
        sink.add_error("missing-comma", _("a comma is missing in `{text}`", text=stuck.text), stuck.span, help=cure)
        return
    if len(node.items) != count:
        message = _(
            "found {number} cells, expected {wanted}: one for each {name}",
            number=len(node.items),
            wanted=count,
            name=axis.name,
        )
        cure = _("in this order: {listed}", listed=_list_words(axis.labels))
        sink.add_error("wrong-row-count", message, node.span, help=cure)
    for index, item in enumerate(node.items[:count]):
        _fill_cells(chart, item, item.span, (*outer_rows, index))


def _find_rows_between(axis: Axis, text: str) -> list[str]:
    """Return the rows of whole numbers that a text such as `1-2` or `3..6` comprises, [] if some are not rows."""
    band = read_band(guess_band(text) or text)
    if band is None or not isinstance(band[0], int) or not isinstance(band[2], int) or band[2] - band[0] > MAX_CELLS:
        return []
    rows = [str(number) for number in range(band[0], band[2] + 1)]
    return rows if len(rows) > 1 and set(rows) <= set(axis.labels) else []


def _find_missing_comma(node: SequenceNode, expected: int) -> ScalarNode | None:
    """Return the first cell that contains a space if reading spaces as commas gives `expected` cells, else None."""
    plain = [item for item in node.items if isinstance(item, ScalarNode) and not item.style]
    stuck = [item for item in plain if len(item.text.split()) > 1]
    count = len(node.items) + sum(len(item.text.split()) - 1 for item in stuck)
    return stuck[0] if stuck and count == expected else None


def _fill_cell(chart: _ChartCells, node: Node, span: Span, index: tuple[int, ...]) -> None:
    """Read the cell at `index` of a chart; report an empty one unless the chart may have blanks.

    `span`: where to report it if the cell has no text.
    """
    if is_blank(node, chart.form):
        if not chart.blanks:
            label = chart.axes[-1].labels[index[-1]]
            chart.ctx.sink.add_error(
                "missing-row",
                _("the cell `{label}` of `{table}` is empty", label=label, table=chart.table),
                node.span if node.span.start < node.span.end else span,
                help=_("write a value, or `blanks: true` if the chart has empty cells"),
            )
        return
    faults = len(chart.ctx.sink.items)
    value = read_cell(node, chart.form, chart.ctx)
    if value is not FAULT:
        chart.cells[index] = value
    elif chart.blanks and isinstance(node, ScalarNode) and to_keyboard_characters(node.text).casefold() in _BLANK_SIGNS:
        _suggest_blank(chart.ctx.sink, faults, node)
    chart.spans[index] = node.span


def _suggest_blank(sink: Sink, first: int, node: ScalarNode) -> None:
    """Add advice on blank cells to the findings from index `first` on.

    `node`: the cell at fault, which copies a sign of the printed chart.
    """
    cure = _("if `{sign}` means nothing, leave the cell empty: `null`, or `.` in a block of text", sign=node.text)
    sink.items[first:] = [replace(diagnostic, help=cure) for diagnostic in sink.items[first:]]


def _report_missing(chart: _ChartCells, axis: Axis, absent: list[str], span: Span, outer_rows: tuple[int, ...]) -> None:
    """Report the rows or columns of an axis that a chart lacks.

    `outer_rows`: the index of the part of the chart on the axes before this one.
    """
    where = ", ".join(f"`{a.labels[n]}`" for a, n in zip(chart.axes, outer_rows, strict=False))
    message = _(
        (_LACKS_COLUMNS if len(absent) > 1 else _LACKS_COLUMN)
        if _is_across(chart, axis)
        else (_LACKS_ROWS if len(absent) > 1 else _LACKS_ROW),
        table=chart.table,
        rows=_list_words(absent),
        axis=axis.name,
        where=_(" of {rows}", rows=where) if where else "",
    )
    cure = _("add the missing cells, or `blanks: true` if the chart has empty cells")
    chart.ctx.sink.add_error("missing-row", message, span, help=cure)


def _list_words(labels: Sequence[str]) -> str:
    listed = ", ".join(f"`{label}`" for label in labels[:12])
    return _("{listed} and {number} more", listed=listed, number=len(labels) - 12) if len(labels) > 12 else listed


@dataclass(frozen=True, slots=True)
class CellForm:
    """The form of a cell: its type, the notation it is written in, or its columns."""

    type: t.Type
    notation: ResultNotation | None = None
    columns: Mapping[str, CellForm] | None = None


def read_form(node: Node, table: str, ctx: BuildContext) -> CellForm:
    """Read the form of a chart's cells from its `gives`; a reported fault makes the type unknown.

    `table`: the id of the chart, which names the record of its columns.
    """
    if isinstance(node, MappingNode):
        parts = node.get("parts")
        if isinstance(parts, MappingNode):
            notation = read_notation(parts, ctx)
            return CellForm(notation.type, notation) if notation else CellForm(t.NEVER)
        if not any(key in node for key in COMPOUND):
            return CellForm(t.RecordType(table), columns={e.key.text: read_form(e.value, table, ctx) for e in node})
    return CellForm(read_type(node, ctx))


def build_record_definition(form: CellForm) -> RecordDefinition | None:
    """Return the record type of a form with columns, or None."""
    if form.columns is None or not isinstance(form.type, t.RecordType):
        return None
    return RecordDefinition(form.type.id, {name: column.type for name, column in form.columns.items()})


def read_cell(node: Node, form: CellForm, ctx: BuildContext) -> Value:
    """Return the value of one cell, or `FAULT` (reported)."""
    if isinstance(form.type, t.NeverType):
        return FAULT
    if form.notation is not None:
        return read_parts(node, form.notation, ctx.sink)
    if form.columns is not None:
        return _read_record(node, form.columns, ctx)
    return read_value(node, form.type, ctx)


def _read_record(node: Node, columns: Mapping[str, CellForm], ctx: BuildContext) -> Value:
    """Return the values of a cell with columns as a tuple, or `FAULT` (reported)."""
    if not isinstance(node, MappingNode):
        message = _(
            "found {found}, expected a value for each of {listed}",
            found=describe(node),
            listed=", ".join(f"`{c}`" for c in columns),
        )
        ctx.sink.add_error("wrong-type", message, node.span, help=_("write `{column: value, ...}`"))
        return FAULT
    for entry in node:
        if entry.key.text not in columns:
            message = _("the chart has no column `{key}`", key=entry.key.text)
            ctx.sink.add_error("unknown-column", message, entry.key.span, help=did_you_mean(entry.key.text, columns))
    values = []
    for name, form in columns.items():
        cell = node.get(name)
        if cell is None and not isinstance(form.type, t.MaybeType):
            cure = _("add `{name}: ...`", name=name)
            ctx.sink.add_error("missing-column", _("the cell has no `{name}`", name=name), node.span, help=cure)
            values.append(FAULT)
        else:
            values.append(None if cell is None else read_cell(cell, form, ctx))
    return FAULT if any(v is FAULT for v in values) else tuple(values)


def is_blank(node: Node | None, form: CellForm) -> bool:
    """Return whether a cell of this form is blank; `node` is None for an omitted cell."""
    if isinstance(form.type, t.MaybeType) and isinstance(node, ScalarNode):
        return False
    return is_null(node)
