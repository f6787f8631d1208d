"""A tiny made-up ruleset, and commands run in this process or in one of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.main import main
from tests.folders import write_files
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]

DOCUMENTS = {
    "ruleset.yaml": """\
kind: ruleset
format: 1
id: tiny
title: {en: Two Hills, ja: 二つの丘}
version: "1"
languages: [en, ja]
reconstructed: the map was lost
dice: {die: {faces: 6}}
sides:
  attributes:
    home: place
    spirit: {type: int, default: 3, low: 0, clamp: true, changes: true}
  members:
    reds: {name: {en: Reds, ja: 赤軍}, home: west}
    blues: {name: {en: Blues, ja: 青軍}, home: east}
seats:
  red_seat: {name: Red player, sides: [reds]}
  blue_seat: {name: Blue player, sides: [blues]}
game: {weather: {type: int, default: 0}}
options:
  fog: {name: Fog, default: false, cite: "2.0"}
""",
    "rulebook.yaml": """\
kind: rulebook
format: 1
paragraphs:
  "1.0": {title: Marching, text: A unit marches to a neighbouring place.}
  "2.0": {title: Fog, text: In fog nobody marches to the middle.}
  "3.0": {title: Storming, text: A six takes spirit from the enemy.}
  "4.0": {title: End, text: A side without spirit has lost.}
""",
    "map.yaml": """\
kind: map
format: 1
places:
  attributes: {height: {type: int, default: 0, source: reconstructed, note: by eye}}
  members:
    west: {name: West Hill, height: 2}
    middle: {name: The Middle}
    east: {name: East Hill, height: 2}
links:
  members:
    west-middle: {between: [west, middle], source: reconstructed, note: a guess}
    middle-east: {between: [middle, east]}
holding:
  pool: {}
""",
    "pieces.yaml": """\
kind: pieces
format: 1
classes:
  band:
    many: bands
    alike: true
    counters: [owner]
    attributes: {owner: side, tired: {type: flag, lasts: turn}}
pieces:
  red: {class: band, count: 2, owner: reds, at: west}
  blue: {class: band, count: 2, owner: blues, at: east}
""",
    "tables.yaml": """\
kind: tables
format: 1
values: {loss: 1}
tables:
  storm_table:
    name: Storm table
    cite: "3.0"
    source: reconstructed
    note: a six felt right
    axes: {die: die}
    gives: {one_of: [nothing_done, success]}
    cells: [nothing_done, nothing_done, nothing_done, nothing_done, nothing_done, success]
""",
    "play.rules": """\
event shaken(s: side) "{s} lose heart"

turn [4.0]:
    phase acting "Acting" [1.0]:
        for s in sides:
            act(s)
    phase ending "Ending" [4.0]:
        for s in sides:
            if s.spirit == 0:
                end game won by foe(s).seat [4.0]

define foe(s: side) = if s == side("reds") then side("blues") else side("reds")

procedure act(s: side) [1.0]:
    choose action by s "what do {s} do?" [1.0]:
        option march(b in {x in bands where x.owner == s}, goal in neighbours(b.at)) "march to {goal}" [1.0]:
            require fog: not (playing fog and goal == place("middle")) "the fog hides {goal}" [2.0]
            set b.tired = true
            move b to goal [1.0]
        option storm [3.0]:
            roll storm: die for s -> result
            if storm_table[result] == success:
                lower foe(s).spirit by value.loss [3.0]
                report shaken(foe(s)) [3.0]
        option rest
""",
    "scenarios/usual.yaml": """\
kind: scenario
format: 1
id: usual
title: The usual start
default: true
setup:
  game: {weather: 1}
""",
    "tests/storming.yaml": """\
kind: cases
format: 1
cases:
  T1:
    title: a six takes spirit
    rules: ["3.0"]
    given: {position: start}
    when:
      - call: act
        args: {s: reds}
        dice: {storm: [6]}
        choices:
          - action: storm
    then:
      sides: {blues: {spirit: 2}}
""",
}


@dataclass(frozen=True)
class Done:
    """The exit code and output of a command."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Done]


@pytest.fixture
def tiny(own_folders: None) -> Path:
    """Return the folder of the tiny ruleset relative to the test's own: all tests know the program by this name."""
    return write_files(Path("tiny"), DOCUMENTS)


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep saved games and cached programs in the test's own folder."""
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print no progress on stderr, which a slow machine would do after half a minute."""
    for module in ("interpreter.cli.output", "interpreter.cli.commands.simulate"):
        monkeypatch.setattr(f"{module}._LOG_SECONDS", inf)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs a command in this process, with lines fed to it."""

    def run_here(*arguments: str | Path, fed: str = "") -> Done:
        import io

        monkeypatch.setattr(sys, "stdin", io.StringIO(fed))
        code = main([str(a) for a in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Done(code, captured.out, captured.err)

    return run_here


@pytest.fixture
def run_apart() -> Run:
    """Return a function that runs a command in a process of its own."""

    def run_there(*arguments: str | Path, fed: str = "", **environment: str) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "interpreter", *(str(a) for a in arguments)],
            input=fed,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return run_there
