"""Builds the views: what players are told of a thing beside its attributes.

Must not parse expressions.
"""

from __future__ import annotations

from interpreter.documents.reading.tree import describe
from interpreter.documents.values.attributes import read_type
from interpreter.documents.values.context import Context, fields, read_label, read_origin
from interpreter.documents.values.embedding import read_expression
from interpreter.model import types as t
from interpreter.model.ruleset import View
from interpreter.words.speech import mark as _


def build_views(ctx: Context) -> dict[str, View]:
    """The views by id, in order; one with a fault (reported) is left out."""
    views = {}
    for entry in ctx.kinds["ruleset"].branch("views"):
        form, name = fields(entry), entry.key.text
        of, value = form.get("of"), form.get("value")
        if value is None:  # the schema has reported it
            continue
        subject, embedded = None if of is None else read_type(of, ctx), read_expression(value, ctx.sink)
        if isinstance(subject, t.Never) or embedded is None:
            continue
        if of is not None and not isinstance(subject, t.ThingOf):
            ctx.sink.error(
                "wrong-type",
                _("found {found}, expected the kind of things that `{name}` is told of", found=describe(of), name=name),
                of.span,
                help=_("write a class of pieces, `place`, `side`, `seat` or a kind of your own"),
            )
            continue
        label, origin = read_label(form.get("name"), ctx, name), read_origin(entry, ctx)
        assert subject is None or isinstance(subject, t.ThingOf)
        views[name] = View(name, subject, form.text("as", "it"), embedded, label, origin)
    return views
