"""Expressions of the intermediate representation as Python expressions.

`G` is the state (in functions that read none, `METER`, which counts their steps); variables of the rules are `v_name`,
functions of the ruleset `d_`, `r_`, `t_`, `cond_`; names with a leading `_` are functions of the runtime.

Trace nodes become calls that record what a form of a program is made to observe:

    counted 3(test)       COVERAGE.require(3, test)
    noted(attack >= 4)    _note_comparison(G, _mark(G), '>=', v_attack, 4, ('attack', ''), ((), ()), (True, False))
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction

from interpreter.backends.python.operation_printer import print_normalized, print_operation
from interpreter.backends.python.printing_facts import is_filtered, is_ordered, is_simple
from interpreter.backends.python.python_names import (
    Layout,
    format_function_name,
    format_key,
    format_memo_key,
    format_tuple,
    format_variable as variable_name,
)
from interpreter.backends.python.source_module import SourceBlock, SourceModule
from interpreter.backends.python.table_printer import (
    list_known_sets,
    print_bounded,
    print_builtin,
    print_chart_keys,
    print_chart_lookup,
    print_static_item,
)
from interpreter.diagnostics.source_text import Span
from interpreter.ir import explanation_records as x, expression_records as e, program_records as ir
from interpreter.ir.effect_analysis import EffectAnalysis
from interpreter.ir.expression_facts import ExpressionFacts, build_exact_key
from interpreter.model import types as t
from interpreter.model.expressions import Value
from interpreter.model.ruleset import Ruleset
from interpreter.model.types import to_display_type
from interpreter.runtime.intrinsics import NAMESPACE

STATE, METER = "G", "METER"
MIN_HOISTED_COST = 5  # least estimated cost of an expression that is computed once in a listing
MAX_INLINED_MEMBERS = 8  # members of a constant that is written where it is used


assert NAMESPACE  # builtins are registered once the runtime is imported


class ExpressionPrinter:
    """Printer of the expressions of one program; `state` is the name of the object that steps are charged to."""

    def __init__(
        self, program: ir.LoweredProgram, ruleset: Ruleset, layout: Layout, module: SourceModule, static: frozenset[str]
    ) -> None:
        self.program = program
        self.ruleset = ruleset
        self.layout = layout
        self.module = module
        self.effects = EffectAnalysis(program)
        self.facts = ExpressionFacts()
        self.static = static
        self.state = STATE
        self.renamed: dict[str, str] = {}
        self.shared: dict[int, str] = {}  # searches that serve several goals, by identity: their keys in the memo
        self.fixed: frozenset[str] | None = None  # in a listing: variables that are the same in all of it
        self.hoisted: dict[Hashable, str] = {}  # values that depend on those alone: the variable of each
        self.memo_tables: dict[str, str] | None = None  # in a pure function: the variable of each memo read in a loop
        self.computed: dict[int, str] = {}  # values that a variable takes where they are first computed, by identity
        self.known: dict[int, str] = {}  # values that a variable holds
        self.tests: dict[int, str] = {}  # functions of what searches test, by identity of the expression
        self.shares_values = True  # False where each evaluation is noted
        self.repeats = 0  # loops around what is being printed
        self.within_domain = 0  # iterables of loops around it: Python allows no assignment expression in them
        self._lambdas = self._temporaries = 0
        self._is_hoisting = False
        self._copies: dict[str, str] = {}  # variables of inlined copies: their Python names in this function
        self._sets = list_known_sets(ruleset)

    # --- values --------------------------------------------------------------------------------

    def print_constant(self, value: Value, type_: t.Type | None = None) -> str:
        """Return the code of a literal; a long tuple becomes a table of the module, and the code is its name.

        `type_`: the type of the value, if known; the set of all things of a kind or class is then the name that
        `Program` defines for it.
        """
        if isinstance(value, tuple):
            if isinstance(type_, t.SetType | t.ListType) and isinstance(type_.item, t.ThingType):
                set_name = self._sets.get(value)
                if set_name is not None and set_name.split("_")[0] == ("CLASS" if type_.item.cls else "ALL"):
                    return set_name
            text = format_tuple(self.print_constant(part) for part in value)
            return text if len(value) <= MAX_INLINED_MEMBERS else self.module.add_table(text)
        if isinstance(value, Fraction):
            if value.denominator == 1:
                return self.print_constant(value.numerator)
            return f"_fraction({value.numerator}, {value.denominator})"
        text = ascii(value)
        return f"({text})" if text.startswith("-") else text

    def print_list(self, exprs: Iterable[e.Expr]) -> list[str]:
        """Return the code of several expressions, in order."""
        return [self.print_expr(expr) for expr in exprs]

    def get_name(self, name: str) -> str:
        """Return the code for the value of a variable: its Python name, or the code that is substituted for it."""
        return self.renamed.get(name) or self.get_own_name(name)

    def get_own_name(self, name: str) -> str:
        """Return the Python name of a variable; variables of inlined copies are numbered in each function."""
        if "@" not in name:
            return variable_name(name)
        if name not in self._copies:
            self._copies[name] = f"{variable_name(name.split('@')[0])}_C{len(self._copies)}"
        return self._copies[name]

    def create_temporary(self) -> str:
        """Return a fresh Python name."""
        self._temporaries += 1
        return f"x{self._temporaries}"

    # --- expressions ---------------------------------------------------------------------------

    def print_expr(self, expr: e.Expr) -> str:
        """Return the code of an expression, in parentheses where they may be needed.

        In the form for coverage each expression carries its position, so that executed lines are known.
        """
        if self.program.form.notes_coverage and not isinstance(expr, e.Const | e.Local):
            return self.module.mark_position(self._print_uncached(expr), expr.span)
        return self._print_uncached(expr)

    def _print_uncached(self, expr: e.Expr) -> str:
        if id(expr) in self.known:
            return self.known[id(expr)]
        variable = self.computed.pop(id(expr), None)
        if variable is not None:
            return f"({variable} := {self.print_expr(expr)})"
        if self.fixed is not None and self.is_fixed(expr):
            return self.print_cached(expr)
        match expr:
            case e.Const(value, type_):
                return self.print_constant(value, type_)
            case e.Local(name):
                return self.get_name(name)
            case e.Read():
                return self.print_read(expr)
            case e.PiecesAt(cls, place):
                here = f"G.occ[{self.print_expr(place)}]"
                return here if cls is None else f"_of_class({here}, IS_{cls})"
            case e.StaticItem():
                return self.module.mark_position(print_static_item(self, expr), expr.span)
            case e.IndexOf(value, among):
                rows = self.module.add_table(
                    "{" + ", ".join(f"{self.print_constant(v)}: {n}" for n, v in enumerate(among)) + "}"
                )
                return f"{rows}.get({self.print_expr(value)}, -1)"
            case e.Apply():
                return print_operation(self, expr)
            case e.Logic(op, operands):
                return "(" + f" {op} ".join(self.print_list(operands)) + ")"
            case e.Conditional(test, yes, no):
                return f"({self.print_expr(yes)} if {self.print_expr(test)} else {self.print_expr(no)})"
            case e.OrElse(value, fallback):
                return self.print_or_else(value, fallback)
            case e.IfPresent(name, value, body):
                return self.print_bound(name, value, body, is_checked=True)
            case e.Let(name, value, body):
                return self.print_bound(name, value, body, is_checked=False)
            case e.Bounded():
                return self.module.mark_position(print_bounded(self, expr), expr.span)
            case e.Call():
                return self.module.mark_position(self.print_call(expr), expr.span)
            case e.Fold():
                return self.print_fold(expr)
            case e.Search():
                return self.module.mark_position(self.print_search(expr), expr.span)
            case e.Closure(start, everything, first, second, where):
                related = self.print_lambda((first, second), where)
                arguments = (
                    f"{self.print_expr(start)}, {self.print_expr(everything)}, {related}, {self.state}, {expr.charge}"
                )
                return self.module.mark_position(f"_closure({arguments})", expr.span)
            case e.Possible(draft, args):
                return self.module.mark_position(
                    f"_possible(G, {draft!r}, {format_tuple(self.print_list(args))})", expr.span
                )
            case e.MakeRecord(items):
                return format_tuple(self.print_list(items))
            case e.GetField(record, index):
                return self.module.mark_position(f"{self.print_expr(record)}[{index}]", expr.span)
            case e.WithFields(record, indices, values):
                pairs = (f"({k}, {self.print_expr(v)})" for k, v in zip(indices, values, strict=True))
                return f"_with({self.print_expr(record)}, {format_tuple(pairs)})"
            case _:
                return _print_trace_node(self, expr)

    def is_fixed(self, expr: e.Expr) -> bool:
        """Return whether a loop expression is worth computing once for the whole option listing."""
        if self.fixed is None or not self.repeats or not self.shares_values:
            return False
        if self.within_domain or self._lambdas or self._is_hoisting:
            return False
        if isinstance(expr, e.Const | e.Local | e.Read) or isinstance(expr.type, t.MaybeType):
            return False
        return self.facts.estimate_cost(expr) >= MIN_HOISTED_COST and self.facts.get_free_names(expr) <= self.fixed

    def print_cached(self, expr: e.Expr) -> str:
        """Return code that caches an expression's value in a variable at its first use (loop-invariant code motion)."""
        name = self.get_fixed_name(expr)
        self._is_hoisting = True
        text = self.print_expr(expr)
        self._is_hoisting = False
        return f"({name} if {name} is not None else ({name} := {text}))"

    def get_fixed_name(self, expr: e.Expr) -> str:
        """Return the Python variable for a value that is computed once in a listing; None before it is computed."""
        return self.hoisted.setdefault(build_exact_key(expr), f"h{len(self.hoisted)}")

    def get_slot_attribute(self, slot: e.Slot) -> str:
        """Return the name of the attribute of the state that holds a slot."""
        if slot.kind == "game":
            return self.layout.game[slot.name]
        return slot.name if slot.kind == "" else str(self.layout.find_column(slot.kind, slot.name))

    def print_read(self, expr: e.Read) -> str:
        """Return the code that reads a slot of the position."""
        slot = expr.slot
        if slot.kind == "option":
            index = list(self.ruleset.options).index(slot.name)
            is_split = self.ruleset.options[slot.name].type == "split"
            return f"(G.options[{index}] != '')" if is_split else f"G.options[{index}]"
        if expr.owner is None:
            return f"G.{self.get_slot_attribute(slot)}"
        return self.module.mark_position(f"G.{self.get_slot_attribute(slot)}[{self.print_expr(expr.owner)}]", expr.span)

    def print_call(self, expr: e.Call) -> str:
        """Return the code that calls a function of the ruleset."""
        function = self.program.functions[expr.function]
        origin = function.origin
        if origin is not None and origin.sort == "builtin":
            return print_builtin(self, origin.name, self.print_list(expr.args))
        if origin is not None and origin.sort in ("chart", "chart question"):
            return print_chart_lookup(self, expr, origin)
        args = self.print_list(expr.args)
        if expr.function in self.static:
            assert origin is not None
            return f"D_{origin.name}[{format_key(args)}]"
        call = f"{format_function_name(function)}({', '.join([self.state, *args])})"
        if not function.is_memoized or isinstance(function.result, t.MaybeType) or self.within_domain:
            return call
        fixed = self.fixed
        if fixed is not None and not self._lambdas and self.facts.get_free_names(expr) <= fixed:
            name = self.get_fixed_name(expr)
            return f"({name} if {name} is not None else ({name} := {call}))"
        return self.print_memo_lookup(function, expr.args, args, call)

    def print_memo_lookup(self, function: ir.Function, args: tuple[e.Expr, ...], texts: list[str], call: str) -> str:
        """Return a call in a loop that looks into the memo first, if its arguments are plain names or constants.

        `texts`: the code of the arguments. `call`: the code of the plain call, which is returned otherwise.
        """
        is_repeated = bool(self.repeats) or self.fixed is not None
        if self.memo_tables is None or not self.shares_values or not is_repeated or not all(map(is_simple, args)):
            return call
        table = self.memo_tables.setdefault(format_memo_key(function), f"m{len(self.memo_tables)}")
        name = self.create_temporary()
        is_memoized = (
            f"{table} is not None and ({name} := {table}.get({format_key(texts) if texts else '()'})) is not None"
        )
        return f"({name} if {is_memoized} else {call})"

    # --- bindings -------------------------------------------------------------------------------

    def print_or_else(self, value: e.Expr, fallback: e.Expr) -> str:
        """Return the code of a value, or of a fallback that is evaluated only if the value is missing."""
        is_held = id(value) in self.known or id(value) in self.computed
        if (
            isinstance(value, e.IfPresent)
            and not is_held
            and not self.within_domain
            and not isinstance(value.body.type, t.MaybeType)
        ):
            return self.print_bound(value.name, value.value, value.body, True, self.print_expr(fallback))
        text = self.print_expr(value)
        if self.within_domain and isinstance(fallback, e.Const | e.Local):
            return f"_or({text}, {self.print_expr(fallback)})"
        if self.within_domain:
            return f"_or_call({text}, lambda: {self.print_expr(fallback)})"
        name = self.create_temporary()
        return f"({self.print_expr(fallback)} if ({name} := {text}) is None else {name})"

    def substitute(self, name: str, value: e.Expr) -> bool:
        """Substitute the value of a name for its uses, if the value is as cheap as the name and cannot fault.

        Returns whether it is substituted.
        """
        match value:
            case e.StaticItem(table, (e.Local() | e.Const(),)) if table.origin and table.origin.sort == "attribute":
                pass
            case e.Read(slot, e.Local() | e.Const() | None) if slot.kind != "option":
                pass
            case e.Local() | e.Const():
                pass
            case _:
                return False
        text = self.print_expr(value)
        self.renamed[name] = text
        if self.fixed is not None and self.facts.get_free_names(value) <= self.fixed:
            self.fixed |= {name}
        return True

    def print_memo_tables(self, out: SourceBlock, span: Span) -> None:
        """Write the lines that fetch the memo tables of a function; a table that does not exist yet is None."""
        for key, table in (self.memo_tables or {}).items():
            out.add(f"{table} = G.memo.get({key!r})", span)
        self.memo_tables = None

    def begin_function(self) -> None:
        """Begin a function: clear the substitutions of names."""
        self.renamed, self._copies, self._temporaries = {}, {}, 0
        self.fixed, self.hoisted = None, {}
        self.memo_tables, self.repeats = None, 0

    def clear_substitutions(self, *names: str) -> None:
        """Clear the substitutions of names that an expression binds as variables."""
        for name in names:
            self.renamed.pop(name, None)

    def print_bound(self, name: str, value: e.Expr, body: e.Expr, is_checked: bool, missing: str = "None") -> str:
        """Return the code of an expression `body` for which a name is bound to a value.

        `is_checked`: a missing value gives `missing` instead. Python allows no assignment expression in the iterable
        of a comprehension: there the name is a lambda's parameter.
        """
        if self.substitute(name, value):
            inner, variable = self.print_expr(body), self.get_name(name)
            return f"({missing} if {variable} is None else {inner})" if is_checked else inner
        text = self.print_expr(value)
        self.clear_substitutions(name)
        variable, inner = self.get_name(name), self.print_expr(body)
        checked = f"{missing} if {variable} is None else {inner}" if is_checked else inner
        if self.within_domain:
            return f"(lambda {variable}: {checked})({text})"
        if is_checked:
            return f"({missing} if ({variable} := {text}) is None else {inner})"
        return f"({variable} := {text}, {inner})[1]"

    # --- iterations -----------------------------------------------------------------------------

    def print_domain(self, expr: e.Expr, charge: int = 0) -> str:
        """Return the code of the iterable of a loop.

        `charge`: the budget steps for each member, charged before the loop begins.
        """
        self.within_domain += 1
        domain = self._print_domain_of(expr)
        self.within_domain -= 1
        return f"_charge_items({self.state}, {domain}, {charge})" if charge else domain

    def _print_domain_of(self, expr: e.Expr) -> str:
        match expr:
            case e.Apply("range", (e.Const(int() as first), e.Const(int() as last))) if (
                last - first < MAX_INLINED_MEMBERS
            ):
                return format_tuple(map(str, range(first, last + 1)))
            case e.Apply("range", (low, high)):
                return self.module.mark_position(f"_range({self.print_expr(low)}, {self.print_expr(high)})", expr.span)
            case e.Apply("as_list", (many,)):
                return self._print_domain_of(many)
            case e.Apply("unique", (many,)):
                return (
                    self._print_domain_of(many)
                    if isinstance(many.type, t.SetType)
                    else f"_once({self._print_domain_of(many)})"
                )
        return self.print_expr(expr)

    def print_clause(self, fold: e.Fold, element: str) -> str:
        """Return the inside of a comprehension over the members of a fold that pass its test.

        `element`: the code of the value of a member.
        """
        member = self.print_member(fold)
        members, tests = self.print_source(fold.domain, self.get_name(fold.var), fold.charge)
        self.repeats += 1
        if tests:
            member = self.get_name(fold.var)
        conditions = [test if isinstance(test, str) else self.print_expr(test) for test in tests]
        conditions += [] if fold.where is None else [self.print_expr(fold.where)]
        self.repeats -= 1
        return " if ".join([f"{element} for {member} in {members}", *conditions])

    def print_source(self, domain: e.Expr, var: str, charge: int) -> tuple[str, list[str | e.Expr]]:
        """Return (code of the iterable, which charges the steps; tests that a member must pass) of a comprehension.

        `var`: the Python name of the member. `charge`: the budget steps for each member. A test is code or an
        expression.
        """
        members, tests, steps = self.print_charged_source(domain, var, charge)
        return (f"_charge_items({self.state}, {members}, {steps})" if steps else members), tests

    def print_charged_source(self, domain: e.Expr, var: str, charge: int) -> tuple[str, list[str | e.Expr], int]:
        """Return (iterable, tests that a member must pass, budget steps to charge for each member) of a loop.

        `var`: the Python name of the member. `charge`: the steps of the loop itself. A test is code or an expression.
        A filtered set is not built: its filter becomes a test.
        """
        tests: list[str | e.Expr] = []
        while True:
            match domain:
                case e.Fold(sort="set" | "list", result=None, extreme=None) if is_ordered(domain):
                    self.renamed[domain.var] = var
                    tests[:0] = [] if domain.where is None else [domain.where]
                    charge += domain.charge
                    domain = domain.domain
                case e.Apply("as_list", (many,)):
                    domain = many
                case e.Apply("unique", (many,)) if isinstance(many.type, t.SetType):
                    domain = many
                case e.Let(name, value, body) if self.substitute(name, value):
                    domain = body
                case e.PiecesAt(str() as cls, place):
                    tests.insert(0, f"{var} in IS_{cls}")
                    domain = e.PiecesAt(None, place, domain.type, domain.span)
                case _:
                    return self.print_domain(domain), tests, charge

    def print_member(self, fold: e.Fold) -> str:
        """Return the Python name of the variable of a fold, `_` if nothing reads it."""
        inside = (part for part in (fold.where, fold.result, fold.measure) if part is not None)
        is_member_kept = fold.result is None and fold.sort not in ("any", "no")
        is_read = is_member_kept or any(fold.var in e.find_free_names(part) for part in inside)
        return self.get_name(fold.var) if is_read else "_"

    def print_element(self, fold: e.Fold) -> str:
        """Return the code of the value that a fold uses for a member: the member itself, or its result."""
        return self.get_name(fold.var) if fold.result is None else self.print_expr(fold.result)

    def print_fold(self, fold: e.Fold) -> str:
        """Return the code of a fold over a set or list."""
        self.clear_substitutions(fold.var)
        if fold.sort in ("any", "no", "every"):
            return self.print_quantifier(fold)
        if fold.extreme is not None:
            assert fold.measure is not None
            pairs = self.print_clause(fold, f"({self.print_expr(fold.measure)}, {self.print_element(fold)})")
            text = f"_{fold.extreme}([{pairs}])"
            return text if is_ordered(fold) else f"_as_set({text})"
        if fold.where is None and fold.result is None and not fold.charge:
            text = self.print_expr(fold.domain)
            if fold.sort == "count":
                return f"len({text})"
            if fold.sort in ("set", "list") and is_ordered(fold):
                return text
        else:
            text = "[" + self.print_clause(fold, self.print_element(fold)) + "]"
        match fold.sort:
            case "count":
                return f"len({text})"
            case "sum":
                total = self.module.mark_position(f"sum({text})", fold.span)
                return print_normalized(self, total) if isinstance(fold.type, t.NumberType) else total
            case "min" | "max":
                return self.module.mark_position(f"{fold.sort}({text}, default=None)", fold.span)
            case "set" if not is_ordered(fold):
                return f"_as_set({text})"
        return f"tuple({text})"

    def print_quantifier(self, fold: e.Fold) -> str:
        """Return the code of a quantifier, which stops at the first member that decides it."""
        if fold.sort == "every":
            assert fold.result is not None
            failing = self.print_clause(fold, f"not {self.print_expr(fold.result)}")
            return f"(not any({failing}))"
        if fold.where is None and fold.result is None and not fold.charge and not is_filtered(fold.domain):
            text = f"len({self.print_expr(fold.domain)}) > 0"
        else:
            text = f"any({self.print_clause(fold, 'True')})"
        return f"(not {text})" if fold.sort == "no" else f"({text})"

    def print_search(self, expr: e.Search) -> str:
        """Return the code of a search over the map."""
        start, goal, within = (
            "None" if part is None else self.print_expr(part) for part in (expr.start, expr.goal, expr.within)
        )
        names = (expr.var, expr.previous)
        shared = self.shared.get(id(expr))
        if shared is not None and self.state == STATE:
            inside = (part for part in (expr.where, expr.cost) if part is not None)
            free = frozenset[str]().union(*(e.find_free_names(part) for part in inside)) - set(names)
            key = format_tuple([start, *(self.get_name(name) for name in sorted(free))])
            where, cost = (self.print_lambda_or_none(names, part) for part in (expr.where, expr.cost))
            return f"_shared_distance(G, {shared!r}, {key}, {where}, {cost}, {goal}, {expr.charge})"
        where, cost = (self.print_lambda_or_none(names, part) for part in (expr.where, expr.cost))
        return f"_{expr.sort}(LINKS, {start}, {goal}, {within}, {where}, {cost}, {self.state}, {expr.charge})"

    def print_lambda_or_none(self, names: tuple[str, ...], body: e.Expr | None) -> str:
        """Return the code of a lambda with parameters `names`, or the text "None" without a body."""
        return "None" if body is None else self.print_lambda(names, body)

    def print_lambda(self, names: tuple[str, ...], body: e.Expr) -> str:
        """Return the code of a function of `names`: a lambda, or the name of the function already printed for it."""
        if id(body) in self.tests:
            return self.tests.pop(id(body))
        self.clear_substitutions(*names)
        self._lambdas += 1
        self.repeats += 1
        text = f"(lambda {', '.join(self.get_name(name) for name in names)}: {self.print_expr(body)})"
        self._lambdas -= 1
        self.repeats -= 1
        return text

    def print_words(self, words: x.Words | None) -> str:
        """Return the code of a tuple of the values of a text's placeholders."""
        return format_tuple(() if words is None else self.print_list(words.values))

    def may_fault(self, exprs: Iterable[e.Expr]) -> bool:
        """Return whether some expressions may fault."""
        return any(self.effects.get_effects(expr).may_fault for expr in exprs)


