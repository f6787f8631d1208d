"""Names that only look like names, invisible characters, quotations that are not closed, and findings without end."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.cli.errors import MAX_REPORTED_FINDINGS
from interpreter.cli.main import main
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source
from interpreter.diagnostics.suggestions import find_close_words
from interpreter.documents.reading.yaml_reader import read_yaml
from interpreter.documents.values.names import MAX_THINGS
from interpreter.language.parsing import parse_module
from tests.folders import replace_in_file
from tests.tiny import write


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("  total: {{".replace("{{", "{"), '  "total\\n": {', "bad-name"),
        ("    reds: {", '    "reds\\n": {', "bad-name"),
        ("id: tiny", 'id: "tiny\\n"', "bad-text"),
        ("values: [short, long], default: short", 'values: [short, "very long"], default: short', "bad-text"),
        ("values: [short, long], default: short", 'values: [short, "{x}"], default: short', "bad-text"),
        ("languages: [en]", 'languages: ["en\\n"]', "bad-text"),
    ],
)
def test_bad_name_in_ruleset_is_reported(tmp_path: Path, old: str, new: str, code: str) -> None:
    folder = write(tmp_path, "")
    replace_in_file(folder / "ruleset.yaml", old, new)
    found = interpreter.check(folder)
    assert code in [d.code for d in found], found
    assert all(d.help for d in found if d.code == "bad-name")


@pytest.mark.parametrize("rungs", ["[worn fresh]", '["very proud", fresh]', '[worn, "{x}"]', '[worn, "fresh\\n"]'])
def test_rung_that_is_no_name_is_reported(tmp_path: Path, rungs: str) -> None:
    folder = Path(write(tmp_path, ""))
    (folder / "more.yaml").write_text(f"kind: ladders\nformat: 1\nladders:\n  order: {rungs}\n")
    found = [d for d in interpreter.check(folder) if d.code == "bad-text"]
    assert len(found) == 1 and found[0].line == 4 and "small letter" in found[0].help


@pytest.mark.parametrize("letter", ["\u202e", "\u2066", "\u200b", "\x07", "\u2028", "\x9b", "\U000e0041", "\u061c"])
@pytest.mark.parametrize("line", ['event e() "t{}t"', "# a comment {}"])
def test_control_character_in_rules_is_rejected(letter: str, line: str) -> None:
    sink = Sink()
    assert parse_module(Source("f.rules", "event ok()\n" + line.format(letter)), sink) is None
    assert [(d.code, d.line) for d in sink.items] == [("control-character", 2)]
    assert f"U+{ord(letter):04X}" in sink.items[0].message


@pytest.mark.parametrize("letter", ["\u202e", "\u200b", "\u2028", "\U000e0041"])
@pytest.mark.parametrize("line", ["b: t{}t", "b: 1 # a comment {}"])
def test_control_character_in_documents_is_rejected(letter: str, line: str) -> None:
    sink = Sink()
    read_yaml(Source("f.yaml", "a: 1\n" + line.format(letter)), sink)
    assert {(d.code, d.line) for d in sink.items} == {("control-character", 2)}


def test_joiners_of_scripts_are_accepted() -> None:
    sink = Sink()
    read_yaml(Source("f.yaml", "\ufeffa: \u0646\u200c\u0645 \u0928\u094d\u200d\u092e é 東 🙂\r\nb: 1\r\n"), sink)
    parse_module(Source("f.rules", 'event e() "\u0646\u200c\u0645 é"\r\n'), sink)
    assert not sink.items


QUOTED = """\
places:
  a: {name: "Hill"}
  b:
    name: "Ford
    height: 3
  c:
    name: 'Long
    Wood'
  d: {name: "Town"}
  e: {name: "Sea"}
"""


@pytest.mark.parametrize(
    "text",
    [
        QUOTED,
        QUOTED.replace('"Ford', "'Ford"),
        QUOTED.replace('"Town"', "Town"),
        QUOTED + "".join(f'  x{n}: {{name: "Place {n}"}}\n' for n in range(300)),
        QUOTED.replace("    height: 3\n", "    list:\n      - one\n"),
    ],
)
@pytest.mark.parametrize("parser", ["c", "python"])
def test_unclosed_quotation_is_reported_where_it_opens(text: str, parser: str) -> None:
    sink = Sink()
    assert read_yaml(Source("f.yaml", text), sink, parser=parser) is None
    assert [(d.code, d.line) for d in sink.items] == [("unclosed-quote", 4)]


def test_quotation_over_several_lines_is_not_blamed() -> None:
    sink = Sink()
    text = 'a: "one\n  two three"\nb: {c: 1\nd: 2\n'
    assert read_yaml(Source("f.yaml", text), sink) is None
    assert sink.items[0].code != "unclosed-quote"


def test_findings_without_end_are_cut_off(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(write(tmp_path, ""))
    (folder / "more.rules").write_text(
        "".join(f"define d{n} = nowhere{n}\n" for n in range(MAX_REPORTED_FINDINGS + 50))
    )
    assert main(["check", str(folder)]) == 1
    out = capsys.readouterr().out
    assert out.count("unknown-name") == 50 and "and 200 more" in out and f"{MAX_REPORTED_FINDINGS + 50} errors" in out
    main(["check", str(folder), "--format", "json"])
    out = capsys.readouterr().out
    assert '"more": 50' in out and out.count("unknown-name") == MAX_REPORTED_FINDINGS


def test_suggestion_is_skipped_for_very_many_names() -> None:
    names = [f"name{n}" for n in range(4_000)]
    assert find_close_words("name3999", names[:900])
    assert find_close_words("nxme12", names) and not find_close_words("name12x", names * 2)


def test_too_many_pieces_are_reported_immediately(tmp_path: Path) -> None:
    folder = Path(write(tmp_path, ""))
    path = next(p for p in folder.rglob("*.yaml") if "kind: pieces" in p.read_text())
    path.write_text(
        path.read_text() + "".join(f"  many{n}: {{class: unit, count: 9000, owner: reds, at: a}}\n" for n in range(400))
    )
    assert f"{MAX_THINGS} pieces" in " ".join(d.message for d in interpreter.check(folder))


def test_check_looks_at_variants_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(write(tmp_path, ""))
    variant = "kind: variant\nformat: 1\nid: other\ntitle: Other\nextends: tiny\n"
    (folder / "variants").mkdir()
    (folder / "variants" / "good.yaml").write_text(variant)
    before = [d for d in interpreter.check(folder, variants=True) if d.severity == "error"]
    assert not before, before
    (folder / "variants" / "bad.yaml").write_text(variant + "game: {zzz: 1}\nnonsense: 1\n")
    assert not [d for d in interpreter.check(folder) if d.severity == "error"]
    assert main(["check", str(folder), "--files"]) == 1
    out = capsys.readouterr().out
    assert "variants/bad.yaml" in out and "`nonsense`" in out
    assert f"Checked {folder.name}/variants/good.yaml" in out and f"Checked {folder.name}/ruleset.yaml" in out
