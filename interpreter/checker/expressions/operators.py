"""Operators: logic, comparison, arithmetic, and conditional values."""

from __future__ import annotations

from interpreter.checker.expressions.expression_types import ExpressionChecker
from interpreter.checker.expressions.foreign_names import suggest_alternatives, suggest_set
from interpreter.checker.expressions.name_hints import suggest_for_id
from interpreter.checker.expressions.name_resolution import resolve_bare_word
from interpreter.checker.scope import Env, RulesScope
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.i18n.translator import mark as _
from interpreter.language import syntax as s
from interpreter.model import expressions as n, types as t
from interpreter.model.statements import Core


def check_logic(checker: ExpressionChecker, node: s.LogicExpr, env: Env, expected: t.Type | None) -> Core:
    """Check `and` and `or`."""
    items = []
    for number, item in enumerate(node.items):
        operand = checker.check(item, env, t.FLAG)
        cure = "" if isinstance(operand.type, t.NeverType | t.FlagType) else suggest_alternatives(node, number)
        items.append(checker.expect(operand, t.FLAG, _("each side of `{op}`", op=node.op), cure))
    return n.Operation(node.op, tuple(items), t.FLAG, node.span)


def check_unary(checker: ExpressionChecker, node: s.UnaryExpr, env: Env, expected: t.Type | None) -> Core:
    """Check `not` and unary signs."""
    if node.op == "not":
        return n.Operation(
            "not", (checker.check_flag(node.operand, env, _("the operand of `not`")),), t.FLAG, node.span
        )
    operand = checker.check_type(node.operand, env, t.NUMBER, _("a signed number"))
    if node.op == "+":
        return operand
    return n.Operation("neg", (operand,), operand.type, node.span)


def _check_operands(
    checker: ExpressionChecker, left: s.Expr, right: s.Expr, env: Env, expected: t.Type | None = None
) -> tuple[Core, Core]:
    """Check and return both operands of an operator; the type of one resolves bare words in the other.

    `expected`: the type that resolves bare words in the operand that is checked first.
    """
    if _is_bare(left, env, checker.names) and not _is_bare(right, env, checker.names):
        checked_right = checker.check(right, env, expected)
        return checker.check(left, env, t.strip_maybe(checked_right.type)), checked_right
    checked_left = checker.check(left, env, expected)
    return checked_left, checker.check(right, env, t.strip_maybe(checked_left.type))


def check_binary(checker: ExpressionChecker, node: s.BinaryExpr, env: Env, expected: t.Type | None) -> Core:
    """Check arithmetic, comparison, membership, rung order and ranges."""
    op = node.op
    if op in ("in", "not in"):
        return _check_membership(checker, node, env)
    if op in ("==", "!="):
        for none_side, operand in ((node.left, node.right), (node.right, node.left)):
            if isinstance(none_side, s.NameExpr) and none_side.id == "none" and _is_bare(none_side, env, checker.names):
                return _check_missing_test(checker, op, operand, env, node.span)
        left, right = _check_operands(checker, node.left, node.right, env)
        if _report_impossible_word(checker, left, right) or _report_impossible_word(checker, right, left):
            return n.Literal(False, t.NEVER, node.span)
        if t.join_types(t.strip_maybe(left.type), t.strip_maybe(right.type)) is None or _are_disjoint(left, right):
            return checker.error(
                "never-equal",
                _(
                    "{what} and {what2} can never be equal",
                    what=checker.describe(left.type),
                    what2=checker.describe(right.type),
                ),
                node.span,
                suggest_for_id(checker.names, right, left.type) or suggest_for_id(checker.names, left, right.type),
                (left, right),
            )
        return n.Operation(op, (left, right), t.FLAG, node.span)
    if op in ("below", "above"):
        return _check_rung_order(checker, node, env)
    if op in ("<", "<=", ">", ">="):
        left = checker.check_type(node.left, env, t.NUMBER, _("the left side of {op}", op=op))
        right = checker.check_type(node.right, env, t.NUMBER, _("the right side of {op}", op=op))
        return n.Operation(op, (left, right), t.FLAG, node.span)
    if op == "..":
        low = checker.check_type(node.left, env, t.INT, _("the start of a range"))
        high = checker.check_type(node.right, env, t.INT, _("the end of a range"))
        return n.Operation("range", (low, high), t.ListType(t.INT), node.span)
    return _check_arithmetic(checker, node, env, expected)


