"""Slips of the finger in what was typed: the same line with each misspelt word put right.

Only proposes; must not decide what was meant.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from interpreter.players.orders.lexicon import tokens
from interpreter.players.telling.vocabulary import Words
from interpreter.source.suggestion import close_words

_FEWEST = 3  # letters of a word that can be told from a slip in another


def put_right(text: str, words: Words, also: Iterable[str]) -> str:
    """What was typed with the nearest known word for each that nobody knows; '' where nothing is to be put right.

    Known are names of things, the words in `also`, numbers, and beginnings of all these. Where one word is like none
    of them, nothing is proposed.
    """
    known = sorted({t for one in (*also, *words.all_names()) for t in tokens(one)})
    typed = [*tokens(text)]
    for place, word in enumerate(typed):
        if not _is_known(word, known):
            near = close_words(word, known) if len(word) >= _FEWEST else []
            if not near:
                return ""
            typed[place] = near[0]
    right = " ".join(typed)
    return "" if right == " ".join(tokens(text)) else right


def _is_known(word: str, known: list[str]) -> bool:
    at = bisect_left(known, word)
    return any(c.isdigit() for c in word) or at < len(known) and known[at].startswith(word)
