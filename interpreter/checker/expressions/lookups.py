"""Index expressions with [ ]: cells of a table, items of a list."""

from __future__ import annotations

from interpreter.checker.expressions.expression_types import ExpressionChecker
from interpreter.checker.scope import Env
from interpreter.diagnostics.source_text import Span
from interpreter.i18n.translator import mark as _
from interpreter.language import syntax as s
from interpreter.model import expressions as n, types as t
from interpreter.model.ruleset import Axis
from interpreter.model.statements import Core

ORDERED = ("ratio", "bands", "range")  # axis sorts with ordered columns


def check_index(checker: ExpressionChecker, node: s.IndexExpr, env: Env, expected: t.Type | None) -> Core:
    """Check an index expression: a look-up in a table or a list."""
    if isinstance(node.owner, s.NameExpr) and env.find(node.owner.id) is None:
        if node.owner.id in checker.names.ruleset.tables:
            return _check_table(checker, node.owner.id, node.args, env, node.span)
        if node.owner.id not in checker.names.defines and not _is_set(checker, node.owner.id):
            return checker.report_unknown(
                "table", "table", node.owner.id, node.owner.span, checker.names.ruleset.tables
            )
    owner = checker.require_present(checker.check(node.owner, env), _("the list"))
    if isinstance(owner.type, t.ListType | t.SetType) and len(node.args) == 1:
        index = checker.check_type(node.args[0], env, t.INT, _("the place in the list"))
        if (number := _get_literal_value(index)) is not None and number < 1:
            checker.sink.add_warning(
                "member-below-one",
                _("the members of a set or list are counted from 1, so `[{number}]` is always missing", number=number),
                node.args[0].span,
                help=_("write `[1]` for the first member, and `last(...)` for the last"),
            )
        return n.Operation("item", (owner, index), t.MaybeType(owner.type.item or t.NEVER), node.span)
    if isinstance(owner.type, t.NeverType):
        return owner
    return checker.error("not-a-table", _("only tables and lists can be looked up with [ ]"), node.span)


def _get_literal_value(core: Core) -> int | None:
    """Return the value of an integer literal, perhaps with a minus sign, or None for any other expression."""
    if (
        isinstance(core, n.Operation)
        and core.name == "neg"
        and (inner := _get_literal_value(core.operands[0])) is not None
    ):
        return -inner
    return core.value if isinstance(core, n.Literal) and type(core.value) is int else None


def _is_set(checker: ExpressionChecker, word: str) -> bool:
    """Return whether a bare word denotes a set or a list."""
    return (
        checker.names.find_kind_by_plural(word) is not None
        or word in checker.names.ruleset.regions
        or word == "directions"
    )


def _check_keys(
    checker: ExpressionChecker, name: str, args: tuple[s.Expr, ...], env: Env, span: Span
) -> tuple[Core, ...] | None:
    """Check the arguments of a look-up in the table `name`, one for each axis.

    Returns None if their number is wrong or the table is unreadable.
    """
    table = checker.names.ruleset.tables[name]
    if table.unreadable:
        return None
    if len(args) != len(table.axes):
        checker.error(
            "wrong-number-of-rows",
            _(
                "table `{name}` needs {number} (value|values) ({listed}), found {number2}",
                name=name,
                number=len(table.axes),
                listed=", ".join(a.name for a in table.axes),
                number2=len(args),
            ),
            span,
        )
        return None
    return tuple(_check_key(checker, name, axis, arg, env) for axis, arg in zip(table.axes, args, strict=True))


def _check_key(checker: ExpressionChecker, table: str, axis: Axis, node: s.Expr, env: Env) -> Core:
    """Check the argument `node` for one axis of the table with the name `table`."""
    if isinstance(node, s.ShiftedExpr):
        return _check_shifted(checker, table, axis, node, env)
    if axis.sort == "ratio":
        return _check_ratio(checker, node, env, axis.name)
    return checker.check_type(node, env, axis.type, _("`{name}` of table `{table}`", name=axis.name, table=table))


def _check_shifted(checker: ExpressionChecker, table: str, axis: Axis, node: s.ShiftedExpr, env: Env) -> Core:
    """Check `value shifted by n`, which requires an axis with ordered columns."""
    value = _check_key(checker, table, axis, node.value, env)
    by = checker.check_type(node.by, env, t.INT, _("the number of columns to shift by"))
    if axis.sort not in ORDERED:
        return checker.error(
            "misplaced-shift",
            _("`{name}` of table `{table}` cannot be shifted: it has no order", name=axis.name, table=table),
            node.span,
            _("only axes of ratios, bands and ranges can be shifted"),
        )
    return n.Operation("shifted", (value, by), axis.type, node.span)


def report_misplaced_shift(checker: ExpressionChecker, node: s.ShiftedExpr, env: Env, expected: t.Type | None) -> Core:
    """Report `shifted by` outside a table look-up, and return a placeholder expression."""
    return checker.error(
        "misplaced-shift",
        _("`shifted by` can only be used in the [ ] of a table"),
        node.span,
        _("write table[a / b shifted by n, ...]"),
    )


def _check_ratio(checker: ExpressionChecker, node: s.Expr, env: Env, axis: str) -> Core:
    """Check the argument of a ratio axis, a quotient `a / b`; `axis` is the axis's name.

    Returns the two numbers as a list, so that the ratio stays exact.
    """
    if not (isinstance(node, s.BinaryExpr) and node.op == "/"):
        return checker.error("wrong-type", _("`{axis}` needs a ratio such as attack / defence", axis=axis), node.span)
    numerator = checker.check_type(node.left, env, t.NUMBER, _("the left side of the ratio"))
    denominator = checker.check_type(node.right, env, t.NUMBER, _("the right side of the ratio"))
    return n.Operation("list", (numerator, denominator), t.NUMBER, node.span)


def _check_table(checker: ExpressionChecker, name: str, args: tuple[s.Expr, ...], env: Env, span: Span) -> Core:
    keys, table = _check_keys(checker, name, args, env, span), checker.names.ruleset.tables[name]
    if keys is None:
        return n.Literal(None, t.NEVER, span)
    return n.LookUp(name, keys, t.MaybeType(table.type) if table.blanks else table.type, span)


def check_has_cell(checker: ExpressionChecker, node: s.HasCellExpr, env: Env, expected: t.Type | None) -> Core:
    """Check the test whether a table has a cell for the given values."""
    if node.table not in checker.names.ruleset.tables:
        return checker.report_unknown("table", "table", node.table, node.span, checker.names.ruleset.tables)
    args = _check_keys(checker, node.table, node.args, env, node.span)
    return n.HasCell(node.table, args or (), t.FLAG, node.span)
