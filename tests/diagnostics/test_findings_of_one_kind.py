"""Findings of one kind: only the first of each file are kept, and the rest are counted."""

from __future__ import annotations

from pathlib import Path

from interpreter.cli.errors import format_counts
from interpreter.diagnostics.diagnostic import MOST_ALIKE, RulesetError, Sink, count_findings
from interpreter.diagnostics.rendering import render
from interpreter.diagnostics.source_text import Source, Span
from interpreter.documents.reading.yaml_reader import read_yaml
from interpreter.i18n.translator import ENGLISH

TOO_MANY = MOST_ALIKE + 50


def report(sink: Sink, number: int, name: str = "map.yaml", code: str = "unknown-name") -> None:
    source = Source(name, "x" * (number + 1))
    for at in range(number):
        sink.add_error(code, f"unknown name x{at}", Span(source, at, at + 1))


def test_sink_keeps_first_findings_of_one_kind_and_counts_the_rest() -> None:
    sink = Sink()
    report(sink, TOO_MANY)
    assert len(sink.items) == MOST_ALIKE
    assert [d.omitted for d in sink.items[-2:]] == [0, 50]
    assert count_findings(sink.items) == sink.number_reported == TOO_MANY
    assert format_counts(sink.items, ENGLISH) == f"{TOO_MANY} errors"
    assert str(RulesetError(sink.list_sorted())).endswith(f"(and {TOO_MANY - 1} more)")


def test_sink_counts_each_code_and_file_by_itself() -> None:
    sink = Sink()
    report(sink, TOO_MANY)
    report(sink, TOO_MANY, code="wrong-type")
    report(sink, 10, name="pieces.yaml")
    assert len(sink.items) == 2 * MOST_ALIKE + 10
    assert count_findings(sink.items) == 2 * TOO_MANY + 10


def test_sink_counts_omitted_findings_of_another_sink() -> None:
    first, second = Sink(), Sink()
    report(first, TOO_MANY)
    report(second, 3)
    for finding in first.items:
        second.add(finding)
    assert len(second.items) == MOST_ALIKE
    assert count_findings(second.items) == TOO_MANY


def test_sink_keeps_a_finding_after_others_of_its_kind_were_removed() -> None:
    sink = Sink()
    report(sink, MOST_ALIKE)
    sink.items.clear()
    report(sink, MOST_ALIKE + 1)
    assert [d.span.start for d in sink.items] == [MOST_ALIKE]


def test_rendering_tells_how_many_findings_were_omitted() -> None:
    sink = Sink()
    read_yaml(Source("map.yaml", "a: 1\n" * (TOO_MANY + 1)), sink)
    shown = render(sink.list_sorted())
    assert "and 50 more of this kind" in shown
    assert len(shown.splitlines()) < 40


def test_rendering_with_a_limit_counts_omitted_findings() -> None:
    sink = Sink()
    report(sink, TOO_MANY)
    assert render(sink.list_sorted(), limit=2).endswith(f"and {TOO_MANY - 2} more")


def test_check_counts_findings_that_it_omits(tmp_path: Path) -> None:
    from interpreter import check

    (tmp_path / "ruleset.yaml").write_text("kind: ruleset\nformat: 2\n" + "a: 1\n" * (TOO_MANY + 1), encoding="utf-8")
    found = check(str(tmp_path))
    assert count_findings(d for d in found if d.code == "duplicate-key") == TOO_MANY
