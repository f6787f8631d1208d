"""Checked expressions with the defines and rules they call inlined, and analyses of the result.

Inlining joins what is spread over defines, so that dependencies become visible. Names bound inside get fresh ones (a
leading digit, which no name of a ruleset has).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from interpreter.checker.operations import FaultMemo, called_expressions, facts_of, may_fault
from interpreter.compiler.optimising.analysis import weight
from interpreter.diagnostics.source_text import Span
from interpreter.model import expressions as n, types as t
from interpreter.model.expressions import bound_names, free_names, rebuild
from interpreter.model.statements import CheckedModel, Core, children

MOST_WEIGHT = 4000  # nodes of an expression that is written out
MOST_WORK = 2  # loops of a define that is written out though its answers are remembered
_CHEAP_WEIGHT = 6
_VERY_FEW = 3  # things that are gone through in no time
_MUCH = 3  # the work of a search
Env = Mapping[str, Core | str]  # what stands for a name: an expression, or another name


class InliningTooLongError(Exception):
    """An expression grows too long to be written out."""


class Flattener:
    """Writes expressions out; `keep` names defines that stay calls, `marks` those that mark places."""

    def __init__(self, model: CheckedModel, keep: frozenset[str], marks: frozenset[str]) -> None:
        self.model = model
        self.keep = keep
        self.marks = marks
        self.fresh = 0
        self.judged = FaultMemo()

    def flat(self, core: Core, env: Env | None = None, pin: Span | None = None) -> Core:
        """`core` written out, with `env` in place of its names; raises InliningTooLongError."""
        made = self._flat(core, env or {}, pin)
        if weight(made) > MOST_WEIGHT:
            raise InliningTooLongError
        return made

    def _flat(self, core: Core, env: Env, pin: Span | None) -> Core:
        span = pin or core.span
        match core:
            case n.CheckedLocal(name):
                found = env.get(name, name)
                return n.CheckedLocal(found, core.type, span) if isinstance(found, str) else found
            case n.CheckedCall("define"):
                return self._define(core, env, pin)
            case n.CheckedCall("rule", name, args):
                rule = self.model.rules[name]
                values = tuple(self._flat(a, env, pin) for a in args)
                if not self._is_safe(*values):
                    return n.CheckedCall("rule", name, values, core.type, span)
                given = dict(zip((p for p, _ in rule.params), values, strict=True))
                return all_of([self._flat(r.test, given, span) for r in rule.requires], span)
            case n.Operation("and", operands):
                return all_of([self._flat(a, env, pin) for a in operands], span)
        names, inner = self._fresh(bound_names(core), env)
        made = rebuild(
            core, lambda child: self._flat(child, env, pin), span, names, lambda child: self._flat(child, inner, pin)
        )
        match made:
            case n.Comprehension():
                return self._former(made)
            case n.Operation("in" | "not in"):
                return self._member(made)
        return _known(made)

    def _is_safe(self, *cores: Core) -> bool:
        """Return whether expressions cannot fault, so that they may be evaluated later or not at all."""
        return not any(may_fault(self.model, x, self.judged) for x in cores)

    def _fresh(self, names: Iterable[str], env: Env) -> tuple[tuple[str, ...], Env]:
        made = []
        inner = dict(env)
        for name in names:
            self.fresh += 1
            inner[name] = f"{self.fresh}_{name.lstrip('0123456789_') or 'x'}"
            made.append(str(inner[name]))
        return tuple(made), inner

    def _define(self, core: n.CheckedCall, env: Env, pin: Span | None) -> Core:
        span = pin or core.span
        define = self.model.defines[core.name]
        given = tuple(self._flat(a, env, pin) for a in core.args)
        if core.name in self.marks:
            places = n.CheckedCall("marks", core.name, given[:-1], t.SetType(t.PLACE), span)
            return n.Operation("in", (given[-1], places), t.FLAG, span)
        if core.name in self.keep or sum(weight(g) for g in given) > MOST_WEIGHT or not self._is_safe(*given):
            return n.CheckedCall("define", core.name, given, core.type, span)
        return self._flat(define.value, dict(zip((p for p, _ in define.params), given, strict=True)), span)

    def _former(self, core: n.Comprehension) -> Core:
        """`any x in things where x == y and ...` looks at one thing only."""
        if (
            core.sort in ("any", "no")
            and core.result is None
            and core.where is not None
            and (isinstance(core.domain, n.Things) and core.domain.kind != "place")
        ):
            single = self._single(core.var, core.domain, core.where, core.span)
            if single is not None:
                return single if core.sort == "any" else n.Operation("not", (single,), t.FLAG, core.span)
        return core

    def _single(self, var: str, domain: n.Things, where: Core, span: Span) -> Core | None:
        tests = conjuncts(where)
        for number, test in enumerate(tests):
            if not isinstance(test, n.Operation) or test.name != "==":
                continue
            for mine, other in (test.operands, test.operands[::-1]):
                if (
                    n.is_local(mine, var)
                    and var not in free_names(other)
                    and weight(other) <= _CHEAP_WEIGHT
                    and self._is_safe(other, *tests[:number])
                ):
                    rest = [self._flat(x, {var: other}, None) for x in tests[:number] + tests[number + 1 :]]
                    return all_of([_exists(other, domain, span), *rest], span)
        return None

    def _member(self, core: n.Operation) -> Core:
        """Being in `{x in s where c}` is being in `s` and passing `c`: no set is made."""
        item, domain = core.operands
        if (
            not isinstance(domain, n.Comprehension)
            or domain.sort != "set"
            or domain.result
            or domain.extreme
            or (weight(item) > _CHEAP_WEIGHT or not isinstance(domain.domain.type, t.SetType))
        ):
            return core
        around, where = domain.domain, domain.where
        if not self._is_safe(item) or where is not None and not self._is_safe(where):
            return core
        if isinstance(around, n.Things) and around.kind != "place":
            inside = _exists(item, around, core.span)
        else:
            inside = self._member(n.Operation("in", (item, around), t.FLAG, core.span))
        parts = [inside] if where is None else [inside, self._flat(where, {domain.var: item}, None)]
        made = all_of(parts, core.span)
        return made if core.name == "in" else n.Operation("not", (made,), t.FLAG, core.span)


def _exists(item: Core, domain: n.Things, span: Span) -> Core:
    """Return the test whether a value is one of all things of a kind."""
    if domain.cls is None and not isinstance(item.type, t.MaybeType):
        return n.Literal(True, t.FLAG, span)
    return n.Exists(item, domain.cls, t.FLAG, span)


def _known(core: Core) -> Core:
    """Fold a comparison of two integers."""
    match core:
        case n.Operation(symbol, (n.Literal(int() as a), n.Literal(int() as b))):
            found = {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}.get(symbol)
            return core if found is None else n.Literal(found, core.type, core.span)
    return core


def all_of(tests: list[Core], span: Span) -> Core:
    """Join tests by `and`, leaving out those that always hold."""
    parts = [p for test in tests for p in conjuncts(test)]
    if not parts:
        return n.Literal(True, t.FLAG, span)
    if isinstance(parts[0], n.Literal):
        return parts[0]
    return parts[0] if len(parts) == 1 else n.Operation("and", tuple(parts), t.FLAG, span)


def conjuncts(core: Core) -> list[Core]:
    """Split nested conjunctions into their operands, in order."""
    if isinstance(core, n.Operation) and core.name == "and":
        return [p for a in core.operands for p in conjuncts(a)]
    return [] if isinstance(core, n.Literal) and core.value is True else [core]


def work_in(model: CheckedModel, core: Core, nothing: frozenset[str], known: dict[str, int]) -> int:
    """Estimate the iterations needed to evaluate an expression; the defines in `nothing` cost nothing."""
    facts = facts_of(core)
    if facts.loops and facts.is_large:
        return _MUCH
    own = facts.loops
    if isinstance(core, n.Comprehension):
        around = core.domain
        wide = isinstance(around, n.Things) or isinstance(around, n.Operation) and around.name == "range"
        if _is_short(model, around):
            own = 0
        elif wide and not _singles(core):
            own = 2
        else:
            own = 0 if _is_filter(core) else 1
    inside = children(core)
    if isinstance(core, n.CheckedCall) and core.sort == "define":
        if core.name not in nothing:
            if core.name not in known:
                known[core.name] = _MUCH  # while it is worked out, and for what calls itself
                known[core.name] = work_in(model, model.defines[core.name].value, nothing, known)
            own += known[core.name]
    else:
        inside += called_expressions(model, core)
    return own + sum(work_in(model, child, nothing, known) for child in inside)


def heavy(model: CheckedModel, remembered: frozenset[str], nothing: frozenset[str]) -> frozenset[str]:
    """Return the memoized defines that are too expensive to inline."""
    known: dict[str, int] = {}
    return frozenset(
        name for name in sorted(remembered) if work_in(model, model.defines[name].value, nothing, known) > MOST_WORK
    )


def _is_short(model: CheckedModel, domain: Core) -> bool:
    """Return whether a domain is all things of a very small kind."""
    if not isinstance(domain, n.Things):
        return False
    things = (x for x in model.ruleset.kinds[domain.kind].things if x.holding is None and domain.cls in (None, x.cls))
    return len(list(islice(things, _VERY_FEW + 1))) <= _VERY_FEW


def _is_filter(core: n.Comprehension) -> bool:
    return core.sort == "set" and core.result is None and core.extreme is None


def _singles(core: n.Comprehension) -> bool:
    return core.where is not None and any(
        isinstance(x, n.Operation) and x.name == "==" and any(n.is_local(a, core.var) for a in x.operands)
        for x in conjuncts(core.where)
    )


def is_finite(type_: t.Type) -> bool:
    """Return whether a type has few values, so that results can be memoized by them."""
    return isinstance(type_, t.ThingType | t.RungType | t.OneOfType | t.FlagType | t.DirectionType)


def is_at_hand(core: Core) -> bool:
    """Return whether evaluating an expression is free."""
    return isinstance(core, n.Literal | n.CheckedLocal | n.Things)
