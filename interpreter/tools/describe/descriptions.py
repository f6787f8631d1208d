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
from interpreter.tools.describe.value_format import format_label, get_thing, to_plain_value

Data = dict[str, Any]


def describe_overview(ruleset: Ruleset, lang: str) -> Data:
    """Return the identity of a ruleset, its reconstructed parts, and the number of entries in each part."""
    sides = ruleset.kinds["side"]
    return {
        "id": ruleset.id,
        "title": format_label(ruleset.title, lang),
        "version": ruleset.version,
        "about": format_label(ruleset.about, lang),
        "languages": list(ruleset.languages),
        "extends": ruleset.extends,
        "content_hash": ruleset.content_hash,
        "reconstructed": [{"what": what, **describe_origin(origin, lang)} for what, origin in ruleset.reconstructed],
        "sides": {"word": sides.one, "members": [_describe_id_and_label(t, lang) for t in sides.things]},
        "seats": [_describe_id_and_label(ruleset.kinds["seat"].things[s], lang) for s in ruleset.seats],
        "scenarios": [
            {"id": s.id, "title": format_label(s.title, lang), "default": s.default} for s in ruleset.scenarios.values()
        ],
        "options": [_describe_id_and_label(o, lang) for o in ruleset.options.values()],
        "tables": list(ruleset.tables),
        "ladders": list(ruleset.ladders),
        "counts": {
            "places": len(ruleset.kinds["place"].things),
            "pieces": len(ruleset.kinds["piece"].things),
            "paragraphs": len(ruleset.rulebook),
        },
    }


def describe_map(ruleset: Ruleset, lang: str) -> Data:
    """Return each place with its attributes, its neighbours and the regions that contain it."""
    kind = ruleset.kinds["place"]
    regions: dict[int, list[str]] = {}
    for region, members in ruleset.regions.items():
        for place in members:
            regions.setdefault(place, []).append(region)
    links = _describe_neighbours(ruleset, lang)
    places = [
        {
            **_describe_thing(t, kind, ruleset, lang),
            "regions": regions.get(n, []),
            "neighbours": links.get(n, []),
            "holding": t.holding,
        }
        for n, t in enumerate(kind.things)
    ]
    return {
        "attributes": _describe_attributes(kind.attributes, lang),
        "places": places,
        "edge_attributes": _describe_attributes(ruleset.kinds["edge"].attributes, lang),
    }


def describe_pieces(ruleset: Ruleset, lang: str) -> Data:
    """Return each class with its pieces; consecutive pieces with identical initial values form one entry."""
    kind = ruleset.kinds["piece"]
    classes = []
    for cls in ruleset.classes.values():
        groups: list[Data] = []
        for piece in kind.things:
            if piece.cls != cls.id:
                continue
            attributes = {n: kind.attributes[n] for n in cls.attributes}
            entry = {
                "at": get_thing(ruleset, "place", piece.at).id if piece.at is not None else None,
                "attributes": _describe_values(piece, attributes, ruleset),
                **describe_origin(piece.origin, lang),
            }
            if groups and all(groups[-1][key] == entry[key] for key in ("at", "attributes", "source", "note")):
                groups[-1]["ids"].append(piece.id)
                groups[-1]["labels"].append(format_label(piece.label, lang))
            else:
                groups.append({"ids": [piece.id], "labels": [format_label(piece.label, lang)], **entry})
        classes.append(
            {
                **_describe_id_and_label(cls, lang),
                "alike": cls.alike,
                "counters": list(cls.counters),
                **describe_origin(cls.origin, lang),
                "groups": groups,
                "attributes": _describe_attributes({n: kind.attributes[n] for n in cls.attributes}, lang),
            }
        )
    return {"classes": classes}


def describe_things(ruleset: Ruleset, kind_id: str, lang: str) -> Data:
    """Return the things of a kind ("side", "seat" or one of the ruleset's own) with their attributes."""
    kind = ruleset.kinds[kind_id]
    return {
        "kind": kind.id,
        "one": kind.one,
        "many": kind.many,
        "attributes": _describe_attributes(kind.attributes, lang),
        "members": [_describe_thing(t, kind, ruleset, lang) for t in kind.things],
    }


def describe_tables(ruleset: Ruleset, lang: str) -> Data:
    """Return the named numbers and all tables."""
    values = [
        {
            **_describe_id_and_label(c, lang),
            "value": to_plain_value(c.value, c.type, ruleset),
            **describe_origin(c.origin, lang),
        }
        for c in ruleset.constants.values()
    ]
    return {"values": values, "tables": [describe_table(t, ruleset, lang) for t in ruleset.tables.values()]}


