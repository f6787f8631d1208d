"""Findings of one kind: only the first of each file are kept, and the rest are counted."""

from __future__ import annotations

from pathlib import Path

from interpreter.cli.errors import format_counts
from interpreter.diagnostics.diagnostic import MAX_SIMILAR_FINDINGS, RulesetError, Sink, count_findings
from interpreter.diagnostics.rendering import render
from interpreter.diagnostics.source_text import Source, Span
from interpreter.documents.reading.yaml_reader import read_yaml
from interpreter.i18n.translator import ENGLISH

TOO_MANY = MAX_SIMILAR_FINDINGS + 50


def report(sink: Sink, number: int, name: str = "map.yaml", code: str = "unknown-name") -> None:
    source = Source(name, "x" * (number + 1))
    for at in range(number):
        sink.add_error(code, f"unknown name x{at}", Span(source, at, at + 1))


def test_sink_keeps_first_findings_of_one_kind_and_counts_the_rest() -> None:
    sink = Sink()
    report(sink, TOO_MANY)
    assert len(sink.items) == MAX_SIMILAR_FINDINGS
    assert [d.omitted for d in sink.items[-2:]] == [0, 50]
    assert count_findings(sink.items) == sink.number_reported == TOO_MANY
    assert format_counts(sink.items, ENGLISH) == f"{TOO_MANY} errors"
    assert str(RulesetError(sink.list_sorted())).endswith(f"(and {TOO_MANY - 1} more)")


def test_sink_counts_each_code_and_file_by_itself() -> None:
    sink = Sink()
    report(sink, TOO_MANY)
    report(sink, TOO_MANY, code="wrong-type")
    report(sink, 10, name="pieces.yaml")
    assert len(sink.items) == 2 * MAX_SIMILAR_FINDINGS + 10
    assert count_findings(sink.items) == 2 * TOO_MANY + 10


def test_sink_counts_omitted_findings_of_another_sink() -> None:
    first, second = Sink(), Sink()
    report(first, TOO_MANY)
    report(second, 3)
    for finding in first.items:
        second.add(finding)
    assert len(second.items) == MAX_SIMILAR_FINDINGS
    assert count_findings(second.items) == TOO_MANY


def test_sink_keeps_a_finding_after_others_of_its_kind_were_removed() -> None:
    sink = Sink()
    report(sink, MAX_SIMILAR_FINDINGS)
    sink.items.clear()
    report(sink, MAX_SIMILAR_FINDINGS + 1)
    assert [d.span.start for d in sink.items] == [MAX_SIMILAR_FINDINGS]


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


def test_rendering_cuts_a_message_as_long_as_a_file() -> None:
    sink = Sink()
    sink.add_error(
        "unknown-name", "unknown name " + "b" * 500_000, Span(Source("map.yaml", "x"), 0, 1), help="c" * 9_000
    )
    assert len(render(sink.items)) < 5_000
    assert sink.items[0].message.endswith("b" * 10)


def test_many_unknown_names_are_not_all_looked_up_in_all_files(tmp_path: Path, monkeypatch) -> None:
    from interpreter import check
    from interpreter.documents import wrong_definitions
    from tests.tiny import RULESET, write

    looked_up = []
    find = wrong_definitions._Texts.find_occurrences
    monkeypatch.setattr(
        wrong_definitions._Texts, "find_occurrences", lambda self, word: looked_up.append(word) or find(self, word)
    )
    names = ", ".join(f"side{n}" for n in range(2_000))
    ruleset = RULESET.format(side="", game="").replace("sides: [reds]", f"sides: [reds, {names}]")
    folder = write(tmp_path, "turn:\n    phase only:\n        ask(reds) -> n\n", {"ruleset.yaml": ruleset})
    found = check(str(folder))
    assert count_findings(d for d in found if d.code.startswith("unknown-")) == 2_000
    assert len(set(looked_up)) < 300
