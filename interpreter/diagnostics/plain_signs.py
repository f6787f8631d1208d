"""Normalization of look-alike characters: wide letters, dashes, curly quotes and blanks."""

from __future__ import annotations

import unicodedata

DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u30fc\ufe63\uff0d"  # look like `-`
CURLY_QUOTES = "\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u300c\u300d\u300e\u300f"
# Look like a space but are not one for a parser. U+0085, U+2028 and U+2029 are left out: they are control characters.
BLANKS = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_SIGNS = str.maketrans(dict.fromkeys(DASHES, "-") | dict.fromkeys("\u2018\u2019\u201b", "'"))
_QUOTES = CURLY_QUOTES + "\"'"


def to_half_width(text: str) -> str:
    """Return the text with full-width letters, digits and signs as ordinary ones; other characters stay."""
    if text.isascii():
        return text
    return "".join(
        plain if len(plain := unicodedata.normalize("NFKC", c)) == 1 and plain.isascii() else c for c in text
    )


def to_keyboard_characters(text: str) -> str:
    """Return the text in keyboard characters: ordinary letters, hyphens and spaces, no quotation marks around it.

    >>> to_keyboard_characters("\u201c1\u20132\u201d"), to_keyboard_characters("\uff11\uff0d\uff12\u00a0")
    ('1-2', '1-2')
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", to_half_width(text).translate(_SIGNS).strip().strip(_QUOTES))


def replace_blanks(text: str) -> str:
    """Return the text with a space for each character of BLANKS; two spaces for the full-width one."""
    return "".join(" " * (2 if sign == "\u3000" else 1) if sign in BLANKS else sign for sign in text)
