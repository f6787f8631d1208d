"""Pieces that a scenario puts where a chart forbids them: a blank for their kind on that ground.

A chart with blanks that is read by one attribute of places and one of pieces tells who may enter what. Must not ask
rules.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.model import core as c
from interpreter.model.ruleset import Attribute, Ruleset, Scenario, Table
from interpreter.source.diagnostic import Sink
from interpreter.words.speech import mark as _


def find_closed_ground(model: c.CheckedModel, sink: Sink) -> None:
    """Report each piece that a scenario sets up on ground that is blank for it."""
    ruleset = model.ruleset
    for table, ground, sort, turned in _charts(ruleset):
        for scenario in ruleset.scenarios.values():
            _check(ruleset, table, ground, sort, turned, scenario, sink)


def _charts(ruleset: Ruleset) -> Iterator[tuple[Table, Attribute, Attribute, bool]]:
    """Charts of two axes with blanks: the attribute of places and the one of pieces that read them."""
    for table in ruleset.tables.values():
        if not table.blanks or len(table.axes) != 2:
            continue
        one, other = (str(axis.type) for axis in table.axes)
        for first, second, turned in ((one, other, False), (other, one, True)):
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
        here, own = places[where].values.get(ground.name), piece.values.get(sort.name)
        rows, columns = table.axes[turned].keys, table.axes[not turned].keys
        if here not in rows or own not in columns:
            continue
        index = (rows.index(here), columns.index(own))
        if (index[::-1] if turned else index) not in table.cells:
            sink.warning(
                "closed-ground",
                _(
                    "`{scenario}` puts `{piece}` into `{place}`, which `{table}` leaves blank for it",
                    scenario=scenario.id,
                    piece=piece.id,
                    place=places[where].id,
                    table=table.id,
                ),
                scenario.origin.span,
                help=_("put it elsewhere, or fill the cell"),
            )
