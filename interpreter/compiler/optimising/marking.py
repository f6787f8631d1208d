"""Inversion of defines about neighbouring places: one pass over the pieces marks every place for which they hold.

`any n in neighbours(h) where any u in units at n where ...` is evaluated for many places in one position. Starting
from the pieces is faster than from each place, and the places that a piece can mark are memoized for good if only the
map, the charts and a few values of the piece decide them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from interpreter.checker.operations import FaultMemo, Known, may_fault
from interpreter.compiler.optimising.analysis import needs_state
from interpreter.compiler.optimising.flattening import Flattener, InliningTooLongError, conjuncts, is_finite
from interpreter.diagnostics.source_text import Span
from interpreter.model import expressions as n, types as t
from interpreter.model.expressions import canonical_form, free_names, rebuild
from interpreter.model.statements import CheckedDefine, CheckedModel, Core


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
    """Return the cache key of a define's marks; no define has this name."""
    return f"marks {define}"


def find_markers(model: CheckedModel, names: frozenset[str], static: frozenset[str]) -> dict[str, Marker]:
    """Return the defines that can be computed from the pieces."""
    known = _known(model, static)
    out: dict[str, Marker] = {}
    for called in sorted(names):
        if called not in known:
            try:
                known[called] = _marker(model, model.defines[called], static)
            except InliningTooLongError:
                known[called] = None
        found = known[called]
        if found is not None:
            out[called] = found
    return out


@lru_cache(maxsize=1)
def _known(model: CheckedModel, static: frozenset[str]) -> dict[str, Marker | None]:
    """Return the results per define so far; expressions of one model call the same defines."""
    return {}


def _marker(model: CheckedModel, d: CheckedDefine, static: frozenset[str]) -> Marker | None:
    flattener = Flattener(model, frozenset(), frozenset())
    known: Known = {}
    judged = FaultMemo()

    def is_dynamic(core: Core) -> bool:
        return needs_state(model, core, static, known)

    if not isinstance(d.type, t.FlagType) or not 1 <= len(d.params) <= 2 or d.params[-1][1] != t.PLACE:
        return None
    place = d.params[-1][0]
    other, kind = None, None
    if len(d.params) == 2:
        other, type_ = d.params[0]
        if not isinstance(type_, t.ThingType) or type_.kind in ("piece", "place"):
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
        used = free_names(x)
        if place not in used:
            (sided if other in used else own).append(x)
        elif other in used:
            return None
        else:
            near.append(x)
    atoms: list[tuple[str, Core]] = []
    kept = [_with_atoms(x, piece, atoms) for x in near]
    if any(is_dynamic(x) or piece in free_names(x) for x in kept) or not all(is_finite(a.type) for _, a in atoms):
        return None

    def split(group: list[Core]) -> tuple[tuple[Core, ...], tuple[Core, ...]]:
        """Split tests into those that are constant for all positions and the others."""
        now = [x for x in group if here in free_names(x) or is_dynamic(x)]
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
    """Match `any n in neighbours(place) where any ...`: class, name of the piece, name of its place, tests."""
    match core:
        case n.Comprehension(
            "any",
            here,
            n.Operation("neighbours", (n.CheckedLocal(around),)),
            n.Comprehension("any", piece, domain, where, None),
            None,
        ) if around == place:
            tests = [] if where is None else conjuncts(where)
        case _:
            return None
    while isinstance(domain, n.Comprehension) and domain.sort == "set" and not domain.result and not domain.extreme:
        inner = [] if domain.where is None else conjuncts(domain.where)
        tests = [*(_renamed(x, domain.var, piece) for x in inner), *tests]
        domain = domain.domain
    if not isinstance(domain, n.CheckedPiecesAt) or not n.is_local(domain.place, here):
        return None
    return domain.cls, piece, here, tests


def _renamed(core: Core, old: str, new: str) -> Core:
    if isinstance(core, n.CheckedLocal):
        return n.CheckedLocal(new, core.type, core.span) if core.name == old else core
    return rebuild(core, lambda child: _renamed(child, old, new))


def _standing(core: Core, piece: str, here: str) -> Core:
    """Replace the place of the piece in a test by a name."""
    match core:
        case n.AttributeOf("piece", "at", n.CheckedLocal(owner), False) if owner == piece:
            return n.CheckedLocal(here, core.type, core.span)
    return rebuild(core, lambda child: _standing(child, piece, here))


def _with_atoms(core: Core, piece: str, atoms: list[tuple[str, Core]]) -> Core:
    """Replace the values of the piece in a test by names."""
    match core:
        case n.AttributeOf("piece", _, n.CheckedLocal(owner), False) if owner == piece:
            key = canonical_form(core)
            made = next((name for name, a in atoms if canonical_form(a) == key), None)
            if made is None:
                made = f"0_{len(atoms)}"
                atoms.append((made, core))
            return n.CheckedLocal(made, core.type, core.span)
    return rebuild(core, lambda child: _with_atoms(child, piece, atoms))
