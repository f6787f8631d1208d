"""Expressions on sets: comprehensions, collections, and searches over the map."""

from __future__ import annotations

from typing import NamedTuple

from interpreter.checker.expressions.expression_types import ExpressionChecker
from interpreter.checker.scope import Env
from interpreter.i18n.translator import mark as _
from interpreter.language import syntax as s
from interpreter.model import expressions as n, types as t
from interpreter.model.statements import Core


def check_comprehension(
    checker: ExpressionChecker, node: s.ComprehensionExpr, env: Env, sort: str, expected: t.Type | None = None
) -> Core:
    """Check a comprehension `x in domain where ...` and return it with its type.

    `sort` is how it is used: "set", "list", "count", "sum", "min", "max", "any" ...; `expected` is the type of the
    whole, which resolves bare words in its result.
    """
    if not node.var:
        checker.check(node.domain, env)
        return checker.error(
            "missing-name",
            _("`where` needs a name for the members it selects"),
            node.span,
            _("write `x in ... where ...`, with a name of your choice for x"),
        )
    members = _check_members(checker, node, env)
    item, inner = members.type, members.env
    result = None if node.result is None else checker.check(node.result, inner, t.get_member_type(expected) or expected)
    measure = checker.check_type_if_any(node.measure, inner, t.NUMBER, _("the measure"))
    out = result.type if result is not None else item
    type_: t.Type
    if sort == "count":
        type_ = t.INT
    elif sort in ("sum", "min", "max"):
        description = _("what `{name}` adds up", name=sort) if sort == "sum" else _("what `{name}` compares", name=sort)
        result = checker.expect(result or n.CheckedLocal(node.var, item, node.span), t.NUMBER, description)
        type_ = result.type if sort == "sum" else t.MaybeType(result.type)
    elif sort == "list":
        type_ = t.ListType(out)
    else:
        type_ = t.SetType(out)
    return n.Comprehension(
        sort, node.var, members.domain, members.where, result, node.extreme, measure, type_, node.span
    )


class _Members(NamedTuple):
    """The members that a comprehension selects: those of `domain` for which `where` (None: always) holds.

    `type`: their type; `env`: the environment that declares the loop variable.
    """

    domain: Core
    type: t.Type
    env: Env
    where: Core | None


def _check_members(checker: ExpressionChecker, node: s.ComprehensionExpr | s.QuantifiedExpr, env: Env) -> _Members:
    """Check the domain and the filter of a comprehension."""
    domain, item = checker.check_members(node.domain, env, _("the collection to iterate over"))
    if env.find(node.var) is not None:
        message = _("`{var}` is already a name here", var=node.var)
        checker.error("name-taken", message, node.span, _("use another name"))
    inner = env.create_nested(**{node.var: item})
    where = checker.check_flag_if_any(node.where, inner, _("the condition after `where`"))
    return _Members(domain, item, inner, where)


def report_misplaced_comprehension(
    checker: ExpressionChecker, node: s.ComprehensionExpr, env: Env, expected: t.Type | None
) -> Core:
    """Report a `where` or `for` clause outside a comprehension, and return a placeholder expression."""
    return checker.error(
        "misplaced-where",
        _("a `where` or `for` part can only be used in { }, [ ] or in count(...), sum(...), min(...), max(...)"),
        node.span,
    )


def check_quantified(checker: ExpressionChecker, node: s.QuantifiedExpr, env: Env, expected: t.Type | None) -> Core:
    """Check `any`, `no` and `every`."""
    members = _check_members(checker, node, env)
    then = checker.check_flag_if_any(node.then, members.env, _("the condition after `satisfies`"))
    return n.Comprehension(node.sort, node.var, members.domain, members.where, then, None, None, t.FLAG, node.span)


def check_collection(checker: ExpressionChecker, node: s.CollectionExpr, env: Env, expected: t.Type | None) -> Core:
    """Check a set or list, written as its items or as a comprehension."""
    if len(node.items) == 1:
        only = to_comprehension(node.items[0], env)
        if only is not None:
            return check_comprehension(checker, only, env, node.sort, expected)
    item_expected = t.get_member_type(expected)
    items: list[Core] = []
    joined: t.Type | None = None
    for item_node in node.items:
        core = checker.require_present(
            checker.check(item_node, env, item_expected or (joined if items else None)), _("a member")
        )
        joined = core.type if joined is None else t.join_types(joined, core.type)
        if joined is None:
            return checker.error("branches-differ", _("the members must all be of one type"), core.span)
        items.append(core)
    type_: t.Type = t.SetType(joined) if node.sort == "set" else t.ListType(joined)
    return n.Operation(node.sort, tuple(items), type_, node.span)


