from __future__ import annotations

import json

from hypothesis import given, strategies as st

from interpreter.diagnostics.diagnostic import Diagnostic, Related
from interpreter.diagnostics.rendering import encode_diagnostic, render, render_one
from interpreter.diagnostics.source_text import NOWHERE, Source, Span
from interpreter.diagnostics.terminal_text import measure_cells
from tests.unhurried import texts, unhurried

TABLE = Source("reds/tables.yaml", "values:\n  speed: 3\n  sped: 4\n")


def span_of(text: str, word: str, name: str = "f.rules") -> Span:
    start = text.index(word)
    return Span(Source(name, text), start, start + len(word))


def underlined(shown: str) -> str:
    """Return the characters above the carets, by cells."""
    quoted, marks = shown.split("\n")[1:3]
    start, end = marks.index("^"), marks.rindex("^") + 1
    column, found = 0, ""
    for character in quoted:
        if start <= column < end:
            found += character
        column += measure_cells(character)
    return found


def test_rendering_shows_all_parts_of_diagnostic() -> None:
    found = Diagnostic(
        "unknown-key",
        "`sped` is not known here",
        Span(TABLE, 21, 25),
        "error",
        "did you mean `speed`?",
        (Related("speed is set here", Span(TABLE, 10, 15)),),
        "4.2",
    )
    assert render_one(found).split("\n") == [
        "reds/tables.yaml:3:3: error[unknown-key]: `sped` is not known here [4.2]",
        "    3 |   sped: 4",
        "      |   ^^^^",
        "  speed is set here: reds/tables.yaml:2:3",
        "    2 |   speed: 3",
        "      |   ^^^^^",
        "  help: did you mean `speed`?",
    ]


def test_data_has_keys_of_contract() -> None:
    found = Diagnostic("unknown-key", "`sped` is not known here", Span(TABLE, 21, 25), "warning", "drop it")
    assert json.loads(json.dumps(encode_diagnostic(found))) == {
        "code": "unknown-key",
        "severity": "warning",
        "message": "`sped` is not known here",
        "file": "reds/tables.yaml",
        "line": 3,
        "column": 3,
        "help": "drop it",
    }


def test_caret_under_wide_characters() -> None:
    for text, word in [("名前: 東京 x", "東京"), ("名前: 東京 x", "x"), ("e\u0301e\u0301: hill", "hill")]:
        assert underlined(render_one(Diagnostic("c", "m", span_of(text, word)))) == word


def test_caret_is_placed_after_tabs() -> None:
    shown = render_one(Diagnostic("c", "m", span_of("\tab\thill", "hill")))
    assert shown.split("\n")[1:] == ["    1 |     ab  hill", "      |         ^^^^"]


def test_control_characters_are_escaped_everywhere() -> None:
    text = "na\x1b[31mme: hill"
    found = Diagnostic(
        "c",
        "m \x07",
        span_of(text, "hill", "a\x1b.yaml"),
        "error",
        "h\x9b",
        (Related("r\x1b", span_of(text, "me")),),
        "1\x1b",
    )
    shown = render_one(found)
    assert not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 for c in shown if c != "\n")
    assert underlined(shown) == "hill"


def test_colour_only_when_asked() -> None:
    found = [Diagnostic("c", "m", Span(TABLE, 21, 25))]
    assert "\x1b" not in render(found)
    assert "\x1b[1;31merror[c]\x1b[0m" in render(found, colour=True)


def test_empty_span_and_span_over_lines() -> None:
    assert render_one(Diagnostic("c", "m", Span(TABLE, 21, 21))).endswith("      |   ^")
    assert render_one(Diagnostic("c", "m", Span(TABLE, 10, 25))).endswith("      |   ^^^^^^^^")
    at_end = Span(TABLE, len(TABLE.text), len(TABLE.text) + 5)
    assert render_one(Diagnostic("c", "m", at_end)).split("\n")[1:] == ["    4 |", "      | ^"]


def test_diagnostic_without_location_is_rendered_without_line() -> None:
    assert render_one(Diagnostic("c", "m", NOWHERE)) == "<built in>: error[c]: m"


def test_long_lines_are_cut_round_fault() -> None:
    text = "a" * 500 + "HILL" + "b" * 500
    shown = render_one(Diagnostic("c", "m", span_of(text, "HILL")))
    assert underlined(shown) == "HILL"
    assert max(len(line) for line in shown.split("\n")) < 120
    whole = render_one(Diagnostic("c", "m", Span(Source("f", text), 0, 1004)))
    assert max(len(line) for line in whole.split("\n")) < 120


def test_render_limits_number_of_diagnostics() -> None:
    found = [Diagnostic(f"c{i}", "m", NOWHERE) for i in range(7)]
    blocks = render(found, limit=5).split("\n\n")
    assert blocks[-1] == "and 2 more"
    assert len(blocks) == 6
    assert "more" not in render(found, limit=7)
    assert render([]) == ""


def alike(number: int) -> list[Diagnostic]:
    lines = Source("reds/pieces.yaml", "sped: 4\n" * number)
    return [Diagnostic("unknown-key", "`sped` is not known here", Span(lines, 8 * n, 8 * n + 4)) for n in range(number)]


def test_repeated_finding_is_shown_few_times() -> None:
    other = Diagnostic("c", "m", NOWHERE)
    blocks = render([*alike(20), other]).split("\n\n")
    assert [block.split(":")[1] for block in blocks[:3]] == ["1", "2", "3"] and len(blocks) == 4
    told = ", ".join(f"reds/pieces.yaml:{line}" for line in range(4, 14))
    assert blocks[2].split("\n")[-1] == f"  and 17 more like it: {told}, …"
    assert "more" not in blocks[0] + blocks[1] + blocks[3]
    assert "and 2 more like it: reds/pieces.yaml:4, reds/pieces.yaml:5" in render(alike(5))
    assert "more" not in render(alike(4)), "one place is told sooner than that there is one more"


def test_cap_counts_folded_findings() -> None:
    found = [*(Diagnostic(f"c{i}", "m", NOWHERE) for i in range(4)), *alike(20)]
    assert render(found, limit=5).split("\n\n")[-1] == "and 19 more"


@unhurried
@given(texts(300), st.integers(0, 300), st.integers(0, 50))
def test_any_span_is_rendered_without_control_characters(text: str, start: int, length: int) -> None:
    shown = render_one(Diagnostic("c", "m", Span(Source("f", text), start, start + length)))
    assert not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 for c in shown if c != "\n")
    if text:
        marks = shown.split("\n")[2]
        assert 1 <= marks.count("^") <= 100
