"""Lint cells of charts that take an attribute beyond its bounds, such as a negative number in a chart of hits.

A cell is reported if an assignment that reads it leaves the bounds whatever the other terms are:

    set a.hits = sum(fire_table[die] for die in thrown)     # a cell of -1, `hits` with `low: 0`

A sum over rolled dice is judged by one member, because all dice can show one face. A `raise` is judged from the
default of an attribute that returns to it (`lasts`), if no condition encloses the statement and the rules give the
attribute nothing but its default and numbers from the same chart.

A finding says what can happen, not what must: a condition on the keys of a look-up may exclude the cell. Charts whose
cells the rules compare with something are left out, because such a test may guard the assignment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from interpreter.checker.operations import COMPARISONS
from interpreter.checker.suspension import find_names_set_once, iter_child_statements, walk
from interpreter.checker.wargame_lints.interval_analysis import UNKNOWN, ValueBounds, combine, compute_bounds
from interpreter.diagnostics.diagnostic import Related, Sink
from interpreter.diagnostics.source_text import Span
from interpreter.i18n.translator import mark as _
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.checked_model import CheckedModel, CheckedProcedure, iter_model_records, iter_nested_records
from interpreter.model.ruleset import Attribute, Table

_MAX_DEPTH = 12  # nested defines
_MAX_CELLS_IN_FINDING = 4
Locals = Mapping[str, n.Core]


@dataclass(frozen=True, slots=True)
class _Reading:
    """A cell that an expression is evaluated with: every look-up in `table` gives `cell`."""

    model: CheckedModel
    table: str
    cell: int


class _CellBeyondBounds(NamedTuple):
    """A cell whose number takes an attribute beyond a bound, which `violated_bound` says in words."""

    span: Span
    number: int
    violated_bound: str


@dataclass(frozen=True, slots=True)
class _Finding:
    """An assignment, and the cells with which it leaves the bounds of its attribute."""

    stmt: c.SetAttribute
    attribute: Attribute
    cells: list[_CellBeyondBounds]


def report_cells_beyond_bounds(model: CheckedModel, sink: Sink) -> None:
    """Report the cells with which an assignment can leave the bounds of its attribute, once for each chart."""
    findings: dict[str, _Finding] = {}
    for procedure in model.procedures.values():
        names = _find_single_assignments(procedure)
        conditions = _map_enclosing_conditions(procedure)
        for stmt in walk(procedure.body):
            if not isinstance(stmt, c.SetAttribute):
                continue
            attribute = _find_bounded_attribute(model, stmt)
            tests = conditions.get(id(stmt), [])
            if attribute is None:
                continue
            value = stmt.value if stmt.amount is None else stmt.amount
            if any(_find_locals_read(value, names) & _find_locals_read(test, names) for test in tests):
                continue  # the tests may exclude the cell
            for table in sorted(_find_tables_read(model, value, names) - findings.keys()):
                start = 0 if stmt.amount is None else _find_start_of_raise(model, attribute, stmt, table, bool(tests))
                if start is None:
                    continue
                cells = _find_cells(model, model.ruleset.tables[table], value, start, attribute, names)
                if cells:
                    findings[table] = _Finding(stmt, attribute, cells)
    compared = _find_tables_compared(model) if findings else set()
    for table, finding in findings.items():
        if table not in compared:
            _report_finding(table, finding, sink)


def _find_bounded_attribute(model: CheckedModel, stmt: c.SetAttribute) -> Attribute | None:
    """Return the attribute that a statement sets if a value beyond one of its bounds is a fault, else None."""
    attributes = model.ruleset.game if stmt.kind == "game" else model.ruleset.kinds[stmt.kind].attributes
    attribute = attributes.get(stmt.name)
    if attribute is None or attribute.clamp or attribute.low is None and attribute.high is None:
        return None
    return attribute


def _find_start_of_raise(
    model: CheckedModel, attribute: Attribute, stmt: c.SetAttribute, table: str, is_conditional: bool
) -> int | None:
    """Return the value that an attribute certainly has when a statement first raises it, or None if it is uncertain.

    `stmt`: the `raise` or `lower`; `table`: a chart that its amount depends on; `is_conditional`: it runs only under a
    condition.
    """
    default = attribute.default
    if attribute.lasts is None or not attribute.has_default or is_conditional or type(default) is not int:
        return None
    for setup in (scenario.position for scenario in model.ruleset.scenarios.values()):
        if any(stmt.name in values for values in (setup.game, *setup.pieces.values(), *setup.things.values())):
            return None
    things = () if stmt.kind == "game" else model.ruleset.kinds[stmt.kind].things
    if any(thing.values.get(stmt.name, default) != default for thing in things):
        return None
    for writer, names in _iter_writers(model):
        if (writer.kind, writer.name) != (stmt.kind, stmt.name):
            continue
        value = writer.value if writer.amount is None else writer.amount
        is_default = writer.amount is None and isinstance(value, n.Literal) and value.value == default
        is_lowered = isinstance(writer.amount, n.Operation) and writer.amount.name == "neg"
        if is_lowered or not (is_default or table in _find_tables_read(model, value, names)):
            return None
    return default


def _iter_writers(model: CheckedModel) -> Iterator[tuple[c.SetAttribute, Locals]]:
    """Yield every statement that sets an attribute, with the values of the local names of its procedure."""
    for procedure in model.procedures.values():
        names = _find_single_assignments(procedure)
        yield from ((x, names) for x in walk(procedure.body) if isinstance(x, c.SetAttribute))
    yield from ((x, {}) for x in iter_model_records(model, ("procedures", "ruleset")) if isinstance(x, c.SetAttribute))


def _find_cells(
    model: CheckedModel, table: Table, value: n.Core, start: int, attribute: Attribute, names: Locals
) -> list[_CellBeyondBounds]:
    """Return the cells of a table with which a value is beyond a bound of an attribute.

    `value`: the new value, or the amount that is added to `start`, which is 0 for a new value; `names`: the values of
    local names.
    """
    beyond: list[_CellBeyondBounds] = []
    for index, cell in sorted(table.cells.items()):
        if type(cell) is not int or index not in table.cell_spans:
            continue
        bounds = _evaluate(_Reading(model, table.id, cell), value, names)
        if attribute.low is not None and bounds.high is not None and bounds.high + start < attribute.low:
            violated_bound = _("below its bound `low: {limit}`", limit=attribute.low)
        elif attribute.high is not None and bounds.low is not None and bounds.low + start > attribute.high:
            violated_bound = _("above its bound `high: {limit}`", limit=attribute.high)
        else:
            continue
        beyond.append(_CellBeyondBounds(table.cell_spans[index], cell, violated_bound))
    return beyond


def _report_finding(table: str, finding: _Finding, sink: Sink) -> None:
    """Report the first cell of a finding, with the next ones as related places."""
    name = finding.attribute.name
    first, *more_cells = finding.cells[:_MAX_CELLS_IN_FINDING]
    sink.add_warning(
        "cell-beyond-bounds",
        _(
            "the cell {cell} of `{table}` can take `{name}` {limit}, which stops the game with an error",
            cell=first.number,
            table=table,
            name=name,
            limit=first.violated_bound,
        ),
        first.span,
        help=_("correct the cell; if it is right, give `{name}` other bounds or `clamp: true`", name=name),
        related=(
            Related(_("applied here"), finding.stmt.span),
            *(Related(_("this cell too"), cell.span) for cell in more_cells),
        ),
    )


def _evaluate(reading: _Reading, core: n.Core, names: Locals, depth: int = 0) -> ValueBounds:
    """Return the bounds of a number with the cell of `reading`, `names` being the values of local names."""
    if depth > _MAX_DEPTH or reading.table not in _find_tables_read(reading.model, core, names, depth):
        return compute_bounds(reading.model, core, {}) if depth <= _MAX_DEPTH else UNKNOWN
    match core:
        case n.LookUp(table=name, axes=keys) if name == reading.table:
            if all(isinstance(key, n.Literal) for key in keys):
                return UNKNOWN  # it reads one cell only
            return ValueBounds(reading.cell, reading.cell, True)
        case n.CheckedLocal(name) if name in names:
            return _evaluate(reading, names[name], names, depth + 1)
        case n.Comprehension(sort="sum", domain=n.CheckedLocal(), result=result, where=where) if result is not None:
            if not isinstance(core.domain.type, t.ListType):
                return UNKNOWN  # only rolled dice may be alike
            if where is not None and reading.table in _find_tables_read(reading.model, where, names, depth):
                return UNKNOWN  # the condition may exclude the cell
            return _evaluate(reading, result, {}, depth + 1)
        case n.Operation("add" | "sub" | "neg" | "min" | "max" as name, operands):
            return combine(name, [_evaluate(reading, x, names, depth + 1) for x in operands])
        case n.CheckedCall(sort="define", name=name, args=args):
            define = reading.model.defines[name]
            inner = {p: a for (p, _type), a in zip(define.params, args, strict=True)}
            if any(reading.table in _find_tables_read(reading.model, a, names, depth) for a in args):
                return UNKNOWN  # the arguments use the caller's names
            return _evaluate(
                reading, define.value, {p: a for p, a in inner.items() if isinstance(a, n.Literal)}, depth + 1
            )
    return UNKNOWN


def _find_tables_read(model: CheckedModel, core: n.Core, names: Locals, depth: int = 0) -> set[str]:
    """Return the tables that an expression looks up, also through defines and local names.

    `depth`: the depth of the recursion; beyond a limit nothing is found.
    """
    tables: set[str] = set()
    for record in iter_nested_records(core) if depth <= _MAX_DEPTH else ():
        match record:
            case n.LookUp(table=name):
                tables.add(name)
            case n.CheckedLocal(name) if name in names:
                tables |= _find_tables_read(model, names[name], names, depth + 1)
            case n.CheckedCall(sort="define", name=name):
                tables |= _find_tables_read(model, model.defines[name].value, {}, depth + 1)
    return tables


def _find_tables_compared(model: CheckedModel) -> set[str]:
    """Return the tables whose cells the rules compare with something or pass to a define."""
    tables: set[str] = set()
    parts: list[tuple[object, Locals]] = [(x, {}) for x in iter_model_records(model, ("procedures", "ruleset"))]
    for procedure in model.procedures.values():
        names = _find_single_assignments(procedure)
        parts += [(record, names) for record in iter_nested_records(procedure.body)]
        for stmt in walk(procedure.body):  # a name with several values is not followed, so all of them count
            if isinstance(stmt, c.SetLocal) and stmt.name not in names:
                tables |= _find_tables_read(model, stmt.value, names)
    for record, names in parts:
        match record:
            case n.Operation(name, inner) if name in (*COMPARISONS, "in", "not in"):
                tables.update(*(_find_tables_read(model, core, names) for core in inner))
            case n.CheckedCall(args=inner):
                tables.update(*(_find_tables_read(model, core, names) for core in inner))
    return tables


def _find_locals_read(core: n.Core, names: Locals, depth: int = 0) -> set[str]:
    """Return the local names that an expression reads, also through the values of other ones."""
    local_names = {record.name for record in iter_nested_records(core) if isinstance(record, n.CheckedLocal)}
    inner = (
        [_find_locals_read(names[name], names, depth + 1) for name in local_names & names.keys()]
        if depth < _MAX_DEPTH
        else []
    )
    return local_names.union(*inner)


def _find_single_assignments(procedure: CheckedProcedure) -> Locals:
    """Return the values of the local names that exactly one statement of a procedure sets, by name."""
    once = find_names_set_once(procedure.body)
    return {x.name: x.value for x in walk(procedure.body) if isinstance(x, c.SetLocal) and x.name in once}


def _map_enclosing_conditions(procedure: CheckedProcedure) -> dict[int, list[n.Core]]:
    """Return the tests of the `if` and `while` statements around each statement of a procedure, by `id(statement)`.

    Statements outside of any test are left out.
    """
    enclosing: dict[int, list[n.Core]] = {}
    for stmt in walk(procedure.body):
        tests: list[n.Core] = []
        if isinstance(stmt, c.CheckedIf):
            tests = [test for test, _body in stmt.branches]
        elif isinstance(stmt, c.Loop) and stmt.sort == "while":
            tests = [stmt.head]
        for inner in walk(tuple(iter_child_statements(stmt))) if tests else ():
            enclosing.setdefault(id(inner), []).extend(tests)
    return enclosing
