"""Lint ambiguous names: ids that are also words of the language or of a list, and identically named pieces.

An ambiguous id cannot be resolved as a bare word; its use in a rule is a separate error. Pieces with the `alike` flag
are meant to be merged in decisions. Findings are warnings; the rules are not read.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.checker.scope import RESERVED
from interpreter.diagnostics.diagnostic import Related, Sink
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.model.ruleset import Ruleset, Thing
from interpreter.model.statements import CheckedModel


def check_meanings(model: CheckedModel, sink: Sink) -> None:
    """Report sides and things of user-defined kinds whose id has a second meaning."""
    ruleset = model.ruleset
    meanings = dict(_words(ruleset))
    for kind in ruleset.kinds.values():
        if kind.id in ("place", "edge", "seat", "piece"):  # numerous, and rarely named in rules
            continue
        for thing in kind.things:
            if (other := meanings.get(thing.id)) is not None:
                sink.warning(
                    "word-of-two-meanings",
                    _("`{id}` is an id of the kind `{kind}` and {other}", id=thing.id, kind=kind.one, other=other),
                    thing.origin.span,
                    help=_(
                        'give one of the two another name; until then write {kind}("{id}") for this one',
                        kind=kind.one,
                        id=thing.id,
                    ),
                )


def _words(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield each bare word that has a meaning, with a description of it; later pairs override earlier ones."""
    attributes = [a for kind in ruleset.kinds.values() for a in kind.attributes.values()]
    for attribute in [*attributes, *ruleset.game.values()]:
        inner = (
            attribute.type.item if isinstance(attribute.type, t.MaybeType | t.SetType | t.ListType) else attribute.type
        )
        if isinstance(inner, t.OneOfType):
            for word in inner.values:
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
    seen: dict[tuple[object, ...], Thing] = {}
    for piece in ruleset.kinds["piece"].things:
        name = piece.label.get(ruleset.languages[0], "")
        if not name or piece.cls is not None and ruleset.classes[piece.cls].alike:
            continue
        key = (name, piece.cls, *(piece.values.get(a) for a in sides))
        first = seen.setdefault(key, piece)
        if first is not piece:
            sink.warning(
                "same-name",
                _("`{id}` has the name of `{other}`: `{name}`", id=piece.id, other=first.id, name=name),
                piece.origin.span,
                help=_("give each its own `name`, or make the class `alike: true` if they are one to players"),
                related=(Related(_("the first one"), first.origin.span),),
            )
