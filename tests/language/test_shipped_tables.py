"""Test that the shipped parser tables fit the grammar, and parse as freshly built tables do."""

from __future__ import annotations

from pathlib import Path

import pytest
from lark import Lark

from interpreter.files import disk_cache
from interpreter.language import parser_tables
from interpreter.language.parser_tables import speed_up_positions
from tests.tiny import COMMON


def test_they_are_of_this_grammar_and_library() -> None:
    library, version, digest = parser_tables.SHIPPED.read_bytes().partition(b"\n")[0].split()
    own = parser_tables.compute_tables_key(parser_tables.GRAMMAR.read_text(encoding="utf-8")).split()
    assert (library, digest) == (own[0], own[2]), "renew them: python -m tests.language.tables"
    if version != own[1]:
        pytest.skip(f"the tables that ship are for lark {version.decode()}; with {own[1].decode()} they are made anew")


@pytest.fixture(scope="module")
def built_parser() -> Lark:
    """Return a parser with freshly built tables, which takes a while."""
    return parser_tables.create_parser(parser_tables.GRAMMAR.read_text(encoding="utf-8"))


def test_shipped_tables_parse_like_new_tables(built_parser: Lark) -> None:
    speed_up_positions(built_parser)
    assert parser_tables.load_parser().parse(COMMON + "\n", start="start") == built_parser.parse(
        COMMON + "\n", start="start"
    )


@pytest.mark.parametrize("content", [b"", b"of another grammar", None])
def test_missing_tables_are_built_and_cached(
    content: bytes | None, built_parser: Lark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "rules.tables"
    grammar = parser_tables.GRAMMAR.read_text(encoding="utf-8")
    shipped.write_bytes(parser_tables.compute_tables_key(grammar) + b"spoiled" if content is None else content)
    monkeypatch.setattr(parser_tables, "SHIPPED", shipped)
    monkeypatch.setattr(parser_tables, "create_parser", {grammar: built_parser}.__getitem__)
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path / "kept"))
    monkeypatch.delenv(disk_cache.OFF, raising=False)
    assert parser_tables.load_parser().parse(COMMON + "\n", start="start").data == "start"
    assert len(list((tmp_path / "kept" / "grammar").iterdir())) == 1
    monkeypatch.delattr(parser_tables, "create_parser")
    assert parser_tables.load_parser().parse(COMMON + "\n", start="start").data == "start"
