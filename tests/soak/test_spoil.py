"""Single faults in the files of the shipped game are caught, told at the right place, and never crash."""

from __future__ import annotations

import pytest

from tests.soak.faults import MAKERS
from tests.soak.spoil import report, run


def test_one_fault_of_each_sort_is_caught() -> None:
    counts = run(len(MAKERS), seed=7)
    told = report(counts)
    assert sum(c.crashed for c in counts.values()) == 0, told
    assert all(c.caught == c.made for c in counts.values()), told
    assert sum(c.located for c in counts.values()) >= 0.9 * len(MAKERS), told


@pytest.mark.soak
@pytest.mark.parametrize("seed", [11, 12, 13])
def test_many_faults_are_survived(seed: int) -> None:
    counts = run(20 * len(MAKERS), seed)
    told = report(counts)
    made = sum(c.made for c in counts.values())
    assert sum(c.crashed for c in counts.values()) == 0, told
    assert sum(c.caught for c in counts.values()) >= 0.99 * made, told
    assert sum(c.located for c in counts.values()) >= 0.95 * made, told
