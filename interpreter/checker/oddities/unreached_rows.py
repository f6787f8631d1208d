"""Rows and columns of charts that no throw can reach, and throws that run off a chart.

Only look-ups by a throw of this procedure, with constants added, are judged; a chart that anything else reads is left
alone. Must not guess what a value can be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter.checker.records_inside import records_inside, records_of
from interpreter.checker.suspension import walk
from interpreter.model import core as c
from interpreter.model import nodes as n
from interpreter.model.ruleset import Axis, Table
from interpreter.source.diagnostic import Sink
from interpreter.source.text import Span
from interpreter.words.speech import mark as _

Bounds = tuple[int, int] | None


def find_unreached_rows(model: c.CheckedModel, sink: Sink) -> None:
    """Report rows that are never read, and look-ups that can leave the chart."""
    read: dict[tuple[str, int], list[tuple[Bounds, Span]]] = {}
    for look_up, known in _look_ups(model):
        for number, key in enumerate(look_up.axes):
            read.setdefault((look_up.table, number), []).append((_bounds(key, known), look_up.span))
    for (name, number), found in sorted(read.items()):
        table = model.ruleset.tables[name]
        axis = table.axes[number]
        if axis.sort == "range" and all(isinstance(k, int) for k in axis.keys):
            _judge(table, number, axis, found, sink)


def _judge(table: Table, number: int, axis: Axis, found: list[tuple[Bounds, Span]], sink: Sink) -> None:
    for bounds, span in found:
        if bounds and (
            bounds[0] < axis.keys[0] and axis.below == "refuse" or bounds[1] > axis.keys[-1] and axis.above == "refuse"
        ):
            sink.warning(
                "runs-off-chart",
                _(
                    "this can be {low} to {high}, and `{axis}` of `{table}` goes from {first} to {last}",
                    low=bounds[0],
                    high=bounds[1],
                    axis=axis.name,
                    table=table.id,
                    first=axis.keys[0],
                    last=axis.keys[-1],
                ),
                span,
                help=_("write `below: clamp` or `above: clamp` at the axis, or what else the rules say"),
            )
    if any(bounds is None for bounds, _span in found) or all(b and b[0] == b[1] for b, _span in found):
        return  # something else reads it, or no throw does
    low = min(bounds[0] for bounds, _span in found if bounds)
    high = max(bounds[1] for bounds, _span in found if bounds)
    for key, label in zip(axis.keys, axis.labels, strict=False):
        if key < low and key != axis.keys[-1] or key > high and key != axis.keys[0]:
            index = next((i for i in sorted(table.cell_spans) if axis.keys[i[number]] == key), None)
            sink.warning(
                "unreached-row",
                _(
                    "`{label}` of `{table}` is never read: `{axis}` is always {low} to {high}",
                    label=label,
                    table=table.id,
                    axis=axis.name,
                    low=low,
                    high=high,
                ),
                table.cell_spans[index] if index is not None else table.origin.span,
                help=_("take the row out, or see whether a modifier is missing"),
            )


def _look_ups(model: c.CheckedModel) -> Iterator[tuple[n.LookUp, Mapping[str, Bounds]]]:
    """Every look-up of the rules with what is known of the local names around it."""
    for procedure in model.procedures.values():
        known: dict[str, Bounds] = {}
        for stmt in walk(procedure.body):
            if isinstance(stmt, c.RollDice) and stmt.count is None:
                faces = model.ruleset.dice[stmt.die].faces
                known[stmt.var] = None if stmt.var in known else (min(faces), max(faces))
            elif getattr(stmt, "var", None) or isinstance(stmt, c.SetLocal):
                known[str(getattr(stmt, "var", None) or getattr(stmt, "name", ""))] = None
        yield from ((x, known) for x in records_inside(procedure.body) if isinstance(x, n.LookUp))
    yield from ((x, {}) for x in records_of(model, ("procedures", "ruleset")) if isinstance(x, n.LookUp))


def _bounds(key: n.Core, known: Mapping[str, Bounds]) -> Bounds:
    match key:
        case n.Literal(int() as value) if not isinstance(value, bool):
            return value, value
        case n.Local(name):
            return known.get(name)
        case n.Operation("add" | "sub" as sign, (left, right)):
            one, other = _bounds(left, known), _bounds(right, known)
            if one is None or other is None:
                return None
            return (one[0] + other[0], one[1] + other[1]) if sign == "add" else (one[0] - other[1], one[1] - other[0])
    return None
