"""Text templates as written: "{u} cannot enter {a}".

Originals, whose holes the parser reads, and translations, which only name the original's holes, are split the same
way. The contents of holes are not interpreted.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.model.statements import TextTemplate


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole, given by the text between its braces."""

    text: str


def format_template_source(words: TextTemplate) -> str:
    """Return a template as written in the rules, without its quotes."""
    span = words.span
    return span.source.text[span.start + 1 : span.end - 1]


def split_template(text: str) -> tuple[str | Hole, ...]:
    """Split a template into texts and holes, in order; an unclosed hole extends to the end.

    >>> split_template("{u} enters {a}!")
    (Hole(text='u'), ' enters ', Hole(text='a'), '!')
    """
    parts: list[str | Hole] = []
    rest = text
    while rest:
        before, brace, rest = rest.partition("{")
        if before:
            parts.append(before)
        if brace:
            inside, _, rest = rest.partition("}")
            parts.append(Hole(inside.strip()))
    return tuple(parts)


def list_holes(text: str) -> list[str]:
    """Return the contents of the holes of a text, in order."""
    return [part.text for part in split_template(text) if isinstance(part, Hole)]


def split_translation(original: str, translation: str) -> list[str | int]:
    """Return a translation as a list of texts and of indexes of the original's holes; unknown holes are dropped."""
    holes = list_holes(original)
    parts: list[str | int] = []
    for part in split_template(translation):
        if isinstance(part, str):
            parts.append(part)
        elif part.text in holes:
            parts.append(holes.index(part.text))
    return parts
