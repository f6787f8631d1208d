"""The interface's own words in a language, from message catalogues.

A catalogue lies in `locale/LANGUAGE/LC_MESSAGES`; the English text is its own key, and what has no
translation stays English. Must not know the words of a ruleset, nor what is said where.
"""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path
from typing import Protocol

FOLDER = Path(__file__).resolve().parent / "locale"
DOMAIN = "grognard"


class Say(Protocol):
    """Says a sentence of the interface in one language."""

    def __call__(self, text: str, /, **values: object) -> str:
        """`text` is the English sentence; `values` fill its holes, which are names in braces."""
        ...


@cache
def speaker(lang: str) -> Say:
    """What says the interface's sentences in a language; in English where there is no catalogue.

    >>> speaker("")("turn {number}", number=3)
    'turn 3'
    """
    translated = gettext.translation(DOMAIN, FOLDER, [lang], fallback=True).gettext

    def say(text: str, /, **values: object) -> str:
        told = translated(text) if text else ""  # the empty key is the catalogue's own header
        return told.format(**values) if values else told

    return say


ENGLISH = speaker("")


def mark(text: str) -> str:
    """Marks a text for the catalogues that is said elsewhere; imported as `_`, which translators' tools look for."""
    return text


def languages() -> tuple[str, ...]:
    """The languages the interface speaks, English first."""
    found = sorted(p.parent.parent.name for p in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))
    return ("en", *(name for name in found if name != "en"))
