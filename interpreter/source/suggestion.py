"""Suggestions for misspelt words. Must not know what the words mean."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A help text naming the closest known words, or the known words when few, or ''."""
    names = sorted({str(k) for k in known})
    close = get_close_matches(word, names, n=2, cutoff=0.6)
    if close:
        return "did you mean " + " or ".join(f"`{c}`" for c in close) + "?"
    if 0 < len(names) <= 8:
        return "known here: " + ", ".join(f"`{n}`" for n in names)
    return ""
