"""Shared context of lowering: the model, the map, the functions made so far, and unique names within a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache

from interpreter.checker.suspension import walk
from interpreter.diagnostics.source_text import Span
from interpreter.ir import (
    explanation_records as x,
    expression_records as e,
    program_records as ir,
    statement_records as s,
)
from interpreter.ir.program_records import ProgramForm
from interpreter.lowering.step_charges import CostModel, find_static_defines
from interpreter.lowering.value_types import common_type, convert
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.checked_model import CheckedModel
from interpreter.model.expressions import Value

VariableScope = dict[str, e.Local]  # a name of the rules -> the variable that holds it
Lowerer = Callable[["Context", n.Core, VariableScope], e.Expr]


@dataclass(slots=True)
class FunctionNames:
    """The variables of one function: their types, the names in use, and the things a variable can hold if known."""

    taken: dict[str, int] = field(default_factory=dict)  # each name, and the last number behind it
    locals: dict[str, t.Type] = field(default_factory=dict)
    members: dict[str, frozenset[int]] = field(default_factory=dict)

    def create_name(self, name: str) -> str:
        """Return an unused name similar to this one, and mark it as used."""
        unique_name, number = name, self.taken.get(name, 1)
        while unique_name in self.taken:
            number += 1
            unique_name = f"{name}.{number}"
        self.taken[name] = number
        self.taken[unique_name] = 1
        return unique_name

    def create_variable(self, name: str, type_: t.Type, span: Span) -> e.Local:
        """Return a new variable whose name begins with `name`."""
        unique_name = self.create_name(name)
        self.locals[unique_name] = type_
        return e.Local(unique_name, type_, span)


@dataclass(frozen=True, slots=True, eq=False)
class RulesetMap:
    """The map as the rules query it, built from the documents; all numbers are handles.

    `neighbours`: for each place the places linked to it. `edges`: the edge of each pair of places. `ends`: the two
    places of each edge.
    """

    neighbours: tuple[tuple[int, ...], ...]
    edges: dict[tuple[int, int], int]
    ends: tuple[tuple[int, int], ...]

    @classmethod
    @lru_cache(maxsize=1)
    def from_ruleset(cls, model: CheckedModel) -> RulesetMap:
        """Return the map of a ruleset; of several edges between two places the last counts."""
        kinds = model.ruleset.kinds
        around: list[set[int]] = [set() for _ in kinds["place"].things]
        edges: dict[tuple[int, int], int] = {}
        ends: list[tuple[int, int]] = []
        for number, thing in enumerate(kinds["edge"].things):
            a, b = thing.ends or (0, 0)
            ends.append((a, b))
            edges[a, b] = edges[b, a] = number
            around[a].add(b)
            around[b].add(a)
        return cls(tuple(tuple(sorted(x)) for x in around), edges, tuple(ends))


class Context:
    """State of lowering one model; `lower` and `lenient` are the functions that lower any expression.

    With `explained`, texts, requirements and budget charges are lowered too, which only explanations and the Python
    back end need. `form` says which trace nodes are inserted. With `declares_only`, functions are declared without
    bodies.
    """

    def __init__(
        self,
        model: CheckedModel,
        lower: Lowerer,
        lenient: Lowerer,
        look_up: Callable[[Context, n.LookUp, VariableScope], e.Expr],
        explained: bool = False,
        form: ProgramForm = ProgramForm.PLAY,
        declares_only: bool = False,
    ) -> None:
        self.form = form
        self.declares_only = declares_only
        self.requirement_numbers = number_requirements(model) if form.counts_requirements else {}
        self.static_names = find_static_defines(model) if explained else frozenset[str]()
        self.cost_model = CostModel(model, self.static_names) if explained else None
        self.explanations = x.Explanations()
        self._lower = lower
        self._lenient = lenient
        self._look_up = look_up
        self._lacking: dict[tuple[str, str], frozenset[int]] = {}
        self.is_tracing = False  # in a ledger: what is lowered now notes its look-ups
        self.dice_variables = frozenset[str]()  # names of dice in the procedure being lowered
        self.noted_defines: dict[str, bool] = {}
        self.model = model
        self.ruleset = model.ruleset
        self.map = RulesetMap.from_ruleset(model)
        self.functions: dict[str, ir.Function] = {}
        self.names = FunctionNames()
        self.tables: dict[str, e.StaticTable] = {}
        self.columns = _list_columns(model)
        declared = {name: tuple(record.fields.items()) for name, record in model.ruleset.records.items()}
        self.records = {**model.records, **declared}
        self.watched = frozenset(w.event for w in model.watchers)

    def lower(self, core: n.Core, names: VariableScope) -> e.Expr:
        """Lower an expression of the rules."""
        return self._lower(self, core, names)

    @contextmanager
    def set_tracing(self, is_tracing: bool) -> Iterator[None]:
        """Switch trace nodes of look-ups and tallies on or off in a `with` block; only the ledger's form has any."""
        outer, self.is_tracing = self.is_tracing, is_tracing and self.form.notes_terms
        try:
            yield
        finally:
            self.is_tracing = outer

    def lower_lookup(self, core: n.LookUp, names: VariableScope) -> e.Expr:
        """Lower a chart look-up without a trace node; the expressions on its axes keep theirs."""
        return self._look_up(self, core, names)

    def lower_as(self, core: n.Core, names: VariableScope, type_: t.Type) -> e.Expr:
        """Lower an expression of the rules and convert it to another type."""
        return self.convert(self.lower(core, names), type_)

    def begin_function(
        self, params: tuple[tuple[str, t.Type], ...], span: Span
    ) -> tuple[tuple[tuple[str, t.Type], ...], VariableScope]:
        """Begin a new function: return its parameters with fresh names, and the variable of each name of the rules."""
        self.names = FunctionNames()
        names = {name: e.Local(self.names.create_name(name), type_, span) for name, type_ in params}
        return tuple((names[name].name, type_) for name, type_ in params), names

    def lower_requirement(self, source: c.CheckedRequirement, names: VariableScope) -> e.Expr:
        """Lower the test of a requirement, as a `CountedTest` in the forms that count requirements."""
        test = self.lower(source.test, names)
        if not self.form.counts_requirements:
            return test
        return e.CountedTest(self.requirement_numbers[id(source)], test, t.FLAG, source.span)

    def build_citation(self, cites: tuple[str, ...], span: Span) -> s.Body:
        """Return the statement that records paragraphs as covered, or nothing in forms without coverage."""
        return (s.NoteParagraphs(cites, span),) if cites and self.form.notes_coverage else ()

    def lower_lenient(self, core: n.Core, names: VariableScope) -> e.Expr:
        """Lower an operand that is only compared: a constant that its owner lacks is a missing value."""
        return self._lenient(self, core, names)

    def lower_all(self, cores: Iterable[n.Core], names: VariableScope) -> tuple[e.Expr, ...]:
        """Lower several expressions, in order."""
        return tuple(self._lower(self, core, names) for core in cores)

    def find_lacking(self, kind: str, name: str) -> frozenset[int]:
        """Return the numbers of the things of a kind that lack the constant `name`."""
        if (kind, name) not in self._lacking:
            things = self.ruleset.kinds[kind].things
            self._lacking[kind, name] = frozenset(n for n, x in enumerate(things) if x.values.get(name) is None)
        return self._lacking[kind, name]

    def convert(self, expr: e.Expr, type_: t.Type) -> e.Expr:
        """Convert an expression to another type."""
        return convert(expr, type_, self.names.create_name("each"))

    def unify_types(self, left: e.Expr, right: e.Expr) -> tuple[e.Expr, e.Expr]:
        """Convert two expressions to their common type; return them unchanged without a common type."""
        type_ = common_type(left.type, right.type)
        if type_ is None:
            return left, right
        return self.convert(left, type_), self.convert(right, type_)

    def get_charge(self, domain: n.Core, *bodies: n.Core | None) -> int:
        """Return the budget steps for each member of an iteration; 0 for a cheap one, or without a budget.

        `bodies`: the expressions evaluated for each member.
        """
        return 0 if self.cost_model is None else self.cost_model.get_charge(domain, *bodies)

    def get_search_charge(self, *tests: n.Core | None) -> int:
        """Return the budget steps for each place or pair that a search visits. `tests`: its test and cost."""
        return 1 if self.cost_model is None else self.cost_model.get_search_charge(*tests)

    def lower_text(self, template: c.TextTemplate | None, names: VariableScope) -> x.Words | None:
        """Return a text with its lowered values, or None without a text or in programs that explain nothing."""
        if template is None or self.cost_model is None:
            return None
        parts = tuple(part for part in template.parts if not isinstance(part, str))
        return x.Words(template, self.lower_all(parts, names))

    def get_static_table(
        self, name: str, values: Callable[[], tuple[Value, ...]], item: t.Type, origin: e.Origin | None = None
    ) -> e.StaticTable:
        """Return the static table with a name, created at its first use.

        `values`: computes its elements. `item`: the type of an element. `origin`: the item of the rules that it comes
        from, or None.
        """
        if name not in self.tables:
            self.tables[name] = e.StaticTable(name, values(), item, origin)
        return self.tables[name]

    def define(
        self,
        name: str,
        params: tuple[tuple[str, t.Type], ...],
        result: t.Type,
        span: Span,
        make: Callable[[VariableScope], s.Body],
        origin: e.Origin | None = None,
        charge: int = 0,
        cites: tuple[str, ...] = (),
    ) -> None:
        """Lower a function under a name, unless it exists.

        `make`: builds the body from the variables of the parameters. `origin`: the item of the rules that it comes
        from, or None. `charge`: the budget steps of a call. `cites`: the paragraphs to record as covered.
        """
        if name in self.functions:
            return
        declared = ir.Function(name, params, result, (s.Fail("declared only", span),), {}, span, False, origin, charge)
        self.functions[name] = declared  # also for one that calls itself
        if self.declares_only:
            return
        outer, self.names = self.names, FunctionNames()
        dice_variables, self.dice_variables = self.dice_variables, frozenset()
        names: VariableScope = {}
        typed_params: list[tuple[str, t.Type]] = []
        for param, type_ in params:
            local = e.Local(self.names.create_name(param), type_, span)
            names[param] = local
            typed_params.append((local.name, type_))
        with self.set_tracing(False):
            body = make(names)
        noted = cites if self.form.notes_coverage else ()
        own = self.names.locals
        self.functions[name] = ir.Function(
            name, tuple(typed_params), result, body, own, span, origin=origin, charge=charge, cites=noted
        )
        self.names, self.dice_variables = outer, dice_variables


