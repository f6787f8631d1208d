"""Suggestions for misspelt words. Must not know what the words mean."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from difflib import get_close_matches
from itertools import islice

from interpreter.source.near_numbers import close_numbers, is_long_number
from interpreter.source.plain_signs import plain_signs
from interpreter.words.speech import Sentence, mark as _

_FEW = 8
_MANY, _VERY_MANY = 1_000, 5_000
_COMPARED = 300  # of many
_LONGER = 3  # letters
_LETTERS = 80  # that are compared


def close_words(word: str, known: Iterable[str]) -> list[str]:
    """The one or two known words that are most like it; [] when none is like it.

    Numbers of spaces are compared by slips of digits. Of many words only those are compared that begin alike, of very
    many none: a text with thousands of faults must not take an hour to be told. A word in two ways of writing
    (`left_bank`, `Left bank`) is one: the first known.
    """
    names = known if isinstance(known, Collection) else list(islice(known, _VERY_MANY + 1))
    if numbers := close_numbers(word, names):
        return numbers
    if len(names) > _VERY_MANY or is_long_number(word):
        return []  # numbers that share a few digits are not alike
    plain = plain_signs(word[:_LETTERS])  # dashes and full-width letters are slips too
    shown: Iterable[str] = dict.fromkeys(str(k) for k in names)
    if plain != word and plain in shown:
        return [plain]
    if len(names) > _MANY:
        shown = islice((k for k in shown if k[:1] == plain[:1] and abs(len(k) - len(plain)) <= _LONGER), _COMPARED)
    shown = list(shown)
    close = get_close_matches(plain, sorted(shown), n=4, cutoff=0.6)
    first = {_folded(one): one for one in reversed(shown)}
    return list(dict.fromkeys(first[_folded(one)] for one in close))[:2]


def _folded(word: str) -> str:
    return word.casefold().replace("_", " ")


def few_words(known: Iterable[str]) -> list[str]:
    """The known words in order where they are few enough to be listed, else []."""
    names = {str(k) for k in known}
    return sorted(names) if len(names) <= _FEW else []


def did_you_mean(word: str, known: Iterable[str], written: Callable[[str], str] = str) -> Sentence:
    """A help text naming the closest known words as they are `written`, or the known words when few, or ''."""
    names = known if isinstance(known, Collection) else list(islice(known, _VERY_MANY + 1))
    if close := [written(one) for one in close_words(word, names)]:
        return (
            _("did you mean `{word}`?", word=close[0])
            if len(close) == 1
            else _("did you mean `{word}` or `{other}`?", word=close[0], other=close[1])
        )
    if len(names) <= _MANY and (few := few_words(names)):
        return _("known here: {words}", words=", ".join(f"`{n}`" for n in few))
    return Sentence("")


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
