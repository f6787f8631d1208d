"""Resolution of bare words to sets of things, regions, rungs, enumeration words or things.

The expected type selects among several meanings; without one the word must have exactly one meaning.
"""

from __future__ import annotations

from interpreter.checker.scope import RulesScope
from interpreter.diagnostics.message_nouns import get_noun
from interpreter.diagnostics.source_text import NOWHERE, Span
from interpreter.i18n.translator import mark as _
from interpreter.model import expressions as n, types as t
from interpreter.model.statements import Core


def resolve_bare_word(names: RulesScope, word: str, span: Span, expected: t.Type | None) -> Core | None:
    """Resolve `word`, or return None if it has no meaning; several meanings are reported as an error.

    `expected`: the type that selects among several meanings, or None.
    """
    if word == "none" and isinstance(expected, t.MaybeType):
        return _check_missing(names, span, expected)
    many = names.find_kind_by_plural(word)
    if many is not None:
        return n.Things(many.kind, many.cls, t.SetType(many), span)
    if word in names.ruleset.regions:
        return n.Literal(names.ruleset.regions[word], t.SetType(t.PLACE), span, f"region.{word}")
    if word == "turn":
        return n.Operation("turn", (), t.INT, span)
    if word == "last_turn":
        return n.Operation("last_turn", (), t.MaybeType(t.INT), span)
    if word == "directions" and names.ruleset.grid is not None:
        return n.Literal(names.ruleset.grid.directions, t.ListType(t.DIRECTION), span, "grid")
    expected_type = expected.item if isinstance(expected, t.MaybeType) else expected
    direct = _resolve_as_type(names, word, span, expected_type)
    if direct is not None:
        return direct
    candidates = _find_candidates(names, word, span)
    kinds = [c.type.kind for c in candidates if isinstance(c.type, t.ThingType)]
    if len(candidates) == 2 and sorted(kinds) == ["seat", "side"]:
        candidates = [c for c in candidates if c.type == t.SIDE]  # a side and its seat often share a name
    if len(candidates) > 1:
        first, *more_meanings = sorted({_describe_meaning(names, c) for c in candidates})
        meanings = first
        for next_meaning in more_meanings:
            meanings = _("{one} and {other}", one=meanings, other=next_meaning)
        names.sink.add_error(
            "ambiguous-name",
            _("`{word}` could be {meanings}", word=word, meanings=meanings),
            span,
            help=_("say which one: {spelling}", spelling=_suggest_spelling(names, candidates[0], word)),
        )
        return n.Literal(None, t.NEVER, span)
    return candidates[0] if candidates else None


def resolve_word_shadowed_by_define(names: RulesScope, word: str, span: Span, expected: t.Type | None) -> Core | None:
    """Return another meaning of a bare word that is also the name of a define with parameters, or None.

    With `expected`, only a meaning of that type counts: otherwise the author has forgotten the brackets of the define.
    """
    if expected is not None:
        return _resolve_as_type(names, word, span, t.strip_maybe(expected))
    return resolve_bare_word(names, word, span, None)


def is_own_word(names: RulesScope, word: str) -> bool:
    """Return True for an identifier without a meaning in the documents, so that an author may define it as a word."""
    return word.isidentifier() and not _find_candidates(names, word, NOWHERE)


def _check_missing(names: RulesScope, span: Span, expected: t.MaybeType) -> Core:
    """Return the checked `none` as a missing value of the type `expected`.

    If the type itself defines a word `none`, an ambiguity is reported.
    """
    if _resolve_as_type(names, "none", span, expected.item) is not None:
        names.sink.add_error(
            "ambiguous-name",
            _("`none` could mean a missing value or a word of the ruleset"),
            span,
            help=_("give the word another name"),
        )
        return n.Literal(None, t.NEVER, span)
    return n.Literal(None, expected, span)


def _resolve_as_type(names: RulesScope, word: str, span: Span, expected_type: t.Type | None) -> Core | None:
    """Return what a word means as a value of the expected type, or None."""
    match expected_type:
        case t.OneOfType(values=values) if word in values:
            return n.Literal(word, expected_type, span)
        case t.RungType(ladder=ladder) if word in names.index.rungs[ladder]:
            return n.Literal(names.index.rungs[ladder][word], expected_type, span)
        case t.DirectionType() if names.ruleset.grid is not None and word in names.ruleset.grid.directions:
            return n.Literal(word, t.DIRECTION, span)
        case t.ThingType(kind="level"):
            return _resolve_level(names, word, span)
        case t.ThingType(kind=kind) if kind in names.ruleset.kinds:
            index = names.index.ids[kind].get(word)
            if index is not None:
                return n.Literal(index, t.ThingType(kind, names.ruleset.kinds[kind].things[index].cls), span)
    return None


def _resolve_level(names: RulesScope, word: str, span: Span) -> Core | None:
    """Return the victory level of this name, or None."""
    levels = enumerate(names.ruleset.victory.levels)
    return next((n.Literal(index, t.LEVEL, span) for index, level in levels if level.id == word), None)


def _find_candidates(names: RulesScope, word: str, span: Span) -> list[Core]:
    """Return all values that a word may denote: things, rungs, words of lists and directions."""
    candidates: list[Core] = []
    rs = names.ruleset
    for kind in rs.kinds.values():
        index = names.index.ids[kind.id].get(word)
        if index is not None:
            candidates.append(n.Literal(index, t.ThingType(kind.id, kind.things[index].cls), span))
    for ladder, rungs in names.index.rungs.items():
        if word in rungs:
            candidates.append(n.Literal(rungs[word], t.RungType(ladder), span))
    if word in names.index.listed:
        candidates.append(n.Literal(word, t.OneOfType((word,)), span))
    if rs.grid is not None and word in rs.grid.directions:
        candidates.append(n.Literal(word, t.DIRECTION, span))
    return candidates


def _describe_meaning(names: RulesScope, core: Core) -> str:
    """Return what kind of value an expression is, for a list of the meanings of a word."""
    if isinstance(core.type, t.RungType):
        return _("a rung of the ladder `{ladder}`", ladder=core.type.ladder)
    if isinstance(core.type, t.OneOfType):
        return _("a word of a list")
    return _("the {what}", what=get_noun(names.get_type_word(core.type)))


def _suggest_spelling(names: RulesScope, core: Core, word: str) -> str:
    """Return how to write an unambiguous reference to a value that shares its word with others."""
    if isinstance(core.type, t.ThingType):
        return f'{names.get_type_word(core.type)}("{word}")'
    if isinstance(core.type, t.RungType):
        return f'{core.type.ladder}("{word}")'
    return _("give one another name")
