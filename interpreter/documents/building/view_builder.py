"""Builder of expressions about things: views, which inform players, and checks of setups.

The expressions are parsed later.
"""

from __future__ import annotations

from interpreter.documents.building.template_builder import read_wording
from interpreter.documents.reading.tree import MappingNode, describe
from interpreter.documents.values.attributes import read_type
from interpreter.documents.values.context import BuildContext, fields, read_label, read_origin
from interpreter.documents.values.embedded_rules import read_expression
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.model.ruleset import Embedded, SetupCheck, View, Worded


def build_views(ctx: BuildContext) -> dict[str, View]:
    """Return the views by id, in order; a faulty one is reported and left out."""
    views = {}
    for entry in ctx.kinds["ruleset"].branch("views"):
        form, name = fields(entry), entry.key.text
        found = _read_entry(form, name, "value", ctx)
        if found is not None:
            label, origin = read_label(form.get("name"), ctx, name), read_origin(entry, ctx)
            views[name] = View(name, found[0], form.text("as", "it"), found[1], label, origin)
    return views


def build_setup_checks(ctx: BuildContext) -> tuple[dict[str, SetupCheck], tuple[Worded, ...]]:
    """Return the checks by id, and the words of each; a faulty one is reported and left out."""
    checks, words = {}, []
    for entry in ctx.kinds["ruleset"].branch("setup_check"):
        form, name = fields(entry), entry.key.text
        found = _read_entry(form, name, "holds", ctx)
        if found is not None:
            checks[name] = SetupCheck(name, found[0], form.text("as", "it"), found[1], read_origin(entry, ctx))
            told = read_wording(form.get("words"), ctx)
            words.append(Worded(f"check.{name}", told, found[0], form.text("as", "it")))
    return checks, tuple(words)


def _read_entry(
    form: MappingNode, name: str, key: str, ctx: BuildContext
) -> tuple[t.ThingType | None, Embedded] | None:
    """Read the subject type of an entry (None for the game) and its expression, or None if either is faulty."""
    of, value = form.get("of"), form.get(key)
    if value is None:  # the schema has reported it
        return None
    subject, embedded = None if of is None else read_type(of, ctx), read_expression(value, ctx.sink)
    if isinstance(subject, t.NeverType) or embedded is None:
        return None
    if of is not None and not isinstance(subject, t.ThingType):
        told = _("found {found}, expected the kind of things to which `{name}` applies", found=describe(of), name=name)
        cure = _("write a class of pieces, `place`, `side`, `seat` or a kind of your own")
        ctx.sink.error("wrong-type", told, of.span, help=cure)
        return None
    return subject if isinstance(subject, t.ThingType) else None, embedded
