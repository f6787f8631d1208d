"""The tables that ship fit the grammar, and read as tables made anew do."""

from __future__ import annotations

from pathlib import Path

import pytest
from lark import Lark

from interpreter.files import kept
from interpreter.language import parser_tables
from interpreter.language.parse_trees import Tree
from interpreter.language.parser import Parser
from tests.tiny import COMMON


def test_they_are_of_this_grammar() -> None:
    own = parser_tables.made_of(parser_tables.GRAMMAR.read_text(encoding="utf-8"))
    assert parser_tables.SHIPPED.read_bytes().startswith(own), "renew them: python -m tests.language.tables"


@pytest.fixture(scope="module")
def anew() -> Lark:
    """A parser with tables made now, which takes a while."""
    return parser_tables.new_parser(parser_tables.GRAMMAR.read_text(encoding="utf-8"))


def test_they_are_those_that_are_made_anew(anew: Lark) -> None:
    """With another library they may be numbered otherwise: `test_parser_agrees` says whether they mean the same."""
    made = Parser(**parser_tables.tables_of(anew))
    assert parser_tables.ready_parser().parse(COMMON + "\n", "start") == made.parse(COMMON + "\n", "start")


@pytest.mark.parametrize("content", [b"", b"of another grammar", None])
def test_without_them_the_parser_is_made_and_kept(
    content: bytes | None, anew: Lark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "rules.tables"
    grammar = parser_tables.GRAMMAR.read_text(encoding="utf-8")
    shipped.write_bytes(parser_tables.made_of(grammar) + b"spoiled" if content is None else content)
    monkeypatch.setattr(parser_tables, "SHIPPED", shipped)
    monkeypatch.setattr(parser_tables, "new_parser", {grammar: anew}.__getitem__)
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path / "kept"))
    monkeypatch.delenv(kept.OFF, raising=False)
    assert isinstance(parser_tables.ready_parser().parse(COMMON + "\n", "start"), Tree)
    assert len(list((tmp_path / "kept" / "grammar").iterdir())) == 1
    monkeypatch.delattr(parser_tables, "new_parser")
    assert isinstance(parser_tables.ready_parser().parse(COMMON + "\n", "start"), Tree)
