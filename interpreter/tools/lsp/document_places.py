"""Tables of places in documents: names that a key or a value can be, and values that are prose, charts or citations.

A place is written as its keys joined by dots, with `*` for any key and `#` for the items of a list. Facts that the
schemas state are not repeated here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from interpreter.tools.lsp.schema_walk import KeyPath

Value = TypeVar("Value")

_POSITIONS = ("cases.cases.*.given", "cases.cases.*.then", "cases.cases.*.when.#.edit", "cases.positions.*")
# Plain strings that people read; the schemas identify labels.
_PROSE = (
    "ruleset.credits.#",
    "cases.cases.*.then.refused.words",
    "cases.cases.*.then.outcome.title",
    "cases.without_effect.#.because",
)
_CHARTS = ("tables.tables.*.cells", "activation.orders.*.cells")
_CITATIONS = ("rulebook.paragraphs.*.key", "cases.cases.*.rules.#", "cases.cases.*.then.refused.cite")

# The sorts of names that a value can be: `TYPE` means type names, `attribute of *` attributes of the class at the `*`,
# `choice of *` options of the decision at the `*`.
TYPE = "type"
_VALUES: Mapping[str, tuple[str, ...]] = {
    "pieces.pieces.*.class": ("class",),
    "pieces.pieces.*.at": ("place",),
    "pieces.classes.*.counters.#": ("attribute of *",),
    "ruleset.seats.*.sides.#": ("side",),
    "ruleset.options.*.splits": ("seat",),
    "ruleset.options.*.needs.#": ("option",),
    "ruleset.options.*.excludes.#": ("option",),
    "ruleset.views.*.of": ("kind", "class"),
    "ruleset.setup_check.*.of": ("kind", "class"),
    "ruleset.regions.*.#": ("place",),
    "map.regions.*.#": ("place",),
    "map.places.areas.*.places.#": ("place",),
    "map.links.members.*.between.#": ("place",),
    "map.links.chains.*.places.#": ("place",),
    "map.links.chains.*.from.#": ("place",),
    "map.links.chains.*.to": ("place",),
    "map.holding.*.one_per": ("kind",),
    "map.drawing.places.fill": ("attribute of place",),
    "map.drawing.places.numbers.#": ("attribute of place",),
    "map.drawing.pieces.*.owner": ("attribute of *",),
    "map.drawing.pieces.*.arrow": ("attribute of *",),
    "map.drawing.pieces.*.numbers.#": ("attribute of *",),
    "map.drawing.pieces.*.sign": ("attribute of *",),
    "map.drawing.pieces.*.sign.by": ("attribute of *",),
    "map.drawing.pieces.*.band.by": ("attribute of *",),
    "tables.tables.*.gives": (TYPE,),
    "tables.tables.*.gives.*": (TYPE,),
    "tables.tables.*.axes.*": (TYPE, "die"),
    "tables.tables.*.axes.*.of": (TYPE, "die"),
    "activation.orders.*.gives": (TYPE,),
    "activation.orders.*.axes.*": (TYPE, "die"),
    "victory.levels.*.for": ("seat",),
    "victory.score.of": ("kind",),
    "scenario.extends": ("scenario",),
    "scenario.setup.pieces.*.#": ("piece",),
    "scenario.setup.each.*.at": ("place",),
    "cases.cases.*.given.scenario": ("scenario",),
    "cases.cases.*.given.prepare.#": ("procedure",),
    "cases.cases.*.when.#.call": ("procedure",),
    "cases.cases.*.when.#.try": ("draft",),
    "cases.cases.*.when.#.choices.#.*": ("choice of *",),
    "cases.cases.*.then.decision": ("decision",),
    "cases.cases.*.then.skipped": ("decision",),
    "cases.cases.*.then.asked.#": ("decision",),
    "cases.cases.*.then.side": ("side",),
    "cases.cases.*.then.seat": ("seat",),
    "cases.cases.*.then.outcome.winner": ("seat",),
    "cases.cases.*.then.only_events.#": ("event",),
    "cases.cases.*.then.no_events.#": ("event",),
    "cases.cases.*.then.phases.#": ("phase",),
    "cases.cases.*.given.options.#": ("option",),
    **{f"{position}.each.*.at": ("place",) for position in _POSITIONS},
    **{f"{position}.pieces.*.#": ("piece",) for position in _POSITIONS},
}
_KEYS: Mapping[str, tuple[str, ...]] = {
    "scenario.options": ("option",),
    "scenario.setup": ("many",),
    "scenario.setup.pieces": ("place",),
    "scenario.setup.each": ("piece",),
    "map.drawing.links": ("attribute of edge",),
    "map.drawing.sides": ("side",),
    "map.drawing.pieces": ("class",),
    "map.drawing.areas": ("place",),
    "map.drawing.positions": ("place",),
    "map.drawing.straits": ("edge",),
    "map.grid.edges": ("edge",),
    "victory.aims": ("seat",),
    "scenario.aims": ("seat",),
    "ruleset.options.*.aims": ("seat",),
    "cases.cases.*.given": ("many",),
    "cases.cases.*.then": ("many",),
    "cases.cases.*.given.options": ("option",),
    "cases.cases.*.when.#.dice": ("roll",),
    "cases.cases.*.when.#.choices.#": ("decision",),
    "cases.cases.*.then.events.#": ("event",),
    "cases.cases.*.then.outcome.scores": ("seat",),
    "locale.names": ("attribute", "word", "choice", "decision", "event", "roll", "option"),
    "locale.labels": ("choice", "draft"),
    **{f"{position}.pieces": ("place",) for position in _POSITIONS},
    **{f"{position}.each": ("piece",) for position in _POSITIONS},
}
# Kinds whose attributes are the keys of a mapping; `*` means the key at that level, `class` the class of the piece.
_ATTRIBUTES: Mapping[str, str] = {
    "map.places.members.*": "place",
    "map.places.areas.*": "place",
    "map.grid.default": "place",
    "map.links.members.*": "edge",
    "map.links.chains.*": "edge",
    "map.grid.edges.*": "edge",
    "ruleset.sides.members.*": "side",
    "ruleset.seats.*": "seat",
    "ruleset.kinds.*.members.*": "*",
    "pieces.pieces.*": "class",
    "scenario.setup.game": "game",
    "scenario.setup.each.*": "piece",
    "scenario.setup.*.*": "*",
    **{
        f"{position}.{inner}": kind
        for position in _POSITIONS
        for inner, kind in (("game", "game"), ("each.*", "piece"), ("*.*", "*"))
    },
}


def list_places() -> tuple[str, ...]:
    """Return every place in the tables of this module, as a path with dots and `*`."""
    return (*_PROSE, *_CHARTS, *_CITATIONS, *_VALUES, *_KEYS, *_ATTRIBUTES)


def is_prose(kind: str, path: KeyPath) -> bool:
    """Return True if the value at a path of a document of the kind is a plain string for people to read."""
    return _is_any(_PROSE, kind, path)


def is_chart(kind: str, path: KeyPath) -> bool:
    """Return True if the value at a path of a document of the kind is a chart written as text."""
    return _is_any(_CHARTS, kind, path)


def is_citation(kind: str, path: KeyPath) -> bool:
    """Return True if the value at a path is a paragraph number.

    `kind`: the kind of the document. To ask about a key, give the path of its mapping, the key and "key".
    """
    keys = [step for step in path if isinstance(step, str)]
    return keys[-1:] == ["cite"] or _is_any(_CITATIONS, kind, path)


def find_value_sorts(kind: str, path: KeyPath) -> tuple[str, ...]:
    """Return the sorts of names allowed as the value at a path of a document; () if the value's type decides.

    `kind`: the kind of the document.
    """
    keys = [step for step in path if isinstance(step, str)]
    if is_citation(kind, path):
        return ("paragraph",)
    if keys[-1:] == ["lasts"]:
        return ("lasting",)
    if keys[-1:] in (["type"], ["set_of"], ["list_of"], ["maybe"]) or keys[-2:-1] in (
        ["attributes"],
        ["seat_attributes"],
    ):
        return (TYPE,)
    if kind == "ruleset" and keys[:1] == ["game"] and len(keys) == 2:
        return (TYPE,)
    return _find_by_pattern(_VALUES, kind, path) or ()


def find_key_sorts(kind: str, path: KeyPath) -> tuple[str, ...]:
    """Return the sorts of names that the keys of the mapping at a path can be; () if they are not names."""
    return _find_by_pattern(_KEYS, kind, path) or ()


def find_kind_with_attributes(kind: str, path: KeyPath) -> str:
    """Return the id of the kind whose attributes are the keys of the mapping at a path; '' for other mappings.

    `class` means the class of the piece. A plural word, as in `setup: {armies: ...}`, is returned as written.
    """
    kind_name = _find_by_pattern(_ATTRIBUTES, kind, path)
    if kind_name != "*":
        return kind_name or ""
    return str(path[-3] if path[-2] == "members" else path[-2])


def find_matched_key(kind: str, path: KeyPath) -> str:
    """Return the key of a path that matches the `*` of a listed place, or '' if no listed place fits."""
    for pattern in (*_VALUES, *_KEYS):
        steps = pattern.split(".")
        if _is_match(steps, kind, path) and "*" in steps:
            return str(path[steps.index("*") - 1])
    return ""


def _is_any(patterns: tuple[str, ...], kind: str, path: KeyPath) -> bool:
    return any(_is_match(pattern.split("."), kind, path) for pattern in patterns)


def _find_by_pattern(listed: Mapping[str, Value], kind: str, path: KeyPath) -> Value | None:
    return next((value for pattern, value in listed.items() if _is_match(pattern.split("."), kind, path)), None)


def _is_match(steps: list[str], kind: str, path: KeyPath) -> bool:
    if len(steps) != len(path) + 1 or steps[0] != kind:
        return False
    return all(
        isinstance(key, int) if step == "#" else isinstance(key, str) and step in ("*", key)
        for step, key in zip(steps[1:], path, strict=True)
    )
