"""HTML page that explains why the board cannot be shown; it uses no scripts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def render_refusal_page(title: str, lines: Sequence[str], lang: str = "en") -> bytes:
    """Return an HTML page with a heading and paragraphs, encoded in UTF-8."""
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
