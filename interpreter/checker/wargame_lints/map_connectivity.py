"""Lint the map: places not connected to the rest, and pieces set up where a chart forbids them.

A chart with blanks that is indexed by one attribute of places and one of pieces says which pieces may enter which
places. Rules that restrict movement along links are not evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.record_walk import find_reachable
from interpreter.i18n.translator import mark as _
from interpreter.model.checked_model import CheckedModel
from interpreter.model.ruleset import Attribute, Ruleset, Scenario, Table


def report_forbidden_placements(model: CheckedModel, sink: Sink) -> None:
    """Report each piece that a scenario sets up on terrain for which a chart has a blank cell for the piece."""
    ruleset = model.ruleset
    for chart in _iter_charts(ruleset):
        for scenario in ruleset.scenarios.values():
            _report_blank_cells(ruleset, chart, scenario, sink)


@dataclass(frozen=True, slots=True)
class _TerrainChart:
    """A chart with blanks, one of whose axes is an attribute of places and the other an attribute of pieces."""

    table: Table
    place_attribute: Attribute
    piece_attribute: Attribute
    is_place_second: bool  # the places are on axis 2

    def has_cell(self, place_value: object, piece_value: object) -> bool:
        """Return whether the cell of two values is filled in; True if the chart lacks one of the values."""
        place_axis, piece_axis = self.table.axes[self.is_place_second], self.table.axes[not self.is_place_second]
        if place_value not in place_axis.keys or piece_value not in piece_axis.keys:
            return True
        index = (place_axis.keys.index(place_value), piece_axis.keys.index(piece_value))
        return (index[::-1] if self.is_place_second else index) in self.table.cells


def _iter_charts(ruleset: Ruleset) -> Iterator[_TerrainChart]:
    for table in ruleset.tables.values():
        if not table.blanks or len(table.axes) != 2:
            continue
        first_kind, second_kind = (str(axis.type) for axis in table.axes)
        for first, second, is_place_second in ((first_kind, second_kind, False), (second_kind, first_kind, True)):
            places = [a for a in ruleset.kinds["place"].attributes.values() if str(a.type) == first]
            pieces = [a for a in ruleset.kinds["piece"].attributes.values() if str(a.type) == second]
            if len(places) == len(pieces) == 1 and first != second:
                yield _TerrainChart(table, places[0], pieces[0], is_place_second)


def _report_blank_cells(ruleset: Ruleset, chart: _TerrainChart, scenario: Scenario, sink: Sink) -> None:
    places, pieces = ruleset.kinds["place"].things, ruleset.kinds["piece"].things
    for number, piece in enumerate(pieces):
        where = scenario.position.pieces.get(number, {}).get("at", piece.at)
        if not isinstance(where, int) or places[where].holding is not None:
            continue
        if piece.cls is None or chart.piece_attribute.name not in ruleset.classes[piece.cls].attributes:
            continue
        place_value = places[where].values.get(chart.place_attribute.name)
        if not chart.has_cell(place_value, piece.values.get(chart.piece_attribute.name)):
            sink.add_warning(
                "closed-ground",
                _(
                    "`{scenario}` puts `{piece}` in `{place}`, but its cell in `{table}` is blank",
                    scenario=scenario.id,
                    piece=piece.id,
                    place=places[where].id,
                    table=chart.table.id,
                ),
                scenario.origin.span,
                help=_("put it somewhere else, or fill in the cell"),
            )


_MAX_NAMED_PLACES = 3


def report_disconnected_places(model: CheckedModel, sink: Sink) -> None:
    """Report each component of the map except the largest; holding places have no links and are ignored."""
    places = model.ruleset.kinds["place"].things
    neighbours: dict[int, set[int]] = {n: set() for n, p in enumerate(places) if p.holding is None}
    for link in model.ruleset.kinds["edge"].things:
        if link.ends and link.ends[0] in neighbours and link.ends[1] in neighbours:
            neighbours[link.ends[0]].add(link.ends[1])
            neighbours[link.ends[1]].add(link.ends[0])
    if not any(neighbours.values()):
        return  # the game has no links between places
    parts = sorted(_find_components(neighbours), key=lambda part: (-len(part), part))
    for part in parts[1:]:
        names = ", ".join(f"`{places[n].id}`" for n in part[:_MAX_NAMED_PLACES])
        sink.add_warning(
            "place-cut-off",
            _("no link connects these places to the rest of the map: {names}", names=names)
            if len(part) <= _MAX_NAMED_PLACES
            else _(
                "no link connects these places to the rest of the map: {names} and {number} more",
                names=names,
                number=len(part) - _MAX_NAMED_PLACES,
            ),
            places[part[0]].origin.span,
            help=_("add the missing link, or make it a `holding` place"),
        )


def _find_components(neighbours: dict[int, set[int]]) -> list[list[int]]:
    """Return the connected components of a graph, given as the neighbours of each node."""
    components, visited = [], set[int]()
    for start in sorted(neighbours):
        if start not in visited:
            components.append(sorted(find_reachable([start], neighbours.__getitem__)))
            visited.update(components[-1])
    return components
