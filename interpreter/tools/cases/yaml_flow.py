"""Serialize data as YAML flow style, in one line."""

from __future__ import annotations

import re
from fractions import Fraction

from interpreter.documents.reading.yaml_reader import parse_plain_value, quote_text


def format_flow(value: object) -> str:
    """Return data as YAML flow style, in one line."""
    match value:
        case dict():
            return "{" + ", ".join(f"{k}: {format_flow(v)}" for k, v in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(format_flow(v) for v in value) + "]"
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case Fraction():
            return f'"{value}"' if value.denominator > 1 else str(value.numerator)
        case str() if parse_plain_value(value) != value or not re.fullmatch(r"[^\W\d][\w.-]*", value):
            return quote_text(value)
    return str(value)
