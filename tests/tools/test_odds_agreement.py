"""Test exact odds against many resolutions played out with dice, in both shipped games."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Container
from fractions import Fraction
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from interpreter.api.game import Rules, load
from interpreter.cli.main import main
from interpreter.play.game import Game
from interpreter.play.position_editing import convert_procedure_arguments
from interpreter.runtime import machine
from interpreter.runtime.decisions import Decision
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.drafts import DraftEnd
from interpreter.runtime.state import clone_state
from interpreter.tools.odds.outcome_graph import EventRecorder
from interpreter.tools.odds.resolution import Odds, compute_call_odds, compute_option_odds
from interpreter.tools.odds.results import Comparison, ResolutionOutcome

ROOT = Path(__file__).resolve().parents[2]
ERRORS = 4.5  # standard errors by which a share may differ from its probability
QUICK = 800  # resolutions that are played out; the soak plays 100,000
FEW = 40  # rarer results are merged: their shares are far from normal

Asked = tuple[Game, str, dict[str, Any]]


@cache
def rules(name: str) -> Rules:
    return load(name, checked=True)


def melee() -> Asked:
    """Return two units against one, with reaction fire, disorder, rout, retreat and advance to follow."""
    game = rules("denain-1712").start(empty=True)
    game.edit(
        pieces={
            "douglas": {"at": "3201", "facing": "sw"},
            "piemont": {"at": "3202", "facing": "nw"},
            "picardie": {"at": "3101", "facing": "e"},
        }
    )
    return game, "melee", {"s": "french", "attackers": ["piemont", "picardie"], "targets": ["3201"]}


def musketry() -> Asked:
    game = rules("denain-1712").start(empty=True)
    game.edit(
        pieces={
            "douglas": {"at": "3201", "facing": "sw", "condition": "disordered"},
            "piemont": {"at": "3202", "facing": "nw"},
        }
    )
    return game, "shoot", {"u": "piemont", "v": "douglas"}


def battle() -> Asked:
    """Return three against four, with losses, routs and rout moves to follow."""
    game = rules("napoleon").start(empty=True)
    game.edit(
        groups={"italy": {"france": {"face_up": 2, "face_down": 1}, "austria": {"face_up": 3, "face_down": 1}}},
        sides={"austria": {"war_status": "war"}},
    )
    return game, "battle", {"a": "italy", "active": "france"}


def marches() -> Asked:
    game = rules("napoleon").start(empty=True)
    game.edit(groups={"italy": {"france": {"face_up": 3, "face_down": 2}}})
    units = {u: {"forced": True} for u, v in game.view()["pieces"].items() if v["at"] == "italy"}
    game.edit(pieces=units)
    return game, "forced_march_checks", {"n": "france"}


def played(asked: Asked, times: int) -> Counter[Any]:
    """Count the results of a procedure run with dice."""
    game, procedure, arguments = asked
    values = convert_procedure_arguments(game.state, procedure, arguments)
    return run_with_dice(asked, times, lambda state: machine.call(state, procedure, values))


def run_with_dice(asked: Asked, times: int, begin: Callable[[Any], None], ends: Container[str] = ()) -> Counter[Any]:
    """Count how often each result occurs with random decisions, up to a decision that ends the resolution."""
    game = asked[0]
    program = game.program
    comparison = Comparison(program, game.state, valued=False)  # the values of the seats are not compared
    marks = program.namespace["MARK"]
    first: dict[int, int] = {}
    alike = {p: first.setdefault(marks[p], p) for p, is_alike in enumerate(program.is_alike) if is_alike}
    chance = SeededDice(77)
    counted: Counter[Any] = Counter()
    for number in range(times):
        state = clone_state(game.state)
        state.dice = SeededDice(number + 1)
        recorder = EventRecorder(program, alike, frozenset())
        state.log = recorder
        begin(state)
        while state.pending is not None and Decision(state).name not in ends:
            options = Decision(state).list_raw_options()
            raw = options[chance.roll(len(options))]
            machine.answer(state, raw.fields if isinstance(raw, DraftEnd) else raw)
        counted[told(comparison.build_outcome(state, frozenset(recorder.seen)))] += 1
    return counted


def told(outcome: ResolutionOutcome) -> Any:
    return outcome.changes, outcome.events, outcome.ended


def assert_agreement(odds: Odds, counted: Counter[Any], times: int) -> None:
    expected: dict[Any, Fraction] = {}
    for result in odds.results:
        key = told(result.outcome)
        expected[key] = expected.get(key, Fraction(0)) + result.probability
    assert not set(counted) - set(expected), "a result came that has no probability"
    assert sum(expected.values()) == 1
    frequent = {k for k, p in expected.items() if p * times >= FEW}
    rest = (
        sum((p for k, p in expected.items() if k not in frequent), Fraction(0)),
        sum(n for k, n in counted.items() if k not in frequent),
    )
    pairs = [*((expected[k], counted[k]) for k in frequent), rest]
    for chance in odds.chances:
        pairs.append((chance.probability, sum(n for k, n in counted.items() if chance.raw in k[1])))
    for p, n in pairs:
        error = sqrt(float(p * (1 - p)) / times)
        assert abs(n / times - float(p)) <= ERRORS * error + 1e-12, f"{float(p)} came {n} of {times} times"


POSITIONS: list[Callable[[], Asked]] = [melee, musketry, battle, marches]


@pytest.mark.parametrize("position", POSITIONS, ids=lambda p: p.__name__)
def test_odds_agree_with_dice(position: Callable[[], Asked]) -> None:
    agree(position, QUICK)


@pytest.mark.soak
@pytest.mark.parametrize("position", POSITIONS, ids=lambda p: p.__name__)
def test_odds_agree_with_many_dice(position: Callable[[], Asked]) -> None:
    agree(position, 100_000)


def agree(position: Callable[[], Asked], times: int) -> None:
    asked = position()
    game, procedure, arguments = asked
    before = game.hash()
    odds = compute_call_odds(rules(game.program.id), game, procedure, arguments)
    assert not odds.throws
    assert game.hash() == before
    assert_agreement(odds, played(asked, times), times)


@pytest.mark.parametrize("key", ["fire(holstein_beck-1, champagne)", "attack"])
def test_odds_of_option_agree_with_dice(key: str) -> None:
    """Compare up to the decision of the option, which may be asked again."""
    game = rules("denain-1712").start(empty=True)
    game.edit(
        pieces={
            "champagne": {"at": "3115", "facing": "nw"},
            "holstein_beck-1": {"at": "3114", "facing": "se", "in_command": True},
            "holstein_beck-2": {"at": "3015", "facing": "e", "in_command": True},
        },
        formations={"holstein_beck": {"acting": True}},
    )
    game.call("combats", s="allied")
    odds = compute_option_odds(rules("denain-1712"), game, key)
    assert not odds.throws
    assert game.decision is not None
    answer = game.decision.find(key)
    counted = run_with_dice((game, "", {}), QUICK, lambda state: machine.answer(state, answer), ("combat",))
    assert_agreement(odds, counted, QUICK)


def to_battle(groups: dict[str, Any]) -> Game:
    """Return a game in which France has marched and only battles can follow."""
    game = rules("napoleon").start(empty=True)
    game.edit(groups=groups, sides={"austria": {"war_status": "war"}})
    game.call("move_combat", n="france")
    return game


def to_reaction() -> Game:
    """Return a game in which a melee has been declared and the defender may fire first."""
    game, procedure, arguments = melee()
    game.call(procedure, **arguments)
    return game


def to_initiative() -> Game:
    """Return a game at the last preparation, before the dice for the initiative."""
    game = rules("denain-1712").start(seed=5)
    while game.decision is not None and (game.decision.side, game.decision.name) != ("allied", "preparation"):
        game.choose("done")
    return game


ONE_BATTLE = {"italy": {"france": {"face_up": 3}, "austria": {"face_up": 2}}}
TWO_BATTLES = {
    "italy": {"france": {"face_up": 2}, "austria": {"face_up": 1}},
    "rhine": {"france": {"face_up": 1}, "austria": {"face_up": 2}},
}
FOLLOWING: list[tuple[Callable[[], Game], str, tuple[str, ...]]] = [
    (lambda: to_battle(ONE_BATTLE), "done", ()),
    (lambda: to_battle(TWO_BATTLES), "done", ()),
    (to_reaction, "hold_fire", ("advance",)),
    (to_reaction, "fire(piemont)", ("advance",)),
    (to_initiative, "done", ("order",)),
]


@pytest.mark.parametrize(
    ("position", "key", "ends"), FOLLOWING, ids=["one battle", "two battles", "no reaction", "reaction", "initiative"]
)
def test_odds_of_follow_ups_agree_with_dice(position: Callable[[], Game], key: str, ends: tuple[str, ...]) -> None:
    follow_and_agree(position(), key, ends, QUICK)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("position", "key", "ends"), FOLLOWING, ids=["one battle", "two battles", "no reaction", "reaction", "initiative"]
)
def test_odds_of_follow_ups_agree_with_many_dice(position: Callable[[], Game], key: str, ends: tuple[str, ...]) -> None:
    follow_and_agree(position(), key, ends, 100_000)


def follow_and_agree(game: Game, key: str, ends: tuple[str, ...], times: int) -> None:
    """Compare the odds of a choice that throws no dice itself with the dice that follow it."""
    odds = compute_option_odds(rules(game.program.id), game, key)
    assert not odds.throws
    assert len(odds.results) > 1 or len(odds.chances) > 1
    assert game.decision is not None
    answer = game.decision.find(key)
    counted = run_with_dice((game, "", {}), times, lambda state: machine.answer(state, answer), ends)
    assert_agreement(odds, counted, times)


@pytest.mark.parametrize("name", ["denain-1712", "napoleon"])
def test_any_option_may_be_asked(name: str) -> None:
    """Check that exact odds sum to one in any position, and that the game is unchanged."""
    chance = random.Random(4)
    game = rules(name).start(seed=4)
    asked = 0
    for number in range(200):
        if game.over:
            break
        decision = game.decision
        assert decision is not None
        if number % 20 == 0 and not (decision.is_draft and not decision.find_draft_ends().complete):
            before = game.hash()
            odds = compute_option_odds(rules(name), game, chance.choice(decision.options), most=150, throws=10)
            assert sum(r.probability for r in odds.results) == 1
            assert game.hash() == before
            asked += 1
        game.pick(chance.randrange(game.count()))
    assert asked > 5


def test_large_battle_is_exact() -> None:
    """Check a battle with two dozen dice on each side, of which only the sum of what each counts matters."""
    game = rules("napoleon").start(empty=True)
    game.edit(
        groups={"italy": {"france": {"face_up": 8}, "austria": {"face_up": 8}}},
        sides={"austria": {"war_status": "war"}},
    )
    odds = compute_call_odds(rules("napoleon"), game, "battle", {"a": "italy", "active": "france"})
    assert not odds.throws
    assert sum(r.probability for r in odds.results) == 1
    assert odds.positions < 10_000


@pytest.mark.parametrize("case", ["D8.4-a.c1", pytest.param("D8.4-a.c2", marks=pytest.mark.soak)])
def test_equal_questions_get_equal_answers(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Check that answers do not depend on set order: this run's hash seed against another process."""
    asked = ["odds", "denain-1712", "--position", case, "--format", "json"]
    apart = subprocess.run(
        [sys.executable, "-m", "interpreter", *asked],
        check=True,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "PYTHONHASHSEED": str(1 + (os.environ.get("PYTHONHASHSEED") == "1")),
            "PYTHONPATH": str(ROOT),
        },
    )
    assert main(asked) == 0
    assert capsys.readouterr().out == apart.stdout != ""
