"""Positions and dice as cases and lessons write them, converted for a game. Needs no documents, as in a browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.model.ruleset import Ruleset
from interpreter.runtime.dice import ScriptedDice

MOST_PASSED = 1_000  # limit of decisions with one option that a step passes automatically


def build_scripted_dice(faces: Mapping[str, Any]) -> ScriptedDice:
    """Return dice that show the faces which a step gives.

    `faces`: for each roll by name a list of faces, a single face, or either of them by subject.
    """

    def list_faces(given: object) -> list[Any]:
        return given if isinstance(given, list) else [given]

    return ScriptedDice(
        {
            name: {subject: list_faces(own) for subject, own in given.items()}
            if isinstance(given, dict)
            else list_faces(given)
            for name, given in faces.items()
        }
    )


def map_kind_words(ruleset: Ruleset) -> dict[str, str]:
    """Return the id of each kind by the collective word that documents use for it, such as `sides`."""
    built_in = {"sides": "side", "seats": "seat", "places": "place", "edges": "edge"}
    return built_in | {k.many: k.id for k in ruleset.kinds.values() if k.id != "piece"}


def build_edit_arguments(tree: Mapping[str, Any], ruleset: Ruleset) -> dict[str, Any]:
    """Convert the position that a case writes to arguments for `Game.edit`."""
    words = map_kind_words(ruleset)
    changes: dict[str, Any] = {k: v for k, v in tree.items() if k == "game" or k in words}
    if "turn" in tree:
        changes["game"] = {**(changes.get("game") or {}), "turn": tree["turn"]}
    pieces: dict[str, dict[str, Any]] = {name: dict(v) for name, v in (tree.get("each") or {}).items()}
    if "pieces" in tree:
        groups: dict[str, dict[str, Any]] = {}
        for place, standing in (tree["pieces"] or {}).items():
            for one in standing if isinstance(standing, list) else [standing]:
                if isinstance(one, dict):
                    groups[place] = _add_counts(groups.get(place), one)
                elif one is not None:
                    pieces.setdefault(one, {})["at"] = place
        changes["groups"] = {place: counts for place, counts in groups.items() if counts}
    if pieces:
        changes["pieces"] = pieces
    return changes


def _add_counts(one: object, other: object) -> Any:  # noqa: ANN401 - a count, or counts by the values of counters
    """Return the sum of two counts, or of two nested mappings of counts of identical pieces.

    Where they do not have the same shape, `other` is used.
    """
    if isinstance(one, dict) and isinstance(other, dict):
        return {**one, **{word: _add_counts(one.get(word), deeper) for word, deeper in other.items()}}
    return one + other if isinstance(one, int) and isinstance(other, int) else other
