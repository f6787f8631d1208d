"""Tests assert codes, names and values; few of them quote sentences of the interface, so that a sentence is one edit.

A literal of a test module *quotes* a message if it contains five successive words of it, or all of it when it has four
words. Words are compared without case and punctuation; a hole of a message ends a run of words. Docstrings are left
out. Whole outputs belong into recordings (`tests/recordings.py`), which one command renews.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from interpreter.i18n.translator import DOMAIN, FOLDER
from tests import recordings

pofile = pytest.importorskip("babel.messages.pofile")

TESTS = Path(__file__).resolve().parents[1]
MOST = 100
QUOTED = "another choice has priority" + " here"  # a message, in two parts to be none itself
RUN = 5
SHORT = 4
WORD = re.compile(r"[\w'’`-]+")
HOLE = re.compile(r"\{[^{}]*\}|%\(\w+\)s")


def words(text: str) -> tuple[str, ...]:
    return tuple(WORD.findall(text.lower()))


def runs(text: tuple[str, ...], length: int) -> Iterator[tuple[str, ...]]:
    return (text[start : start + length] for start in range(len(text) - length + 1))


@cache
def messages() -> tuple[str, ...]:
    with (FOLDER / "ja" / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        return tuple(message.id for message in pofile.read_po(file, locale="ja") if message.id)


@cache
def message_runs() -> frozenset[tuple[str, ...]]:
    """Return every run of five words of a message, and the messages that have four words."""
    fixed = [words(part) for message in messages() for part in HOLE.split(message)]
    short = [text for message in messages() if not HOLE.search(message) and len(text := words(message)) == SHORT]
    return frozenset([run for text in fixed for run in runs(text, RUN)] + short)


def literals(module: ast.Module) -> Iterator[ast.Constant]:
    docstrings = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node


def quotes_message(text: str) -> bool:
    found = words(text)
    return any(run in message_runs() for length in (SHORT, RUN) for run in runs(found, length))


def quotations(source: str) -> list[tuple[int, str]]:
    """Return line and text of the literals that quote a message."""
    return [(node.lineno, node.value) for node in literals(ast.parse(source)) if quotes_message(node.value)]


def test_few_tests_quote_sentences_of_interface() -> None:
    found = [
        f"{path.relative_to(TESTS)}:{line}: {text[:90]!r}"
        for path in sorted(TESTS.rglob("*.py"))
        for line, text in quotations(path.read_text(encoding="utf-8"))
    ]
    assert len(found) <= MOST, f"{len(found)} literals quote messages:\n" + "\n".join(found)


@pytest.mark.parametrize("path", sorted(recordings.FOLDER.rglob("*.yaml")), ids=lambda path: path.stem)
def test_recordings_belong_to_tests_of_their_module(path: Path) -> None:
    module = TESTS / path.relative_to(recordings.FOLDER).with_suffix(".py")
    source = module.read_text(encoding="utf-8")
    assert [key for key in recordings.recordings(path) if recordings.function_of(key) not in source] == []


def test_quotation_is_found_in_assertions_and_tables_of_expectations() -> None:
    source = (
        f'"""A docstring: {QUOTED}."""\n'
        f'assert error == "{QUOTED}"\n'
        f'TABLE = {{1: "{QUOTED}"}}\n'
        'assert code == "unknown-name"\n'
    )
    assert [line for line, _ in quotations(source)] == [2, 3]
