"""Test single faults in shipped and sample rulesets: caught, located and cured; few always, many on request."""

from __future__ import annotations

import random

import pytest

from tests.soak.silent_faults import SILENT
from tests.soak.single_faults import SOUND, TEXT, Tally, bench, make, report, run
from tests.soak.spoiling import ROOT


def whole(part: str, tallies: dict[tuple[str, str], Tally]) -> Tally:
    found = Tally()
    for (own, _sort), tally in tallies.items():
        if own == part:
            found.add(tally)
    return found


def test_few_in_small_games() -> None:
    tallies = run(12, 3, ("tests/bench/border", "tests/bench/classics/breakthrough"))
    told, text = report(tallies), whole(TEXT, tallies)
    assert text.made >= 10 and text.crashed == 0, told
    assert text.caught == text.made, told
    assert text.restored <= text.cured or text.cured <= text.caught, told


def test_slips_that_leave_ruleset_sound_change_one_place_of_one_file(tmp_path) -> None:
    """Check that each silent fault changes the one place that it names; the figures of missed faults depend on it."""
    at, chance, made = bench("rulesets/napoleon", tmp_path), random.Random(5), 0
    for sort, maker in SILENT.items():
        fault = make(at.book, sort, maker, chance)
        if fault is None:
            continue
        made += 1
        before, after = at.book.files[fault.file].split("\n"), fault.text.split("\n")
        assert fault.sort == sort and abs(len(before) - len(after)) <= 1
        assert sum(1 for one, other in zip(before, after, strict=False) if one != other) == 1 or len(before) != len(
            after
        )
    assert made >= 8
    assert (ROOT / "rulesets" / "napoleon").is_dir()


@pytest.mark.soak
def test_single_faults_are_caught_and_located() -> None:
    tallies = run(500, 1)
    told, text, sound = report(tallies), whole(TEXT, tallies), whole(SOUND, tallies)
    assert text.crashed == sound.crashed == 0, told
    assert text.caught >= 0.99 * text.made, told
    assert text.located >= 0.95 * text.made, told
    assert sound.made > 100
