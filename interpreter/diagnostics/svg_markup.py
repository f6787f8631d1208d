"""Writer of SVG: elements, attributes and numbers, escaped and identical on every platform.

Does not use `xml.sax.saxutils`, because that imports network and mail modules, which takes time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from html import escape as _escape

from interpreter.diagnostics.terminal_text import escape_text

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SPACES = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


def escape(text: str) -> str:
    """Return text as the content of an element."""
    return _escape(text, quote=False)


def unescape(text: str) -> str:
    """Return the text of an element's content that `escape` has written."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def quote_attribute(text: str) -> str:
    """Return text as the value of an attribute, with its quotation marks: single ones around double ones."""
    value = escape(text)
    for space, reference in _SPACES.items():
        value = value.replace(space, reference)
    if '"' not in value:
        return f'"{value}"'
    return f"'{value}'" if "'" not in value else '"' + value.replace('"', "&quot;") + '"'


def format_coordinate(value: float) -> str:
    """Format a coordinate with at most one decimal, identically on every platform."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def sanitize_text(text: str) -> str:
    """Return text that is valid in XML: control characters escaped, illegal characters replaced."""
    return _NOT_XML.sub("?", escape_text(text))


def build_element(name: str, inner: str | Iterable[str] = "", /, **attributes: object) -> str:
    """Return an element; `inner` is markup already. Attribute names use `_` for `-`; None omits an attribute."""
    attributes_text = "".join(
        [
            f' {_format_attribute_name(key)}="{format_coordinate(v)}"'
            if isinstance(v, float)
            else f" {_format_attribute_name(key)}={_quote(str(v))}"
            for key, v in attributes.items()
            if v is not None
        ]
    )
    body = inner if isinstance(inner, str) else "".join(inner)
    return f"<{name}{attributes_text}>{body}</{name}>" if body else f"<{name}{attributes_text}/>"


@lru_cache
def _format_attribute_name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


@lru_cache(4096)  # colours, strokes and names repeat in each space
def _quote(text: str) -> str:
    return quote_attribute(sanitize_text(text))
