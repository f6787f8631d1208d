"""Suggestions for misspelt words. Must not know what the words mean."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_FEW = 8


def close_words(word: str, known: Iterable[str]) -> list[str]:
    """The one or two known words that are most like it; [] when none is like it."""
    return get_close_matches(word, sorted({str(k) for k in known}), n=2, cutoff=0.6)


def few_words(known: Iterable[str]) -> list[str]:
    """The known words in order where they are few enough to be listed, else []."""
    names = sorted({str(k) for k in known})
    return names if len(names) <= _FEW else []


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A help text naming the closest known words, or the known words when few, or ''."""
    names = list(known)
    if close := close_words(word, names):
        return "did you mean " + " or ".join(f"`{c}`" for c in close) + "?"
    if few := few_words(names):
        return "known here: " + ", ".join(f"`{n}`" for n in few)
    return ""
