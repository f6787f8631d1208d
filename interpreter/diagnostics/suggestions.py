"""Suggestions for misspelt words, by string similarity, and for mistyped space numbers, by the slips made with digits.

Slips of digits are swapped digits, a zero lost in a spreadsheet, `o` for 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from difflib import get_close_matches
from itertools import combinations, islice

from interpreter.diagnostics.plain_signs import to_keyboard_characters
from interpreter.i18n.translator import Message, mark as _

_MAX_LISTED_WORDS = 8  # words that are listed in full
_MANY, _VERY_MANY = 1_000, 5_000  # words from which on fewer, or none, are compared
_COMPARED = 300  # candidates that are compared if there are many words
_MAX_LENGTH_DIFFERENCE = 3  # maximum difference in length
_MAX_COMPARED_LETTERS = 80  # prefix length compared
_LOOK_ALIKE = str.maketrans({"o": "0", "O": "0", "l": "1", "I": "1", "i": "1", "|": "1"})
_SEPARATORS = re.compile(r"(?<=\w)[-_.,:/ ](?=\w)")
_MIN_DIGITS = 3  # digits; shorter numbers are all similar
_MAX_DIGITS = 12
_MAX_SUGGESTIONS = 2  # suggestions
_ALIKE = 0.61  # similarity; two words of five letters that share three have 0.6


def find_close_words(word: str, candidates: Iterable[str]) -> list[str]:
    """Return the one or two of `candidates` most similar to a word, or [] if none is close.

    Words like the numbers of map spaces are compared by typical errors in digits. Among many words only those with the
    same first letter are compared, among very many none, so that a text with thousands of errors is reported quickly.
    Two spellings of one word (`left_bank`, `Left bank`) count as one: the first.
    """
    names = candidates if isinstance(candidates, Collection) else list(islice(candidates, _VERY_MANY + 1))
    if numbers := _find_close_numbers(word, names):
        return numbers
    if len(names) > _VERY_MANY:
        return []
    if _is_long_number(word):  # numbers that share a few digits are not alike
        return _find_similar_references(word, names)
    plain = to_keyboard_characters(word[:_MAX_COMPARED_LETTERS])  # dashes and full-width letters are slips too
    known_words: Iterable[str] = dict.fromkeys(str(k) for k in names)
    if plain != word and plain in known_words:
        return [plain]
    if len(names) > _MANY:
        known_words = islice(
            (k for k in known_words if k[:1] == plain[:1] and abs(len(k) - len(plain)) <= _MAX_LENGTH_DIFFERENCE),
            _COMPARED,
        )
    known_words = list(known_words)
    close = get_close_matches(plain, sorted(known_words), n=4, cutoff=_ALIKE)
    first = {_fold(name): name for name in reversed(known_words)}
    return list(dict.fromkeys(first[_fold(name)] for name in close))[:2]


def _find_similar_references(word: str, names: Iterable[str]) -> list[str]:
    """Return the one or two known references such as `10.21-c` that differ from `word` in one digit or letter.

    References that differ in a letter come first; then the nearest in the alphabet, or by the value of the digit.
    """
    matches: list[tuple[bool, int, str]] = []
    for name in names:
        different = [(a, b) for a, b in zip(word, name, strict=False) if a != b]
        if len(name) != len(word) or name.isdigit() or len(different) != 1:
            continue
        typed, right = different[0]
        if (typed.isdigit() and right.isdigit()) or (typed.isalpha() and right.isalpha()):
            matches.append((typed.isdigit(), abs(ord(typed) - ord(right)), name))
    return [name for _is_digit, _distance, name in sorted(matches)[:_MAX_SUGGESTIONS]]


def _fold(word: str) -> str:
    """Return a form that is equal for two spellings of one word: lower case, spaces for underscores."""
    return word.casefold().replace("_", " ")


def list_words_if_few(candidates: Iterable[str]) -> list[str]:
    """Return all candidates, sorted, if they are few enough to list, else []."""
    names = {str(k) for k in candidates}
    return sorted(names) if len(names) <= _MAX_LISTED_WORDS else []


def did_you_mean(word: str, candidates: Iterable[str], format_word: Callable[[str], str] = str) -> Message:
    """Return a help message with the closest candidates, formatted by `format_word`; else with all if few; else ''."""
    names = candidates if isinstance(candidates, Collection) else list(islice(candidates, _VERY_MANY + 1))
    if close := [format_word(name) for name in find_close_words(word, names)]:
        return (
            _("did you mean `{word}`?", word=close[0])
            if len(close) == 1
            else _("did you mean `{word}` or `{other}`?", word=close[0], other=close[1])
        )
    if len(names) <= _MANY and (few := list_words_if_few(names)):
        return _("available here: {words}", words=", ".join(f"`{n}`" for n in few))
    return Message("")


def suggest_words(word: str, candidates: Iterable[str], all_of_them: bool = False) -> Message:
    """Return a suggestion for an unknown word, with a leading semicolon: close words, else all if few.

    '' if there are too many known words to list, unless `all_of_them` is true.

    >>> suggest_words("reds", ["red", "blue"])
    '; did you mean `red`?'
    """
    names = candidates if isinstance(candidates, Collection) else list(candidates)
    if close := find_close_words(word, names):
        return (
            _("; did you mean `{word}`?", word=close[0])
            if len(close) == 1
            else _("; did you mean `{word}` or `{other}`?", word=close[0], other=close[1])
        )
    listed = names if all_of_them else list_words_if_few(names)
    return _("; available here: {words}", words=quote_words(listed)) if listed else Message("")


def quote_words(words: Iterable[str]) -> tuple[Message, ...]:
    """Return words as messages, each in the quotation marks of the language."""
    return tuple(_("`{word}`", word=word) for word in words)


def is_number_like(name: str) -> bool:
    """Return whether a name can be mistaken for a number: digits, perhaps with separators or letters like `o`.

    >>> [is_number_like(name) for name in ("0102", "13-03", "01o2", "0102a", "o102", "1st_line", "b13", "box")]
    [True, True, True, True, True, False, False, False]
    """
    letters = [sign for sign in _SEPARATORS.sub("", name) if not sign.isdigit()]
    digits = sum(sign.isdigit() for sign in name)
    if all(sign.translate(_LOOK_ALIKE).isdigit() for sign in letters):
        return digits > 0 and digits >= len(letters)
    return name[:1].isdigit() and digits > len(letters)


def _is_long_number(word: str) -> bool:
    """Return whether a word is meant as a number of three digits or more."""
    return is_number_like(word) and len(extract_digits(word)) >= _MIN_DIGITS


def extract_digits(name: str) -> str:
    """Return the digits of a number-like name, without separators and stray letters.

    >>> extract_digits("13-03"), extract_digits("13O3"), extract_digits("0102a")
    ('1303', '1303', '0102')
    """
    return "".join(re.findall("[0-9]", _SEPARATORS.sub("", name).translate(_LOOK_ALIKE)))


def _find_close_numbers(word: str, numbers_in_use: Collection[str]) -> list[str]:
    """Return the one or two known numbers that were most likely meant by `word`; [] if no known number is close.

    Likeliest first: other signs for the same digits, lost zeros, a digit too many, two neighbours swapped, the halves
    swapped (row before column), one digit wrong.
    """
    plain = to_keyboard_characters(word) if len(word) <= _MAX_DIGITS else ""
    look_alike = plain.translate(_LOOK_ALIKE)
    if not is_number_like(plain) and not look_alike.isdigit():
        return []
    numbers: Collection[str] = (
        numbers_in_use if isinstance(numbers_in_use, Mapping | Set) else frozenset(numbers_in_use)
    )
    if look_alike != word and look_alike in numbers:
        return [look_alike]
    digits = extract_digits(plain)
    if digits != word and digits in numbers:
        return [digits]
    if candidates := _list_usable_numbers(_iter_padded(plain), numbers, 1):
        return candidates
    for slips in _SLIPS:
        if candidates := _list_usable_numbers(slips(digits), numbers, _MAX_SUGGESTIONS):
            return candidates[:1] if slips is _iter_with_leading_zero else candidates
    near = sorted(
        _list_usable_numbers(_iter_one_replaced(digits), numbers), key=lambda number: abs(int(number) - int(digits))
    )
    return near[:_MAX_SUGGESTIONS]


def has_same_digits(word: str, number: str) -> bool:
    """Return whether `word` denotes `number`, written with other separators or without leading zeros.

    >>> has_same_digits("13-03", "1303"), has_same_digits("303", "0303"), has_same_digits("1130", "1103")
    (True, True, False)
    """
    digits = _SEPARATORS.sub("", to_keyboard_characters(word)).translate(_LOOK_ALIKE)
    return digits == number or (digits.isdigit() and digits.zfill(len(number)) == number)


def _list_usable_numbers(candidates: Iterable[str], numbers: Collection[str], most: int | None = None) -> list[str]:
    return list(dict.fromkeys(c for c in candidates if len(c) >= _MIN_DIGITS and c in numbers))[:most]


def _iter_padded(text: str) -> Iterator[str]:
    """Yield numbers made of a column and a row that are written apart, each padded with zeros to 2 or 3 digits."""
    parts = _SEPARATORS.split(text.translate(_LOOK_ALIKE))
    if len(parts) == 2 and all(part.isdigit() for part in parts):
        for width in (2, 3):
            yield "".join(part.zfill(width) for part in parts)


def _iter_with_leading_zero(digits: str) -> Iterator[str]:
    yield f"0{digits}"


def _iter_with_zeros(digits: str) -> Iterator[str]:
    for number in (1, 2):
        for places in combinations(range(len(digits) + number), number):
            rest = iter(digits)
            yield "".join("0" if n in places else next(rest) for n in range(len(digits) + number))


def _iter_one_removed(digits: str) -> Iterator[str]:
    """Yield the digits with one removed: first a zero or a doubled digit, then any other, last first."""
    likely = [n for n, digit in enumerate(digits) if digit == "0" or digits[n - 1 : n] == digit]
    for n in (*likely, *reversed(range(len(digits)))):
        if len(digits) > _MIN_DIGITS:
            yield digits[:n] + digits[n + 1 :]


def _iter_swaps(digits: str) -> Iterator[str]:
    for n in reversed(range(len(digits) - 1)):
        yield digits[:n] + digits[n + 1] + digits[n] + digits[n + 2 :]


def _iter_rotations(digits: str) -> Iterator[str]:
    half = len(digits) // 2
    if len(digits) % 2 == 0:
        yield digits[half:] + digits[:half]


def _iter_one_replaced(digits: str) -> Iterator[str]:
    for n in range(len(digits)):
        for digit in "0123456789":
            yield digits[:n] + digit + digits[n + 1 :]


_SLIPS: tuple[Callable[[str], Iterator[str]], ...] = (
    _iter_with_leading_zero,
    _iter_with_zeros,
    _iter_one_removed,
    _iter_swaps,
    _iter_rotations,
)