def _are_disjoint(first: Core, second: Core) -> bool:
    """Return whether both values are enumerations without a common word, so that they can never be equal.

    False for two literal words.
    """
    left, right = t.strip_maybe(first.type), t.strip_maybe(second.type)
    if isinstance(first, n.Literal) and isinstance(second, n.Literal):
        return False
    return isinstance(left, t.OneOfType) and isinstance(right, t.OneOfType) and not set(left.values) & set(right.values)


def _report_impossible_word(checker: ExpressionChecker, value: Core, expression: Core) -> bool:
    """Report the comparison of `value` with the literal `expression` if it is a word that the value can never have.

    Returns whether an error was reported.
    """
    type_of_value = t.strip_maybe(value.type)
    if (
        not isinstance(type_of_value, t.OneOfType)
        or not isinstance(expression, n.Literal)
        or not _are_disjoint(value, expression)
    ):
        return False
    checker.error(
        "never-equal",
        _("`{word}` is not one of the words this value can have", word=expression.value),
        expression.span,
        did_you_mean(str(expression.value), type_of_value.values)
        or _("available here: {words}", words=", ".join(f"`{w}`" for w in type_of_value.values)),
    )
    return True


def _check_missing_test(checker: ExpressionChecker, op: str, node: s.Expr, env: Env, span: Span) -> Core:
    """Check `a == none` or `a != none`, a test for a missing value; `node` is `a`, `op` the operator.

    If `a` is never missing and `none` is a word of the ruleset, it is an ordinary comparison.
    """
    value = checker.check(node, env)
    if isinstance(value.type, t.NeverType):
        return value
    if isinstance(value.type, t.MaybeType):
        missing = checker.check(s.NameExpr("none", span=span), env, value.type)
        return n.Operation(op, (value, missing), t.FLAG, span)
    word = resolve_bare_word(checker.names, "none", span, value.type)
    if word is None or t.join_types(value.type, word.type) is None:
        return checker.error("never-equal", _("this value is never missing, so it is never `none`"), span)
    return n.Operation(op, (value, word), t.FLAG, span)


def _check_membership(checker: ExpressionChecker, node: s.BinaryExpr, env: Env) -> Core:
    if isinstance(node.right, s.BinaryExpr) and node.right.op == "..":
        left = checker.check_type(node.left, env, t.NUMBER, _("the value to look for"))
        right = checker.check(node.right, env)
    else:
        right = checker.require_present(checker.check(node.right, env), _("the set"))
        item = t.get_member_type(right.type)
        left = checker.check(node.left, env, item)
        if isinstance(right.type, t.NeverType):
            return right
        if not isinstance(right.type, t.SetType | t.ListType):
            return checker.error(
                "not-a-set",
                _("`in` needs a set or a list, found {what}", what=checker.describe(right.type)),
                node.right.span,
                suggest_set(checker.names, right),
                (right,),
            )
        if item is not None and t.join_types(t.strip_maybe(left.type), item) is None:
            return checker.error(
                "never-equal",
                _("{what} is never in a {more}", what=checker.describe(left.type), more=checker.type_name(right.type)),
                node.span,
                suggest_for_id(checker.names, left, item),
                (left, right),
            )
        if isinstance(node.right, s.CollectionExpr) and isinstance(right, n.Operation):
            for member in right.operands:
                _report_impossible_word(checker, left, member)
    return n.Operation("in" if node.op == "in" else "not in", (left, right), t.FLAG, node.span)


def _check_rung_order(checker: ExpressionChecker, node: s.BinaryExpr, env: Env) -> Core:
    left, right = _check_operands(checker, node.left, node.right, env)
    left, right = checker.require_present(left, _("the left side")), checker.require_present(right, _("the right side"))
    if isinstance(left.type, t.NeverType) or isinstance(right.type, t.NeverType):
        return n.Literal(False, t.FLAG, node.span)
    if not isinstance(left.type, t.RungType) or left.type != right.type:
        return checker.error(
            "not-a-ladder",
            _(
                "`{op}` compares two rungs of one ladder, found {what} and {what2}",
                op=node.op,
                what=checker.describe(left.type),
                what2=checker.describe(right.type),
            ),
            node.span,
            _("compare numbers with < and >"),
            (left, right),
        )
    return n.Operation("<" if node.op == "below" else ">", (left, right), t.FLAG, node.span)


