"""Language negotiation by the HTTP header `Accept-Language` (RFC 9110, 12.5.4)."""

from __future__ import annotations

from collections.abc import Sequence

_MOST = 20  # languages that are looked at


def negotiate_language(header: str, languages: Sequence[str]) -> str:
    """Return the known language with the highest weight in the header, of equal ones the first; '' for none.

    A region counts as its language, and `*` as none in particular.

    >>> negotiate_language("fr, ja-JP;q=0.8, en;q=0.5", ("en", "ja"))
    'ja'
    >>> negotiate_language("de", ("en", "ja"))
    ''
    """
    best, weight = "", 0.0
    for part in header.split(",")[:_MOST]:
        tag, _semicolon, more = part.strip().partition(";")
        language = tag.strip().partition("-")[0].casefold()
        own = _weight(more)
        if language in languages and own > weight:
            best, weight = language, own
    return best


def _weight(parameter: str) -> float:
    name, _equals, value = parameter.strip().partition("=")
    try:
        return min(max(float(value), 0.0), 1.0) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0
