"""Code generation for the places that pass a test, as a bit set."""

from __future__ import annotations

import ast
from typing import Any

from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.expressions.loops import found_once, loop_before
from interpreter.compiler.optimising.flattening import all_of
from interpreter.compiler.optimising.spreading.spotting import (
    Among,
    Anywhere,
    Asked,
    Fixed,
    Joined,
    Occupied,
    Other,
    Spots,
    Spotter,
    spots_key,
)
from interpreter.compiler.python_syntax import call_of, constant, expression, function, name, row, statements, stored
from interpreter.diagnostics.source_text import Span
from interpreter.model import expressions as n, types as t


def spotting(x: Emitter, spotter: Spotter) -> tuple[ast.stmt, Span]:
    """`spots_name(G, ...)`: the places that a define holds for, remembered like the define."""
    define = spotter.define
    params = ["v_" + param for param, _ in define.params[:-1]]
    key = row([name(p) for p in params])
    with x.elsewhere():
        value = bits(x, spotter.spots, define.span)
        before = x.pre or [ast.Pass()]
    text = (
        "_m = G.memo.get(_4)\nif _m is None: _m = G.memo[_4] = {}\n"
        "_k = _1\n_r = _m.get(_k)\nif _r is not None: return _r\n_2\n_r = _m[_k] = _3\nreturn _r"
    )
    body = statements(text, key, before, value, constant(spots_key(define.name)))
    return function("spots_" + define.name, ["G", *params], body, define.span), define.span


def bits(x: Emitter, spots: Spots, span: Span) -> Any:
    """Return the expression of a set of places; loops over pieces are emitted before it."""
    match spots:
        case Fixed(place, test):
            places = n.Things("place", None, t.SetType(t.PLACE), test.span)
            return found_once(x, "SPOTS_", place, places, [test], "_bits_of")
        case Anywhere(test):
            return expression("ALL_BITS if _1 else 0", x.plainly(test))
        case Among(places):
            return expression("_bits_of(_1)", x.plainly(places))
        case Asked(define, args):
            return call_of("spots_" + define, name("G"), *(x.plainly(a) for a in args))
        case Joined(sort, parts):
            made = [bits(x, part, span) for part in parts]
            found = made[0]
            for further in made[1:]:
                found = ast.BinOp(found, ast.BitAnd() if sort == "and" else ast.BitOr(), further)
            return found
        case Other(part):
            return expression("ALL_BITS ^ _1", bits(x, part, span))
        case Occupied():
            return _occupied(x, spots, span)


def _occupied(x: Emitter, spots: Occupied, span: Span) -> Any:
    assert x.pre is not None
    found, piece = x.temporary(), t.ThingType("piece", spots.cls)
    x.pre.extend(statements("_1 = 0", stored(found)))

    def noted() -> list[ast.stmt]:
        return statements("_1 |= 1 << G.at[_2]", stored(found), x.emit(n.CheckedLocal(spots.piece, piece, span)))

    pieces = n.Things("piece", spots.cls, t.SetType(piece), span)
    where = all_of(list(spots.tests), span) if spots.tests else None
    loop_before(x, spots.piece, pieces, where, noted, x.efforts.charge(pieces, where))
    return name(found)
