"""A worker that is killed in the middle of a batch is made up for."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from interpreter.simulation.executors import SerialExecutor

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(find_spec("distributed") is None, reason="the extra `lab` is not installed"),
]


@pytest.mark.parametrize("jobs", [2, 3])
def test_killed_worker_leaves_games_unchanged(jobs: int) -> None:
    from interpreter.simulation.dask_executor import open_dask_executor
    from tests.soak.clusters import digest, plan_of, play

    plan = plan_of("napoleon", "random")
    whole = play(plan, range(120), SerialExecutor())
    with open_dask_executor(jobs) as crew:
        found = play(plan, range(120), crew, kill_after=30)
    assert [game.number for game in found] == list(range(120))
    assert digest(found) == digest(whole)
