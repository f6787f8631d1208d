"""Pieces that nobody can tell apart: two of one side that players read under the same name.

Alike pieces are meant to be one in decisions. Findings are warnings. Must not look at rules.
"""

from __future__ import annotations

from interpreter.model import types as t
from interpreter.model.core import CheckedModel
from interpreter.model.ruleset import Thing
from interpreter.source.diagnostic import Related, Sink
from interpreter.words.speech import mark as _


def check_names_of_pieces(model: CheckedModel, sink: Sink) -> None:
    """Report each piece whose name an earlier piece of its side and class has already."""
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
