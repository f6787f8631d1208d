"""Static cost analysis: how much work an expression can do before any of it is charged to the budget.

A loop that may be long is charged before it starts, by the number of its members; one that is short on every map is
not, so that play does not pay for it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from functools import lru_cache

from interpreter.checker.operations import SlotMemo, find_slots_read, get_facts, list_definition_expressions
from interpreter.checker.suspension import iter_child_statements, walk
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.checked_model import CheckedModel, CheckedProcedure
from interpreter.model.ruleset import Attribute
from interpreter.model.statements import Core, is_core, list_children
from interpreter.runtime.limits import LIMITS

WRITTEN = 20  # members of a list in a chart, rungs of a ladder
LITTLE = 1_000  # steps that need not be counted
FOR_ONE = 32  # small steps of an expression that count as one of the budget
MAX_UNCOUNTED = 250_000  # steps of a define that is computed once for all positions
AT_ONCE = 16  # members that the operations of a set process in the time of one step


class CostModel:
    """Upper bounds of set sizes and of evaluation cost, for the expressions of one model."""

    def __init__(self, model: CheckedModel, static: frozenset[str]) -> None:
        self.model = model
        self.static = static
        self._known: dict[Core, int] = {}
        self._stated: dict[c.Stmt, int] = {}
        self._sizes: dict[tuple[str, str | None], int] = {}
        self._called: dict[tuple[str, str], int] = {}
        self._bounds: dict[str, int] = {}
        self._most_neighbours = 0  # 0 until it is computed

    # --- how many ------------------------------------------------------------------------------

    def count_things(self, kind: str, cls: str | None) -> int:
        """Return the number of things of a kind (or of pieces of a class)."""
        if (kind, cls) not in self._sizes:
            kind_data = self.model.ruleset.kinds.get(kind)
            things = () if kind_data is None else kind_data.things
            self._sizes[kind, cls] = sum(1 for x in things if cls is None or x.cls == cls)
        return self._sizes[kind, cls]

    def count_neighbours(self) -> int:
        """Return the maximum number of neighbours of a place, at least 1."""
        if not self._most_neighbours:
            ends = Counter(e for edge in self.model.ruleset.kinds["edge"].things for e in edge.ends or ())
            self._most_neighbours = max(ends.values(), default=1)
        return self._most_neighbours

    def bound_size(self, core: Core) -> int:
        """Return the maximum size of a set or list."""
        match core:
            case n.Things(kind, cls):
                return self.count_things(kind, cls)
            case n.Operation("range", (n.Literal(int() as low), n.Literal(int() as high))):
                return max(0, high - low + 1)
            case n.AttributeOf(kind, attribute) if self._is_constant(kind, attribute):
                things = self.model.ruleset.kinds[kind].things
                return max((len(v) for x in things if isinstance(v := x.values.get(attribute), tuple)), default=0)
            case n.CheckedPiecesAt(cls):
                return self.count_things("piece", cls)
            case n.Comprehension(domain=domain):
                return self.bound_size(domain)
            case n.LookUp() | n.Literal():  # as printed
                return WRITTEN
            case n.Operation("ray" | "line_between"):
                return self.count_things("place", None)
            case n.Operation("neighbours" | "edges_of"):
                return self.count_neighbours()
            case n.Operation("take", (n.Literal(int() as number), items)):
                return min(max(0, number), self.bound_size(items))
            case n.Operation("set" | "list", operands):
                return len(operands)
            case n.Operation("union", (a, b)):
                return min(self.bound_size(a) + self.bound_size(b), self.bound_type_size(core.type))
            case n.Operation("minus", (a, _)):
                return self.bound_size(a)
            case n.CheckedCall("define", called):
                return self.bound_size(self.model.defines[called].value)
        return self.bound_type_size(core.type)

    def bound_type_size(self, type_: t.Type) -> int:
        """Return the maximum number of members of a set or list of a type."""
        match type_:
            case t.SetType(item=t.ThingType(kind=kind, cls=cls)):
                return self.count_things(kind, cls)
            case t.SetType(item=t.OneOfType(values=values)):
                return len(values)
            case t.SetType(item=t.DirectionType() | t.RungType()):
                return WRITTEN
            case t.SetType(item=t.FlagType()):
                return 2
            case t.SetType(item=None) | t.ListType(item=None):
                return 0
        return LIMITS.members

    # --- how much ------------------------------------------------------------------------------

    def get_charge(self, domain: Core, *bodies: Core | None) -> int:
        """Return the steps to charge per member of a loop's domain; 0 if the whole loop is cheap.

        `bodies`: the expressions evaluated for each member.
        """
        each = self._estimate_member(domain) + sum(self.estimate_expr(b) for b in bodies if b is not None)
        return self.get_iteration_charge(self.bound_size(domain), each)

    def get_iteration_charge(self, times: int, each: int) -> int:
        """Return the budget steps for each iteration of a loop; 0 if the whole loop is cheap.

        `times`: the maximum number of iterations. `each`: the cost of one iteration.
        """
        return 0 if times * each <= LITTLE else 1 + each // FOR_ONE

    def _estimate_member(self, domain: Core) -> int:
        """Return the cost of producing one member of a domain: the cost of its filters, which are evaluated lazily."""
        if isinstance(domain, n.Comprehension) and domain.sort in ("set", "list"):
            bodies = (domain.where, domain.result, domain.measure)
            return self._estimate_member(domain.domain) + sum(self.estimate_expr(x) for x in bodies if x is not None)
        return 1

    def estimate_expr(self, core: Core) -> int:
        """Return the maximum uncharged cost of an expression."""
        estimate = self._known.get(core)
        if estimate is None:
            estimate = self._known[core] = self._estimate_uncached(core)
        return estimate

    def _estimate_uncached(self, core: Core) -> int:
        match core:
            case n.Comprehension(domain=domain, where=where, result=result, measure=measure):
                each = self._estimate_member(domain) + sum(
                    self.estimate_expr(x) for x in (where, result, measure) if x is not None
                )
                times = self.bound_size(domain)
                if self.get_iteration_charge(times, each):
                    return 1 + self._estimate_loop_start(domain)
                return self._estimate_loop_start(domain) + times * each
            case n.CheckedSearch(start=start, goal=goal, within=within):
                return 4 + sum(self.estimate_expr(x) for x in (start, goal, within) if x is not None)
            case n.CheckedClosure(start=start):
                return 4 + self.estimate_expr(start)
            case n.CheckedCall("define" | "rule" | "tally" | "condition" as sort, called):
                return self.estimate_call(sort, called) + sum(self.estimate_expr(x) for x in list_children(core))
        steps = 1 + sum(self.estimate_expr(x) for x in list_children(core))
        if isinstance(core, n.Operation) and core.name != "list":
            sets = [x for x in core.operands if isinstance(x.type, t.SetType | t.ListType)]
            steps += sum(self.bound_size(x) // AT_ONCE for x in sets if not self.is_endless(x.type))
        return steps

    def _estimate_loop_start(self, domain: Core) -> int:
        """Return the budget steps to charge before a loop over a domain begins."""
        if isinstance(domain, n.Comprehension) and domain.sort in ("set", "list"):
            return self._estimate_loop_start(domain.domain)
        return self.estimate_expr(domain)

    def estimate_call(self, sort: str, name: str) -> int:
        """Return the uncharged cost of a call of a define, rule or tally; 1 if the call itself is charged.

        `sort`: "define", "rule" or "tally".
        """
        key = (sort, name)
        if key not in self._called:
            self._called[key] = 1  # ends the recursion of a definition that calls itself
            steps = (
                self.bound_define(name) // LITTLE
                if sort == "define" and name in self.static
                else self.estimate_definition(sort, name)
            )
            self._called[key] = steps if steps <= LITTLE else 1
        return self._called[key]

    def estimate_definition(self, sort: str, name: str) -> int:
        """Return the cost of the expressions in the body of a definition. `sort`: "define", "rule" or "tally"."""
        return sum(self.estimate_expr(x) for x in list_definition_expressions(self.model, sort, name))

    def get_call_charge(self, sort: str, name: str) -> int:
        """Return the budget steps to charge per call of a define, rule or tally; 0 if it is cheap.

        `sort`: "define", "rule" or "tally".
        """
        steps = self.estimate_definition(sort, name)
        return 0 if steps <= LITTLE else 1 + steps // FOR_ONE

    def get_search_charge(self, *tests: Core | None) -> int:
        """Return the steps to charge per place (or pair of things) visited by a search. `tests`: its test and cost."""
        return 1 + (4 + sum(self.estimate_expr(x) for x in tests if x is not None)) // FOR_ONE

    def estimate_body(self, body: c.Body) -> int:
        """Return the maximum uncharged cost of statements."""
        return sum(self._estimate_statement(s) for s in body)

    def _estimate_statement(self, s: c.Stmt) -> int:
        if s not in self._stated:
            self._stated[s] = self._estimate_statement_once(s)
        return self._stated[s]

    def _estimate_statement_once(self, s: c.Stmt) -> int:
        own = 2 + sum(self.estimate_expr(x) for x in list_expressions_read(s))
        match s:
            case c.MovePieces():
                return own + 80 + (self.bound_size(s.what) if s.many else 0)
            case c.ReportEvent():
                return own + 80
            case c.Loop():
                return own + (
                    0 if self.get_loop_charge(s) else self.bound_size(s.head) * (1 + self.estimate_body(s.body))
                )
        return own + sum(self._estimate_statement(x) for x in iter_child_statements(s))

    def get_loop_charge(self, s: c.Loop) -> int:
        """Return the steps to charge per iteration of a loop statement; 0 if the whole loop is cheap."""
        each = 1 + self.estimate_body(s.body) + (0 if s.still is None else self.estimate_expr(s.still))
        if s.sort != "for":
            return 1 + each // FOR_ONE
        return self.get_iteration_charge(self.bound_size(s.head), each + self._estimate_member(s.head))

    def get_procedure_charge(self, p: CheckedProcedure) -> int:
        """Return the steps to charge per call of a procedure; 0 if it is cheap and calls nothing."""
        steps = self.estimate_body(p.body)
        calls = any(isinstance(s, c.CallProcedure | c.MovePieces | c.ReportEvent) for s in walk(p.body))
        return 1 + steps // FOR_ONE if calls or steps > LITTLE else 0

    # --- what grows -------------------------------------------------------------------------------

    def is_endless(self, type_: t.Type) -> bool:
        """Return whether a set or list type has no bound on its size."""
        return (
            isinstance(type_, t.ListType)
            or isinstance(type_, t.SetType)
            and self.bound_type_size(type_) == LIMITS.members
        )

    def is_nested(self, type_: t.Type) -> bool:
        """Return whether a set or list may contain lists, in records or directly."""
        return (
            isinstance(type_, t.SetType | t.ListType)
            and type_.item is not None
            and self._is_holding_nested(type_.item, ())
        )

    def _is_holding_nested(self, type_: t.Type, around: tuple[str, ...]) -> bool:
        match type_:
            case t.SetType(item=item):
                return self.is_endless(type_) or item is not None and self._is_holding_nested(item, around)
            case t.ListType():
                return True
            case t.MaybeType(item=item):
                return self._is_holding_nested(item, around)
            case t.RecordType(id=name) if name not in around:
                return any(self._is_holding_nested(x, (*around, name)) for _, x in self.model.records.get(name, ()))
        return False

    def can_grow(self, core: Core) -> bool:
        """Return whether a number (or a list of lists) can be longer than its operands."""
        match core:
            case n.Operation("cond" | "orelse"):
                return any(self.can_grow(x) for x in list_children(core))
            case n.Comprehension("sum", result=result):
                return not isinstance(core.type, t.IntType) or result is None or not self._is_short(result)
            case n.Operation():
                facts = get_facts(core)
                return facts.grows or facts.weighs and not all(self._is_short(x) for x in core.operands)
            case n.CheckedCall("define" | "tally") | n.CheckedSearch():
                return isinstance(core.type, t.IntType | t.NumberType)
        return False

    def _is_short(self, core: Core) -> bool:
        """Return whether a number always has few digits."""
        match core:
            case n.Literal() | n.LookUp() | n.Comprehension("count"):
                return True
            case n.AttributeOf() | n.GameValue():
                return self._is_bounded(core)
            case n.Operation("add" | "sub" | "neg" | "cond", parts):
                return all(self._is_short(x) for x in parts[-2:])
        return get_facts(core).is_short

    def _is_bounded(self, core: n.AttributeOf | n.GameValue) -> bool:
        attribute: Attribute | None
        if isinstance(core, n.GameValue):
            attribute = self.model.ruleset.game.get(core.name)
        elif self._is_constant(core.kind, core.name):
            return True
        else:
            attribute = self.model.ruleset.kinds[core.kind].attributes.get(core.name)
        return attribute is not None and attribute.low is not None and attribute.high is not None

    def _is_constant(self, kind: str, attribute: str) -> bool:
        declared = self.model.ruleset.kinds[kind].attributes.get(attribute)
        return declared is not None and not declared.changes

    # --- where nothing can be counted --------------------------------------------------------------

    def bound_define(self, define: str) -> int:
        """Return the maximum cost of a define that reads no state, from the sizes of the collections it iterates."""
        if define not in self._bounds:
            self._bounds[define] = MAX_UNCOUNTED + 1  # ends the recursion of a definition that calls itself
            self._bounds[define] = self._bound_expr(self.model.defines[define].value)
        return self._bounds[define]

    def _bound_expr(self, core: Core) -> int:
        inside = sum(self._bound_expr(x) for x in list_children(core))
        match core:
            case n.Comprehension(domain=domain):
                before = self._bound_expr(domain)
                return before + self.bound_size(domain) * (1 + inside - before)
            case n.CheckedSearch() | n.CheckedClosure():
                places = self.count_things("place", None)
                return (
                    places * (self.count_neighbours() if isinstance(core, n.CheckedSearch) else places) * (1 + inside)
                )
            case n.CheckedCall("define", called):
                return 1 + self.bound_define(called) + inside
        return 1 + inside


def find_expensive_defines(model: CheckedModel, names: frozenset[str]) -> frozenset[str]:
    """Return the defines among `names` whose cost exceeds what may be computed uncharged."""
    cost_model = CostModel(model, names)
    return frozenset(n for n in names if cost_model.bound_define(n) > MAX_UNCOUNTED)


@lru_cache(maxsize=1)
def find_static_defines(model: CheckedModel) -> frozenset[str]:
    """Return the defines that read no state; their results are cached permanently, and expensive ones are charged."""
    memo: SlotMemo = {}
    dynamic = {d.name for d in model.defines.values() if find_slots_read(model, d.value, memo)}
    static = _find_static(model, dynamic)
    dynamic |= find_expensive_defines(model, static)
    return _find_static(model, dynamic) if dynamic & static else static


def _find_static(model: CheckedModel, dynamic: set[str]) -> frozenset[str]:
    """Return the defines outside `dynamic` that call only defines, none of them in `dynamic`."""
    static = frozenset(model.defines) - dynamic
    while True:
        left = frozenset(
            name
            for name in static
            if all(
                x.sort == "define" and x.name in static
                for x in n.list_descendants(model.defines[name].value)
                if isinstance(x, n.CheckedCall)
            )
        )
        if left == static:
            return static
        static = left


def list_expressions_read(stmt: c.Stmt) -> list[Core]:
    """Return the expressions that are direct children of a statement, the values in its texts included."""
    expressions: list[Core] = []
    for part in fields(stmt):
        value = getattr(stmt, part.name)
        if is_core(value):
            expressions.append(value)
        elif isinstance(value, c.TextTemplate):
            expressions += [x for x in value.parts if not isinstance(x, str)]
        elif isinstance(value, tuple):
            expressions += [x for x in value if is_core(x)]
            expressions += [x[0] for x in value if isinstance(x, tuple) and x and is_core(x[0])]
    return expressions
