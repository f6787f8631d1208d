"""From typed words to the options they mean: whole words before beginnings, everything typed must fit.

Must not choose where several options fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar
from unicodedata import name as character_name

from interpreter.players.orders.lexicon import Lexicon, in_katakana, tokens
from interpreter.players.telling.synonyms import synonyms
from interpreter.source.printing import cell_width

_TELLING = 3  # cells: narrower words are letters


class Choosable(Protocol):
    """What can stand in a menu: an option, or several choices that belong together."""

    @property
    def key(self) -> str:
        """Stable text."""

    @property
    def name(self) -> str:
        """The name in the rules."""

    @property
    def args(self) -> dict[str, Any]:
        """Arguments by name, as ids and numbers."""

    @property
    def is_end(self) -> bool:
        """True for a whole draft, which is told by where it ends and not by its name."""

    @property
    def shows(self) -> dict[str, Any]:
        """What sort of value each argument is."""

    @property
    def cost(self) -> Any:
        """What it costs where the rules count that, else None."""

    @property
    def cite(self) -> tuple[str, ...]:
        """Paragraphs that allow it."""

    @property
    def has_words(self) -> bool:
        """True where the rules give it words of its own."""

    @property
    def worded(self) -> frozenset[str]:
        """The arguments of which the words that the rules give it make something."""

    def spoken(self, language: str = "") -> tuple[str, ...]:
        """What fills the holes of its words, where the rules give it words."""

    def text(self, language: str = "") -> str:
        """Words for people."""


_Chosen = TypeVar("_Chosen", bound=Choosable)


@dataclass(frozen=True, slots=True)
class Fits(Generic[_Chosen]):
    """The options that typed words fit. `is_plain`: by whole words, at least one of them no mere letter or two."""

    options: list[_Chosen]
    is_plain: bool


def matching(options: Iterable[_Chosen], typed: str, lexicon: Lexicon) -> list[_Chosen]:
    """The options that every typed word fits, the best sort of fit alone."""
    return fits(options, typed, lexicon).options


def fits(options: Iterable[_Chosen], typed: str, lexicon: Lexicon) -> Fits[_Chosen]:
    """The options that every typed word fits, best sort of fit first: all whole words, else all beginnings.

    Of several those are meant of which the typed words are whole names, and where all labels hold them, those that
    hold them in this order.
    """
    known = [(option, option_words(option, lexicon)) for option in options]
    found = _fitting(known, typed, lexicon)
    kana = in_katakana(typed)
    return found if found.options or kana == typed else _fitting(known, kana, lexicon)


def _fitting(known: Sequence[tuple[_Chosen, set[str]]], typed: str, lexicon: Lexicon) -> Fits[_Chosen]:
    """Return the options, given with their words, that this spelling fits."""
    wanted = [t for t in tokens(typed) if t not in _fillers(lexicon)] or list(tokens(typed))
    if not wanted:
        return Fits([], False)
    found = [o for o, has in known if all(w in has or _stands_in(w, has) for w in wanted)]
    is_plain = bool(found) and any(is_telling(w) for w in wanted)
    if not found and not typed.isdigit():  # a number is whole or none
        found = [o for o, has in known if all(_begins(w, has) for w in wanted)]
    if len(found) > 1:
        found = [o for o in found if _is_made_of(tuple(wanted), option_names(o, lexicon))] or found
        found = _in_own_order(found, wanted, lexicon)
        found = _of_no_others(found, wanted, lexicon) or found
    return Fits(found, is_plain)


def _in_own_order(found: list[_Chosen], wanted: list[str], lexicon: Lexicon) -> list[_Chosen]:
    """Those in whose labels the words stand in this order, if all labels hold all of them; else all."""
    labels = [tokens(o.text(lexicon.words.lang)) for o in found]
    if not all(all(_begins(w, label) for w in wanted) for label in labels):
        return found
    return [o for o, label in zip(found, labels, strict=True) if _in_order(wanted, label)] or found


def _of_no_others(found: list[_Chosen], wanted: list[str], lexicon: Lexicon) -> list[_Chosen]:
    """Of ends of drafts that take several the one that takes those typed and nobody else; else none."""
    exact = [
        option
        for option in found
        if option.is_end and (members := _member_words(option, lexicon)) and members <= set(wanted)
    ]
    return exact if len(exact) == 1 else []


def _member_words(option: Choosable, lexicon: Lexicon) -> set[str]:
    """The words of the names of all that an option takes in sets and lists."""
    found: set[str] = set()
    for name, value in option.args.items():
        for member in value if isinstance(value, list | tuple) else ():
            found.update(tokens(lexicon.words.called(kind_of(option.shows.get(name)), str(member))))
    return found


def is_telling(word: str) -> bool:
    """True for a word that is not given away by a slip of the finger: as wide as three letters or wider.

    >>> is_telling("no"), is_telling("fort"), is_telling("普軍")
    (False, True, True)
    """
    return cell_width(word) >= _TELLING


def _stands_in(word: str, known: Iterable[str]) -> bool:
    """In scripts without spaces: true when it stands in one of the words from one change of script to the next.

    >>> _stands_in("移動", {"移動する"}), _stands_in("移", {"移動する"}), _stands_in("move", {"moves"})
    (True, False, False)
    """
    if word.isascii():
        return False
    first, last = _script(word[0]), _script(word[-1])
    for text in known:
        at = text.find(word)
        while at >= 0:
            end = at + len(word)
            if (at == 0 or _script(text[at - 1]) != first) and (end == len(text) or _script(text[end]) != last):
                return True
            at = text.find(word, at + 1)
    return False


def _script(character: str) -> str:
    """The script a character belongs to, by the first word of its name; signs belong to none."""
    return character_name(character, "").partition(" ")[0].partition("-")[0] if character.isalnum() else ""


def _is_made_of(wanted: tuple[str, ...], names: set[tuple[str, ...]]) -> bool:
    """True when the words are whole names, one after another."""
    return not wanted or any(wanted[: len(n)] == n and _is_made_of(wanted[len(n) :], names) for n in names)


def _in_order(wanted: Iterable[str], words: Iterable[str]) -> bool:
    """True when every wanted word begins one of the words, each after the one before."""
    left = iter(words)
    return all(any(word.startswith(w) for word in left) for w in wanted)


def option_words(option: Choosable, lexicon: Lexicon) -> set[str]:
    """Every word by which an option may be called."""
    words = lexicon.words
    found = {*tokens(option.name), *tokens(words.name(option.name, "option")), *tokens(option.text(words.lang))}
    found.update(word for synonym in synonyms(option.name, words) for word in tokens(synonym))
    for name, value in option.args.items():
        if value is True:
            found.update(tokens(words.name(name)), tokens(name))
        elif value is not False and value is not None:
            kind = kind_of(option.shows.get(name))
            found.update(lexicon.words_for(value, kind))
            for other in lexicon.others_at(value, kind):
                found.update(tokens(other))
    return found


def option_names(option: Choosable, lexicon: Lexicon) -> set[tuple[str, ...]]:
    """What an option and its arguments are called, each name as its words, without those that only bind."""
    words = lexicon.words
    told = [option.name, words.name(option.name, "option"), option.text(words.lang), *synonyms(option.name, words)]
    for name, value in option.args.items():
        kind = kind_of(option.shows.get(name))
        for one in value if isinstance(value, list | tuple) else (value,):
            if one is True:
                told += [name, words.name(name)]
            elif isinstance(one, str):
                named = lexicon.program.shown_id(kind, one)
                told += [named, words.called(kind, one), lexicon.place_of(one, kind), lexicon.place_id_of(one, kind)]
            elif one is not None and one is not False:
                told.append(str(one))
    left_out = _fillers(lexicon)
    return {found for text in told if (found := tuple(t for t in tokens(text) if t not in left_out))}


def kind_of(show: Any) -> str:
    """The kind of things that a value, or every member of it, is; '' for numbers, words and flags."""
    while show and show[0] in ("maybe", "many"):
        show = show[1]
    return str(show[1]) if show and show[0] == "thing" else ""


def things_in(option: Choosable, kind: str) -> list[str]:
    """The ids of the things of a kind that an option names, also in lists."""
    found: list[str] = []
    for name, value in option.args.items():
        if kind_of(option.shows.get(name)) == kind:
            found += [one for one in (value if isinstance(value, list | tuple) else (value,)) if isinstance(one, str)]
    return found


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
    if exact := named_in_full(kind, typed, lexicon):
        return exact
    known = [(i, lexicon.words_for(i, kind)) for i in ids]
    whole = [i for i, has in known if all(w in has for w in wanted)]
    found = whole or [i for i, has in known if all(_begins(w, has) for w in wanted)]
    kana = in_katakana(typed)
    return found if found or kana == typed else named(kind, kana, lexicon)


def named_in_full(kind: str, typed: str, lexicon: Lexicon) -> list[str]:
    """The things of a kind whose id or whole name this is."""
    wanted, plain = _telling_words(typed, lexicon), typed.casefold()
    return [
        i
        for i in lexicon.program.ids.get(kind, [])
        if plain == lexicon.program.shown_id(kind, i).casefold()
        or _telling_words(lexicon.words.thing(kind, i), lexicon) == wanted
    ]


def _telling_words(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The words of a name without those that only bind, "the" and the like; all of them where nothing else is left."""
    found, left_out = tokens(text), _fillers(lexicon)
    return tuple(word for word in found if word not in left_out) or found


