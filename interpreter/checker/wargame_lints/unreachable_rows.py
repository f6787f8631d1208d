"""Lint rows and columns of charts that no roll can reach, and rolls that exceed their chart.

A row is unreachable if the bounds of every look-up exclude it. A look-up exceeds its chart if an exact bound (of
rolls, constants or bounded attributes) lies outside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter.checker.suspension import find_names_set_once, walk
from interpreter.checker.wargame_lints.interval_analysis import ValueBounds, compute_bounds
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Span
from interpreter.i18n.translator import mark as _
from interpreter.model import expressions as n, statements as c
from interpreter.model.checked_model import CheckedModel, CheckedProcedure, iter_model_records, iter_nested_records
from interpreter.model.ruleset import Axis, Table


def report_unreached_rows(model: CheckedModel, sink: Sink) -> None:
    """Report rows that are never read, and look-ups that can exceed the chart."""
    read: dict[tuple[str, int], list[tuple[ValueBounds, Span]]] = {}
    for look_up, bounds in _iter_look_ups(model):
        for number, key in enumerate(look_up.axes):
            read.setdefault((look_up.table, number), []).append((compute_bounds(model, key, bounds), look_up.span))
    for (name, number), look_ups in sorted(read.items()):
        table = model.ruleset.tables[name]
        axis = table.axes[number]
        if axis.sort == "range" and all(isinstance(k, int) for k in axis.keys):
            _check_axis(table, number, axis, look_ups, sink)


def _check_axis(table: Table, number: int, axis: Axis, look_ups: list[tuple[ValueBounds, Span]], sink: Sink) -> None:
    """Report look-ups that can leave the axis `number` of a chart, and rows that no look-up reads.

    `look_ups`: the bounds of the values that the rules look up, with the span of the value.
    """
    first, last = axis.keys[0], axis.keys[-1]
    for bounds, span in look_ups:
        low, high = bounds.low, bounds.high
        if low is None or high is None or not bounds.is_exact or low == high:
            continue
        if low < first and axis.below == "refuse" or high > last and axis.above == "refuse":
            sink.add_warning(
                "runs-off-chart",
                _(
                    "this can be {low} to {high}, but `{axis}` of `{table}` covers only {first} to {last}",
                    low=low,
                    high=high,
                    axis=axis.name,
                    table=table.id,
                    first=first,
                    last=last,
                ),
                span,
                help=_("write `below: clamp` or `above: clamp` at the axis, or whatever the rules say"),
            )
    ends = [(bounds.low, bounds.high) for bounds, _span in look_ups]
    if all(low == high and low is not None for low, high in ends):
        return  # no roll reads it
    least = min((first if low is None else low for low, _high in ends), default=first)
    most = max((last if high is None else high for _low, high in ends), default=last)
    for key, label in zip(axis.keys, axis.labels, strict=False):
        if key < least and key != last or key > most and key != first:
            index = next((i for i in sorted(table.cell_spans) if axis.keys[i[number]] == key), None)
            sink.add_warning(
                "unreached-row",
                _(
                    "`{label}` of `{table}` is never read: `{axis}` is always {low} to {high}",
                    label=label,
                    table=table.id,
                    axis=axis.name,
                    low=least,
                    high=most,
                ),
                table.cell_spans[index] if index is not None else table.origin.span,
                help=_("remove the row, or look for a missing modifier"),
            )


def _iter_look_ups(model: CheckedModel) -> Iterator[tuple[n.LookUp, Mapping[str, ValueBounds]]]:
    """Yield (look-up, known bounds of the local names in scope) for every table look-up of the rules."""
    for procedure in model.procedures.values():
        bounds = _compute_local_bounds(model, procedure)
        yield from ((x, bounds) for x in iter_nested_records(procedure.body) if isinstance(x, n.LookUp))
    yield from ((x, {}) for x in iter_model_records(model, ("procedures", "ruleset")) if isinstance(x, n.LookUp))


def _compute_local_bounds(model: CheckedModel, procedure: CheckedProcedure) -> dict[str, ValueBounds]:
    """Return the bounds of the local names of a procedure that are assigned in exactly one statement, by name."""
    once = find_names_set_once(procedure.body)
    bounds: dict[str, ValueBounds] = {}
    for stmt in walk(procedure.body):
        if isinstance(stmt, c.RollDice) and stmt.count is None and stmt.var in once:
            faces = model.ruleset.dice[stmt.die].faces
            bounds[stmt.var] = ValueBounds(min(faces), max(faces), True)
        elif isinstance(stmt, c.SetLocal) and stmt.name in once:
            bounds[stmt.name] = compute_bounds(model, stmt.value, bounds)
    return bounds
