"""A page that says why the board cannot be shown, for a person who opened an address. Must not run scripts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def refusal_page(title: str, lines: Sequence[str], lang: str = "en") -> bytes:
    """Return a whole HTML page of a heading and paragraphs, encoded in UTF-8."""
    told = "\n".join(f"<p>{escape(line)}</p>" for line in lines)
    return f"""<!doctype html>
<html lang="{escape(lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
</head>
<body>
<h1>{escape(title)}</h1>
{told}
</body>
</html>
""".encode()
