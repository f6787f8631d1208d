"""Reading of chart axes, and lookup of the row that a written key denotes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.plain_signs import to_keyboard_characters
from interpreter.documents.reading.tree import (
    MappingEntry,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    describe,
    get_entry_mapping,
)
from interpreter.documents.values.attributes import read_type
from interpreter.documents.values.context import BuildContext, read_label
from interpreter.documents.values.printed_forms import guess_band, guess_number, guess_ratio, is_same_number
from interpreter.i18n.number_format import parse_number
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.model.ruleset import Axis, Band, Label
from interpreter.model.types import to_display_type

MAX_RANGE = 10_000
MAX_LABEL = 80  # characters of a row's heading
_NUMBER = r"-?[0-9]+(?:/[0-9]+|\.[0-9]+)?"
_RANGE = re.compile(r"\s*(-?[0-9]+)\s*\.\.\s*(-?[0-9]+)\s*", re.ASCII)
_BAND = re.compile(
    rf"\s*(?P<above>above\s+)?(?P<low>{_NUMBER})?\s*(?P<dots>\.\.|to)?\s*(?P<high>{_NUMBER})?\s*", re.ASCII
)


@dataclass(frozen=True, slots=True)
class AxisPlan:
    """An axis with the parts of its entry that are read later, when the type of cells is known.

    `below` and `above`: the nodes that state what a value beyond the first or the last row gives; None if not stated.
    """

    axis: Axis
    below: Node | None
    above: Node | None


def read_axis(entry: MappingEntry, ctx: BuildContext) -> AxisPlan | None:
    """Return the axis that an entry of a chart's axes describes, or None if it is invalid (reported)."""
    tree = entry.value
    if isinstance(tree, ScalarNode):
        axis = _build_axis(entry.key.text, tree, None, ctx)
        return AxisPlan(axis, None, None) if axis else None
    if not isinstance(tree, MappingNode):
        return None
    axis = _read_described(entry.key.text, tree, ctx)
    if axis is None:
        return None
    for policy in ("below", "above"):
        if policy in tree and axis.sort == "keys" and not isinstance(axis.type, t.IntType):
            message = _("`{policy}` has no effect on an axis without numbers", policy=policy)
            ctx.sink.add_error("misplaced-key", message, tree.entries[policy].key.span, help=_("remove it"))
    return AxisPlan(replace(axis, headings=_read_headings(tree, axis, ctx)), tree.get("below"), tree.get("above"))


def read_numbered_axis(entry: MappingEntry) -> Axis | None:
    """Parse odds or bands from an entry; return None for any other axis. Reports nothing."""
    tree, sink = get_entry_mapping(entry), Sink()
    if (node := tree.get("ratio")) is not None:
        return _read_ratios(entry.key.text, node, "", sink)
    if (node := tree.get("bands")) is not None:
        return _read_bands(entry.key.text, node, sink)
    return None


def _read_headings(tree: MappingNode, axis: Axis, ctx: BuildContext) -> tuple[Label, ...]:
    """Return the printed heading of each row; () if the axis states none or their number is wrong (reported).

    The document lists them in row order or by row; duplicates are reported.
    """
    node = tree.get("headings")
    labels: list[Label] = [{}] * len(axis.keys)
    if isinstance(node, SequenceNode):
        if len(node.items) != len(axis.keys):
            message = _("{found} headings for {wanted} rows", found=len(node.items), wanted=len(axis.keys))
            cure = _("write one for each row, or only some of them as `{row}: ...`", row=axis.labels[0])
            ctx.sink.add_error("wrong-row-count", message, node.span, help=cure)
            return ()
        numbered_nodes = list(enumerate(node.items))
    elif isinstance(node, MappingNode):
        numbered_nodes = [(n, e.value) for e in node if (n := _find_row(axis, e.key, ctx)) is not None]
    else:
        return ()
    for n, words in numbered_nodes:
        labels[n] = read_label(words, ctx, "")
        _check_distinct_headings(axis, labels, n, words, ctx)
    return tuple(labels)


def _find_row(axis: Axis, key: ScalarNode, ctx: BuildContext) -> int | None:
    """Return the index of the row of an axis that a key names, or None (reported)."""
    index = find_row_index(axis, key.text)
    if index is None:
        suggestion = guess_row_index(axis, key.text)
        ctx.report_unknown("row", key.text, key.span, axis.labels if suggestion is None else (axis.labels[suggestion],))
    return index


def _check_distinct_headings(axis: Axis, labels: list[Label], number: int, node: Node, ctx: BuildContext) -> None:
    """Report the row `number` if another row has the same heading in one of the languages."""
    for language in ctx.languages:
        own = get_row_heading(axis.labels[number], labels[number], language)
        other_headings = [
            get_row_heading(axis.labels[n], labels[n], language) for n in range(len(labels)) if n != number
        ]
        if own in other_headings:
            message = _("two rows would have the same heading `{heading}`", heading=own)
            ctx.sink.add_error("repeated-value", message, node.span, help=_("give them different headings"))
            return


