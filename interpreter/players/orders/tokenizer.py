"""Tokenizer for typed orders: several orders in a line, the piece and its destination, and "from A to B"."""

from __future__ import annotations

from typing import NamedTuple

from interpreter.players.orders.matching import match_full_names, match_things
from interpreter.players.orders.name_index import NameIndex, tokenize_words

_MAX_WORDS_AFTER_PLACE = 3  # words after a place
_MAX_WORDS = 200  # of an order: the places in it are looked for at each of its words
_FILLERS = frozenset("the an on to with of at in from my our please and".split())


def split_orders(line: str) -> list[str]:
    """Split a line into orders at semicolons (also full-width) outside brackets, and normalize whitespace."""
    parts, depth, begun = [], 0, ""
    for character in line:
        depth += (character in "({") - (character in ")}")
        if character in ";\uff1b" and depth <= 0:
            parts.append(begun)
            begun = ""
        else:
            begun += character
    return [text for part in (*parts, begun) if (text := " ".join(part.split()))]


def remove_articles(text: str, name_index: NameIndex) -> str:
    """Return an order without articles and similar words; '' if it has none of them or consists of nothing else."""
    words = text.split()
    if len(words) > _MAX_WORDS:
        return ""
    left = [
        w
        for w in words
        if w.casefold() not in _FILLERS or match_things("place", w, name_index) or match_things("piece", w, name_index)
    ]
    return " ".join(left) if len(left) < len(words) else ""


def split_destination(text: str, name_index: NameIndex) -> tuple[str, list[str]]:
    """Split an order into the piece text and the ids of the places that its last words may name; [] for none.

    As many words as name a place are taken.
    """
    to = {"to", *tokenize_words(name_index.localizer.say("to"))}
    words = text.split()
    if len(words) > _MAX_WORDS:
        return text, []
    # in some languages the preposition follows the place
    while words and tokenize_words(words[-1]) and tokenize_words(words[-1])[0] in to:
        words.pop()
    best: tuple[str, list[str]] = (text, [])
    for start in range(len(words) - 1, -1, -1):
        places = [p for p in match_things("place", " ".join(words[start:]), name_index) if name_index.is_on_map(p)]
        if not places:
            break
        best = (" ".join(words[:start]), places)
        if len(places) == 1:
            break
    for start in range(len(words) - 1):  # of two names the longer one is meant
        full_matches = [
            p for p in match_full_names("place", " ".join(words[start:]), name_index) if name_index.is_on_map(p)
        ]
        if len(full_matches) == 1:
            best = (" ".join(words[:start]), full_matches)
            break
    piece_words = best[0].split()
    while piece_words and piece_words[-1].casefold() in to:
        piece_words.pop()
    return " ".join(piece_words), best[1]


def split_endpoints(text: str, name_index: NameIndex) -> tuple[str, str] | None:
    """Return the two places of "from A to B", or None if the text does not name two."""
    to = {"to", *tokenize_words(name_index.localizer.say("to"))}
    between = {"from", *tokenize_words(name_index.localizer.say("from")), *to}
    words = [word for word in text.split() if word.casefold() not in between]
    for cut in range(1, len(words) if len(words) <= _MAX_WORDS else 1):
        origin = match_things("place", " ".join(words[:cut]), name_index)
        goal = match_things("place", " ".join(words[cut:]), name_index)
        if len(origin) == 1 and len(goal) == 1:
            return origin[0], goal[0]
    return None


class MoveOrder(NamedTuple):
    """A typed order to move: the words for the piece, the ids of the places meant, and words that select a route."""

    piece_text: str
    places: list[str]
    route_text: str


def split_destination_and_route(text: str, name_index: NameIndex) -> MoveOrder:
    """Split an order like "Guards 1510 east" into its parts.

    Words after a full place name are not a place themselves, unless they are a full place name.
    """
    words = text.split()
    if len(words) > _MAX_WORDS:
        return MoveOrder(text, [], "")
    for cut in range(1, min(_MAX_WORDS_AFTER_PLACE, len(words) - 1) + 1):
        head, route_text = words[:-cut], " ".join(words[-cut:])
        if not match_full_names("place", route_text, name_index) and _is_place_at_end(head, name_index):
            return MoveOrder(*split_destination(" ".join(head), name_index), route_text)
    return MoveOrder(*split_destination(text, name_index), "")


def _is_place_at_end(words: list[str], name_index: NameIndex) -> bool:
    """Return whether the text ends in the id or full name of a place on the map."""
    return any(
        name_index.is_on_map(place)
        for start in range(len(words))
        for place in match_full_names("place", " ".join(words[start:]), name_index)
    )
