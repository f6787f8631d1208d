"""The dispatch table from each expression form to the function that type-checks it."""

from __future__ import annotations

from interpreter.checker.expressions import lookups, operators, sets
from interpreter.checker.expressions.expression_types import ExpressionCheck, ExpressionChecker
from interpreter.checker.operations import BUILTINS
from interpreter.checker.scope import Env, RulesScope
from interpreter.i18n.translator import mark as _
from interpreter.language import syntax as s
from interpreter.model import expressions as n, types as t
from interpreter.model.expressions import Core
from interpreter.runtime.builtins.registry import Builtin

# Calls of builtin functions, checked against their declarations in `runtime.builtins`.
_THINGS = {str(kind): kind for kind in (t.PLACE, t.EDGE, t.PIECE, t.SIDE, t.SEAT, t.LEVEL)}
_WORDS: dict[str, t.Type] = {**t.PLAIN, **_THINGS}
_MANY = ("members", "numbers")  # collections of anything, collections of numbers


def check_builtin(checker: ExpressionChecker, node: s.CallExpr, env: Env, expected: t.Type | None) -> Core:
    """Check a call of a builtin function; `node.name` must name one."""
    builtin = BUILTINS[node.name]
    if builtin.gathers:
        if len(node.args) == 1:
            return _check_aggregate(checker, builtin, node, env)
        if node.name in ("min", "max") and node.args:
            return _check_extreme(checker, node, env)
    if len(node.args) != len(builtin.params):
        usage = f"{node.name}(x in set where ...)" if builtin.gathers not in ("", "list") else builtin.usage
        return checker.error(
            "wrong-number-of-arguments", _("write `{name}` as {usage}", name=node.name, usage=usage), node.span
        )
    args = tuple(
        _check_argument(checker, spelled, node.name, arg, env)
        for (_word, spelled), arg in zip(builtin.params, node.args, strict=True)
    )
    return _build_call(checker, builtin, args, node)


def _check_aggregate(checker: ExpressionChecker, builtin: Builtin, node: s.CallExpr, env: Env) -> Core:
    """Check a call of a builtin that aggregates a set, such as `count`, given as a set or as a comprehension."""
    former = sets.to_comprehension(node.args[0], env)
    if former is None:
        return _build_call(
            checker, builtin, (_check_argument(checker, builtin.params[0][1], node.name, node.args[0], env),), node
        )
    comprehension = sets.check_comprehension(checker, former, env, builtin.gathers)
    return _build_call(checker, builtin, (comprehension,), node) if builtin.gathers == "list" else comprehension


def _check_extreme(checker: ExpressionChecker, node: s.CallExpr, env: Env) -> Core:
    """Check `min` or `max` of several numbers."""
    description = _("each value of `{name}`", name=node.name)
    numbers = tuple(checker.check_type(a, env, t.NUMBER, description) for a in node.args)
    are_whole = all(isinstance(number.type, t.IntType) for number in numbers)
    return n.Operation(node.name + "_of", numbers, t.INT if are_whole else t.NUMBER, node.span)


def _check_argument(
    checker: ExpressionChecker, spelled: str, name: str, arg: s.Expr | s.ComprehensionExpr, env: Env
) -> Core:
    """Check an argument of the built-in function `name`.

    `spelled`: the type of the parameter as the table of built-in functions writes it.
    """
    if spelled in _MANY:
        core, item = checker.check_members(arg, env, _("the subject of `{name}`", name=name))
        if spelled == "numbers" and not t.is_assignable(item, t.NUMBER):
            return checker.error(
                "wrong-type",
                _("`{sort}` needs numbers, found {more}", sort=name, more=checker.type_name(core.type)),
                arg.span,
            )
        return core
    return checker.check_type(arg, env, _parse_type(spelled), _("each value of `{name}`", name=name))


def _build_call(checker: ExpressionChecker, builtin: Builtin, args: tuple[Core, ...], node: s.CallExpr) -> Core:
    many = [a for (_word, spelled), a in zip(builtin.params, args, strict=True) if spelled in _MANY]
    if len(many) > 1 and t.join_types(many[0].type, many[1].type) is None:
        return checker.error("wrong-type", _("`{name}` needs sets of one type", name=builtin.name), node.span)
    like = many[0].type if many else args[0].type if args else t.NEVER
    return n.Operation(builtin.name, args, _get_result_type(builtin.result, like), node.span)


def _get_result_type(spelled: str, like: t.Type) -> t.Type:
    """Return the result type of a builtin from its declaration.

    `spelled`: a type name, or "same", "member" or "maybe member"; these refer to `like`, the type of the first
    argument.
    """
    if spelled == "same":
        return like
    if spelled == "member":
        return t.get_member_type(like) or t.NEVER
    if spelled == "maybe member":
        return t.MaybeType(_get_result_type("member", like))
    return _parse_type(spelled)


def _parse_type(spelled: str) -> t.Type:
    head, _space, rest = spelled.partition(" ")
    if head == "maybe":
        return t.MaybeType(_parse_type(rest))
    if head in ("set", "list"):
        item = _parse_type(rest.removeprefix("of "))
        return t.SetType(item) if head == "set" else t.ListType(item)
    return _WORDS[spelled]


FORMS: dict[type, ExpressionCheck] = {
    s.NameExpr: ExpressionChecker._check_name,
    s.LiteralExpr: ExpressionChecker._check_literal,
    s.AttrExpr: ExpressionChecker._check_attribute,
    s.IndexExpr: lookups.check_index,
    s.ComprehensionExpr: sets.report_misplaced_comprehension,
    s.CallExpr: ExpressionChecker._check_call,
    s.UnaryExpr: operators.check_unary,
    s.BinaryExpr: operators.check_binary,
    s.LogicExpr: operators.check_logic,
    s.QuantifiedExpr: sets.check_quantified,
    s.ConditionalExpr: operators.check_conditional,
    s.OrElseExpr: operators.check_or_else,
    s.PiecesAtExpr: sets.check_pieces_at,
    s.OnMapExpr: sets.check_on_map,
    s.CollectionExpr: sets.check_collection,
    s.PlayingExpr: ExpressionChecker._check_playing,
    s.HasCellExpr: lookups.check_has_cell,
    s.CanAdvanceExpr: ExpressionChecker._check_can_advance,
    s.PossibleExpr: ExpressionChecker._check_possible,
    s.SearchExpr: sets.check_search,
    s.ClosureExpr: sets.check_closure,
    s.WithFieldsExpr: ExpressionChecker._check_with_fields,
    s.ShiftedExpr: lookups.report_misplaced_shift,
}


def build_expression_checker(names: RulesScope) -> ExpressionChecker:
    """Return an expression checker for the names of this scope."""
    return ExpressionChecker(names, FORMS, dict.fromkeys(BUILTINS, check_builtin))
