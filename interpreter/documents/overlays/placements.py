"""Pieces that a later layer of a scenario places leave the places that the layer below gave them.

Must not know which pieces and places there are.
"""

from __future__ import annotations

from interpreter.documents.reading.tree import Branch, Entry, Listing, Node, Scalar, fields, is_null

_NEW = "new "


def without_moved(base: Branch, change: Branch) -> Branch:
    """A scenario without the places of those pieces that a change of it puts somewhere."""
    moved = _placed(change.branch("setup"))
    setup = base.get("setup")
    if not moved or not isinstance(setup, Branch):
        return base
    parts = dict(setup.entries)
    for name, cleared in (("pieces", _cleared_place), ("each", _cleared_piece)):
        if name in parts and isinstance(parts[name].value, Branch):
            parts[name] = Entry(
                parts[name].key,
                Branch(
                    {e.key.text: Entry(e.key, cleared(e, moved)) for e in setup.branch(name)}, parts[name].value.span
                ),
            )
    return Branch({**base.entries, "setup": Entry(base.entries["setup"].key, Branch(parts, setup.span))}, base.span)


def all_without_moved(scenarios: Branch, changes: Branch) -> Branch:
    """The same for all scenarios that a variant changes."""
    return Branch(
        {
            e.key.text: Entry(
                e.key, without_moved(fields(e), changes.branch(e.key.text)) if e.key.text in changes else e.value
            )
            for e in scenarios
        },
        scenarios.span,
    )


def _placed(setup: Branch) -> set[str]:
    """The pieces that a set-up puts somewhere by name."""
    listed = {
        item.text
        for place in setup.branch("pieces")
        if isinstance(place.value, Listing)
        for item in place.value.items
        if isinstance(item, Scalar)
    }
    return listed | {
        e.key.text.removeprefix(_NEW).strip()
        for e in setup.branch("each")
        if isinstance(e.value, Branch) and (at := e.value.get("at")) is not None and not is_null(at)
    }


def _cleared_place(entry: Entry, moved: set[str]) -> Node:
    if not isinstance(entry.value, Listing):
        return entry.value
    left = tuple(i for i in entry.value.items if not (isinstance(i, Scalar) and i.text in moved))
    return Listing(left, entry.value.span)


def _cleared_piece(entry: Entry, moved: set[str]) -> Node:
    if entry.key.text not in moved or not isinstance(entry.value, Branch):
        return entry.value
    return entry.value.without("at")
