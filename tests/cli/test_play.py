"""Games at a pipe: what is told, what is asked, and that nothing typed does harm."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.recordings import assert_recorded, lines_with

from .conftest import Run

BOTS = ("--side", "reds=random", "--side", "blues=random")


def test_bots_play_readable_game(run: Run, tiny: Path) -> None:
    done = run("play", tiny, *BOTS, "--seed", "3")
    assert done.code == 0
    assert done.out.startswith("Two Hills (seed 3)\n")
    assert "=== Turn 1\n" in done.out
    assert "== Acting [1.0]" in done.out
    assert re.search(r"^(Reds|Blues): march to The Middle .*\[1\.0\]$", done.out, re.MULTILINE)
    assert re.search(r"^    Storm \((Reds|Blues)\): [1-6]$", done.out, re.MULTILINE)
    assert re.search(r"^=== Won by (Red|Blue) player$", done.out, re.MULTILINE)


def test_endless_bots_are_stopped(run: Run, tiny: Path) -> None:
    done = run("play", tiny, *BOTS, "--seed", "3", "--max-decisions", "2")
    assert done.code == 0
    assert "decisions in a row" in done.out
    assert "--max-decisions 20\n" in done.out
    assert "=== Won by" not in done.out
    longer = run("play", tiny, *BOTS, "--seed", "3", "--max-decisions", "20000").out
    assert "=== Won by" in longer and "in a row" not in longer


def test_same_seed_is_same_game(run: Run, tiny: Path) -> None:
    first, again, other = (run("play", tiny, *BOTS, "--seed", n).out for n in ("5", "5", "6"))
    assert first == again
    assert first.replace("seed 5", "") != other.replace("seed 6", "")


def test_bots_play_real_game(run: Run) -> None:
    done = run("play", "napoleon", "--side", "france=random", "--side", "allies=random", "--seed", "1")
    assert done.code == 0
    assert "=== Won by" in done.out or "drawn" in done.out
    assert done.err == ""


def test_words_of_another_language(run: Run, tiny: Path) -> None:
    assert "赤軍：" in run("play", tiny, *BOTS, "--seed", "3", "--lang", "ja").out
    unknown = run("play", tiny, *BOTS, "--seed", "3", "--lang", "xx")
    assert unknown.code == 0
    assert "translation into `xx`" in unknown.err


def test_position_is_shown_once_turn_and_on_request(run: Run) -> None:
    fed = "changes\ndone anyway\ndone\ndone\nchanges\nposition\nquit\n"
    out = run("play", "denain-1712", "--seed", "4", fed=fed).out
    assert_recorded(lines_with(out, "`position`"))
    assert out.count("Pieces on the map:") == 1, "a summary when the game begins"
    assert out.count("\nOn the map:") == 1, "every place on request"
    assert "\nTurn 1, Preparatory artillery\n\nFrench: which battery fires?" in out


def test_person_is_asked(run: Run, tiny: Path) -> None:
    done = run("play", tiny, "--seed", "1", fed="storm\n3\nquit\n")
    assert done.code == 0
    assert "Turn 1, Acting" in done.out
    assert "West Hill: Reds 2" in done.out
    assert "what do Reds do? [1.0]" in done.out
    assert "  1  march to The Middle" in done.out
    assert "what do Blues do? [1.0]" in done.out
    assert "Red player> " in done.out
    assert "Blue player> " in done.out


@pytest.mark.parametrize("typed", ["storm", "STORM", "2", "２", "sto\nyes", "  storm  "])
def test_ways_to_name_option(run: Run, tiny: Path, typed: str) -> None:
    assert "Storm (Reds)" in run("play", tiny, "--seed", "1", fed=typed + "\n").out


def test_key_names_option(run: Run, tiny: Path) -> None:
    out = run("play", tiny, "--seed", "1", fed="march(reds@west, middle)\n").out
    assert "West Hill to The Middle" in out


NONSENSE = [
    "",
    "0",
    "-1",
    "99999999999999999999",
    "blah",
    "rest now",
    "march(",
    "march(reds@east, middle)",
    "why",
    "why nonsense",
    "why march",
    "why march east",
    "why march reds@west west",
    "rule",
    "rule 99",
    "look",
    "look nowhere",
    "log x",
    "log 0",
    "\x1b[2J",
    "undo",
    "redo",
    "undo 3",
    "steps",
    "back",
    "save /no/such/x",
    "1e3",
    "march(reds@west, middle, middle)",
    "position please",
    "why march b=reds@west goal=nowhere",
    "why march c=1",
    "'; drop",
    "(" * 500,
    "%s%n",
    "rule " + "9" * 5000,
]


def test_invalid_input_keeps_game(run: Run, tiny: Path) -> None:
    done = run("play", tiny, "--seed", "1", fed="\n".join([*NONSENSE, "rest", "quit", ""]))
    assert done.code == 0
    assert "\x1b" not in done.out
    assert done.out.count("Red player> ") == len(NONSENSE) + 1
    assert done.out.count("Blue player> ") == 1
    assert "bug in grognard" not in done.out + done.err


def test_why_not_names_rule(run: Run, tiny: Path) -> None:
    done = run("play", tiny, "--seed", "1", "--option", "fog", fed="why march reds@west middle\nwhy rest\nquit\n")
    assert "the fog hides The Middle [2.0]" in done.out
    assert "this is legal now" in done.out
    refused = run("play", tiny, "--seed", "1", "--option", "fog", fed="march(reds@west, middle)\n")
    assert "the fog hides The Middle [2.0]" in refused.out


def test_questions_about_rules_and_places(run: Run, tiny: Path) -> None:
    out = run("play", tiny, "--seed", "1", fed="rule 3.0\nlook the middle\nlook west\nlog\nhelp\nposition\n").out
    assert "3.0  Storming\n  A six takes spirit from the enemy." in out
    assert "  touches:\n    West Hill: Reds 2\n    East Hill: Blues 2\n" in out
    assert "height: 2" in out
    assert_recorded(lines_with(out, "To choose"))


def test_prompt_undoes_and_redoes_choice(run: Run, tiny: Path) -> None:
    out = run("play", tiny, "--seed", "1", fed="march(reds@west, middle)\nundo\nposition\nredo\nposition\n").out
    before, after = out.split("Undone:")[1].split("Redone:")
    assert "  West Hill: Reds 2\n" in before
    assert "  West Hill: Reds 1\n" in after


def test_undo_takes_bots_choice_along(run: Run, tiny: Path) -> None:
    out = run("play", tiny, "--seed", "1", "--side", "blues=random", fed="rest\nundo\nundo anyway\nlog\n").out
    assert "\n  decided: Blues\n" in out
    assert "Undone: rest" in out
    assert out.count("Red player> ") == 5


def test_undo_stops_at_dice_unless_forced(run: Run, tiny: Path) -> None:
    out = run("play", tiny, "--seed", "1", fed="storm\nundo\nundo anyway\nquit\n").out
    assert "\n  dice: storm\n" in out and "undo anyway\n" in out
    assert out.count("what do Reds do?") == 2


def test_many_options_are_asked_one_after_another(run: Run, tiny: Path) -> None:
    rules = tiny / "play.rules"
    rules.write_text(
        rules.read_text(encoding="utf-8")
        + """\
        option lay(stones in 1..30, spot in places) "lay {stones} at {spot}":
            nothing [1.0]
