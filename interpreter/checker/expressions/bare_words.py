"""What a bare word means: a set of things, a region, a rung, a word of a list, a thing.

What is expected decides between several meanings; without it the word must have one only.
"""

from __future__ import annotations

from interpreter.checker.scope import Names
from interpreter.model import nodes as n, types as t
from interpreter.model.core import Core
from interpreter.source.nouns import noun
from interpreter.source.text import NOWHERE, Span
from interpreter.words.speech import mark as _


def resolve_bare_word(names: Names, word: str, span: Span, expected: t.Type | None) -> Core | None:
    """The meaning of `word`, or None when it has none; several meanings are a fault."""
    if word == "none" and isinstance(expected, t.Maybe):
        return _missing(names, span, expected)
    many = names.kind_of_many(word)
    if many is not None:
        return n.Things(many.kind, many.cls, t.SetOf(many), span)
    if word in names.ruleset.regions:
        return n.Literal(names.ruleset.regions[word], t.SetOf(t.PLACE), span, f"region.{word}")
    if word == "turn":
        return n.Operation("turn", (), t.INT, span)
    if word == "last_turn":
        return n.Operation("last_turn", (), t.Maybe(t.INT), span)
    if word == "directions" and names.ruleset.grid is not None:
        return n.Literal(names.ruleset.grid.directions, t.ListOf(t.DIRECTION), span, "grid")
    wanted = expected.item if isinstance(expected, t.Maybe) else expected
    direct = _of_type(names, word, span, wanted)
    if direct is not None:
        return direct
    found = _anywhere(names, word, span)
    kinds = [c.type.kind for c in found if isinstance(c.type, t.ThingOf)]
    if len(found) == 2 and sorted(kinds) == ["seat", "side"]:
        found = [c for c in found if c.type == t.SIDE]  # a side and the seat that holds it often share a name
    if len(found) > 1:
        first, *others = sorted({_describe(names, c) for c in found})
        meanings = first
        for other in others:
            meanings = _("{one} and {other}", one=meanings, other=other)
        names.sink.error(
            "ambiguous-name",
            _("`{word}` could be {meanings}", word=word, meanings=meanings),
            span,
            help=_("say which: {spelling}", spelling=_spelling(names, found[0], word)),
        )
        return n.Literal(None, t.NEVER, span)
    return found[0] if found else None


def word_beside_define(names: Names, word: str, span: Span, expected: t.Type | None) -> Core | None:
    """Return what a bare word means beside a define of its name that takes values, or None if it means nothing else.

    Where something of another type is expected, the brackets were forgotten.
    """
    if expected is not None:
        return _of_type(names, word, span, expected.item if isinstance(expected, t.Maybe) else expected)
    return resolve_bare_word(names, word, span, None)


def is_own_word(names: Names, word: str) -> bool:
    """True for a word that means nothing in the documents, so that it can be a word of a list of its own."""
    return word.isidentifier() and not _anywhere(names, word, NOWHERE)


def _missing(names: Names, span: Span, expected: t.Maybe) -> Core:
    """`none` where a value may be missing; a ruleset whose values have a `none` of their own must say otherwise."""
    if _of_type(names, "none", span, expected.item) is not None:
        names.sink.error(
            "ambiguous-name",
            _("`none` could be a missing value and a word of the ruleset"),
            span,
            help=_("give the word another name"),
        )
        return n.Literal(None, t.NEVER, span)
    return n.Literal(None, expected, span)


def _of_type(names: Names, word: str, span: Span, wanted: t.Type | None) -> Core | None:
    match wanted:
        case t.OneOf(values=values) if word in values:
            return n.Literal(word, wanted, span)
        case t.Rung(ladder=ladder) if word in names.index.rungs[ladder]:
            return n.Literal(names.index.rungs[ladder][word], wanted, span)
        case t.Direction() if names.ruleset.grid is not None and word in names.ruleset.grid.directions:
            return n.Literal(word, t.DIRECTION, span)
        case t.ThingOf(kind="level"):
            return _level(names, word, span)
        case t.ThingOf(kind=kind) if kind in names.ruleset.kinds:
            index = names.index.ids[kind].get(word)
            if index is not None:
                return n.Literal(index, t.ThingOf(kind, names.ruleset.kinds[kind].things[index].cls), span)
        case t.SetOf(item=item) | t.ListOf(item=item) if item is not None:
            return None
    return None


def _level(names: Names, word: str, span: Span) -> Core | None:
    for index, level in enumerate(names.ruleset.victory.levels):
        if level.id == word:
            return n.Literal(index, t.ThingOf("level"), span)
    return None


def _anywhere(names: Names, word: str, span: Span) -> list[Core]:
    found: list[Core] = []
    rs = names.ruleset
    for kind in rs.kinds.values():
        index = names.index.ids[kind.id].get(word)
        if index is not None:
            found.append(n.Literal(index, t.ThingOf(kind.id, kind.things[index].cls), span))
    for ladder, rungs in names.index.rungs.items():
        if word in rungs:
            found.append(n.Literal(rungs[word], t.Rung(ladder), span))
    if word in names.index.listed:
        found.append(n.Literal(word, t.OneOf((word,)), span))
    if rs.grid is not None and word in rs.grid.directions:
        found.append(n.Literal(word, t.DIRECTION, span))
    return found


def _describe(names: Names, core: Core) -> str:
    if isinstance(core.type, t.Rung):
        return _("a rung of the ladder `{ladder}`", ladder=core.type.ladder)
    if isinstance(core.type, t.OneOf):
        return _("a word of a list")
    return _("the {what}", what=noun(names.word_for(core.type)))


def _spelling(names: Names, core: Core, word: str) -> str:
    if isinstance(core.type, t.ThingOf):
        return f'{names.word_for(core.type)}("{word}")'
    if isinstance(core.type, t.Rung):
        return f'{core.type.ladder}("{word}")'
    return _("give one another name")
