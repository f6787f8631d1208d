"""From typed words to the options they mean: whole words before beginnings, everything typed must fit.

Must not choose where several options fit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

from interpreter.players.orders.lexicon import Lexicon, tokens


class Choosable(Protocol):
    """What can stand in a menu: an option, or several choices that belong together."""

    @property
    def key(self) -> str:
        """Stable text."""
        ...

    @property
    def name(self) -> str:
        """The name in the rules."""
        ...

    @property
    def args(self) -> dict[str, Any]:
        """Arguments by name, as ids and numbers."""
        ...

    @property
    def is_end(self) -> bool:
        """True for a whole draft, which is told by where it ends and not by its name."""
        ...

    @property
    def shows(self) -> dict[str, Any]:
        """What sort of value each argument is."""
        ...

    @property
    def cost(self) -> Any:
        """What it costs where the rules count that, else None."""
        ...

    @property
    def cite(self) -> tuple[str, ...]:
        """Paragraphs that allow it."""
        ...

    def text(self, language: str = "") -> str:
        """Words for people."""
        ...


_Chosen = TypeVar("_Chosen", bound=Choosable)


def matching(options: Iterable[_Chosen], typed: str, lexicon: Lexicon) -> list[_Chosen]:
    """The options that every typed word fits, best sort of fit first: all whole words, else all beginnings.

    Of several those are meant in whose own words the typed ones stand in this order.
    """
    wanted = [t for t in tokens(typed) if t not in _fillers(lexicon)] or list(tokens(typed))
    if not wanted:
        return []
    known = [(o, option_words(o, lexicon)) for o in options]
    found = [o for o, has in known if all(w in has for w in wanted)]
    found = found or [o for o, has in known if all(_begins(w, has) for w in wanted)]
    if len(found) < 2:
        return found
    return [o for o in found if _in_order(wanted, tokens(o.text(lexicon.words.lang)))] or found


def _in_order(wanted: Iterable[str], words: Iterable[str]) -> bool:
    """True when every wanted word begins one of the words, each after the one before."""
    left = iter(words)
    return all(any(word.startswith(w) for word in left) for w in wanted)


def option_words(option: Choosable, lexicon: Lexicon) -> set[str]:
    """Every word by which an option may be called."""
    words = lexicon.words
    found = {*tokens(option.name), *tokens(words.name(option.name, "option")), *tokens(option.text(words.lang))}
    for name, value in option.args.items():
        if value is True:
            found.update(tokens(words.name(name)), tokens(name))
        elif value is not False and value is not None:
            kind = kind_of(option.shows.get(name))
            found.update(lexicon.words_for(value, kind))
            for other in lexicon.others_at(value, kind):
                found.update(tokens(other))
    return found


def kind_of(show: Any) -> str:
    """The kind of things that a value, or every member of it, is; '' for numbers, words and flags."""
    while show and show[0] in ("maybe", "many"):
        show = show[1]
    return str(show[1]) if show and show[0] == "thing" else ""


def _begins(typed: str, known: Iterable[str]) -> bool:
    """A word begins like this; in scripts without spaces it may also stand inside."""
    if typed.isascii():
        return any(k.startswith(typed) for k in known)
    return any(typed in k for k in known)


def _fillers(lexicon: Lexicon) -> frozenset[str]:
    return frozenset(tokens(lexicon.words.say("to from the of in at with and by a")))


def named(kind: str, typed: str, lexicon: Lexicon) -> list[str]:
    """The things of a kind that are called like this: by id or whole name, else by words, else by beginnings."""
    wanted = tokens(typed)
    if not wanted:
        return []
    ids = lexicon.program.ids.get(kind, [])
    exact = [i for i in ids if typed.casefold() == i.casefold() or tokens(lexicon.words.thing(kind, i)) == wanted]
    if exact:
        return exact
    known = [(i, lexicon.words_for(i, kind)) for i in ids]
    whole = [i for i, has in known if all(w in has for w in wanted)]
    return whole or [i for i, has in known if all(_begins(w, has) for w in wanted)]
