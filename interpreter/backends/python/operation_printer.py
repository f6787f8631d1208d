"""Primitive operations as Python: arithmetic, comparisons, and operations on sets and lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.backends.python.printing_facts import is_endless, is_short, may_be_long
from interpreter.backends.python.python_names import format_tuple
from interpreter.ir import expression_records as e
from interpreter.model import types as t
from interpreter.model.types import strip_maybe

if TYPE_CHECKING:
    from interpreter.backends.python.expression_printer import ExpressionPrinter

_COMPARED = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_ARITHMETIC = {"add": "+", "sub": "-", "mul": "*"}
_FAULTING: dict[str, str] = {  # operations with a position in the rules, and their Python
    **{op: f"({{0}} {sign} {{1}})" for op, sign in {**_COMPARED, "in": "in", "offset": "+"}.items()},
    "abs": "abs({0})",
    "neg": "(-{0})",
    "floor": "_round_down({0})",
    "ceil": "_round_up({0})",
    "near": "_round_near({0})",
    "first": "_first({0})",
    "last": "_last({0})",
    "item": "_item({0}, {1})",
    "take": "_take({0}, {1})",
    "minus": "_minus({0}, {1})",
    "div": "_quotient({0}, {1})",
    "remainder": "({0} % ({1} or _no_divisor()))",
    "floor_div": "({0} // ({1} or _no_divisor()))",
    "ceil_div": "(-(-{0} // ({1} or _no_divisor())))",
    "near_div": "_round_near(_quotient({0}, {1}))",
}
_PLAIN = {
    "widen": "{0}",
    "as_list": "{0}",
    "not": "(not {0})",
    "is_missing": "({0} is None)",
    "is_arm": "({0}[0] == {1})",
    "arm_number": "{0}[1]",
    "first_alike": "alike_key(G, {0})",
}


def print_operation(printer: ExpressionPrinter, expr: e.Apply, is_plain: bool = False) -> str:
    """Return the code of a primitive operation. `is_plain`: the caller normalizes a fractional result."""
    if is_plain and (id(expr) in printer.known or id(expr) in printer.computed):
        return printer.print_expr(expr)
    op, operands = expr.op, expr.operands
    if op in _ARITHMETIC:
        return _print_arithmetic(printer, expr, is_plain)
    if op in _COMPARED:  # equal numbers compare alike in any form
        parts = [
            print_operation(printer, operand, True) if isinstance(operand, e.Apply) else printer.print_expr(operand)
            for operand in operands
        ]
    else:
        parts = printer.print_list(operands)
    if op == "in" and isinstance(operands[1], e.Const):
        parts[1] = _print_member_set(printer, operands[1]) or parts[1]
    elif op == "in" and may_be_long(operands[1], printer.program):
        parts[1] = f"_charge_copy({printer.state}, {parts[1]})"
    if op in _FAULTING:
        text = printer.module.mark_position(_FAULTING[op].format(*parts), expr.span)
        is_copied = op in ("minus", "take") and may_be_long(expr, printer.program)
        return f"_charge_copy({printer.state}, {text})" if is_copied else text
    if op in _PLAIN:
        return _PLAIN[op].format(*parts)
    match op:
        case "min_of" | "max_of":
            text = f"{op[:3]}({', '.join(parts)})" if len(parts) > 1 else parts[0]
            return printer.module.mark_position(text, expr.span)
        case "set":
            return format_tuple(parts) if len(parts) < 2 else f"_as_set({format_tuple(parts)})"
        case "list":
            return format_tuple(parts)
        case "range":
            return f"tuple({printer.module.mark_position(f'_range({parts[0]}, {parts[1]})', expr.span)})"
        case "unique":
            return parts[0] if isinstance(operands[0].type, t.SetType) else f"tuple(_once({parts[0]}))"
        case "union":
            return printer.module.mark_position(_print_union(printer, expr, parts), expr.span)
    raise AssertionError(op)


def _print_member_set(printer: ExpressionPrinter, constant: e.Const) -> str:
    """Return the code of a constant set of handles or words for a fast membership test, or "" if it is neither."""
    members, type_ = constant.value, strip_maybe(constant.type)
    if (
        not isinstance(members, tuple)
        or len(members) < 2
        or not all(isinstance(member, int | str) for member in members)
    ):
        return ""
    constant_name = printer.print_constant(members, type_)
    return (
        f"IS_{constant_name[6:]}" if constant_name.startswith("CLASS_") else "{" + ", ".join(map(ascii, members)) + "}"
    )


def _print_arithmetic(printer: ExpressionPrinter, expr: e.Apply, is_plain: bool) -> str:
    """Return the code of a sum, difference or product; only the outermost one normalizes a fractional result.

    `is_plain`: the caller normalizes the result.
    """
    left, right = (
        print_operation(printer, part, True)
        if isinstance(part, e.Apply) and part.op in _ARITHMETIC
        else printer.print_expr(part)
        for part in expr.operands
    )
    text = printer.module.mark_position(f"({left} {_ARITHMETIC[expr.op]} {right})", expr.span)
    if expr.op == "mul" and not any(is_short(part, printer.program, printer.static) for part in expr.operands):
        text = printer.module.mark_position(f"_require_digits({text})", expr.span)
    return print_normalized(printer, text) if isinstance(expr.type, t.NumberType) and not is_plain else text


def print_normalized(printer: ExpressionPrinter, number: str) -> str:
    """Return code that puts a number into normal form: an integral fraction becomes an integer.

    Testing the class of an integer first takes a fifth of the time of a call.
    """
    if printer.within_domain:
        return f"_normalize_number({number})"
    name = printer.create_temporary()
    return f"({name} if ({name} := {number}).__class__ is int else _normalize_number({name}))"


def _print_union(printer: ExpressionPrinter, expr: e.Apply, parts: list[str]) -> str:
    """Return the code of the union of two sets or the concatenation of two lists, with a limit on unbounded sizes.

    `parts`: the code of both operands.
    """
    if isinstance(strip_maybe(expr.type), t.ListType):
        return f"_concatenate({printer.state}, {parts[0]}, {parts[1]})"
    text = f"_union({parts[0]}, {parts[1]})"
    return f"_require_members({printer.state}, {text})" if is_endless(expr.type) else text
