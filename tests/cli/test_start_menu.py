"""Test `grognard` without a command: a menu on a terminal, a list of commands without one."""

from __future__ import annotations

import io
import itertools

import pytest

from interpreter.cli import start_menu
from interpreter.cli.main import main
from tests.recordings import assert_recorded, lines_with


class Keyboard(io.StringIO):
    """Input that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def own_games(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def test_menu_lists_commands_without_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    assert main([]) == 0
    told = capsys.readouterr().out
    assert "grognard learn napoleon" in told
    assert "grognard play napoleon --scenario niemen --side france=greedy" in told
    assert "--- Step 1" not in told, "the input is not read"
    assert main(["--lang", "ja"]) == 0
    assert "次のどれかを打って始めてください" in capsys.readouterr().out


def test_menu_runs_choice_and_asks_again_after_invalid_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", Keyboard("nine\n99\n1\n"))
    run: list[list[str]] = []
    assert start_menu.run_menu("", lambda words: run.append(list(words)) or 0) == 0
    assert run == [["learn", "napoleon"]]
    assert_recorded(capsys.readouterr().out)


@pytest.mark.parametrize(("typed", "expected"), [("\n", [["learn", "napoleon"]]), ("q\n", []), ("x\ny\nz\n", [])])
def test_menu_takes_first_entry_for_enter_and_never_ends_silently(
    typed: str, expected: list[list[str]], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", Keyboard(typed))
    run: list[list[str]] = []
    assert start_menu.run_menu("", lambda words: run.append(list(words)) or 0) == 0
    assert run == expected
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("Type a number") if typed == "q\n" else "Learn" in last or "No entry was chosen" in last


def test_menu_explains_extras_that_are_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start_menu, "find_spec", lambda name: None)
    lines = start_menu.list_missing_extras(lambda text, **values: text.format(**values))
    assert len(lines) == 2
    assert all("pip install" in line for line in lines)
    assert not any(entry.command[0] == "serve" for entry in start_menu.list_menu_entries(""))


def test_lesson_at_prompt_takes_only_its_orders(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = [
        "",
        "look austria",
        "look rhine",
        "",
        "show me",
        "look austria",
        "",
        "",
        "",
        "try",
        "reinforcement",
        "move and fight",
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([*typed, "undo", "5", "leave", "quit"]) + "\n"))
    assert main(["learn", "napoleon"]) == 0
    told = capsys.readouterr().out
    assert "Type: look Austria" in told
    assert_recorded(lines_with(told, "`try`", "`quit`"))
    assert "That is possible too, but this lesson is about a battle." in told
    assert told.count("--- Step 9 of 21") == 2, "after the order, and again after undo"


class Pupil(io.StringIO):
    """A keyboard that types the last command printed by the lesson, or `show me` without one."""

    def __init__(self, screen: io.StringIO) -> None:
        super().__init__()
        self.screen, self.read, self.typed = screen, 0, list[str]()

    def readline(self, size: int | None = -1, /) -> str:
        text = self.screen.getvalue()
        told, self.read = text[self.read :], len(text)
        lines = [line.partition("Type: ")[2] for line in told.splitlines() if line.strip().startswith("Type: ")]
        is_over = "The lesson is over." in told or len(self.typed) > 99
        waits = "Press Enter to go on." in told
        self.typed.append("quit" if is_over else "" if waits else lines[-1] if lines else "show me")
        return self.typed[-1] + "\n"


@pytest.mark.parametrize(
    ("ruleset", "typed"),
    [("napoleon", ["move 2", "Confederation of the Rhine"]), ("denain-1712", ["Regiment du Roi"])],
)
def test_lesson_at_prompt_is_completed_by_typing_its_commands(
    ruleset: str, typed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = io.StringIO()
    pupil = Pupil(screen)
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setattr("sys.stdin", pupil)
    assert main(["learn", ruleset]) == 0
    assert "The lesson is over." in screen.getvalue(), screen.getvalue()[-2000:]
    assert f"Play a game of your own with:\n  grognard play {ruleset} --scenario " in screen.getvalue()
    if ruleset == "napoleon":
        told = screen.getvalue().partition("--- Step 14")[2].partition("--- Step 15")[0]
        assert "First attack (France, Austria): 6 1 4" in told, "the next step tells about these dice"
        others = screen.getvalue().partition("--- Step 16")[2].partition("--- Step 17")[0]
        assert "English unit are now face-down" in others and "== Order Phase" not in told + others, "others in brief"
    else:
        told = screen.getvalue().partition("--- Step 16")[2].partition("--- Step 17")[0]
        assert "Small-arms fire (Allies, Albemarle 1): 9" in told, "a reply to the attack is part of it"
    assert {*typed} <= {*pupil.typed}
    for before, words in itertools.pairwise(pupil.typed):
        assert words not in typed or before != "show me", "unlisted orders are shown without a request"


def test_learn_names_games_that_have_lesson(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn"]) == 0
    told = capsys.readouterr().out
    assert "grognard learn denain-1712" in told
    assert "21 steps, about 10 minutes: grognard learn napoleon" in told


def test_help_hint_and_back_in_lesson_list_accepted_commands(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = ["help all", "help", "hint", "help me", "", "back", "back", "attack", "quit"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(typed) + "\n"))
    assert main(["learn", "napoleon"]) == 0
    told = capsys.readouterr().out
    for refused in ("steps  ", "try [MARK]", "mark NAME", "save [FILE]", "redo  ", "for example: do nothing"):
        assert refused not in told, refused
    assert "the bot `greedy` would choose" not in told
    assert told.count("Press Enter to go on.") == 4, "at the first step, for `hint` and `help me`, and after `back`"
    assert "One step back." in told
    assert "This is the first step." in told
    assert "attack Confederation of the Rhine" in told


def test_lesson_in_other_language_shows_english_commands(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\nlook rhine\nquit\n"))
    assert main(["learn", "napoleon", "--lang", "ja"]) == 0
    told = capsys.readouterr().out
    assert "（look rhine）" in told
    assert "ステップ3/21" in told
