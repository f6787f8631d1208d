"""What may have been meant by a word that nobody knows, in a sentence that can be said in any language.

Must not know what the words mean.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from interpreter.source.suggestion import close_words, few_words
from interpreter.words.speech import Sentence
from interpreter.words.speech import mark as _


def guess(word: str, known: Iterable[str], all_of_them: bool = False) -> Sentence:
    """What may have been meant by a word that is none of those known, or else what is known; after a semicolon.

    '' where neither helps: too much is known to be told, unless `all_of_them` are wanted.

    >>> guess("reds", ["red", "blue"])
    '; did you mean `red`?'
    """
    names = known if isinstance(known, Collection) else list(known)
    if close := close_words(word, names):
        return (
            _("; did you mean `{word}`?", word=close[0])
            if len(close) == 1
            else _("; did you mean `{word}` or `{other}`?", word=close[0], other=close[1])
        )
    shown = names if all_of_them else few_words(names)
    return _("; known here: {words}", words=quoted(shown)) if shown else Sentence("")


def quoted(words: Iterable[str]) -> tuple[Sentence, ...]:
    """Words as they would be typed, each in the marks of the language."""
    return tuple(_("`{word}`", word=word) for word in words)
