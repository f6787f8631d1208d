"""`grognard odds`: tables, procedures, options, positions; and kind answers to nonsense."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run


def test_table_over_its_die(run: Run, tiny: Path) -> None:
    done = run("odds", tiny, "table", "storm_table")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "Storm table [3.0]: die die"
    assert lines[1].strip().startswith("reconstructed")
    assert lines[2].split() == ["83.33%", "5/6", "nothing", "done"]
    assert lines[3].split() == ["16.67%", "1/6", "success"]


def test_table_over_modified_die(run: Run, tiny: Path) -> None:
    done = run("odds", tiny, "table", "storm_table", "die=d6+2", "--format", "json").json()
    assert {r["value"]: r["probability"]["exact"] for r in done["results"]} == {"nothing_done": "1/2", "success": "1/6"}
    assert done["refused"]["exact"] == "1/3"


def test_two_dice_and_fixed_row(run: Run) -> None:
    done = run(
        "odds",
        "denain-1712",
        "table",
        "crt",
        "affected=defender",
        "ground=plain",
        "column=4",
        "die=2d6",
        "--format",
        "json",
    )
    assert done.code == 0
    assert sum(r["probability"]["value"] for r in done.json()["results"]) + done.json()["refused"]["value"] == (
        pytest.approx(1)
    )


def test_odds_of_procedure_are_exact(run: Run, tiny: Path) -> None:
    done = run("odds", tiny, "act", "s=reds", "--format", "json", "--scenario", "usual")
    data = done.json()
    assert data["exact"] is True
    assert data["decisions"] == [{"name": "action", "side": "reds"}]
    shaken = next(e for e in data["events"] if e["event"] == "shaken")
    assert (shaken["first"], shaken["best"]["exact"], shaken["worst"]["exact"]) == ("blues", "1/6", "0")


def test_odds_of_chosen_option_are_printed(run: Run, tiny: Path) -> None:
    done = run("odds", tiny, "--choose", "storm")
    assert done.code == 0
    assert "83.33%  5/6        no change" in done.out
    assert "Blues: spirit 3 → 2" in done.out
    assert "shaken: Blues" in done.out


def test_wanted_event_is_always_listed(run: Run, tiny: Path) -> None:
    done = run("odds", tiny, "act", "s=reds", "--event", "shaken", "--results", "1")
    assert "(from 0.00% to 16.67%" in done.out


def test_words_of_another_language(run: Run, tiny: Path) -> None:
    assert "青軍" in run("odds", tiny, "--choose", "storm", "--lang", "ja").out


def test_case_is_position(run: Run, tiny: Path) -> None:
    for position in ("T1", "storming.yaml:T1"):
        done = run("odds", "--position", position, tiny, "--decisions", "first", "--format", "json")
        assert done.json()["what"] == "act(s=reds)"
        assert done.json()["policy"] == "first"
    assert run("odds", tiny, "--position", "T1", "act", "s=blues").code == 0


def test_saved_game_is_position(run: Run, tiny: Path, tmp_path: Path) -> None:
    from interpreter.api.game import load

    game = load(str(tiny)).start(seed=1)
    game.choose("rest")
    path = tmp_path / "saved.jsonl"
    game.save(path)
    done = run("odds", tiny, "--position", path, "--choose", "storm", "--format", "json")
    assert done.json()["side"] == "blues"


def test_odds_over_position_limit_are_estimated_by_throws(run: Run, tiny: Path) -> None:
    done = run("odds", tiny, "act", "s=reds", "--most", "2", "--throws", "50")
    assert done.code == 0
    assert "from 50 " in done.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["act"], "needs s"),
        (["act", "s=greens"], "unknown side `greens`"),
        (["act", "s=reds", "t=1"], "has no argument `t`"),
        (["act", "reds"], "expected ARGUMENT=VALUE"),
        (["ack", "s=reds"], "did you mean `act`?"),
        (["table"], "which table?"),
        (["table", "storm"], "unknown table `storm`"),
        (["table", "storm_table", "height=3"], "has no axis `height`"),
        (["table", "storm_table", "die=mud"], "unknown die `mud`"),
        (["table", "storm_table", "die=99d6d"], "no"),
        (["act", "s=reds", "--event", "shake"], "did you mean `shaken`?"),
        (["--choose", "fly"], "unknown option `fly`"),
        (["--choose", "storm", "act"], "--choose"),
        (["--position", "T9"], "or a case"),
        (
            ["--position", "T1", "--seed", "3"],
            "--position already",
        ),
        ([], "odds of what?"),
    ],
)
def test_nonsense_is_answered_kindly(run: Run, tiny: Path, words: list[str], said: str) -> None:
    done = run("odds", tiny, *words)
    assert done.code == 2
    assert done.out == ""
    assert said in done.err


def test_help_has_examples(run: Run) -> None:
    done = run("odds", "--help")
    assert done.code == 0
    assert "grognard odds RULESET table" in done.out


def test_odds_of_table_or_option_suggests_usage(run: Run, tiny: Path) -> None:
    err = run("odds", tiny, "storm_table").err
    assert "odds RULESET table storm_table" in err
    err = run("odds", tiny, "march(a, b)").err
    assert "--choose 'march(a, b)'" in err
    err = run("odds", tiny, "table", "storm_table", "die=dd6").err
    assert "?; " not in err, "a question is the end of what is said"
