"""Charts: a look-up becomes a call of a function that finds the row on each axis and reads the cell.

Row functions return the index of a row, or one of the codes below.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from interpreter.diagnostics.source_text import Span
from interpreter.ir import expression_records as e, statement_records as s
from interpreter.lowering.lowering_context import Context, Names
from interpreter.lowering.value_types import NotLoweredError, maybe, present
from interpreter.model import expressions as n, types as t
from interpreter.model.ruleset import Axis, Table

REFUSED, BELOW, ABOVE, NO_COLUMN = -1, -2, -3, -4
Params = tuple[tuple[str, t.Type], ...]


def look_up(
    cx: Context,
    table: str,
    axes: tuple[tuple[e.Expr, ...], ...],
    moves_on: tuple[e.Expr | None, ...],
    asks: bool,
    type_: t.Type,
    span: Span,
) -> e.Expr:
    """Return the lookup of a chart, or with `asks` the test that it has a cell; a ratio has two values in `axes`."""
    params: list[tuple[str, t.Type]] = []
    args: list[e.Expr] = []
    declared = cx.ruleset.tables[table]
    result: t.Type = t.FLAG if asks else maybe(declared.type) if declared.blanks else declared.type
    if all(is_complete(cx, axis, values) for axis, values in zip(declared.axes, axes, strict=True)):
        return _cell(cx, declared, axes, asks, result, span)
    for number, (axis, values, shift) in enumerate(zip(declared.axes, axes, moves_on, strict=True)):
        for part, value in enumerate(values):
            wanted = _operand_type(axis, value)
            params.append((f"axis{number}_{part}", wanted))
            args.append(cx.convert(value, wanted))
        if shift is not None:
            params.append((f"shift{number}", t.INT))
            args.append(shift)
    kinds = "".join("n" if isinstance(present(ty), t.NumberType) else "" for _, ty in params)
    shifted = "".join(str(number) for number, shift in enumerate(moves_on) if shift is not None)
    name = "_".join(part for part in ("has" if asks else "look", table, kinds, shifted and "by" + shifted) if part)
    cx.define(
        name,
        tuple(params),
        result,
        span,
        lambda names: _body(cx, declared, names, tuple(params), moves_on, asks, result, span),
        _origin(table, asks),
    )
    return e.Call(name, tuple(args), result, span)


def is_complete(cx: Context, axis: Axis, values: tuple[e.Expr, ...]) -> bool:
    """Return whether every possible value on an axis has a row."""
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


def _cell(
    cx: Context, table: Table, axes: tuple[tuple[e.Expr, ...], ...], asks: bool, result: t.Type, span: Span
) -> e.Expr:
    """Return the cell of a chart whose axes always have a row, without a function."""
    rows = tuple(
        e.IndexOf(values[0], tuple(axis.keys), t.INT, span) for axis, values in zip(table.axes, axes, strict=True)
    )
    sizes = tuple(len(axis.keys) for axis in table.axes)
    return e.StaticItem(_cells(cx, table, asks, result), rows, sizes, result, span)


def _cells(cx: Context, table: Table, asks: bool, result: t.Type) -> e.StaticTable:
    """Return the cells of a chart, or whether there is one for each row."""
    keys = tuple(product(*(range(len(axis.keys)) for axis in table.axes)))
    if asks:
        has = lambda: tuple(key in table.cells for key in keys)  # noqa: E731
        return cx.static("has_" + table.id, has, t.FLAG, _origin(table.id, asks))
    cells = lambda: tuple(table.cells.get(key) for key in keys)  # noqa: E731
    return cx.static("cells_" + table.id, cells, result, _origin(table.id, asks))


def _origin(table: str, asks: bool) -> e.Origin:
    """Return the chart that a lookup, or a test for a cell, reads."""
    return e.Origin("chart question" if asks else "chart", table)


def _operand_type(axis: Axis, value: e.Expr) -> t.Type:
    """Return the type by which an axis is read; one of keys takes missing values, which have no row."""
    if axis.sort == "ratio":
        return t.NUMBER
    return maybe(value.type) if axis.sort == "keys" else present(value.type)


def _body(
    cx: Context,
    table: Table,
    names: Names,
    params: Params,
    moves_on: tuple[e.Expr | None, ...],
    asks: bool,
    result: t.Type,
    span: Span,
) -> s.Body:
    """Return the statements of a lookup: the rows in order, the results beyond the ends, then the cell."""
    out: list[s.Stmt] = []
    rows: list[e.Expr] = []
    for number, axis in enumerate(table.axes):
        row: e.Expr = cx.names.variable(f"row{number}", t.INT, span)
        values = tuple(names[name] for name, _ in params if name.startswith(f"axis{number}_"))
        out.append(s.Assign(_name(row), _row(cx, table, number, values, span), span))
        if moves_on[number] is not None:
            moved = e.Apply("add", (row, names[f"shift{number}"]), t.INT, span)
            new = cx.names.variable(f"moved{number}", t.INT, span)
            body: s.Body = (
                s.Assign(new.name, moved, span),
                s.If(
                    _compare("lt", new, 0, span),
                    (s.Assign(_name(row), _past(axis, True, span), span),),
                    (
                        s.If(
                            _compare("ge", new, len(axis.keys), span),
                            (s.Assign(_name(row), _past(axis, False, span), span),),
                            (s.Assign(_name(row), new, span),),
                            span,
                        ),
                    ),
                    span,
                ),
            )
            out.append(s.If(_compare("ge", row, 0, span), body, (), span))
        out.append(s.If(_compare("lt", row, 0, span), _beyond(table, axis, row, asks, result, span), (), span))
        rows.append(row)
    sizes = tuple(len(axis.keys) for axis in table.axes)
    out.append(s.Return(e.StaticItem(_cells(cx, table, asks, result), tuple(rows), sizes, result, span), span))
    return tuple(out)


def _name(local: e.Expr) -> str:
    assert isinstance(local, e.Local)
    return local.name


def _beyond(table: Table, axis: Axis, row: e.Expr, asks: bool, result: t.Type, span: Span) -> s.Body:
    """Return the statements for a row code that denotes a value past an end of an axis."""
    out: list[s.Stmt] = []
    for code, policy in ((BELOW, axis.below), (ABOVE, axis.above)):
        if isinstance(policy, tuple):
            value: e.Expr = e.Const(True, t.FLAG, span) if asks else e.Const(policy[1], result, span)
            out.append(s.If(_compare("eq", row, code, span), (s.Return(value, span),), (), span))
    if asks:
        out.append(s.Return(e.Const(False, t.FLAG, span), span))
    else:
        out.append(s.Fail("no row", span))
    return tuple(out)


def _compare(op: str, value: e.Expr, number: int, span: Span) -> e.Expr:
    return e.Apply(op, (value, e.Const(number, t.INT, span)), t.FLAG, span)


def _integer(value: int, span: Span) -> e.Expr:
    return e.Const(value, t.INT, span)


def _past(axis: Axis, low: bool, span: Span) -> e.Expr:
    """Return the row, or the result code, for a lookup beyond one end of an axis."""
    policy = axis.below if low else axis.above
    if policy == "clamp":
        return _integer(0 if low else len(axis.keys) - 1, span)
    return _integer((BELOW if low else ABOVE) if isinstance(policy, tuple) else REFUSED, span)


def _choose(test: e.Expr, yes: e.Expr, no: e.Expr, span: Span) -> e.Expr:
    return e.Choose(test, yes, no, t.INT, span)


def _both(*tests: e.Expr, span: Span) -> e.Expr:
    return tests[0] if len(tests) == 1 else e.Logic("and", tests, t.FLAG, span)


def _row(cx: Context, table: Table, number: int, values: tuple[e.Expr, ...], span: Span) -> e.Expr:
    """Return the row of one axis."""
    axis = table.axes[number]
    if axis.sort == "keys":
        return _key_row(cx, axis, values[0], span)
    if axis.sort == "ratio":
        name = f"row_{table.id}_{number}"
        params: Params = (("attack", t.NUMBER), ("defence", t.NUMBER))
        cx.define(name, params, t.INT, span, lambda names: _ratio(cx, axis, names["attack"], names["defence"], span))
        return e.Call(name, values, t.INT, span)
    return _range_row(axis, values[0], span) if axis.sort == "range" else _band_row(axis, values[0], span)


def _key_row(cx: Context, axis: Axis, value: e.Expr, span: Span) -> e.Expr:
    if isinstance(present(value.type), t.IntType | t.NumberType) and cx.efforts is None:
        raise NotLoweredError("an axis of numbers as keys", span)
    return e.IndexOf(value, tuple(axis.keys), t.INT, span)


def _range_row(axis: Axis, value: e.Expr, span: Span) -> e.Expr:
    low, high = axis.keys[0], axis.keys[-1]
    if tuple(axis.keys) != tuple(range(low, high + 1)):
        found = _past(axis, False, span)
        found = _choose(_less(value, low, span), _past(axis, True, span), found, span)
        for row, key in reversed(list(enumerate(axis.keys))):
            found = _choose(_at(value, key, span), _integer(row, span), found, span)
        return found
    inside = _both(_at_least(value, low, span), _at_most(value, high, span), span=span)
    number: e.Expr = value
    if isinstance(value.type, t.NumberType):
        number = e.Apply("floor", (value,), t.INT, span)
        whole = e.Apply("eq", (e.Apply("widen", (number,), t.NUMBER, span), value), t.FLAG, span)
        inside = _both(inside, whole, span=span)
    index = e.Apply("sub", (number, _integer(low, span)), t.INT, span)
    past = _choose(_less(value, low, span), _past(axis, True, span), _past(axis, False, span), span)
    return _choose(inside, index, past, span)


def _bound(value: e.Expr, number: int | Fraction, span: Span) -> tuple[e.Expr, e.Expr]:
    """Return a value and a number as operands of one type."""
    if isinstance(value.type, t.IntType) and isinstance(number, Fraction) and number.denominator != 1:
        return e.Apply("widen", (value,), t.NUMBER, span), e.Const(number, t.NUMBER, span)
    return value, e.Const(number, value.type, span)


def _less(value: e.Expr, number: int | Fraction, span: Span) -> e.Expr:
    return e.Apply("lt", _bound(value, number, span), t.FLAG, span)


def _at(value: e.Expr, number: int | Fraction, span: Span) -> e.Expr:
    return e.Apply("eq", _bound(value, number, span), t.FLAG, span)


def _at_least(value: e.Expr, number: int | Fraction, span: Span) -> e.Expr:
    return e.Apply("ge", _bound(value, number, span), t.FLAG, span)


def _at_most(value: e.Expr, number: int | Fraction, span: Span) -> e.Expr:
    return e.Apply("le", _bound(value, number, span), t.FLAG, span)


def _band_row(axis: Axis, value: e.Expr, span: Span) -> e.Expr:
    first = axis.keys[0][0]
    found = _past(axis, False, span)
    if first is not None:
        found = _choose(_at_most(value, first, span), _past(axis, True, span), found, span)
    for row, (low, low_closed, high, high_closed) in reversed(list(enumerate(axis.keys))):
        tests: list[e.Expr] = []
        if low is not None:
            tests.append(
                _at_least(value, low, span) if low_closed else e.Apply("gt", _bound(value, low, span), t.FLAG, span)
            )
        if high is not None:
            tests.append(_at_most(value, high, span) if high_closed else _less(value, high, span))
        found = _choose(_both(*tests, span=span), _integer(row, span), found, span) if tests else _integer(row, span)
    return found


# --- odds -------------------------------------------------------------------------------------------


def _times(value: e.Expr, number: int, span: Span) -> e.Expr:
    return value if number == 1 else e.Apply("mul", (value, e.Const(number, t.NUMBER, span)), t.NUMBER, span)


def _odds_compare(op: str, attack: e.Expr, defence: e.Expr, key: Fraction, span: Span) -> e.Expr:
    """Compare attack : defence with a fraction, without dividing."""
    return e.Apply(op, (_times(attack, key.denominator, span), _times(defence, key.numerator, span)), t.FLAG, span)


def _ratio(cx: Context, axis: Axis, attack: e.Expr, defence: e.Expr, span: Span) -> s.Body:
    """Return the body of a row function of odds; see `ChartAxis` of the runtime for its rules."""
    keys = [Fraction(key) for key in axis.keys]
    zero = e.Const(0, t.NUMBER, span)
    bad = e.Logic(
        "or",
        (e.Apply("le", (defence, zero), t.FLAG, span), e.Apply("lt", (attack, zero), t.FLAG, span)),
        t.FLAG,
        span,
    )
    large = cx.names.variable("whole", t.INT, span)  # n of n : 1, or of 1 : n; 0 where there is no attack
    up_div, down_div = {"up": ("ceil_div", "floor_div"), "near": ("near_div", "near_div")}.get(
        axis.rounding, ("floor_div", "ceil_div")
    )
    is_large = e.Apply("ge", (attack, defence), t.FLAG, span)
    small = e.Apply(down_div, (defence, attack), t.INT, span)
    if axis.rounding == "up":
        small = e.Apply("max_of", (small, _integer(1, span)), t.INT, span)
    whole = _choose(
        is_large,
        e.Apply(up_div, (attack, defence), t.INT, span),
        _choose(e.Apply("gt", (attack, zero), t.FLAG, span), small, _integer(0, span), span),
        span,
    )

    def beyond(key: Fraction, low: bool) -> e.Expr:
        """Return the test whether the rounded odds are beyond an end of the chart."""
        op = "lt" if low else "gt"
        over = e.Apply(
            op,
            (e.Apply("mul", (large, _integer(key.denominator, span)), t.INT, span), _integer(key.numerator, span)),
            t.FLAG,
            span,
        )
        under = e.Apply(
            op,
            (_integer(key.denominator, span), e.Apply("mul", (large, _integer(key.numerator, span)), t.INT, span)),
            t.FLAG,
            span,
        )
        none = e.Const(0 < key if low else 0 > key, t.FLAG, span)
        is_none = e.Apply("eq", (large, _integer(0, span)), t.FLAG, span)
        return e.Choose(is_large, over, e.Choose(is_none, none, under, t.FLAG, span), t.FLAG, span)

    column = _column(axis, keys, attack, defence, is_large, span)
    return (
        s.If(bad, (s.Return(_integer(NO_COLUMN, span), span),), (), span),
        s.Assign(large.name, whole, span),
        s.If(beyond(keys[0], True), (s.Return(_past(axis, True, span), span),), (), span),
        s.If(beyond(keys[-1], False), (s.Return(_past(axis, False, span), span),), (), span),
        s.Return(column, span),
    )


def _column(axis: Axis, keys: list[Fraction], attack: e.Expr, defence: e.Expr, is_large: e.Expr, span: Span) -> e.Expr:
    """Return the column that exact odds are rounded to, tried from the last one down."""
    last = len(keys) - 1
    found = _integer(0, span)  # below all keys
    for low, key in enumerate(keys):
        here: e.Expr = _integer(low, span)
        if low < last and axis.rounding not in ("for_defender", "down"):
            following = _integer(low + 1, span)
            if axis.rounding == "up":
                nearer: e.Expr = following
            else:
                middle = (key + keys[low + 1]) / 2
                inverse = 2 / (1 / key + 1 / keys[low + 1]) if key else Fraction(0)
                nearer = _choose(
                    e.Choose(
                        is_large,
                        _odds_compare("ge", attack, defence, middle, span),
                        _odds_compare("gt", attack, defence, inverse, span),
                        t.FLAG,
                        span,
                    ),
                    following,
                    here,
                    span,
                )
            here = _choose(_odds_compare("eq", attack, defence, key, span), here, nearer, span)
        found = _choose(_odds_compare("ge", attack, defence, key, span), here, found, span)
    return found


def axes_of(core: n.LookUp | n.HasCell) -> tuple[tuple[tuple[n.Core, ...], n.Core | None], ...]:
    """Return for each axis the expressions it is read by (two for a ratio) and that of its shift."""
    found: list[tuple[tuple[n.Core, ...], n.Core | None]] = []
    for axis in core.axes:
        shift: n.Core | None = None
        match axis:
            case n.Operation("shifted", (value, by)):
                axis, shift = value, by
        match axis:
            case n.Operation("list", (attack, defence)):
                found.append(((attack, defence), shift))
            case _:
                found.append(((axis,), shift))
    return tuple(found)
