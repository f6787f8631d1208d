"""Decisions, drafts, rules and words -> functions that list, test and explain.

One text, two forms: `list_n` enumerates the legal options quickly; `ex_n` tests one
requirement and answers with its words when it fails. Both come from the same node.
"""

from __future__ import annotations

import ast
from math import prod
from typing import Any

from interpreter.backends.python.texts import Texts
from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.expressions.loops import iterable
from interpreter.compiler.optimising.analysis import conjoined
from interpreter.compiler.optimising.drafting.dominance import read_fields
from interpreter.compiler.optimising.on_demand import found_first
from interpreter.compiler.optimising.option_loops import nest
from interpreter.compiler.optimising.passes import ON_DEMAND
from interpreter.compiler.optimising.remembering import ends_key
from interpreter.compiler.python_syntax import (
    all_stored,
    assigned,
    call_of,
    constant,
    expression,
    function,
    lambda_of,
    located,
    name,
    spending,
    statements,
    stored,
    tuple_of,
)
from interpreter.diagnostics.source_text import Span
from interpreter.lowering.alike_pieces import held_apart
from interpreter.model import expressions as n, statements as c
from interpreter.model.display_types import display_type
from interpreter.model.expressions import local_names
from interpreter.runtime.limits import LIMITS


class Decisions:
    """Collects the functions and the descriptions of everything that can be asked or explained.

    With `known`, the data of a program that has all of it, decisions only get their numbers once more.
    """

    def __init__(self, x: Emitter, known: dict[str, Any] | None = None) -> None:
        self.x = x
        self.texts = Texts(x.model.ruleset.locales, *((known["written"], known["texts"]) if known else ()))
        self._numbers = None if known is None else iter(range(len(known["decisions"])))
        self.functions: list[tuple[ast.stmt, Span]] = []
        self.described: list[dict[str, Any]] = []
        self.free: list[tuple[str, ...]] = [] if known is None else [tuple(names) for names in known["free"]]
        self.requirements: list[dict[str, Any]] = []
        self.drafts: dict[str, dict[str, Any]] = {}
        self.rules: dict[str, list[int]] = {}

    def make(self, identifier: str, params: list[str], body: list[ast.stmt], span: Span) -> None:
        """Add a function."""
        self.functions.append((function(identifier, params, body, span), span))

    # --- words ------------------------------------------------------------------------------

    def words_values(self, words: c.TextTemplate | None) -> tuple[int | None, Any]:
        """Return the number of a text template among all texts of the rules, and the tuple of its values."""
        if words is None:
            return None, tuple_of([])
        return self.texts.number(words), tuple_of([self.x.emit(p) for p in words.parts if not isinstance(p, str)])

    def words_function(
        self, identifier: str, params: list[str], words: c.TextTemplate | None, span: Span
    ) -> int | None:
        """Compile a function that returns the values of a text template; return the template's number."""
        number, values = self.words_values(words)
        if number is not None:
            self.make(identifier, params, [ast.Return(values)], span)
        return number

    # --- requirements -----------------------------------------------------------------------

    def requirement(self, r: c.CheckedRequirement, params: list[str]) -> int:
        """Register a requirement and compile `ex_n(G, ...)`, which returns () if it holds, else its reasons."""
        number = len(self.requirements)
        parts, values = self._requirement_words(r)
        self.requirements.append(
            {"address": r.address, "cites": r.cites, "file": r.span.file, "line": r.span.line, "words": parts}
        )
        body: list[ast.stmt] = statements("_r = ()")
        items = conjoined(r.test)
        own = constant(number)
        for item in items:
            if isinstance(item, n.CheckedCall) and item.sort == "rule":
                body += statements("_r += _why(G, _1, _2)", constant(item.name), tuple_of(self.x.many(item.args)))
            elif parts is not None:
                body += statements("if not _r and not _1: _r = ((_2, _3),)", self.x.emit(item), own, values)
        if self.x.asking:
            body += statements("COVERAGE.require(_1, not _r)", own)
        body += statements("return _r")
        self.make(f"ex_{number}", ["G", *params], body, r.span)
        return number

    def _requirement_words(self, r: c.CheckedRequirement) -> tuple[int | None, Any]:
        parts, values = self.words_values(r.words)
        if parts is None or r.witness is None:
            return parts, values
        where = r.witness.where
        iterator = iterable(self.x, r.witness.domain)
        clause = ast.comprehension(
            stored("v_" + r.witness.var), iterator, [] if where is None else [self.x.emit(where)], 0
        )
        return parts, expression("next(_1)", ast.GeneratorExp(values, [clause]))

    def test(self, r: c.CheckedRequirement, number: int) -> Any:
        """The quick form of a requirement."""
        emitted = self.x.emit(r.test)
        if self.x.asking:
            return located(expression("COVERAGE.require(_1, _2)", constant(number), emitted), r.span)
        return emitted

    def _all_hold(
        self,
        identifier: str,
        params: list[str],
        requires: tuple[c.CheckedRequirement, ...],
        numbers: list[int],
        span: Span,
    ) -> None:
        """Compile a function that tests whether all of some requirements hold."""
        tests = [self.test(r, number) for r, number in zip(requires, numbers, strict=True)]
        test = constant(True) if not tests else tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
        self.make(identifier, params, [ast.Return(test)], span)

    def rule(self, r: c.CheckedRule) -> None:
        """`r_name(G, ...)`: true when all requirements hold; its requirements explain it."""
        params = ["v_" + n for n, _ in r.params]
        numbers = [self.requirement(q, params) for q in r.requires]
        self.rules[r.name] = numbers
        steps = self.x.efforts.call_charge("rule", r.name)
        body: list[ast.stmt] = spending(constant(steps)) if steps else []
        if self.x.instrument and r.cites:
            body += statements("COVERAGE.cite(_1)", constant(r.cites))
        if self.x.asking:
            for requirement, number in zip(r.requires, numbers, strict=True):
                body += located(statements("if not _1: return False", self.test(requirement, number)), requirement.span)
            body += statements("return True")
        else:
            body += self.x.tested([q.test for q in r.requires], statements("return True"))
            body += statements("return False")
        self.make("r_" + r.name, ["G", *params], body, r.span)

    # --- enumerating ---------------------------------------------------------------------------

    def _preferred(self, prefers: tuple[c.CheckedPreference, ...], names: list[str], target: str) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for preference in prefers:
            measure = lambda_of(names, self.x.emit(preference.value))
            out += located(statements(f"{target} = _prefer_{preference.sort}({target}, _1)", measure), preference.span)
        return out

    def listing(
        self,
        index: int,
        choice: c.CheckedOption | c.CheckedStep,
        numbers: list[int],
        element: Any,
        names: list[str],
        given: list[str],
    ) -> list[ast.stmt]:
        """Statements that add the legal uses of one option to `_out`."""
        apart = held_apart(self.x.model, choice, given)
        noted = statements("COVERAGE.cite(_1)", constant(choice.cites)) if self.x.instrument and choice.cites else []
        self.x.memories.clear()
        if not choice.prefers:
            nested = nest(
                self.x,
                self.test,
                choice.params,
                choice.requires,
                numbers,
                [*noted, *self._once(choice, apart, element)],
                apart,
            )
            return [*self._memories(), *self._nothing_seen(apart), *nested]
        collected = nest(
            self.x,
            self.test,
            choice.params,
            choice.requires,
            numbers,
            statements("_c.append(_1)", tuple_of([name(n) for n in names])),
            apart,
        )
        spread = ast.For(all_stored(names), name("_c"), self._once(choice, apart, element), [])
        narrowed = self._preferred(choice.prefers, names, "_c")
        return [*self._memories(), *self._nothing_seen(apart), *statements("_c = []"), *collected, *narrowed, spread]

    def _once(self, choice: c.CheckedOption | c.CheckedStep, apart: frozenset[str], element: Any) -> list[ast.stmt]:
        """Add a use to `_out`; where alike pieces are held apart, the first legal one of each group only."""
        many = prod(self.x.efforts.members(p.domain) for p in choice.params) > LIMITS.options
        add = (
            statements("_listed(_out, _1, _2)", element, constant(choice.address))
            if many
            else (statements("_out.append(_1)", element))
        )
        if not apart:
            return add
        key = tuple_of(
            [
                expression("alike_key(G, _1)", name("v_" + p.name)) if p.name in apart else name("v_" + p.name)
                for p in choice.params
            ]
        )
        return statements("_k = _1\nif _k not in _seen:\n    _seen[_k] = True\n    _2", key, add)

    def _nothing_seen(self, apart: frozenset[str]) -> list[ast.stmt]:
        return statements("_seen = {}") if apart else []

    def _memories(self) -> list[ast.stmt]:
        """Empty tables for values that the loops to come remember."""
        out = [assigned(table, empty) for table, empty in self.x.memories.items()]
        self.x.memories.clear()
        return out

    # --- decisions -------------------------------------------------------------------------------

    def add(self, s: c.Decide) -> int:
        """Register a decision and compile its functions."""
        if self._numbers is not None:
            return next(self._numbers)
        number = len(self.described)
        free = self._free(s.names, self._cores_of(s))
        self.free.append(free)
        given = ["v_" + n for n in free]
        described: dict[str, Any] = {
            "name": s.name,
            "address": s.address,
            "cites": s.cites,
            "alone": s.alone,
            "until_done": s.until_done,
            "draft": None,
            "given": _given(free, self._cores_of(s)),
            "file": s.span.file,
            "line": s.span.line,
            "choices": [],
            "finish": [],
        }
        self.described.append(described)
        body: list[ast.stmt] = statements("_out = []")
        for index, choice in enumerate(s.choices):
            names = ["v_" + p.name for p in choice.params]
            numbers = [self.requirement(r, [*given, *names]) for r in choice.requires]
            element = tuple_of([constant(index), tuple_of([name(n) for n in names])])
            body += located(self.listing(index, choice, numbers, element, names, given), choice.span)
            described["choices"].append(self._describe(f"{number}_{index}", choice, numbers, given, names))
        body += statements("return _out")
        self.make(f"list_{number}", ["G", *given], body, s.span)
        if ON_DEMAND in self.x.passes and not s.alone:
            self.make(f"some_{number}", ["G", *given], found_first(body), s.span)
        if s.until_done:
            numbers = [self.requirement(r, given) for r in s.finish]
            described["finish"] = numbers
            self._all_hold(f"done_{number}", ["G", *given], s.finish, numbers, s.span)
        self._common(number, described, s.decider, s.prompt, given, s.span)
        return number

    def _common(
        self,
        number: int,
        described: dict[str, Any],
        decider: c.Core,
        prompt: c.TextTemplate | None,
        given: list[str],
        span: Span,
    ) -> None:
        told = "v_" + decider.name if isinstance(decider, n.CheckedLocal) else ""
        described["decider"] = given.index(told) if told in given else None
        self.make(f"by_{number}", ["G", *given], [ast.Return(self.x.emit(decider))], span)
        described["prompt"] = self.words_function(f"prompt_{number}", ["G", *given], prompt, span)

    def deciding(self, number: int, decider: c.Core, given: list[Any]) -> list[ast.stmt]:
        """Return statements that evaluate the decider immediately if that may fault."""
        if self.x.is_safe(decider):
            return []
        return [ast.Expr(call_of(f"by_{number}", name("G"), *given))]

    def _describe(
        self, key: str, choice: c.CheckedOption | c.CheckedStep, numbers: list[int], given: list[str], names: list[str]
    ) -> dict[str, Any]:
        params = []
        apart = held_apart(self.x.model, choice, given)
        holes = [part for part in (choice.label.parts if choice.label else ()) if not isinstance(part, str)]
        worded = frozenset[str]().union(*map(n.free_names, holes))
        for i, param in enumerate(choice.params):
            self.make(f"dom_{key}_{i}", ["G", *given, *names[:i]], [ast.Return(self.x.emit(param.domain))], choice.span)
            params.append(
                {
                    "name": param.name,
                    "show": display_type(param.type),
                    "alike": param.alike and param.name not in apart,
                    "within": _bounds(param.domain),
                    "worded": param.name in worded,
                }
            )
        prefers = []
        for i, preference in enumerate(choice.prefers):
            self.make(
                f"pref_{key}_{i}", ["G", *given, *names], [ast.Return(self.x.emit(preference.value))], preference.span
            )
            parts = self.words_function(f"better_{key}_{i}", ["G", *given, *names], preference.words, preference.span)
            prefers.append(
                {"sort": preference.sort, "words": parts, "cites": preference.cites, "line": preference.span.line}
            )
        return {
            "name": choice.name,
            "address": choice.address,
            "params": params,
            "cites": choice.cites,
            "requires": numbers,
            "prefers": prefers,
            "line": choice.span.line,
            "file": choice.span.file,
            "label": self.words_function(f"label_{key}", ["G", *given, *names], choice.label, choice.span),
        }

    def add_draft(self, s: c.DecideDraft) -> int:
        """Register a decision that is a draft."""
        if self._numbers is not None:
            return next(self._numbers)
        number = len(self.described)
        cores = [s.decider, *(p for p in (s.prompt.parts if s.prompt else ()) if not isinstance(p, str))]
        free = self._free(s.names, cores)
        self.free.append(free)
        described: dict[str, Any] = {
            "name": s.draft,
            "address": s.draft,
            "cites": s.cites or self.x.model.drafts[s.draft].cites,
            "alone": s.alone,
            "until_done": False,
            "draft": s.draft,
            "given": _given(free, cores),
            "file": s.span.file,
            "line": s.span.line,
            "choices": [],
            "finish": [],
        }
        self.described.append(described)
        self._common(number, described, s.decider, s.prompt, ["v_" + n for n in free], s.span)
        return number

    def _free(self, names: tuple[str, ...], cores: list[c.Core]) -> tuple[str, ...]:
        used: set[str] = set()
        for core in cores:
            used |= local_names(core)
        return tuple(n for n in names if n in used)

    def _cores_of(self, s: c.Decide) -> list[c.Core]:
        def words(w: c.TextTemplate | None) -> list[c.Core]:
            return [p for p in w.parts if not isinstance(p, str)] if w is not None else []

        cores = [s.decider, *words(s.prompt)]
        for r in s.finish:
            cores += [r.test, *words(r.words)]
        for choice in s.choices:
            cores += [p.domain for p in choice.params] + words(choice.label)
            for r in choice.requires:
                cores += [r.test, *words(r.words)]
            for p in choice.prefers:
                cores += [p.value, *words(p.words)]
        return cores

    # --- drafts -------------------------------------------------------------------------------------

    def draft(self, d: c.CheckedDraft) -> None:
        """start_, steps_, finish_ and offer_ functions of a draft."""
        given = ["v_" + n for n, _ in d.params]
        fields = ["v_" + n for n, _, _ in d.fields]
        noted = statements("COVERAGE.cite(_1)", constant(d.cites)) if self.x.instrument and d.cites else []
        self.make(
            f"start_{d.name}",
            ["G", *given],
            [*noted, ast.Return(tuple_of(self.x.many([v for _, _, v in d.fields])))],
            d.span,
        )
        body: list[ast.stmt] = statements("_out = []")
        steps = []
        for index, step in enumerate(d.steps):
            names = ["v_" + p.name for p in step.params]
            numbers = [self.requirement(r, [*given, *fields, *names]) for r in step.requires]
            after = {i: self.x.emit(v) for i, v in step.now}
            new = tuple_of([after.get(i, name(f)) for i, f in enumerate(fields)])
            stops: Any = constant(step.stops)
            if step.stops_if is not None:
                stops = self.x.emit(step.stops_if)
            if self.x.instrument and step.because_cites:
                stops = expression("_1 and (COVERAGE.cite(_2) or True)", stops, constant(step.because_cites))
            element = tuple_of([tuple_of([constant(index), tuple_of([name(n) for n in names])]), new, stops])
            body += located(self.listing(index, step, numbers, element, names, [*given, *fields]), step.span)
            self.make(f"after_{d.name}_{index}", ["G", *given, *fields, *names], [ast.Return(new)], step.span)
            if step.stops_if is not None:
                self.make(f"stops_{d.name}_{index}", ["G", *given, *fields, *names], [ast.Return(stops)], step.span)
            because = self.words_function(
                f"because_{d.name}_{index}", ["G", *given, *fields, *names], step.because, step.span
            )
            steps.append(
                {
                    **self._describe(f"{d.name}_{index}", step, numbers, [*given, *fields], names),
                    "because": because,
                    "stops": step.stops if step.stops_if is None else None,
                    "because_cites": step.because_cites,
                }
            )
        body += statements("return _out")
        self.make(f"steps_{d.name}", ["G", *given, *fields], body, d.span)
        finish = [self.requirement(r, [*given, *fields]) for r in d.finish]
        self._all_hold(f"finish_{d.name}", ["G", *given, *fields], d.finish, finish, d.span)
        if d.cheapest is not None:
            self.make(f"price_{d.name}", ["G", *given, *fields], [ast.Return(self.x.emit(d.cheapest))], d.span)
        offer = d.offer or tuple((field, n.CheckedLocal(field, ty, d.span)) for field, ty, _ in d.fields)
        self.make(
            f"offer_{d.name}",
            ["G", *given, *fields],
            [ast.Return(tuple_of(self.x.many([v for _, v in offer])))],
            d.span,
        )
        for i, p in enumerate(d.prefers):
            self.make(f"best_{d.name}_{i}", ["G", *given, *fields], [ast.Return(self.x.emit(p.value))], p.span)
        told = [f"v_{n}" for n, _ in offer if not {f"v_{n}"} & {*given, *fields}]  # names that only the offer gives
        self.drafts[d.name] = {
            "name": d.name,
            "fields": [n for n, _, _ in d.fields],
            "shows": [display_type(ty) for _, ty, _ in d.fields],
            "params": [{"name": n, "show": display_type(ty), "alike": False} for n, ty in d.params],
            "steps": steps,
            "finish": finish,
            "unordered": d.unordered,
            "cheapest": d.cheapest is not None,
            "ending": self.words_function(f"ending_{d.name}", ["G", *given, *fields, *told], d.ending, d.span),
            "told": [i for i, (n, _) in enumerate(offer) if f"v_{n}" in told],
            "cites": d.cites,
            "staged": d.staged,
            "kept": ends_key(d.name) if ends_key(d.name) in self.x.read_by else "",
            "read": read_fields(d),
            "prefers": [p.sort for p in d.prefers],
            "offer": [n for n, _ in offer],
            "offer_shows": [display_type(v.type) for _, v in offer],
            "file": d.span.file,
            "line": d.span.line,
        }


def _given(names: tuple[str, ...], cores: list[c.Core]) -> list[Any]:
    """Return the values that a decision is asked with: the name of each and its type."""
    types = {x.name: x.type for core in cores for x in n.descendants(core) if isinstance(x, n.CheckedLocal)}
    return [[name, display_type(types[name])] for name in names]


def _bounds(domain: c.Core) -> list[int] | None:
    """Return the least and the greatest value of a parameter if the rules state them as literals."""
    match domain:
        case n.Operation("range", (n.Literal(int() as low), n.Literal(int() as high))):
            return [low, high]
    return None
