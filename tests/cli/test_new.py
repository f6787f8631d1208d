"""`new`: what is made passes `check` and `test` at once, and nothing that is there is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import load
from tests.recordings import assert_recorded

from .conftest import Run


@pytest.mark.parametrize("board", ["hexes", "squares", "areas"])
def test_game_that_can_be_played(run: Run, tmp_path: Path, board: str) -> None:
    done = run("new", "ruleset", "my_battle", fed=f"Battle: the First\n{board}\n")
    assert done.code == 0
    assert "Made: my_battle/" in done.out
    assert run("check", "my_battle").out == "my_battle: no findings\n"
    tested = run("test", "my_battle")
    assert (tested.code, tested.out) == (0, "4 of 4 cases passed\n")
    assert run("fmt", "--check", "my_battle").code == 0
    rules = load("my_battle")
    assert rules.title() == "Battle: the First"
    winners = set()
    for seed in range(60):
        game = rules.start(seed=seed, record=False)
        while not game.over:
            game.pick((seed * 7 + game.count() * 3) % game.count())
        assert game.outcome is not None
        winners.add(game.outcome.winner)
    assert len(winners) >= 1
    assert sorted(p.name for p in Path("my_battle").iterdir() if "part" in p.name) == []


def test_new_scenario_aims_are_shown_after_editing(run: Run) -> None:
    assert run("new", "scenario", "late", "--of", "napoleon").code == 0
    text = Path("late.yaml").read_text(encoding="utf-8")
    assert "# aims:\n#   france: {text: ...}\n" in text
    Path("late.yaml").write_text(text.replace("# aims:\n#   france: {text: ...}", "aims:\n  france: {text: Go home.}"))
    assert run("check", "late.yaml").code == 0 and run("fmt", "--check", "late.yaml").code == 0
    assert "Your aim: Go home." in run("play", "late.yaml", "--side", "allies=random", "--seed", "1", fed="quit\n").out


def test_mixed_case_name_is_used_as_title(run: Run) -> None:
    done = run("new", "variant", "Mein Krieg", "--of", "napoleon")
    assert (done.code, "[Mein Krieg]" in done.out) == (0, True)
    assert "id: mein_krieg\ntitle: Mein Krieg\n" in Path("mein_krieg.yaml").read_text(encoding="utf-8")


def test_empty_answers_are_defaults(run: Run) -> None:
    done = run("new", "ruleset", "river_crossing", fed="\n\n")
    assert_recorded(done.out)
    assert "shape: hex" in Path("river_crossing/map.yaml").read_text(encoding="utf-8")
    assert run("new", "ruleset", "silent").code == 0, "nobody answers at all"


@pytest.fixture
def battle(run: Run) -> Path:
    """Return the folder of a new game."""
    run("new", "ruleset", "battle")
    return Path("battle")


def test_parts_of_game_pass_at_once(run: Run, battle: Path) -> None:
    for words in (
        ("variant", "long_day"),
        ("scenario", "dawn"),
        ("table", "weather"),
        ("case", "first_step"),
    ):
        done = run("new", *words, fed="\n\n")
        assert done.code == 0, done.err
        assert "For which ruleset? [battle]" in done.out, "the only one here"
    done = run("new", "table", "storms", "--of", battle, fed="odds\n")
    assert done.code == 0
    assert run("check", battle).out == "battle: no findings\n"
    assert run("test", battle).out == "7 of 7 cases passed\n"
    assert run("fmt", "--check", battle).code == 0
    for target in ("battle/variants/long_day.yaml", "battle/scenarios/dawn.yaml"):
        assert run("check", target).code == 0
        assert run("play", target, "--side", "reds=random", "--side", "blues=random", "--seed", "1").code == 0
    assert run("new", "case", "other_step", "--of", "battle/variants/long_day.yaml").code == 0
    assert Path("battle/variants/long_day-tests/other_step.yaml").is_file()
    assert run("test", "battle/variants/long_day.yaml").code == 0


def test_new_variant_of_shipped_game_is_clean(run: Run) -> None:
    assert run("new", "variant", "mine", "--of", "napoleon").code == 0
    assert run("new", "scenario", "dusk", "--of", "mine.yaml").code == 0
    for target in ("mine.yaml", "dusk.yaml"):
        assert run("check", target).out == f"{target}: no findings\n"


def test_new_refuses_to_overwrite_existing_files(run: Run, battle: Path) -> None:
    before = {p: p.read_bytes() for p in sorted(battle.rglob("*")) if p.is_file()}
    for words in (
        ("ruleset", "battle"),
        ("scenario", "first_battle", "--of", "battle"),
        ("table", "combat_results", "--of", "battle"),
        ("case", "one_step", "--of", "battle"),
        ("case", "first", "--of", "battle"),
    ):
        done = run("new", *words)
        assert done.code == 2, words
        assert "?" not in done.out + done.err, "it is refused before anything is asked"
        assert "nothing was written" in done.err or "choose another name" in done.err
    assert {p: p.read_bytes() for p in sorted(battle.rglob("*")) if p.is_file()} == before


@pytest.mark.parametrize(
    ("words", "fed", "told"),
    [
        (("ruleset", "1st"), "", "cannot be an id"),
        (("ruleset", "戦い"), "", "cannot be an id"),
        (
            ("ruleset", "a", "--of", "napoleon"),
            "",
            "--of: ",
        ),
        (("ruleset", "a"), "A\nballs\n", "expected one of hexes, squares, areas"),
        (
            ("table", "a", "--of", "napoleon"),
            "",
            "`tables:`",
        ),
        (("case", "a", "--of", "napoleon"), "", "beside a variant"),
        (("variant", "a", "--of", "nowhere"), "", "nowhere"),
        (("army", "a"), "", "army"),
    ],
)
def test_new_with_invalid_arguments_creates_no_file(
    run: Run, tmp_path: Path, words: tuple[str, ...], fed: str, told: str
) -> None:
    before = sorted(p.name for p in tmp_path.iterdir())
    done = run("new", *words, fed=fed)
    assert done.code == 2
    assert told in done.err
    left = sorted(p.name for p in tmp_path.iterdir())
    assert [n for n in left if n not in before and not n.startswith("xdg")] == []


def test_ruleset_with_faults_gets_no_parts(run: Run, tiny: Path) -> None:
    (tiny / "play.rules").write_text("turn:\n    nonsense\n", encoding="utf-8")
    done = run("new", "scenario", "other", "--of", tiny)
    assert done.code == 1
    assert not (tiny / "scenarios" / "other.yaml").exists()
