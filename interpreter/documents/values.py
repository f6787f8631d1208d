"""Reads a value of a given type from a node: names become handles, fractions exact.

Must not decide where values are needed or what stands for a missing one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from interpreter.documents.context import Context
from interpreter.documents.tree import Listing, Node, Scalar, describe, is_null
from interpreter.model import types as t
from interpreter.model.ruleset import Attribute, Value
from interpreter.source.suggestion import did_you_mean

FAULT: Final[Any] = object()  # stands for a value whose fault was reported
_HAVE_CODES = ("side", "seat", "place", "edge", "piece", "word", "direction", "rung")
_FRACTION = re.compile(r"-?[0-9]{1,9}/[0-9]{1,9}|-?[0-9]{1,9}(\.[0-9]{1,9})?", re.ASCII)


def read_fraction(text: str) -> int | Fraction | None:
    """`3`, `-1/2` or `1.5` as an exact number; None for anything else."""
    if not _FRACTION.fullmatch(text) or text.split("/")[-1].strip("0") == "" and "/" in text:
        return None
    number = Fraction(text)
    return int(number) if number.denominator == 1 else number


def read_value(node: Node, type: t.Type, ctx: Context) -> Value:
    """The value a node states, or `FAULT` (reported)."""
    match type:
        case t.Maybe(item=item):
            return None if is_null(node) else read_value(node, item, ctx)
        case t.SetOf(item=item) | t.ListOf(item=item):
            return _collection(node, type, item or t.NEVER, ctx)
        case t.Never():
            return FAULT
    if not isinstance(node, Scalar) or node.value is None:
        return _wrong(node, type, ctx)
    return _single(node, type, ctx)


def _single(node: Scalar, type: t.Type, ctx: Context) -> Value:
    value = node.value
    match type:
        case t.Int():
            return (
                value if isinstance(value, int) and not isinstance(value, bool) else _wrong(node, type, ctx)
            )
        case t.Number():
            number = read_fraction(node.text)
            return number if number is not None else _wrong(node, type, ctx)
        case t.Flag():
            return value if isinstance(value, bool) else _wrong(node, type, ctx)
        case t.Text():
            return node.text
        case t.OneOf(values=words):
            return _word(node, "word", {w: w for w in words}, ctx)
        case t.Direction():
            plan = ctx.names.grid
            return _word(node, "direction", {d: d for d in (plan.directions if plan else ())}, ctx)
        case t.Rung(ladder=ladder):
            return _word(node, f"rung of `{ladder}`", ctx.names.rungs.get(ladder, {}), ctx)
        case t.ThingOf():
            return read_thing(node, type, ctx)
    return _wrong(node, type, ctx)


def read_thing(node: Scalar, type: t.ThingOf, ctx: Context) -> Value:
    """The handle of the thing a word names, or `FAULT` (reported)."""
    return _word(node, type.kind, ctx.names.handles.get(type.kind, {}), ctx)


def _word(node: Scalar, what: str, known: Mapping[str, Any], ctx: Context) -> Value:
    if node.text in known:
        return known[node.text]
    word = what.split()[0]
    code = f"unknown-{word if word in _HAVE_CODES else 'thing'}"
    ctx.sink.error(
        code,
        f"there is no {what} `{node.text}`",
        node.span,
        help=did_you_mean(node.text, known) or "look at its spelling, or add it",
    )
    return FAULT


def _collection(node: Node, type: t.Type, item: t.Type, ctx: Context) -> Value:
    if not isinstance(node, Listing):
        return _wrong(node, type, ctx)
    values = []
    for part in node.items:
        value = read_value(part, item, ctx)
        if isinstance(type, t.SetOf) and value is not FAULT and value in values:
            ctx.sink.error(
                "repeated-value",
                "the value stands in the set more than once",
                part.span,
                help="keep one of them",
            )
        else:
            values.append(value)
    if any(v is FAULT for v in values):
        return FAULT
    return (
        tuple(sorted(values, key=lambda v: _order(v, item))) if isinstance(type, t.SetOf) else tuple(values)
    )


def _order(value: Value, type: t.Type) -> Any:
    """Canonical order in sets, the same that play uses: by size, words by alphabet."""
    if isinstance(type, t.Maybe):
        return (value is not None, _order(value, type.item) if value is not None else 0)
    return value


def _wrong(node: Node, type: t.Type, ctx: Context) -> Value:
    help = ""
    if isinstance(type, t.Flag):
        help = "write `true` or `false`"
    elif isinstance(type, t.Int) and isinstance(node, Scalar) and isinstance(node.value, str):
        help = "write a whole number without quotes or leading zeros"
    elif isinstance(type, t.Number):
        help = 'write a whole number or a fraction like "1/2" or "1.5"'
    elif isinstance(type, t.SetOf | t.ListOf):
        help = "write a list: `[a, b]`"
    ctx.sink.error("wrong-type", f"found {describe(node)}, expected {_words(type)}", node.span, help=help)
    return FAULT


def _words(type: t.Type) -> str:
    match type:
        case t.Int():
            return "a whole number"
        case t.Number():
            return "a number"
        case t.Flag():
            return "`true` or `false`"
        case t.ThingOf():
            return f"a {type}"
        case t.Rung():
            return f"a rung of `{type}`"
    return f"a {type}" if isinstance(type, t.SetOf | t.ListOf) else str(type)


def read_attribute_value(node: Node, attribute: Attribute, ctx: Context) -> Value:
    """A value for an attribute, held to its `low` and `high`."""
    value = read_value(node, attribute.type, ctx)
    if value is FAULT or value is None or isinstance(value, bool) or not isinstance(value, int | Fraction):
        return value
    if not isinstance(attribute.type, t.Int | t.Number):
        return value
    low, high = attribute.low, attribute.high
    if (low is not None and value < low) or (high is not None and value > high):
        bounds = " and ".join(
            ([f"at least {low}"] if low is not None else [])
            + ([f"at most {high}"] if high is not None else [])
        )
        ctx.sink.error(
            "out-of-range",
            f"`{attribute.name}` is {value}, expected {bounds}",
            node.span,
            help="change the value, or the attribute's `low` and `high`",
        )
    return value
