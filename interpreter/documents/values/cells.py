"""Reading of a chart's cell form, and of single cells of that form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.documents.reading.tree import MappingNode, Node, ScalarNode, describe, is_null
from interpreter.documents.values.attributes import COMPOUND, read_type
from interpreter.documents.values.composite_results import ResultNotation, read_notation, read_parts
from interpreter.documents.values.context import BuildContext
from interpreter.documents.values.typed_values import FAULT, read_value
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.model.ruleset import RecordDefinition, Value


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a cell: its type, the notation it is written in, or its columns."""

    type: t.Type
    notation: ResultNotation | None = None
    columns: Mapping[str, Form] | None = None


def read_form(node: Node, table: str, ctx: BuildContext) -> Form:
    """Read `gives`; a reported fault makes the type unknown."""
    if isinstance(node, MappingNode):
        parts = node.get("parts")
        if isinstance(parts, MappingNode):
            notation = read_notation(parts, ctx)
            return Form(notation.type, notation) if notation else Form(t.NEVER)
        if not any(key in node for key in COMPOUND):
            return Form(t.RecordType(table), columns={e.key.text: read_form(e.value, table, ctx) for e in node})
    return Form(read_type(node, ctx))


def record_type_of(form: Form) -> RecordDefinition | None:
    """Return the record type of a form with columns, or None."""
    if form.columns is None or not isinstance(form.type, t.RecordType):
        return None
    return RecordDefinition(form.type.id, {name: column.type for name, column in form.columns.items()})


def read_cell(node: Node, form: Form, ctx: BuildContext) -> Value:
    """Return the value of one cell, or `FAULT` (reported)."""
    if isinstance(form.type, t.NeverType):
        return FAULT
    if form.notation is not None:
        return read_parts(node, form.notation, ctx.sink)
    if form.columns is not None:
        return _record(node, form.columns, ctx)
    return read_value(node, form.type, ctx)


def _record(node: Node, columns: Mapping[str, Form], ctx: BuildContext) -> Value:
    if not isinstance(node, MappingNode):
        ctx.sink.error(
            "wrong-type",
            _(
                "found {found}, expected a value for each of {listed}",
                found=describe(node),
                listed=", ".join(f"`{c}`" for c in columns),
            ),
            node.span,
            help=_("write `{column: value, ...}`"),
        )
        return FAULT
    for entry in node:
        if entry.key.text not in columns:
            ctx.sink.error(
                "unknown-column",
                _("the chart has no column `{key}`", key=entry.key.text),
                entry.key.span,
                help=did_you_mean(entry.key.text, columns),
            )
    values = []
    for name, form in columns.items():
        cell = node.get(name)
        if cell is None and not isinstance(form.type, t.MaybeType):
            ctx.sink.error(
                "missing-column",
                _("the cell has no `{name}`", name=name),
                node.span,
                help=_("add `{name}: ...`", name=name),
            )
            values.append(FAULT)
        else:
            values.append(None if cell is None else read_cell(cell, form, ctx))
    return FAULT if any(v is FAULT for v in values) else tuple(values)


def is_blank(node: Node | None, form: Form) -> bool:
    """Return whether a cell is blank."""
    if isinstance(form.type, t.MaybeType) and isinstance(node, ScalarNode):
        return False
    return is_null(node)
