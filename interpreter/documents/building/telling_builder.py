"""Builds what players are told before their first choice: aims, how points are counted, what ends the game.

A game says it, a scenario or an optional rule may say it otherwise. Must not choose between them.
"""

from __future__ import annotations

from interpreter.documents.reading.tree import Branch
from interpreter.documents.values.context import Context, fields, read_label, read_origin
from interpreter.model.ruleset import Telling, Tellings


def build_tellings(tree: Branch, ctx: Context) -> Tellings:
    """What stands in a document or an entry of one under `aims`, `counting` and `ending`."""
    return Tellings(_aims(tree, ctx), _told(tree, "counting", ctx), _told(tree, "ending", ctx))


def _aims(tree: Branch, ctx: Context) -> dict[int, Telling]:
    """What each seat plays for, by its handle."""
    found = {}
    for entry in tree.branch("aims"):
        seats = ctx.names.handles["seat"]
        if entry.key.text in seats:
            text = read_label(fields(entry).get("text"), ctx, "")
            found[seats[entry.key.text]] = Telling(text, read_origin(entry, ctx))
        else:
            ctx.unknown("seat", entry.key.text, entry.key.span, seats)
    return found


def _told(tree: Branch, key: str, ctx: Context) -> Telling | None:
    """A sentence for players under one key."""
    entry = next((entry for entry in tree if entry.key.text == key), None)
    return None if entry is None else Telling(read_label(fields(entry).get("text"), ctx, ""), read_origin(entry, ctx))
