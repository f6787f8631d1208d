"""Builds what players are told before their first choice: aims, how points are counted, what ends the game.

A game says it, a scenario or an optional rule may say it otherwise. Must not choose between them.
"""

from __future__ import annotations

from interpreter.documents.reading.tree import MappingEntry, MappingNode
from interpreter.documents.values.context import Context, fields, read_label, read_origin
from interpreter.model.ruleset import PlayerText, PlayerTexts


def build_tellings(tree: MappingNode, ctx: Context) -> PlayerTexts:
    """What stands in a document or an entry of one under `aims`, `counting` and `ending`."""
    return PlayerTexts(_aims(tree, ctx), _told(tree, "counting", ctx), _told(tree, "ending", ctx))


def _aims(tree: MappingNode, ctx: Context) -> dict[int, PlayerText]:
    """What each seat plays for, by its handle."""
    seats, aims = ctx.names.handles["seat"], tree.branch("aims")
    named = ctx.known("seat", (entry.key for entry in aims), seats)
    return {seats[seat]: _telling(aims.entries[seat], ctx) for seat in named}


def _told(tree: MappingNode, key: str, ctx: Context) -> PlayerText | None:
    """A sentence for players under one key."""
    return _telling(tree.entries[key], ctx) if key in tree else None


def _telling(entry: MappingEntry, ctx: Context) -> PlayerText:
    return PlayerText(read_label(fields(entry).get("text"), ctx, ""), read_origin(entry, ctx))
