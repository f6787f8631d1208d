"""Values of the rules as plain data (JSON) and back: tuples become lists, fractions {"fraction": [n, d]}."""

from __future__ import annotations

from fractions import Fraction
from typing import Any


def plain(value: object) -> object:
    """Convert a value to plain data."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else {"fraction": [value.numerator, value.denominator]}
    if isinstance(value, tuple | list):
        return [plain(v) for v in value]
    return value


def value_of(data: object) -> Any:  # noqa: ANN401 - of the type that the ruleset declares
    """Convert plain data to a value of the rules: lists to tuples, fractions exact."""
    if isinstance(data, list):
        return tuple([value_of(v) if isinstance(v, list | dict) else v for v in data])
    if isinstance(data, dict) and "fraction" in data:
        return Fraction(*data["fraction"])
    return data
