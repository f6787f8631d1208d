"""Places of the map that no way of links joins to the others. Must not know what may pass a link."""

from __future__ import annotations

from interpreter.model import core as c
from interpreter.source.diagnostic import Sink
from interpreter.source.record_parts import reached
from interpreter.words.speech import mark as _

_FEW = 3


def find_parted_places(model: c.CheckedModel, sink: Sink) -> None:
    """Report each part of the map but the largest; holding places have no links and are none of it."""
    places = model.ruleset.kinds["place"].things
    beside: dict[int, set[int]] = {n: set() for n, p in enumerate(places) if p.holding is None}
    for link in model.ruleset.kinds["edge"].things:
        if link.ends and link.ends[0] in beside and link.ends[1] in beside:
            beside[link.ends[0]].add(link.ends[1])
            beside[link.ends[1]].add(link.ends[0])
    if not any(beside.values()):
        return  # a game without ways between its places
    parts = sorted(_parts(beside), key=lambda part: (-len(part), part))
    for part in parts[1:]:
        names = ", ".join(f"`{places[n].id}`" for n in part[:_FEW])
        sink.warning(
            "place-cut-off",
            _("no link leads from here to the rest of the map: {names}", names=names)
            if len(part) <= _FEW
            else _(
                "no link leads from here to the rest of the map: {names} and {number} more",
                names=names,
                number=len(part) - _FEW,
            ),
            places[part[0]].origin.span,
            help=_("add the missing link, or make it a holding place"),
        )


def _parts(beside: dict[int, set[int]]) -> list[list[int]]:
    parts, seen = [], set[int]()
    for start in sorted(beside):
        if start not in seen:
            parts.append(sorted(reached([start], beside.__getitem__)))
            seen.update(parts[-1])
    return parts
