"""Suggestions for misspelt words. Must not know what the words mean."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from unicodedata import normalize

from interpreter.speech import Sentence
from interpreter.speech import mark as _

_FEW = 8


def close_words(word: str, known: Iterable[str]) -> list[str]:
    """The one or two known words that are most like it; [] when none is like it."""
    names, plain = sorted({str(k) for k in known}), normalize("NFKC", word)  # full-width letters are slips too
    return [plain] if plain != word and plain in names else get_close_matches(plain, names, n=2, cutoff=0.6)


def few_words(known: Iterable[str]) -> list[str]:
    """The known words in order where they are few enough to be listed, else []."""
    names = sorted({str(k) for k in known})
    return names if len(names) <= _FEW else []


def did_you_mean(word: str, known: Iterable[str]) -> Sentence:
    """A help text naming the closest known words, or the known words when few, or ''."""
    names = list(known)
    if close := close_words(word, names):
        return (_("did you mean `{word}`?", word=close[0]) if len(close) == 1 else
                _("did you mean `{word}` or `{other}`?", word=close[0], other=close[1]))
    if few := few_words(names):
        return _("known here: {words}", words=", ".join(f"`{n}`" for n in few))
    return Sentence("")
