"""Code generation for a define that marks places: one pass over the pieces."""

from __future__ import annotations

import ast
from typing import Any

from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.optimising.marking import Marker, marks_key
from interpreter.compiler.python_syntax import (
    assigned,
    call_of,
    constant,
    expression,
    function,
    located,
    name,
    statements,
    stored,
    tuple_of,
)
from interpreter.diagnostics.source_text import Span


def marking(x: Emitter, m: Marker) -> list[tuple[ast.stmt, Span]]:
    """Compile `marks_name(G)`, or `marks_name(G, v)` with the other parameter; `d_name` tests one place."""
    called = expression(f"marks_{m.define}(_1)", name("G"))
    called.args += [name("v_" + m.other)] if m.other else []
    asked = expression("_1 in _2", name("v_" + m.place), called)
    given = ["G", *(["v_" + m.other] if m.other else [])]
    made: list[Any] = [
        *statements(f"NEAR_{m.define} = {{}}\nROWS_{m.define} = " + ("{}" if m.other else "[]")),
        _rows(x, m),
        _near(x, m),
        function("marks_" + m.define, given, _pass(x, m), m.span),
        function("d_" + m.define, [*given, "v_" + m.place], [ast.Return(asked)], m.span),
    ]
    return [(located(node, m.span), m.span) for node in made]


def _pass(x: Emitter, m: Marker) -> list[ast.stmt]:
    """One pass over the pieces that may mark at all."""
    here = name("v_" + m.here)
    now_names = [name("v_" + n) for n, _ in m.atoms if n in m.atoms_now]
    key = tuple_of([here, *now_names]) if now_names else here
    call = call_of("near_" + m.define, here, *(name("v_" + n) for n, _ in m.atoms))
    found = statements("_h = _near.get(_1)\nif _h is None: _h = _near[_1] = _2", key, call)
    now = [assigned("v_" + n, x.emit(a)) for n, a in m.atoms if n in m.atoms_now]
    marked = statements("if _h: _t.append(_h)") if m.other else statements("_t.append(_h)")
    body = [
        assigned("v_" + m.here, expression("G.at[_1]", name("v_" + m.piece))),
        *x.tested([*m.own_now, *m.sided_now], [*now, *found, *marked]),
    ]
    rows = expression(f"ROWS_{m.define} or rows_{m.define}()")
    if m.other is not None:
        rows = expression("(_1)[_2]", rows, name("v_" + m.other))
    loop = ast.For(_row(m, ast.Store()), rows, body, [])
    if m.other is None:
        return statements(
            "_t = G.memo.get(_1)\nif _t is not None: return _t\n"
            "_t = []\n_2\n_t = G.memo[_1] = {*()}.union(*_t)\nreturn _t",
            constant(marks_key(m.define)),
            [loop],
        )
    return statements(
        "_m = G.memo.get(_1)\nif _m is None: _m = G.memo[_1] = {}\n_t = _m.get(_2)\nif _t is not None: return _t\n"
        "_t = []\n_3\n_t = _m[_2] = {*()}.union(*_t)\nreturn _t",
        constant(marks_key(m.define)),
        name("v_" + m.other),
        [loop],
    )


def _row(m: Marker, context: Any) -> Any:
    """Return a row of the table: a piece, its constant values, and what it marks from where."""
    names = ["v_" + m.piece, *("v_" + n for n, _ in m.atoms if n not in m.atoms_now), "_near"]
    return ast.Tuple([ast.Name(n, context) for n in names], context)


def _rows(x: Emitter, m: Marker) -> ast.stmt:
    """Compile `rows_name`: the pieces that may mark in any position, by the value of the other parameter."""
    constants = [assigned("v_" + n, x.emit(a)) for n, a in m.atoms if n not in m.atoms_now]
    kept = tuple_of([name("v_" + n) for n, _ in m.atoms if n not in m.atoms_now])
    near = statements(
        f"_near = NEAR_{m.define}.get(_1)\nif _near is None: _near = NEAR_{m.define}[_1] = _2", kept, expression("{}")
    )
    noted = statements(f"ROWS_{m.define}.append(_1)", _row(m, ast.Load()))
    begun: list[ast.stmt] = []
    if m.other is not None:
        other = name("v_" + m.other)
        begun = statements(f"for _o in ALL_{m.kind}: ROWS_{m.define}[_o] = []")
        row = statements(f"ROWS_{m.define}[_1].append(_2)", other, _row(m, ast.Load()))
        noted = [ast.For(stored("v_" + m.other), name(f"ALL_{m.kind}"), x.tested(list(m.sided), row), [])]
    body = x.tested(list(m.own), [*constants, *near, *noted])
    loop = ast.For(stored("v_" + m.piece), name("CLASS_" + m.cls if m.cls else "ALL_piece"), body, [])
    return function("rows_" + m.define, [], [*begun, loop, *statements(f"return ROWS_{m.define}")], m.span)


def _near(x: Emitter, m: Marker) -> ast.stmt:
    """`near_name`: the neighbours that a piece with these values marks."""
    row = x.tested(list(m.near), statements("_out.append(_1)", name("v_" + m.place)))
    loop = ast.For(stored("v_" + m.place), expression("NEIGHBOURS[_1]", name("v_" + m.here)), row, [])
    return function(
        "near_" + m.define,
        ["v_" + m.here, *("v_" + n for n, _ in m.atoms)],
        [*statements("_out = []"), loop, *statements("return tuple(_out)")],
        m.span,
    )
