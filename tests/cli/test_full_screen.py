"""`play --screen` at a real (pseudo) terminal: begun, ended by signals, and where there can be no full screen."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.files.installing import get_install_command
from interpreter.saves.journal import read_journal
from interpreter.saves.storage import count_decisions
from interpreter.ui.tui import play
from tests.patience import PATIENCE

pexpect = pytest.importorskip("pexpect", reason="needs pexpect")
pytest.importorskip("textual", reason="the extra `screen` is not installed")
ROOT = Path(__file__).resolve().parents[2]


def spawn(folder: Path, *arguments: str, **environment: str):
    around = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    around |= {"PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "XDG_DATA_HOME": str(folder / "data")}
    child = pexpect.spawn(
        sys.executable,
        ["-m", "interpreter", "play", "napoleon", "--seed", "3", *arguments],
        env={**around, **environment},
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=PATIENCE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    child.delaybeforesend = None
    return child


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_terminate_signal_restores_terminal_and_keeps_journal(name: str, tmp_path: Path) -> None:
    game = tmp_path / "game.jsonl"
    child = spawn(tmp_path, "--screen", "--save", str(game))
    child.expect_exact("\x1b[?1049h")  # another screen than the shell's
    child.expect_exact("which activity?")
    child.send("5\r")
    child.expect_exact("units move")
    assert not termios.tcgetattr(child.child_fd)[3] & termios.ICANON
    child.kill(getattr(signal, name))
    child.expect(pexpect.EOF)
    assert termios.tcgetattr(child.child_fd)[3] & termios.ICANON, "lines are typed again"
    child.close()
    assert child.exitstatus == 128 + getattr(signal, name)
    after = child.before
    assert "\x1b[?1049l" in after and "\x1b[?25h" in after and "\x1b[?1000l" in after
    assert "Traceback" not in after
    assert name == "SIGHUP" or "Stopped; to continue:" in after, "a player with a terminal sees how to continue"
    assert count_decisions(read_journal(game)) == 1


def test_leaving_full_screen_shows_how_to_resume(tmp_path: Path) -> None:
    child = spawn(tmp_path, "--screen")
    child.expect_exact("which activity?")
    child.send("\x11")
    child.expect_exact("\x1b[?1049l")
    child.expect_exact("Stopped; to continue:")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_dumb_terminal_gets_plain_lines_and_word_why(tmp_path: Path) -> None:
    child = spawn(tmp_path, "--screen", TERM="dumb")
    child.expect_exact("(TERM=dumb)")
    child.expect_exact("which activity?")
    child.expect_exact("player> ")
    child.sendline("quit")
    child.expect(pexpect.EOF)
    assert "\x1b" not in child.before
    child.close()
    assert child.exitstatus == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there it is drawn on the standard output")
def test_redirected_errors_select_plain_lines(monkeypatch) -> None:
    monkeypatch.setattr(play, "is_terminal", lambda stream: stream is not sys.stderr)
    assert "(2>)" in str(play.find_obstacle())


def test_game_without_terminal_uses_plain_lines(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    bots = ["--side", "france=random", "--side", "allies=random"]
    assert main(["play", "napoleon", "--screen", "--seed", "1", *bots]) == 0
    told = capsys.readouterr()
    assert "not a terminal" in told.err
    assert "\x1b" not in told.out and "Morale" in told.out


def test_missing_screen_extra_names_install_command(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(play, "find_obstacle", lambda: None)
    monkeypatch.setattr(play, "is_installed", lambda: False)
    assert main(["play", "napoleon", "--screen"]) == 2
    told = capsys.readouterr()
    assert get_install_command("screen") in told.err and not told.out
    assert main(["play", "napoleon", "--screen", "--lang", "ja"]) == 2
    assert get_install_command("screen") in capsys.readouterr().err
    assert list(tmp_path.rglob("*.jsonl")) == [], "no game was begun"


def test_lesson_on_full_screen_names_missing_extra(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(play, "find_obstacle", lambda: None)
    monkeypatch.setattr(play, "is_installed", lambda: False)
    assert main(["learn", "napoleon", "--screen"]) == 2
    assert get_install_command("screen") in capsys.readouterr().err


@pytest.mark.parametrize("more", [["--ascii"], ["--screen", "--plain"]])
def test_incompatible_arguments_are_rejected(more: list[str], capsys) -> None:
    assert main(["play", "napoleon", *more]) == 2
    assert more[0] in capsys.readouterr().err


def test_plain_play_does_not_load_textual(tmp_path: Path) -> None:
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from interpreter.cli.main import main; main(['list']); "
            "import interpreter.cli.commands.play; print('textual' in sys.modules, 'rich' in sys.modules)",
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    assert told.stdout.strip().endswith("False False")


def test_no_color_screen_opens_without_any_colour(tmp_path: Path) -> None:
    child = spawn(tmp_path, "--screen", NO_COLOR="1")
    child.expect_exact("which activity?")
    shown = child.before
    child.send("5\r")
    child.expect_exact("units move")
    shown += child.before
    child.send("\x11")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    parts = {part for found in re.findall(r"\x1b\[([\d;]*)m", shown) for part in found.split(";")}
    assert parts <= {"", "0", "1", "2", "3", "4", "7", "39", "49"}, "39 and 49 are the terminal's own colours"


@pytest.mark.parametrize("typed", [b"\xe9", b"\x93\xfa", b"\xe9\x93\xfa", b"\xff\xfe"])
def test_screen_leaves_out_keys_that_are_not_utf8(typed: bytes, tmp_path: Path) -> None:
    child = spawn(tmp_path, "--screen")
    child.expect_exact("which activity?")
    os.write(child.child_fd, typed)
    child.send("5\r")
    child.expect_exact("units move")
    child.send("\x11")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0 and "Traceback" not in child.before
