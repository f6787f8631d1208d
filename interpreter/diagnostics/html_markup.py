"""Writer of HTML from elements; escapes all text that is not markup of this module. Knows no ruleset."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TypeAlias

from interpreter.diagnostics.terminal_text import escape_lines

_EMPTY = ("meta", "link", "br", "hr", "input", "wbr")


class Markup(str):
    """Text that is already markup, created by `build_tag` or by this program's drawing code."""

    __slots__ = ()


Inner: TypeAlias = "str | Iterable[Inner] | None"
"""Content of an element: text, which is escaped unless it is `Markup`, or several parts; None for nothing."""


def build_tag(name: str, /, *inner: Inner, **attributes: object) -> Markup:
    """Return an element. Attribute names use `_` for `-`, `class_` and `for_`; None and False omit an attribute.

    >>> build_tag("a", "1 < 2", href="#x")
    '<a href="#x">1 &lt; 2</a>'
    """
    attributes_text = "".join(_format_attribute(key, value) for key, value in attributes.items())
    if name in _EMPTY:
        return Markup(f"<{name}{attributes_text}>")
    return Markup(f"<{name}{attributes_text}>{join_parts(*inner)}</{name}>")


def join_parts(*inner: Inner) -> Markup:
    """Concatenate parts, escaping plain text."""
    parts = []
    for part in inner:
        if isinstance(part, Markup):
            parts.append(str(part))
        elif isinstance(part, str):
            parts.append(escape_text(part))
        elif part is not None:
            parts.append(str(join_parts(*part)))
    return Markup("".join(parts))


def join_with(separator: str, parts: Iterable[Inner]) -> Markup:
    """Return the parts joined as markup, with `separator` between any two."""
    joined: list[Inner] = []
    for part in parts:
        joined += [separator, part] if joined else [part]
    return join_parts(*joined)


def escape_text(text: str) -> Markup:
    """Escape text for a page; control characters are made visible, line breaks stay."""
    return Markup(escape(escape_lines(text), quote=True))


def _format_attribute(key: str, value: object) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{escape_text(str(value))}"'
