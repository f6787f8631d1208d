"""Where each word of a ruleset's data stands, found at once however much there is of it.

Made once for a ruleset and shared by all that ask of it. Must not decide which of several meanings counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from interpreter.model import types as t
from interpreter.model.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class WordIndex:
    """Words of the data by what they may mean; where two things share a word the first one counts.

    `ids`: handle of each thing by kind and id. `one`, `many`: kinds and classes by their words. `rungs`: place of each
    rung by ladder. `listed`: words of lists, whichever.
    """

    ids: Mapping[str, Mapping[str, int]]
    one: Mapping[str, t.ThingOf]
    many: Mapping[str, t.ThingOf]
    rungs: Mapping[str, Mapping[str, int]]
    listed: frozenset[str]


def index_words(ruleset: Ruleset) -> WordIndex:
    """The index of a ruleset's words."""
    one: dict[str, t.ThingOf] = {}
    many: dict[str, t.ThingOf] = {}
    for kind in ruleset.kinds.values():
        one.setdefault(kind.one, t.ThingOf(kind.id))
        one.setdefault(kind.id, t.ThingOf(kind.id))
        many.setdefault(kind.many, t.ThingOf(kind.id))
    for cls in ruleset.classes.values():
        one.setdefault(cls.one, t.ThingOf("piece", cls.id))
        one.setdefault(cls.id, t.ThingOf("piece", cls.id))
        many.setdefault(cls.many, t.ThingOf("piece", cls.id))
    one.setdefault("level", t.ThingOf("level"))
    return WordIndex(
        {kind.id: kind.handles() for kind in ruleset.kinds.values()},
        one,
        many,
        {ladder.id: _numbered(ladder.rungs) for ladder in ruleset.ladders.values()},
        frozenset(word for type_ in _types(ruleset) for word in _words(type_)),
    )


def _numbered(words: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, word in enumerate(words):
        found.setdefault(word, number)
    return found


def _types(ruleset: Ruleset) -> Iterable[t.Type]:
    for kind in ruleset.kinds.values():
        yield from (a.type for a in kind.attributes.values())
    yield from (a.type for a in ruleset.game.values())
    for table in ruleset.tables.values():
        yield from (axis.type for axis in table.axes)
        yield table.type


def _words(type_: t.Type) -> tuple[str, ...]:
    inner = type_.item if isinstance(type_, t.Maybe | t.SetOf | t.ListOf) else type_
    return inner.values if isinstance(inner, t.OneOf) else ()
