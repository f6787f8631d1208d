"""Positions and dice as cases and lessons write them, converted for a game. Needs no documents, as in a browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.model.ruleset import Ruleset
from interpreter.runtime.dice import ScriptedDice

MAX_PASSED_DECISIONS = 1_000  # limit of decisions with one option that a step passes automatically


def build_scripted_dice(faces: Mapping[str, Any]) -> ScriptedDice:
    """Return dice that show the faces which a step gives.

    `faces`: for each roll by name a list of faces, a single face, or either of them by subject.
    """

    def list_faces(faces_of_roll: object) -> list[Any]:
        return faces_of_roll if isinstance(faces_of_roll, list) else [faces_of_roll]

    return ScriptedDice(
        {
            name: {subject: list_faces(subject_faces) for subject, subject_faces in stated.items()}
            if isinstance(stated, dict)
            else list_faces(stated)
            for name, stated in faces.items()
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
        for place, pieces_there in (tree["pieces"] or {}).items():
            for piece in pieces_there if isinstance(pieces_there, list) else [pieces_there]:
                if isinstance(piece, dict):
                    groups[place] = _add_counts(groups.get(place), piece)
                elif piece is not None:
                    pieces.setdefault(piece, {})["at"] = place
        changes["groups"] = {place: counts for place, counts in groups.items() if counts}
    if pieces:
        changes["pieces"] = pieces
    return changes


def _add_counts(first: object, second: object) -> Any:  # noqa: ANN401 - a count, or counts by the values of counters
    """Return the sum of two counts, or of two nested mappings of counts of identical pieces.

    Where they do not have the same shape, `second` is used.
    """
    if isinstance(first, dict) and isinstance(second, dict):
        return {**first, **{word: _add_counts(first.get(word), deeper) for word, deeper in second.items()}}
    return first + second if isinstance(first, int) and isinstance(second, int) else second
