"""What a typed answer means in a menu, and how surely. Must not choose where several options fit, nor ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.players.orders.lexicon import Lexicon, narrowed
from interpreter.players.orders.matching import Choosable, fits, is_telling
from interpreter.players.orders.menus import Entry, Menu, entries


@dataclass(frozen=True, slots=True)
class Answer:
    """Where an answer leads.

    `is_printed`: it is a number of the list, a key, or the words as they are shown. `is_plain`: it is these, a name
    in full, or whole words; what is neither is a guess. `is_several`: words that fit several options. `is_outright`:
    the player has said that nothing shall be asked.
    """

    leads: Menu | Choosable
    is_printed: bool = False
    is_plain: bool = True
    is_several: bool = False
    is_outright: bool = False


def answer(menu: Menu, text: str, lexicon: Lexicon) -> Answer | None:
    """What was typed, as an answer to a menu; None when it answers nothing.

    A number picks an entry; a key or a whole name comes next; else every option that the typed words fit.
    """
    found = entries(menu, lexicon)
    by_number = _numbered(found, text)
    if by_number is not None:
        return Answer(by_number, is_printed=True)
    for option in menu.options:
        if _same(text, option.key):
            return Answer(option, is_printed=option.key != option.name)
    matched = [e for e in found if any(_same(text, t) for t in e.typed)]
    if len(matched) == 1:
        return Answer(matched[0].leads, is_printed=_same(text, matched[0].words))
    if "(" in text:  # a key that is not listed is refused with its reasons
        return None
    if is_yes_or_no(text, lexicon) or _is_number(text) and (_asks_number(found) or not is_telling(narrowed(text))):
        return None  # a number beyond the list is no word
    fitting = fits(menu.options, narrowed(text), lexicon)
    if len(fitting.options) == 1:
        return Answer(fitting.options[0], is_plain=fitting.is_plain)
    if not fitting.options:
        return None
    names = {o.name for o in fitting.options}
    narrower = Menu(tuple(fitting.options), fitting.options[0].name if len(names) == 1 else "", (), menu)
    return Answer(narrower, is_several=True)


def is_yes_or_no(text: str, lexicon: Lexicon) -> bool:
    """True for what answers a question by yes or no, and so never means an option by its beginning."""
    return narrowed(text).casefold() in (*yes_words(lexicon), *no_words(lexicon))


def yes_words(lexicon: Lexicon) -> tuple[str, ...]:
    """What means yes."""
    return ("yes", "y", lexicon.words.say("yes").casefold())


def no_words(lexicon: Lexicon) -> tuple[str, ...]:
    """What means no."""
    return ("no", "n", lexicon.words.say("no").casefold())


def _numbered(found: Sequence[Entry], text: str) -> Menu | Choosable | None:
    if not _is_number(text):
        return None
    number = int(narrowed(text))
    if _asks_number(found):
        return next((e.leads for e in found if e.value == number), None)
    return found[number - 1].leads if 1 <= number <= len(found) else None


def _asks_number(found: Sequence[Entry]) -> bool:
    return bool(found) and all(e.value is not None for e in found)


def _is_number(text: str) -> bool:
    plain = narrowed(text)
    return plain.isascii() and plain.removeprefix("-").isdigit() and len(plain) <= 9


def _same(typed: str, known: str) -> bool:
    return " ".join(typed.casefold().split()) == " ".join(known.casefold().split()) != ""
