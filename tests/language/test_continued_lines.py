"""Lines that go on: what is written over several lines means what it means in one."""

from __future__ import annotations

import pytest

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source
from interpreter.language.parsing import join_continued_lines, parse_module

ONE_LINE = """
draft go(u: unit) starting here = u.at, spent = 0 [1.1]:
    option step(h in neighbours(here)) now here = h, spent = spent + 1 then stop if spent > 2 [2.1] [3.1]:
        require near: linked(here, h) and spent < 3  "{h} is too far for {u}"  [4.1]
        require own: not any x in units at h where x.side != u.side  "held"
define far(u: unit) [5.1] = u.at in islands
procedure run(s: side):
    report note(1) [6.1] [7.1]
    report note(2)
"""
MANY_LINES = """
draft go(u: unit)
    starting here = u.at,
        spent = 0
    [1.1]:
    option step(h in neighbours(here))
        now here = h, spent = spent + 1
        then stop if spent > 2
        [2.1]
        [3.1]:
        require near: linked(here, h) and
            spent < 3
            "{h} is too far for {u}"  # no text stands alone
            [4.1]
        require own: not any x in units at h where x.side != u.side
            "held"
define far(u: unit)
    [5.1] =
    u.at in islands
procedure run(s: side):
    report note(1)
        [6.1]
      [7.1]
    report note(2)
"""


def shape(text: str) -> str:
    """Return the syntax without places."""
    sink = Sink()
    module = parse_module(Source("f.rules", text), sink)
    assert module is not None, sink.list_sorted()
    return plain(module)


def plain(node: object) -> str:
    if hasattr(node, "__dataclass_fields__"):
        fields = [n for n in node.__dataclass_fields__ if "span" not in n and n != "source"]
        return f"{type(node).__name__}({', '.join(plain(getattr(node, n)) for n in fields)})"
    if isinstance(node, tuple | list):
        return "[" + ", ".join(plain(n) for n in node) + "]"
    return repr(node)


def test_continued_line_equals_single_line() -> None:
    assert shape(MANY_LINES) == shape(ONE_LINE)


def test_every_character_keeps_its_place() -> None:
    assert len(join_continued_lines(MANY_LINES)) == len(MANY_LINES)
    for at, letter in enumerate(join_continued_lines(MANY_LINES)):
        assert letter == MANY_LINES[at] or letter == " "


@pytest.mark.parametrize("line", ['"words"', "[1.1]", "now x = 1", "then stop", "because"])
def test_continuation_without_indent_is_rejected(line: str) -> None:
    sink = Sink()
    assert parse_module(Source("f.rules", f"define one = 1\n{line}\n"), sink) is None
    assert sink.list_sorted()[0].span.start >= len("define one = 1\n")


def test_lines_of_variant_continue_like_those_of_file() -> None:
    """Check lines with an empty line before each, which replaces their indentation in a document."""
    spaced = "\n".join("\n" + line if line.strip() else line for line in MANY_LINES.split("\n"))
    assert shape(spaced) == shape(ONE_LINE)
