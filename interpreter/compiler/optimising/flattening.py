"""Checked expressions with the defines and rules they call written out, and what can be said of those.

Writing out joins what stands in different defines, so that the compiler sees which parts depend on what.
Names bound inside get fresh ones (a digit in front, which no name of a ruleset has). Must not emit code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from interpreter.compiler.optimising.analysis import reads_state, weight
from interpreter.model import types as t
from interpreter.model.core import CheckedModel, Core, children
from interpreter.source.text import Span

MOST_WEIGHT = 4000  # nodes of an expression that is written out
MOST_WORK = 2  # loops of a define that is written out though its answers are remembered
_CHEAP_WEIGHT = 6
_VERY_FEW = 3  # things that are gone through in no time
_PURE_BUILTINS = ("neighbours", "edge", "linked", "direction_to", "count", "first", "last", "min_of", "max_of", "abs")
_SPREADING = ("spaces_between", "line_between")  # they go through the map
_UNSAFE = ("div", "item", "search", "with", "possible", "tally", "closure", "rule", "holding")
_TAKES_MISSING = (
    "exists",
    "orelse",
    "cmp",
    "in",
    "notin",
    "maybe_attr",
    "cond",
    "field",
    "list",
    "set",
    "record",
    "former",
)
Env = dict[str, Any]  # what stands for a name: an expression, or another name


class TooLong(Exception):
    """An expression grows too long to be written out."""


class Flattener:
    """Writes expressions out; `keep` names defines that stay calls, `marks` those that mark places."""

    __slots__ = ("model", "keep", "marks", "fresh")

    def __init__(self, model: CheckedModel, keep: frozenset[str], marks: frozenset[str]) -> None:
        self.model = model
        self.keep = keep
        self.marks = marks
        self.fresh = 0

    def flat(self, core: Core, env: Env | None = None, pin: Span | None = None) -> Core:
        """`core` written out, with `env` in place of its names; raises TooLong."""
        made = self._flat(core, env or {}, pin)
        if weight(made) > MOST_WEIGHT:
            raise TooLong
        return made

    def _flat(self, core: Core, env: Env, pin: Span | None) -> Core:
        span = pin or core.span
        match core.op:
            case "local":
                found = env.get(core.args[0], core.args[0])
                return Core("local", (found,), core.type, span) if isinstance(found, str) else found
            case "define":
                return self._define(core, env, pin)
            case "rule":
                rule = self.model.rules[core.args[0]]
                given = dict(
                    zip((n for n, _ in rule.params), (self._flat(a, env, pin) for a in core.args[1:]), strict=True)
                )
                return all_of([self._flat(r.test, given, span) for r in rule.requires], span)
            case "and":
                return all_of([self._flat(a, env, pin) for a in core.args], span)
            case "former":
                return self._former(core, env, pin)
            case "search":
                sort, start, goal, within, var, previous, where, cost = core.args
                (var_, previous_), inner = self._fresh((var or "_", previous or "_before"), env)
                return Core(
                    "search",
                    (
                        sort,
                        self._maybe(start, env, pin),
                        self._maybe(goal, env, pin),
                        self._maybe(within, env, pin),
                        var_,
                        previous_,
                        self._maybe(where, inner, pin),
                        self._maybe(cost, inner, pin),
                    ),
                    core.type,
                    span,
                )
            case "closure":
                start, everything, first, second, where = core.args
                (first_, second_), inner = self._fresh((first, second), env)
                return Core(
                    "closure",
                    (
                        self._flat(start, env, pin),
                        self._flat(everything, env, pin),
                        first_,
                        second_,
                        self._flat(where, inner, pin),
                    ),
                    core.type,
                    span,
                )
        made = rebuilt(core, lambda child: self._flat(child, env, pin), span)
        if core.op == "cmp":
            return _known(made)
        return self._member(made) if core.op in ("in", "notin") else made

    def _maybe(self, core: Core | None, env: Env, pin: Span | None) -> Core | None:
        return None if core is None else self._flat(core, env, pin)

    def _fresh(self, names: Iterable[str], env: Env) -> tuple[list[str], Env]:
        made = []
        inner = dict(env)
        for n in names:
            self.fresh += 1
            inner[n] = f"{self.fresh}_{n.lstrip('0123456789_') or 'x'}"
            made.append(inner[n])
        return made, inner

    def _define(self, core: Core, env: Env, pin: Span | None) -> Core:
        called, *args = core.args
        span = pin or core.span
        define = self.model.defines[called]
        given = [self._flat(a, env, pin) for a in args]
        if called in self.marks:
            return Core("in", (given[-1], Core("marks", (called, *given[:-1]), t.SetOf(t.PLACE), span)), t.FLAG, span)
        if called in self.keep or sum(weight(g) for g in given) > MOST_WEIGHT:
            return Core("define", (called, *given), core.type, span)
        return self._flat(define.value, dict(zip((n for n, _ in define.params), given, strict=True)), span)

    def _former(self, core: Core, env: Env, pin: Span | None) -> Core:
        sort, var, domain, where, result, extreme, measure = core.args
        around = self._flat(domain, env, pin)
        (made,), inner = self._fresh((var,), env)
        test = self._maybe(where, inner, pin)
        if sort in ("any", "no") and result is None and around.op == "all" and test is not None:
            single = self._single(made, around, test, pin or core.span)
            if single is not None:
                return single if sort == "any" else Core("not", (single,), t.FLAG, pin or core.span)
        return Core(
            "former",
            (sort, made, around, test, self._maybe(result, inner, pin), extreme, self._maybe(measure, inner, pin)),
            core.type,
            pin or core.span,
        )

    def _single(self, var: str, domain: Core, where: Core, span: Span) -> Core | None:
        """`any x in things where x == y and ...` looks at one thing only."""
        if domain.args[0] == "place":
            return None
        tests = conjuncts(where)
        for n, test in enumerate(tests):
            if test.op == "cmp" and test.args[0] == "==":
                for mine, other in ((test.args[1], test.args[2]), (test.args[2], test.args[1])):
                    if (
                        mine.op == "local"
                        and mine.args[0] == var
                        and var not in free(other)
                        and (weight(other) <= _CHEAP_WEIGHT)
                    ):
                        rest = [self._flat(x, {var: other}, None) for x in tests[:n] + tests[n + 1 :]]
                        return all_of([_exists(other, domain, span), *rest], span)
        return None

    def _member(self, core: Core) -> Core:
        """Being in `{x in s where c}` is being in `s` and passing `c`: no set is made."""
        item, domain = core.args
        if (
            domain.op != "former"
            or domain.args[0] != "set"
            or domain.args[4]
            or domain.args[5]
            or (weight(item) > _CHEAP_WEIGHT or not isinstance(domain.args[2].type, t.SetOf))
        ):
            return core
        _, var, around, where, *_ = domain.args
        if around.op == "all" and around.args[0] != "place":
            inside = _exists(item, around, core.span)
        else:
            inside = self._member(Core("in", (item, around), t.FLAG, core.span))
        parts = [inside] if where is None else [inside, self._flat(where, {var: item}, None)]
        made = all_of(parts, core.span)
        return made if core.op == "in" else Core("not", (made,), t.FLAG, core.span)


def _exists(item: Core, domain: Core, span: Span) -> Core:
    """Whether a value is one of all things of a kind."""
    if domain.args[1] is None and not isinstance(item.type, t.Maybe):
        return Core("const", (True,), t.FLAG, span)
    return Core("exists", (item, domain.args[1]), t.FLAG, span)


def _known(core: Core) -> Core:
    """A comparison of two whole numbers is known beforehand."""
    symbol, a, b = core.args
    if a.op != "const" or b.op != "const" or not isinstance(a.args[0], int) or not isinstance(b.args[0], int):
        return core
    found = {
        "==": a.args[0] == b.args[0],
        "!=": a.args[0] != b.args[0],
        "<": a.args[0] < b.args[0],
        "<=": a.args[0] <= b.args[0],
        ">": a.args[0] > b.args[0],
        ">=": a.args[0] >= b.args[0],
    }
    return Core("const", (found[symbol],), core.type, core.span)


def rebuilt(core: Core, change: Callable[[Core], Core], span: Span | None = None) -> Core:
    """The expression with its direct parts changed."""

    def made(arg: Any) -> Any:
        if isinstance(arg, Core):
            return change(arg)
        if isinstance(arg, tuple) and any(isinstance(a, Core | tuple) for a in arg):
            return tuple(made(a) for a in arg)
        return arg

    if core.op == "const":
        return core if span is None else Core("const", core.args, core.type, span)
    return Core(core.op, tuple(made(a) for a in core.args), core.type, span or core.span)


def all_of(tests: list[Core], span: Span) -> Core:
    """Tests joined by `and`; what always holds is left out."""
    parts = [p for test in tests for p in conjuncts(test)]
    if not parts:
        return Core("const", (True,), t.FLAG, span)
    if parts[0].op == "const":
        return parts[0]
    return parts[0] if len(parts) == 1 else Core("and", tuple(parts), t.FLAG, span)


def conjuncts(core: Core) -> list[Core]:
    """The tests that `and` joins, in order."""
    if core.op == "and":
        return [p for a in core.args for p in conjuncts(a)]
    return [] if core.op == "const" and core.args[0] is True else [core]


def _bound(core: Core) -> tuple[str, ...]:
    match core.op:
        case "former":
            return (core.args[1],)
        case "search":
            return (core.args[4], core.args[5])
        case "closure":
            return (core.args[2], core.args[3])
    return ()


def free(core: Core) -> frozenset[str]:
    """Names that a written-out expression reads from around it."""
    if core.op == "local":
        return frozenset(core.args)
    found: set[str] = set()
    for child in children(core):
        found |= free(child)
    return frozenset(found - set(_bound(core)))


def key_of(core: Core, bound: dict[str, int] | None = None) -> Any:
    """Equal for expressions that say the same, whatever the names bound inside."""
    bound = bound or {}
    if core.op == "local":
        return ("local", bound.get(core.args[0], core.args[0]))
    if core.op == "const":
        return ("const", type(core.args[0]).__name__, repr(core.args[0]))
    inner = {**bound, **{n: len(bound) + i for i, n in enumerate(_bound(core))}}

    def made(arg: Any) -> Any:
        if isinstance(arg, Core):
            return key_of(arg, inner)
        if isinstance(arg, tuple):
            return tuple(made(a) for a in arg)
        return inner.get(arg, arg) if isinstance(arg, str) and arg in _bound(core) else repr(arg)

    return (core.op, *(made(a) for a in core.args))


def is_dynamic(core: Core, changing: set[tuple[str, str]], dynamic: frozenset[str], names: frozenset[str]) -> bool:
    """True when an expression reads the state: itself, by a define of `dynamic`, or by one of `names`."""
    return reads_state(core, changing, set(dynamic)) or any(n in names for n in free(core))


def is_safe(model: CheckedModel, core: Core) -> bool:
    """True when a written-out expression cannot fault, whatever its values."""
    if core.op in _UNSAFE or core.op == "builtin" and core.args[0] not in _PURE_BUILTINS:
        return False
    if core.op not in _TAKES_MISSING and any(isinstance(x.type, t.Maybe) for x in children(core)):
        return False
    if (
        core.op == "cmp"
        and core.args[0] not in ("==", "!=")
        and any(isinstance(x.type, t.Maybe) for x in core.args[1:])
    ):
        return False
    if core.op in ("table", "hascell"):
        table = model.ruleset.tables[core.args[0]]
        if any(a.sort != "keys" for a in table.axes):
            return False
    if core.op == "define" and not is_safe(model, model.defines[core.args[0]].value):
        return False
    return all(is_safe(model, child) for child in children(core))


def work_in(model: CheckedModel, core: Core, nothing: frozenset[str], known: dict[str, int]) -> int:
    """How much is gone through to work an expression out, roughly; the defines in `nothing` cost nothing."""
    if core.op in ("search", "closure", "possible"):
        return 3
    own = 1 if core.op == "builtin" and core.args[0] in _SPREADING else 0
    if core.op == "former":
        around = core.args[2]
        if not _is_short(model, around):
            own = 2 if around.op in ("all", "range") and not _singles(core) else 0 if _is_filter(core) else 1
    inside = list(children(core))
    if core.op == "rule":
        inside += [r.test for r in model.rules[core.args[0]].requires]
    elif core.op == "tally":
        inside += [line.amount for line in model.tallies[core.args[0]].lines]
    elif core.op == "define" and core.args[0] not in nothing:
        called = core.args[0]
        if called not in known:
            known[called] = 3  # while it is worked out, and for what calls itself
            known[called] = work_in(model, model.defines[called].value, nothing, known)
        own += known[called]
    return own + sum(work_in(model, child, nothing, known) for child in inside)


def heavy(model: CheckedModel, remembered: frozenset[str], nothing: frozenset[str]) -> frozenset[str]:
    """Of the defines whose answers are remembered, those that must not be written out: much work is in them."""
    known: dict[str, int] = {}
    return frozenset(
        n for n in sorted(remembered) if work_in(model, model.defines[n].value, nothing, known) > MOST_WORK
    )


def _is_short(model: CheckedModel, domain: Core) -> bool:
    """True for all things of a kind that has very few."""
    if domain.op != "all":
        return False
    kind, cls = domain.args
    things = (x for x in model.ruleset.kinds[kind].things if x.holding is None and cls in (None, x.cls))
    return len(list(islice(things, _VERY_FEW + 1))) <= _VERY_FEW


def _is_filter(core: Core) -> bool:
    return core.args[0] == "set" and core.args[4] is None and core.args[5] is None


def _singles(core: Core) -> bool:
    _, var, _, where, *_ = core.args
    return where is not None and any(
        x.op == "cmp" and x.args[0] == "==" and any(a.op == "local" and a.args[0] == var for a in x.args[1:])
        for x in conjuncts(where)
    )


def is_finite(type_: t.Type) -> bool:
    """True for types with few values, by which answers can be kept."""
    return isinstance(type_, t.ThingOf | t.Rung | t.OneOf | t.Flag | t.Direction)
