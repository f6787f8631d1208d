"""Docstrings, comments and messages use plain technical English: the words of the old style stay out."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.trees import PACKAGE

# The compiler is being replaced by `interpreter/ir`, `lowering` and `backends`.
FILES = [path for path in sorted(PACKAGE.rglob("*.py")) if "compiler" not in path.relative_to(PACKAGE).parts]
BANNED = re.compile(
    r"\b(?:h(?:a|u)ng(?:s|ing)? on|(?:go(?:es|ing|ne)?|went) through|work(?:s|ed|ing)? out|told of|stand(?:s|ing)? for"
    r"|stands?|c(?:o|a)mes? to|reckon\w*|anew|at hand|gone|who(?:m)?ever|what is so|put(?:s|ting)? off)\b",
    re.IGNORECASE,
)
# Names in backticks and holes in braces are no prose.
NO_PROSE = re.compile(r"`[^`]*`|\{\w*\}")


def prose_of(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each docstring, comment and string of several words."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip():
            yield node.lineno, node.value


def banned_words(source: str) -> list[tuple[int, str]]:
    """Return line and words of each finding."""
    return sorted(
        (line, found[0]) for line, text in prose_of(source) for found in BANNED.finditer(NO_PROSE.sub("", text))
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_prose_uses_no_banned_word(path: Path) -> None:
    assert banned_words(path.read_text(encoding="utf-8")) == []


def test_banned_words_are_found_in_docstrings_comments_and_messages() -> None:
    source = 'def f():\n    """Return what hangs on it."""\n    return "the file is gone"  # worked out anew\n'
    assert banned_words(source) == [(2, "hangs on"), (3, "anew"), (3, "gone"), (3, "worked out")]
    assert banned_words('x = "{gone} is at most `gone`"\n') == []
