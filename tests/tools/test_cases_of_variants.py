"""Test how a variant's tests change the cases of its base."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shutil import rmtree

import pytest

from interpreter.cli.main import main
from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.tools.cases.suite import format_report, run_cases, serialize_report
from tests.tiny import write

RULES = """
define best(a: army) -> int = value.most
"""
TABLES = {
    "tables.yaml": "kind: tables\nformat: 1\nvalues: {most: 3}\n",
    "tests/base.yaml": """
kind: cases
format: 1
cases:
  most:
    title: the most is three
    when: [{ask: value.most}]
    then: {value: 3}
  least:
    title: nothing is less
    when: [{ask: value.most < 4}]
    then: {value: true}
  other:
    title: stays
    when: [{ask: 1 + 1}]
    then: {value: 2}
""",
}
VARIANT = "kind: variant\nformat: 1\nid: more\ntitle: More\nextends: ..\ntables: {values: {most: 5}}\n"
OWN = """
kind: cases
format: 1
because: The most is five here.
cases:
  least: null
  most:
    title: the most is five
    because: Five is more.
    when: [{ask: value.most}]
    then: {value: 5}
  new_one:
    title: a case that the base has not
    when: [{ask: value.most > 4}]
    then: {value: true}
"""


def variant(tmp_path: Path, own: str) -> str:
    folder = write(tmp_path, RULES, {**TABLES, "variants/more.yaml": VARIANT, "variants/more-tests/own.yaml": own})
    return str(folder / "variants" / "more.yaml")


def test_variant_replaces_and_retires_cases(tmp_path: Path) -> None:
    report = run_cases(variant(tmp_path, OWN))
    assert [(r.case.id, r.ok) for r in report.results] == [("other", True), ("most", True), ("new_one", True)]
    assert format_report(report).splitlines() == [
        "3 of 3 cases passed",
        "replaced in this variant: 1",
        "  most: Five is more.",
        "retired in this variant: 1",
        "  least: The most is five here.",
    ]
    data = serialize_report(report)
    assert [(x["id"], x["because"], x["line"]) for x in data["replaced"]] == [("most", "Five is more.", 7)]
    assert [(x["id"], x["title"]) for x in data["retired"]] == [("least", "nothing is less")]
    assert [x.id for x in run_cases(variant(tmp_path, OWN), "mo").retired] == ["most"]


def test_broken_base_case_suggests_retire(tmp_path: Path, capsys) -> None:
    broken = variant(tmp_path / "one", OWN.replace("  least: null\n", ""))
    assert main(["test", broken]) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert "cases of the base: 1;" in last and "`least: null`" in last and "`--retire WHY`" in last
    assert main(["test", variant(tmp_path / "two", OWN.replace("then: {value: 5}", "then: {value: 6}"))]) == 1
    assert "cases of the base" not in capsys.readouterr().out


def test_retire_prints_document_for_failing_cases(tmp_path: Path, capsys) -> None:
    broken = variant(tmp_path, OWN.replace("  least: null\n", ""))
    assert main(["test", broken, "--retire", 'a "new" most']) == 0
    text = capsys.readouterr().out
    assert text == ('kind: cases\nformat: 1\nbecause: "a \\"new\\" most"\ncases:\n  least: null  # nothing is less\n')
    made = Path(broken).with_name("more-tests") / "retired.yaml"
    there = tmp_path / "there.yaml"
    there.write_text("mine", encoding="utf-8")
    assert main(["test", broken, "--retire", "a new most", "--out", str(there)]) == 2, "no file is written over"
    rmtree(made.parent)
    assert main(["test", broken, "--retire", "a new most", "--out", str(made)]) == 0, "creates the folder"
    assert main(["test", broken]) == 0
    assert main(["test", broken, "--retire", "again"]) == 0
    told = capsys.readouterr()
    assert "nothing to retire" in told.err.splitlines()[-1]


def test_retire_needs_variant_and_reason(tmp_path: Path, capsys) -> None:
    broken = variant(tmp_path, OWN)
    assert main(["test", str(Path(broken).parents[1]), "--retire", "so"]) == 2
    assert "is not a variant" in capsys.readouterr().err
    assert main(["test", broken, "--retire", " "]) == 2
    assert main(["test", broken, "--retire", "so", "--format", "json"]) == 2


def test_base_is_not_touched(tmp_path: Path) -> None:
    target = Path(variant(tmp_path, OWN)).parents[1]
    report = run_cases(str(target))
    assert (report.passed, len(report.results), report.retired) == (3, 3, ())
    assert "replaced" not in serialize_report(report)


def test_book_and_explain_of_variant_show_its_own_cases(tmp_path: Path, capsys) -> None:
    """Check that its book shows neither cases of the base that it retires nor both versions of those it replaces."""
    book = "kind: rulebook\nformat: 1\nparagraphs: {1.1: {title: Most, text: There is a most.}}\n"
    about = TABLES["tests/base.yaml"].replace("    when:", '    rules: ["1.1"]\n    when:')
    own = OWN.replace("    when:", '    rules: ["1.1"]\n    when:')
    documents = {
        **TABLES,
        "tests/base.yaml": about,
        "rulebook.yaml": book,
        "variants/more.yaml": VARIANT,
        "variants/more-tests/own.yaml": own,
    }
    target = str(write(tmp_path, RULES, documents) / "variants" / "more.yaml")
    assert main(["explain", target, "1.1", "--format", "json"]) == 0
    assert [case["id"] for case in json.loads(capsys.readouterr().out)["cases"]] == ["other", "most", "new_one"]
    assert main(["docs", target, "--out", str(tmp_path / "book")]) == 0
    page = (tmp_path / "book" / "cases.html").read_text(encoding="utf-8")
    assert re.findall(r'<tr id="c-(\w+)"', page) == ["other", "most", "new_one"]


@pytest.mark.parametrize(
    ("own", "code", "line", "told"),
    [
        (OWN.replace("because: The most is five here.\n", ""), "missing-reason", 5, "`least`"),
        (
            OWN.replace("because: The most is five here.\n", "")
            .replace("    because: Five is more.\n", "")
            .replace("  least: null\n", ""),
            "missing-reason",
            5,
            "`most`",
        ),
        (OWN.replace("least: null", "leest: null"), "unknown-case", 6, "`leest`"),
        (OWN.replace("  most:", "  mots:"), "unknown-case", 7, "`mots`"),
        (OWN.replace("  new_one:", "  most:"), "duplicate-key", 12, "most"),
    ],
)
def test_faulty_case_of_variant_is_diagnosed(tmp_path: Path, own: str, code: str, line: int, told: str) -> None:
    with pytest.raises(RulesetError) as found:
        run_cases(variant(tmp_path, own))
    assert [(d.code, d.line) for d in found.value.diagnostics] == [(code, line)]
    assert told in found.value.diagnostics[0].message