def _print_trace_node(printer: ExpressionPrinter, expr: e.Expr) -> str:
    """Return the code of an expression that records a trace node or coverage."""
    match expr:
        case e.CountedTest(requirement, test):
            return f"COVERAGE.require({requirement}, {printer.print_expr(test)})"
        case e.CitedTest(test, cites):
            return f"({printer.print_expr(test)} and (COVERAGE.cite({cites!r}) or True))"
        case e.CoveredLookUp(look):
            table, keys = _print_lookup_parts(printer, look)
            return printer.module.mark_position(f"_look_covered(COVERAGE, {table!r}, T_{table}, {keys})", expr.span)
        case e.Terms(signs, names, values):
            parts = zip(signs, names, values, strict=True)
            return format_tuple(f"({sign}, {name!r}, {printer.print_expr(value)})" for sign, name, value in parts)
        case e.NotedLookUp(look, terms, column):
            table, keys = _print_lookup_parts(printer, look)
            column_code = "None"
            if column is not None:
                column_code = f"({column[0]}, {column[1]!r}, {to_display_type(column[2])!r})"
            signed = format_tuple(printer.print_list(terms))
            call = f"_note_lookup(G, _mark(G), {table!r}, T_{table}, {keys}, {signed}, {column_code})"
            return printer.module.mark_position(call, expr.span)
        case e.NotedTest(symbol, left, right, names, terms, rolled):
            compared = f"{symbol!r}, {printer.print_expr(left)}, {printer.print_expr(right)}"
            arguments = f"{compared}, {names!r}, {format_tuple(printer.print_list(terms))}, {rolled!r}"
            return printer.module.mark_position(f"_note_comparison(G, _mark(G), {arguments})", expr.span)
        case e.NotedEach(value):
            return f"_note_member(G, _mark(G), {printer.print_expr(value)})"
        case e.NotedValue(value, name, define, cites, shown_type, kind, owner):
            owner_code = "None" if owner is None else printer.print_expr(owner)
            type_ = to_display_type(shown_type)
            arguments = (
                f"{printer.print_expr(value)}, {name!r}, {define!r}, {cites!r}, {type_!r}, {kind!r}, {owner_code}"
            )
            return f"_note_value(G, _mark(G), {arguments})"
        case e.NotedTally(tally, args):
            return printer.module.mark_position(f"nt_{tally}({', '.join(['G', *printer.print_list(args)])})", expr.span)
    raise AssertionError(type(expr).__name__)


def _print_lookup_parts(printer: ExpressionPrinter, look: e.Expr) -> tuple[str, str]:
    """Return the name of the chart that a look-up reads, and the code of its keys."""
    match look:
        case e.StaticItem(table) if table.origin is not None:
            origin = table.origin
        case e.Call(function) if (call_origin := printer.program.functions[function].origin) is not None:
            origin = call_origin
        case _:
            raise AssertionError(type(look).__name__)
    keys, _ = print_chart_keys(printer, look, origin)
    return origin.name, format_tuple(keys)
