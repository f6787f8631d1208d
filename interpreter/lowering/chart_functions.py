"""Charts: a look-up becomes a call of a function that finds the row on each axis and reads the cell.

Row functions return the index of a row, or one of the codes below.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from interpreter.diagnostics.source_text import Span
from interpreter.ir import expression_records as e, statement_records as s
from interpreter.ir.builder import Builder
from interpreter.lowering.lowering_context import Context, VariableScope
from interpreter.lowering.value_types import NotLoweredError, make_maybe
from interpreter.model import expressions as n, types as t
from interpreter.model.ruleset import Axis, Table
from interpreter.model.types import strip_maybe

REFUSED, BELOW, ABOVE, NO_COLUMN = -1, -2, -3, -4
Params = tuple[tuple[str, t.Type], ...]


def lower_lookup(
    cx: Context,
    table: str,
    axes: tuple[tuple[e.Expr, ...], ...],
    moves_on: tuple[e.Expr | None, ...],
    asks: bool,
    type_: t.Type,
    span: Span,
) -> e.Expr:
    """Return the lookup of a chart, or with `asks` the test that the chart has a cell.

    `axes`: the values that each axis is read by, two for a ratio. `moves_on`: the shift of each axis, or None.
    """
    params: list[tuple[str, t.Type]] = []
    args: list[e.Expr] = []
    declared = cx.ruleset.tables[table]
    result: t.Type = t.FLAG if asks else make_maybe(declared.type) if declared.blanks else declared.type
    if all(is_complete(cx, axis, values) for axis, values in zip(declared.axes, axes, strict=True)):
        rows = tuple(
            e.IndexOf(values[0], tuple(axis.keys), t.INT, span)
            for axis, values in zip(declared.axes, axes, strict=True)
        )
        return _build_cells(cx, declared, asks, result, rows, Builder(span))
    for number, (axis, values, shift) in enumerate(zip(declared.axes, axes, moves_on, strict=True)):
        for part, value in enumerate(values):
            operand_type = _get_operand_type(axis, value)
            params.append((f"axis{number}_{part}", operand_type))
            args.append(cx.convert(value, operand_type))
        if shift is not None:
            params.append((f"shift{number}", t.INT))
            args.append(shift)
    kinds = "".join("n" if isinstance(strip_maybe(ty), t.NumberType) else "" for _, ty in params)
    shifted = "".join(str(number) for number, shift in enumerate(moves_on) if shift is not None)
    name = "_".join(part for part in ("has" if asks else "look", table, kinds, shifted and "by" + shifted) if part)
    cx.define(
        name,
        tuple(params),
        result,
        span,
        lambda names: _build_body(cx, declared, names, asks, result, Builder(span)),
        _build_origin(table, asks),
    )
    return e.Call(name, tuple(args), result, span)


def is_complete(cx: Context, axis: Axis, values: tuple[e.Expr, ...]) -> bool:
    """Return whether every value that an expression can have has a row on an axis.

    `values`: the expressions that the axis is read by, two for a ratio.
    """
    if axis.sort != "keys":
        return False
    keys = set(axis.keys)
    match values[0].type:
        case t.OneOfType(values=words):
            return keys.issuperset(words)
        case t.RungType(ladder=ladder):
            return keys.issuperset(range(len(cx.ruleset.ladders[ladder].rungs)))
        case t.ThingType(kind=kind) if kind in cx.ruleset.kinds:
            return keys.issuperset(range(len(cx.ruleset.kinds[kind].things)))
    return False


def _build_cells(
    cx: Context, table: Table, asks: bool, result: t.Type, rows: tuple[e.Expr, ...], build: Builder
) -> e.Expr:
    """Return an expression for the cell of a chart at the given rows; with `asks`, a test whether that cell exists.

    `rows`: the row on each axis. `result`: the type of the expression.
    """
    sizes = tuple(len(axis.keys) for axis in table.axes)
    keys = tuple(product(*map(range, sizes)))
    origin = _build_origin(table.id, asks)
    if asks:
        cells = cx.get_static_table(
            "has_" + table.id, lambda: tuple(key in table.cells for key in keys), t.FLAG, origin
        )
    else:
        cells = cx.get_static_table(
            "cells_" + table.id, lambda: tuple(table.cells.get(key) for key in keys), result, origin
        )
    return e.StaticItem(cells, rows, sizes, result, build.span)


def _build_origin(table: str, asks: bool) -> e.Origin:
    """Return the origin of a lookup in a chart, or with `asks` of a test for a cell."""
    return e.Origin("chart question" if asks else "chart", table)


def _get_operand_type(axis: Axis, value: e.Expr) -> t.Type:
    """Return the type of the parameter for an axis; `keys` axes also accept missing values, which have no row."""
    if axis.sort == "ratio":
        return t.NUMBER
    return make_maybe(value.type) if axis.sort == "keys" else strip_maybe(value.type)


def _build_body(cx: Context, table: Table, names: VariableScope, asks: bool, result: t.Type, build: Builder) -> s.Body:
    """Return the statements of a lookup: compute the row of each axis, return early past an end, else return the cell.

    `names`: parameters by name, `axisN_K` and `shiftN`. `asks`: only test whether there is a cell. `result`: type of
    the result.
    """
    out: list[s.Stmt] = []
    rows: list[e.Expr] = []
    for number, axis in enumerate(table.axes):
        row = cx.names.create_variable(f"row{number}", t.INT, build.span)
        values = tuple(value for name, value in names.items() if name.startswith(f"axis{number}_"))
        out.append(build.assign(row, _build_row(cx, table, number, values, build)))
        shift = names.get(f"shift{number}")
        if shift is not None:
            moved = cx.names.create_variable(f"moved{number}", t.INT, build.span)
            is_above = build.build_flag("ge", moved, len(axis.keys))
            inside = build.build_if(
                is_above, build.assign(row, _get_past_end(axis, False, build)), otherwise=(build.assign(row, moved),)
            )
            below = build.build_if(
                build.build_flag("lt", moved, 0),
                build.assign(row, _get_past_end(axis, True, build)),
                otherwise=(inside,),
            )
            shifted = build.assign(moved, build.build_whole("add", row, shift))
            out.append(build.build_if(build.build_flag("ge", row, 0), shifted, below))
        out.append(build.build_if(build.build_flag("lt", row, 0), *_build_beyond(axis, row, asks, result, build)))
        rows.append(row)
    return (*out, build.build_return(_build_cells(cx, table, asks, result, tuple(rows), build)))


def _build_beyond(axis: Axis, row: e.Expr, asks: bool, result: t.Type, build: Builder) -> s.Body:
    """Return the statements that leave the lookup function when `row` is the code for a value past an end of an axis.

    `asks`: return whether there is a cell. `result`: type of the result.
    """
    out: list[s.Stmt] = []
    for code, policy in ((BELOW, axis.below), (ABOVE, axis.above)):
        if isinstance(policy, tuple):
            value = build.build_const(True, t.FLAG) if asks else build.build_const(policy[1], result)
            out.append(build.build_if(build.build_flag("eq", row, code), build.build_return(value)))
    return (*out, build.build_return(build.build_const(False, t.FLAG)) if asks else build.fail("no row"))


def _get_past_end(axis: Axis, low: bool, build: Builder) -> e.Expr:
    """Return the row, or the negative code, for a value past an end of an axis.

    `low`: the end is the lower one.
    """
    policy = axis.below if low else axis.above
    if policy == "clamp":
        return build.build_const(0 if low else len(axis.keys) - 1)
    return build.build_const((BELOW if low else ABOVE) if isinstance(policy, tuple) else REFUSED)


def _build_row(cx: Context, table: Table, number: int, values: tuple[e.Expr, ...], build: Builder) -> e.Expr:
    """Return an expression for the row on axis `number`, or a negative code for a value without a row.

    `values`: the expressions that the axis is read by, two for a ratio.
    """
    axis, value = table.axes[number], values[0]
    match axis.sort:
        case "keys":
            if isinstance(strip_maybe(value.type), t.IntType | t.NumberType) and cx.cost_model is None:
                raise NotLoweredError("an axis of numbers as keys", build.span)
            return e.IndexOf(value, tuple(axis.keys), t.INT, build.span)
        case "ratio":
            name = f"row_{table.id}_{number}"
            params: Params = (("attack", t.NUMBER), ("defence", t.NUMBER))
            cx.define(name, params, t.INT, build.span, lambda names: _build_ratio_body(cx, axis, names, build))
            return e.Call(name, values, t.INT, build.span)
        case "range":
            return _build_range_row(axis, value, build)
    return _build_band_row(axis, value, build)


def _build_range_row(axis: Axis, value: e.Expr, build: Builder) -> e.Expr:
    low, high = axis.keys[0], axis.keys[-1]
    past = build.choose(
        _compare("lt", value, low, build), _get_past_end(axis, True, build), _get_past_end(axis, False, build)
    )
    if tuple(axis.keys) != tuple(range(low, high + 1)):
        for row, key in reversed(list(enumerate(axis.keys))):
            past = build.choose(_compare("eq", value, key, build), build.build_const(row), past)
        return past
    inside = [_compare("ge", value, low, build), _compare("le", value, high, build)]
    number: e.Expr = value
    if isinstance(value.type, t.NumberType):
        number = build.build_whole("floor", value)
        inside = [
            build.build_conjunction(*inside),
            build.build_flag("eq", build.apply("widen", t.NUMBER, number), value),
        ]
    return build.choose(build.build_conjunction(*inside), build.build_whole("sub", number, low), past)


def _compare(op: str, value: e.Expr, number: int | Fraction, build: Builder) -> e.Expr:
    """Return an expression that compares a value with a constant number, both converted to one type.

    `op`: "lt", "le", "gt" or "ge".
    """
    if isinstance(value.type, t.IntType) and isinstance(number, Fraction) and number.denominator != 1:
        return build.build_flag(op, build.apply("widen", t.NUMBER, value), build.build_const(number, t.NUMBER))
    return build.build_flag(op, value, build.build_const(number, value.type))


def _build_band_row(axis: Axis, value: e.Expr, build: Builder) -> e.Expr:
    first = axis.keys[0][0]
    band_row = _get_past_end(axis, False, build)
    if first is not None:
        band_row = build.choose(_compare("le", value, first, build), _get_past_end(axis, True, build), band_row)
    for row, (low, low_closed, high, high_closed) in reversed(list(enumerate(axis.keys))):
        tests: list[e.Expr] = []
        if low is not None:
            tests.append(_compare("ge" if low_closed else "gt", value, low, build))
        if high is not None:
            tests.append(_compare("le" if high_closed else "lt", value, high, build))
        band_row = (
            build.choose(build.build_conjunction(*tests), build.build_const(row), band_row)
            if tests
            else build.build_const(row)
        )
    return band_row


# --- odds -------------------------------------------------------------------------------------------


def _build_product(value: e.Expr, number: int, build: Builder) -> e.Expr:
    return value if number == 1 else build.apply("mul", t.NUMBER, value, build.build_const(number, t.NUMBER))


@dataclass(frozen=True, slots=True)
class _Odds:
    """Both combat values of an odds lookup, and whether the attack is at least as large as the defence."""

    attack: e.Expr
    defence: e.Expr
    is_large: e.Expr
    build: Builder

    def compare(self, op: str, key: Fraction) -> e.Expr:
        """Return an expression that compares attack : defence with the fraction `key` by `op`, without dividing."""
        left, right = (
            _build_product(self.attack, key.denominator, self.build),
            _build_product(self.defence, key.numerator, self.build),
        )
        return self.build.build_flag(op, left, right)


def _build_ratio_body(cx: Context, axis: Axis, names: VariableScope, build: Builder) -> s.Body:
    """Return the body of a function that computes the row of odds, by the rules of `ChartAxis._find_ratio`.

    `names`: holds the parameters `attack` and `defence`.
    """
    attack, defence = names["attack"], names["defence"]
    odds = _Odds(attack, defence, build.build_flag("ge", attack, defence), build)
    keys = [Fraction(key) for key in axis.keys]
    zero = build.build_const(0, t.NUMBER)
    bad = build.build_disjunction(build.build_flag("le", defence, zero), build.build_flag("lt", attack, zero))
    large = cx.names.create_variable("whole", t.INT, build.span)  # n of n : 1, or of 1 : n; 0 without an attack
    up_div, down_div = {"up": ("ceil_div", "floor_div"), "near": ("near_div", "near_div")}.get(
        axis.rounding, ("floor_div", "ceil_div")
    )
    small = build.build_whole(down_div, defence, attack)
    if axis.rounding == "up":
        small = build.build_whole("max_of", small, 1)
    smaller = build.choose(build.build_flag("gt", attack, zero), small, build.build_const(0))
    whole = build.choose(odds.is_large, build.build_whole(up_div, attack, defence), smaller)

    def beyond(key: Fraction, low: bool) -> e.Expr:
        """Return an expression that tests whether the rounded odds are below `key` if `low`, else above it.

        `key`: the first key if `low`, else the last.
        """
        op = "lt" if low else "gt"
        over = build.build_flag(op, build.build_whole("mul", large, key.denominator), key.numerator)
        under = build.build_flag(op, key.denominator, build.build_whole("mul", large, key.numerator))
        none = build.build_const(0 < key if low else 0 > key, t.FLAG)
        return build.choose(odds.is_large, over, build.choose(build.build_flag("eq", large, 0), none, under))

    return (
        build.build_if(bad, build.build_return(build.build_const(NO_COLUMN))),
        build.assign(large, whole),
        build.build_if(beyond(keys[0], True), build.build_return(_get_past_end(axis, True, build))),
        build.build_if(beyond(keys[-1], False), build.build_return(_get_past_end(axis, False, build))),
        build.build_return(_build_column(axis, keys, odds)),
    )


def _build_column(axis: Axis, keys: list[Fraction], odds: _Odds) -> e.Expr:
    """Return an expression for the column that exact odds are rounded to; the last column is tested first.

    `keys`: the odds of the columns, ascending.
    """
    build, last = odds.build, len(keys) - 1
    column: e.Expr = build.build_const(0)  # below all keys
    for low, key in enumerate(keys):
        here: e.Expr = build.build_const(low)
        if low < last and axis.rounding not in ("for_defender", "down"):
            nearer: e.Expr = build.build_const(low + 1)
            if axis.rounding != "up":
                middle = (key + keys[low + 1]) / 2
                inverse = 2 / (1 / key + 1 / keys[low + 1]) if key else Fraction(0)
                is_nearer = build.choose(odds.is_large, odds.compare("ge", middle), odds.compare("gt", inverse))
                nearer = build.choose(is_nearer, nearer, here)
            here = build.choose(odds.compare("eq", key), here, nearer)
        column = build.choose(odds.compare("ge", key), here, column)
    return column


def list_axes(core: n.LookUp | n.HasCell) -> tuple[tuple[tuple[n.Core, ...], n.Core | None], ...]:
    """Return for each axis of a lookup: the expressions it is read by (two for a ratio), and its shift or None."""
    axes: list[tuple[tuple[n.Core, ...], n.Core | None]] = []
    for axis in core.axes:
        shift: n.Core | None = None
        match axis:
            case n.Operation("shifted", (value, by)):
                axis, shift = value, by
        match axis:
            case n.Operation("list", (attack, defence)):
                axes.append(((attack, defence), shift))
            case _:
                axes.append(((axis,), shift))
    return tuple(axes)
