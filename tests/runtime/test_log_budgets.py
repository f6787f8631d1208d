"""Limits of what one choice logs, of texts, and of decisions in a row that leave no choice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from interpreter import load
from interpreter.api.game import Rules
from interpreter.play.failing_reasons import iter_arguments
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.limits import LIMITS
from tests.tiny import MAP, write
from tests.witness.budgets import budget

TURN = "turn:\n    phase only_phase:\n        ask(reds) -> n\n"
LONG = MAP.format(place="").replace("a: {height: 1}", f"a: {{height: 1, name: {'x' * 20_000}}}")


@contextmanager
def limited(**limits: int) -> Iterator[None]:
    """Set limits other than `steps` for the block."""
    usual = {name: getattr(LIMITS, name) for name in limits}
    for name, value in limits.items():
        object.__setattr__(LIMITS, name, value)
    try:
        yield
    finally:
        for name, value in usual.items():
            object.__setattr__(LIMITS, name, value)


def rules_of(folder: Path, rules: str, files: dict[str, str] | None = None) -> Rules:
    return load(write(folder, rules, files))


@pytest.mark.parametrize(
    ("rules", "event"),
    [
        (f'event there(p: place) "{{p}}"\n{TURN}        for k in 1..99:\n            report there(a)\n', "there"),
        (
            f'event big(s: list of int) "{{s}}"\n{TURN}        for k in 1..99:\n            report big(1..9999)\n',
            "big",
        ),
    ],
)
def test_events_of_one_choice_reject_too_many_letters(tmp_path: Path, rules: str, event: str) -> None:
    game = rules_of(tmp_path, rules, {"map.yaml": LONG}).start(seed=1)
    before = game.hash()
    with pytest.raises(RuleFault, match=f"the event `{event}` takes up to") as caught:
        game.pick(0)
    assert (caught.value.file, caught.value.line, caught.value.is_exhausted) == ("tiny/own.rules", 1, True)
    assert game.hash() == before and game.count() == 4, "the choice is taken back"


def test_events_within_letters_are_logged(tmp_path: Path) -> None:
    rules = f'event there(p: place) "{{p}}"\n{TURN}        for k in 1..20:\n            report there(a)\n'
    game = rules_of(tmp_path, rules, {"map.yaml": LONG}).start(seed=1)
    game.pick(0)
    assert sum(len(event.text()) for event in game.log) > 400_000


def test_telling_work_of_one_choice_is_counted_in_play_and_odds_alike(tmp_path: Path) -> None:
    rules = f"event big(s: list of int)\n{TURN}        for k in 1..60:\n            report big(1..999)\n"
    model = rules_of(tmp_path, rules)
    with (
        budget(20_000),
        pytest.raises(RuleFault, match="the reports of this one choice take more than 200,000 steps"),
    ):
        model.start(seed=1).pick(0)


def test_text_rejects_too_many_letters(tmp_path: Path) -> None:
    names = " ".join(["{a}"] * 60)
    rules = f'turn:\n    phase only_phase:\n        choose one by reds "{names}":\n            option go: nothing\n'
    game = rules_of(tmp_path, rules + "            option stay: nothing\n", {"map.yaml": LONG}).start(seed=1)
    assert game.decision is not None
    assert game.decision.prompt.startswith("one") and "at most 1,000,000 are told" in game.decision.prompt
    game.pick(0)


def test_many_dice_are_logged_as_face_counts(tmp_path: Path) -> None:
    rules = TURN + "        roll volley: 5000 of die -> thrown\n        set game.total = sum(thrown)\n"
    game = rules_of(tmp_path, rules).start(seed=1)
    game.pick(0)
    told = " ".join(event.text() for event in game.log)
    assert len(told) < 1_000 and "times)" in told


SOLE = {
    "a row that cannot be ended": "choose c by reds repeat until done:\n            option y: nothing\n"
    '            finish require false "never"\n',
    "a loop": "while game.total < 5:\n            choose c by reds:\n                option y: nothing\n",
    "turns": "choose c by reds:\n            option y: nothing\n",
}


@pytest.mark.parametrize("body", SOLE.values(), ids=SOLE)
@pytest.mark.parametrize("record", [True, False])
def test_sole_options_in_row_have_limit(tmp_path: Path, body: str, record: bool) -> None:
    game = rules_of(tmp_path, f"turn:\n    phase only_phase:\n        {body}").start(seed=1, record=record)
    with (
        limited(forced=50),
        pytest.raises(RuleFault, match="nobody has had a choice in the last 50 decisions") as caught,
    ):
        for _ in range(60):
            game.pick(0)
    assert caught.value.file == "tiny/own.rules" and caught.value.line and caught.value.is_exhausted


def test_sole_options_between_choices_are_allowed(tmp_path: Path) -> None:
    rules = TURN + "        choose c by reds:\n            option y: nothing\n"
    with limited(forced=1):
        game = rules_of(tmp_path, rules).start(seed=1)
        for _ in range(6):
            game.pick(0)
    assert len(game.keys) >= 6 and not game.over


def test_arguments_of_explanation_have_limit(tmp_path: Path, monkeypatch: Any) -> None:
    option = "            option y(a in 1..99, b in 1..99): nothing\n"
    rules = f"turn:\n    phase only_phase:\n        choose c by reds:\n{option}"
    game = rules_of(tmp_path, rules).start(seed=1)
    decision = game.program.decisions[game.state.pending[0]]
    function = next(name for name in game.program.functions if name.endswith("_0_1"))[:-2]

    def arguments() -> int:
        return sum(1 for _ in iter_arguments(game.state, decision.options[0], function, ()))

    assert arguments() == 99 * 99
    monkeypatch.setattr("interpreter.play.failing_reasons.MAX_EXAMINED_VALUES", 500)
    assert arguments() < 500
