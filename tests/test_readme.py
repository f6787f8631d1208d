"""The README's commands are the ones that .ci/run runs, and its Python session is true."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8")

INSTALL_AND_PLAY, INSTALL_AND_TEST = re.findall(r"^```sh\n(python3 -m venv .*)\n```$", README, re.MULTILINE)


def steps(command: str) -> list[list[str]]:
    """The commands that && joins, as words."""
    return [shlex.split(part) for part in command.split(" && ")]


def ci_commands() -> list[list[str]]:
    """The commands of .ci/run's steps, as words, without the names of the steps."""
    found = re.findall(r'^ *(?:step|need) "[^"]*" (.+)$', CI, re.MULTILINE)
    return [shlex.split(line) for line in found]


def without_quiet(command: list[str]) -> list[str]:
    return [word for word in command if word != "-q"]


@pytest.mark.parametrize("block", [INSTALL_AND_PLAY, INSTALL_AND_TEST])
def test_ci_runs_the_commands_of_the_readme_in_their_order(block: str) -> None:
    run = iter([without_quiet(c) for c in ci_commands()])
    for command in steps(block):
        assert command in run, f".ci/run does not run {shlex.join(command)} (or not in this order)"


def test_the_readme_plays_and_tests() -> None:
    assert steps(INSTALL_AND_PLAY)[-1][:2] == [".venv/bin/grognard", "play"]
    assert steps(INSTALL_AND_TEST)[-1] == [".venv/bin/python", "-m", "pytest", "-n", "auto"]


def test_commands_shown_in_the_readme_exist() -> None:
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
