"""The functions of a define that marks places: one pass over the pieces. Must not choose which defines do."""

from __future__ import annotations

import ast
from typing import Any

from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.optimising.marking import Marker, marks_key
from interpreter.compiler.python_syntax import (
    constant,
    expression,
    function,
    located,
    name,
    statements,
    stored,
    tuple_of,
)
from interpreter.source.text import Span


def marking(x: Emitter, m: Marker) -> list[tuple[ast.stmt, Span]]:
    """`marks_name(G)` gives the marked places (by the other parameter, if there is one); `d_name` asks one place."""
    asked = expression(
        "_1 in marks_" + m.define + ("(G)[_2]" if m.other else "(G)"), name("v_" + m.place), name("v_" + str(m.other))
    )
    given = [*(["v_" + m.other] if m.other else []), "v_" + m.place]
    made: list[Any] = [
        *statements(f"NEAR_{m.define} = {{}}\nROWS_{m.define} = []"),
        _rows(x, m),
        _near(x, m),
        function("marks_" + m.define, ["G"], _pass(x, m), m.span),
        function("d_" + m.define, ["G", *given], [ast.Return(asked)], m.span),
    ]
    return [(located(node, m.span), m.span) for node in made]


def _pass(x: Emitter, m: Marker) -> list[ast.stmt]:
    """One pass over the pieces that may mark at all."""
    here = name("v_" + m.here)
    now_names = [name("v_" + n) for n, _ in m.atoms if n in m.atoms_now]
    key = tuple_of([here, *now_names]) if now_names else here
    call = ast.Call(name("near_" + m.define), [here, *(name("v_" + n) for n, _ in m.atoms)], [])
    found = statements("_h = _near.get(_1)\nif _h is None: _h = _near[_1] = _2", key, call)
    if m.other is None:
        mark, empty, told = statements("_t.append(_h)"), expression("[]"), expression("{*()}.union(*_t)")
    else:
        empty = expression("{_o: [] for _o in ALL_" + str(m.kind) + "}")
        told = expression("{_o: {*()}.union(*_l) for _o, _l in _t.items()}")
        marked = x.tested(list(m.sided_now), statements("_t[_1].append(_h)", name("v_" + m.other)))
        mark = [ast.If(name("_h"), [ast.For(stored("v_" + m.other), name("_others"), marked, [])], [])]
    now = [ast.Assign([stored("v_" + n)], x.emit(a)) for n, a in m.atoms if n in m.atoms_now]
    body = [
        ast.Assign([stored("v_" + m.here)], expression("G.at[_1]", name("v_" + m.piece))),
        *x.tested(list(m.own_now), [*now, *found, *mark]),
    ]
    loop = ast.For(_row(m, ast.Store()), expression(f"ROWS_{m.define} or rows_{m.define}()"), body, [])
    return statements(
        "_t = G.memo.get(_1)\nif _t is not None: return _t\n_t = _2\n_3\n_t = G.memo[_1] = _4\nreturn _t",
        constant(marks_key(m.define)),
        empty,
        [loop],
        told,
    )


def _row(m: Marker, context: Any) -> Any:
    """A piece, the values of it that never change, what the other parameter can be for it, what it marks from where."""
    names = ["v_" + m.piece, *("v_" + n for n, _ in m.atoms if n not in m.atoms_now), "_others", "_near"]
    return ast.Tuple([ast.Name(n, context) for n in names], context)


def _rows(x: Emitter, m: Marker) -> ast.stmt:
    """`rows_name`: the pieces that may mark, whatever the position."""
    constants = [ast.Assign([stored("v_" + n)], x.emit(a)) for n, a in m.atoms if n not in m.atoms_now]
    others: list[ast.stmt] = statements("_others = ()")
    if m.other is not None:
        others = [
            *statements("_others = []"),
            ast.For(
                stored("v_" + m.other),
                name(f"ALL_{m.kind}"),
                x.tested(list(m.sided), statements("_others.append(_1)", name("v_" + m.other))),
                [],
            ),
        ]
    kept = tuple_of([name("v_" + n) for n, _ in m.atoms if n not in m.atoms_now])
    near = statements(
        f"_near = NEAR_{m.define}.get(_1)\nif _near is None: _near = NEAR_{m.define}[_1] = _2", kept, expression("{}")
    )
    noted = [*constants, *others, *near, *statements(f"ROWS_{m.define}.append(_1)", _row(m, ast.Load()))]
    loop = ast.For(
        stored("v_" + m.piece), name("CLASS_" + m.cls if m.cls else "ALL_piece"), x.tested(list(m.own), noted), []
    )
    return function("rows_" + m.define, [], [loop, *statements(f"return ROWS_{m.define}")], m.span)


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
