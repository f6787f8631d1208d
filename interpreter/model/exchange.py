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

_Look = TypeVar("_Look")


def apply_exchanges(ruleset: Ruleset, pairs: Iterable[tuple[str, int, int]]) -> Ruleset:
    """Return the ruleset in which the two things of each pair have each other's names and looks.

    `pairs`: (kind, handle, handle), as in `Exchange`.
    """
    for name, first, second in pairs:
        kind = ruleset.kinds[name]
        things = list(kind.things)
        things[first] = replace(things[first], label=_get_displayed_name(kind.things[second], ruleset))
        things[second] = replace(things[second], label=_get_displayed_name(kind.things[first], ruleset))
        kinds = {**ruleset.kinds, name: replace(kind, things=tuple(things))}
        ruleset = replace(ruleset, kinds=kinds, drawing=_exchange_drawing(ruleset, kind, first, second))
    return ruleset


def _get_displayed_name(thing: Thing, ruleset: Ruleset) -> Label:
    """Return the displayed name of a thing in every language: its label, else its translation, else its id."""
    texts = dict(thing.label)
    for language, locale in ruleset.locales.items():
        if language not in texts and thing.id in locale.names:
            texts[language] = locale.names[thing.id].text
    return texts or {ruleset.languages[0]: thing.id}


def _exchange_drawing(ruleset: Ruleset, kind: Kind, first: int, second: int) -> MapDrawing:
    """Return the drawing with the looks of two things of a kind (given by handle) exchanged.

    This applies wherever looks depend on things of that kind.
    """
    drawing = ruleset.drawing
    first_id, second_id, all_ids = kind.things[first].id, kind.things[second].id, {thing.id for thing in kind.things}
    swapped = {first_id: second_id, second_id: first_id}

    def exchange_keys(looks: Mapping[str, _Look], owner: str, name: str) -> Mapping[str, _Look]:
        attribute = ruleset.kinds[owner].attributes.get(name)
        is_theirs = _refers_to(attribute, kind.id) if attribute is not None else all_ids.issuperset(looks)
        return {swapped.get(key, key): look for key, look in looks.items()} if is_theirs else looks

    sides = drawing.sides
    if kind.id == "side":
        sides = {{first: second, second: first}.get(side, side): colour for side, colour in sides.items()}
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


def _refers_to(attribute: Attribute, kind: str) -> bool:
    inner = t.strip_maybe(attribute.type)
    return isinstance(inner, t.ThingType) and inner.kind == kind
