"""Lists changes of data: cells of tables, values, attributes of things and their bounds.

Each gets one other value that its type allows. What no rule can read is left alone. Must not know the rules' syntax
beyond the words in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace
from fractions import Fraction
from typing import Any

from interpreter.model import types as t
from interpreter.model.ruleset import Attribute, Kind, Ruleset, Table
from interpreter.source.text import Span
from interpreter.tools.handbook.value_words import document_text, value_data
from interpreter.tools.mutation.changes import Change
from interpreter.tools.mutation.reading import Attributes

SAME = object()  # there is no other value


def changes_of_data(ruleset: Ruleset, words: Set[str], read: Attributes) -> Iterator[Change]:
    """Every change of the data, table by table, then values, then things; `words` are those that the rules hold, `read`
    the attributes that play reads."""
    for table in ruleset.tables.values():
        yield from _cells(table, ruleset)
    for name, constant in ruleset.constants.items():
        new = other_value(constant.value, constant.type, ruleset)
        if new is not SAME and name in words:
            yield Change(
                "data",
                "value",
                f"value `{name}`: {_became(constant.value, new, constant.type, ruleset)}",
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
                for change in _attribute(kind, attribute, attribute.name in counters, ruleset):
                    yield replace(change, lines_read=lines)
    for name, attribute in ruleset.game.items():
        if name in words:
            yield from _bounds(attribute, ("game", name), f"game value `{name}`")


def other_value(value: Any, type: t.Type, ruleset: Ruleset) -> Any:
    """Another value of the type, always the same one for the same value; SAME where none is at hand."""
    match type:
        case t.Flag() if isinstance(value, bool):
            return not value
        case t.Int() if _is_number(value):
            return value + 1
        case t.Number() if _is_number(value):
            return value + 1
        case t.ThingOf(kind=kind) if isinstance(value, int) and kind in ruleset.kinds:
            return _next(value, len(ruleset.kinds[kind].things))
        case t.Rung(ladder=ladder) if isinstance(value, int):
            rungs = len(ruleset.ladders[ladder].rungs)
            return value + 1 if value + 1 < rungs else value - 1 if value > 0 else SAME
        case t.OneOf(values=values) if value in values and len(values) > 1:
            return values[(values.index(value) + 1) % len(values)]
        case t.Maybe() if value is not None:
            return None
        case t.SetOf() | t.ListOf() if isinstance(value, tuple) and value:
            return value[1:]
    return SAME


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _next(value: int, count: int) -> Any:
    return (value + 1) % count if count > 1 else SAME


def _cells(table: Table, ruleset: Ruleset) -> Iterator[Change]:
    """Each cell gets what stands in another one: the next different value of the table, or a number one higher."""
    row = list(dict.fromkeys(table.cells.values()))
    for at, value in table.cells.items():
        span = table.cell_spans.get(at)
        if span is None:
            continue
        new = other_value(value, table.type, ruleset)
        if new is SAME and len(row) > 1:
            new = row[(row.index(value) + 1) % len(row)]
        if new is SAME:
            continue
        labels = ", ".join(axis.labels[n] for axis, n in zip(table.axes, at, strict=True))
        yield Change(
            "data",
            "table cell",
            f"table `{table.id}`, {labels}: " + _became(value, new, table.type, ruleset),
            span,
            ("tables", table.id, "cells", at),
            new,
            cell=(table.id, at),
        )


def _attribute(kind: Kind, attribute: Attribute, everywhere: bool, ruleset: Ruleset) -> Iterator[Change]:
    """Each value that is written once is changed once, for all that share it: an entry with a `count`, a default."""
    name = attribute.name
    led = (name, *(x.name for x in kind.attributes.values() if x.top == name))  # what is read where this bounds it
    yield from _bounds(attribute, ("kinds", kind.id, "attributes", name), f"{kind.one} attribute `{name}`")
    for numbers, value, span in _written_once(kind, attribute, ruleset):
        new = _within(attribute, other_value(value, attribute.type, ruleset), value)
        if new is SAME:
            continue
        chosen = frozenset(numbers)
        things = tuple(
            replace(x, values={**x.values, name: new}) if n in chosen else x for n, x in enumerate(kind.things)
        )
        first = kind.things[numbers[0]].id
        what = (
            f"{kind.one} attribute `{name}`, default"
            if span is attribute.origin.span
            else (
                f"{kind.one} `{first}`, {name}"
                if len(numbers) == 1
                else f"{kind.one} `{first}` and {len(numbers) - 1} alike, {name}"
            )
        )
        yield Change(
            "data",
            "attribute",
            f"{what}: {_became(value, new, attribute.type, ruleset)}",
            span,
            ("kinds", kind.id, "things"),
            things,
            names=led,
            everywhere=everywhere,
            ids=tuple(kind.things[n].id for n in numbers),
        )


def _written_once(kind: Kind, attribute: Attribute, ruleset: Ruleset) -> Iterator[tuple[list[int], Any, Span]]:
    """The things that take a value from one place in the documents, the value, and that place."""
    found: dict[Span, list[int]] = {}
    for n, thing in enumerate(kind.things):
        if attribute.name not in thing.values or (
            thing.cls and attribute.name not in ruleset.classes[thing.cls].attributes
        ):
            continue
        is_default = attribute.has_default and thing.values[attribute.name] == attribute.default
        found.setdefault(attribute.origin.span if is_default else thing.origin.span, []).append(n)
    for span, numbers in found.items():
        for value in dict.fromkeys(kind.things[n].values[attribute.name] for n in numbers):
            yield [n for n in numbers if kind.things[n].values[attribute.name] == value], value, span


def _within(attribute: Attribute, new: Any, value: Any) -> Any:
    """The new value, or one less than the old one where it would be above the bound."""
    if new is not SAME and _is_number(new) and attribute.high is not None and new > attribute.high:
        low = attribute.low
        return value - 1 if low is None or value - 1 >= low else SAME
    return new


def _bounds(attribute: Attribute, path: tuple[str, ...], what: str) -> Iterator[Change]:
    """The bounds that play keeps to."""
    for end, step in (("low", -1), ("high", 1)):
        bound = getattr(attribute, end)
        if bound is not None and attribute.changes:
            yield Change(
                "data",
                "bound",
                f"{what}, {end}: {bound} became {bound + step}",
                attribute.origin.span,
                (*path, end),
                bound + step,
                names=(attribute.name,),
            )


def _became(value: Any, new: Any, type: t.Type, ruleset: Ruleset) -> str:
    return f"`{_written(value, type, ruleset)}` became `{_written(new, type, ruleset)}`"


def _written(value: Any, type: t.Type, ruleset: Ruleset) -> str:
    return document_text(value_data(value, type, ruleset))