def get_row_heading(label: str, words: Label, language: str) -> str:
    """Return the printed heading of a row in a language; without `words` for it, in another language or else `label`.

    `label`: the canonical name of the row; `words`: its headings by language.
    """
    return words.get(language) or next(iter(words.values()), label)


def _create_axis(
    name: str, sort: str, type_: t.Type, keys: tuple[Any, ...], labels: tuple[str, ...], rounding: str = ""
) -> Axis:
    return Axis(name, sort, keys, labels, rounding=rounding, show=to_display_type(type_), type=type_)


def _read_described(name: str, tree: MappingNode, ctx: BuildContext) -> Axis | None:
    """Return the axis that a mapping describes, by the key that states its sort."""
    if (node := tree.get("one_of")) is not None:
        type_ = read_type(tree, ctx)
        return _create_axis(name, "keys", type_, type_.values, type_.values) if isinstance(type_, t.OneOfType) else None
    if (node := tree.get("range")) is not None:
        return _read_range(name, node, ctx)
    if (node := tree.get("bands")) is not None:
        return _read_bands(name, node, ctx.sink)
    if (node := tree.get("ratio")) is not None:
        return _read_ratios(name, node, tree.get_text("round"), ctx.sink)
    node = tree.get("of")
    return _build_axis(name, node, tree.get("only"), ctx) if isinstance(node, ScalarNode) else None


def _build_axis(name: str, word: ScalarNode, only: Node | None, ctx: BuildContext) -> Axis | None:
    """Return the axis of a die, a kind of things or a ladder, or None if `word` names none of them (reported)."""
    names = ctx.names
    if word.text in names.dice:
        faces = tuple(sorted(set(names.dice[word.text])))
        rows: dict[str, Any] = {str(f): f for f in faces}
        type_: t.Type = t.INT
    elif isinstance(kind := names.types.get(word.text), t.ThingType) and kind.cls is None and kind.kind != "piece":
        rows, type_ = dict(names.handles.get(kind.kind, {})), kind
    elif isinstance(rung := names.types.get(word.text), t.RungType):
        rows, type_ = dict(names.rungs.get(rung.ladder, {})), rung
    else:
        words = [*names.dice, *(w for w, k in names.types.items() if isinstance(k, t.RungType | t.ThingType))]
        ctx.report_unknown("axis", word.text, word.span, words)
        return None
    keys = _read_chosen(only, rows, ctx)
    values = tuple(rows[k] for k in keys)
    is_run = isinstance(type_, t.IntType) and values == tuple(range(values[0], values[-1] + 1)) if values else False
    return _create_axis(name, "range" if is_run else "keys", type_, values, tuple(keys))


def _read_chosen(only: Node | None, rows: dict[str, Any], ctx: BuildContext) -> list[str]:
    """Return the headings that `only` lists, all of `rows` without it; report unknown ones."""
    if not isinstance(only, SequenceNode):
        return list(rows)
    headings = []
    for node in only.items:
        text = node.text if isinstance(node, ScalarNode) else ""
        if text in rows:
            headings.append(text)
        else:
            ctx.report_unknown("row", text, node.span, rows)
    return list(dict.fromkeys(headings))


def _read_range(name: str, node: Node, ctx: BuildContext) -> Axis | None:
    match = _RANGE.fullmatch(node.text) if isinstance(node, ScalarNode) else None
    low, high = (int(match[1][:9]), int(match[2][:9])) if match else (1, 0)
    if not match or low > high or high - low > MAX_RANGE:
        message = _("{found} is not a range of whole numbers", found=describe(node))
        ctx.sink.add_error("bad-range", message, node.span, help=_("write the lowest and the highest: `0..20`"))
        return None
    keys = tuple(range(low, high + 1))
    return _create_axis(name, "range", t.INT, keys, tuple(str(k) for k in keys))


def _list_scalars(node: Node) -> list[ScalarNode]:
    return [i for i in node.items if isinstance(i, ScalarNode)] if isinstance(node, SequenceNode) else []


def _read_bands(name: str, node: Node, sink: Sink) -> Axis | None:
    """Return an axis of bands, or None if one of them is invalid or not adjacent to the band before (reported)."""
    items = _list_scalars(node)
    bands: list[Band] = []
    for item in items:
        band = read_band(item.text)
        if band is None:
            sink.add_error(
                "bad-range",
                _("`{item}` is not a range of numbers", item=item.text),
                item.span,
                help=_("write it as `{right}`", right=suggestion)
                if (suggestion := guess_band(item.text))
                else _("write `1..3`, `above 10 to 25`, `..5` or `6..`"),
            )
            return None
        bands.append(band)
    are_whole = all(
        b.includes_low and b.includes_high and all(n is None or isinstance(n, int) for n in (b.low, b.high))
        for b in bands
    )
    for item, before, band in zip(items[1:], bands, bands[1:], strict=False):
        if not _check_adjacent_bands(before, band, are_whole, item, sink):
            return None
    return (
        _create_axis(
            name,
            "bands",
            t.INT if are_whole else t.NUMBER,
            tuple(bands),
            tuple(" ".join(i.text.split()) for i in items),
        )
        if bands
        else None
    )