""",
        encoding="utf-8",
    )
    out = run("play", tiny, "--seed", "1", fed="lay\n31\nback\nlay\n17\nwest hill\nquit\n").out
    assert "lay (90 ways)" in out
    assert_recorded(out)
    assert "Blue player> " in out


def test_end_of_input_shows_how_to_resume(run: Run, tiny: Path) -> None:
    done = run("play", tiny, "--seed", "1", fed="rest\n")
    assert done.code == 0
    path = re.search(r": grognard play \S+ --resume (\S+)$", done.out, re.MULTILINE)
    assert path is not None
    assert path[1] == "tiny-1"
    again = run("play", tiny, "--resume", path[1], fed="rest\n")
    assert again.code == 0
    assert "what do Blues do?" in again.out
    assert run("verify", path[1], "--ruleset", tiny).code == 0


def test_saved_game_is_resumed(run: Run, tiny: Path, tmp_path: Path) -> None:
    journal = tmp_path / "evening.journal"
    first = run("play", tiny, "--seed", "1", "--side", "blues=random", "--save", journal, fed="rest\nrest\n")
    assert first.code == 0
    assert run("play", tiny, "--save", journal).code == 2
    again = run("play", tiny, "--resume", journal, fed="save\nsave copy.journal\nquit\n")
    assert "resumed from" in again.out
    assert f"Saved in {journal}" in again.out
    assert again.out.count("> ") == 3, "the bot of the journal plays on"
    assert run("verify", tmp_path / "copy.journal", "--ruleset", tiny).code == 0


def test_save_overwrites_only_copies_of_game(run: Run, tiny: Path, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("dear friend", encoding="utf-8")
    other = tmp_path / "other.journal"
    run("play", tiny, "--seed", "2", "--save", other, fed="rest\n")
    before = other.read_bytes()
    typed = [f"save {letter}", f"save {other}", f"save {tmp_path}", "save twice.journal", "rest", "save twice.journal"]
    told = run("play", tiny, "--seed", "1", "--save", tmp_path / "mine.journal", fed="\n".join([*typed, "quit", ""]))
    assert told.out.count("give another name") == 3
    assert (letter.read_text(encoding="utf-8"), other.read_bytes()) == ("dear friend", before)
    assert told.out.count("Saved in twice.journal") == 2


def test_players_can_change_on_resume(run: Run, tiny: Path, tmp_path: Path) -> None:
    journal = tmp_path / "a.journal"
    run("play", tiny, "--seed", "1", "--save", journal, fed="rest\n")
    done = run("play", tiny, "--resume", journal, *BOTS)
    assert done.code == 0
    assert "=== Won by" in done.out


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("--side", "redz=random"), "did you mean `reds`"),
        (("--side", "reds"), "expected SIDE=PLAYER"),
        (("--side", "reds=randm"), "did you mean `random`"),
        (("--scenario", "usal"), "usual"),
        (("--side", "reds=random", "--side", "red_seat=human"), "already"),
        (("--option", "fogg"), "fog"),
        (("--option", "fog=maybe"), "on or off"),
        (("--resume", "none.journal"), "not a file"),
        (("--resume", "x", "--seed", "1"), "leave out"),
    ],
)
def test_missing_target_is_reported(run: Run, tiny: Path, arguments: tuple[str, ...], hint: str) -> None:
    done = run("play", tiny, *arguments)
    assert (done.code, done.out) == (2, "")
    assert hint in done.err


def test_game_of_another_ruleset_is_not_resumed(run: Run, tiny: Path, tmp_path: Path) -> None:
    journal = tmp_path / "a.journal"
    run("play", tiny, "--seed", "1", "--save", journal, fed="rest\n")
    done = run("play", "napoleon", "--resume", journal)
    assert done.code == 2
    assert "a game of `tiny`" in done.err


def test_game_is_played_without_autosave(run: Run, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "blocked").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "blocked"))
    done = run("play", tiny, "--seed", "1", fed="rest\n")
    assert done.code == 0
    assert_recorded(lines_with(done.out, "Stopped"))


def test_rules_fault_shows_line_and_seed(run: Run, tiny: Path) -> None:
    rules = tiny / "play.rules"
    rules.write_text(
        rules.read_text(encoding="utf-8").replace(
            "option rest\n", ('option rest:\n            assert 1 == 2 "rest is broken"\n')
        ),
        encoding="utf-8",
    )
    done = run("play", tiny, "--seed", "7", fed="rest\n")
    assert done.code == 1
    assert "rest is broken" in done.err
    assert "tiny/play.rules:" in done.err
    assert "seed: 7" in done.err


def test_interrupt_at_prompt_says_how_to_continue(run: Run, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from interpreter.ui.repl.terminal import Terminal

    def interrupted(self: Terminal, prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(Terminal, "read", interrupted)
    done = run("play", tiny, "--seed", "1")
    assert done.code == 0
    assert "Stopped; to continue: grognard play" in done.out


def test_torn_journal_is_resumed_and_continued(run: Run, tiny: Path, tmp_path: Path) -> None:
    journal = tmp_path / "a.journal"
    run("play", tiny, "--seed", "1", "--save", journal, fed="rest\nstorm\nrest\nstorm\n")
    content = journal.read_bytes()
    for end in range(content.index(b'"d":2'), len(content), 37):
        journal.write_bytes(content[:end])
        done = run("play", tiny, "--resume", journal, fed="undo\nstorm\nrest\nredo\n")
        assert done.code == 0
        assert run("verify", journal, "--ruleset", tiny).code == 0, end


SHARES = ["russia:one,austria:two", "²", "99999999999999999999", "1,2,3", "0", "/", "+", "a/b", "9"]


@pytest.mark.parametrize("given", SHARES)
def test_invalid_seat_split_is_reported(run: Run, given: str) -> None:
    done = run("play", "napoleon", "--option", f"multiplayer={given}", "--seed", "1")
    assert done.code == 2
    assert "multiplayer" in done.err
    assert "bug in grognard" not in done.err


def test_people_and_bots_share_seat_in_any_mix(run: Run) -> None:
    shared = "multiplayer=austria+england/prussia+russia+spain"
    players = ("--side", "france=greedy", "--side", "allied_1=random")
    done = run("play", "napoleon", "--option", shared, *players, "--seed", "2")
    assert done.code == 0
    assert "Second Allied player> " in done.out
    assert "First Allied player> " not in done.out
