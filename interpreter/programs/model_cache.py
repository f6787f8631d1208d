"""Disk cache of checked rules, from which further forms of a program are compiled.

Keys come from `program_cache.compute_key`, which says what invalidates an entry.

The format is flat JSON: a row for each record, tuple, list and mapping, after the rows of its parts; a number in
brackets refers to a row. Rows name classes of the model only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple, TypeGuard

from interpreter.diagnostics import source_text
from interpreter.files import disk_cache
from interpreter.model import (
    answers,
    area_drawing,
    checked_model,
    drawing,
    expressions,
    learning,
    ruleset,
    statements,
    types,
)
from interpreter.model.checked_model import CheckedModel
from interpreter.model.learning import Glossary, Lesson

_PLAIN = (int, str, float, bool, type(None))


def _create_mapping(*flat: Any) -> dict[Any, Any]:
    return dict(zip(flat[::2], flat[1::2], strict=True))


def _is_named_tuple(found: type) -> TypeGuard[type[NamedTuple]]:
    return issubclass(found, tuple) and hasattr(found, "_fields")


_MODEL = (checked_model, statements, expressions, ruleset, types, answers, learning, drawing, area_drawing)
_RECORDS: dict[str, type] = {
    name: found
    for module in (*_MODEL, source_text)
    for name, found in sorted(vars(module).items())
    if isinstance(found, type) and (is_dataclass(found) or _is_named_tuple(found))
}
_FIELDS = {
    found: found._fields if _is_named_tuple(found) else tuple(f.name for f in fields(found) if f.init)
    for found in _RECORDS.values()
}


def _build_constructor(record_type: type) -> Callable[..., Any]:
    """Return a function that constructs a record from its field values, given in the order of its fields."""
    if is_dataclass(record_type) and any(f.kw_only for f in fields(record_type)):
        return lambda *parts: record_type(**dict(zip(_FIELDS[record_type], parts, strict=True)))
    return record_type


_MAKERS: dict[str, Callable[..., Any]] = {
    "tuple": lambda *members: members,
    "list": lambda *members: list(members),
    "dict": _create_mapping,
    "Fraction": Fraction,
    **{name: _build_constructor(record) for name, record in _RECORDS.items()},
}


class _ForeignValueError(Exception):
    """Raised for a value that is not part of checked rules."""


class _Writer:
    """Serializer of checked rules to rows, one for each distinct composite value.

    A row refers to the composite values in it by the index of their rows.
    """

    def __init__(self) -> None:
        self.rows: list[list[Any]] = []
        self._places: dict[
            int, tuple[list[int], Any]
        ] = {}  # by identity; with the value, so that no other value gets its identity

    def write(self, value: Any) -> Any:
        """Return how a row represents a value: a plain value itself, any other as a list with the index of its row.

        Raises RecursionError if it is nested too deeply.
        """
        if type(value) in _PLAIN:
            return value
        entry = self._places.get(id(value))
        if entry is None:
            sort = type(value).__name__
            row = [sort, *[self.write(part) for part in _list_parts(value)]]
            entry = self._places[id(value)] = ([len(self.rows)], value)
            self.rows.append(row)
        return entry[0]


def _list_parts(value: Any) -> Iterable[Any]:
    """Return the parts of a composite value, in constructor order."""
    sort = type(value)
    if sort in _FIELDS:
        return (getattr(value, name) for name in _FIELDS[sort])
    if sort is tuple or sort is list:
        return tuple(value)
    if sort is dict:
        return chain.from_iterable(value.items())
    if sort is Fraction:
        return (value.numerator, value.denominator)
    raise _ForeignValueError(sort.__name__)


def _read(rows: list[list[Any]]) -> Any:
    """Rebuild the value of the last row.

    A row holds a class name and its parts; a part that is a list holds the index of another row.
    """
    values: list[Any] = []
    for sort, *parts in rows:
        values.append(_MAKERS[sort](*[values[part[0]] if type(part) is list else part for part in parts]))
    return values[-1]


def store(key: str | None, model: CheckedModel) -> None:
    """Store the checked rules in the cache under a key, unless it is None or they are nested too deeply."""
    if key is None:
        return
    body = encode_model(model)
    if body is not None:
        disk_cache.store(disk_cache.Namespace.CHECKED, key, body)


def find(key: str | None) -> CheckedModel | None:
    """Return the checked rules cached under a key, or None if they are missing or unreadable."""
    body = None if key is None else disk_cache.find(disk_cache.Namespace.CHECKED, key)
    return None if body is None else decode_model(body)


def encode_model(model: CheckedModel | Glossary | Lesson) -> bytes | None:
    """Return checked rules or a document for learners as bytes for every Python; None if nested too deeply."""
    writer = _Writer()
    try:
        writer.write(model)
    except (RecursionError, _ForeignValueError):
        return None
    return json.dumps(writer.rows, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def decode_model(body: bytes) -> CheckedModel | None:
    """Return the checked rules that `encode_model` has written; None if the bytes are damaged."""
    model = _decode(body)
    return model if isinstance(model, CheckedModel) else None


def decode_glossary(body: bytes) -> Glossary | None:
    """Decode a glossary from bytes of `encode_model`, which encodes any record; None if the bytes are damaged."""
    glossary = _decode(body)
    return glossary if isinstance(glossary, Glossary) else None


def decode_lesson(body: bytes) -> Lesson | None:
    """Decode a lesson from bytes of `encode_model`, which encodes any record; None if the bytes are damaged."""
    lesson = _decode(body)
    return lesson if isinstance(lesson, Lesson) else None


def _decode(body: bytes) -> Any:
    try:
        return _read(json.loads(body.decode("utf-8", "surrogatepass")))
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError):
        return None
