"""Lint pieces that are never used: every scenario leaves them in a holding place that no rule mentions.

Findings are warnings; the model is read only.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.diagnostics.diagnostic import Sink
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.model.checked_model import CheckedModel, iter_model_records
from interpreter.model.expressions import HoldingPlace, Literal
from interpreter.model.ruleset import Ruleset


def check_pieces(model: CheckedModel, sink: Sink) -> None:
    """Report the first piece of each unused holding place, with the number of pieces in it."""
    ruleset = model.ruleset
    places = ruleset.kinds["place"].things
    if not ruleset.scenarios or "setup" in model.procedures:  # `setup` may place pieces from anywhere
        return
    places_named = _find_named_places(model)
    idle_by_place: dict[int, list[int]] = {}
    grouped = {group.cls for scenario in ruleset.scenarios.values() for group in scenario.position.groups}
    for number, piece in enumerate(ruleset.kinds["piece"].things):
        if piece.cls in grouped:
            continue
        where = {
            scenario.position.pieces.get(number, {}).get("at", piece.at) for scenario in ruleset.scenarios.values()
        }
        place = where.pop()
        if not where and isinstance(place, int) and places[place].holding and place not in places_named:
            idle_by_place.setdefault(place, []).append(number)
    for place, numbers in idle_by_place.items():
        first = ruleset.kinds["piece"].things[numbers[0]]
        message = (
            _("every scenario leaves `{id}` in `{place}`, which no rule mentions", id=first.id, place=places[place].id)
            if len(numbers) == 1
            else _(
                "every scenario leaves `{id}` and {number} more in `{place}`, which no rule mentions",
                id=first.id,
                number=len(numbers) - 1,
                place=places[place].id,
            )
        )
        sink.add_warning(
            "idle-piece", message, first.origin.span, help=_("place it in the `setup` of a scenario, or remove it")
        )


def _find_named_places(model: CheckedModel) -> set[int]:
    """Return the handles of the places that rules name or that attributes contain.

    If rules name one holding place of a family, all of the family are included.
    """
    ruleset, places = model.ruleset, set(_iter_places_in_attributes(model.ruleset))
    for node in iter_model_records(model):
        match node:
            case Literal(int() as value, t.ThingType(kind="place")):
                places.add(value)
            case Literal(tuple() as values):
                places.update(x for x in values if isinstance(x, int))
            case HoldingPlace(first):
                family = ruleset.kinds["place"].things[first].holding
                places.update(n for n, x in enumerate(ruleset.kinds["place"].things) if x.holding == family)
    return places


def _iter_places_in_attributes(ruleset: Ruleset) -> Iterator[int]:
    for kind in ruleset.kinds.values():
        names = [a.name for a in kind.attributes.values() if "place" in str(a.type)]
        for thing in kind.things if names else ():
            for name in names:
                value = thing.values.get(name)
                yield from (x for x in (value if isinstance(value, tuple) else (value,)) if isinstance(x, int))
