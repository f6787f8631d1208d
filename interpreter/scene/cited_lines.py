"""Lines of words with the paragraphs at their end parted from them, so that a screen can open these.

Must not make words.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from interpreter.scene.records import Line

_CITED = re.compile(r"(?: \[[^\[\]]+\])+$")
_NUMBER = re.compile(r"\[([^\[\]]+)\]")
_INDENT = 2  # blanks of one step


def parted(line: str, rulebook: Container[str]) -> tuple[str, tuple[str, ...]]:
    """The words of a line, and the paragraphs in brackets at its end; none where these are none of the rulebook.

    >>> parted("They go on [4.1] [4.2]", {"4.1", "4.2"})
    ('They go on', ('4.1', '4.2'))
    """
    found = _CITED.search(line)
    cite = tuple(_NUMBER.findall(found[0])) if found else ()
    if found is None or not all(number in rulebook for number in cite):
        return line, ()
    return line[: found.start()], cite


def told_lines(lines: Iterable[str], rulebook: Container[str]) -> tuple[Line, ...]:
    """Lines with how far they are set in, and their paragraphs."""
    found = []
    for line in lines:
        text, cite = parted(line.rstrip(), rulebook)
        bare = text.lstrip(" ")
        if bare or cite:
            found.append(Line(bare, cite, (len(text) - len(bare)) // _INDENT))
    return tuple(found)
