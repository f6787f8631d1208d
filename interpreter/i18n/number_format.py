"""Formatting of numbers for people: 2, 1/2, 60 1/2, and averages with two digits.

The only place where numbers are formatted for display.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any


def number_text(value: Any) -> str:
    """Format a number exactly, as a mixed fraction; other values as `str`.

    >>> [number_text(Fraction(n, d)) for n, d in ((121, 2), (2, 1), (0, 1), (1, 2), (-1, 2), (-7, 2))]
    ['60 1/2', '2', '0', '1/2', '-1/2', '-3 1/2']
    """
    if not isinstance(value, Fraction):
        return str(value)
    sign = "-" if value < 0 else ""
    whole, rest = divmod(abs(value.numerator), value.denominator)
    parts = [str(whole)] * (whole > 0 or not rest) + [f"{rest}/{value.denominator}"] * (rest > 0)
    return sign + " ".join(parts)


def plain_text(value: Any) -> str:
    """Format a plain value as documents write it: true, 3, 7/2, hilly.

    >>> [plain_text(value) for value in (True, 3, Fraction(7, 2), Fraction(4), "hilly")]
    ['true', '3', '7/2', '4', 'hilly']
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def average_text(value: Fraction) -> str:
    """Format an average with at most two decimal places.

    >>> average_text(Fraction(16, 3)), average_text(Fraction(4)), average_text(Fraction(-7, 2))
    ('5.33', '4', '-3.5')
    """
    text = f"{float(value):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
