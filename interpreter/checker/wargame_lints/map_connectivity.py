"""Lint the map: places not connected to the rest, and pieces set up where a chart forbids them.

A chart with blanks that is indexed by one attribute of places and one of pieces says which pieces may enter which
places. Rules that restrict movement along links are not evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.record_walk import find_reachable
from interpreter.i18n.translator import mark as _
from interpreter.model.checked_model import CheckedModel
from interpreter.model.ruleset import Attribute, Ruleset, Scenario, Table


def find_forbidden_placements(model: CheckedModel, sink: Sink) -> None:
    """Report each piece that a scenario sets up on terrain for which a chart has a blank cell for the piece."""
    ruleset = model.ruleset
    for table, ground, sort, turned in _iter_charts(ruleset):
        for scenario in ruleset.scenarios.values():
            _check(ruleset, table, ground, sort, turned, scenario, sink)


def _iter_charts(ruleset: Ruleset) -> Iterator[tuple[Table, Attribute, Attribute, bool]]:
    """Yield (chart, attribute of places, attribute of pieces, whether places are axis 2) for charts with blanks.

    Only charts of two axes are included, each of which is indexed by one of the attributes.
    """
    for table in ruleset.tables.values():
        if not table.blanks or len(table.axes) != 2:
            continue
        first_kind, second_kind = (str(axis.type) for axis in table.axes)
        for first, second, turned in ((first_kind, second_kind, False), (second_kind, first_kind, True)):
            places = [a for a in ruleset.kinds["place"].attributes.values() if str(a.type) == first]
            pieces = [a for a in ruleset.kinds["piece"].attributes.values() if str(a.type) == second]
            if len(places) == len(pieces) == 1 and first != second:
                yield table, places[0], pieces[0], turned


def _check(
    ruleset: Ruleset, table: Table, ground: Attribute, sort: Attribute, turned: bool, scenario: Scenario, sink: Sink
) -> None:
    places, pieces = ruleset.kinds["place"].things, ruleset.kinds["piece"].things
    for number, piece in enumerate(pieces):
        where = scenario.position.pieces.get(number, {}).get("at", piece.at)
        if not isinstance(where, int) or places[where].holding is not None:
            continue
        if piece.cls is None or sort.name not in ruleset.classes[piece.cls].attributes:
            continue
        ground_value, own = places[where].values.get(ground.name), piece.values.get(sort.name)
        rows, columns = table.axes[turned].keys, table.axes[not turned].keys
        if ground_value not in rows or own not in columns:
            continue
        index = (rows.index(ground_value), columns.index(own))
        if (index[::-1] if turned else index) not in table.cells:
            sink.add_warning(
                "closed-ground",
                _(
                    "`{scenario}` puts `{piece}` in `{place}`, but its cell in `{table}` is blank",
                    scenario=scenario.id,
                    piece=piece.id,
                    place=places[where].id,
                    table=table.id,
                ),
                scenario.origin.span,
                help=_("put it somewhere else, or fill in the cell"),
            )


_FEW = 3


def find_disconnected_places(model: CheckedModel, sink: Sink) -> None:
    """Report each component of the map except the largest; holding places have no links and are ignored."""
    places = model.ruleset.kinds["place"].things
    beside: dict[int, set[int]] = {n: set() for n, p in enumerate(places) if p.holding is None}
    for link in model.ruleset.kinds["edge"].things:
        if link.ends and link.ends[0] in beside and link.ends[1] in beside:
            beside[link.ends[0]].add(link.ends[1])
            beside[link.ends[1]].add(link.ends[0])
    if not any(beside.values()):
        return  # the game has no links between places
    parts = sorted(_find_components(beside), key=lambda part: (-len(part), part))
    for part in parts[1:]:
        names = ", ".join(f"`{places[n].id}`" for n in part[:_FEW])
        sink.add_warning(
            "place-cut-off",
            _("no link connects these places to the rest of the map: {names}", names=names)
            if len(part) <= _FEW
            else _(
                "no link connects these places to the rest of the map: {names} and {number} more",
                names=names,
                number=len(part) - _FEW,
            ),
            places[part[0]].origin.span,
            help=_("add the missing link, or make it a `holding` place"),
        )


def _find_components(beside: dict[int, set[int]]) -> list[list[int]]:
    parts, seen = [], set[int]()
    for start in sorted(beside):
        if start not in seen:
            parts.append(sorted(find_reachable([start], beside.__getitem__)))
            seen.update(parts[-1])
    return parts
