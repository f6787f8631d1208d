"""Reading of a value of a given type from a node: names become handles, fractions are exact."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final
from unicodedata import normalize

from interpreter.diagnostics.edge_names import normalize_edge_name
from interpreter.diagnostics.message_nouns import get_noun, report_unknown_name, shorten_word
from interpreter.diagnostics.plain_signs import to_half_width
from interpreter.diagnostics.suggestions import is_number_like
from interpreter.documents.reading.tree import Node, ScalarNode, SequenceNode, describe, is_null
from interpreter.documents.values.context import BuildContext
from interpreter.documents.values.printed_forms import guess_number, is_same_number
from interpreter.i18n.number_format import is_canonical_number, parse_number
from interpreter.i18n.translator import Message, mark as _
from interpreter.model import types as t
from interpreter.model.ruleset import Attribute, Value

FAULT: Final[Any] = object()  # replaces a value whose fault was reported
HAVE_CODES = ("side", "seat", "place", "edge", "piece", "word", "direction", "rung")


def read_value(node: Node, type_: t.Type, ctx: BuildContext) -> Value:
    """Return the value a node states, or `FAULT` (reported)."""
    match type_:
        case t.MaybeType(item=item):
            return None if is_null(node) else read_value(node, item, ctx)
        case t.SetType(item=item) | t.ListType(item=item):
            return _read_collection(node, type_, item or t.NEVER, ctx)
        case t.NeverType():
            return FAULT
    if not isinstance(node, ScalarNode) or node.value is None:
        return _report_wrong_type(node, type_, ctx)
    return _read_scalar(node, type_, ctx)


def _read_scalar(node: ScalarNode, type_: t.Type, ctx: BuildContext) -> Value:
    value = node.value
    match type_:
        case t.IntType():
            return (
                value
                if isinstance(value, int) and not isinstance(value, bool)
                else _report_wrong_type(node, type_, ctx)
            )
        case t.NumberType():
            number = parse_number(node.text)
            return number if number is not None else _report_wrong_type(node, type_, ctx)
        case t.FlagType():
            return value if isinstance(value, bool) else _report_wrong_type(node, type_, ctx)
        case t.TextType():
            return normalize("NFC", node.text)
        case t.OneOfType(values=words):
            return _read_word(node, "word", {w: w for w in words}, ctx)
        case t.DirectionType():
            plan = ctx.names.grid
            return _read_word(node, "direction", {d: d for d in (plan.directions if plan else ())}, ctx)
        case t.RungType(ladder=ladder):
            message = _("the ladder `{ladder}` has no rung `{word}`", ladder=ladder, word=shorten_word(node.text))
            return _read_word(node, "rung", ctx.names.rungs.get(ladder, {}), ctx, message)
        case t.ThingType():
            return read_thing(node, type_, ctx)
    return _report_wrong_type(node, type_, ctx)


def read_thing(node: ScalarNode, type_: t.ThingType, ctx: BuildContext) -> Value:
    """Return the handle of the thing a word names, or `FAULT` (reported)."""
    handles = ctx.names.handles.get(type_.kind, {})
    if type_.kind == "edge" and (name := normalize_edge_name(node.text, handles)) != node.text:
        return handles[name]
    return _read_word(node, type_.kind, handles, ctx)


def _read_word(
    node: ScalarNode, description: str, words: Mapping[str, Any], ctx: BuildContext, message: str = ""
) -> Value:
    """Return what a word denotes, FAULT for an unknown one (reported).

    `description`: what is expected, in words; `words`: the meanings by word; `message`: the message for an unknown
    word, '' for the usual one.
    """
    if node.text in words:
        return words[node.text]
    word, cure, names = description.split()[0], _("check the spelling, or add it"), words
    other = next((kind for kind, ids in ctx.names.handles.items() if node.text in ids), None)
    if other is not None:
        words = {}
        cure = _(
            "`{word}` is a {what}, expected a {wanted}",
            word=node.text,
            what=get_noun(other),
            wanted=get_noun(description),
        )
    elif description == "place" and is_number_like(node.text) and (spaces := ctx.names.grid and ctx.names.grid.spaces):
        numbers = sorted(space.id for space in spaces)
        cure = _("the spaces are numbered from `{first}` to `{last}`", first=numbers[0], last=numbers[-1])
    code = word if word in HAVE_CODES else "thing"
    report_unknown_name(ctx.sink, code, description, node.text, node.span, words, cure, names, message)
    return FAULT


def _read_collection(node: Node, type_: t.Type, item: t.Type, ctx: BuildContext) -> Value:
    """Return the value of a list or set; `item`: the type of its members."""
    if not isinstance(node, SequenceNode):
        return _report_wrong_type(node, type_, ctx)
    values = []
    for part in node.items:
        value = read_value(part, item, ctx)
        if isinstance(type_, t.SetType) and value is not FAULT and value in values:
            ctx.sink.add_error(
                "repeated-value", _("the value is in the set more than once"), part.span, help=_("keep one of them")
            )
        else:
            values.append(value)
    if any(v is FAULT for v in values):
        return FAULT
    return (
        tuple(sorted(values, key=lambda v: _build_sort_key(v, item))) if isinstance(type_, t.SetType) else tuple(values)
    )


def _build_sort_key(value: Value, type_: t.Type) -> Any:  # noqa: ANN401 - values of one type are comparable
    """Return the sort key of a value in the canonical order of sets.

    Numbers are sorted by size, words alphabetically, and a missing value is first.
    """
    if isinstance(type_, t.MaybeType):
        return (value is not None, _build_sort_key(value, type_.item) if value is not None else 0)
    return value


def _report_wrong_type(node: Node, type_: t.Type, ctx: BuildContext) -> Value:
    """Report a node that is not a value of a type, and return FAULT."""
    cure = Message("")
    if isinstance(type_, t.FlagType):
        cure = _("write `true` or `false`")
    elif isinstance(type_, t.IntType) and isinstance(node, ScalarNode) and isinstance(node.value, str):
        right = to_half_width(node.text)
        if right != node.text and right.isdecimal():
            cure = _("write `{right}`: full-width characters are read as text", right=right)
        elif not node.style and is_canonical_number(node.text):
            cure = _("write a whole number; fractions need the type `number` instead of `int`")
        else:
            cure = _suggest_number(node, is_whole=True) or _("write a whole number without quotes or leading zeros")
    elif isinstance(type_, t.NumberType):
        cure = _suggest_number(node) or _('write a whole number or a fraction like "1/2", "1 1/2" or "1.5"')
    elif isinstance(type_, t.SetType | t.ListType):
        cure = _("write a list: `[a, b]`")
    message = _("found {found}, expected {words}", found=describe(node), words=_describe_type(type_))
    ctx.sink.add_error("wrong-type", message, node.span, help=cure)
    return FAULT


def _suggest_number(node: Node, *, is_whole: bool = False) -> Message:
    """Return a hint with the right spelling of the number that a value probably means.

    Returns '' if it means no number, or if the number must be whole and is not.
    """
    suggestion = guess_number(node.text) if isinstance(node, ScalarNode) else None
    if (
        suggestion is None
        or not isinstance(node, ScalarNode)
        or (is_whole and not isinstance(parse_number(suggestion), int))
    ):
        return Message("")
    if is_same_number(node.text, suggestion) or is_same_number(node.text.replace(",", "."), suggestion):
        return _("write it as `{right}`", right=suggestion)
    return _("write only the number: `{right}`", right=suggestion)


def _describe_type(type_: t.Type) -> str:
    match type_:
        case t.IntType():
            return _("a whole number")
        case t.NumberType():
            return _("a number")
        case t.FlagType():
            return _("`true` or `false`")
        case t.ThingType():
            return _("a {word}", word=get_noun(str(type_)))
        case t.RungType():
            return _("a rung of `{ladder}`", ladder=type_)
    return (
        _("a {word}", word=t.describe_type(type_))
        if isinstance(type_, t.SetType | t.ListType)
        else t.describe_type(type_)
    )


def read_attribute_value(node: Node, attribute: Attribute, ctx: BuildContext) -> Value:
    """Return a value for an attribute; report one outside its `low` and `high`."""
    value = read_value(node, attribute.type, ctx)
    if value is FAULT or value is None or isinstance(value, bool) or not isinstance(value, int | Fraction):
        return value
    if not isinstance(attribute.type, t.IntType | t.NumberType):
        return value
    low, high = attribute.low, attribute.high
    if (low is not None and value < low) or (high is not None and value > high):
        bounds = (
            _("at most {high}", high=high)
            if low is None
            else _("at least {low}", low=low)
            if high is None
            else _("{low} to {high}", low=low, high=high)
        )
        message = _("`{name}` is {value}, expected {bounds}", name=attribute.name, value=value, bounds=bounds)
        cure = _("change the value, or `low` and `high` of the attribute")
        ctx.sink.add_error("out-of-range", message, node.span, help=cure)
    return value
