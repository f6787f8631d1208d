"""Words for faults of YAML notation, told at the line that is at fault.

Must not repeat the parser's own messages: they name its inner workings, and the two
parsers word them differently.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from interpreter.source.diagnostic import Diagnostic
from interpreter.source.text import Source, Span


def syntax_fault(source: Source, fault: yaml.YAMLError, shift: int) -> Diagnostic:
    """The diagnostic for a parser's fault; `shift` is added to its offsets."""
    if isinstance(fault, yaml.reader.ReaderError):
        return _unreadable_character(source, int(fault.position) + shift)
    problem = str(getattr(fault, "problem", "") or "")
    context = str(getattr(fault, "context", "") or "")
    at = _offset(source, getattr(fault, "problem_mark", None), shift)
    opened = _offset(source, getattr(fault, "context_mark", None), shift)
    tab = _tab_in_indentation(source, at)
    if tab is not None:
        return _diagnostic(
            "tab-in-indentation",
            "a tab stands in the indentation of this line",
            source,
            tab,
            "indent with spaces only",
        )
    for pattern, make in _CASES:
        if re.search(pattern, f"{context} / {problem}"):
            code, message, help, use_opened = make
            return _diagnostic(code, message, source, opened if use_opened else at, help)
    return _diagnostic(
        "yaml-syntax",
        "this cannot be read as YAML",
        source,
        at,
        "look at the indentation, colons, quotes and brackets of this line and the one above",
    )


_COLON_HELP = (
    "write `key: value`; a text that holds `: ` must stand in quotes, and keys of one mapping "
    "must begin in the same column"
)
_CASES: tuple[tuple[str, tuple[str, str, str, bool]], ...] = (
    (
        r"quoted scalar",
        (
            "unclosed-quote",
            "the quotation mark that opens here is never closed, or the text in it cannot be read",
            "close it, or double a `'` that belongs to the text",
            True,
        ),
    ),
    (
        r"unknown escape|escape",
        (
            "unclosed-quote",
            "a backslash in double quotes is followed by a character it cannot stand before",
            "use single quotes, or write the backslash twice",
            False,
        ),
    ),
    (
        r"flow (sequence|mapping)",
        (
            "unclosed-bracket",
            "the bracket that opens here is not closed, or a comma is missing in it",
            "put a comma between the entries and close the bracket; a text "
            "that holds brackets or commas needs quotes",
            True,
        ),
    ),
    (
        r"mapping values are not allowed",
        (
            "misplaced-colon",
            "a second `:` stands in this line, or the line is indented differently from its neighbours",
            _COLON_HELP,
            False,
        ),
    ),
    (
        r"simple key",
        (
            "missing-colon",
            "this line has no `:`, so it is neither a key nor a list entry",
            "write `key: value`, or `- value` in a list",
            True,
        ),
    ),
    (
        r"sequence entries are not allowed|block sequence entries",
        (
            "bad-indentation",
            "a list entry `-` cannot stand here",
            "begin the list on its own line below its key, all its `-` in one column",
            False,
        ),
    ),
    (
        r"block (mapping|sequence|collection|end)|document start|expected <block end>",
        (
            "bad-indentation",
            "this line is indented differently from the entries it belongs to",
            "let all keys of one mapping, and all `-` of one list, begin in the same column",
            False,
        ),
    ),
    (
        r"cannot start any token",
        ("reserved-character", "a text cannot begin with this character", "put the text in quotes", False),
    ),
    (r"directive|%", ("yaml-tag", "lines that begin with `%` are not allowed", "take the line out", False)),
    (
        r"block scalar",
        (
            "bad-indentation",
            "the block of text that begins here is not indented as it should be",
            "write `|` at the end of the line and indent every line of the text by two spaces",
            True,
        ),
    ),
    (r"anchor|alias", ("yaml-alias", "a text cannot begin with `&` or `*`", "put the text in quotes", False)),
    (r"tag", ("yaml-tag", "a text cannot begin with `!`", "put the text in quotes", False)),
)


def _offset(source: Source, mark: Any, shift: int) -> int:
    return min(mark.index + shift, len(source.text)) if mark is not None else 0


def _tab_in_indentation(source: Source, at: int) -> int | None:
    start = source.text.rfind("\n", 0, at) + 1
    indent = re.match(r"[ \t]*", source.text[start:])
    tab = indent.group().find("\t") if indent else -1
    return start + tab if tab >= 0 else None


def _diagnostic(code: str, message: str, source: Source, at: int, help: str) -> Diagnostic:
    # A fault found only at the end of the text is told at its last line that says something.
    if at >= len(source.text.rstrip()):
        at = max(0, len(source.text.rstrip()) - 1)
    return Diagnostic(code, message, Span(source, at, min(at + 1, len(source.text))), "error", help)


def _unreadable_character(source: Source, at: int) -> Diagnostic:
    letter = source.text[at] if at < len(source.text) else "\0"
    return Diagnostic(
        "control-character",
        f"the text holds the character U+{ord(letter):04X}, which steers a screen instead of "
        "showing anything",
        Span(source, at, at + 1),
        "error",
        "take it out",
    )
