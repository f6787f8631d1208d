"""Singular and plural words in texts: `{number} (hit|hits)` reads "1 hit" or "2 hits".

The same form works in sentences of the interface and in texts of a ruleset. A translation writes it only if its
language has a plural.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from string import Formatter

_FORMS = re.compile(r"\(([^(){}|]*)\|([^(){}|]*)\)")
_NUMBER = re.compile(r"[+-]?[\d.,/]*\d")


def has_plural_forms(text: str) -> bool:
    """Return whether a text chooses between a singular and a plural word."""
    return "|" in text and _FORMS.search(text) is not None


def fill(template: str, values: Mapping[str, object]) -> str:
    """Fill the placeholders of a template, which are names in braces, and choose its singular or plural words.

    >>> fill("{number} (hit|hits)", {"number": 1}), fill("{number} (hit|hits)", {"number": 4})
    ('1 hit', '4 hits')
    """
    if not has_plural_forms(template):
        return template.format(**values)
    parts: list[tuple[str, bool]] = []
    for literal, name, spec, conversion in Formatter().parse(template):
        parts.append((literal, False))
        if name is not None:
            placeholder = f"{{{name}{'!' + conversion if conversion else ''}{':' + spec if spec else ''}}}"
            parts.append((placeholder.format(**values), True))
    return join_parts(parts)


def join_parts(parts: Sequence[tuple[str, bool]]) -> str:
    """Join parts of a text and choose its singular or plural words; a part is (text, whether it fills a placeholder).

    The nearest number before a word decides, or else the nearest after it; without a number the plural is chosen.
    """
    numbers = [(index, text) for index, (text, is_hole) in enumerate(parts) if is_hole and _NUMBER.fullmatch(text)]

    def choose_form(index: int, text: str) -> str:
        before = [word for position, word in numbers if position < index]
        after = [word for position, word in numbers if position > index]
        deciding = before[-1] if before else after[0] if after else ""
        return _FORMS.sub(lambda form: form[1] if deciding in ("1", "+1", "-1") else form[2], text)

    return "".join(
        text if is_hole or "|" not in text else choose_form(index, text) for index, (text, is_hole) in enumerate(parts)
    )
