"""Parts of a checked expression: operation, operands and type.

The only module of the witness that knows the shape of checked expressions. Evaluates nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from interpreter.checker.operations import COMPARISONS
from interpreter.diagnostics.source_text import Span
from interpreter.model import expressions as n
from interpreter.model.types import Type
from interpreter.runtime.builtins.registry import BUILTINS


class Opened(NamedTuple):
    """An expression taken apart: the operation, as `values.OPERATIONS` names it, and its arguments."""

    op: str
    args: tuple[Any, ...]
    type: Type
    span: Span


_CALLS = {"draft": "possible"}
_NAMED = {"not in": "notin", "on_map": "onmap"}
_OF_THE_LANGUAGE = {*BUILTINS, "min_of", "max_of", "opponent"} - {"highest_level"}


def opened(core: n.Core) -> Opened:
    """Return the parts of a checked expression."""
    op, args = _parts(core)
    return Opened(op, args, core.type, core.span)


def _parts(core: n.Core) -> tuple[str, tuple[Any, ...]]:
    match core:
        case n.Literal(value):
            return "const", (value,)
        case n.CheckedLocal(name):
            return "local", (name,)
        case n.Things(kind, cls):
            return "all", (kind, cls)
        case n.AttributeOf(kind, name, owner):
            return "attr", (kind, name, owner)
        case n.CheckedPiecesAt(cls, place):
            return "pieces_at", (cls, place)
        case n.GameValue(name):
            return "game", (name,)
        case n.Operation(name, operands) if name in COMPARISONS:
            return "cmp", (name, *operands)
        case n.Operation(name, operands) if name in _OF_THE_LANGUAGE:
            return "builtin", (name, *operands)
        case n.Operation(name, operands):
            return _NAMED.get(name, name), operands
        case n.CheckedCall(sort, name, args):
            return _CALLS.get(sort, sort), (name, *args)
        case n.LookUp(table, axes):
            return "table", (table, *axes)
        case n.HasCell(table, axes):
            return "hascell", (table, *axes)
        case n.Playing(option):
            return "playing", (option,)
        case n.CanAdvance(kind, name, owner):
            return "canadvance", (kind, name, owner)
        case n.Comprehension(sort, var, domain, where, result, extreme, measure):
            return "former", (sort, var, domain, where, result, extreme, measure)
        case n.CheckedSearch(sort, start, goal, within, var, previous, where, cost):
            return "search", (sort, start, goal, within, var, previous, where, cost)
        case n.CheckedClosure(start, everything, first, second, where):
            return "closure", (start, everything, first, second, where)
        case n.CheckedMakeRecord(identifier, items):
            return "record", (identifier, *items)
        case n.FieldAccess(record, index):
            return "field", (record, index)
        case n.RecordUpdate(record, indices, values):
            return "with", (record, tuple(zip(indices, values, strict=True)))
        case n.HoldingPlace(first, count, owner, word):
            return "holding", (first, count, owner, word)
    return type(core).__name__, ()
