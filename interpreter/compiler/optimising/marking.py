"""Defines that ask what stands around a place -> one pass over the pieces that marks every such place.

`any n in neighbours(h) where any u in units at n where ...` is asked of many places in one position. Who stands
next to a place is found sooner from the pieces than from each place, and which of a piece's neighbours it can
mark is kept for good where only the map, the charts and a few values of the piece decide it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.checker.operations import Judged, Known, may_fault
from interpreter.compiler.optimising.analysis import needs_state
from interpreter.compiler.optimising.flattening import Flattener, TooLong, conjuncts, is_finite
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
from interpreter.model import nodes as n
from interpreter.model import types as t
from interpreter.model.core import CheckedDefine, CheckedModel, Core
from interpreter.model.nodes import free, rebuilt, said
from interpreter.source.text import Span

if TYPE_CHECKING:
    from interpreter.compiler.expression_code import Emitter


@dataclass(frozen=True, slots=True)
class Marker:
    """Pieces `piece` (of class `cls`) at `here` mark neighbours `place`; each group of tests reads only what it may.

    `own` read the piece, `sided` also the define's other parameter `other` (of kind `kind`), `near` the place but
    nothing that changes beyond `atoms` (names for values of the piece). Those that read what changes in play are
    `own_now`, `sided_now` and the atoms named in `atoms_now`.
    """

    define: str
    cls: str | None
    piece: str
    here: str
    place: str
    other: str | None
    kind: str | None
    own: tuple[Core, ...]
    own_now: tuple[Core, ...]
    sided: tuple[Core, ...]
    sided_now: tuple[Core, ...]
    near: tuple[Core, ...]
    atoms: tuple[tuple[str, Core], ...]
    atoms_now: frozenset[str]
    span: Span


def marks_key(define: str) -> str:
    """The name by which a position remembers the marks of a define; no define has it."""
    return f"marks {define}"


def find_markers(model: CheckedModel, names: frozenset[str], static: frozenset[str]) -> dict[str, Marker]:
    """Those of the defines that can be worked out from the pieces."""
    flattener = Flattener(model, frozenset(), frozenset())
    out: dict[str, Marker] = {}
    for called in sorted(names):
        try:
            found = _marker(model, flattener, model.defines[called], static)
        except TooLong:
            found = None
        if found is not None:
            out[called] = found
    return out


def _marker(model: CheckedModel, flattener: Flattener, d: CheckedDefine, static: frozenset[str]) -> Marker | None:
    known: Known = {}
    judged: Judged = {}

    def is_dynamic(core: Core) -> bool:
        return needs_state(model, core, static, known)

    if not isinstance(d.type, t.Flag) or not 1 <= len(d.params) <= 2 or d.params[-1][1] != t.PLACE:
        return None
    place = d.params[-1][0]
    other, kind = None, None
    if len(d.params) == 2:
        other, type_ = d.params[0]
        if not isinstance(type_, t.ThingOf) or type_.kind in ("piece", "place"):
            return None
        kind = type_.kind
    found = _pieces_around(flattener.flat(d.value), place)
    if found is None:
        return None
    cls, piece, here, tests = found
    tests = [_standing(x, piece, here) for x in tests]
    if any(may_fault(model, x, judged) for x in tests):
        return None
    own: list[Core] = []
    sided: list[Core] = []
    near: list[Core] = []
    for x in tests:
        used = free(x)
        if place not in used:
            (sided if other in used else own).append(x)
        elif other in used:
            return None
        else:
            near.append(x)
    atoms: list[tuple[str, Core]] = []
    kept = [_with_atoms(x, piece, atoms) for x in near]
    if any(is_dynamic(x) or piece in free(x) for x in kept) or not all(is_finite(a.type) for _, a in atoms):
        return None

    def split(group: list[Core]) -> tuple[tuple[Core, ...], tuple[Core, ...]]:
        """Tests that no position changes, and the others."""
        now = [x for x in group if here in free(x) or is_dynamic(x)]
        return tuple(x for x in group if x not in now), tuple(now)

    atoms_now = frozenset(n for n, a in atoms if is_dynamic(a))
    return Marker(
        d.name,
        cls,
        piece,
        here,
        place,
        other,
        kind,
        *split(own),
        *split(sided),
        tuple(kept),
        tuple(atoms),
        atoms_now,
        d.span,
    )


def _pieces_around(core: Core, place: str) -> tuple[str | None, str, str, list[Core]] | None:
    """Class, name of the piece, name of where it stands, and tests of `any n in neighbours(place) where any ...`."""
    match core:
        case n.Former(
            "any",
            here,
            n.Operation("neighbours", (n.Local(around),)),
            n.Former("any", piece, domain, where, None),
            None,
        ) if around == place:
            tests = [] if where is None else conjuncts(where)
        case _:
            return None
    while isinstance(domain, n.Former) and domain.sort == "set" and not domain.result and not domain.extreme:
        inner = [] if domain.where is None else conjuncts(domain.where)
        tests = [*(_renamed(x, domain.var, piece) for x in inner), *tests]
        domain = domain.domain
    if not isinstance(domain, n.PiecesAt) or not n.is_local(domain.place, here):
        return None
    return domain.cls, piece, here, tests


def _renamed(core: Core, old: str, new: str) -> Core:
    if isinstance(core, n.Local):
        return n.Local(new, core.type, core.span) if core.name == old else core
    return rebuilt(core, lambda child: _renamed(child, old, new))


def _standing(core: Core, piece: str, here: str) -> Core:
    """The test with the place's name for where the piece stands."""
    match core:
        case n.AttributeOf("piece", "at", n.Local(owner), False) if owner == piece:
            return n.Local(here, core.type, core.span)
    return rebuilt(core, lambda child: _standing(child, piece, here))


