"""Hints for functions, attributes and habits from other programming languages."""

from __future__ import annotations

from interpreter.checker.scope import RulesScope
from interpreter.diagnostics.source_text import Span
from interpreter.i18n.translator import Message, mark as _
from interpreter.language import syntax as s
from interpreter.model import expressions as n, types as t

_COUNTING = ("len", "length", "size", "number", "cardinality", "count_of")
_FUNCTIONS = {
    **dict.fromkeys(_COUNTING, "count(x in ... where ...)"),
    "distance": "distance from a to b",
    "path": "path from a to b",
    **dict.fromkeys(("adjacent", "is_adjacent", "neighbour", "neighbor", "touches"), "linked(a, b)"),
    **dict.fromkeys(("neighbors", "adjacents"), "neighbours(a)"),
    "range": "1..3",
    **dict.fromkeys(("int", "floor", "trunc"), "round_down(...)"),
    **dict.fromkeys(("ceil", "ceiling"), "round_up(...)"),
    "round": "round_near(...)",
    **dict.fromkeys(("mod", "modulo"), "remainder(a, b)"),
    **dict.fromkeys(("contains", "has", "includes"), "x in ..."),
    **dict.fromkeys(("exists", "some"), "some x in ... where ..."),
    **dict.fromkeys(("any", "all"), "any x in ... where ..., every x in ... satisfies ..."),
    **dict.fromkeys(("filter", "select"), "{x in ... where ...}"),
    "not_": "not ...",
}
_CHANCE = ("random", "rand", "randint", "roll", "dice", "throw", "d4", "d6", "d8", "d10", "d12", "d20", "d100")
_PLACES = ("location", "place", "hex", "position", "pos", "space", "area", "where")


def suggest_function(name: str) -> Message:
    """Suggest the rules language's form of a function known from another language, or return ''."""
    if name in _CHANCE:
        return _("dice are rolled by a statement of their own: `{right}`", right="roll NAME: die -> result")
    if name in _FUNCTIONS:
        return _("write `{right}`", right=_FUNCTIONS[name])
    return Message("")


def suggest_attribute(owner: t.Type, name: str, text: str) -> Message:
    """Suggest a replacement for an attribute that the type `owner` of `text` does not have, or return ''."""
    if isinstance(owner, t.SetType | t.ListType) and name in ("count", *_COUNTING):
        return _("write `{right}`", right=f"count({text})")
    if isinstance(owner, t.ThingType) and owner.kind == "piece" and name in _PLACES:
        return _("the place of a piece is `{right}`", right=f"{text}.at")
    return Message("")


def suggest_conversion(expression: n.Core, expected: t.Type) -> Message:
    """Suggest an expression that converts `expression` to the type `expected`, or return ''."""
    expected = t.strip_maybe(expected)
    text = _get_source_text(expression.span)
    match expression.type, expected:
        case t.ThingType(kind="side"), t.ThingType(kind="seat"):
            return _("the seat of a side is `{right}`", right=f"{text}.seat")
        case t.ThingType(kind="piece"), t.ThingType(kind="place"):
            return _("the place of a piece is `{right}`", right=f"{text}.at")
    return Message("")


def suggest_set(names: RulesScope, expression: n.Core) -> Message:
    """Return a hint naming the set that was probably meant where a value that is not a set is iterated, or ''."""
    pieces = next((cls.many for cls in names.ruleset.classes.values()), names.ruleset.kinds["piece"].many)
    text = _get_source_text(expression.span)
    match expression.type:
        case t.ThingType(kind="place"):
            return _("the pieces at a place are `{right}`", right=f"{pieces} at {text}")
        case t.ThingType():
            return _("write the set: `{right}`", right=f"{{x in {pieces} where ... == {text}}}")
        case t.IntType() | t.NumberType():
            return _("a range of numbers is written with two dots: `{right}`", right=f"1..{text}")
    return Message("")


def suggest_alternatives(node: s.LogicExpr, index: int) -> Message:
    """Return a suggestion for `a == b or c`, where a comparison is expected instead of `c`, or ''.

    `index`: the position in `node.items` of the operand that is a value instead of a comparison.
    """
    before = node.items[index - 1] if index > 0 else None
    if not isinstance(before, s.BinaryExpr) or before.op not in ("==", "!="):
        return Message("")
    owner, value, second_value = (
        _get_source_text(before.left.span),
        _get_source_text(before.right.span),
        _get_source_text(node.items[index].span),
    )
    if before.op == "==" and node.op == "or":
        return _("write `{right}`", right=f"{owner} in {{{value}, {second_value}}}")
    return _("write `{right}`", right=f"{owner} {before.op} {value} {node.op} {owner} {before.op} {second_value}")


def get_source_text(core: n.Core) -> str:
    """Return an expression as it was written."""
    return _get_source_text(core.span)


def _get_source_text(span: Span) -> str:
    return span.source.text[span.start : span.end]
