"""Conjunctions and disjunctions in WebAssembly: without a jump where an operand costs less than one.

owner[x] == s and on_map[at[x]]     (i32.and (i32.eq (owner x) s) (on_map (at x)))
"""

from __future__ import annotations

from interpreter.backends.wasm.assembly.code_builder import c32, select_value
from interpreter.backends.wasm.assembly.encoding import Code
from interpreter.backends.wasm.emitter import Emitter
from interpreter.backends.wasm.value_encoding import is_compound
from interpreter.ir import expression_records as e
from interpreter.model import types as t

MAX_LOADS = 3  # of an operand that is evaluated rather than jumped over


def emit_logic(emitter: Emitter, expr: e.Logic) -> Code:
    """Return code for a conjunction or disjunction; an operand cheaper than a jump is evaluated unconditionally."""
    code = emitter.emit_value(expr.operands[-1])
    for number in range(len(expr.operands) - 2, -1, -1):
        test = emitter.emit_value(expr.operands[number])
        if is_cheap(emitter, expr.operands[number + 1], expr.operands[: number + 1]) and code[0] != "if":
            code = (f"i32.{expr.op}", test, code)
            continue
        code = select_value("i32", test, code, c32(0)) if expr.op == "and" else select_value("i32", test, c32(1), code)
    return code


def is_cheap(emitter: Emitter, expr: e.Expr, before: tuple[e.Expr, ...]) -> bool:
    """Return whether an operand is safe and cheap to evaluate unconditionally: a few loads that cannot fault.

    An operand that reads a value which may be missing, after one in `before` that tests that value, is not.
    """
    if emitter.effects.get_effects(expr).may_fault or _count_loads(expr) > MAX_LOADS:
        return False
    looked_at = {
        _find_source(part)
        for operand in before
        for part in e.list_descendants(operand)
        if isinstance(part.type, t.MaybeType)
    }
    return not any(_find_source(part) in looked_at for part in e.list_descendants(expr))


def _count_loads(expr: e.Expr) -> int:
    """Return the number of loads in an expression; over `MAX_LOADS` for anything but loads and comparisons."""
    match expr:
        case e.Const() | e.Local():
            own = 0
        case e.Read() | e.StaticItem() if not is_compound(expr.type):
            own = 1
        case e.Apply("not" | "eq" | "ne", operands) if not any(is_compound(o.type) for o in operands):
            own = 0
        case e.Apply("lt" | "le" | "gt" | "ge") | e.Logic():
            own = 0
        case e.Fold(sort="any" | "no", domain=e.PiecesAt(cls=None), where=None, result=None, extreme=None):
            own = 1
        case e.PiecesAt():
            own = 0
        case _:
            return MAX_LOADS + 1
    return own + sum(_count_loads(child) for child in e.list_children(expr))


def _find_source(expr: e.Expr) -> object:
    """Return the variable name, slot or table name that an expression reads at any index, else its `id`."""
    match expr:
        case e.Local(name):
            return name
        case e.Read(slot):
            return slot
        case e.StaticItem(table):
            return table.name
    return id(expr)
