"""Numbers of rule paragraphs as people type them."""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import normalize

_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u30fc"), "-")  # the last: a long vowel


def paragraph_number(typed: str, book: Iterable[str]) -> str:
    """Return a typed paragraph number in the spelling of the rulebook: without brackets, with plain letters and dashes.

    >>> paragraph_number("７．６－Ｂ", ["7.6-b"]), paragraph_number("[e–1]", ["E-1"])
    ('7.6-b', 'E-1')
    >>> paragraph_number("9", ["7.6-b"])
    '9'
    """
    plain = normalize("NFKC", typed).translate(_DASHES).strip().strip("[]").strip()
    return next((number for number in book if number.casefold() == plain.casefold()), plain)
