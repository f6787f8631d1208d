"""Suggestions for misspelt words, by string similarity."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from difflib import get_close_matches
from itertools import islice

from interpreter.diagnostics.near_numbers import close_numbers, is_long_number
from interpreter.diagnostics.plain_signs import plain_signs
from interpreter.i18n.translator import Message, mark as _

_FEW = 8
_MANY, _VERY_MANY = 1_000, 5_000
_COMPARED = 300  # candidates if there are many words
_LONGER = 3  # maximum difference in length
_LETTERS = 80  # prefix length compared


def close_words(word: str, candidates: Iterable[str]) -> list[str]:
    """Return the one or two known words most similar to a word, or [].

    Numbers of spaces are compared by slips of digits. Among many words only those with the same beginning are
    compared, among very many none, so that a text with thousands of errors is reported quickly. Two spellings of one
    word (`left_bank`, `Left bank`) count as one: the first.
    """
    names = candidates if isinstance(candidates, Collection) else list(islice(candidates, _VERY_MANY + 1))
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
    first = {_fold(one): one for one in reversed(shown)}
    return list(dict.fromkeys(first[_fold(one)] for one in close))[:2]


def _fold(word: str) -> str:
    return word.casefold().replace("_", " ")


def words_if_few(candidates: Iterable[str]) -> list[str]:
    """Return the known words sorted if they are few enough to list, else []."""
    names = {str(k) for k in candidates}
    return sorted(names) if len(names) <= _FEW else []


def did_you_mean(word: str, candidates: Iterable[str], written: Callable[[str], str] = str) -> Message:
    """Return a help message with the closest known words formatted by `written`, else all if few, else ''."""
    names = candidates if isinstance(candidates, Collection) else list(islice(candidates, _VERY_MANY + 1))
    if close := [written(one) for one in close_words(word, names)]:
        return (
            _("did you mean `{word}`?", word=close[0])
            if len(close) == 1
            else _("did you mean `{word}` or `{other}`?", word=close[0], other=close[1])
        )
    if len(names) <= _MANY and (few := words_if_few(names)):
        return _("available here: {words}", words=", ".join(f"`{n}`" for n in few))
    return Message("")


def suggest_words(word: str, candidates: Iterable[str], all_of_them: bool = False) -> Message:
    """Return a suggestion for an unknown word, with a leading semicolon: close words, else all if few.

    '' if there are too many known words to list, unless `all_of_them` is set.

    >>> suggest_words("reds", ["red", "blue"])
    '; did you mean `red`?'
    """
    names = candidates if isinstance(candidates, Collection) else list(candidates)
    if close := close_words(word, names):
        return (
            _("; did you mean `{word}`?", word=close[0])
            if len(close) == 1
            else _("; did you mean `{word}` or `{other}`?", word=close[0], other=close[1])
        )
    shown = names if all_of_them else words_if_few(names)
    return _("; available here: {words}", words=quote_words(shown)) if shown else Message("")


def quote_words(words: Iterable[str]) -> tuple[Message, ...]:
    """Return words as messages, each in the quotation marks of the language."""
    return tuple(_("`{word}`", word=word) for word in words)
