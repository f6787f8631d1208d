"""Emphasis in the texts of lessons: words between asterisks name what the player chooses."""

from __future__ import annotations

import re

_EMPHASIS = re.compile(r"\*([^*\n]+)\*")


def without_emphasis(text: str) -> str:
    """Return a text for plain lines, with quotation marks around emphasized words.

    >>> without_emphasis("Choose *move*.")
    'Choose “move”.'
    """
    return _EMPHASIS.sub(r"“\1”", text)