def _with_atoms(core: Core, piece: str, atoms: list[tuple[str, Core]]) -> Core:
    """The test with names for the values of the piece that it reads."""
    match core:
        case n.AttributeOf("piece", _, n.Local(owner), False) if owner == piece:
            key = said(core)
            made = next((name for name, a in atoms if said(a) == key), None)
            if made is None:
                made = f"0_{len(atoms)}"
                atoms.append((made, core))
            return n.Local(made, core.type, core.span)
    return rebuilt(core, lambda child: _with_atoms(child, piece, atoms))


# --- code ---------------------------------------------------------------------------------------


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
    key = tuple_of([here, *(name("v_" + n) for n, _ in m.atoms)])
    call = ast.Call(name("near_" + m.define), [here, *(name("v_" + n) for n, _ in m.atoms)], [])
    found = statements(f"_h = NEAR_{m.define}.get(_1)\nif _h is None: _h = NEAR_{m.define}[_1] = _2", key, call)
    if m.other is None:
        mark, empty = statements("_t.update(_h)"), expression("{*()}")
    else:
        empty = expression("{_o: {*()} for _o in ALL_" + str(m.kind) + "}")
        mark = [
            ast.If(
                name("_h"),
                [
                    ast.For(
                        stored("v_" + m.other),
                        name("_others"),
                        x.tested(list(m.sided_now), statements("_t[_1].update(_h)", name("v_" + m.other))),
                        [],
                    )
                ],
                [],
            )
        ]
    now = [ast.Assign([stored("v_" + n)], x.emit(a)) for n, a in m.atoms if n in m.atoms_now]
    body = [
        ast.Assign([stored("v_" + m.here)], expression("G.at[_1]", name("v_" + m.piece))),
        *x.tested(list(m.own_now), [*now, *found, *mark]),
    ]
    loop = ast.For(_row(m, ast.Store()), expression(f"ROWS_{m.define} or rows_{m.define}()"), body, [])
    return statements(
        "_t = G.memo.get(_1)\nif _t is not None: return _t\n_t = _2\n_3\nG.memo[_1] = _t\nreturn _t",
        constant(marks_key(m.define)),
        empty,
        [loop],
    )


def _row(m: Marker, context: Any) -> Any:
    """A piece, the values of it that never change, and what the other parameter can be for it."""
    names = ["v_" + m.piece, *("v_" + n for n, _ in m.atoms if n not in m.atoms_now), "_others"]
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
    noted = [*constants, *others, *statements(f"ROWS_{m.define}.append(_1)", _row(m, ast.Load()))]
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
