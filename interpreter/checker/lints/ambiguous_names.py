"""Lints for names with two meanings.

Covers ids that are also words of the language or of a list, defines named like a word of the data, and pieces of one
side with equal names. A bare ambiguous id in a rule is an error reported elsewhere. Interchangeable pieces are one in
decisions by design. All findings are warnings; only the names are read from the rules.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.checker.operations import BUILTINS
from interpreter.checker.scope import RESERVED, list_enumerated_words
from interpreter.diagnostics.diagnostic import Related, Sink
from interpreter.diagnostics.message_nouns import get_noun
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.model.checked_model import CheckedModel, iter_items
from interpreter.model.ruleset import Ruleset, Thing


def check_meanings(model: CheckedModel, sink: Sink) -> None:
    """Report sides and things of user-defined kinds whose id has a second meaning."""
    ruleset = model.ruleset
    meanings = dict(_iter_words(ruleset))
    for kind in ruleset.kinds.values():
        if kind.id in ("place", "edge", "seat", "piece"):  # numerous, and rarely named in rules
            continue
        for thing in kind.things:
            if (other_meaning := meanings.get(thing.id)) is not None:
                sink.add_warning(
                    "word-of-two-meanings",
                    _(
                        "`{id}` is an id of the kind `{kind}` and {other}",
                        id=thing.id,
                        kind=kind.one,
                        other=other_meaning,
                    ),
                    thing.origin.span,
                    help=_(
                        'rename one of the two; until then write {kind}("{id}") for this one',
                        kind=kind.one,
                        id=thing.id,
                    ),
                )


def check_names_of_rules(model: CheckedModel, sink: Sink) -> None:
    """Report defines, rules and tallies that have the name of a word of the documents.

    A define without parameters hides the word. Other items only look like it, because brackets follow their names.
    """
    meanings = dict(_iter_words(model.ruleset)) | dict(_iter_callables(model.ruleset)) | dict(_iter_ids(model.ruleset))
    spellings = dict(_iter_spellings(model.ruleset))
    for sort, name, item in iter_items(model):
        if sort not in _ASKED or name not in meanings or name in model.original_names:
            continue
        is_hidden = sort == "define" and not item.params
        spelled = spellings.get(name, "")
        if not is_hidden:
            cure = _("rename one of the two; until then `{name}(...)` means this one", name=name)
        elif spelled:
            cure = _("rename one of the two; until then write {spelled} for the other", spelled=spelled)
        else:
            cure = _("rename one of the two")
        message = (
            _("the {sort} `{name}` hides {other}", sort=get_noun(sort), name=name, other=meanings[name])
            if is_hidden
            else _(
                "the {sort} `{name}` has the same name as {other}", sort=get_noun(sort), name=name, other=meanings[name]
            )
        )
        sink.add_warning("word-of-two-meanings", message, item.span, help=cure)


_ASKED = ("define", "rule", "tally")  # what expressions can name


def _iter_callables(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield (word, description) for each word of the documents and the language that can be called."""
    for place in ruleset.kinds["place"].things:
        if place.holding:
            yield place.holding, _("a word for places off the map")
    for ladder in ruleset.ladders:
        yield ladder, _("a ladder")
    for function in BUILTINS:
        yield function, _("a function of the language")


def _iter_ids(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield (id, description) for each direction and thing.

    If an id occurs in several pairs, the last one counts; kinds are yielded in reverse order, so the first kind wins.
    """
    for direction in ruleset.grid.directions if ruleset.grid is not None else ():
        yield direction, _("a direction")
    for kind in reversed([*ruleset.kinds.values()]):
        for thing in kind.things:
            yield thing.id, _("an id of the kind `{kind}`", kind=kind.one)


def _iter_spellings(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield (word, unambiguous spelling in rules) for each meaning of each word, in the order of `_iter_words`."""
    for ladder in ruleset.ladders.values():
        yield from ((rung, f'{ladder.id}("{rung}")') for rung in ladder.rungs)
    for word in ruleset.grid.directions if ruleset.grid is not None else ():
        yield word, f'direction("{word}")'
    for kind in reversed([*ruleset.kinds.values()]):
        yield from ((thing.id, f'{kind.one}("{thing.id}")') for thing in kind.things)


def _iter_words(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield each bare word that has a meaning, with a description of it; later pairs override earlier ones."""
    attributes = [a for kind in ruleset.kinds.values() for a in kind.attributes.values()]
    for attribute in [*attributes, *ruleset.game.values()]:
        for word in list_enumerated_words(attribute.type):
            yield word, _("a word of the list of `{attribute}`", attribute=attribute.name)
    for ladder in ruleset.ladders.values():
        for rung in ladder.rungs:
            yield rung, _("a rung of the ladder `{ladder}`", ladder=ladder.id)
    for kind in ruleset.kinds.values():
        yield kind.one, _("the word for a kind of things")
        yield kind.many, _("the word for all things of a kind")
    for region in ruleset.regions:
        yield region, _("the name of a region")
    for word in (*RESERVED, "turn", "game", "value", "victory", "none"):
        yield word, _("a word of the language")


def check_names_of_pieces(model: CheckedModel, sink: Sink) -> None:
    """Report each piece that has the name of an earlier piece of its side and class."""
    ruleset = model.ruleset
    sides = [a.name for a in ruleset.kinds["piece"].attributes.values() if a.type == t.SIDE and not a.changes]
    first_by_key: dict[tuple[object, ...], Thing] = {}
    for piece in ruleset.kinds["piece"].things:
        name = piece.label.get(ruleset.languages[0], "")
        if not name or piece.cls is not None and ruleset.classes[piece.cls].alike:
            continue
        key = (name, piece.cls, *(piece.values.get(a) for a in sides))
        first = first_by_key.setdefault(key, piece)
        if first is not piece:
            sink.add_warning(
                "same-name",
                _("`{id}` has the same name as `{other}`: `{name}`", id=piece.id, other=first.id, name=name),
                piece.origin.span,
                help=_("give each its own `name`; if players need not distinguish them, make the class `alike: true`"),
                related=(Related(_("the first one"), first.origin.span),),
            )
