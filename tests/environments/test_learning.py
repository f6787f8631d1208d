"""A learner of a kept library learns the sample game; docs/environments.md shows its curve and a short example."""

from __future__ import annotations

import pytest

from interpreter.facade.game import check
from tests.environments.rulesets import BENCH, WITHOUT

FORD = BENCH.parents[1] / "docs" / "lab" / "ford"


def test_the_sample_game_is_sound() -> None:
    assert check(FORD, odd=True) == ()


@pytest.mark.soak
def test_a_table_learns_to_beat_random_play() -> None:
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
