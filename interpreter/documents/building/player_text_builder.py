"""Builder of the texts players read before their first choice: aims, scoring, end of the game.

A scenario or an optional rule may override the game's texts; all versions are kept.
"""

from __future__ import annotations

from interpreter.documents.reading.tree import MappingEntry, MappingNode
from interpreter.documents.values.context import BuildContext, fields, read_label, read_origin
from interpreter.model.ruleset import PlayerText, PlayerTexts


def build_player_texts(tree: MappingNode, ctx: BuildContext) -> PlayerTexts:
    """Return the texts under `aims`, `counting` and `ending` of a document or entry."""
    return PlayerTexts(_aims(tree, ctx), _read_text(tree, "counting", ctx), _read_text(tree, "ending", ctx))


def _aims(tree: MappingNode, ctx: BuildContext) -> dict[int, PlayerText]:
    """Return the aim of each seat by its handle."""
    seats, aims = ctx.names.handles["seat"], tree.branch("aims")
    named = ctx.filter_known("seat", (entry.key for entry in aims), seats)
    return {seats[seat]: _build_text(aims.entries[seat], ctx) for seat in named}


def _read_text(tree: MappingNode, key: str, ctx: BuildContext) -> PlayerText | None:
    """Return the text for players under one key, or None."""
    return _build_text(tree.entries[key], ctx) if key in tree else None


def _build_text(entry: MappingEntry, ctx: BuildContext) -> PlayerText:
    return PlayerText(read_label(fields(entry).get("text"), ctx, ""), read_origin(entry, ctx))
