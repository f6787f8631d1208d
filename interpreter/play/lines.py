"""Lines of output before they are formatted: text, citations, kind and the things a line is about.

Code that knows what it says builds a `Line`; a terminal, the board, a report or a page formats it. A plain `str` is a
line without any of this. Output is never parsed to recover what its source knew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

LineKind: TypeAlias = Literal[
    "text", "turn", "phase", "outcome", "choice", "roll", "move", "change", "event", "drawing", "section", "row"
]
HEADING_KINDS: tuple[LineKind, ...] = ("turn", "phase", "outcome")

_MARKS: dict[LineKind, str] = {"turn": "=== ", "phase": "== ", "outcome": "=== "}  # before a heading in a terminal
_INDENT = "  "
_MORE = "..."  # replaces the paragraphs that a line leaves out
_PAUSE, _JOINED, _WIDE_END = "\u3001", "\u30fb", "\uff09"  # punctuation of scripts with wide characters
_INNERMOST = re.compile(r"\s*[(\uff08]([^()\uff08\uff09]*)[)\uff09]")
_LIST_MARKS = re.compile(r"[,;] ")
_PLAIN_WORD = re.compile(r"(?:a|[a-z]{2,}(?:[-'][a-z]+)*)(?=[ ,;:?!]|$)")  # not an id, a path or a file name
_HIDDEN = {ord(mark): 0xE000 + n for n, mark in enumerate("()\uff08\uff09")}  # brackets of names, as private characters
_SHOWN = {hidden: chr(mark) for mark, hidden in _HIDDEN.items()}
_BEFORE_COUNT = re.compile("\uff08([^\uff08\uff09]*)\uff09(?=\u00d7)")  # a description before a count


@dataclass(frozen=True, slots=True)
class Line:
    """A line of output before it is formatted.

    `level`: steps of indentation. `citations`: paragraphs of the rulebook; `is_cut`: there are more of them. `side`,
    `places` and `pieces`: the ids of what a line of the log is about. A line of the kind "section" heads the "row"
    lines of a chart below it.
    """

    text: str
    citations: tuple[str, ...] = ()
    kind: LineKind = "text"
    level: int = 0
    is_cut: bool = False
    side: str = ""
    places: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the line as a terminal shows it."""
        return f"{_MARKS.get(self.kind, '')}{_INDENT * self.level}{self.cited_text}"

    @property
    def cited_text(self) -> str:
        """Return the text followed by its citations, without indentation."""
        return self.text + format_citations((*self.citations, *([_MORE] if self.is_cut else ())))

    @property
    def is_heading(self) -> bool:
        """Return whether the line is the heading of the lines below it."""
        return self.kind in HEADING_KINDS


TextLine: TypeAlias = str | Line
BLANK = Line("")


class Screen(Protocol):
    """Protocol of the terminal operations that a session needs."""

    def write(self, lines: Iterable[TextLine]) -> None:
        """Show lines."""

    def clear(self) -> None:
        """Clear the screen."""

    def width(self) -> int:
        """Return the number of cells of a line, or 0 if lines may be of any length."""

    def read(self, prompt: str) -> str | None:
        """Return the next line typed without its newline, or None when no more will come."""

    def offer(self, words: Sequence[str]) -> None:
        """Set the words that can be completed in the next line."""

    def show_progress(self, text: str) -> AbstractContextManager[None]:
        """Return a context manager that shows a text while a long computation runs."""


def format_citations(cites: Sequence[str]) -> str:
    """Render citations with a leading space: " [4.1] [4.2]"; '' for none."""
    return "".join(f" [{c}]" for c in cites)


def begin_sentence(text: str) -> str:
    """Return a text of the interface with a capital letter at its start, where its script has them."""
    return text[:1].upper() + text[1:]


def format_terminal_line(line: TextLine) -> str:
    """Return a line as a terminal shows it: a sentence at the left margin starts with a capital letter.

    Messages are written in lower case, because they may be part of a longer line. Indented lines, drawings, ids, paths
    and text in backquotes are not changed.

    >>> [format_terminal_line(line) for line in ("unknown piece `reds`", "tiny-1.journal", "  fresh: yes")]
    ['Unknown piece `reds`', 'tiny-1.journal', '  fresh: yes']
    """
    text = str(line)
    if isinstance(line, Line) and line.kind == "drawing" or _PLAIN_WORD.match(text) is None:
        return text
    return begin_sentence(text)


def format_terminal_prompt(prompt: str) -> str:
    """Return a prompt as a terminal shows it: a question starts with a capital letter, the name of a seat is unchanged.

    >>> format_terminal_prompt("continue? (yes or no) "), format_terminal_prompt("red seat> ")
    ('Continue? (yes or no) ', 'red seat> ')
    """
    return prompt if prompt.endswith("> ") else format_terminal_line(prompt)


def cite_few(text: str, cites: Sequence[str], most: int, level: int = 0) -> Line:
    """Return a line with at most `most` citations.

    If there are more, the line has one fewer than `most`, and `is_cut` is set. `level`: the indentation of the line in
    steps.
    """
    if len(cites) <= most:
        return Line(text, tuple(cites), level=level)
    return Line(text, tuple(cites[: most - 1]), level=level, is_cut=True)


def mark_drawing_lines(lines: Iterable[str]) -> list[TextLine]:
    """Mark lines as parts of a drawing, which keep every character."""
    return [Line(line, kind="drawing") for line in lines]


def remove_brackets(text: str, names: Iterable[str] = ()) -> str:
    """Remove round brackets for screen readers, and join their contents so that lists stay unambiguous.

    The brackets of `names` that the text contains are kept: they belong to the name.

    >>> remove_brackets("3 units (reds): move (cost 2, by road)")
    '3 units reds: move cost 2 by road'
    >>> remove_brackets("(left without orders: Guards, Hussars)")
    'left without orders: Guards, Hussars'
    >>> remove_brackets("Guards (old) to Mill (cost 2)", ["Guards (old)"])
    'Guards (old) to Mill cost 2'
    """
    if present := [name for name in names if name in text]:
        for name in sorted(present, key=len, reverse=True):
            text = text.replace(name, name.translate(_HIDDEN))
        return remove_brackets(text).translate(_SHOWN)
    if whole := _INNERMOST.fullmatch(text):
        return whole[1]
    before, text = "", _BEFORE_COUNT.sub(lambda m: _JOINED + m[1].replace(_PAUSE, _JOINED), text)
    while before != text:
        before, text = text, _INNERMOST.sub(_join_bracket, text)
    return text


def _join_bracket(match: re.Match[str]) -> str:
    if match[0].endswith(_WIDE_END):
        return _PAUSE + match[1].replace(_PAUSE, _JOINED)
    return (" " if match.start() else "") + _LIST_MARKS.sub(" ", match[1])
