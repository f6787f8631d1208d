"""The data of a ruleset as plain values for the linker: things, columns, tables, labels.

The result consists of dicts, lists, strings and numbers only (fractions as {"fraction": [n, d]}).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.backends.python.python_names import Layout
from interpreter.lowering.ledger_lowering import iter_tallies
from interpreter.model import types as t
from interpreter.model.checked_model import CheckedModel
from interpreter.model.ruleset import (
    Attribute,
    Kind,
    Label,
    PieceClass,
    PlayerText,
    PlayerTexts,
    Ruleset,
    SetupPosition,
)
from interpreter.model.texts import find_map_rules
from interpreter.model.types import to_display_type
from interpreter.runtime.plain_data import plain
from interpreter.runtime.tables import serialize_chart


def describe_data(model: CheckedModel, layout: Layout) -> dict[str, Any]:
    """Return the data of the ruleset that play, tools and user interfaces need."""
    rs = model.ruleset
    return {
        "id": rs.id,
        "content_hash": rs.content_hash,
        "title": dict(rs.title),
        "version": rs.version,
        "languages": list(rs.languages),
        "about": dict(rs.about),
        "extends": rs.extends,
        "variants": [{"title": dict(one.title), "about": dict(one.about)} for one in rs.variants],
        "kinds": {k.id: _describe_kind(k, rs.classes) for k in rs.kinds.values()},
        "classes": {
            x.id: {
                "one": x.one,
                "many": x.many,
                "attributes": list(x.attributes),
                "alike": x.alike,
                "counters": list(x.counters),
                "label": dict(x.label),
            }
            for x in rs.classes.values()
        },
        "columns": _describe_slots(model, layout.columns),
        "constants": _describe_slots(model, layout.constants),
        "game": [[layout.game[n], n, _describe_attribute(a)] for n, a in rs.game.items()],
        "ladders": {x.id: {"rungs": list(x.rungs), "labels": [dict(y) for y in x.labels]} for x in rs.ladders.values()},
        "dice": {d.id: list(d.faces) for d in rs.dice.values()},
        "tables": {x.id: serialize_chart(x) for x in rs.tables.values()},
        "values": {x.id: {"value": plain(x.value), "show": to_display_type(x.type)} for x in rs.constants.values()},
        "regions": {k: list(v) for k, v in rs.regions.items()},
        "grid": None
        if rs.grid is None
        else {
            "shape": rs.grid.shape,
            "directions": list(rs.grid.directions),
            "neighbours": [list(x) for x in rs.grid.neighbours],
            "cells": [None if x is None else list(x) for x in rs.grid.column_row],
        },
        "rulebook": {
            p.id: {"title": dict(p.title), "text": dict(p.text), "definition": p.definition, "ruling": p.ruling}
            for p in rs.rulebook.values()
        },
        "options": [
            {
                "id": o.id,
                "type": o.type,
                "values": list(o.values),
                "default": o.default,
                "splits": o.splits,
                "shares": {str(number): list(share) for number, share in o.shares.items()},
                "into": list(o.into),
                "needs": list(o.needs),
                "excludes": list(o.excludes),
                "exchanges": [list(pair) for pair in o.exchanges],
                "label": dict(o.label),
                "note": dict(o.origin.note),
                "cites": list(o.origin.cite),
                **_describe_player_texts(o.texts, rs),
            }
            for o in rs.options.values()
        ],
        "scenarios": [
            {
                "id": x.id,
                "title": dict(x.title),
                "about": dict(x.about),
                "default": x.default,
                "options": dict(x.options),
                "turn": x.first_turn,
                "turns": x.turns,
                "position": _describe_position(x.position),
                **_describe_player_texts(x.texts, rs),
            }
            for x in rs.scenarios.values()
        ],
        "levels": [
            {"id": x.id, "seat": x.seat, "title": dict(x.title), "timed": x.when is not None} for x in rs.victory.levels
        ],
        **_describe_player_texts(rs.victory.texts, rs),
        "views": {
            v.id: {
                "kind": v.of.kind if v.of else None,
                "cls": v.of.cls if v.of else None,
                "label": dict(v.label),
                "cites": list(v.origin.cite),
                "show": to_display_type(model.views[v.id].type),
            }
            for v in rs.views.values()
            if v.id in model.views
        },
        "tallied": [[name, kind] for name, kind, _word, _core in iter_tallies(model)],
        "between": {
            name: {"ends": [[end.kind, end.cls] for end in ends], "cites": list(model.rules[name].cites)}
            for name, ends in find_map_rules(model).items()
        },
        "setup_checks": {
            n: {"kind": x.of.kind if x.of else None, "cls": x.of.cls if x.of else None}
            for n, x in rs.setup_checks.items()
            if n in model.setup_checks
        },
        "conditions": list(rs.victory.conditions),
        "kept": dict(model.original_names),
        "seats": list(rs.seats),
        "reconstructed": [name for name, _ in rs.reconstructed],
    }


def _describe_player_texts(texts: PlayerTexts, rs: Ruleset) -> dict[str, Any]:
    return {
        "aims": {rs.kinds["seat"].things[seat].id: _describe_player_text(aim) for seat, aim in texts.aims.items()},
        "counting": _describe_player_text(texts.counting),
        "ending": _describe_player_text(texts.ending),
    }


def _describe_player_text(text: PlayerText | None) -> dict[str, Any] | None:
    return None if text is None else {"text": dict(text.text), "cites": list(text.origin.cite)}


def _describe_kind(kind: Kind, classes: Mapping[str, PieceClass]) -> dict[str, Any]:
    shared = _collect_shared_names(kind, classes) if kind.id == "piece" else {}
    return {
        "one": kind.one,
        "many": kind.many,
        "label": dict(kind.label),
        "things": [
            {
                "id": x.id,
                "label": dict(x.label),
                "cls": x.cls,
                "at": x.at,
                "ends": plain(x.ends),
                "members": list(x.members),
                "holding": x.holding,
                "direction": x.direction,
                **({"family": dict(shared[n])} if n in shared else {}),
            }
            for n, x in enumerate(kind.things)
        ],
        "attributes": {a.name: _describe_attribute(a) for a in kind.attributes.values()},
    }


def _collect_shared_names(kind: Kind, classes: Mapping[str, PieceClass]) -> dict[int, Label]:
    """Return, by handle, the name that an interchangeable piece shares with every piece that can be in its group."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for n, piece in enumerate(kind.things):
        cls = classes.get(piece.cls) if piece.cls is not None else None
        if cls is not None and cls.alike:
            fixed = (piece.values.get(name) for name in cls.counters if not kind.attributes[name].changes)
            groups.setdefault((piece.cls, *fixed), []).append(n)
    names = {n: kind.things[members[0]].family for members in groups.values() for n in members}
    differing = {n for n, name in names.items() if not name or kind.things[n].family != name}
    mixed = {n for members in groups.values() if differing.intersection(members) for n in members}
    return {n: name for n, name in names.items() if n not in mixed}


