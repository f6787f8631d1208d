"""Test the output of `list`, `show` and `explain`."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run


def test_list_shows_rulesets(run: Run) -> None:
    done = run("list")
    assert done.code == 0
    assert done.out.startswith(("denain-1712:", "napoleon:"))
    for word in ("scenarios:", "variants:", "options:"):
        assert word in done.out


def test_list_as_json(run: Run) -> None:
    found = {r["id"]: r for r in run("list", "--format", "json").json()["rulesets"]}
    napoleon = found["napoleon"]
    assert {"id": "standard", "title": "The Third Coalition"} in napoleon["scenarios"]
    assert {o["id"] for o in napoleon["options"]} >= {"nelson", "multiplayer"}
    assert {v["id"] for v in napoleon["variants"]} >= {"general_winter"}


def test_list_is_translated(run: Run) -> None:
    assert "ナポレオン" in run("list", "--lang", "ja").out


def test_show_prints_overview(run: Run, tiny: Path) -> None:
    done = run("show", tiny)
    assert done.code == 0
    assert "Two Hills" in done.out
    assert "reconstructed: the map was lost" in done.out
    assert run("show", tiny, "--lang", "ja").out.startswith("tiny：二つの丘")


def test_show_map_prints_neighbours_and_sources(run: Run, tiny: Path) -> None:
    out = run("show", tiny, "map").out
    assert "West Hill (west): height 2" in out
    assert "touches middle (reconstructed: a guess)" in out
    assert "reconstructed: by eye" in out


def test_table_is_shown_as_reconstructed_chart(run: Run, tiny: Path) -> None:
    lines = run("show", tiny, "table", "storm_table").out.splitlines()
    assert lines[:2] == ["storm_table: Storm table [3.0]", "  reconstructed: a six felt right"]
    assert lines[2].split() == ["die", "1", "2", "3", "4", "5", "6"]
    assert lines[3].split()[-1] == "success"


def test_show_table_prints_columns(run: Run) -> None:
    out = run("show", "napoleon", "table", "footing_chart").out
    assert "reconstructed: Proposal. France is stronger" in out
    assert ["austria", "first", "2", "7"] in [line.split() for line in out.splitlines()]


def test_show_table_as_json_has_cells(run: Run, tiny: Path) -> None:
    data = run("show", tiny, "table", "storm_table", "--format", "json").json()
    assert data["source"] == "reconstructed"
    assert data["cells"][-1] == {"at": ["6"], "value": "success"}
    assert (data["file"], data["cite"]) == ("tiny/tables.yaml", ["3.0"])


@pytest.mark.parametrize(
    "what",
    [
        "tables",
        "map",
        "pieces",
        "ladders",
        "scenarios",
        "options",
        "rulebook",
        "sides",
        "seats",
        "ruleset",
        "victory",
        "activation",
    ],
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_every_sheet_of_shipped_ruleset_is_printed(run: Run, what: str, form: str) -> None:
    done = run("show", "napoleon", what, "--format", form)
    assert (done.code, done.err) == (0, "")
    assert len(done.out) > 100
    if form == "json":
        done.json()


def test_resolved_values_show_file_and_line(run: Run, tiny: Path) -> None:
    out = run("show", tiny, "map", "--resolved").out
    assert "tiny/map.yaml:6: map.places.members.west.height = 2  (reconstructed)" in out.splitlines()


def test_resolved_values_of_variant_show_which_file_won(run: Run) -> None:
    path = Path(__file__).resolve().parents[2] / "rulesets/napoleon/variants/general_winter.yaml"
    values = run("show", path, "map", "--resolved", "--format", "json").json()["values"]
    origin = {v["path"]: v["file"] for v in values}
    assert origin["map.places.members.russia.garrison"].endswith("general_winter.yaml")
    assert origin["map.places.members.prussia.garrison"].endswith("map.yaml")


@pytest.mark.parametrize(
    ("what", "hint"),
    [
        (["mapp"], "did you mean `map`"),
        (["table", "storm_tabel"], "storm_table"),
        (["nonsense"], "available:"),
        (["scenario", "usal"], "usual"),
    ],
)
def test_missing_target_is_reported(run: Run, tiny: Path, what: list[str], hint: str) -> None:
    done = run("show", tiny, *what)
    assert (done.code, done.out) == (2, "")
    assert hint in done.err


def test_faulty_data_is_reported(run: Run, tiny: Path) -> None:
    (tiny / "map.yaml").write_text("kind: map\nformat: 1\nplces: {}\n", encoding="utf-8")
    done = run("show", tiny, "map")
    assert (done.code, done.out) == (1, "")
    assert "tiny/map.yaml:3:1" in done.err


@pytest.mark.parametrize("escape", [r"\e[2J", r"\u202e", r"\x9b"])
def test_names_cannot_steer_terminal(run: Run, tiny: Path, escape: str) -> None:
    (tiny / "map.yaml").write_text(
        (tiny / "map.yaml").read_text(encoding="utf-8").replace("name: The Middle", f'name: "The {escape} Middle"'),
        encoding="utf-8",
    )
    for command in (("show", tiny, "map"), ("check", tiny), ("play", tiny, "--seed", "1")):
        done = run(*command)
        assert not set("\x1b\u202e\x9b") & set(done.out + done.err)


def test_explain_shows_rule_with_uses(run: Run, tiny: Path) -> None:
    out = run("explain", tiny, "3.0").out
    assert out.startswith("3.0  Storming\n  A six takes spirit from the enemy.\n")
    assert "tiny/play.rules:20: act" in out
    assert "T1: a six takes spirit" in out


def test_paragraph_without_title_has_its_number_once(run: Run, tiny: Path) -> None:
    rulebook = tiny / "rulebook.yaml"
    rulebook.write_text(rulebook.read_text(encoding="utf-8").replace("title: Storming, ", ""), encoding="utf-8")
    assert run("explain", tiny, "3.0").out.startswith("3.0\n  A six takes spirit from the enemy.\n")


def test_code_is_explained_in_chosen_language(run: Run) -> None:
    told = run("explain", "missing-arm", "--lang", "ja").out
    assert "## 直し方" in told and "match w:" in told and "## What to do" not in told
    assert "## What to do" in run("explain", "missing-arm", "--lang", "ja", "--format", "json").json()["text"]


def test_explain_rule_as_json(run: Run, tiny: Path) -> None:
    data = run("explain", tiny, "[2.0]", "--format", "json").json()
    assert data["title"] == "Fog"
    assert data["cases"] == []
    assert {c["line"] for c in data["cited"] if c["file"] == "tiny/play.rules"} == {17}


def test_explain_unknown_rule_suggests_rules(run: Run) -> None:
    done = run("explain", "napoleon", "10.21")
    assert done.code == 2
    assert "10.21-h" in done.err


def test_explain_unknown_code_fails(run: Run) -> None:
    assert run("explain", "no-such-code-at-all").code == 2


def test_explain_without_rule_name_is_usage_error(run: Run) -> None:
    done = run("explain", "napoleon")
    assert done.code == 2
    assert "which rule of napoleon" in done.err


def test_texts_wait_for_translator(run: Run) -> None:
    out = run("show", "napoleon", "texts", "en").out
    assert 'language: en\ntexts:\n  # napoleon/activities.rules\n  "{n}: which activity?":\n' in out
    found = run("show", "napoleon", "texts", "ja", "--format", "json").json()
    assert found["language"] == "ja"
    assert not any(t["missing"] for t in found["texts"] + found["names"])
    refused = run("show", "napoleon", "texts", "xx")
    assert refused.code == 2 and "`texts` needs one language" in refused.err


def test_resolved_variant_lists_its_changes(run: Run) -> None:
    """Each rule that a variant replaces, removes, adds or brings, with file and line; alone, or after the values."""
    path = Path(__file__).resolve().parents[2] / "rulesets/napoleon/variants/grande_armee.yaml"
    written = path.read_text(encoding="utf-8").splitlines()
    number = next(n for n, text in enumerate(written, 1) if "replace require journey.go.stop" in text)
    line = f"napoleon/variants/grande_armee.yaml:{number}: rules: replace require journey.go.stop"
    assert run("show", path, "rules", "--resolved").out.splitlines() == [line]
    assert run("show", path, "--resolved").out.splitlines()[-1] == line
    found = run("show", path, "--resolved", "--format", "json").json()["rules"]
    assert [(r["what"], r["path"], r["line"]) for r in found] == [("replace require", "journey.go.stop", number)]
