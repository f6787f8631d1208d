"""The command line itself: what is offered, exit codes, politeness."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import interpreter
from interpreter.cli.main import list_command_names
from tests.patience import PATIENCE
from tests.tiny import write

from .conftest import ROOT, Run

COMMANDS = [
    "align",
    "ask",
    "check",
    "compare",
    "compile",
    "diff",
    "docs",
    "explain",
    "export",
    "fit",
    "fmt",
    "learn",
    "list",
    "lsp",
    "migrate",
    "new",
    "odds",
    "play",
    "profile",
    "rank",
    "record",
    "replay",
    "report",
    "serve",
    "show",
    "simulate",
    "sweep",
    "table",
    "test",
    "verify",
]


def test_command_names_equal_documented_list() -> None:
    assert list_command_names() == COMMANDS


def test_help_names_every_command(run: Run) -> None:
    done = run("--help")
    assert done.code == 0
    assert all(f"\n    {name} " in done.out for name in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help(run: Run, command: str) -> None:
    done = run(command, "--help")
    assert done.code == 0
    assert f"grognard {command}" in done.out


def test_no_command_lists_first_steps(run: Run) -> None:
    done = run()
    assert done.code == 0
    assert "grognard --help" in done.out


def test_unknown_command_is_wrong_usage_with_hint(run: Run) -> None:
    done = run("chek", "napoleon")
    assert done.code == 2
    assert "did you mean `check`" in done.err
    assert done.out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("check",),
        ("simulate", "napoleon", "-n", "none"),
        ("list", "--format", "xml"),
        ("simulate", "napoleon", "-n", "0"),
        ("play", "napoleon", "--seed", "x"),
        ("simulate", "napoleon", "--seed", "9" * 200),
        ("list", "--nonsense"),
    ],
)
def test_wrong_arguments_are_wrong_usage(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert done.out == ""


@pytest.mark.parametrize("command", [("show",), ("simulate",), ("play",), ("test",), ("explain", "x", "1")])
def test_ruleset_that_is_not_there_is_wrong_usage(run: Run, command: tuple[str, ...]) -> None:
    done = run(command[0], "napoleom", *command[2:])
    assert done.code == 2
    assert "napoleon" in done.err
    assert done.out == ""


def test_version_option_prints_version(run: Run) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert run("--version").out == f"grognard {project['version']}\n"
    assert interpreter.__version__ == project["version"]


def test_package_exports_public_names_and_no_others() -> None:
    for name in interpreter.__all__:
        assert getattr(interpreter, name) is not None
    with pytest.raises(AttributeError):
        _ = interpreter.nonsense
    assert "load" in dir(interpreter)


def test_help_imports_no_heavy_module() -> None:
    code = (
        "import sys; from interpreter.cli.main import main; main(['--help']); "
        "heavy = ('yaml', 'lark', 'jsonschema', 'interpreter.api.game', 'platformdirs'); "
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.endswith("[]\n")


def test_closed_pipe_is_not_error(tiny: Path) -> None:
    command = f"{sys.executable} -m interpreter show napoleon rulebook | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False, cwd=ROOT, timeout=PATIENCE)
    assert done.stdout.startswith("0-a")
    assert done.stderr == ""


def test_scenario_without_ruleset_suggests_usage(run: Run) -> None:
    told = run("play", "napoleon", "jena").err
    assert "--scenario jena" in told
    assert "use --scenario" not in run("play", "napoleon", "jena", "wagram").err


def test_names_of_rules_are_explained_with_their_place_and_paragraphs(run: Run, tmp_path: Path) -> None:
    rules = "define strong(a: army) [1.1] = a.score > 3\nturn:\n    for a in armies: nothing\n"
    folder = write(tmp_path, rules)
    told = run("explain", str(folder), "strong").out
    assert told.startswith("define strong(a: side) -> flag\n  declared in ") and ".rules:1\n" in told
    assert "  1.1: One." in told and "1.1 1.1" not in told
    assert "attribute side.score: int" in run("explain", str(folder), "score").out
    assert "did you mean `strong`" in run("explain", str(folder), "strng").err


@pytest.mark.parametrize(
    ("words", "left_out"),
    [
        (["--version"], "interpreter.cli.commands."),
        ([], "interpreter.cli.commands."),
        (["--help"], "interpreter.passes"),
        (["--lang", "ja", "-h"], "asyncio"),
    ],
)
def test_words_without_command_import_no_more_than_they_show(words: list[str], left_out: str) -> None:
    script = (
        f"import sys; sys.argv[1:] = {words!r}\n"
        "import interpreter.__main__\n"
        "try:\n    interpreter.__main__.run()\nexcept SystemExit:\n    pass\n"
        f"print([name for name in sys.modules if name.startswith({left_out!r})], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, input="")
    assert done.stderr.strip() == "[]" and done.stdout.strip()


def test_list_of_ruleset_says_which_commands_show_it(run: Run) -> None:
    done = run("list", "denain-1712")
    assert done.code == 2 and "choose from" not in done.err
    assert "`denain-1712` is a ruleset" in done.err and "grognard show denain-1712" in done.err
    assert "`gmaes` is not a list; write `rulesets` or `games`" in run("list", "gmaes").err


def test_compile_stops_after_pass_of_python_alone(run: Run) -> None:
    rules = ROOT / "tests/bench/classics/connect_four"
    before, after = run("compile", rules), run("compile", rules, "--stop-after", "static_tables")
    assert before.code == after.code == 0
    assert "static.0" in after.out and "static.0" not in before.out
