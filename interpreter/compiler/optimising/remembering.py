"""Memoization per position, and its invalidation.

A define that reads the state and is expensive is evaluated once per arguments until a slot it may read is written; so
are searches for a distance, which serve every goal.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from interpreter.backends.python.layout import Layout
from interpreter.checker import operations
from interpreter.checker.operations import Known, slots_called, slots_read
from interpreter.compiler.optimising.analysis import (
    columns_read,
    defines_called,
    goes_through,
    loops_inside,
    searches_in,
)
from interpreter.compiler.optimising.flattening import MOST_WORK, work_in
from interpreter.compiler.optimising.fresh_calls import called_afresh
from interpreter.compiler.optimising.marking import Marker, find_markers, marks_key
from interpreter.compiler.optimising.passes import (
    AFRESH,
    ENDS,
    FORGETTING,
    MARKING,
    OWNERS,
    PARTS,
    REMEMBERING,
    SEARCHES,
    SPREADS,
    WAYS,
)
from interpreter.compiler.optimising.spreading.spotting import Spotter, find_spotters, spots_key
from interpreter.compiler.optimising.whose_pieces import Keys, Reader, keys_of_defines, keys_of_drafts, keys_of_marks
from interpreter.compiler.python_syntax import statements
from interpreter.model import types as t
from interpreter.model.expressions import CheckedSearch, canonical_form
from interpreter.model.statements import CheckedDefine, CheckedModel, expressions_in, parts_of
from interpreter.runtime.builtins.registry import EVERYTHING


@dataclass(frozen=True, slots=True)
class Remembered:
    """Memoized defines, those computed for all places at once, shared searches, and the slots that each may read.

    `whose` lists, for those that read only some pieces, the entries that depend on each piece.
    """

    names: frozenset[str]
    markers: dict[str, Marker]
    spotters: dict[str, Spotter]
    searches: dict[CheckedSearch, str]
    read_by: dict[str, frozenset[str]]
    whose: dict[str, Keys]


def find_remembered(
    model: CheckedModel,
    layout: Layout,
    static: frozenset[str],
    defines: list[CheckedDefine],
    alone: bool,
    passes: frozenset[str],
) -> Remembered:
    """Select what to memoize among some defines; in code that is compiled `alone`, no search is shared."""
    several = frozenset(
        d.name
        for d in (defines if REMEMBERING in passes else ())
        if d.name not in static and d.params and not isinstance(d.type, t.MaybeType) and goes_through(model, d.name)
    )
    markers = find_markers(model, several, static) if MARKING in passes else {}
    parts = (judged_parts(model) & {d.name for d in defines}) - static if PARTS in passes else frozenset()
    nothing, works = static | frozenset(markers) | parts, dict[str, int]()
    names = frozenset(
        n for n in several if n in markers or work_in(model, model.defines[n].value, nothing, works) >= MOST_WORK
    )
    known = _slots_known(model)
    reads = {d: columns_read(layout, slots_called(model, "define", d, known)) for d in sorted(names)}
    if AFRESH in passes:
        names -= called_afresh(model, {d: read for d, read in reads.items() if d not in markers})
    read_by = {marks_key(d) if d in markers else d: read for d, read in reads.items() if d in names}
    spotters = {}
    if WAYS in passes and not alone:
        spotters = find_spotters(model, names - frozenset(markers), static, frozenset(markers))
    names |= parts
    read_by |= {d: columns_read(layout, slots_called(model, "define", d, known)) for d in sorted(parts)}
    read_by |= {spots_key(d): read_by[d] for d in spotters}
    searches: dict[CheckedSearch, str] = {}
    for define in [] if alone or SEARCHES not in passes else defines:
        for core in [] if define.name in static else searches_in(define.value):
            searches[core] = made = _search_key(core, SPREADS in passes)
            read_by[made] = columns_read(layout, slots_read(model, core, known))
    drafted = _read_by_drafts(model, layout, known) if ENDS in passes and not alone else {}
    read_by |= {ends_key(d): read for d, read in drafted.items()}
    whose: dict[str, Keys] = {}
    if {OWNERS, FORGETTING} <= passes and not alone:
        reader = Reader(model)
        whose |= keys_of_defines(reader, names - frozenset(markers))
        whose |= {ends_key(d): keys for d, keys in keys_of_drafts(reader, drafted).items()}
        marked = {marks_key(d): keys_of_marks(reader, markers[d]) for d in sorted(markers)}
        whose |= {key: keys for key, keys in marked.items() if keys is not None}
    return Remembered(names, markers, spotters, searches, read_by, whose)


@lru_cache(maxsize=1)
def _slots_known(model: CheckedModel) -> Known:
    """Return the analysis results so far; expressions of one model call the same defines."""
    return {}


def _read_by_drafts(model: CheckedModel, layout: Layout, known: Known) -> dict[str, frozenset[str]]:
    """Return the slots that each draft's ends depend on, except drafts that call others or compare pieces."""
    found = {}
    for draft in model.drafts.values():
        parts = [*operations.parts_of(model, "draft", draft.name), *(p.value for p in draft.prefers)]
        read = columns_read(layout, (slot for core in parts for slot in slots_read(model, core, known)))
        if EVERYTHING not in read and not any(param.alike for step in draft.steps for param in step.params):
            found[draft.name] = read
    return found


@lru_cache(maxsize=1)
def judged_parts(model: CheckedModel) -> frozenset[str]:
    """Return the defines without parameters that are expensive and used only by the evaluation function.

    Consecutive positions of a search differ in little.
    """
    if model.evaluation is None:
        return frozenset()
    others = parts_of(model, ("ruleset", "defines", "evaluation"))
    played = {d.name for core in expressions_in(others) for d in defines_called(model, core)}
    return frozenset(
        d.name
        for d in defines_called(model, model.evaluation)
        if not d.params
        and d.name not in played
        and not isinstance(d.type, t.MaybeType)
        and loops_inside(model, d.value, 1)
    )


def ends_key(draft: str) -> str:
    """Return the cache key for the ends of a draft."""
    return "ends " + draft


def _search_key(search: CheckedSearch, as_function: bool) -> str:
    """Return the cache key of a search, derived from its content and thus equal in every form of a program."""
    return ("spread " if as_function else "search ") + blake2b(
        repr(canonical_form(search)).encode(), digest_size=8
    ).hexdigest()


def forgetting(read_by: dict[str, frozenset[str]], slots: list[str], is_choosy: bool) -> list[ast.stmt]:
    """Return statements that invalidate every cache that depends on these slots of the state."""
    gone = [n for n, read in read_by.items() if EVERYTHING in read or not read.isdisjoint(slots)]
    if not gone:
        return []
    if len(gone) == len(read_by) or not is_choosy:
        return statements("G.memo.clear()")
    if len(gone) * 2 > len(read_by):
        left = tuple(n for n in read_by if n not in gone)
        return statements(f"_m = G.memo\nG.memo = {{_n: _m[_n] for _n in {left!r} if _n in _m}}")
    return statements("\n".join(f"G.memo.pop('{n}', None)" for n in gone))
