"""Numbers as people write them: 2, 1/2, 60 1/2, and averages with two digits.

The one place where numbers are formatted for people and parsed from what they type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from unicodedata import normalize

_DIGITS = "[0-9]{1,9}"
_NUMBER = re.compile(
    rf"(?P<sign>-?)(?:(?P<whole>{_DIGITS}) {{1,3}})?(?P<top>{_DIGITS})(?:/(?P<bottom>{_DIGITS})|\.(?P<rest>{_DIGITS}))?"
)
_VULGAR = re.compile("[\u00bc-\u00be\u2150-\u215e\u2189]")  # a fraction in one character, such as one half
_LEADING_ZERO = re.compile("-?0[0-9]")
_MAX_CHARACTERS = 40  # characters
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u30fc"), "-")  # the last: a long vowel


def parse_number(text: str) -> int | Fraction | None:
    """Return the number that a text states exactly, in any form in which numbers are printed; None for other texts.

    >>> [str(parse_number(text)) for text in ("3", "-1/2", "1.5", "1 1/2", "1½", "½", "-3 1/2", "1/0", "05", "x")]
    ['3', '-1/2', '3/2', '3/2', '3/2', '1/2', '-7/2', 'None', '5', 'None']
    """
    if len(text) > _MAX_CHARACTERS:
        return None
    plain = text if text.isascii() else _VULGAR.sub(_expand_vulgar_fraction, text)
    match = _NUMBER.fullmatch(plain)
    if match is None or (match["whole"] and not match["bottom"]) or not (match["bottom"] or "1").strip("0"):
        return None
    fraction = Fraction(int(match["top"]), int(match["bottom"] or 1)) + Fraction(f"0.{match['rest'] or 0}")
    number = (int(match["whole"] or 0) + fraction) * (-1 if match["sign"] else 1)
    return number.numerator if number.denominator == 1 else number


def is_canonical_number(text: str) -> bool:
    """Return whether a text states a number without needless zeros in front.

    >>> [is_canonical_number(text) for text in ("1.5", "-1/2", "05", "0.5", "1,5")]
    [True, True, False, True, False]
    """
    return parse_number(text) is not None and not _LEADING_ZERO.match(text)


def _expand_vulgar_fraction(match: re.Match[str]) -> str:
    """Return a one-character fraction as digits with a slash, after a space if it follows a digit (1½: "1 1/2")."""
    digits = normalize("NFKC", match[0]).replace("\u2044", "/")
    return f" {digits}" if match.string[match.start() - 1 : match.start()].isdigit() else digits


def format_number(value: object) -> str:
    """Format a number exactly, as a mixed fraction; other values as `str`.

    >>> [format_number(Fraction(n, d)) for n, d in ((121, 2), (2, 1), (0, 1), (1, 2), (-1, 2), (-7, 2))]
    ['60 1/2', '2', '0', '1/2', '-1/2', '-3 1/2']
    """
    if not isinstance(value, Fraction):
        return str(value)
    sign = "-" if value < 0 else ""
    integer, rest = divmod(abs(value.numerator), value.denominator)
    parts = [str(integer)] * (integer > 0 or not rest) + [f"{rest}/{value.denominator}"] * (rest > 0)
    return sign + " ".join(parts)


def format_plain_value(value: object) -> str:
    """Format a plain value as documents write it: true, 3, 7/2, hilly.

    >>> [format_plain_value(value) for value in (True, 3, Fraction(7, 2), Fraction(4), "hilly")]
    ['true', '3', '7/2', '4', 'hilly']
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def format_average(value: Fraction) -> str:
    """Format an average with at most two decimal places.

    >>> format_average(Fraction(16, 3)), format_average(Fraction(4)), format_average(Fraction(-7, 2))
    ('5.33', '4', '-3.5')
    """
    text = f"{float(value):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def normalize_paragraph_number(typed: str, book: Iterable[str]) -> str:
    """Return a typed paragraph number as the rulebook spells it, without brackets and with ASCII letters and dashes.

    `book`: the numbers in the rulebook; a number that it lacks is only normalized.

    >>> normalize_paragraph_number("７．６－Ｂ", ["7.6-b"]), normalize_paragraph_number("[e–1]", ["E-1"])
    ('7.6-b', 'E-1')
    >>> normalize_paragraph_number("9", ["7.6-b"])
    '9'
    """
    plain = normalize("NFKC", typed).translate(_DASHES).strip().strip("[]").strip()
    return next((number for number in book if number.casefold() == plain.casefold()), plain)
