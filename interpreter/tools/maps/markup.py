"""Escaping of text in SVG. Light: `xml.sax.saxutils`, which does the same, imports network and mail modules."""

from __future__ import annotations

from html import escape as _escape

_SPACES = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


def escape(text: str) -> str:
    """Return text as the content of an element."""
    return _escape(text, quote=False)


def unescape(text: str) -> str:
    """Return the text of an element's content that `escape` has written."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def quoted_attribute(text: str) -> str:
    """Return text as the value of an attribute, with its quotation marks: single ones around double ones."""
    value = escape(text)
    for space, reference in _SPACES.items():
        value = value.replace(space, reference)
    if '"' not in value:
        return f'"{value}"'
    return f"'{value}'" if "'" not in value else '"' + value.replace('"', "&quot;") + '"'
