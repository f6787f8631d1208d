"""Parameter narrowing: a parameter over all things iterates over a smaller set that one of its tests implies.

before: for p in places: if linked(p, here): offer
after:  for p in neighbours(here): if linked(p, here): offer

The order of options stays, as both sets are in canonical order; members outside the old domain are still refused.
"""

from __future__ import annotations

from dataclasses import replace
from math import isqrt

from interpreter.ir import expression_records as e, program_records as ir
from interpreter.ir.effect_analysis import EffectAnalysis
from interpreter.ir.traversal import map_options
from interpreter.model import types as t

MAX_CHEAP_THINGS = 4  # things that are not worth narrowing


def narrow_parameters(program: ir.LoweredProgram) -> ir.LoweredProgram:
    """Narrow the domains of parameters of options and steps as their tests imply; the legal options stay the same."""
    effects = EffectAnalysis(program)
    neighbours = find_neighbour_table(program)
    return map_options(program, lambda option: narrow_option(effects, option, neighbours))


def find_neighbour_table(program: ir.LoweredProgram) -> e.StaticTable | None:
    """Return the static table of each place's neighbours, or None if the rules read neither it nor the link test.

    It is built from the link test if the rules use only that.
    """
    linked = program.tables.get("linked")
    if linked is None or "neighbours" in program.tables:
        return program.tables.get("neighbours")
    count = isqrt(len(linked.values))
    rows = tuple(
        tuple(neighbour for neighbour in range(count) if linked.values[place * count + neighbour])
        for place in range(count)
    )
    return e.StaticTable("neighbours", rows, t.SetType(t.PLACE))


def narrow_option(
    effects: EffectAnalysis, option: ir.LoweredOption, neighbours: e.StaticTable | None
) -> ir.LoweredOption:
    """Return an option with a smaller domain for each parameter that a test restricts.

    `neighbours`: the table of each place's neighbours, or None if the rules never test links.
    """
    if not option.pushed:
        return option
    narrowed: dict[int, e.Expr] = {}
    for number, param in enumerate(option.params):
        members = param.domain.value if isinstance(param.domain, e.Const) else None
        if (
            not isinstance(members, tuple)
            or len(members) <= MAX_CHEAP_THINGS
            or not isinstance(param.type, t.ThingType)
        ):
            continue
        unbound = {p.name for p in option.params[number:]}
        for test, level in zip(option.tests, option.pushed, strict=True):
            implied = find_implied_set(test, param.name, neighbours)
            if implied is not None and level == number + 1 and not e.find_free_names(implied) & unbound:
                narrowed[number] = implied  # a fault in it is met once, as by the first member that reaches the test
                break
            if level > number and effects.get_effects(test).may_fault:
                break  # members that are left out might have met this fault
    return replace(option, narrowed=narrowed) if narrowed else option


def find_implied_set(test: e.Expr, name: str, neighbours: e.StaticTable | None) -> e.Expr | None:
    """Return the expression of a set that variable `name` must be in for `test` to hold, or None if none is found.

    `neighbours`: the table of each place's neighbours, which a link test implies.
    """
    match test:
        case e.Apply("in", (e.Local(held), many)) if held == name and isinstance(many.type, t.SetType):
            return many
        case e.StaticItem(table, (one, e.Local(held))) if (
            held == name and table.name == "linked" and neighbours is not None
        ):
            return e.StaticItem(neighbours, (one,), (len(neighbours.values),), neighbours.item, test.span)
        case e.StaticItem(table, (e.Local(held), one)) if (
            held == name and table.name == "linked" and neighbours is not None
        ):
            return e.StaticItem(neighbours, (one,), (len(neighbours.values),), neighbours.item, test.span)
        case e.Apply("eq", (e.Local(held), other)) if held == name and not isinstance(other.type, t.MaybeType):
            return e.Apply("set", (other,), t.SetType(other.type), test.span)
        case e.Apply("eq", (other, e.Local(held))) if held == name and not isinstance(other.type, t.MaybeType):
            return e.Apply("set", (other,), t.SetType(other.type), test.span)
        case e.Apply("eq", (e.Read(slot, e.Local(held)), place)) if held == name and slot == e.AT:
            if not isinstance(place.type, t.MaybeType):
                return e.PiecesAt(None, place, t.SetType(t.PIECE), test.span)
    return None
