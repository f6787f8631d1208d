"""List mutations of data: table cells, values, attributes of things and their bounds.

Each datum is changed to one other value of its type. Data that no rule can read are skipped. Reads no rules, only the
set of words in them.

Attributes that only views, texts and the evaluation read are skipped too: no case could notice a change of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeGuard

from interpreter.diagnostics.record_walk import iter_records
from interpreter.diagnostics.source_text import Span
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.checked_model import CheckedModel
from interpreter.model.ruleset import Attribute, Kind, Ruleset, Table
from interpreter.tools.describe.value_format import format_value_text
from interpreter.tools.mutation.case_trace import Line, freeze_sets
from interpreter.tools.mutation.mutation import Mutation

SAME = object()  # sentinel: the type has no other value
_Attributes = Mapping[tuple[str, str], frozenset[Line]]
_OF_PLAY = "procedures defines rules tallies drafts events watchers conditions levels score".split()


def iter_data_mutations(ruleset: Ruleset, words: Set[str], read: _Attributes) -> Iterator[Mutation]:
    """Yield every mutation of the data, by table, then values, then things.

    `words`: all words in the rules; `read`: the lines that read or write each attribute in play, by kind and name.
    """
    for table in ruleset.tables.values():
        yield from _iter_cell_mutations(table, ruleset)
    for name, constant in ruleset.constants.items():
        new = choose_other_value(constant.value, constant.type, ruleset)
        if new is not SAME and name in words:
            yield Mutation(
                "data",
                "value",
                f"value `{name}`: {_describe_change(constant.value, new, constant.type, ruleset)}",
                constant.origin.span,
                ("constants", name, "value"),
                new,
                names=(name,),
            )
    counters = {name for cls in ruleset.classes.values() for name in cls.counters}
    for kind in ruleset.kinds.values():
        for attribute in kind.attributes.values():
            led = {attribute.name, *(x.name for x in kind.attributes.values() if x.top == attribute.name)}
            lines = frozenset(line for name in led for line in read.get((kind.id, name), ()))
            if lines or attribute.name in counters:
                for change in _iter_attribute_mutations(kind, attribute, attribute.name in counters, ruleset):
                    yield replace(change, lines_read=lines)
    for name, attribute in ruleset.game.items():
        if name in words:
            yield from _iter_bound_mutations(attribute, ("game", name), f"game value `{name}`")


def choose_other_value(value: object, type: t.Type, ruleset: Ruleset) -> object:
    """Return another value of the type, chosen deterministically, or SAME if the type has only one."""
    match type:
        case t.FlagType() if isinstance(value, bool):
            return not value
        case t.IntType() | t.NumberType() if _is_number(value):
            return value + 1
        case t.ThingType(kind=kind) if isinstance(value, int) and kind in ruleset.kinds:
            count = len(ruleset.kinds[kind].things)
            return (value + 1) % count if count > 1 else SAME
        case t.RungType(ladder=ladder) if isinstance(value, int):
            rungs = len(ruleset.ladders[ladder].rungs)
            return value + 1 if value + 1 < rungs else value - 1 if value > 0 else SAME
        case t.OneOfType(values=values) if value in values and len(values) > 1:
            return values[(values.index(value) + 1) % len(values)]
        case t.MaybeType() if value is not None:
            return None
        case t.SetType() | t.ListType() if isinstance(value, tuple) and value:
            return value[1:]
    return SAME


def _is_number(value: object) -> TypeGuard[int | Fraction]:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _iter_cell_mutations(table: Table, ruleset: Ruleset) -> Iterator[Mutation]:
    """Yield a mutation for each cell: the next different value of the table, or a number one higher."""
    row = list(dict.fromkeys(table.cells.values()))
    for index, value in table.cells.items():
        span = table.cell_spans.get(index)
        if span is None:
            continue
        new = choose_other_value(value, table.type, ruleset)
        if new is SAME and len(row) > 1:
            new = row[(row.index(value) + 1) % len(row)]
        if new is SAME:
            continue
        labels = ", ".join(axis.labels[n] for axis, n in zip(table.axes, index, strict=True))
        yield Mutation(
            "data",
            "table cell",
            f"table `{table.id}`, {labels}: " + _describe_change(value, new, table.type, ruleset),
            span,
            ("tables", table.id, "cells", index),
            new,
            cell=(table.id, index),
        )


def _iter_attribute_mutations(
    kind: Kind, attribute: Attribute, everywhere: bool, ruleset: Ruleset
) -> Iterator[Mutation]:
    """Yield mutations of an attribute's bounds, and one for each value written once, such as an entry or a default.

    `everywhere`: any case may notice a change of the attribute.
    """
    name = attribute.name
    # attributes bounded by this one may be read instead of it
    led = (name, *(x.name for x in kind.attributes.values() if x.top == name))
    yield from _iter_bound_mutations(
        attribute, ("kinds", kind.id, "attributes", name), f"{kind.one} attribute `{name}`"
    )
    for numbers, value, span in _iter_written_values(kind, attribute, ruleset):
        new = _clamp_value(attribute, choose_other_value(value, attribute.type, ruleset), value)
        if new is SAME:
            continue
        members = frozenset(numbers)
        things = tuple(
            replace(x, values={**x.values, name: new}) if n in members else x for n, x in enumerate(kind.things)
        )
        first, alike = kind.things[numbers[0]].id, f" and {len(numbers) - 1} alike" if len(numbers) > 1 else ""
        is_default = span is attribute.origin.span
        description = (
            f"{kind.one} attribute `{name}`, default" if is_default else f"{kind.one} `{first}`{alike}, {name}"
        )
        yield Mutation(
            "data",
            "attribute",
            f"{description}: {_describe_change(value, new, attribute.type, ruleset)}",
            span,
            ("kinds", kind.id, "things"),
            things,
            names=led,
            everywhere=everywhere,
            ids=tuple(kind.things[number].id for number in numbers),
        )


def _iter_written_values(kind: Kind, attribute: Attribute, ruleset: Ruleset) -> Iterator[tuple[list[int], Any, Span]]:
    """Yield (indices of the things that have the value, value, span) for each value written in one place."""
    numbers_by_span: dict[Span, list[int]] = {}
    for number, thing in enumerate(kind.things):
        if attribute.name not in thing.values or (
            thing.cls and attribute.name not in ruleset.classes[thing.cls].attributes
        ):
            continue
        is_default = attribute.has_default and thing.values[attribute.name] == attribute.default
        numbers_by_span.setdefault(attribute.origin.span if is_default else thing.origin.span, []).append(number)
    for span, numbers in numbers_by_span.items():
        for value in dict.fromkeys(kind.things[number].values[attribute.name] for number in numbers):
            yield [number for number in numbers if kind.things[number].values[attribute.name] == value], value, span


def _clamp_value(attribute: Attribute, new: object, value: Any) -> object:  # noqa: ANN401 - of the attribute's type
    """Return `new`, or `value` less one if `new` exceeds the attribute's upper bound; SAME if neither is valid."""
    if new is not SAME and _is_number(new) and attribute.high is not None and new > attribute.high:
        low = attribute.low
        return value - 1 if low is None or value - 1 >= low else SAME
    return new