def check_pieces_at(checker: ExpressionChecker, node: s.PiecesAtExpr, env: Env, expected: t.Type | None) -> Core:
    """Check `pieces at place`: the pieces located at a place."""
    place = checker.check_type(node.place, env, t.PLACE, _("the place after `at`"))
    if isinstance(node.pieces, s.NameExpr) and env.find(node.pieces.id) is None:
        kind = checker.names.find_kind_by_plural(node.pieces.id)
        if kind is not None and kind.kind == "piece":
            return n.CheckedPiecesAt(kind.cls, place, t.SetType(kind), node.span)
    pieces, item = checker.check_members(node.pieces, env, _("the pieces before `at`"))
    if not t.is_assignable(item, t.PIECE):
        return checker.error(
            "wrong-type", _("only pieces can be at a place, found {what}", what=checker.describe(item)), node.span
        )
    return n.Operation("filter_at", (pieces, place), t.SetType(item), node.span)


def check_on_map(checker: ExpressionChecker, node: s.OnMapExpr, env: Env, expected: t.Type | None) -> Core:
    """Check the test whether a piece is on the map."""
    return n.Operation(
        "on_map", (checker.check_type(node.piece, env, t.PIECE, _("the subject of `on map`")),), t.FLAG, node.span
    )


def check_search(checker: ExpressionChecker, node: s.SearchExpr, env: Env, expected: t.Type | None) -> Core:
    """Check a search over the map: a distance, a path or the reachable places."""
    start = _check_places(checker, node.start, env, _("the start of the search"))
    goal = None if node.goal is None else _check_places(checker, node.goal, env, _("the target of the search"))
    within = checker.check_type_if_any(node.within, env, t.NUMBER, _("the limit after `within`"))
    if node.sort != "reach" and goal is None:
        return checker.error("missing-goal", _("`{sort}` needs `to` and a place", sort=node.sort), node.span)
    inner = env
    if node.var is not None:
        names: dict[str, t.Type] = {node.var: t.PLACE}
        if node.previous is not None:
            names[node.previous] = t.PLACE
        inner = env.create_nested(**names)
    where = checker.check_flag_if_any(node.where, inner, _("the condition after `where`"))
    cost = checker.check_type_if_any(node.cost, inner, t.NUMBER, _("the cost"))
    type_: t.Type
    match node.sort:
        case "distance":
            type_ = t.MaybeType(t.INT if cost is None or isinstance(cost.type, t.IntType) else t.NUMBER)
        case "path":
            type_ = t.MaybeType(t.ListType(t.PLACE))
        case _:
            type_ = t.SetType(t.PLACE)
    return n.CheckedSearch(
        node.sort, start, goal, within, node.var or "_", node.previous or "_before", where, cost, type_, node.span
    )


def _check_places(checker: ExpressionChecker, node: s.Expr, env: Env, description: str) -> Core:
    core = checker.require_present(checker.check(node, env, t.PLACE), description)
    if isinstance(core.type, t.SetType | t.ListType) and t.is_assignable(core.type.item or t.NEVER, t.PLACE):
        return core
    single = checker.expect(core, t.PLACE, description)
    return n.Operation("set", (single,), t.SetType(t.PLACE), core.span)


def check_closure(checker: ExpressionChecker, node: s.ClosureExpr, env: Env, expected: t.Type | None) -> Core:
    """Check a closure: everything linked to a set, directly or transitively."""
    start, item = checker.check_members(node.start, env, _("the start of a closure"))
    if not isinstance(item, t.ThingType):
        return checker.error("wrong-type", _("a closure starts from a set of things"), node.span)
    everything = n.Things(item.kind, item.cls, t.SetType(item), node.span)
    inner = env.create_nested(**{node.first: item, node.second: item})
    where = checker.check_flag(node.where, inner, _("the link of a closure"))
    return n.CheckedClosure(start, everything, node.first, node.second, where, t.SetType(item), node.span)


def to_comprehension(node: object, env: Env) -> s.ComprehensionExpr | None:
    """Return a node as a comprehension, or None if it is not one.

    `x in s`, the short form without `where`, is converted unless `x` is a local name.
    """
    if isinstance(node, s.ComprehensionExpr):
        return node
    if (
        isinstance(node, s.BinaryExpr)
        and node.op == "in"
        and isinstance(node.left, s.NameExpr)
        and env.find(node.left.id) is None
    ):
        return s.ComprehensionExpr(None, node.left.id, node.right, None, span=node.span)
    return None