def describe_table(table: Table, ruleset: Ruleset, lang: str) -> Data:
    """Return a table as data: its axes with their rows, and every cell with its row on each axis."""
    axes = [
        {
            "name": a.name,
            "rows": list(a.labels),
            "headings": [format_label(h, lang) for h in a.headings],
            "rounding": a.rounding,
            "below": _describe_axis_end(a.below, table, ruleset),
            "above": _describe_axis_end(a.above, table, ruleset),
        }
        for a in table.axes
    ]
    cells = [
        {
            "at": [a.labels[i] for a, i in zip(table.axes, at, strict=True)],
            "value": to_plain_value(value, table.type, ruleset),
        }
        for at, value in sorted(table.cells.items())
    ]
    return {
        "id": table.id,
        "label": format_label(table.label, lang),
        **describe_origin(table.origin, lang),
        "columns": [name for name, _ in table.columns],
        "signs": [list(sign) for sign in table.signs],
        "axes": axes,
        "cells": cells,
    }


def _describe_axis_end(end: object, table: Table, ruleset: Ruleset) -> object:
    return {"result": to_plain_value(end[1], table.type, ruleset)} if isinstance(end, tuple) else end


def describe_origin(origin: Provenance, lang: str) -> Data:
    """Return the citations, source, note, file and line of a datum."""
    return {
        "cite": list(origin.cite),
        "source": origin.source,
        "note": format_label(origin.note, lang),
        "file": origin.span.file,
        "line": origin.span.line,
    }


def describe_ladders(ruleset: Ruleset, lang: str) -> Data:
    """Return each ladder with its rungs, lowest first."""
    return {
        "ladders": [
            {
                **_describe_id_and_label(ladder, lang),
                **describe_origin(ladder.origin, lang),
                "rungs": [
                    {"id": r, "label": format_label(words, lang)}
                    for r, words in zip(ladder.rungs, ladder.labels, strict=True)
                ],
            }
            for ladder in ruleset.ladders.values()
        ]
    }


def describe_scenarios(ruleset: Ruleset, lang: str) -> Data:
    """Return {"scenarios": [...]} with the description and the position of each scenario."""
    return {"scenarios": [_describe_scenario(s, ruleset, lang) for s in ruleset.scenarios.values()]}


def describe_player_texts(texts: PlayerTexts, ruleset: Ruleset, lang: str) -> list[Data]:
    """Return the texts for players before the game: the aim of each seat, then on scoring and on the end.

    Each has "seat" and "label" ('' in the last two), "text" and "cite".
    """
    seats = ruleset.kinds["seat"].things
    aims = [(seats[seat].id, format_label(seats[seat].label, lang), aim) for seat, aim in texts.aims.items()]
    common = [("", "", text) for text in (texts.counting, texts.ending) if text is not None]
    return [
        {"seat": seat, "label": label or seat, "text": format_label(x.text, lang), "cite": list(x.origin.cite)}
        for seat, label, x in (*aims, *common)
    ]


def describe_options(ruleset: Ruleset, lang: str) -> Data:
    """Return each optional rule with the way to select it, its requirements and its exclusions."""
    return {"options": [_describe_option(o, ruleset, lang) for o in ruleset.options.values()]}


def describe_rulebook(ruleset: Ruleset, lang: str) -> Data:
    """Return {"paragraphs": [...]} with the paragraphs of the rulebook in order."""
    return {"paragraphs": [describe_paragraph(ruleset, p, lang) for p in ruleset.rulebook]}


def describe_paragraph(ruleset: Ruleset, number: str, lang: str) -> Data:
    """Return one paragraph: its title and text, and the condition under which it does not apply."""
    paragraph = ruleset.rulebook[number]
    return {
        "id": paragraph.id,
        "title": format_label(paragraph.title, lang),
        "text": format_label(paragraph.text, lang),
        "definition": paragraph.definition,
        "ruling": paragraph.ruling,
        "replaced_when": paragraph.replaced_when.text if paragraph.replaced_when else None,
        "file": paragraph.origin.span.file,
        "line": paragraph.origin.span.line,
    }


