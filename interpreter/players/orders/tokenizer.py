"""What is typed, taken apart: several orders in a line, who is meant and where, from where to where.

Must not carry anything out.
"""

from __future__ import annotations

from interpreter.players.orders.matching import named, named_in_full
from interpreter.players.orders.name_index import NameIndex, tokens

_MOST_HOW = 3  # words behind a place
_SMALL = frozenset("the an on to with of at in from my our please and".split())


def parts_of(line: str) -> list[str]:
    """The orders in a line: parted by semicolons (a wide one too), but not inside brackets; blanks made single."""
    parts, depth, begun = [], 0, ""
    for character in line:
        depth += (character in "({") - (character in ")}")
        if character in ";\uff1b" and depth <= 0:
            parts.append(begun)
            begun = ""
        else:
            begun += character
    return [text for part in (*parts, begun) if (text := " ".join(part.split()))]


def without_small_words(text: str, lexicon: NameIndex) -> str:
    """An order without articles and the like, which its own words may lack; '' where it has none, or nothing else."""
    given = text.split()
    left = [w for w in given if w.casefold() not in _SMALL or named("place", w, lexicon) or named("piece", w, lexicon)]
    return " ".join(left) if len(left) < len(given) else ""


def destination(text: str, lexicon: NameIndex) -> tuple[str, list[str]]:
    """Who is meant, and the places that the last words name: as many words as still name one."""
    to = {"to", *tokens(lexicon.words.say("to"))}
    given = text.split()
    while given and tokens(given[-1]) and tokens(given[-1])[0] in to:  # in some languages it follows the place
        given.pop()
    best: tuple[str, list[str]] = (text, [])
    for start in range(len(given) - 1, -1, -1):
        found = [p for p in named("place", " ".join(given[start:]), lexicon) if lexicon.is_on_map(p)]
        if not found:
            break
        best = (" ".join(given[:start]), found)
        if len(found) == 1:
            break
    for start in range(len(given) - 1):  # of two names the longer one is meant
        whole = [p for p in named_in_full("place", " ".join(given[start:]), lexicon) if lexicon.is_on_map(p)]
        if len(whole) == 1:
            best = (" ".join(given[:start]), whole)
            break
    who = best[0].split()
    while who and who[-1].casefold() in to:
        who.pop()
    return " ".join(who), best[1]


def endpoints(text: str, lexicon: NameIndex) -> tuple[str, str] | None:
    """The two places of "from A to B"; None when it does not name two."""
    to = {"to", *tokens(lexicon.words.say("to"))}
    between = {"from", *tokens(lexicon.words.say("from")), *to}
    given = [word for word in text.split() if word.casefold() not in between]
    for cut in range(1, len(given)):
        origin = named("place", " ".join(given[:cut]), lexicon)
        goal = named("place", " ".join(given[cut:]), lexicon)
        if len(origin) == 1 and len(goal) == 1:
            return origin[0], goal[0]
    return None


def destination_and_how(text: str, lexicon: NameIndex) -> tuple[str, list[str], str]:
    """Who is meant, the places, and what is typed behind a place that tells ways apart: "Guards 1510 east".

    What stands behind a place named in full is no place itself, unless it is one in full.
    """
    given = text.split()
    for cut in range(1, min(_MOST_HOW, len(given) - 1) + 1):
        head, how = given[:-cut], " ".join(given[-cut:])
        if not named_in_full("place", how, lexicon) and _ends_in_a_place(head, lexicon):
            return (*destination(" ".join(head), lexicon), how)
    return (*destination(text, lexicon), "")


def _ends_in_a_place(given: list[str], lexicon: NameIndex) -> bool:
    """True where the last words are the id or the whole name of a place on the map."""
    return any(
        lexicon.is_on_map(place)
        for start in range(len(given))
        for place in named_in_full("place", " ".join(given[start:]), lexicon)
    )
