"""HTML page that explains why the board cannot be shown; it uses no scripts."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.diagnostics.html_markup import tag


def render_refusal_page(title: str, lines: Sequence[str], lang: str = "en") -> bytes:
    """Return an HTML page with a heading and paragraphs, encoded in UTF-8."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
    )
    body = tag("body", tag("h1", title), [tag("p", line) for line in lines])
    return f"<!doctype html>\n{tag('html', head, body, lang=lang)}\n".encode()
