"""Python files in a ruleset's folder are never executed, in this process or in a worker."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
USAGE = 2  # the exit code of a command line that is refused
SHADOWED = ("pickle", "struct", "signal", "json", "argparse", "yaml", "numpy", "readline")


@pytest.fixture
def hostile_folder(tmp_path) -> Path:
    """Return a copy of a shipped ruleset with Python files that leave a mark when they are imported."""
    folder = tmp_path / "napoleon"
    shutil.copytree(ROOT / "rulesets/napoleon", folder)
    for name in SHADOWED:
        mark = f"open({str(tmp_path / 'executed')!r}, 'a').write({name!r})"
        (folder / f"{name}.py").write_text(f"{mark}\nraise SystemExit\n")
    return folder


def environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONSAFEPATH", "PYTHONPATH")}
    return {**kept, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(folder.parent / "data")}


@pytest.mark.parametrize(
    "command",
    [
        ("check", "."),
        ("simulate", ".", "-n", "2", "--jobs", "2"),
        ("rank", ".", "--bots", "random,greedy", "-n", "1", "--jobs", "2", "--max-decisions", "5"),
        ("test", ".", "--mutate", "--sample", "2", "--jobs", "2"),
    ],
    ids=lambda command: command[0],
)
def test_command_in_ruleset_folder_imports_nothing_from_it(hostile_folder, command) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "interpreter", *command],
        cwd=hostile_folder,
        env=environment(hostile_folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE * 3,
    )
    assert not (hostile_folder.parent / "executed").exists()
    assert done.returncode != USAGE, done.stderr


def test_serve_in_ruleset_folder_imports_nothing_from_it(hostile_folder) -> None:
    pytest.importorskip("starlette", reason="the extra `board` is not installed")
    server = subprocess.Popen(
        [sys.executable, "-m", "interpreter", "serve", ".", "--side", "france=greedy"],
        cwd=hostile_folder,
        env=environment(hostile_folder),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        base, _, secret = server.stdout.readline().strip().partition("/?seat=")
        headers = {"Authorization": f"Bearer {secret}"}
        asked = urllib.request.Request(f"{base}/api/news?after=nothing", headers=headers)
        urllib.request.urlopen(asked, timeout=PATIENCE).read()
        options = urllib.request.Request(f"{base}/api/ask/odds?key=pass", headers=headers)
        with suppress(urllib.error.HTTPError):  # a worker starts for it, whatever it answers
            urllib.request.urlopen(options, timeout=PATIENCE)
    finally:
        server.terminate()
        server.wait(PATIENCE)
    assert not (hostile_folder.parent / "executed").exists()
