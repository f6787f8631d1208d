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


def list_reconstructed(ours: ProvenanceNotes, with_pieces: bool, say: Translator) -> list[str]:
    """Return lines that list the shown data that are reconstructed; [] if nothing is.

    `with_pieces`: also list the set-up and the pieces.
    """
    told = []
    if ours.place_names:
        told.append(say("of all places: {names}", names=say(", ").join(ours.place_names)))
    if ours.places:
        text = _("{number} single (place|places)")
        told.append(say(text, number=ours.places))
    if ours.edge_names:
        told.append(say("of all links: {names}", names=say(", ").join(ours.edge_names)))
    if ours.edges:
        text = _("{number} single (link|links)")
        told.append(say(text, number=ours.edges))
    if with_pieces and ours.set_up:
        told.append(say("the set-up"))
    if with_pieces and ours.pieces:
        told.append(say("{number} (piece|pieces)", number=ours.pieces))
    if not told:
        return []
    return [say("reconstructed, the printed game may differ:"), *(f"- {t}" for t in told)]
