"""The contents of a ruleset as plain data: map, pieces, ladders, scenarios, options, rulebook.

`description_lines` formats this data. Reads no files; every datum keeps its source.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.model.ruleset import (
    Attribute,
    Constant,
    Kind,
    Ladder,
    OptionalRule,
    PieceClass,
    PlayerTexts,
    Provenance,
    Ruleset,
    Scenario,
    SetupPosition,
    Table,
    Thing,
)
from interpreter.tools.describe.value_format import label_words, thing_of, value_data

Data = dict[str, Any]


def overview_data(ruleset: Ruleset, lang: str) -> Data:
    """Return the identity of a ruleset, its reconstructed parts, and the number of entries in each part."""
    sides = ruleset.kinds["side"]
    return {
        "id": ruleset.id,
        "title": label_words(ruleset.title, lang),
        "version": ruleset.version,
        "about": label_words(ruleset.about, lang),
        "languages": list(ruleset.languages),
        "extends": ruleset.extends,
        "content_hash": ruleset.content_hash,
        "reconstructed": [{"what": what, **origin_data(origin, lang)} for what, origin in ruleset.reconstructed],
        "sides": {"word": sides.one, "members": [_id_and_label(t, lang) for t in sides.things]},
        "seats": [_id_and_label(ruleset.kinds["seat"].things[s], lang) for s in ruleset.seats],
        "scenarios": [
            {"id": s.id, "title": label_words(s.title, lang), "default": s.default} for s in ruleset.scenarios.values()
        ],
        "options": [_id_and_label(o, lang) for o in ruleset.options.values()],
        "tables": list(ruleset.tables),
        "ladders": list(ruleset.ladders),
        "counts": {
            "places": len(ruleset.kinds["place"].things),
            "pieces": len(ruleset.kinds["piece"].things),
            "paragraphs": len(ruleset.rulebook),
        },
    }


def map_data(ruleset: Ruleset, lang: str) -> Data:
    """Return each place with its attributes, its neighbours and the regions that contain it."""
    kind = ruleset.kinds["place"]
    regions: dict[int, list[str]] = {}
    for region, members in ruleset.regions.items():
        for place in members:
            regions.setdefault(place, []).append(region)
    links = _neighbour_data(ruleset, lang)
    places = [
        {
            **_thing_data(t, kind, ruleset, lang),
            "regions": regions.get(n, []),
            "neighbours": links.get(n, []),
            "holding": t.holding,
        }
        for n, t in enumerate(kind.things)
    ]
    return {
        "attributes": _attribute_data(kind.attributes, lang),
        "places": places,
        "edge_attributes": _attribute_data(ruleset.kinds["edge"].attributes, lang),
    }


def pieces_data(ruleset: Ruleset, lang: str) -> Data:
    """Return each class with its pieces; consecutive pieces with identical initial values form one entry."""
    kind = ruleset.kinds["piece"]
    classes = []
    for cls in ruleset.classes.values():
        groups: list[Data] = []
        for piece in kind.things:
            if piece.cls != cls.id:
                continue
            own = {n: kind.attributes[n] for n in cls.attributes}
            entry = {
                "at": thing_of(ruleset, "place", piece.at).id if piece.at is not None else None,
                "attributes": _value_data_by_name(piece, own, ruleset),
                **origin_data(piece.origin, lang),
            }
            if groups and all(groups[-1][key] == entry[key] for key in ("at", "attributes", "source", "note")):
                groups[-1]["ids"].append(piece.id)
                groups[-1]["labels"].append(label_words(piece.label, lang))
            else:
                groups.append({"ids": [piece.id], "labels": [label_words(piece.label, lang)], **entry})
        classes.append(
            {
                **_id_and_label(cls, lang),
                "alike": cls.alike,
                "counters": list(cls.counters),
                **origin_data(cls.origin, lang),
                "groups": groups,
                "attributes": _attribute_data({n: kind.attributes[n] for n in cls.attributes}, lang),
            }
        )
    return {"classes": classes}


def things_data(ruleset: Ruleset, kind_id: str, lang: str) -> Data:
    """Return the things of a kind ("side", "seat" or one of the ruleset's own) with their attributes."""
    kind = ruleset.kinds[kind_id]
    return {
        "kind": kind.id,
        "one": kind.one,
        "many": kind.many,
        "attributes": _attribute_data(kind.attributes, lang),
        "members": [_thing_data(t, kind, ruleset, lang) for t in kind.things],
    }


def tables_data(ruleset: Ruleset, lang: str) -> Data:
    """Return the named numbers and all tables."""
    values = [
        {
            **_id_and_label(c, lang),
            "value": value_data(c.value, c.type, ruleset),
            **origin_data(c.origin, lang),
        }
        for c in ruleset.constants.values()
    ]
    return {"values": values, "tables": [table_data(t, ruleset, lang) for t in ruleset.tables.values()]}


def table_data(table: Table, ruleset: Ruleset, lang: str) -> Data:
    """Return a table as data: its axes with their rows, and every cell with its row on each axis."""
    axes = [
        {
            "name": a.name,
            "rows": list(a.labels),
            "headings": [label_words(h, lang) for h in a.headings],
            "rounding": a.rounding,
            "below": _axis_end_data(a.below, table, ruleset),
            "above": _axis_end_data(a.above, table, ruleset),
        }
        for a in table.axes
    ]
    cells = [
        {
            "at": [a.labels[i] for a, i in zip(table.axes, at, strict=True)],
            "value": value_data(value, table.type, ruleset),
        }
        for at, value in sorted(table.cells.items())
    ]
    return {
        "id": table.id,
        "label": label_words(table.label, lang),
        **origin_data(table.origin, lang),
        "columns": [name for name, _ in table.columns],
        "signs": [list(sign) for sign in table.signs],
        "axes": axes,
        "cells": cells,
    }


def _axis_end_data(end: object, table: Table, ruleset: Ruleset) -> object:
    return {"result": value_data(end[1], table.type, ruleset)} if isinstance(end, tuple) else end


def origin_data(origin: Provenance, lang: str) -> Data:
    """Return the citations, source, note, file and line of a datum."""
    return {
        "cite": list(origin.cite),
        "source": origin.source,
        "note": label_words(origin.note, lang),
        "file": origin.span.file,
        "line": origin.span.line,
    }


def ladders_data(ruleset: Ruleset, lang: str) -> Data:
    """Return each ladder with its rungs, lowest first."""
    return {
        "ladders": [
            {
                **_id_and_label(ladder, lang),
                **origin_data(ladder.origin, lang),
                "rungs": [
                    {"id": r, "label": label_words(words, lang)}
                    for r, words in zip(ladder.rungs, ladder.labels, strict=True)
                ],
            }
            for ladder in ruleset.ladders.values()
        ]
    }


def scenarios_data(ruleset: Ruleset, lang: str) -> Data:
    """Return {"scenarios": [...]} with the description and the position of each scenario."""
    return {"scenarios": [_scenario_data(s, ruleset, lang) for s in ruleset.scenarios.values()]}


def player_texts_data(told: PlayerTexts, ruleset: Ruleset, lang: str) -> list[Data]:
    """Return the texts for players before the game: the aim of each seat, then on scoring and on the end.

    Each has "seat" and "label" ('' in the last two), "text" and "cite".
    """
    seats = ruleset.kinds["seat"].things
    of_seats = [(seats[seat].id, label_words(seats[seat].label, lang), aim) for seat, aim in told.aims.items()]
    of_all = [("", "", telling) for telling in (told.counting, told.ending) if telling is not None]
    return [
        {"seat": seat, "label": label or seat, "text": label_words(x.text, lang), "cite": list(x.origin.cite)}
        for seat, label, x in (*of_seats, *of_all)
    ]


def options_data(ruleset: Ruleset, lang: str) -> Data:
    """Return each optional rule with the way to select it, its requirements and its exclusions."""
    return {"options": [_option_data(o, ruleset, lang) for o in ruleset.options.values()]}


def rulebook_data(ruleset: Ruleset, lang: str) -> Data:
    """Return {"paragraphs": [...]} with the paragraphs of the rulebook in order."""
    return {"paragraphs": [paragraph_data(ruleset, p, lang) for p in ruleset.rulebook]}


def paragraph_data(ruleset: Ruleset, number: str, lang: str) -> Data:
    """Return one paragraph: its title and text, and the condition under which it does not apply."""
    found = ruleset.rulebook[number]
    return {
        "id": found.id,
        "title": label_words(found.title, lang),
        "text": label_words(found.text, lang),
        "definition": found.definition,
        "ruling": found.ruling,
        "replaced_when": found.replaced_when.text if found.replaced_when else None,
        "file": found.origin.span.file,
        "line": found.origin.span.line,
    }


def _neighbour_data(ruleset: Ruleset, lang: str) -> dict[int, list[Data]]:
    kind = ruleset.kinds["edge"]
    places = ruleset.kinds["place"].things
    links: dict[int, list[Data]] = {}
    for edge in kind.things:
        if edge.ends is None:
            continue
        shared = {
            "edge": edge.id,
            "attributes": _value_data_by_name(edge, kind.attributes, ruleset),
            **origin_data(edge.origin, lang),
        }
        for here, there in (edge.ends, edge.ends[::-1]):
            links.setdefault(here, []).append({**_id_and_label(places[there], lang), **shared})
    return links


def _attribute_data(attributes: Mapping[str, Attribute], lang: str) -> list[Data]:
    return [
        {
            "id": a.name,
            "label": label_words(a.label, lang),
            "type": str(a.type),
            "changes": a.changes,
            **origin_data(a.origin, lang),
        }
        for a in attributes.values()
    ]


def _value_data_by_name(thing: Thing, attributes: Mapping[str, Attribute], ruleset: Ruleset) -> Data:
    return {n: value_data(thing.values[n], a.type, ruleset) for n, a in attributes.items() if n in thing.values}


def _id_and_label(what: Thing | PieceClass | Ladder | OptionalRule | Constant, lang: str) -> Data:
    return {"id": what.id, "label": label_words(what.label, lang)}


def _thing_data(thing: Thing, kind: Kind, ruleset: Ruleset, lang: str) -> Data:
    data = {
        **_id_and_label(thing, lang),
        "attributes": _value_data_by_name(thing, kind.attributes, ruleset),
        **origin_data(thing.origin, lang),
    }
    if kind.id == "seat":
        data["members"] = [thing_of(ruleset, "side", s).id for s in thing.members]
    return data


def _scenario_data(scenario: Scenario, ruleset: Ruleset, lang: str) -> Data:
    return {
        "id": scenario.id,
        "title": label_words(scenario.title, lang),
        "about": label_words(scenario.about, lang),
        "default": scenario.default,
        "turns": scenario.turns,
        "options": dict(scenario.options),
        "told": player_texts_data(scenario.told, ruleset, lang),
        **origin_data(scenario.origin, lang),
        "position": _position_data(scenario.position, ruleset),
    }


def _position_data(position: SetupPosition, ruleset: Ruleset) -> Data:
    attributes = ruleset.kinds["piece"].attributes
    groups = [
        {
            "at": thing_of(ruleset, "place", place).id,
            "number": number,
            "attributes": {n: value_data(v, attributes[n].type, ruleset) for n, v in values},
        }
        for place, values, number in position.groups
    ]
    pieces = {
        thing_of(ruleset, "piece", handle).id: {
            n: (thing_of(ruleset, "place", v).id if n == "at" else value_data(v, attributes[n].type, ruleset))
            for n, v in values.items()
        }
        for handle, values in position.pieces.items()
    }
    things: dict[str, Data] = {}
    for (kind, handle), values in position.things.items():
        own = ruleset.kinds[kind]
        things.setdefault(own.many, {})[own.things[handle].id] = {
            n: value_data(v, own.attributes[n].type, ruleset) for n, v in values.items()
        }
    game = {n: value_data(v, ruleset.game[n].type, ruleset) for n, v in position.game.items()}
    return {"groups": groups, "pieces": pieces, "things": things, "game": game}


def _exchange_data(ruleset: Ruleset, kind: str, handle: int, lang: str) -> Data:
    thing = ruleset.kinds[kind].things[handle]
    return {"id": thing.id, "label": label_words(thing.label, lang) or thing.id}


def _option_data(option: OptionalRule, ruleset: Ruleset, lang: str) -> Data:
    seats = ruleset.kinds["seat"].things
    return {
        **_id_and_label(option, lang),
        "type": option.type,
        "values": list(option.values),
        "default": option.default,
        "splits": seats[option.splits].id if option.splits is not None else None,
        "into": [seats[s].id for s in option.into],
        "needs": list(option.needs),
        "excludes": list(option.excludes),
        "exchanges": [
            [_exchange_data(ruleset, kind, handle, lang) for handle in pair] for kind, *pair in option.exchanges
        ],
        "told": player_texts_data(option.told, ruleset, lang),
        **origin_data(option.origin, lang),
    }