def _check_arithmetic(checker: ExpressionChecker, node: s.BinaryExpr, env: Env, expected: t.Type | None) -> Core:
    left, right = _check_operands(
        checker, node.left, node.right, env, expected if isinstance(expected, t.SetType | t.ListType) else None
    )
    left = checker.require_present(left, _("the left side of {op}", op=node.op))
    right = checker.require_present(right, _("the right side of {op}", op=node.op))
    if isinstance(left.type, t.NeverType) or isinstance(right.type, t.NeverType):
        return n.Literal(None, t.NEVER, node.span)
    if isinstance(left.type, t.SetType | t.ListType):
        joined = t.join_types(left.type, right.type)
        if joined is None or node.op not in "+-":
            return checker.error(
                "wrong-type",
                _(
                    "`{op}` cannot combine {what} and {what2}",
                    op=node.op,
                    what=checker.describe(left.type),
                    what2=checker.describe(right.type),
                ),
                node.span,
                mistyped=(left, right),
            )
        op = "union" if node.op == "+" else "minus"
        return n.Operation(op, (left, right), joined if node.op == "+" else left.type, node.span)
    left = checker.expect(left, t.NUMBER, _("the left side of {op}", op=node.op))
    right = checker.expect(right, t.NUMBER, _("the right side of {op}", op=node.op))
    is_whole = isinstance(left.type, t.IntType) and isinstance(right.type, t.IntType) and node.op != "/"
    op = {"+": "add", "-": "sub", "*": "mul", "/": "div"}[node.op]
    return n.Operation(op, (left, right), t.INT if is_whole else t.NUMBER, node.span)


def check_conditional(checker: ExpressionChecker, node: s.ConditionalExpr, env: Env, expected: t.Type | None) -> Core:
    """Check `if ... then ... else ...`, whose branches must have a common type."""
    test = checker.check_flag(node.test, env, _("the condition"))
    yes, no = (
        _check_operands(checker, node.yes, node.no, env, expected)
        if expected is None
        else (checker.check(node.yes, env, expected), checker.check(node.no, env, expected))
    )
    joined = t.join_types(yes.type, no.type)
    if joined is None and (isinstance(yes.type, t.MaybeType) or isinstance(no.type, t.MaybeType)):
        inner = t.join_types(t.strip_maybe(yes.type), t.strip_maybe(no.type))
        joined = t.MaybeType(inner) if inner else None
    if joined is None:
        return checker.error(
            "branches-differ",
            _(
                "both branches must have the same type, but they are {what} and {what2}",
                what=checker.describe(yes.type),
                what2=checker.describe(no.type),
            ),
            node.span,
            _("write two values of one type, such as two numbers or two places"),
            mistyped=(yes, no),
        )
    return n.Operation("cond", (test, yes, no), joined, node.span)


def check_or_else(checker: ExpressionChecker, node: s.OrElseExpr, env: Env, expected: t.Type | None) -> Core:
    """Check `a else b`: a value, with a fallback if it is missing."""
    value = checker.check(node.value, env, expected)
    fallback = checker.check(node.fallback, env, t.strip_maybe(value.type))
    if isinstance(value.type, t.NeverType):
        return value
    if not isinstance(value.type, t.MaybeType):
        checker.sink.add_warning(
            "needless-else",
            _("this value is never missing; the part after `else` is never used"),
            node.fallback.span,
            help=_("remove the `else` part"),
        )
        return value
    joined = t.join_types(value.type.item, fallback.type)
    if joined is None:
        return checker.error(
            "branches-differ",
            _(
                "the value after `else` must be {what}, found {what2}",
                what=checker.describe(value.type.item),
                what2=checker.describe(fallback.type),
            ),
            node.fallback.span,
            mistyped=(value, fallback),
        )
    return n.Operation("orelse", (value, fallback), joined, node.span)


def _is_bare(node: s.Expr, env: Env, names: RulesScope) -> bool:
    """Return whether a node is a bare word, or a collection of bare words, that needs an expected type."""
    if isinstance(node, s.CollectionExpr):
        return not node.items or all(
            not isinstance(i, s.ComprehensionExpr) and _is_bare(i, env, names) for i in node.items
        )
    if not isinstance(node, s.NameExpr) or env.find(node.id) is not None:
        return False
    return node.id not in names.defines or bool(names.defines[node.id].params)  # with values it is in brackets
