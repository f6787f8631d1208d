"""Things that swap names and appearance while an optional rule is used.

Only names and drawings change; ids, values and rules stay the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from interpreter.model import types as t
from interpreter.model.drawing import MapDrawing
from interpreter.model.ruleset import Attribute, Kind, Label, Ruleset, Thing

Pair = tuple[str, int, int]  # the kind, and the handles of two of its things
_Look = TypeVar("_Look")


def apply_exchanges(ruleset: Ruleset, pairs: Iterable[Pair]) -> Ruleset:
    """Return the ruleset in which the two things of each pair have each other's names and looks.

    `pairs`: (kind, handle, handle).
    """
    for kind, one, other in pairs:
        own = ruleset.kinds[kind]
        things = list(own.things)
        things[one] = replace(things[one], label=_get_displayed_name(own.things[other], ruleset))
        things[other] = replace(things[other], label=_get_displayed_name(own.things[one], ruleset))
        kinds = {**ruleset.kinds, kind: replace(own, things=tuple(things))}
        ruleset = replace(ruleset, kinds=kinds, drawing=_exchange_drawing(ruleset, own, one, other))
    return ruleset


def _get_displayed_name(thing: Thing, ruleset: Ruleset) -> Label:
    """Return the displayed name of a thing in every language: its label, else its translation, else its id."""
    texts = dict(thing.label)
    for language, locale in ruleset.locales.items():
        if language not in texts and thing.id in locale.names:
            texts[language] = locale.names[thing.id].text
    return texts or {ruleset.languages[0]: thing.id}


def _exchange_drawing(ruleset: Ruleset, kind: Kind, one: int, other: int) -> MapDrawing:
    """Return the drawing with the looks of the things `one` and `other` (handles) exchanged.

    This applies wherever looks depend on things of that kind.
    """
    drawing = ruleset.drawing
    first, second, all_ids = kind.things[one].id, kind.things[other].id, {thing.id for thing in kind.things}
    swapped = {first: second, second: first}

    def exchange_keys(looks: Mapping[str, _Look], owner: str, name: str) -> Mapping[str, _Look]:
        attribute = ruleset.kinds[owner].attributes.get(name)
        is_theirs = _is_of(attribute, kind.id) if attribute is not None else all_ids.issuperset(looks)
        return {swapped.get(key, key): look for key, look in looks.items()} if is_theirs else looks

    sides = drawing.sides
    if kind.id == "side":
        sides = {{one: other, other: one}.get(side, side): colour for side, colour in sides.items()}
    return replace(
        drawing,
        looks=exchange_keys(drawing.looks, "place", drawing.fill),
        links={
            name: replace(look, values=exchange_keys(look.values, "edge", name)) for name, look in drawing.links.items()
        },
        counters={
            cls: replace(
                look,
                signs=exchange_keys(look.signs, "piece", look.sign_by),
                bands=exchange_keys(look.bands, "piece", look.band_by),
            )
            for cls, look in drawing.counters.items()
        },
        sides=sides,
    )


def _is_of(attribute: Attribute, kind: str) -> bool:
    inner = t.strip_maybe(attribute.type)
    return isinstance(inner, t.ThingType) and inner.kind == kind
