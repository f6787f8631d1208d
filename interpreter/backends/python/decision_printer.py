"""Decisions and drafts as Python functions.

`list_n` lists the legal options of a decision quickly, `ex_n` tests one requirement and explains its failure; both
come from the same rule:

    option shift(u in units, p in places):      def list_3(G, v_a):
        require u.side == a                         for v_u in CLASS_unit:
        require linked(u.at, p)                         if (K2[v_u] == v_a):
                                                            for v_p in NEIGHBOURS[G.at[v_u]]:
                                                                _out.append((0, (v_u, v_p)))

Values that the tests of a step compute and its fields need again are computed once (common subexpression
elimination), if a test always evaluates them:

    before: if v_spent + cost(v_h) <= limit: _out.append((v_h, v_spent + cost(v_h)))
    after:  if (x1 := v_spent + cost(v_h)) <= limit: _out.append((v_h, x1))
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from math import prod

from interpreter.backends.python.expression_printer import ExpressionPrinter
from interpreter.backends.python.loop_printer import LoopPrinter
from interpreter.backends.python.python_names import format_tuple, format_variable
from interpreter.backends.python.source_module import SourceBlock, SourceModule
from interpreter.backends.python.texts import Texts
from interpreter.diagnostics.source_text import Span
from interpreter.ir import explanation_records as x, expression_records as e, program_records as ir
from interpreter.ir.expression_facts import ExpressionFacts, build_exact_key
from interpreter.lowering.step_charges import CostModel
from interpreter.model.statements import Decide
from interpreter.runtime.limits import LIMITS

StatementWriterCallback = Callable[[SourceBlock], None]
_MIN_COST = 10  # of a value that is worth a variable, as `ExpressionFacts.estimate_cost` counts it


class DecisionPrinter:
    """Printer of the functions that list, test and explain decisions, drafts and rules; it numbers the requirements."""

    def __init__(self, printer: ExpressionPrinter, module: SourceModule, texts: Texts, cost_model: CostModel) -> None:
        self.expressions = printer
        self.module = module
        self.texts = texts
        self.cost_model = cost_model
        self.guards = LoopPrinter(printer)
        self.requirements: list[tuple[x.Requirement, int | None]] = []

    # --- explanations ----------------------------------------------------------------------------

    def add_text(self, name: str, params: list[str], words: x.Words | None, span: Span) -> int | None:
        """Add a function that evaluates the placeholders of a text; return the number of the text, or None without one.

        `name`, `params`: name and parameters of the function.
        """
        if words is None:
            return None
        number = self.texts.number_text(words.template)
        self.add_value(name, params, self.expressions.print_words(words), span)
        return number

    def add_value(self, name: str, params: list[str], text: str, span: Span) -> None:
        """Add a function `name` that returns the expression `text`."""
        out = SourceBlock()
        out.add(f"return {text}", span)
        self.module.add_function(name, ["G", *params], out, span)

    def add_requirement(self, requirement: x.Requirement, params: list[str]) -> int:
        """Add `ex_n(G, ...)`, which returns () if a requirement holds, else the reasons; return n, its number.

        `params`: the parameters of the function after `G`.
        """
        source, words = requirement.source, requirement.words
        number = len(self.requirements)
        text = None if words is None else self.texts.number_text(words.template)
        self.requirements.append((requirement, text))
        values, witness = self.expressions.print_words(words), requirement.witness
        if witness is not None:
            where = "" if witness.where is None else f" if {self.expressions.print_expr(witness.where)}"
            name, domain = self.expressions.get_own_name(witness.var), self.expressions.print_domain(witness.domain)
            values = f"next({values} for {name} in {domain}{where})"
        out, span = SourceBlock(), source.span
        out.add("_r = ()", span)
        for test in requirement.conjuncts:
            rule = self._find_called_rule(test)
            if rule is not None and isinstance(test, e.Call):
                out.add(f"_r += _why(G, {rule!r}, {format_tuple(self.expressions.print_list(test.args))})", span)
            elif text is not None:
                out.add(f"if not _r and not {self.expressions.print_expr(test)}: _r = (({number}, {values}),)", span)
        if self.expressions.program.form.counts_requirements:
            out.add(f"COVERAGE.require({number}, not _r)", span)
        out.add("return _r", span)
        self.module.add_function(f"ex_{number}", ["G", *params], out, span)
        return number

    def _find_called_rule(self, test: e.Expr) -> str | None:
        """Return the name of the rule that a test calls, or None if the test is not such a call."""
        origin = self.expressions.program.functions[test.function].origin if isinstance(test, e.Call) else None
        return origin.name if origin is not None and origin.sort == "rule" else None

    def add_all_hold(self, name: str, params: list[str], tests: tuple[e.Expr, ...], span: Span) -> None:
        """Add a function `name` that tests whether all of some requirements hold.

        `params`: its parameters after `G`. `tests`: the tests of the requirements.
        """
        out = SourceBlock()
        for test in tests:
            out.add(f"if not {self.guards.print_value(out, test, test.span)}: return False", test.span)
        out.add("return True", span)
        self.module.add_function(name, ["G", *params], out, span)

    # --- listings ----------------------------------------------------------------------------------

    def print_loops(self, option: ir.LoweredOption, out: SourceBlock, inside: StatementWriterCallback) -> None:
        """Write nested loops over the parameters of an option; each test follows as soon as its variables are bound.

        `inside`: writes the statements of the innermost loop.
        """
        span, count = option.span, len(option.params)
        levels = option.pushed or tuple(count for _ in option.tests)
        depth = out.depth

        def print_tests(level: int) -> None:
            for test, at in zip(option.tests, levels, strict=True):
                if at == level:
                    self.guards.print_guard(out, test)

        print_tests(0)
        for number, param in enumerate(option.params):
            name = self.expressions.get_name(param.name)
            needs_group_check = param.alike and not param.apart
            narrowed = option.narrowed.get(number)
            if needs_group_check:
                out.add(f"a_{name} = {{}}", span)
            domain = param.domain if narrowed is None else narrowed
            members, conditions, charge = self.expressions.print_charged_source(domain, name, param.charge)
            members = self.guards.print_charge(out, members, charge, param.domain.span)
            out.add(f"for {name} in {members}:", param.domain.span)
            out.depth += 1
            self.expressions.repeats += 1
            for condition in conditions:
                if isinstance(condition, str):
                    out.add(f"if {condition}:", param.domain.span)
                    out.depth += 1
                else:
                    self.guards.print_guard(out, condition)
            within = "" if narrowed is None else self._print_within(name, param)
            if within:
                out.add(f"if {within}:", param.domain.span)
                out.depth += 1
            print_tests(number + 1)
            if needs_group_check:
                out.add(f"if _is_first(G, {name}, a_{name}):", span)
                out.depth += 1
        inside(out)
        self.expressions.repeats -= count
        out.depth = depth

    def _print_within(self, name: str, param: ir.Parameter) -> str:
        """Return code that tests whether a member of a narrowed set is in the original domain; "" if it always is.

        `name`: the variable that holds the member.
        """
        domain = param.domain
        if not isinstance(domain, e.Const) or not isinstance(domain.value, tuple):
            return f"{name} in {self.expressions.print_expr(domain)}"
        constant = self.expressions.print_constant(domain.value, domain.type)
        if constant.startswith("CLASS_"):
            return f"{name} in IS_{constant.removeprefix('CLASS_')}"
        kind = constant.removeprefix("ALL_")
        if kind != constant and all(thing.holding is None for thing in self.expressions.ruleset.kinds[kind].things):
            return ""
        return f"{name} in {self.module.add_table(f'{{*{constant}}}')}"

    def print_listing(
        self,
        option: ir.LoweredOption,
        source: x.ExplainedOption,
        element: str,
        out: SourceBlock,
        add: StatementWriterCallback | None = None,
    ) -> None:
        """Write the statements that enumerate the legal uses of an option.

        `source`: its lowered texts. `element`: the code of one use, which is appended to the list `_out`. `add`:
        writes other statements for one use instead.
        """
        span = option.span
        names = [self.expressions.get_name(p.name) for p in option.params]
        distinguished = [p for p in option.params if p.alike and p.apart]
        is_long = prod(self.cost_model.bound_size(p.domain) for p in source.source.params) > LIMITS.options

        def print_once(inner: SourceBlock) -> None:
            depth = inner.depth
            if self.expressions.program.form.notes_coverage and source.source.cites and not option.prefers:
                inner.add(f"COVERAGE.cite({source.source.cites!r})", span)
            if distinguished:
                key = format_tuple(
                    f"alike_key(G, {name})" if p in distinguished else name
                    for p, name in zip(option.params, names, strict=True)
                )
                inner.add(f"_k = {key}", span)
                inner.add("if _k not in _seen:", span)
                inner.depth += 1
                inner.add("_seen[_k] = True", span)
            if add is not None:
                add(inner)
            elif is_long:
                inner.add(f"_append_option(_out, {element}, {source.source.address!r})", span)
            else:
                inner.add(f"_out.append({element})", span)
            inner.depth = depth

        if distinguished:
            out.add("_seen = {}", span)
        if not option.prefers:
            self.print_loops(option, out, print_once)
            return
        out.add("_c = []", span)
        self.print_loops(option, out, lambda inner: inner.add(f"_c.append({format_tuple(names)})", span))
        for preference in option.prefers:
            measure = self.expressions.print_lambda(tuple(p.name for p in option.params), preference.value)
            out.add(f"_c = _prefer_{preference.sort}(_c, {measure})", preference.value.span)
        with out.open_block(f"for {format_tuple(names)} in _c:", span):
            print_once(out)

    # --- decisions ------------------------------------------------------------------------------------

    def add_option(
        self, key: str, option: ir.LoweredOption, explained: x.ExplainedOption, params: list[str]
    ) -> list[int]:
        """Add the functions that explain one option; return the numbers of its requirements.

        `key`: the suffix of their names. `explained`: its lowered texts. `params`: their parameters besides its own.
        """
        names = [self.expressions.get_name(p.name) for p in option.params]
        numbers = [self.add_requirement(r, [*params, *names]) for r in explained.requires]
        for number, param in enumerate(option.params):
            members = f"tuple({self.expressions.print_domain(param.domain)})"
            self.add_value(f"dom_{key}_{number}", [*params, *names[:number]], members, option.span)
        for number, preference in enumerate(explained.prefers):
            span = preference.source.span
            self.add_value(
                f"pref_{key}_{number}", [*params, *names], self.expressions.print_expr(preference.value), span
            )
        return numbers

    def add_decision(self, decision: ir.LoweredDecision, explained: x.ExplainedDecision) -> list[list[int]]:
        """Add the functions of a decision; return the numbers of the requirements of each option, then of its end.

        `explained`: its lowered texts.
        """
        self.expressions.begin_function()
        number, span = decision.number, decision.span
        params = [self.expressions.get_name(local.name) for _, local in explained.given]
        self.add_value(f"by_{number}", params, self.expressions.print_expr(decision.decider), span)
        if decision.draft is not None:
            return [[]]
        forms: dict[str, StatementWriterCallback | None] = {"list": None}
        if isinstance(explained.source, Decide) and not explained.source.alone:
            forms["some"] = lambda inner: inner.add("return _unlisted()", span)
        for form, add in forms.items():
            out = SourceBlock()
            self.expressions.fixed, self.expressions.memo_tables = (
                frozenset(local.name for _, local in explained.given),
                {},
            )
            for index, (option, source) in enumerate(zip(decision.options, explained.options, strict=True)):
                names = format_tuple(self.expressions.get_name(p.name) for p in option.params)
                self.print_listing(option, source, f"({index}, {names})", out, add)
            self._add_listing(f"{form}_{number}", params, out, span)
        numbers: list[list[int]] = []
        for index, (option, source) in enumerate(zip(decision.options, explained.options, strict=True)):
            numbers.append(self.add_option(f"{number}_{index}", option, source, params))
        if decision.until_done:
            numbers.append([self.add_requirement(r, params) for r in explained.finish])
            self.add_all_hold(f"done_{number}", params, decision.finish, span)
        return numbers

    def _add_listing(self, name: str, params: list[str], body: SourceBlock, span: Span) -> None:
        """Add a function `name` that lists options; `params`: its parameters after `G`, `body`: its statements.

        Values that depend on its parameters alone are computed once, on demand.
        """
        out = SourceBlock()
        self.expressions.print_memo_tables(out, span)
        if self.expressions.hoisted:
            out.add(" = ".join(self.expressions.hoisted.values()) + " = None", span)
        out.add("_out = []", span)
        out.extend(body)
        out.add("return _out", span)
        self.module.add_function(name, ["G", *params], out, span)
        self.expressions.fixed, self.expressions.hoisted = None, {}

    def add_draft(self, draft: ir.Draft, explained: x.ExplainedDraft) -> list[list[int]]:
        """Add the functions of a draft; return the numbers of the requirements of each step, then of its end.

        `explained`: its lowered texts.
        """
        self.expressions.begin_function()
        name, span = draft.name, draft.span
        params = [self.expressions.get_name(param) for param, _ in draft.params]
        fields = [self.expressions.get_name(field) for field, _ in draft.fields]
        around = [*params, *fields]
        out, numbers = SourceBlock(), list[list[int]]()
        if self.expressions.program.form.notes_coverage and explained.source.cites:
            out.add(f"COVERAGE.cite({explained.source.cites!r})", span)
        out.add(f"return {format_tuple(self.expressions.print_list(draft.start))}", span)
        self.module.add_function(f"start_{name}", ["G", *params], out, span)
        out = SourceBlock()
        inside = frozenset(word for word, _ in (*draft.params, *draft.fields))
        tables: dict[str, str] = {}
        for index, (step, source) in enumerate(zip(draft.steps, explained.steps, strict=True)):
            names = [self.expressions.get_name(p.name) for p in step.option.params]
            after = {field: self.expressions.print_expr(value) for field, value in step.now}
            new = format_tuple(after.get(number, field) for number, field in enumerate(fields))
            stops = self.expressions.print_expr(step.stops)
            self.expressions.fixed, self.expressions.memo_tables = inside, tables
            common = _find_common_values(self.expressions.facts, step, inside) if self.expressions.shares_values else []
            computed = {id(first): (self.expressions.create_temporary(), uses) for first, uses in common}
            self.expressions.repeats += 1
            self.expressions.known = {id(use): variable for variable, uses in computed.values() for use in uses}
            stops_once = self.expressions.print_expr(step.stops)
            after = {field: self.expressions.print_expr(value) for field, value in step.now}
            new_fields = format_tuple(after.get(number, field) for number, field in enumerate(fields))
            self.expressions.repeats -= 1
            self.expressions.known, self.expressions.computed = (
                {},
                {number: variable for number, (variable, _) in computed.items()},
            )
            self.print_listing(
                step.option, source, f"(({index}, {format_tuple(names)}), {new_fields}, {stops_once})", out
            )
            assert not self.expressions.computed, "a value that is used again is not computed"
            self.expressions.fixed = self.expressions.memo_tables = None
            self.add_value(f"after_{name}_{index}", [*around, *names], new, step.option.span)
            self.add_value(f"stops_{name}_{index}", [*around, *names], stops, step.option.span)
            numbers.append(self.add_option(f"{name}_{index}", step.option, source, around))
        self.expressions.memo_tables = tables
        self._add_listing(f"steps_{name}", around, out, span)
        numbers.append([self.add_requirement(r, around) for r in explained.finish])
        self.add_all_hold(f"finish_{name}", around, draft.finish, span)
        if draft.price is not None:
            self.add_value(f"price_{name}", around, self.expressions.print_expr(draft.price), draft.price.span)
        self.add_value(f"offer_{name}", around, format_tuple(self.expressions.print_list(draft.offer)), span)
        for number, preference in enumerate(draft.prefers):
            self.add_value(
                f"best_{name}_{number}", around, self.expressions.print_expr(preference.value), preference.value.span
            )
        return numbers

    # --- rules, tallies, questions -------------------------------------------------------------------------

    def add_rule(self, rule: x.ExplainedRule) -> list[int]:
        """Add the functions that explain a rule; return the numbers of its requirements."""
        self.expressions.begin_function()
        params = [format_variable(name) for name, _ in rule.params]
        return [self.add_requirement(r, params) for r in rule.requires]

    def add_tally_lines(self, tally: x.ExplainedTally) -> None:
        """Print the function `lines_<tally>`, which returns the lines of the tally whose conditions hold."""
        self.expressions.begin_function()
        out, span = SourceBlock(), tally.source.span
        out.add("_l = []", span)
        for line in tally.lines:
            sign = "" if line.source.sign > 0 else "-"
            text, values = self.texts.number_text(line.words.template), self.expressions.print_words(line.words)
            amount = sign + self.expressions.print_expr(line.amount)
            line_source = f"_l.append(({amount}, {text}, {values}, {line.source.cites!r}))"
            if line.condition is not None:
                line_source = f"if {self.expressions.print_expr(line.condition)}: {line_source}"
            out.add(line_source, line.source.span)
        out.add("return _l", span)
        params = [format_variable(name) for name, _ in tally.params]
        self.module.add_function("lines_" + tally.source.name, ["G", *params], out, span)

    def add_question(self, question: x.Question) -> int | None:
        """Add the function that computes a value or fills a text of a document.

        Returns the number of the text, or None for a value.
        """
        self.expressions.begin_function()
        params = [format_variable(name) for name, _ in question.params]
        if isinstance(question.value, x.Words):
            return self.add_text(question.name, params, question.value, question.span)
        self.add_value(question.name, params, self.expressions.print_expr(question.value), question.span)
        return None


def _find_common_values(
    facts: ExpressionFacts, step: ir.Step, fixed: frozenset[str]
) -> list[tuple[e.Expr, list[e.Expr]]]:
    """Return the expressions in the tests of a step whose values are used again, each with its later uses.

    `fixed`: variables; expressions of these alone are left out, because they are hoisted out of the listing anyway.
    """

    def is_worth_a_variable(expr: e.Expr) -> bool:
        is_cheap = isinstance(expr, e.Const | e.Local | e.Read) or facts.estimate_cost(expr) < _MIN_COST
        return not is_cheap and not facts.get_free_names(expr) <= fixed

    later: dict[Hashable, list[e.Expr]] = {}
    for result in (*(value for _, value in step.now), step.stops):
        for node in e.list_descendants(result):
            if is_worth_a_variable(node):
                later.setdefault(build_exact_key(node), []).append(node)
    uses_by_value: list[tuple[e.Expr, list[e.Expr]]] = []
    covered: set[int] = set()  # inside a value that a variable holds
    for test in step.option.tests:
        for node in _iter_always_evaluated(test):
            if not is_worth_a_variable(node):
                continue
            uses = [use for use in later.pop(build_exact_key(node), []) if id(use) not in covered]
            if uses:
                uses_by_value.append((node, uses))
                covered |= {id(inner) for use in uses for inner in e.list_descendants(use)}
    return uses_by_value


def _iter_always_evaluated(test: e.Expr) -> Iterable[e.Expr]:
    """Yield the subexpressions that evaluating a test always evaluates, each before its own subexpressions."""
    yield test
    match test:
        case e.Apply(operands=operands):
            for operand in operands:
                yield from _iter_always_evaluated(operand)
        case e.Logic(operands=operands):
            yield from _iter_always_evaluated(operands[0])
        case e.Conditional(test=first) | e.OrElse(value=first) | e.IfPresent(value=first) | e.Let(value=first):
            yield from _iter_always_evaluated(first)
