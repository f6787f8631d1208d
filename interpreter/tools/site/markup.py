"""Pages are made of elements; every text in them is escaped unless it has been made here. Must not know a ruleset."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TypeAlias

from interpreter.diagnostics.terminal_text import printable_lines

_EMPTY = ("meta", "link", "br", "hr", "input", "wbr")


class Markup(str):
    """Text that is markup already: made by `tag`, or a picture of our own."""

    __slots__ = ()


Inner: TypeAlias = "str | Iterable[Inner] | None"


def tag(name: str, /, *inner: Inner, **attributes: object) -> Markup:
    """An element. Attribute names may use `_` for `-`, `class_` and `for_`; None and False leave one out.

    >>> tag("a", "1 < 2", href="#x")
    '<a href="#x">1 &lt; 2</a>'
    """
    stated = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _EMPTY:
        return Markup(f"<{name}{stated}>")
    return Markup(f"<{name}{stated}>{joined(*inner)}</{name}>")


def joined(*inner: Inner) -> Markup:
    """Several parts one after another, texts escaped."""
    parts = []
    for part in inner:
        if isinstance(part, Markup):
            parts.append(str(part))
        elif isinstance(part, str):
            parts.append(escaped(part))
        elif part is not None:
            parts.append(str(joined(*part)))
    return Markup("".join(parts))


def between(sign: str, parts: Iterable[Inner]) -> Markup:
    """Parts with a text between each two."""
    found: list[Inner] = []
    for part in parts:
        found += [sign, part] if found else [part]
    return joined(*found)


def escaped(text: str) -> Markup:
    """A text as markup: what a page may not hold is written out, lines stay lines."""
    return Markup(escape(printable_lines(text), quote=True))


def _attribute(key: str, value: object) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{escaped(str(value))}"'
