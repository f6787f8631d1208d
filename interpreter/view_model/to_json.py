"""Conversion of view records to plain JSON data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from interpreter.i18n.number_format import format_number


def to_json(value: object) -> Any:  # noqa: ANN401 - JSON, of the shape of `value`
    """Convert records to objects keyed by field, tuples to lists; round coordinates to one decimal.

    >>> to_json((1.25, {"a": Fraction(1, 2)}))
    [1.2, {'a': '1/2'}]
    """
    cls: Any = type(value)
    if cls is str or cls is int or cls is bool or value is None:
        return value
    names = _list_field_names(cls)
    if names is not None:
        return {name: to_json(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    if isinstance(value, float):
        return round(value, 1)
    return format_number(value) if isinstance(value, Fraction) else value


def format_json(data: object) -> str:
    """Return JSON data as compact text."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


@cache
def _list_field_names(cls: type) -> tuple[str, ...] | None:
    """Return the names of the fields of a record class, or None for any other class."""
    return tuple(field.name for field in fields(cls)) if is_dataclass(cls) else None
