"""Synonyms that may be typed for a command or an option, by language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from interpreter.i18n.translator import mark as _
from interpreter.runtime.localizer import Localizer

_SYNONYMS = _("typed too: goal = aim, victory = aim, points = score, ? = help, exit = quit")
_PAIR = re.compile(r"([^\s,:=、：]+) = (\w+)")


def list_synonyms(name: str, localizer: Localizer) -> tuple[str, ...]:
    """Return the words that may be typed instead of a command or option, in English and in the interface's language."""
    return (*_parse_synonyms(_SYNONYMS).get(name, ()), *_parse_synonyms(localizer.say(_SYNONYMS)).get(name, ()))


@lru_cache(maxsize=16)
def _parse_synonyms(text: str) -> Mapping[str, tuple[str, ...]]:
    """Return the words that may be typed for each name, from a text such as "heading: word = name, word = name".

    >>> _parse_synonyms("typed too: halt = quit, leave = quit")
    {'quit': ('halt', 'leave')}
    """
    synonyms: dict[str, tuple[str, ...]] = {}
    for typed, name in _PAIR.findall(text):
        synonyms[name] = (*synonyms.get(name, ()), typed)
    return synonyms
