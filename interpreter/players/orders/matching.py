"""Match typed words to options: whole words before prefixes, and every typed word must match.

If several options match, the caller chooses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar
from unicodedata import name as character_name

from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.players.narration.synonyms import list_synonyms
from interpreter.players.orders.name_index import NameIndex, to_katakana, tokenize_words
from interpreter.runtime.type_aliases import DisplayType

if TYPE_CHECKING:
    from interpreter.players.orders.route_planning import Route
    from interpreter.runtime.decisions import Option

_SIGNIFICANT_WIDTH = 3  # cells; narrower words are single letters

Choosable: TypeAlias = "Option | Route"  # what a menu offers
_Chosen = TypeVar("_Chosen", bound=Choosable)


@dataclass(frozen=True, slots=True)
class OptionMatch(Generic[_Chosen]):
    """The options that match the typed words.

    `is_plain`: they match by whole words, at least one of them longer than two letters.
    """

    options: list[_Chosen]
    is_plain: bool


def match_options(options: Iterable[_Chosen], typed: str, name_index: NameIndex) -> list[_Chosen]:
    """Return the options that every typed word matches, keeping only the best kind of match."""
    return rank_matches(options, typed, name_index).options


def rank_matches(options: Iterable[_Chosen], typed: str, name_index: NameIndex) -> OptionMatch[_Chosen]:
    """Match options against all typed words: by whole words if possible, otherwise by prefixes.

    If several match, prefer options whose complete names are the typed words; if all labels contain the words, prefer
    those with the words in the typed order.
    """
    candidates = [(option, collect_option_words(option, name_index)) for option in options]
    match = _match_spelling(candidates, typed, name_index)
    kana = to_katakana(typed)
    return match if match.options or kana == typed else _match_spelling(candidates, kana, name_index)


def _match_spelling(
    candidates: Sequence[tuple[_Chosen, set[str]]], typed: str, name_index: NameIndex
) -> OptionMatch[_Chosen]:
    """Match options, given with their words, against the typed words in one spelling; see `rank_matches`."""
    typed_words = [t for t in tokenize_words(typed) if t not in _list_fillers(name_index)] or list(
        tokenize_words(typed)
    )
    if not typed_words:
        return OptionMatch([], False)
    matches = [
        o
        for o, option_words in candidates
        if all(w in option_words or _is_script_bounded_substring(w, option_words) for w in typed_words)
    ]
    is_plain = bool(matches) and any(is_significant_word(w) for w in typed_words)
    if not matches and not typed.isdigit():  # a number matches only in full
        matches = [o for o, option_words in candidates if all(_is_prefix_of_any(w, option_words) for w in typed_words)]
    if len(matches) > 1:
        matches = [
            o for o in matches if _is_name_sequence(tuple(typed_words), list_option_names(o, name_index))
        ] or matches
        matches = _filter_by_word_order(matches, typed_words, name_index)
        matches = _select_only_draft(matches, typed_words, name_index) or matches
    return OptionMatch(matches, is_plain)


def _filter_by_word_order(matches: list[_Chosen], typed_words: list[str], name_index: NameIndex) -> list[_Chosen]:
    """Return the options whose labels have the words `typed_words` in this order, or all options if no label has them.

    The order counts only if every label contains all words.
    """
    labels = [tokenize_words(o.text(name_index.localizer.lang)) for o in matches]
    if not all(all(_is_prefix_of_any(w, label) for w in typed_words) for label in labels):
        return matches
    return [o for o, label in zip(matches, labels, strict=True) if _is_in_order(typed_words, label)] or matches


def _select_only_draft(matches: list[_Chosen], typed_words: list[str], name_index: NameIndex) -> list[_Chosen]:
    """Return, as a list, the only finished draft whose members have names made of typed words only.

    Return [] if there is none, or several. `typed_words`: the typed words.
    """
    exact = [
        option
        for option in matches
        if option.is_end and (members := _list_member_words(option, name_index)) and members <= set(typed_words)
    ]
    return exact if len(exact) == 1 else []


def _list_member_words(option: Choosable, name_index: NameIndex) -> set[str]:
    """Return the words in the names of all members of an option's arguments that are sets or lists."""
    member_words: set[str] = set()
    for name, value in option.args.items():
        for member in value if isinstance(value, list | tuple) else ():
            member_words.update(
                tokenize_words(name_index.localizer.find_name(get_kind(option.shows.get(name)), str(member)))
            )
    return member_words


