"""Builds what a ruleset asks of every set-up.

Must not parse expressions.
"""

from __future__ import annotations

from interpreter.documents.building.wording_builder import read_wording
from interpreter.documents.reading.tree import describe
from interpreter.documents.values.attributes import read_type
from interpreter.documents.values.context import Context, fields, read_origin
from interpreter.documents.values.embedding import read_expression
from interpreter.model import types as t
from interpreter.model.ruleset import SetupCheck, Worded
from interpreter.words.speech import mark as _


def build_setup_checks(ctx: Context) -> tuple[dict[str, SetupCheck], tuple[Worded, ...]]:
    """The checks by id, and the words of each; one with a fault (reported) is left out."""
    checks, words = {}, []
    for entry in ctx.kinds["ruleset"].branch("setup_check"):
        form, name = fields(entry), entry.key.text
        of, holds = form.get("of"), form.get("holds")
        embedded = None if holds is None else read_expression(holds, ctx.sink)
        subject = None if of is None else read_type(of, ctx)
        if embedded is None or isinstance(subject, t.Never):
            continue
        if of is not None and not isinstance(subject, t.ThingOf):
            found = describe(of)
            told = _("found {found}, expected the kind of things that `{name}` is told of", found=found, name=name)
            ctx.sink.error(
                "wrong-type",
                told,
                of.span,
                help=_("write a class of pieces, `place`, `side`, `seat` or a kind of your own"),
            )
            continue
        thing = subject if isinstance(subject, t.ThingOf) else None
        checks[name] = SetupCheck(name, thing, form.text("as", "it"), embedded, read_origin(entry, ctx))
        words.append(Worded(f"check.{name}", read_wording(form.get("words"), ctx), thing, form.text("as", "it")))
    return checks, tuple(words)