def things_named(typed: str, lexicon: Lexicon) -> list[tuple[str, str]]:
    """Sides, seats and things of the ruleset's own kinds that are called like this; whole names go first."""
    kinds = [kind for kind in lexicon.program.kinds if kind not in ("piece", "place", "edge")]
    return [(k, i) for k in kinds for i in named_in_full(k, typed, lexicon)] or [
        (k, i) for k in kinds for i in named(k, typed, lexicon)
    ]


def is_other_thing(kind: str, typed: str, lexicon: Lexicon) -> bool:
    """True where the words are the whole name of no thing of this kind, but of a side, a seat or a thing of its own."""
    others = [k for k in lexicon.program.kinds if k not in ("piece", "place", "edge")]
    return not named_in_full(kind, typed, lexicon) and any(named_in_full(k, typed, lexicon) for k in others)


def is_called_in_full(kind: str, thing: str, typed: str, lexicon: Lexicon) -> bool:
    """True when the last of the typed words are an id or a name of this thing in full, not only its beginning."""
    wanted = tokens(typed)
    names = (tokens(lexicon.program.shown_id(kind, thing)), tokens(lexicon.words.thing(kind, thing)))
    return any(name and wanted[-len(name) :] == name for name in names) or all(
        w in lexicon.words_for(thing, kind) for w in wanted[-1:]
    )
