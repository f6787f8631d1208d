"""Interchangeable pieces: find the parameters whose pieces the rules may distinguish despite equal values."""

from __future__ import annotations

from interpreter.checker.operations import called_expressions
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.statements import CheckedModel, Core, children


def held_apart(model: CheckedModel, choice: c.CheckedOption | c.CheckedStep, outside: frozenset[str]) -> frozenset[str]:
    """Return the parameters for which equal pieces are not interchangeable here.

    A set, another choice, or a selected piece may distinguish them. `outside`: the names in scope around the option.
    """
    if not any(p.alike for p in choice.params):
        return frozenset()
    tests = [*(r.test for r in choice.requires), *(p.value for p in choice.prefers)]
    around = outside.union(p.name for p in choice.params)
    known: dict[tuple[str, str], bool] = {}
    if any(_picks_pieces(model, core, known) for core in [*tests, *(p.domain for p in choice.params[1:])]):
        return frozenset(p.name for p in choice.params if p.alike)
    found = set()
    for number, param in enumerate(choice.params):
        cores = [*tests, *(p.domain for p in choice.params[number + 1 :])]
        pieces = {name for core in cores for name in _piece_locals(core) if name in around}
        if param.alike and pieces - {param.name}:
            found.add(param.name)
    return frozenset(found)


def _picks_pieces(model: CheckedModel, core: Core, known: dict[tuple[str, str], bool]) -> bool:
    """Return whether an expression, or a callee, refers to pieces other than by filtering all of them.

    `known`: results for callees by (sort, name), extended here.
    """
    picks = n.Literal | n.GameValue | n.AttributeOf | n.LookUp
    if isinstance(core, n.Operation):
        if core.name in ("item", "first", "last", "take") and _holds_pieces(core.type):
            return True
    elif isinstance(core, picks) and _holds_pieces(core.type):
        return True
    if isinstance(core, n.CheckedCall):
        key = (core.sort, core.name)
        if key not in known:
            known[key] = False  # while it is looked at
            known[key] = any(_picks_pieces(model, x, known) for x in called_expressions(model, core))
        if known[key]:
            return True
    return any(_picks_pieces(model, child, known) for child in children(core))


def _piece_locals(core: Core) -> set[str]:
    """Return the locals in an expression that hold pieces, alone or in a collection."""
    return {x.name for x in n.descendants(core) if isinstance(x, n.CheckedLocal) and _holds_pieces(x.type)}


def _holds_pieces(type_: t.Type | None) -> bool:
    match type_:
        case t.SetType(item=None) | t.ListType(item=None):
            return True  # began empty: nothing is known of its members here
        case t.SetType(item=item) | t.ListType(item=item) | t.MaybeType(item=item):
            return _holds_pieces(item)
        case t.ThingType(kind=kind):
            return kind == "piece"
    return isinstance(type_, t.RecordType)
