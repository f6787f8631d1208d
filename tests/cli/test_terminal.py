"""Test the plain runner at a real (pseudo) terminal: completion, history, undo, interrupts, narrow and poor windows."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.diagnostics.terminal_text import measure_cells
from tests.patience import PATIENCE

from .conftest import Run

pexpect = pytest.importorskip("pexpect", reason="needs pexpect")
ROOT = Path(__file__).resolve().parents[2]
ESCAPES = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]")
PROMPT = "Red player> "

pytestmark = pytest.mark.skipif(not hasattr(pexpect, "spawn"), reason="needs a pseudo-terminal")


# A bot that thinks until a file exists, with another delay before the notice that it thinks.
THINKING = """
import sys, time
from pathlib import Path
from interpreter.__main__ import run
from interpreter.ui.repl import terminal as screen
from interpreter.players.bots.greedy import GreedyPlayer
screen._PATIENCE = {delay}
quickly = GreedyPlayer.choose
def choose(*given):
    while not Path("may_choose").exists():
        time.sleep(0.01)
    return quickly(*given)
GreedyPlayer.choose = choose
sys.exit(run())
"""


def spawn(target: str | Path, *arguments: str, columns: int = 80, program: str = "", **environment: str):
    # the window size that the test run itself sets (parallel runs do so in COLUMNS) must not matter
    around = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    child = pexpect.spawn(
        sys.executable,
        [*(("-c", program) if program else ("-m", "interpreter")), "play", str(target), *arguments],
        env={**around, "PYTHONPATH": str(ROOT), "TERM": "dumb", **environment},
        dimensions=(40, columns),
        encoding="utf-8",
        timeout=PATIENCE,
        # a test run in the background ignores interrupts, and child processes inherit that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    child.delaybeforesend = None
    return child


def seated(target: str | Path, *arguments: str, program: str = "", **environment: str):
    """Yield a player at the first prompt."""
    child = spawn(target, *arguments, program=program, **environment)
    child.expect(PROMPT)
    return child


def left(child) -> str:
    """Quit, and return what the program prints at the end."""
    child.sendline("quit")
    return farewell(child)


def farewell(child) -> str:
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert "Traceback" not in child.before
    return str(child.before)


def test_words_and_commands_are_completed_lines_come_back_and_moves_are_undone(tiny: Path) -> None:
    child = seated(tiny, "--seed", "1")
    child.send("res\t\r")
    child.expect("rest")
    child.expect("Blue player> ")
    child.send("\x1b[A\r")  # the line before
    child.expect(PROMPT)
    child.send("posi\t\r")
    child.expect("On the map:")
    child.expect(PROMPT)
    child.sendline("undo")
    child.expect("Undone:")
    child.expect("Blue player> ")
    assert "Stopped; to continue:" in left(child)


def test_waiting_for_bot_is_explained(tiny: Path) -> None:
    """Check that the notice disappears again, and that a bot that answers at once shows none."""
    child = seated(tiny, "--seed", "1", "--side", "blues=greedy", program=THINKING.format(delay=0.1))
    child.sendline("rest")
    child.expect_exact("Blue player is thinking ...")
    Path("may_choose").touch()
    child.expect_exact("\r" + " " * len("Blue player is thinking ...") + "\r")
    child.expect(PROMPT)
    left(child)
    child = seated(tiny, "--seed", "1", "--side", "blues=greedy", program=THINKING.format(delay=PATIENCE))
    child.sendline("rest")
    child.expect(PROMPT)
    assert "thinking" not in child.before + left(child)


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["interrupt", "end of input"])
def test_stopping_by_key_loses_nothing(run: Run, tiny: Path, key: str) -> None:
    child = seated(tiny, "--seed", "1", "--save", "evening.journal")
    child.sendline("rest")
    child.expect("Blue player> ")
    child.send(key)
    assert "Stopped; to continue: grognard play" in farewell(child)
    assert "Blue player> " in run("play", "--resume", "evening.journal", fed="quit\n").out


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_narrow_window_breaks_no_line_in_two(tiny: Path, columns: int, lang: str) -> None:
    child = spawn(tiny, "--seed", "1", "--lang", lang, columns=columns)
    prompt = f"\n{PROMPT}"  # at the start of a line: the words in angle brackets of the help end as it does
    child.expect_exact(prompt)
    seen = child.before
    for typed in ("help", "what red", "look the middle", "why march", "tables"):
        child.sendline(typed)
        child.expect_exact(prompt)
        seen += f"\n{child.before}"
    child.sendline("quit")
    seen += farewell(child)
    lines = [ESCAPES.sub("", line) for line in seen.replace("\r", "").split("\n")]
    told = [line for line in lines if not line.rstrip().endswith((">", "quit")) and "--resume" not in line]
    assert max(measure_cells(line) for line in told) < columns


def test_no_colours_and_no_control_sequences(tiny: Path) -> None:
    child = seated(tiny, "--seed", "1", "--side", "blues=random", NO_COLOR="1")
    child.sendline("rest")
    child.expect(PROMPT)
    child.sendline("quit")
    assert "\x1b" not in child.before + farewell(child)


def test_japanese_game_on_ascii_terminal_ends_without_error(tiny: Path) -> None:
    child = spawn(tiny, "--seed", "1", "--lang", "ja", PYTHONIOENCODING="ascii", LC_ALL="C")
    child.expect("> ")
    assert "bug in grognard" not in left(child)


def test_closed_pipe_ends_command_quietly(tiny: Path) -> None:
    """Check that the command ends quietly when the reader of its output exits after the first line."""
    child = subprocess.Popen(
        [sys.executable, "-m", "interpreter", "play", str(tiny), "--side", "reds=random", "--side", "blues=random"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdout is not None and child.stderr is not None
    child.stdout.readline()
    child.stdout.close()
    assert b"Traceback" not in child.stderr.read()
    child.stderr.close()
    assert child.wait(timeout=PATIENCE) in (0, 1)
