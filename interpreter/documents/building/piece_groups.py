"""Groups of interchangeable pieces in a setup, checked against the number of pieces available.

A group says how many pieces of a class have which values at each place, nested in the order of the class's counters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.documents.building.piece_builder import Stock
from interpreter.documents.reading.tree import MappingEntry, MappingNode, ScalarNode, SequenceNode, describe
from interpreter.documents.values.context import BuildContext
from interpreter.documents.values.typed_values import FAULT, read_attribute_value
from interpreter.i18n.translator import mark as _
from interpreter.model.ruleset import Attribute, PieceClass, Value


@dataclass(frozen=True, slots=True)
class SetupGroup:
    """A group of `count` pieces of class `cls` with these values at `place`."""

    place: int
    cls: str
    values: tuple[tuple[str, Value], ...]
    count: int
    span: Span


def read_groups(place: int, tree: MappingNode, stock: Stock, ctx: BuildContext) -> list[SetupGroup]:
    """Return all groups at one place."""
    groups: list[SetupGroup] = []
    for entry in tree:
        cls = _find_class(entry, stock, ctx)
        if cls is None:
            continue
        is_class = entry.key.text == cls.id
        entry_groups = _read_within(entry, cls, (), stock, ctx) if is_class else _read_below(entry, cls, (), stock, ctx)
        groups += [SetupGroup(place, cls.id, group.values, group.number, group.span) for group in entry_groups]
    return groups


def _find_class(entry: MappingEntry, stock: Stock, ctx: BuildContext) -> PieceClass | None:
    """Return the class that a top-level key names, or else the class whose first counter can have it as a value.

    Returns None if no class matches, or several do (reported).
    """
    alike = [c for c in stock.classes.values() if c.alike]
    for cls in alike:
        if entry.key.text == cls.id:
            return cls
    fitting = [c for c in alike if c.counters and _is_value_of(entry.key, stock.attributes[c.id][c.counters[0]], ctx)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        names = ", ".join(f"`{c.id}`" for c in fitting)
        message = _("`{key}` could be pieces of the classes {names}", key=entry.key.text, names=names)
        cure = _("write the class first: `{{{id}: {{...}}}}`", id=fitting[0].id)
        ctx.sink.add_error("ambiguous-group", message, entry.key.span, help=cure)
        return None
    words = [w for c in alike if c.counters for w in _list_words(stock.attributes[c.id][c.counters[0]], ctx)]
    ctx.sink.add_error(
        "unknown-group",
        _("no class of identical pieces has groups with the name `{key}`", key=entry.key.text),
        entry.key.span,
        help=did_you_mean(entry.key.text, [*words, *(c.id for c in alike)])
        or _("list single pieces by id: `[first, second]`"),
    )
    return None


def _is_value_of(key: ScalarNode, attribute: Attribute, ctx: BuildContext) -> bool:
    silent_context = BuildContext(ctx.kinds, ctx.names, ctx.languages, Sink())
    return read_attribute_value(key, attribute, silent_context) is not FAULT


def _list_words(attribute: Attribute, ctx: BuildContext) -> list[str]:
    kind, ladder = getattr(attribute.type, "kind", ""), getattr(attribute.type, "ladder", "")
    return [*ctx.names.handles.get(kind, {}), *ctx.names.rungs.get(ladder, {}), *getattr(attribute.type, "values", ())]


_Values = tuple[tuple[str, Value], ...]


class _CountedGroup(NamedTuple):
    """A number of pieces with these values, and the span that states the number."""

    values: _Values
    number: int
    span: Span


def _read_below(
    entry: MappingEntry, cls: PieceClass, values: _Values, stock: Stock, ctx: BuildContext
) -> Iterator[_CountedGroup]:
    """Yield the groups under `entry`, whose key is a value of the next counter.

    `values`: the values of the counters above. Errors are reported.
    """
    if len(values) == len(cls.counters):
        message = _("found {found}, expected a number of pieces", found=describe(entry.key))
        cure = _("nest the groups of `{cls}` by {more}", cls=cls.id, more=", then ".join(cls.counters) or _("nothing"))
        ctx.sink.add_error("wrong-type", message, entry.key.span, help=cure)
        return
    attribute = stock.attributes[cls.id][cls.counters[len(values)]]
    value = read_attribute_value(entry.key, attribute, ctx)
    if value is not FAULT:
        yield from _read_within(entry, cls, (*values, (attribute.name, value)), stock, ctx)


def _read_within(
    entry: MappingEntry, cls: PieceClass, values: _Values, stock: Stock, ctx: BuildContext
) -> Iterator[_CountedGroup]:
    """Yield the groups in the value of `entry`: a number of pieces, or a mapping by the values of the next counter.

    `values`: the values of the counters so far. Errors are reported.
    """
    node = entry.value
    if isinstance(node, MappingNode):
        for inner in node:
            yield from _read_below(inner, cls, values, stock, ctx)
        return
    if isinstance(node, ScalarNode) and type(node.value) is int and node.value >= 0:
        yield _CountedGroup(values, node.value, node.span)
        return
    message = _("found {found}, expected a number of pieces", found=describe(node))
    cure = _("write a whole number, 0 or more")
    ctx.sink.add_error(
        "wrong-type", message, entry.key.span if isinstance(node, SequenceNode) else node.span, help=cure
    )


def check_stock(
    groups: Sequence[SetupGroup], placed: Collection[int], stock: Stock, scenario: str, ctx: BuildContext
) -> set[int]:
    """Assign pieces to the groups, the groups with the most constant values first; report groups that are too large.

    `placed`: the handles of the pieces that are placed by name. Returns the handles of all pieces used.
    """
    free: dict[str, list[int]] = {}
    for handle, piece in enumerate(stock.pieces.things):
        if handle not in placed:
            free.setdefault(piece.cls or "", []).append(handle)
    used = set(placed)
    for group in sorted(groups, key=lambda g: -len(_get_constants(g, stock))):
        constants = _get_constants(group, stock)
        fitting = [
            h for h in free.get(group.cls, ()) if all(stock.pieces.things[h].values.get(a) == v for a, v in constants)
        ]
        if len(fitting) < group.count:
            message = _(
                "the scenario `{scenario}` needs {count} pieces here, but only {number} of them are left",
                scenario=scenario,
                count=group.count,
                number=len(fitting),
            )
            cure = _("reduce the number, or raise the `count` of the pieces")
            ctx.sink.add_error("too-many-pieces", message, group.span, help=cure)
            continue
        reserved = set(fitting[: group.count])
        used |= reserved
        free[group.cls] = [h for h in free.get(group.cls, ()) if h not in reserved]
    return used


def _get_constants(group: SetupGroup, stock: Stock) -> tuple[tuple[str, Value], ...]:
    return tuple((a, v) for a, v in group.values if not stock.attributes[group.cls][a].changes)
