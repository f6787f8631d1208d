"""Parsing of numbers and headings as charts print them: `+5`, `1½`, `1.5-1`, `4:1+`, `2-5`, `15+`.

Documents get the canonical form suggested; spreadsheets may use the printed one. Reports nothing.
"""

from __future__ import annotations

import re
from fractions import Fraction

from interpreter.diagnostics.plain_signs import to_keyboard_characters
from interpreter.i18n.number_format import parse_number

_MAX_HEADING_CHARACTERS = 60  # characters of a heading
_NUMBER = (
    r"[0-9]{1,9}(?:[.,][0-9]{1,9}| ?[0-9]{0,9}/[0-9]{1,9}|[\u00bc-\u00be\u2150-\u215e])?|[\u00bc-\u00be\u2150-\u215e]"
)
_MORE = r"\+|(?:or|and) (?:more|up|better|higher|greater|over|above)"
_LESS = r"(?:or|and) (?:less|fewer|lower|under|below|worse)"
_RATIO = re.compile(rf"({_NUMBER}) ?(?:-|:|/| to ) ?({_NUMBER}) ?(?P<more>{_MORE})?")
_BAND = re.compile(rf"({_NUMBER}) ?(?:-|:| to | through ) ?({_NUMBER})")
_OPEN = re.compile(rf"(?:(?P<at_least>>=|\u2265) ?)?({_NUMBER}) ?(?P<more>{_MORE})?")
_AT_MOST = re.compile(rf"(?:(?P<at_most><=|\u2264) ?)?({_NUMBER}) ?(?P<less>{_LESS})?")
_WITH_UNIT = re.compile(r"([-+]?[0-9][0-9.,/]*) ?[^\W\d_]{1,20}[.%]?|([-+]?[0-9][0-9.,/]*) ?%")
_EXPONENT = re.compile(r"([0-9]{1,3})[eE]\+?([0-9])")
_THOUSANDS = re.compile(r",[0-9]{3}(?![0-9])")
_COMMENT = re.compile("#.*")
_ORDINAL = re.compile(r"[0-9]+(?:st|nd|rd|th)")


def guess_number(text: str) -> str | None:
    """Return the number meant by a text such as `05` or `5 pts`, in the documents' spelling, or None.

    A comma before three digits gives None: it may separate decimals or thousands.

    >>> [guess_number(text) for text in ("05", "+5", "1e1", "5 pts", "1,5", "1,500", "–1", "1st", "R2", "0403")]
    ['5', '5', '10', '5', '1.5', None, '-1', None, None, '403']
    >>> [guess_number(text) for text in (".5", "01/2", "-00.5", "½", "12#hexes")]
    ['0.5', '1/2', '-0.5', '½', '12']
    """
    plain = _COMMENT.sub("", to_keyboard_characters(text).strip())
    if len(plain) > _MAX_HEADING_CHARACTERS or _ORDINAL.fullmatch(plain):
        return None
    if match := _WITH_UNIT.fullmatch(plain):
        plain = match[1] or match[2]
    if match := _EXPONENT.fullmatch(plain):
        return str(int(match[1]) * 10 ** int(match[2]))
    if _THOUSANDS.search(plain):
        return None
    plain = plain.removeprefix("+").replace(",", ".")
    number = parse_number(f"0{plain}" if plain.startswith(".") else plain)
    if number is None:
        return None
    return _strip_zeros(plain) if isinstance(number, Fraction) else str(number)


def _strip_zeros(text: str) -> str:
    """Return a fraction without leading zeros, but with the zero before a decimal point."""
    sign = "-" if text.startswith("-") else ""
    digits = text.removeprefix("-").lstrip("0")
    return sign + (digits if digits[:1].isdecimal() or not digits.startswith((".", "/")) else f"0{digits}")


def is_same_number(text: str, number: str) -> bool:
    """Return whether a text states a number in other signs alone: `05`, `+5` or `–5` with a dash, but not `5 pts`."""
    plain = to_keyboard_characters(text).strip()
    sign = "-" if plain.startswith("-") else ""
    return sign + (plain.lstrip("+-").lstrip("0") or "0") == number


def guess_ratio(text: str) -> tuple[str, bool] | None:
    """Return (odds as documents write them, whether higher odds are treated alike), or None for other texts.

    >>> [guess_ratio(text) for text in ("1–2", "1.5-1", "0.5:1", "4:1+", "2 to 1 or better", "even")]
    [('1-2', False), ('3-2', False), ('1-2', False), ('4-1', True), ('2-1', True), None]
    """
    match = _RATIO.fullmatch(_normalize(text))
    sides = [parse_number(match[n].replace(",", ".")) for n in (1, 2)] if match else []
    if not match or not all(sides):
        return None
    if all(isinstance(side, int) for side in sides):
        return f"{sides[0]}-{sides[1]}", bool(match["more"])
    share = Fraction(sides[0] or 0) / Fraction(sides[1] or 1)
    return f"{share.numerator}-{share.denominator}", bool(match["more"])


def guess_band(text: str) -> str | None:
    """Return a band of numbers as documents write it, or None for any other text.

    >>> [guess_band(text) for text in ("2-5", "2–5", "15+", "15 or more", ">=15", "<=4", "4 or less", "all")]
    ['2..5', '2..5', '15..', '15..', '15..', '..4', '..4', None]
    """
    plain = _normalize(text)
    if match := _BAND.fullmatch(plain):
        return f"{_to_whole_number(match[1])}..{_to_whole_number(match[2])}"
    if (match := _OPEN.fullmatch(plain)) and (match["more"] or match["at_least"]):
        return f"{_to_whole_number(match[2])}.."
    if (match := _AT_MOST.fullmatch(plain)) and (match["less"] or match["at_most"]):
        return f"..{_to_whole_number(match[2])}"
    return None


def _to_whole_number(text: str) -> str:
    """Return a number without decimals, as bands require."""
    return str(parse_number(text.replace(",", ".")))


def _normalize(text: str) -> str:
    return " ".join(to_keyboard_characters(text).casefold().split()) if len(text) <= _MAX_HEADING_CHARACTERS else ""
