"""Manual edits: render the manual changes of the position in a saved game.

Such a game does not follow from its choices alone, so every report of it must say so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter.i18n.translator import Translator
from interpreter.saves.entries import PositionEdit, list_edits
from interpreter.saves.journal import Journal

_NAMED = 4  # things of one kind that are named
_SHOWN = 20  # changes listed individually
_LETTERS = 40


def render_edits(journal: Journal, say: Translator) -> list[str]:
    """Render a heading and a line for each manual edit; or [] without manual edits."""
    edits = list_edits(journal.entries)
    if not edits:
        return []
    head = (
        say("the position was changed by hand once: the game does not follow from its choices and the rules alone")
        if len(edits) == 1
        else say(
            "the position was changed by hand {count} times: the game does not follow from its choices and "
            "the rules alone",
            count=len(edits),
        )
    )
    lines = [
        say("after decision {number}: {what}", number=edit.decisions, what=_format_edit(edit, say))
        for edit in edits[:_SHOWN]
    ]
    more = [say("and {count} more", count=len(edits) - _SHOWN)] if len(edits) > _SHOWN else []
    return [head, *(f"  {line}" for line in [*lines, *more])]


def serialize_edits(journal: Journal) -> list[dict[str, Any]]:
    """Return the manual edits as JSON data."""
    return [{"after": edit.decisions, "changes": dict(edit.changes)} for edit in list_edits(journal.entries)]


def _format_edit(edit: PositionEdit, say: Translator) -> str:
    """Render the changed things of an edit: "pieces: red-1, red-2; game: weather"."""
    changes = edit.changes
    parts = {name: changes.get(name) for name in ("pieces", "game", "groups")}
    things = changes.get("things")
    parts |= things if isinstance(things, Mapping) else {}
    texts = [
        say("{what}: {values}", what=name[:_LETTERS], values=_format_names(list(inside), say))
        for name, inside in parts.items()
        if isinstance(inside, Mapping) and inside
    ]
    return say("; ").join(texts) or say("nothing to list")


def _format_names(names: Sequence[str], say: Translator) -> str:
    text = say(", ").join(name[:_LETTERS] for name in names[:_NAMED])
    rest = len(names) - _NAMED
    return text if rest <= 0 else text + say(", ") + say("and {count} more", count=rest)
