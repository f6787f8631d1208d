"""Test `check` and the exit codes of commands on a faulty ruleset."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from interpreter.cli.errors import format_counts
from interpreter.cli.file_fixes import watch
from interpreter.diagnostics.diagnostic import Diagnostic
from interpreter.diagnostics.source_text import NOWHERE
from interpreter.files.assets import list_shipped_rulesets
from interpreter.i18n.translator import ENGLISH, get_translator

from .conftest import Run

FIELDS = {"code", "severity", "message", "file", "line", "column", "help"}


def spoil(folder: Path) -> None:
    """Misspell an attribute in the rules."""
    rules = folder / "play.rules"
    rules.write_text(rules.read_text(encoding="utf-8").replace("s.spirit == 0", "s.sprit == 0"), encoding="utf-8")


def test_findings_are_counted_by_severity() -> None:
    assert format_counts([], ENGLISH) == "no findings"
    one = Diagnostic("c", "m", NOWHERE)
    found = [one, one, Diagnostic("c", "m", NOWHERE, "warning")]
    assert format_counts(found, ENGLISH) == "2 errors, 1 warning"
    assert format_counts(found, get_translator("ja")) == "エラー2件、警告1件"


def test_check_of_good_ruleset_reports_no_findings(run: Run, tiny: Path) -> None:
    done = run("check", tiny)
    assert (done.code, done.out) == (0, f"{tiny}: no findings\n")


def test_shipped_variant_by_its_name(run: Run) -> None:
    done = run("check", "napoleon/treaties")
    assert (done.code, done.out.endswith("treaties.yaml: no findings\n")) == (0, True)
    done = run("check", "treaties")
    assert (done.code, "did you mean `napoleon/treaties`?" in done.err + done.out) == (2, True)


def test_good_ruleset_as_json(run: Run) -> None:
    done = run("check", "napoleon", "--format", "json")
    assert done.code == 0
    assert done.json() == {"ok": True, "diagnostics": []}


def test_fault_is_shown_where_it_is(run: Run, tiny: Path) -> None:
    spoil(tiny)
    done = run("check", tiny)
    assert done.code == 1
    assert "tiny/play.rules:9:" in done.out
    assert "did you mean `spirit`?" in done.out
    assert "^^^^^" in done.out


def test_check_as_json_gives_all_fields_of_fault(run: Run, tiny: Path) -> None:
    spoil(tiny)
    done = run("check", tiny, "--format", "json")
    data = done.json()
    assert (done.code, data["ok"]) == (1, False)
    (found,) = data["diagnostics"]
    assert set(found) == FIELDS
    assert (found["severity"], found["line"]) == ("error", 9)


def test_check_of_several_rulesets_reports_each(run: Run, tiny: Path) -> None:
    spoil(tiny)
    done = run("check", "napoleon", tiny)
    assert done.code == 1
    assert "napoleon: no findings" in done.out
    assert f"{tiny}: 1 error" in done.out


def test_check_of_folder_without_ruleset_fails(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = run("check", tmp_path / "empty", "--format", "json")
    assert done.code == 1
    assert [d["code"] for d in done.json()["diagnostics"]] == ["no-ruleset-document"]


def test_ruleset_that_is_not_there(run: Run) -> None:
    done = run("check", "napoleom", "--format", "json")
    assert done.code == 2
    (found,) = done.json()["diagnostics"]
    assert (found["code"], found["help"]) == ("no-such-ruleset", "did you mean `napoleon`?")


@pytest.mark.parametrize("command", [("simulate",), ("play",), ("explain", "1.0")])
def test_faulty_ruleset_is_not_played(run: Run, tiny: Path, command: tuple[str, ...]) -> None:
    spoil(tiny)
    done = run(command[0], tiny, *command[1:])
    assert (done.code, done.out) == (1, "")
    assert "tiny/play.rules:9:" in done.err
    assert "cannot be used: 1 error" in done.err


def test_folder_of_same_name_is_pointed_out(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that `check ID` points out a local folder of that name, whose tables the author may be editing instead."""
    monkeypatch.chdir(tmp_path)
    assert run("check", "napoleon").err == ""
    (tmp_path / "rulesets" / "napoleon").mkdir(parents=True)
    assert run("check", "napoleon").err.endswith("write rulesets/napoleon\n")
    assert "built-in" not in run("check", "rulesets/napoleon").err


def test_fix_applies_certain_fixes_only(run: Run, tiny: Path) -> None:
    spoil(tiny)
    done = run("check", "--fix", tiny)
    assert done.code == 0
    assert "`spirit` [unknown-attribute]" in done.out
    assert "s.spirit == 0" in (tiny / "play.rules").read_text(encoding="utf-8")
    again = run("check", "--fix", tiny, "--format", "json")
    assert (again.code, again.json()["ok"]) == (0, True)
    assert run("check", "--fix", "nowhere").code == 2


def test_watch_prints_findings(run: Run, tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    watch(str(tiny), ENGLISH, scans=1)
    told = capsys.readouterr().out
    assert f"{tiny}: no findings\nCases run: 1 of 1; failed: 0\n" in told
    assert run("check", "--watch", tiny, "napoleon").code == 2
    assert run("check", "--watch", "--fix", tiny).code == 2


@pytest.mark.parametrize(
    ("place", "target", "own"),
    [
        ("napoleon", "napoleon", "./napoleon"),
        ("napoleon", "napoleon/treaties", "./napoleon/variants/treaties.yaml"),
        ("rulesets/napoleon", "napoleon", "rulesets/napoleon"),
    ],
)
def test_command_names_own_copy_that_a_shipped_ruleset_hides(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, target: str, own: str
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(list_shipped_rulesets()["napoleon"], tmp_path / place)
    assert run("check", target).err == "", "an unchanged copy hides nothing"
    tables = tmp_path / place / "tables.yaml"
    tables.write_text(tables.read_text(encoding="utf-8") + "# mine\n", encoding="utf-8")
    told = f"`{target}` is the built-in ruleset; to use your own copy in this folder, write {own}\n"
    for words in (("check", target), ("show", target), ("check", target, "--format", "json")):
        done = run(*words)
        assert (done.code, done.err) == (0, told), words
    assert run("check", target, own).err == run("check", own).err == ""


def test_case_that_expects_nothing_is_reported(run: Run, tiny: Path) -> None:
    cases = tiny / "tests" / "all.yaml"
    cases.parent.mkdir(exist_ok=True)
    cases.write_text("kind: cases\nformat: 1\ncases:\n  A1:\n    title: nothing\n    then: {}\n", encoding="utf-8")
    found = [d for d in run("check", tiny, "--format", "json").json()["diagnostics"] if "all.yaml" in d["file"]]
    assert [(d["code"], d["severity"], d["line"]) for d in found] == [("empty-expectation", "warning", 6)]
