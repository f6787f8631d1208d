"""The interface's own words in a language, from message catalogues.

A catalogue lies in `interpreter/locale/LANGUAGE/LC_MESSAGES`; the English text is its own key, and
what has no translation stays English. Must not know the words of a ruleset.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "locale"
DOMAIN = "grognard"


@cache
def speech(lang: str) -> Callable[[str], str]:
    """What translates the interface's sentences into a language; English where there is no catalogue."""
    return gettext.translation(DOMAIN, FOLDER, [lang], fallback=True).gettext


def languages() -> tuple[str, ...]:
    """The languages the interface speaks, English first."""
    found = sorted(p.parent.parent.name for p in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))
    return ("en", *(name for name in found if name != "en"))