def _describe_attribute(a: Attribute) -> dict[str, Any]:
    return {
        "name": a.name,
        "show": to_display_type(a.type),
        "changes": a.changes,
        "default": plain(a.default),
        "low": a.low,
        "high": a.high,
        "clamp": a.clamp,
        "lasts": a.lasts,
        "told": a.is_shown,
        "label": dict(a.label),
        "values": list(a.type.values) if isinstance(a.type, t.OneOfType) else None,
        "int": isinstance(a.type, t.IntType),
        "text": isinstance(a.type, t.TextType),
    }


def _list_initial_values(kind: Kind, a: Attribute) -> list[Any]:
    return [plain(x.values.get(a.name, a.default)) for x in kind.things]


def _describe_slots(model: CheckedModel, slots: Mapping[tuple[str, str], str]) -> list[list[Any]]:
    """Describe each slot as [name of the slot, kind, attribute, initial value for every thing].

    `slots`: the name of the slot of each (kind, attribute).
    """
    kinds = model.ruleset.kinds
    return [
        [slot, kind, name, _list_initial_values(kinds[kind], kinds[kind].attributes[name])]
        for (kind, name), slot in slots.items()
    ]


def _describe_position(p: SetupPosition) -> dict[str, Any]:
    return {
        "groups": [
            [group.place, [[n, plain(v)] for n, v in group.values], group.number, group.cls] for group in p.groups
        ],
        "pieces": [[piece, {k: plain(v) for k, v in values.items()}] for piece, values in p.pieces.items()],
        "things": [
            [kind, index, {k: plain(v) for k, v in values.items()}] for (kind, index), values in p.things.items()
        ],
        "game": {k: plain(v) for k, v in p.game.items()},
    }
