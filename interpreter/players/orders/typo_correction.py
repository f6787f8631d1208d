"""Typo correction: propose the typed line with each misspelt word replaced. The caller decides whether to use it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from interpreter.diagnostics.suggestions import close_words
from interpreter.players.orders.name_index import tokens
from interpreter.runtime.localizer import Localizer

_FEWEST = 3  # shortest word in which a typing error can be recognized


def correct_typos(text: str, words: Localizer, also: Iterable[str]) -> str:
    """Return the text with each unknown word replaced by the nearest known one.

    Known words are names of things, the words in `also`, numbers, and prefixes of all these. Return '' if every word
    is known, or if an unknown word has no near match.
    """
    vocabulary = sorted({t for one in (*also, *words.all_names()) for t in tokens(one)})
    typed = [*tokens(text)]
    for place, word in enumerate(typed):
        if not _is_known(word, vocabulary):
            near = [
                one for one in close_words(word, vocabulary) if edit_distance(word, one) <= max(1, len(word) // _FEWEST)
            ]
            if not near or len(word) < _FEWEST:
                return ""
            typed[place] = near[0]
    right = " ".join(typed)
    return "" if right == " ".join(tokens(text)) else right


def edit_distance(one: str, other: str) -> int:
    """Compute the Damerau-Levenshtein distance (optimal string alignment).

    >>> edit_distance("fihgt", "fight"), edit_distance("units", "quit")
    (1, 3)
    """
    before: list[int] = []
    row: list[int] = [*range(len(other) + 1)]
    for i, a in enumerate(one, 1):
        last, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b)))
            if i > 1 and j > 1 and a == other[j - 2] and b == one[i - 2]:
                row[j] = min(row[j], last[j - 2] + 1)
    return row[-1]


def _is_known(word: str, vocabulary: list[str]) -> bool:
    at = bisect_left(vocabulary, word)
    return any(c.isdigit() for c in word) or at < len(vocabulary) and vocabulary[at].startswith(word)
