"""Name index: the words that may refer to the things of a position: names, ids, counter values and places.

Built once per position and queried many times, independent of the pending decision.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Any
from unicodedata import combining, normalize

from interpreter.play.game import Game
from interpreter.play.template_values import format_short_form
from interpreter.players.orders.repeated_decisions import is_series_unused
from interpreter.runtime.limits import SharedBudget, one_budget
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.machine import is_setting_up
from interpreter.runtime.option_keys import get_piece_value

_PARTS = re.compile(r"[^\s,;:()\[\]{}\"“”'’=、。「」『』]+")
_FORMS = re.compile("[\u3000\uff01-\uffee]+")
_HIRAGANA = re.compile("[\u3041-\u3096]")
_TO_KATAKANA = 0x60  # how far apart the two kana of a sound are
_VOICED = "\u3099\u309a"  # combining marks that form another kana, not an accent


def to_half_width(text: str) -> str:
    """Return a text with the full-width characters of East Asian keyboards, and half-width kana, in their usual width.

    >>> to_half_width("１２？")
    '12?'
    """
    return _FORMS.sub(lambda match: normalize("NFKC", match[0]), text)


def to_katakana(text: str) -> str:
    """Return a text with hiragana as the katakana in which names are written.

    >>> to_katakana("\u306a\u308b") == "\u30ca\u30eb"
    True
    """
    return _HIRAGANA.sub(lambda kana: chr(ord(kana[0]) + _TO_KATAKANA), text)


@lru_cache(maxsize=4096)  # the same names are compared repeatedly
def tokenize_words(text: str) -> tuple[str, ...]:
    """Split a text into normalized words for comparison: no case, no accents, no punctuation.

    >>> tokenize_words("1st Élite (faces up-hill)")
    ('1st', 'elite', 'faces', 'up-hill')
    """
    plain = "".join(c for c in normalize("NFKD", text.replace("_", " ").casefold()) if not combining(c) or c in _VOICED)
    return tuple(_PARTS.findall(normalize("NFKC", plain)))


class NameIndex:
    """The words by which the things of one position may be called. `list_words_for(value)` is memoized."""

    def __init__(self, game: Game, localizer: Localizer) -> None:
        self.localizer = localizer
        self.program = game.program
        self._places = game.state.at
        self._words_by_value: dict[Any, frozenset[str]] = {}
        self._short_forms: dict[tuple[str, int], str] = {}
        self._game = game
        self._budget = SharedBudget()  # of all short forms

    def list_words_for(self, value: object, kind: str) -> frozenset[str]:
        """Return every word that may refer to a value (an id of the kind, a number, or a list of them)."""
        key = (kind, tuple(value) if isinstance(value, list) else value)
        if key not in self._words_by_value:
            self._words_by_value[key] = frozenset(self._iter_words(key[1], kind))
        return self._words_by_value[key]

    def _iter_words(self, value: object, kind: str) -> Iterable[str]:
        """Yield the words that may refer to a value; see `list_words_for`."""
        if isinstance(value, tuple):
            for part in value:
                yield from self.list_words_for(part, kind)
        elif not isinstance(value, str):
            yield self.localizer.say("yes") if value is True else str(value)
        else:
            shown_id = self.program.get_shown_id(kind, value)
            yield from tokenize_words(shown_id)
            yield shown_id.casefold()
            yield from tokenize_words(self.localizer.find_name(kind, value))
            piece = self.program.handles["piece"].get(value) if kind == "piece" else None
            if piece is not None:
                yield from self._iter_piece_words(piece)
            elif kind == "place" and value in self.program.handles["place"]:
                yield from self._iter_place_words(self.program.handles["place"][value])
            elif "@" in value:
                yield from tokenize_words(value.replace("@", " ").replace(".", " "))

    def _iter_place_words(self, place: int) -> Iterable[str]:
        """Yield the words of a place's text attributes, such as a second name."""
        for name, attribute in self.program.kinds["place"]["attributes"].items():
            if attribute["text"] and not attribute["changes"]:
                value = self.program.constants[("place", name)][place] or ""
                yield from tokenize_words(value)
                yield from tokenize_words(self.localizer.format_value(attribute["show"], value))

    def _iter_piece_words(self, piece: int) -> Iterable[str]:
        """Yield the words for a piece's place and counter values."""
        place = self.program.ids["place"][self._places[piece]]
        yield place.casefold()
        yield from tokenize_words(self.localizer.get_thing_name("place", place))
        cls = self.program.classes[self.program.kinds["piece"]["things"][piece]["cls"]]
        yield from tokenize_words(self.localizer.translate_label(cls["label"], cls["one"]))
        texts = [self._format_counter_value(piece, name) for name in cls["counters"]]
        for text in texts:
            yield from tokenize_words(text)
        yield "-".join("".join(tokenize_words(text)) for text in texts)

    @cached_property
    def is_series_unused(self) -> bool:
        """Return whether the pending decision is a repeated one in which nothing has been chosen yet."""
        return is_series_unused(self._game)

    @cached_property
    def is_setting_up(self) -> bool:
        """Return whether the first turn has not begun."""
        return is_setting_up(self._game.state)

    def find_option_name(self, name: str) -> str:
        """Return the display name of an option of the current decision."""
        decision = self._game.decision
        return self.localizer.translate_name(name, *([decision.name] if decision else []), "option")

    def find_place_name(self, value: str, kind: str = "piece", on_map: bool = False) -> str:
        """Return the name of a piece's place, or '' for other values and for groups, which name their place.

        `on_map`: return '' for places off the map too.
        """
        place = self.find_place_id(value, kind) if isinstance(value, str) else ""
        return self.localizer.get_thing_name("place", place) if place and (not on_map or self.is_on_map(place)) else ""

    def find_short_form(self, value: object, kind: str) -> str:
        """Return the short form of a thing, or '' if it has none."""
        handle = self.program.handles.get(kind, {}).get(value) if isinstance(value, str) else None
        if handle is None:
            return ""
        if (kind, handle) not in self._short_forms:
            with one_budget(self._budget):
                self._short_forms[kind, handle] = format_short_form(self._game.state, kind, handle, self.localizer.lang)
        return self._short_forms[kind, handle]

    def format_name_with_short(self, value: object, kind: str) -> str:
        """Render a value; a thing is followed by its short form."""
        return f"{self.localizer.find_name(kind, str(value))} {self.find_short_form(value, kind)}".rstrip()

    def find_place_id(self, value: str, kind: str) -> str:
        """Return the id of the place of a piece, or '' if the value is not a piece."""
        piece = self.program.handles["piece"].get(value) if kind == "piece" else None
        return "" if piece is None else self.program.ids["place"][self._places[piece]]

    def list_others_at(self, value: object, kind: str) -> list[str]:
        """Return texts that name the pieces of sides that do not decide in one or more places; [] for other kinds."""
        if kind != "place":
            return []
        places = value if isinstance(value, tuple | list) else (value,)
        return [
            self.localizer.format_piece_count(pieces[0], len(pieces))
            for place in places
            for pieces in self._other_pieces.get(place, {}).values()
        ]

    @cached_property
    def _other_pieces(self) -> dict[str, dict[str, list[str]]]:
        """Return the ids of the pieces of other sides, by place and name, if pieces belong to sides."""
        decision, program = self._game.decision, self.program
        own_side = program.handles["side"].get(decision.side) if decision else None
        attributes = program.kinds["piece"]["attributes"]
        owner = next((n for n, a in attributes.items() if tuple(a["show"]) == ("thing", "side")), None)
        pieces: dict[str, dict[str, list[str]]] = {}
        if owner is None or own_side is None:
            return pieces
        for piece, thing in enumerate(program.kinds["piece"]["things"]):
            cls = program.classes.get(thing["cls"])
            place = self._places[piece]
            if (
                program.on_map[place]
                and (cls is None or owner in cls["attributes"])
                and (get_piece_value(self._game.state, piece, owner) != own_side)
            ):
                groups = pieces.setdefault(program.ids["place"][place], {})
                groups.setdefault(self.localizer.get_piece_name(program.ids["piece"][piece]), []).append(
                    program.ids["piece"][piece]
                )
        return pieces

    def is_on_map(self, place: str) -> bool:
        """Return whether a place is on the map rather than a holding place beside it."""
        return self.program.on_map[self.program.handles["place"][place]]

    def _format_counter_value(self, piece: int, name: str) -> str:
        show = self.program.kinds["piece"]["attributes"][name]["show"]
        return self.localizer.format_value(show, get_piece_value(self._game.state, piece, name))
