"""Format notes on the parts of a map that differ from the printed game. Reads no ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.i18n.translator import Translator, mark as _


@dataclass(frozen=True, slots=True)
class ProvenanceNotes:
    """The reconstructed parts of a map: data that the printed game does not state.

    `place_names`, `edge_names`: the names of attributes that are reconstructed for all places, or for all links.
    `places`, `edges`, `pieces`: how many single places, links and pieces are reconstructed. `set_up`: whether the
    set-up of the scenario is reconstructed.
    """

    place_names: Sequence[str]
    edge_names: Sequence[str]
    places: int
    edges: int
    pieces: int
    set_up: bool


def list_reconstructed(notes: ProvenanceNotes, with_pieces: bool, say: Translator) -> list[str]:
    """Return lines that list the shown data that are reconstructed; [] if nothing is.

    `with_pieces`: also list the set-up and the pieces.
    """
    lines = []
    if notes.place_names:
        lines.append(say("of all places: {names}", names=say(", ").join(notes.place_names)))
    if notes.places:
        text = _("{number} single (place|places)")
        lines.append(say(text, number=notes.places))
    if notes.edge_names:
        lines.append(say("of all links: {names}", names=say(", ").join(notes.edge_names)))
    if notes.edges:
        text = _("{number} single (link|links)")
        lines.append(say(text, number=notes.edges))
    if with_pieces and notes.set_up:
        lines.append(say("the set-up"))
    if with_pieces and notes.pieces:
        lines.append(say("{number} (piece|pieces)", number=notes.pieces))
    if not lines:
        return []
    return [say("reconstructed, the printed game may differ:"), *(f"- {t}" for t in lines)]