def _iter_bound_mutations(attribute: Attribute, path: tuple[str, ...], description: str) -> Iterator[Mutation]:
    """Yield mutations that widen an attribute's bounds by one, if play can change the attribute.

    `path`: the keys that lead to the attribute; `description`: its description.
    """
    for end, step in (("low", -1), ("high", 1)):
        bound = getattr(attribute, end)
        if bound is not None and attribute.changes:
            yield Mutation(
                "data",
                "bound",
                f"{description}, {end}: {bound} became {bound + step}",
                attribute.origin.span,
                (*path, end),
                bound + step,
                names=(attribute.name,),
            )


def _describe_change(value: object, new: object, type: t.Type, ruleset: Ruleset) -> str:
    return f"`{format_value_text(value, type, ruleset)}` became `{format_value_text(new, type, ruleset)}`"


def find_play_attributes(model: CheckedModel) -> _Attributes:
    """Return the lines that read or write each attribute in play, by kind and name."""
    lines_of_attributes: dict[tuple[str, str], set[Line]] = {}
    for kind, name, span in (x for part in _OF_PLAY for x in _iter_attribute_uses(getattr(model, part))):
        lines_of_attributes.setdefault((kind, name), set()).update(
            (span.file, line) for line in range(span.line, span.last_line + 1)
        )
    return freeze_sets(lines_of_attributes)


def _iter_attribute_uses(root: object) -> Iterator[tuple[str, str, Span]]:
    for node in iter_records(root, skipped_fields=("type",)):
        if isinstance(node, n.AttributeOf | n.CanAdvance | c.SetAttribute | c.StepRung):
            yield node.kind, node.name, node.span
