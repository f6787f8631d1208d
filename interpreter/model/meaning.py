"""The meaning of a ruleset as canonical data, part by part, and its digests.

Covers by name whatever can change a game, and nothing else: no texts for people, citations, looks or source positions.
See docs/decisions/034-identity-of-rules.md. Independent of file names, order of files, platform and compilation.

Increase `SCHEME` whenever unchanged rules would get another digest: saved games then report that they cannot be
compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from functools import cache
from hashlib import blake2b
from itertools import chain
from typing import Any
from unicodedata import normalize

from interpreter.diagnostics.record_walk import find_reachable
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.checked_model import CheckedModel, CheckedTally, CheckedWatcher, iter_items
from interpreter.model.ruleset import (
    Attribute,
    Axis,
    Kind,
    OptionalRule,
    Ruleset,
    Scenario,
    SetupPosition,
    Table,
    Thing,
)

SCHEME = 1
_PART_BYTES = 3  # short: only locates a difference, the digest of the whole detects it
_WHOLE_BYTES = 16
_MAX_PARTS = 2_000  # limit, because the first line of a journal lists them

# Fields of checked rules that cannot change a game: texts for people, citations, source positions, data that the
# checker derives from other fields. A test ensures that every other field is covered.
NOT_MEANT = frozenset(
    (
        "address",  # how messages and variants name a requirement
        "because",
        "because_cites",
        "cites",
        "ending",
        "label",
        "names",  # the locals in scope of a decision: derived
        "prompt",
        "span",
        "staged",  # whether the rules read the stages of a draft: derived
        "title",
        "type",  # type of an expression: derived
        "witness",  # the member that a failure message names
        "words",
    )
)


# Sorts of parts that affect a game only if another part names them, and the parts of these sorts where play begins.
_OPTIONAL_SORTS = frozenset(("procedure", "define", "rule", "tally", "draft", "event", "table", "value", "region"))
_ROOTS = frozenset(("procedure.turn", "procedure.setup"))
_REFERRING_SORTS = _OPTIONAL_SORTS - {"table", "value", "region"} | {"watcher", "condition", "levels", "score"}


def compute_identity(model: CheckedModel) -> dict[str, Any]:
    """Return the digests that identify a ruleset: of its rules, of each scenario, and of each named part."""
    rules = {name: _encode(part) for name, part in collect_meaning(model).items()}
    scenarios = {x.id: _encode(_serialize_scenario(x, model.ruleset)) for x in model.ruleset.scenarios.values()}
    return {
        "scheme": SCHEME,
        "rules": _compute_digest(_join_parts(rules), _WHOLE_BYTES),
        "scenarios": {name: _compute_digest(part, _WHOLE_BYTES) for name, part in scenarios.items()},
        "parts": _compute_part_digests(rules),
    }


def _compute_part_digests(rules: Mapping[str, bytes]) -> dict[str, str]:
    """Return a digest of each part by name; beyond `_MAX_PARTS` parts, of each sort of part, such as "define"."""
    if len(rules) <= _MAX_PARTS:
        return {name: _compute_digest(rules[name], _PART_BYTES) for name in sorted(rules)}
    sorts: dict[str, dict[str, bytes]] = {}
    for name, part in rules.items():
        sorts.setdefault(name.partition(".")[0], {})[name] = part
    return {sort: _compute_digest(_join_parts(sorts[sort]), _PART_BYTES) for sort in sorted(sorts)}


def collect_meaning(model: CheckedModel) -> dict[str, Any]:
    """Return everything that the digest of the rules covers, as plain data by part.

    Parts that only texts, views or bots read (a define used by the evaluation alone, its weights) are left out,
    because play never reaches them.
    """
    parts = dict(_iter_parts(model))
    optional: dict[str, list[str]] = {}  # the parts that a word refers to
    for name in parts:
        sort, _dot, own = name.partition(".")
        if sort in _OPTIONAL_SORTS and name not in _ROOTS:
            optional.setdefault(own, []).append(name)
            optional.setdefault(name, []).append(name)

    def list_named_parts(part: str) -> Iterable[str]:
        words = _iter_strings(parts[part]) if part.partition(".")[0] in _REFERRING_SORTS else ()
        return (name for word in words for name in optional.get(word, ()))

    reached = find_reachable([name for name in parts if name not in optional], list_named_parts)
    return {name: data for name, data in parts.items() if name in reached}


def _iter_strings(data: object) -> Iterator[str]:
    """Yield every text in plain data, used to find the names that it refers to."""
    pending = [data]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            pending += item.values()
        elif isinstance(item, list):
            pending += item


def sort_watchers(watchers: Sequence[CheckedWatcher], rs: Ruleset) -> tuple[CheckedWatcher, ...]:
    """Return watchers in an order that does not depend on the names of the base's files.

    Watchers of one event and file keep their order; files are sorted by the content of their first watcher of the
    event. Watchers of variants follow those of the base.
    """
    base = {source.name for source in rs.rules}
    out = list(watchers)
    for event in dict.fromkeys(w.event for w in watchers):
        indexes = [i for i, w in enumerate(watchers) if w.event == event and w.span.file in base]
        files: dict[str, list[CheckedWatcher]] = {}
        for i in indexes:
            files.setdefault(watchers[i].span.file, []).append(watchers[i])
        if len(files) < 2:
            continue
        ordered = sorted(files.values(), key=lambda group: _encode(_serialize_rules_part(group[0], rs)))
        for i, watcher in zip(indexes, chain.from_iterable(ordered), strict=True):
            out[i] = watcher
    return tuple(out)


def _encode(data: object) -> bytes:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def _join_parts(parts: Mapping[str, bytes]) -> bytes:
    return b"".join(f"{name} {len(parts[name])} ".encode() + parts[name] for name in sorted(parts))


def _compute_digest(content: bytes, size: int) -> str:
    return blake2b(content, digest_size=size, person=b"grognard rules").hexdigest()


def _iter_parts(model: CheckedModel) -> Iterator[tuple[str, Any]]:
    yield from _iter_data_parts(model.ruleset)
    yield from _iter_rules_parts(model)


# --- data ---------------------------------------------------------------------------------------


def _iter_data_parts(rs: Ruleset) -> Iterator[tuple[str, Any]]:
    """Yield (name, plain data) for each part of the data, such as "table.losses".

    Kinds, attributes, things and options keep their order, because positions depend on it.
    """
    yield "kinds", [kind.id for kind in rs.kinds.values()]
    for kind in rs.kinds.values():
        yield f"kind.{kind.id}", _serialize_kind(kind, rs)
    yield (
        "classes",
        {
            x.id: {"attributes": list(x.attributes), "alike": x.alike, "counters": list(x.counters)}
            for x in rs.classes.values()
        },
    )
    yield "game", [_serialize_attribute(a, rs) for a in rs.game.values()]
    for ladder in rs.ladders.values():
        yield f"ladder.{ladder.id}", list(ladder.rungs)
    for die in rs.dice.values():
        yield f"die.{die.id}", list(die.faces)
    for table in rs.tables.values():
        yield f"table.{table.id}", _serialize_table(table, rs)
    for constant in rs.constants.values():
        yield f"value.{constant.id}", [str(constant.type), _serialize_value(constant.value, constant.type, rs)]
    places = rs.kinds["place"].things
    for region, members in rs.regions.items():
        yield f"region.{region}", sorted(places[p].id for p in members)
    if rs.grid is not None:
        yield (
            "grid",
            {
                "shape": rs.grid.shape,
                "directions": list(rs.grid.directions),
                "neighbours": {
                    place.id: [None if x is None else places[x].id for x in around]
                    for place, around in zip(places, rs.grid.neighbours, strict=True)
                },
                "cells": {place.id: _to_plain_data(at) for place, at in zip(places, rs.grid.column_row, strict=True)},
            },
        )
    yield "options", list(rs.options)
    for option in rs.options.values():
        yield f"option.{option.id}", _serialize_option(option, rs)


def _serialize_kind(kind: Kind, rs: Ruleset) -> dict[str, Any]:
    return {
        "attributes": [_serialize_attribute(a, rs) for a in kind.attributes.values()],
        "things": [_serialize_thing(thing, kind, rs) for thing in kind.things],
    }


def _serialize_thing(thing: Thing, kind: Kind, rs: Ruleset) -> dict[str, Any]:
    data: dict[str, Any] = {
        "id": thing.id,
        "values": {
            name: _serialize_value(value, kind.attributes[name].type, rs)
            for name, value in thing.values.items()
            if name in kind.attributes
        },
        "class": thing.cls,
        "holding": thing.holding,
        "direction": thing.direction,
    }
    if thing.at is not None:
        data["at"] = rs.kinds["place"].things[thing.at].id
    if thing.ends is not None:
        data["ends"] = [rs.kinds["place"].things[end].id for end in thing.ends]
    if thing.members:
        data["members"] = [rs.kinds["side"].things[side].id for side in thing.members]
    return data


def _serialize_attribute(attribute: Attribute, rs: Ruleset) -> dict[str, Any]:
    return {
        "name": attribute.name,
        "type": str(attribute.type),
        "changes": attribute.changes,
        "default": _serialize_value(attribute.default, attribute.type, rs),
        "lasts": attribute.lasts,
        "low": attribute.low,
        "high": attribute.high,
        "clamp": attribute.clamp,
        "top": attribute.top,
    }


def _serialize_table(table: Table, rs: Ruleset) -> dict[str, Any]:
    return {
        "axes": [_serialize_axis(axis, table.type, rs) for axis in table.axes],
        "type": str(table.type),
        "columns": _serialize_fields(rs.records[table.type.id].fields)
        if isinstance(table.type, t.RecordType)
        else None,
        "cells": [[list(index), _serialize_value(cell, table.type, rs)] for index, cell in sorted(table.cells.items())],
        "blanks": table.blanks,
    }


def _serialize_axis(axis: Axis, cell: t.Type, rs: Ruleset) -> dict[str, Any]:
    keys = [_serialize_value(key, axis.type, rs) if axis.sort == "keys" else _to_plain_data(key) for key in axis.keys]
    past = [
        ("result", _serialize_value(x[1], cell, rs)) if isinstance(x, tuple) else x for x in (axis.below, axis.above)
    ]
    return {"sort": axis.sort, "type": str(axis.type), "keys": keys, "past": past, "rounding": axis.rounding}


def _serialize_option(option: OptionalRule, rs: Ruleset) -> dict[str, Any]:
    seats = rs.kinds["seat"].things
    return {
        "type": option.type,
        "values": list(option.values),
        "default": option.default,
        "splits": None if option.splits is None else seats[option.splits].id,
        "into": [seats[seat].id for seat in option.into],
        "shares": {str(number): list(share) for number, share in option.shares.items()},
        "needs": list(option.needs),
        "excludes": list(option.excludes),
    }


def _serialize_scenario(scenario: Scenario, rs: Ruleset) -> dict[str, Any]:
    return {
        "position": _serialize_position(scenario.position, rs),
        "options": {name: _to_plain_data(value) for name, value in scenario.options.items()},
        "turns": scenario.turns,
        "first_turn": scenario.first_turn,
    }


def _serialize_position(position: SetupPosition, rs: Ruleset) -> dict[str, Any]:
    """Return a starting position as plain data, with ids instead of handles."""
    places, pieces = rs.kinds["place"].things, rs.kinds["piece"]

    def set_on(kind: str, values: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: places[value].id
            if (kind, name) == ("piece", "at") and value is not None
            else _serialize_value(value, rs.kinds[kind].attributes[name].type, rs)
            if name in rs.kinds[kind].attributes
            else _to_plain_data(value)
            for name, value in values.items()
        }

    return {
        "groups": [
            [places[group.place].id, group.cls, group.number, set_on("piece", dict(group.values))]
            for group in position.groups
        ],
        "pieces": {pieces.things[piece].id: set_on("piece", values) for piece, values in position.pieces.items()},
        "things": {
            f"{kind} {rs.kinds[kind].things[thing].id}": set_on(kind, values)
            for (kind, thing), values in position.things.items()
        },
        "game": {name: _serialize_value(value, rs.game[name].type, rs) for name, value in position.game.items()},
    }


def _serialize_value(value: Any, type_: t.Type, rs: Ruleset) -> object:  # noqa: ANN401 - its shape follows `type_`
    """Return a value of the type `type_` as plain data, with names instead of handles.

    So a new thing changes only the digests of parts that use it.
    """
    if value is None:
        return None
    match type_:
        case t.MaybeType(item=item):
            return _serialize_value(value, item, rs)
        case t.ThingType(kind="level"):
            return rs.victory.levels[value].id
        case t.ThingType(kind=kind):
            return rs.kinds[kind].things[value].id
        case t.RungType(ladder=ladder):
            return rs.ladders[ladder].rungs[value]
        case t.SetType(item=item) if item is not None:
            return sorted((_serialize_value(x, item, rs) for x in value), key=_encode)
        case t.ListType(item=item) if item is not None:
            return [_serialize_value(x, item, rs) for x in value]
        case t.RecordType(id=id) if id in rs.records:
            kinds = rs.records[id].fields.values()
            return [_serialize_value(x, kind, rs) for x, kind in zip(value, kinds, strict=True)]
    return _to_plain_data(value)


def _to_plain_data(value: object) -> object:
    match value:
        case str():
            return normalize("NFC", value)
        case Fraction():
            return {"fraction": [value.numerator, value.denominator]}
        case tuple() | list():
            return [_to_plain_data(x) for x in value]
    return value


def _serialize_fields(field_types: Mapping[str, t.Type] | Iterable[tuple[str, t.Type]]) -> list[list[str]]:
    pairs = field_types.items() if isinstance(field_types, Mapping) else field_types
    return [[name, str(type_)] for name, type_ in pairs]


# The names of records in digests of scheme 1. A class may be renamed; its name in digests may not.
_DIGEST_NAMES = {
    "CheckedCall": "Call",
    "CheckedClosure": "Closure",
    "CheckedEndGame": "End",
    "CheckedIf": "Branch",
    "CheckedLocal": "Local",
    "CheckedMakeRecord": "Record",
    "CheckedOption": "Choice",
    "CheckedPiecesAt": "PiecesAt",
    "CheckedPreference": "Preference",
    "CheckedRequirement": "Requirement",
    "CheckedSearch": "Search",
    "CheckedSkipTo": "SkipTo",
    "Comprehension": "Former",
    "FieldAccess": "Field",
    "RecordUpdate": "WithFields",
}

# --- rules --------------------------------------------------------------------------------------


def _iter_rules_parts(model: CheckedModel) -> Iterator[tuple[str, Any]]:
    rs = model.ruleset
    for sort, name, item in iter_items(model):
        yield f"{sort}.{name}", _serialize_rules_part(item, rs)
    watched: dict[str, list[Any]] = {}
    for watcher in model.watchers:
        watched.setdefault(watcher.event, []).append(_serialize_rules_part(watcher, rs))
    for event, watchers in watched.items():
        yield f"watcher.{event}", watchers
    for name, record in model.records.items():
        if name not in rs.records and not name.startswith(t.DRAFT):  # others are covered by their table or draft
            yield f"record.{name}", _serialize_fields(record)
    for name, condition in model.conditions.items():
        yield f"condition.{name}", _serialize_rules_part(condition, rs)
    yield (
        "levels",
        [
            [
                level.id,
                None if level.seat is None else rs.kinds["seat"].things[level.seat].id,
                _serialize_rules_part(when, rs),
            ]
            for level, when in zip(rs.victory.levels, model.levels, strict=True)
        ],
    )
    yield "score", _serialize_rules_part(model.score, rs)


def _serialize_rules_part(part: object, rs: Ruleset) -> object:
    """Return a part of the checked rules as plain data.

    A record is [name of its class, its fields that are set]; spans and citations are left out.
    """
    match part:
        case n.Literal(datum=datum) if datum:
            return ["datum", datum]  # covered as a separate part
        case n.Literal(value=value, type=type_):
            return ["literal", _serialize_value(value, type_, rs)]
        case n.HoldingPlace(first=first, count=count):
            places = [place.id for place in rs.kinds["place"].things[first : first + count]]
            return ["HoldingPlace", {"places": places, "owner": _serialize_rules_part(part.owner, rs)}]
        case CheckedTally(bounds=bounds):
            data = _serialize_record_fields(part, rs, skipped_fields=("bounds",))
            return [
                "CheckedTally",
                {**data, "bounds": [[bound.sort, _serialize_rules_part(bound.value, rs)] for bound in bounds]},
            ]
        case tuple() | list():
            return [_serialize_rules_part(x, rs) for x in part if not isinstance(x, c.CiteOnly)]
        case dict():
            return {name: _serialize_rules_part(x, rs) for name, x in part.items()}
    kind: Any = type(part)
    if hasattr(kind, "__dataclass_fields__"):
        return (
            str(part)
            if kind.__module__ == t.__name__
            else [_DIGEST_NAMES.get(kind.__name__, kind.__name__), _serialize_record_fields(part, rs)]
        )
    return _to_plain_data(part)


def _serialize_record_fields(part: object, rs: Ruleset, skipped_fields: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the fields of a record by name, as plain data, except those in `skipped_fields`.

    Absent and false fields are left out, so that a new optional field changes no old rules.
    """
    kind: Any = type(part)
    values = {name: getattr(part, name) for name in _list_field_names(kind) if name not in skipped_fields}
    return {
        name: _serialize_rules_part(value, rs)
        for name, value in values.items()
        if value is not None and value is not False
    }


@cache
def _list_field_names(kind: type) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind) if f.name not in NOT_MEANT)