def _describe_neighbours(ruleset: Ruleset, lang: str) -> dict[int, list[Data]]:
    kind = ruleset.kinds["edge"]
    places = ruleset.kinds["place"].things
    links: dict[int, list[Data]] = {}
    for edge in kind.things:
        if edge.ends is None:
            continue
        shared = {
            "edge": edge.id,
            "attributes": _describe_values(edge, kind.attributes, ruleset),
            **describe_origin(edge.origin, lang),
        }
        for place, neighbour in (edge.ends, edge.ends[::-1]):
            links.setdefault(place, []).append({**_describe_id_and_label(places[neighbour], lang), **shared})
    return links


def _describe_attributes(attributes: Mapping[str, Attribute], lang: str) -> list[Data]:
    return [
        {
            "id": a.name,
            "label": format_label(a.label, lang),
            "type": str(a.type),
            "changes": a.changes,
            **describe_origin(a.origin, lang),
        }
        for a in attributes.values()
    ]


def _describe_values(thing: Thing, attributes: Mapping[str, Attribute], ruleset: Ruleset) -> Data:
    return {n: to_plain_value(thing.values[n], a.type, ruleset) for n, a in attributes.items() if n in thing.values}


def _describe_id_and_label(item: Thing | PieceClass | Ladder | OptionalRule | Constant, lang: str) -> Data:
    return {"id": item.id, "label": format_label(item.label, lang)}


def _describe_thing(thing: Thing, kind: Kind, ruleset: Ruleset, lang: str) -> Data:
    data = {
        **_describe_id_and_label(thing, lang),
        "attributes": _describe_values(thing, kind.attributes, ruleset),
        **describe_origin(thing.origin, lang),
    }
    if kind.id == "seat":
        data["members"] = [get_thing(ruleset, "side", s).id for s in thing.members]
    return data


def _describe_scenario(scenario: Scenario, ruleset: Ruleset, lang: str) -> Data:
    return {
        "id": scenario.id,
        "title": format_label(scenario.title, lang),
        "about": format_label(scenario.about, lang),
        "default": scenario.default,
        "turns": scenario.turns,
        "options": dict(scenario.options),
        "told": describe_player_texts(scenario.texts, ruleset, lang),
        **describe_origin(scenario.origin, lang),
        "position": _describe_position(scenario.position, ruleset),
    }


def _describe_position(position: SetupPosition, ruleset: Ruleset) -> Data:
    """Return a set-up position by ids: its groups, and the values of pieces, of other things and of the game."""
    attributes = ruleset.kinds["piece"].attributes
    groups = [
        {
            "at": get_thing(ruleset, "place", place).id,
            "number": number,
            "attributes": {n: to_plain_value(v, attributes[n].type, ruleset) for n, v in values},
        }
        for place, values, number, _cls in position.groups
    ]
    pieces = {
        get_thing(ruleset, "piece", handle).id: {
            n: (get_thing(ruleset, "place", v).id if n == "at" else to_plain_value(v, attributes[n].type, ruleset))
            for n, v in values.items()
        }
        for handle, values in position.pieces.items()
    }
    things: dict[str, Data] = {}
    for (kind, handle), values in position.things.items():
        owner_kind = ruleset.kinds[kind]
        things.setdefault(owner_kind.many, {})[owner_kind.things[handle].id] = {
            n: to_plain_value(v, owner_kind.attributes[n].type, ruleset) for n, v in values.items()
        }
    game = {n: to_plain_value(v, ruleset.game[n].type, ruleset) for n, v in position.game.items()}
    return {"groups": groups, "pieces": pieces, "things": things, "game": game}


def _describe_exchanged_thing(ruleset: Ruleset, kind: str, handle: int, lang: str) -> Data:
    thing = ruleset.kinds[kind].things[handle]
    return {"id": thing.id, "label": format_label(thing.label, lang) or thing.id}


def _describe_option(option: OptionalRule, ruleset: Ruleset, lang: str) -> Data:
    seats = ruleset.kinds["seat"].things
    return {
        **_describe_id_and_label(option, lang),
        "type": option.type,
        "values": list(option.values),
        "default": option.default,
        "splits": seats[option.splits].id if option.splits is not None else None,
        "into": [seats[s].id for s in option.into],
        "needs": list(option.needs),
        "excludes": list(option.excludes),
        "exchanges": [
            [_describe_exchanged_thing(ruleset, kind, handle, lang) for handle in pair]
            for kind, *pair in option.exchanges
        ],
        "told": describe_player_texts(option.texts, ruleset, lang),
        **describe_origin(option.origin, lang),
    }
