"""Scalars, spans and limits of the YAML reader; both parsers must agree."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source
from interpreter.documents.reading.tree import MappingNode, ScalarNode, SequenceNode, to_plain_data
from interpreter.documents.reading.yaml_reader import MAX_DEPTH, read_yaml
from interpreter.documents.reading.yaml_slips import mask_quoted
from tests.unhurried import unhurried

PARSERS = ("c", "python")


def read(text, parser="c"):
    sink = Sink()
    return read_yaml(Source("f.yaml", text), sink, parser=parser), sink


def shape(node):
    """Return a tree as nested tuples, spans included."""
    if isinstance(node, ScalarNode):
        return (node.value, node.text, node.style, node.span.start, node.span.end)
    if isinstance(node, SequenceNode):
        return ([shape(i) for i in node.items], node.span.start, node.span.end)
    if isinstance(node, MappingNode):
        return (
            {k: (shape(e.key), shape(e.value)) for k, e in node.entries.items()},
            node.span.start,
            node.span.end,
        )
    return None


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("written", "text"),
    [
        (">-\n  揃った。\n  攻守", "揃った。攻守"),
        (">-\n  第1\n  ターン", "第1 ターン"),
        (">-\n  두 편\n  다리", "두 편 다리"),  # its words are parted by blanks
        (">-\n  one\n  two", "one two"),
        (">-\n  騎兵 歩兵\n  砲兵", "騎兵 歩兵砲兵"),
        (">-\n  騎兵\n    歩兵\n  砲兵\n\n  輜重", "騎兵\n  歩兵\n砲兵\n輜重"),
        ("日本 語", "日本 語"),
    ],
)
def test_lines_of_scripts_without_blanks_are_joined_without_one(written, text, parser):
    root, sink = read(f"a: {written}\n", parser)
    assert (root.entries["a"].value.value, sink.items) == (text, [])


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("0101", "0101"), ("no", "no"), ("yes", "yes"), ("on", "on"), ("12:30", "12:30"), ("1.5", "1.5"),
        ("1e3", "1e3"), ("0x10", "0x10"), ("0o7", "0o7"), ("+3", "+3"), ("-0", "-0"), ("1_000", "1_000"),
        ("True", "True"), ("NULL", "NULL"), ("2001-01-01", "2001-01-01"), ("٣", "٣"), ("=", "="),
        ("0", 0), ("-3", -3), ("12", 12), ("true", True), ("false", False), ("null", None),
        ("~", None), ("", None),
        ("'12'", "12"), ('"true"', "true"), ("'it''s'", "it's"), ("日本 語", "日本 語"),
    ],
)  # fmt: skip
def test_only_plain_words_and_numbers_are_more_than_text(written, value, parser):
    root, sink = read(f"a: {written}\n", parser)
    assert not sink.items
    assert to_plain_data(root) == {"a": value}
    assert type(to_plain_data(root)["a"]) is type(value)


@pytest.mark.parametrize("parser", PARSERS)
def test_keys_are_text_as_written(parser):
    root, _ = read("1: a\n0101: b\ntrue: c\n'2': d\n", parser)
    assert to_plain_data(root) == {"1": "a", "0101": "b", "true": "c", "2": "d"}


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_spans_count_characters(parser, mark):
    text = mark + '日本: 語 # 丘\nb: [あ, 𠮷x]\nc: "é"\n'
    root, _ = read(text, parser)
    spans = [root.entries["日本"].key.span, root.get("日本").span, *(i.span for i in root.get("b").items),
             root.get("c").span]  # fmt: skip
    assert [text[s.start : s.end] for s in spans] == ["日本", "語", "あ", "𠮷x", '"é"']
    assert (spans[3].line, spans[3].column) == (2, 8)


@pytest.mark.parametrize("parser", PARSERS)
def test_block_collection_ends_with_its_last_value(parser):
    text = "a:\n  b: 1\n\n# remark\nc: 2\n"
    root, _ = read(text, parser)
    assert text[root.get("a").span.start : root.get("a").span.end] == "b: 1"


@pytest.mark.parametrize("parser", PARSERS)
def test_windows_line_ends_are_read(parser):
    root, sink = read("a:\r\n  b: 1\r\n  c: x\r\n", parser)
    assert not sink.items
    assert to_plain_data(root) == {"a": {"b": 1, "c": "x"}}


@pytest.mark.parametrize("parser", PARSERS)
def test_deep_nesting_is_diagnosed(parser):
    for text in ("[" * (MAX_DEPTH + 5) + "]" * (MAX_DEPTH + 5), "[" * 100_000):
        root, sink = read(text, parser)
        assert root is None
        assert [d.code for d in sink.items] == ["too-deep"]


def test_too_many_nodes_are_diagnosed(monkeypatch):
    monkeypatch.setattr("interpreter.documents.reading.yaml_reader.MAX_NODES", 10)
    root, sink = read("a: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n")
    assert root is None
    assert [d.code for d in sink.items] == ["too-many-nodes"]


@pytest.mark.parametrize("text", ["a: [1\n", "a: 'x\n", "a: b: c\n", "a: {b: 1\n", "a\nb: 1\n",
                                  " a: 1\nb: 2\n",
                                  "a:\n\tb: 1\n", "a: %x\n", "a: @\n", "a: ]\n", "- a\nb: 1\n", "a: \x00\n",
                                  "a: \"\\q\"\n", "a: *x y\n"])  # fmt: skip
def test_faults_of_notation_are_same_with_both_parsers(text):
    results = []
    for parser in PARSERS:
        root, sink = read(text, parser)
        results.append((shape(root), [(d.code, d.line, d.column, d.message) for d in sink.items]))
        assert sink.items
    assert results[0] == results[1]


@unhurried
@given(st.text(st.sampled_from("ab1: -[]{},'\"\n#|>é日\t&*!?"), max_size=40))
def test_any_text_is_read_alike_and_never_raises(text):
    found = []
    for parser in PARSERS:
        root, sink = read(text, parser)
        found.append((shape(root), [d.code for d in sink.items if d.code not in NOTATION]))
        assert root is not None or sink.items or not text.strip() or "#" in text or "-" in text
    if all(not f[1] for f in found) and found[0][0] is not None and found[1][0] is not None:
        assert found[0][0] == found[1][0]


# The two parsers disagree on some texts that no author writes; then both may refuse in other words.
NOTATION = {"yaml-syntax", "bad-indentation", "missing-colon", "misplaced-colon", "unclosed-quote",
            "unclosed-bracket",
            "tab-in-indentation", "reserved-character", "yaml-tag", "yaml-alias"}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("a: \"b\" # 'c'", "a: ___ _____"),
        ("'it''s' #x", "_______ __"),
        ('"open \'a\'\n"b"', '"open ___\n___'),
        ('a#b "#"', "a#b ___"),
    ],
)
def test_mask_quoted_replaces_quoted_texts_and_comments(text, masked):
    assert mask_quoted(text, "_", with_comments=True) == masked


@pytest.mark.parametrize("text", ['\\"' * 700_000, "[\n" + '\\"' * 700_000, '"\n' * 500_000])
def test_read_yaml_reports_fault_near_a_million_unclosed_quotes(text):
    _root, sink = read(f"a: ]\n{text}\nb: [\n")
    assert sink.items
