"""The tables that ship with the parser fit the grammar, and the parser reads texts as lark's own does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lark import Token as LarkToken, Tree as LarkTree
from lark.indenter import Indenter

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source
from interpreter.language import parser_tables
from interpreter.language.lalr import Token, Tree
from interpreter.language.parser_tables import GRAMMAR, decode_tables, encode_tables, rules_parser
from interpreter.language.parsing import join_continued_lines, parse_module
from tests.language.tables import generate, lark_parser
from tests.tiny import COMMON

_GAME = GRAMMAR.parents[2] / "rulesets" / "napoleon"


class _Layout(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE", "_INDEX", "_CALL"]
    CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


def _shape_of(node: Any) -> Any:
    """The names, texts and offsets in a tree of either parser."""
    if isinstance(node, Token):
        return node.type, str(node), node.start, node.end
    if isinstance(node, LarkToken):
        return node.type, str(node), node.start_pos, node.end_pos
    if isinstance(node, Tree):
        return node.data, node.start, node.end, [_shape_of(child) for child in node.children]
    if isinstance(node, LarkTree):
        meta = node.meta
        place = (-1, -1) if meta.empty else (meta.start_pos, meta.end_pos)
        return str(node.data), *place, [_shape_of(child) for child in node.children]
    return node


def test_shipped_tables_are_those_of_the_grammar() -> None:
    generated = generate(GRAMMAR.read_text(encoding="utf-8"))
    shipped = rules_parser().tables
    assert decode_tables(json.loads(json.dumps(encode_tables(generated)))) == generated
    assert shipped.terminals == generated.terminals
    assert shipped.rules == generated.rules
    assert len(shipped.actions) == len(generated.actions)  # lark numbers the states differently each time


def test_parser_builds_the_trees_of_lark() -> None:
    lark = lark_parser(GRAMMAR.read_text(encoding="utf-8"), _Layout())
    texts = [COMMON, *(path.read_text(encoding="utf-8") for path in sorted(_GAME.rglob("*.rules")))]
    assert len(texts) > 3
    for text in texts:
        text = join_continued_lines(text) + "\n"
        assert _shape_of(rules_parser().parse(text, "start")) == _shape_of(lark.parse(text, start="start"))


def test_tables_of_another_grammar_are_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "rules.lark"
    other.write_bytes(GRAMMAR.read_bytes() + b"\n")
    monkeypatch.setattr(parser_tables, "GRAMMAR", other)
    with pytest.raises(ValueError, match=r"tests\.language\.tables"):
        rules_parser.__wrapped__()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("turn:\n    for u inunits: nothing\n", "inunits"),
        ("definefree = {x in units}\n", "definefree"),
        ("turn:\n    end gamewon by french\n", "gamewon"),
    ],
)
def test_keyword_joined_to_a_word_is_reported(text: str, word: str) -> None:
    sink = Sink()
    assert parse_module(Source("test.rules", text), sink) is None
    assert f"`{word}`" in str(sink.items[0].message)