def is_significant_word(word: str) -> bool:
    """Return whether a word is long enough to identify a name: at least as wide as three letters.

    >>> is_significant_word("no"), is_significant_word("fort"), is_significant_word("普軍")
    (False, True, True)
    """
    return measure_cells(word) >= _SIGNIFICANT_WIDTH


def _is_script_bounded_substring(word: str, candidates: Iterable[str]) -> bool:
    """Return whether a word of a script without spaces occurs in a known word, bounded by changes of script.

    >>> [_is_script_bounded_substring(word, {"移動する", "moves"}) for word in ("移動", "移", "move")]
    [True, False, False]
    """
    if word.isascii():
        return False
    first, last = _get_script(word[0]), _get_script(word[-1])
    for text in candidates:
        start = text.find(word)
        while start >= 0:
            end = start + len(word)
            if (start == 0 or _get_script(text[start - 1]) != first) and (
                end == len(text) or _get_script(text[end]) != last
            ):
                return True
            start = text.find(word, start + 1)
    return False


def _get_script(character: str) -> str:
    """Return the script of a character, from the first word of its Unicode name, or '' for signs."""
    return character_name(character, "").partition(" ")[0].partition("-")[0] if character.isalnum() else ""


def _is_name_sequence(typed_words: tuple[str, ...], names: set[tuple[str, ...]]) -> bool:
    """Return whether the words `typed_words` are a sequence of complete names, in any order."""
    return not typed_words or any(
        typed_words[: len(n)] == n and _is_name_sequence(typed_words[len(n) :], names) for n in names
    )


def _is_in_order(typed_words: Iterable[str], label_words: Iterable[str]) -> bool:
    """Return whether the wanted words are prefixes of words, in the same order."""
    remaining = iter(label_words)
    return all(any(word.startswith(w) for word in remaining) for w in typed_words)


def collect_option_words(option: Choosable, name_index: NameIndex, with_others: bool = True) -> set[str]:
    """Return every word that may refer to an option or one of its arguments.

    `with_others`: also the words for pieces of other sides in the places that it names, such as "3 units".
    """
    localizer = name_index.localizer
    all_words = {
        *tokenize_words(option.name),
        *tokenize_words(localizer.translate_name(option.name, "option")),
        *tokenize_words(option.text(localizer.lang)),
    }
    all_words.update(word for synonym in list_synonyms(option.name, localizer) for word in tokenize_words(synonym))
    for name, value in option.args.items():
        if value is True:
            all_words.update(tokenize_words(localizer.translate_name(name)), tokenize_words(name))
        elif value is not False and value is not None:
            kind = get_kind(option.shows.get(name))
            all_words.update(name_index.list_words_for(value, kind))
            for other in name_index.list_others_at(value, kind) if with_others else ():
                all_words.update(tokenize_words(other))
    return all_words


def list_option_names(option: Choosable, name_index: NameIndex) -> set[tuple[str, ...]]:
    """Return the names of an option and its arguments, each as a tuple of words without articles and connectives."""
    localizer = name_index.localizer
    texts = [
        option.name,
        localizer.translate_name(option.name, "option"),
        option.text(localizer.lang),
        *list_synonyms(option.name, localizer),
    ]
    for name, value in option.args.items():
        kind = get_kind(option.shows.get(name))
        for part in value if isinstance(value, list | tuple) else (value,):
            if part is True:
                texts += [name, localizer.translate_name(name)]
            elif isinstance(part, str):
                texts += [name_index.program.get_shown_id(kind, part), localizer.find_name(kind, part)]
                texts += [name_index.find_place_name(part, kind), name_index.find_place_id(part, kind)]
            elif part is not None and part is not False:
                texts.append(str(part))
    left_out = _list_fillers(name_index)
    return {
        significant for text in texts if (significant := tuple(t for t in tokenize_words(text) if t not in left_out))
    }


