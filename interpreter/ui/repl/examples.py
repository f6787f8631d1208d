"""Examples for the help: what may be typed to parse_menu_answer the present question."""

from __future__ import annotations

from interpreter.players.orders.menu_answers import parse_menu_answer
from interpreter.players.orders.name_index import NameIndex, tokens
from interpreter.players.orders.option_tree import OptionTree, OptionTreeEntry, entries


def examples(menu: OptionTree, name_index: NameIndex) -> tuple[str, ...]:
    """Return example answers: the shortest unambiguous words of the first menu entries."""
    is_translated = name_index.words.lang != name_index.program.languages[0]  # then prefer translated words over ids

    def length(text: str) -> tuple[bool, int]:
        letters = [sign for sign in text if sign.isalpha()]  # ignore localized punctuation
        return is_translated and bool(letters) and "".join(letters).isascii(), len(text)

    def shown(entry: OptionTreeEntry) -> str:
        told = set(tokens(entry.words))
        fitting = [t for t in entry.typed if t and told.issuperset(tokens(t)) and leads(t, entry)]
        return min(fitting, key=length, default="")

    def leads(text: str, entry: OptionTreeEntry) -> bool:
        meant = parse_menu_answer(menu, text, name_index)
        return meant is not None and meant.leads == entry.leads

    return tuple(dict.fromkeys(text for e in entries(menu, name_index)[:3] if (text := shown(e))))
