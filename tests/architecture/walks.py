"""Walks: the modules of the interpreter on the call stack when a request reaches one of its stations.

A walk is what a reader follows from a question to its answer: the functions that call each other down to each station,
not everything that runs meanwhile. `python -m tests.architecture.walks` prints the modules of each walk.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from tests.architecture.trees import PACKAGE
from tests.tiny import write

_SUFFIX = ".py"


@dataclass
class Walk:
    """A walk: the modules met so far by station.

    A station is a "module:qualified name" of the interpreter, or several alternatives separated by "|".
    """

    stations: tuple[str, ...]
    met: dict[str, set[str]] = field(default_factory=dict)

    @property
    def modules(self) -> list[str]:
        """Return the modules on the way to any station."""
        return sorted(set().union(*self.met.values()))

    @property
    def missed(self) -> set[str]:
        """Return the stations that were not reached."""
        return {station for station in self.stations if not any(one in self.met for one in station.split("|"))}

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Follow what runs inside, in threads that start inside too."""
        stations = {one for station in self.stations for one in station.split("|")}
        names = {station.rpartition(":")[2].rpartition(".")[2] for station in stations}

        def look(frame: FrameType, event: str, _arg: Any) -> None:
            if event == "call" and frame.f_code.co_name in names:
                station = f"{_module_of(frame)}:{frame.f_code.co_qualname}"
                if station in stations and station not in self.met:
                    self.met[station] = set(_modules_below(frame))

        threading.setprofile(look)
        sys.setprofile(look)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # type: ignore[arg-type]


def _module_of(frame: FrameType) -> str:
    path = Path(frame.f_code.co_filename)
    if path.suffix != _SUFFIX or PACKAGE not in path.parents:
        return ""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def _modules_below(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        if module := _module_of(frame):
            yield module
        frame = frame.f_back


_CHART = """\
kind: tables
format: 1
tables:
  hits:
    axes:
      odds: {ratio: ["1-2", "1-1", "2-1"], round: down, below: clamp, above: clamp}
      roll: die
    gives: int
    cells:
      "1-2": [0, 0, 0, 0, 1, 1]
      "1-1": [0, 0, 0, 1, 1, 1]
      "2-1": [0, 0, 1, 1, 1, 2]
"""
_FIGHT = """\
procedure fight(a: army):
    choose target by a "a target":
        option fire(p in units at a.home):
            require a.home != d or p.condition == worn "the units at home are fresh" [1.1]
            roll fire: die -> rolled
            report note(hits[3 / 2, rolled])
        option wait
        option rest

turn:
    phase only_phase:
        for a in armies:
            fight(a)
"""


def _write(folder: Path) -> str:
    """Write a ruleset that no cache has: its text contains the name of its folder."""
    return str(write(folder, f"# {folder}\n{_FIGHT}", {"tables.yaml": _CHART}))


def chart_cell(folder: Path) -> Walk:
    """Walk from the text of a chart's cell to the look-up of a game."""
    from interpreter.api.game import load

    walk = Walk(
        (
            "documents.reading.yaml_reader:read_yaml",
            "documents.building.table_builder:read_cell",
            "checker.expressions.lookups:check_index",
            "lowering.chart_functions:lower_lookup",
            "runtime.tables:Chart.from_data",
            "runtime.tables:ChartAxis.find",
        )
    )
    target = _write(folder)
    with walk.followed():
        game = load(target).start(seed=1)
        game.choose(game.decision.options[0])
    return walk


def requirement(folder: Path) -> Walk:
    """Walk from the text of a requirement to the line that says why an option is not legal."""
    from interpreter.api.game import load
    from tests.players.typist import Dictated, sit_down

    class _Typed(Dictated):
        def offer(self, entries: object) -> None:
            """Complete nothing."""

    walk = Walk(
        (
            "language.ast_builder:TreeReader.build_template",
            "checker.requirements:RequirementChecker.check_requirement",
            "lowering.decision_lowering:_explain_requirement",
            "play.failing_reasons:build_reason",
            "players.narration.why_lines:render_reasons",
        )
    )
    target = _write(folder)
    with walk.followed():
        rules = load(target)
        sit_down(rules, rules.start(seed=1), _Typed("wait", "why fire blue 1")).play()
    return walk


def click(folder: Path) -> Walk:
    """Walk from a choice that the page sends to the journal, the state and the scene that is sent back."""
    from starlette.testclient import TestClient

    from interpreter.api.game import load
    from interpreter.i18n.translator import get_translator
    from interpreter.ui.web.access_tokens import Keyring
    from interpreter.ui.web.application import create_application
    from interpreter.ui.web.game_channel import GameChannel
    from interpreter.ui.web.game_factory import create_game
    from interpreter.ui.web.seat_registry import SeatRegistry

    walk = Walk(
        (
            "ui.web.seat_registry:SeatRegistry.find_access",
            "runtime.machine:resume_suspended",
            "saves.journal:JournalWriter.write",
            "view_model.option_view:build_option",
            "view_model.to_json:to_json",
        )
    )
    served = create_game(load(_write(folder)), get_translator(""), {}, seed=1)
    registry, channel = SeatRegistry(Keyring(b"k" * 32)), GameChannel(served, "game")
    registry.open(channel)
    secret = next(link.secret for link in registry.list_links(channel) if link.role == "host")
    with walk.followed(), TestClient(create_application(registry), base_url="http://127.0.0.1:8000") as client:
        headers = {"Authorization": f"Bearer {secret}"}
        key = served.game.decision.options[0].key
        assert client.post("/api/choose", json={"key": key}, headers=headers).status_code == 200
    served.close()
    return walk


WALKS: dict[str, Callable[[Path], Walk]] = {"chart cell": chart_cell, "requirement": requirement, "click": click}


if __name__ == "__main__":
    for name, follow in WALKS.items():
        with tempfile.TemporaryDirectory() as folder:
            walk = follow(Path(folder))
        print(f"{name}: {len(walk.modules)} modules; not reached: {', '.join(sorted(walk.missed)) or 'none'}")
        for station, modules in walk.met.items():
            print(f"  {station}: {', '.join(sorted(modules))}")
