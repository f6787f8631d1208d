"""A learner of a kept library learns the sample game; docs/environments.md shows its curve and a short example."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import check
from tests.environments.rulesets import BENCH, WITHOUT

FORD = BENCH.parents[1] / "docs" / "lab" / "ford"


def test_sample_game_is_sound() -> None:
    assert check(FORD, odd=True) == ()


@pytest.mark.soak
def test_table_learns_to_beat_random_play() -> None:
    pytest.importorskip("pyspiel", reason=WITHOUT)
    from tests.docs.learning import School

    school = School(seed=2)
    before = school.wins(400)
    school.learn(3000)
    after = school.wins(400)
    assert before["red"] < 200
    assert after["red"] > 300
    assert school.known > 2000


def test_equal_seeds_learn_alike() -> None:
    pytest.importorskip("pyspiel", reason=WITHOUT)
    from tests.docs.learning import School

    schools = []
    for _ in range(2):
        school = School(seed=4)
        school.learn(20)
        schools.append(school)
    tables = [[dict(t) for t in s.learners[0]._q_values.values()] for s in schools]
    assert tables[0] == tables[1]
    assert schools[0].known > 20


@pytest.mark.soak
def test_network_learns_to_beat_random_play(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib", reason="needs sb3-contrib")
    from tests.docs import blocks
    from tests.docs.deep_learning import PAGE, learnt

    _model, school = learnt(blocks.write_all(PAGE, tmp_path), 50_000, 2, 100)
    (_none, _at, before), *_between, (_all, _seconds, after) = school.points
    assert all(tried.won < 30 for tried in before)
    assert all(then.won > first.won + 20 for first, then in zip(before, after, strict=True))