def get_kind(show: DisplayType | None) -> str:
    """Return the kind of a thing-valued type, or of the members of a list type; '' for numbers, words and flags."""
    while show and show[0] in ("maybe", "many"):
        show = show[1]
    return str(show[1]) if show and show[0] == "thing" else ""


def list_things(option: Choosable, kind: str) -> list[str]:
    """Return the ids of the things of a kind that an option names, including members of lists."""
    things: list[str] = []
    for name, value in option.args.items():
        if get_kind(option.shows.get(name)) == kind:
            things += [
                part for part in (value if isinstance(value, list | tuple) else (value,)) if isinstance(part, str)
            ]
    return things


def _is_prefix_of_any(typed: str, candidates: Iterable[str]) -> bool:
    """Return whether a known word starts with the typed one, or, in scripts without spaces, contains it."""
    return any(k.startswith(typed) if typed.isascii() else typed in k for k in candidates)


def _list_fillers(name_index: NameIndex) -> frozenset[str]:
    """Return the words that may be left out of an order, such as articles."""
    return frozenset(tokenize_words(name_index.localizer.say("to from the of in at with and by a")))


def match_things(kind: str, typed: str, name_index: NameIndex) -> list[str]:
    """Return the ids of the things of a kind that match the text: by id or full name, else words, else prefixes."""
    typed_words = tokenize_words(typed)
    if not typed_words:
        return []
    ids = name_index.program.ids.get(kind, [])
    if exact := match_full_names(kind, typed, name_index):
        return exact
    candidates = [(i, name_index.list_words_for(i, kind)) for i in ids]
    full_matches = [i for i, thing_words in candidates if all(w in thing_words for w in typed_words)]
    matches = full_matches or [
        i for i, thing_words in candidates if all(_is_prefix_of_any(w, thing_words) for w in typed_words)
    ]
    kana = to_katakana(typed)
    return matches if matches or kana == typed else match_things(kind, kana, name_index)


def match_full_names(kind: str, typed: str, name_index: NameIndex) -> list[str]:
    """Return the ids of the things of a kind whose id or full name is the text."""
    typed_words, plain = _list_significant_words(typed, name_index), typed.casefold()
    return [
        i
        for i in name_index.program.ids.get(kind, [])
        if plain == name_index.program.get_shown_id(kind, i).casefold()
        or _list_significant_words(name_index.localizer.get_thing_name(kind, i), name_index) == typed_words
    ]


def _list_significant_words(text: str, name_index: NameIndex) -> tuple[str, ...]:
    """Return the words of a name without articles and connectives, or all words if nothing else is left."""
    words, left_out = tokenize_words(text), _list_fillers(name_index)
    return tuple(word for word in words if word not in left_out) or words


def match_any_kind(typed: str, name_index: NameIndex) -> list[tuple[str, str]]:
    """Return (kind, id) of the sides, seats and things of the ruleset's own kinds that match the text.

    If any of them has the text as its id or full name, only such things are returned.
    """
    for match in (match_full_names, match_things):
        if things := [(k, i) for k in _list_kinds_off_map(name_index) for i in match(k, typed, name_index)]:
            return things
    return []


def _list_kinds_off_map(name_index: NameIndex) -> list[str]:
    """Return the kinds of things that have no location: sides, seats and the ruleset's own kinds."""
    return [kind for kind in name_index.program.kinds if kind not in ("piece", "place", "edge")]


def is_name_of_other_kind(kind: str, typed: str, name_index: NameIndex) -> bool:
    """Return whether the text is the full name of a side, a seat or another thing, but of no thing of this kind."""
    kinds = _list_kinds_off_map(name_index)
    return not match_full_names(kind, typed, name_index) and any(match_full_names(k, typed, name_index) for k in kinds)


def has_place_name_at_end(place: str, typed: str, name_index: NameIndex) -> bool:
    """Return whether the text ends in the complete id or name of this place, not only in a prefix of it."""
    typed_words = tokenize_words(typed)
    names = (
        tokenize_words(name_index.program.get_shown_id("place", place)),
        tokenize_words(name_index.localizer.get_thing_name("place", place)),
    )
    if any(name and typed_words[-len(name) :] == name for name in names):
        return True
    return not typed_words or typed_words[-1] in name_index.list_words_for(place, "place")
