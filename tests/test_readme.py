"""The README's commands are the ones that .ci/run runs, and its Python session is true."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from tests.docs.transcripts import played

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8")

INSTALL_AND_PLAY, INSTALL_AND_TEST = re.findall(r"^```sh\n(python3 -m venv .*)\n```$", README, re.MULTILINE)


def steps(command: str) -> list[list[str]]:
    """Return the commands that && joins, as words."""
    return [shlex.split(part) for part in command.split(" && ")]


def ci_commands() -> list[list[str]]:
    """Return the commands of .ci/run's steps, as words, without the names of the steps."""
    found = re.findall(r'^ *(?:step|need) "[^"]*" (.+)$', CI, re.MULTILINE)
    return [shlex.split(line) for line in found]


def without_quiet(command: list[str]) -> list[str]:
    return [word for word in command if word != "-q"]


@pytest.mark.parametrize("block", [INSTALL_AND_PLAY, INSTALL_AND_TEST])
def test_ci_runs_commands_of_readme_in_their_order(block: str) -> None:
    run = iter([without_quiet(c) for c in ci_commands()])
    for command in steps(block):
        assert command in run, f".ci/run does not run {shlex.join(command)} (or not in this order)"


def test_readme_plays_and_tests() -> None:
    assert steps(INSTALL_AND_PLAY)[-1][:2] == [".venv/bin/grognard", "play"]
    assert steps(INSTALL_AND_TEST)[-1] == [".venv/bin/python", "-m", "pytest", "-n", "auto"]


def test_first_command_is_game_against_bot_and_needs_nobody() -> None:
    command = steps(INSTALL_AND_PLAY)[-1][1:]
    told = played(command, "")
    assert "Your aim: " in told and "bots finish the game" in told
    assert "=== Won by" in told or "drawn" in told
    assert "Why:" in told


def test_exchange_at_prompt_matches_program() -> None:
    """Check that the lines of the exchange appear in order; lines between them may be left out."""
    exchange = re.search(r"^```text\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert exchange is not None
    shown = exchange[1].splitlines()
    typed = [line.partition("> ")[2] for line in shown if "player> " in line]
    typed += [line.rpartition(" ")[2] for line in shown if "(yes or no)" in line]
    said = iter(played(steps(INSTALL_AND_PLAY)[-1][1:], "\n".join([*typed, "quit", ""])).splitlines())
    for line in shown:
        assert line in said, f"the program does not say: {line}"


def test_commands_shown_in_readme_exist() -> None:
    shown = set(re.findall(r"^grognard (\w+)", README, re.MULTILINE))
    assert shown <= {
        "list",
        "check",
        "play",
        "replay",
        "verify",
        "simulate",
        "test",
        "odds",
        "show",
        "explain",
        "diff",
        "fmt",
        "new",
        "lsp",
    }


def test_python_session_is_true() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0
