"""Detection of dates and times into which spreadsheets turn typed text: `1-2` becomes 02-Jan, `1:3` becomes 1:03.

Recognises the languages in which such programs are used. The original order of day and month cannot be recovered, so
it is not guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from unicodedata import combining, normalize

_MAX_DATE_LENGTH = 40  # characters of a date
# The beginnings of the names of the months without accents, as short dates have them, in some twenty languages.
_MONTHS: tuple[str, ...] = (
    "jan gen ene sty led oca tam ian sij янв січ ιαν",
    "feb fev lut luty unor sub hel vee vel фев лют φεβ",
    "mar mrt maa bre bri ozu мар бер μαρ",
    "apr avr abr kwi dub nis huh tra апр кві απρ",
    "mai may maj mei mag kve tou svi мая маи μαι",
    "jun juin giu cze cvn haz kes июн чер ιουν iun",
    "jul juil lug cvc tem hei iul июл лип ιουλ",
    "aug aou ago sie srp agu elo авг сер αυγ",
    "sep set wrz zar eyl syy ruj сен вер σεπ szept",
    "oct okt ott out paz rij eki lok окт жов οκτ",
    "nov lis kas ноя νοε",
    "dec dez dic des pro gru ara jou дек гру δεκ",
)
_LETTERS = r"(?P<month>[^\W\d_]{3,12})\.?"
_DAY_MONTH = re.compile(rf"(?P<day>\d{{1,2}})\.?[-./ ]{{1,2}}{_LETTERS}(?:[-./ ]{{1,2}}(?P<year>\d{{2,4}}))?")
_MONTH_DAY = re.compile(rf"{_LETTERS}[-./ ]{{1,2}}(?P<day>\d{{1,4}})")
_EAST = re.compile(r"(?:\d{2,4}[年년] ?)?(?P<month>\d{1,2})[月월] ?(?P<day>\d{1,2})[日일]")
_ISO = re.compile(r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})\.?(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?")
_NUMERIC = re.compile(r"(?P<day>\d{1,2})([./-])(?P<month>\d{1,2})\2(?P<year>\d{2,4})?")
_TIME = re.compile(r"(?P<hours>\d{1,3}):(?P<minutes>\d{2})(?::00)?(?: ?(?P<half>[ap])\.?m\.?)?", re.IGNORECASE)
_FIRST_YEAR = 1900  # up to it a spreadsheet keeps times of more than a day as dates


@dataclass(frozen=True, slots=True)
class TypedDate:
    """A date as a cell shows it, and the pairs of numbers that may have been typed: "1-2" and "2-1"."""

    text: str
    typed: tuple[str, ...]


def parse_date(text: str) -> TypedDate | None:
    """Return the date that a text represents in any form used by spreadsheets, or None for other texts.

    >>> [parse_date(text).typed for text in ("02-Jan", "02-ene", "02. Jan", "1月2日", "2026-01-02")]
    [('1-2', '2-1'), ('1-2', '2-1'), ('1-2', '2-1'), ('1-2', '2-1'), ('1-2', '2-1')]
    >>> parse_date("1-2"), parse_date("2 hits"), parse_date("1/2")
    (None, None, None)
    """
    plain = text.strip()
    if not plain or len(plain) > _MAX_DATE_LENGTH:
        return None
    for form in (_DAY_MONTH, _MONTH_DAY, _EAST, _ISO, _NUMERIC):
        if match := form.fullmatch(plain):
            month = _parse_month(match["month"])
            day = int(match["day"])
            if month and (form is not _NUMERIC or match["year"] or match[2] == "."):
                return TypedDate(plain, _list_typed_pairs(month, day))
    return None


def build_typed_date(value: date | datetime) -> TypedDate:
    """Return the date of a spreadsheet's date cell."""
    text = value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    return TypedDate(text, _list_typed_pairs(value.month, value.day))


def _parse_month(name: str) -> int:
    """Return the number of a month name, or 0."""
    if name.isdigit():
        return int(name) if 1 <= int(name) <= 12 else 0
    folded = "".join(c for c in normalize("NFD", name.casefold()) if not combining(c))
    for number, begins in enumerate(_MONTHS, 1):
        if any(folded.startswith(begin) for begin in begins.split()):
            return number
    return 0


def _list_typed_pairs(month: int, day: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys((f"{month}-{day}", f"{day}-{month}")))


def parse_odds_time(text: str) -> str:
    """Return the odds that a spreadsheet has turned into a time, as `1:3`, or '' for other texts.

    >>> [parse_odds_time(text) for text in ("1:03", "01:03:00", "3:01 AM", "1:00 PM", "27:01", "1:3", "1-3")]
    ['1:3', '1:3', '3:1', '13:0', '27:1', '', '']
    """
    match = _TIME.fullmatch(text.strip()) if len(text) <= _MAX_DATE_LENGTH else None
    if match is None:
        return ""
    hours, half = int(match["hours"]), (match["half"] or "").lower()
    if half and hours <= 12:
        hours = hours % 12 + (12 if half == "p" else 0)
    return f"{hours}:{int(match['minutes'])}"


def format_time(value: object) -> str:
    """Return the time of a spreadsheet's time cell as spreadsheets show it (`1:03`), or '' for other values."""
    match value:
        case datetime() if value.year <= _FIRST_YEAR:
            days = (value.date() - date(_FIRST_YEAR - 1, 12, 31)).days  # the calendar of spreadsheets begins there
            return f"{days * 24 + value.hour}:{value.minute:02}"
        case time() if not value.second:
            return f"{value.hour}:{value.minute:02}"
        case timedelta() if value >= timedelta(0) and value.seconds % 60 == 0:
            minutes = value.days * 24 * 60 + value.seconds // 60
            return f"{minutes // 60}:{minutes % 60:02}"
    return ""
