"""Words with holes as they are written: "{u} cannot enter {a}".

The same splitting serves the original, which the parser reads, and its translations, which only name the
original's holes. Must not know what a hole holds.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.model.statements import TextTemplate


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole by what is written between its braces."""

    text: str


def written(words: TextTemplate) -> str:
    """Words as they stand in the rules, without their quotes."""
    span = words.span
    return span.source.text[span.start + 1 : span.end - 1]


def split_template(text: str) -> tuple[str | Hole, ...]:
    """Texts and holes in order; a hole that is not closed goes to the end.

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


def holes_of(text: str) -> list[str]:
    """What stands in the holes of a text, in order."""
    return [part.text for part in split_template(text) if isinstance(part, Hole)]


def translated_parts(original: str, translation: str) -> list[str | int]:
    """A translation as texts and numbers of the original's holes; a hole that the original lacks is left out."""
    known = holes_of(original)
    found: list[str | int] = []
    for part in split_template(translation):
        if isinstance(part, str):
            found.append(part)
        elif part.text in known:
            found.append(known.index(part.text))
    return found
