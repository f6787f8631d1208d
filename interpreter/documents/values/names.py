"""All names of the merged documents, with the handle each thing will get.

This is the first pass over the trees and ignores values. The schemas have already reported faults of form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from interpreter.diagnostics.diagnostic import Related, Sink
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.suggestions import is_number_like
from interpreter.documents.geography.grid import GridPlan, build_grid_plan
from interpreter.documents.geography.link_chains import list_new_links
from interpreter.documents.reading.tree import (
    MappingEntry,
    MappingNode,
    ScalarNode,
    SequenceNode,
    get_entry_mapping,
    read_integer,
)
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t

# the kinds that every ruleset has, with their plurals
BUILT_IN_KINDS = {"side": "sides", "seat": "seats", "place": "places", "edge": "edges", "piece": "pieces"}
MAX_THINGS = 50_000
OFF_MAP = "off_map"  # the place of pieces without a place


@dataclass(frozen=True, slots=True)
class NameTable:
    """The names that the documents of a ruleset define.

    `handles`: for each kind the handles of its things by id; `rungs`: for each ladder the numbers of its rungs by name;
    `dice`: the faces of each die; `types`: the type that each type word denotes; `many`: the plural of each kind;
    `grid`: the spaces of the grid, or None.
    """

    handles: Mapping[str, Mapping[str, int]]
    many: Mapping[str, str]
    rungs: Mapping[str, Mapping[str, int]]
    dice: Mapping[str, tuple[int, ...]]
    types: Mapping[str, t.Type]
    grid: GridPlan | None


@dataclass(frozen=True, slots=True)
class HoldingPlaceEntry:
    """A place off the map, generated from an entry under `holding`.

    `holding`: the name of the entry; `owner`: the (kind, id) of the thing it belongs to, or None; `number`: its
    number if the entry makes one place for each turn.
    """

    id: str
    holding: str
    entry: MappingEntry
    owner: tuple[str, str] | None
    number: int | None = None


def collect_names(kinds: Mapping[str, MappingNode], sink: Sink) -> NameTable:
    """Return the names in all documents; report conflicts between words for types."""
    ruleset, pieces = kinds["ruleset"], kinds["pieces"]
    plan = build_grid_plan(kinds["map"].get_mapping("grid"), sink)
    types, many = _collect_type_words(kinds, sink)
    handles: dict[str, Mapping[str, int]] = {
        "side": _number_members(ruleset.get_mapping("sides").get_mapping("members")),
        "seat": _number_members(ruleset.get_mapping("seats")),
    }
    for entry in ruleset.get_mapping("kinds"):
        handles.setdefault(entry.key.text, _number_members(get_entry_mapping(entry).get_mapping("members")))
    handles["place"] = _number_ids(
        _list_place_ids(kinds["map"], plan)
        + [p.id for p in list_holding_places(kinds["map"], handles, types)]
        + ([OFF_MAP] if needs_off_map(pieces) else [])
    )
    handles["edge"] = _number_ids(
        [
            *kinds["map"].get_mapping("links").get_mapping("members").entries,
            *list_new_links(kinds["map"], plan, handles["place"]),
            *(plan.list_edge_ids() if plan else ()),
        ]
    )
    handles["piece"] = _number_ids(
        list(islice((i for entry in pieces.get_mapping("pieces") for i in list_piece_ids(entry)), MAX_THINGS))
    )
    return NameTable(
        handles,
        many,
        _read_rungs(kinds["ladders"].get_mapping("ladders")),
        _read_dice(ruleset.get_mapping("dice")),
        types,
        plan,
    )


def _number_members(members: MappingNode) -> dict[str, int]:
    return {key: n for n, key in enumerate(members.entries)}


def _number_ids(ids: list[str]) -> dict[str, int]:
    return {key: n for n, key in enumerate(dict.fromkeys(ids))}


def _list_place_ids(tree: MappingNode, plan: GridPlan | None) -> list[str]:
    """Return the ids of the places on the map, those of the grid last and in its order."""
    ids = list(tree.get_mapping("places").get_mapping("members").entries)
    if plan is None:
        return ids
    on_grid = {s.id for s in plan.spaces}
    return [i for i in ids if i not in on_grid and not is_number_like(i)] + [s.id for s in plan.spaces]


def list_holding_places(
    tree: MappingNode, handles: Mapping[str, Mapping[str, int]], types: Mapping[str, t.Type]
) -> list[HoldingPlaceEntry]:
    """Return the places that the `holding` entries of the map `tree` make, in order.

    `handles`: the things by kind and id; `types`: the type that each type word denotes.
    """
    places: list[HoldingPlaceEntry] = []
    for entry in tree.get_mapping("holding"):
        name, form = entry.key.text, get_entry_mapping(entry)
        per = form.get_text("one_per")
        kind = types.get(per)
        if per == "turn":
            count = read_integer(form.get("count")) or 0
            places += [HoldingPlaceEntry(f"{name}.{n}", name, entry, None, n) for n in range(1, min(count, 1000) + 1)]
        elif isinstance(kind, t.ThingType) and kind.kind in handles:
            places += [HoldingPlaceEntry(f"{name}.{i}", name, entry, (kind.kind, i)) for i in handles[kind.kind]]
        elif not per:
            places.append(HoldingPlaceEntry(name, name, entry, None))
    return places


def needs_off_map(pieces: MappingNode) -> bool:
    """Return whether some piece has no place, so that an off-map place is needed."""
    return any("at" not in get_entry_mapping(entry) for entry in pieces.get_mapping("pieces"))


def list_piece_ids(entry: MappingEntry) -> list[str]:
    """Return the ids of the pieces that one entry declares."""
    count = read_integer(get_entry_mapping(entry).get("count"))
    return [entry.key.text] if count is None else [f"{entry.key.text}-{n + 1}" for n in range(min(count, MAX_THINGS))]


def list_rung_entries(entry: MappingEntry) -> list[tuple[ScalarNode, MappingNode]]:
    """Return the rungs of a ladder in order, each as (name, the rung's own mapping)."""
    node = get_entry_mapping(entry).get("rungs") if isinstance(entry.value, MappingNode) else entry.value
    if isinstance(node, SequenceNode):
        return [(i, MappingNode({}, i.span)) for i in node.items if isinstance(i, ScalarNode)]
    return [(e.key, get_entry_mapping(e)) for e in node] if isinstance(node, MappingNode) else []


def _read_rungs(ladders: MappingNode) -> dict[str, Mapping[str, int]]:
    return {e.key.text: _number_ids([key.text for key, _ in list_rung_entries(e)]) for e in ladders}


def _read_dice(tree: MappingNode) -> dict[str, tuple[int, ...]]:
    dice = {}
    for entry in tree:
        node = get_entry_mapping(entry).get("faces")
        if isinstance(node, SequenceNode):
            dice[entry.key.text] = tuple(face for item in node.items if (face := read_integer(item)) is not None)
        elif (sides := read_integer(node)) is not None:
            dice[entry.key.text] = tuple(range(1, min(sides, 1000) + 1))
    return dice


def _collect_type_words(kinds: Mapping[str, MappingNode], sink: Sink) -> tuple[dict[str, t.Type], dict[str, str]]:
    """Return (the type that each type word denotes, the plural of each kind) from the documents `kinds`.

    A word with two meanings is reported.
    """
    types: dict[str, t.Type] = dict(t.PLAIN) | {k: t.ThingType(k) for k in BUILT_IN_KINDS}
    many = dict(BUILT_IN_KINDS)
    spans: dict[str, Span | None] = dict.fromkeys(types)

    def add_word(word: str, meaning: t.Type, span: Span) -> None:
        if word in spans and types[word] != meaning:
            first = spans[word]
            message = _("`{word}` is already the name of another type", word=word)
            cure = _("choose another word")
            sink.add_error(
                "word-taken", message, span, help=cure, related=(Related(_("first used here"), first),) if first else ()
            )
            return
        types[word], spans[word] = meaning, span

    ruleset = kinds["ruleset"]
    word = ruleset.get_mapping("sides").get_mapping("word")
    if word.get_text("one"):
        add_word(word.get_text("one"), t.SIDE, word.entries["one"].value.span)
        many["side"] = word.get_text("many", "sides")
    for entry in ruleset.get_mapping("kinds"):
        add_word(entry.key.text, t.ThingType(entry.key.text), entry.key.span)
        many.setdefault(entry.key.text, get_entry_mapping(entry).get_text("many", entry.key.text))
    for entry in kinds["ladders"].get_mapping("ladders"):
        add_word(entry.key.text, t.RungType(entry.key.text), entry.key.span)
    for entry in kinds["pieces"].get_mapping("classes"):
        add_word(entry.key.text, t.ThingType("piece", entry.key.text), entry.key.span)
        singular = get_entry_mapping(entry).get_text("one")
        if singular:
            add_word(singular, t.ThingType("piece", entry.key.text), entry.key.span)
    return types, many
