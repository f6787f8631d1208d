"""What the things of a position may be called: by name, by id, by their counters, by where they stand.

Built for one position and asked many times; must not know what is being decided.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from unicodedata import combining, normalize

from interpreter.players.words import Words
from interpreter.runtime.session import Game

_PARTS = re.compile(r"[^\s,;:()\[\]{}\"“”'’=]+")


def tokens(text: str) -> tuple[str, ...]:
    """The words of a text in the form in which they are compared: no case, no accents, no punctuation.

    >>> tokens("1st Élite (faces up-hill)")
    ('1st', 'elite', 'faces', 'up-hill')
    """
    plain = "".join(c for c in normalize("NFKD", text.replace("_", " ").casefold()) if not combining(c))
    return tuple(_PARTS.findall(normalize("NFKC", plain)))


class Lexicon:
    """The words for each value in one position. `words_for(value)` is remembered."""

    def __init__(self, game: Game, words: Words) -> None:
        self.words = words
        self.program = game.program
        self._at = game.state.at
        self._kept: dict[Any, frozenset[str]] = {}
        self._game = game

    def words_for(self, value: Any, kind: str = "") -> frozenset[str]:
        """Every word by which a value (an id of the kind, a number, a list of them) may be called."""
        known = (kind, tuple(value) if isinstance(value, list) else value)
        if known not in self._kept:
            self._kept[known] = frozenset(self._words(known[1], kind))
        return self._kept[known]

    def _words(self, value: Any, kind: str) -> Iterable[str]:
        if isinstance(value, tuple):
            for part in value:
                yield from self.words_for(part, kind)
        elif not isinstance(value, str):
            yield self.words.say("yes") if value is True else str(value)
        else:
            yield from tokens(value)
            yield value.casefold()
            yield from tokens(self.words.called(kind, value))
            piece = self.program.handles["piece"].get(value) if kind == "piece" else None
            if piece is not None:
                yield from self._piece(piece)
            elif "@" in value:
                yield from tokens(value.replace("@", " ").replace(".", " "))

    def _piece(self, piece: int) -> Iterable[str]:
        """Where it stands, and what is printed on its counter."""
        place = self.program.ids["place"][self._at[piece]]
        yield place.casefold()
        yield from tokens(self.words.thing("place", place))
        cls = self.program.classes[self.program.kinds["piece"]["things"][piece]["cls"]]
        yield from tokens(self.words.label(cls["label"], cls["one"]))
        shown = [self._counter(piece, name) for name in cls["counters"]]
        for text in shown:
            yield from tokens(text)
        yield "-".join("".join(tokens(text)) for text in shown)

    def place_of(self, value: Any, kind: str = "piece") -> str:
        """The name of the place where a piece stands; '' for what is no piece, and for groups that tell it."""
        piece = self.program.handles["piece"].get(value) if kind == "piece" and isinstance(value, str) else None
        if piece is None:
            return ""
        return self.words.thing("place", self.program.ids["place"][self._at[piece]])

    def is_on_map(self, place: str) -> bool:
        """False for the holding places beside the map."""
        return self.program.on_map[self.program.handles["place"][place]]

    def _counter(self, piece: int, name: str) -> str:
        from interpreter.runtime.choices import piece_value

        show = self.program.kinds["piece"]["attributes"][name]["show"]
        return self.words.handle_value(show, piece_value(self._game.state, piece, name))
