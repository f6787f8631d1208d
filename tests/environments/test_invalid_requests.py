"""Test that invalid requests to an environment raise the project's own errors with a message."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.environments import openspiel, pettingzoo
from interpreter.environments.extras import require_modules
from interpreter.files.installing import get_install_command
from interpreter.runtime.errors import SetupError
from tests.environments.rulesets import CLASSICS, WITHOUT
from tests.tiny import write

np = pytest.importorskip("numpy", reason=WITHOUT)
pytest.importorskip("pettingzoo", reason=WITHOUT)
pytest.importorskip("pyspiel", reason=WITHOUT)
CLASSIC = CLASSICS["tic_tac_toe"]
DOORS = {"env": pettingzoo.env, "parallel_env": pettingzoo.parallel_env, "load_game": openspiel.load_game}
Door = Callable[..., Any]

WRONG: dict[str, tuple[Any, dict[str, Any], str]] = {
    "a number": (3, {}, "found 3"),
    "another word": (CLASSIC, {"scenaro": "x"}, "did you mean `scenario`"),
    "no such scenario": (CLASSIC, {"scenario": "x"}, "scenario `x`; available here: `standard`"),
    "a scenario by number": (CLASSIC, {"scenario": 5}, "scenario, found 5"),
    "no such option": ("napoleon", {"options": ["nelsen"]}, "did you mean `nelson`"),
    "options by number": (CLASSIC, {"options": 5}, "mapping or a list"),
    "other actions": (CLASSIC, {"actions": "some"}, "`actions` must be"),
    "no whole actions": ("napoleon", {"actions": "whole"}, "cannot be numbered: .*; use actions=words"),
    "no such level": ("napoleon", {"prizes": {"emporer": 1}}, "did you mean `emperor`"),
    "a prize too large": ("napoleon", {"prizes": {"emperor": 2}}, "to 1, found 2"),
    "a prize that is none": ("napoleon", {"prizes": {"emperor": float("nan")}}, "from 0 to 1"),
    "prizes by number": (CLASSIC, {"prizes": 1}, "`prizes` as level: number"),
    "no cycles": (CLASSIC, {"max_cycles": 0}, "1 to 10000000, found 0"),
    "cycles in words": (CLASSIC, {"max_cycles": "ten"}, "`max_cycles` must be"),
}


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
@pytest.mark.parametrize(("ruleset", "given", "told"), WRONG.values(), ids=WRONG)
def test_wrong_request_is_refused(door: Door, ruleset: Any, given: dict[str, Any], told: str) -> None:
    with pytest.raises(SetupError, match=told):
        door(ruleset, **given)


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_invalid_ruleset_is_reported_as_by_other_commands(door: Door, tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match="a built-in ruleset"):
        door("nonsense")
    folder = write(tmp_path, "turn:\n    phase only:\n        nonsense\n")
    with pytest.raises(RulesetError) as found:
        door(folder)
    assert found.value.diagnostics[0].line > 0


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_variants_and_scenarios_are_rulesets_too(door: Door) -> None:
    folder = Path(__file__).resolve().parents[2] / "rulesets" / "napoleon"
    made = [door(folder / "variants" / "grande_armee.yaml"), door(str(folder / "scenarios" / "jena.yaml"))]
    settings = [(m if door is openspiel.load_game else m.unwrapped).setting for m in made]
    assert [s.program.id for s in settings] == ["grande_armee", "napoleon"]
    assert settings[1].scenario == "jena"


def test_seeds_and_modes_of_pettingzoo() -> None:
    for given, told in (
        ({"seed": "x"}, "`seed` must be a whole"),
        ({"seed": 2**600}, "`seed` must be from"),
        ({"render_mode": "rgb"}, "`render_mode` must be"),
        ({"seed": np.array([3])}, "found array"),
        ({"masks": "nowhere"}, "`masks` must be"),
        ({"illegal": "nothing"}, "`illegal` must be"),
    ):
        with pytest.raises(SetupError, match=told):
            pettingzoo.env(CLASSIC, **given)
    made = pettingzoo.raw_env(CLASSIC)
    with pytest.raises(SetupError, match="call reset first"):
        made.step(0)
    with pytest.raises(SetupError, match="found 1\\.5"):
        made.reset(seed=1.5)
    made.reset()
    with pytest.raises(SetupError, match="`action` must be"):
        made.step("x")
    for told in (made.meaning, openspiel.load_game(CLASSIC).meaning):
        for number in (9, -1):
            with pytest.raises(SetupError, match=f"`action` must be from 0 to 8, found {number}"):
                told(number)
    for asked in (made.observe, made.observation_space, made.action_space):
        with pytest.raises(SetupError, match="did you mean `first_0`"):
            asked("first")


def test_game_of_unloaded_ruleset_is_rejected() -> None:
    from interpreter.environments.openspiel_game import replay_actions

    with pytest.raises(SetupError, match="`grognard_other` is not loaded"):
        replay_actions("grognard_other", ())


def test_missing_libraries_are_named() -> None:
    require_modules("json")
    with pytest.raises(SetupError, match=re.escape(get_install_command("rl"))):
        require_modules("json", "no_such_library")
    program = (
        "import sys\n"
        "sys.modules['pyspiel'] = sys.modules['pettingzoo'] = None\n"
        "from interpreter.environments import openspiel, pettingzoo\n"
        "for door in (openspiel.load_game, pettingzoo.env, pettingzoo.parallel_env):\n"
        "    try:\n"
        "        door('napoleon')\n"
        "    except Exception as fault:\n"
        "        print(type(fault).__name__, fault)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    told = done.stdout.splitlines()
    assert [re.findall("`(\\w+)`", line) for line in told] == [["pyspiel"], ["pettingzoo"], ["pettingzoo"]]
    assert all(line.startswith("SetupError ") and get_install_command("rl") in line for line in told)