def _list_columns(model: CheckedModel) -> dict[e.Slot, ir.LoweredColumn]:
    """Return every changing attribute and value of the game."""
    rs = model.ruleset
    columns: dict[e.Slot, ir.LoweredColumn] = {}
    for kind in rs.kinds.values():
        for name, attribute in kind.attributes.items():
            slot = e.Slot(kind.id, name)
            if attribute.changes and slot not in (e.AT, e.SEAT_OF):
                columns[slot] = ir.LoweredColumn(
                    slot,
                    attribute.type,
                    len(kind.things),
                    attribute.default,
                    attribute.low,
                    attribute.high,
                    attribute.clamp,
                )
    for name, attribute in rs.game.items():
        slot = e.Slot("game", name)
        columns[slot] = ir.LoweredColumn(
            slot, attribute.type, 1, attribute.default, attribute.low, attribute.high, attribute.clamp
        )
    columns[e.AT] = ir.LoweredColumn(e.AT, t.PLACE, len(rs.kinds["piece"].things), None)
    columns[e.SEAT_OF] = ir.LoweredColumn(e.SEAT_OF, t.SEAT, len(rs.kinds["side"].things), None)
    return columns


def iter_requirements(model: CheckedModel) -> Iterator[c.CheckedRequirement]:
    """Iterate over every requirement in the order of its number."""
    for rule in model.rules.values():
        yield from rule.requires
    for draft in model.drafts.values():
        for step in draft.steps:
            yield from step.requires
        yield from draft.finish
    for procedure in model.procedures.values():
        for stmt in walk(procedure.body):
            if isinstance(stmt, c.Decide):
                for choice in stmt.choices:
                    yield from choice.requires
                if stmt.until_done:
                    yield from stmt.finish


def number_requirements(model: CheckedModel) -> dict[int, int]:
    """Return the number of each requirement by the identity of its record."""
    return {id(requirement): number for number, requirement in enumerate(iter_requirements(model))}
