"""Menu answers: what a typed answer selects in a menu, and with what certainty.

Asks nothing; if several options match, the caller chooses.

A misspelt line is proposed again with the likeliest words; the caller decides whether to use it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from interpreter.diagnostics.suggestions import find_close_words
from interpreter.players.orders.matching import Choosable, is_significant_word, rank_matches
from interpreter.players.orders.menu import Menu, MenuEntry, list_entries
from interpreter.players.orders.name_index import NameIndex, to_half_width, tokenize_words
from interpreter.runtime.localizer import Localizer

_MIN_WORD_LENGTH = 3  # shortest word in which a typing error can be recognized


@dataclass(frozen=True, slots=True)
class MenuAnswer:
    """The option or submenu that a typed answer selects in a menu.

    `is_printed`: it is a number of the list, a key, or the displayed words. `is_plain`: it is one of those, a full
    name, or whole words; anything else is a guess. `is_several`: its words match several options. `is_outright`: the
    player has declined any confirmation.
    """

    target: Menu | Choosable
    is_printed: bool = False
    is_plain: bool = True
    is_several: bool = False
    is_outright: bool = False


def parse_menu_answer(menu: Menu, text: str, name_index: NameIndex) -> MenuAnswer | None:
    """Return what the typed text selects in a menu, or None if it matches nothing.

    A number selects an entry; next a key or a full name; otherwise all options that match the typed words.
    """
    menu_entries = list_entries(menu, name_index)
    by_number = _find_entry_by_number(menu_entries, text)
    if by_number is not None:
        return MenuAnswer(by_number, is_printed=True)
    for option in menu.options:
        if _is_equal_text(text, option.key):
            return MenuAnswer(option, is_printed=option.key != option.name)
    matched = [e for e in menu_entries if any(_is_equal_text(text, t) for t in e.typed)]
    if len(matched) == 1:
        return MenuAnswer(matched[0].target, is_printed=_is_equal_text(text, matched[0].text))
    if "(" in text:  # an unlisted key is refused with its reasons
        return None
    if (
        is_yes_or_no(text, name_index)
        or _is_number(text)
        and (_is_asking_number(menu_entries) or not is_significant_word(to_half_width(text)))
    ):
        return None  # a number beyond the list is not matched as a word
    fitting = rank_matches(menu.options, to_half_width(text), name_index)
    if len(fitting.options) == 1:
        return MenuAnswer(fitting.options[0], is_plain=fitting.is_plain)
    if not fitting.options:
        return None
    names = {o.name for o in fitting.options}
    narrower = Menu(tuple(fitting.options), fitting.options[0].name if len(names) == 1 else "", (), menu)
    return MenuAnswer(narrower, is_several=True)


def is_yes_or_no(text: str, name_index: NameIndex) -> bool:
    """Return whether the text answers a yes/no question; such a text never matches an option as a prefix."""
    return to_half_width(text).casefold() in (*list_yes_words(name_index), *list_no_words(name_index))


def list_yes_words(name_index: NameIndex) -> tuple[str, ...]:
    """Return the words that mean yes."""
    return ("yes", "y", name_index.localizer.say("yes").casefold())


def list_no_words(name_index: NameIndex) -> tuple[str, ...]:
    """Return the words that mean no."""
    return ("no", "n", name_index.localizer.say("no").casefold())


def _find_entry_by_number(menu_entries: Sequence[MenuEntry], text: str) -> Menu | Choosable | None:
    """Return what a typed number selects: an entry by position, or by value if a number is asked for; else None."""
    if not _is_number(text):
        return None
    number = int(to_half_width(text))
    if _is_asking_number(menu_entries):
        return next((e.target for e in menu_entries if e.value == number), None)
    return menu_entries[number - 1].target if 1 <= number <= len(menu_entries) else None


def _is_asking_number(menu_entries: Sequence[MenuEntry]) -> bool:
    return bool(menu_entries) and all(e.value is not None for e in menu_entries)


def _is_number(text: str) -> bool:
    plain = to_half_width(text)
    return plain.isascii() and plain.removeprefix("-").isdigit() and len(plain) <= 9


def _is_equal_text(typed: str, text: str) -> bool:
    return " ".join(typed.casefold().split()) == " ".join(text.casefold().split()) != ""


def correct_typos(text: str, localizer: Localizer, also: Iterable[str]) -> str:
    """Return the text with each unknown word replaced by the nearest known one.

    Known words are names of things, the words in `also`, numbers, and prefixes of all these. Return '' if every word
    is known, or if an unknown word has no near match.
    """
    vocabulary = sorted({t for candidate in (*also, *localizer.iter_names()) for t in tokenize_words(candidate)})
    typed = [*tokenize_words(text)]
    for index, word in enumerate(typed):
        if not _is_known(word, vocabulary):
            near = [
                candidate
                for candidate in find_close_words(word, vocabulary)
                if _compute_edit_distance(word, candidate) <= max(1, len(word) // _MIN_WORD_LENGTH)
            ]
            if not near or len(word) < _MIN_WORD_LENGTH:
                return ""
            typed[index] = near[0]
    corrected = " ".join(typed)
    return "" if corrected == " ".join(tokenize_words(text)) else corrected


def _compute_edit_distance(first: str, second: str) -> int:
    """Compute the Damerau-Levenshtein distance (optimal string alignment).

    >>> _compute_edit_distance("fihgt", "fight"), _compute_edit_distance("units", "quit")
    (1, 3)
    """
    before: list[int] = []
    row: list[int] = [*range(len(second) + 1)]
    for i, a in enumerate(first, 1):
        last, before, row = before, row, [i]
        for j, b in enumerate(second, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b)))
            if i > 1 and j > 1 and a == second[j - 2] and b == first[i - 2]:
                row[j] = min(row[j], last[j - 2] + 1)
    return row[-1]


def _is_known(word: str, vocabulary: list[str]) -> bool:
    index = bisect_left(vocabulary, word)
    return any(c.isdigit() for c in word) or index < len(vocabulary) and vocabulary[index].startswith(word)