def read_band(text: str) -> Band | None:
    """Parse a band such as `1..3`, `above 10 to 25`, `..5`, `6..` or `7`; return None if the text is not one."""
    match = _BAND.fullmatch(text) if len(text) <= MAX_LABEL else None
    if not match or not (match["low"] or match["high"]):
        return None
    low = parse_number(match["low"]) if match["low"] else None
    high = parse_number(match["high"]) if match["high"] else None
    if (match["low"] and low is None) or (match["high"] and high is None):
        return None
    if not match["dots"]:
        if match["above"]:
            return Band(low, False, None, True) if match["high"] is None else None
        high = low if match["high"] is None else None
        if high is None:
            return None
    if match["above"] and low is None:
        return None
    if low is not None and high is not None and (low > high or (low == high and bool(match["above"]))):
        return None
    return Band(low, not match["above"], high, True)


def _check_adjacent_bands(before: Band, band: Band, are_whole: bool, item: ScalarNode, sink: Sink) -> bool:
    end, start, code = before.high, band.low, "band-overlap"
    if end is None or start is None:
        problem = _("`{band}` overlaps the previous band", band=item.text)
    elif start < end or (start == end and before.includes_high and band.includes_low):
        problem = _("`{band}` overlaps the previous band, or is out of order", band=item.text)
    elif start > (end + 1 if are_whole else end):
        code, problem = (
            "band-gap",
            _(
                "`{band}` leaves a gap: no band covers the numbers between {end} and {start}",
                band=item.text,
                end=end,
                start=start,
            ),
        )
    else:
        return True
    sink.add_error(code, problem, item.span, help=_("begin each band where the one before it ends"))
    return False


def _read_ratios(name: str, node: Node, rounding: str, sink: Sink) -> Axis | None:
    keys: list[Fraction] = []
    labels = []
    for item in _list_scalars(node):
        ratio = read_ratio(item.text)
        if ratio is None:
            _report_ratio(item, sink)
            return None
        if keys and ratio <= keys[-1]:
            message = _("`{item}` is not higher than the odds before it", item=item.text)
            sink.add_error(
                "rows-out-of-order", message, item.span, help=_("write the odds from the lowest to the highest")
            )
            return None
        keys.append(ratio)
        labels.append("-".join(str(int(part)) for part in re.split("[-:]", item.text)))
    return _create_axis(name, "ratio", t.NUMBER, tuple(keys), tuple(labels), rounding) if keys else None


def _report_ratio(item: ScalarNode, sink: Sink) -> None:
    """Report an item that is not odds, with the odds it probably means: `1.5-1` is 3-2."""
    suggestion = guess_ratio(item.text)
    if suggestion is None:
        cure = _("write odds as two whole numbers, such as `3-1`")
    elif suggestion[1]:
        cure = _(
            "write it as `{right}`; `above: clamp` beside the list makes higher odds use it too", right=suggestion[0]
        )
    else:
        cure = _("write it as `{right}`", right=suggestion[0])
    sink.add_error("bad-range", _("`{item}` is not odds", item=item.text), item.span, help=cure)


def read_ratio(text: str) -> Fraction | None:
    """Parse `3-1` or `3:1` as a fraction; return None if the text is not odds."""
    match = re.fullmatch(r"\s*([0-9]{1,6})\s*[-:]\s*([0-9]{1,6})\s*", text, re.ASCII)
    return Fraction(int(match[1]), int(match[2])) if match and int(match[2]) and int(match[1]) else None


def find_row_index(axis: Axis, text: str) -> int | None:
    """Return the index of the row that a written key denotes, or None."""
    if text in axis.labels:
        return axis.labels.index(text)
    if axis.sort == "bands":
        band = read_band(text)
        return axis.keys.index(band) if band in axis.keys else None
    if axis.sort == "ratio":
        ratio = read_ratio(text)
        return axis.keys.index(ratio) if ratio in axis.keys else None
    return None


def guess_row_index(axis: Axis, text: str) -> int | None:
    """Return the index of the row that a heading in a printed form denotes (`1.5-1`, `2-5`, `15+`, `+1`), or None."""
    if (index := find_row_index(axis, text)) is not None:
        return index
    match axis.sort:
        case "ratio":
            odds = guess_ratio(text)
            suggestion = odds[0] if odds else None
        case "bands":
            suggestion = guess_band(text)
        case _:
            suggestion = guess_number(text) if isinstance(axis.type, t.IntType) else None
            suggestion = suggestion if suggestion is not None and is_same_number(text, suggestion) else None
    return find_row_index(axis, suggestion or to_keyboard_characters(text))
