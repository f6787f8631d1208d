"""Designs are balanced, and what a sample says agrees with what all combinations say."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from interpreter.experiments.sweep.designs import build_full_design, build_one_factor_design, sample_design
from interpreter.experiments.sweep.effects import compute_effects
from interpreter.experiments.sweep.factors import VALUE, Factor
from interpreter.experiments.sweep.outcome_associations import find_associations
from interpreter.simulation.seeds import derive_seed

FACTORS = tuple(Factor(f"f{n}", VALUE, ("0", "1", "2"), "0") for n in range(4))
TRUE = {("f0", "1"): 3.0, ("f0", "2"): 6.0, ("f1", "2"): -4.0}


def made_up(point: tuple[str, ...], game: int) -> float:
    """Return a score with noise of the point and of the seed, single effects, and an interaction of two factors."""
    noise = derive_seed(1, *point, game) / 2**63 - 0.5 + 4 * (derive_seed(2, game) / 2**63)
    both = 2.0 if point[2] == "1" and point[3] == "1" else 0.0
    return noise + both + sum(TRUE.get((f"f{n}", value), 0.0) for n, value in enumerate(point))


def effects(design):  # type: ignore[no-untyped-def]
    found = compute_effects(design, {p: {n: made_up(p, n) for n in range(40)} for p in design.points}, False)
    assert found is not None
    return found


def test_sample_is_evenly_spread() -> None:
    design = sample_design(FACTORS, 27, 5)
    assert len(set(design.points)) == 27 and design.possible == 81
    for n in range(4):
        assert all(7 <= count <= 11 for count in Counter(p[n] for p in design.points).values())
    assert sample_design(FACTORS, 27, 5) == design != sample_design(FACTORS, 27, 6)
    assert sample_design(FACTORS, 1000, 5).points == build_full_design(FACTORS).points


def test_values_of_sample_do_not_go_together() -> None:
    """Check that values of two factors meet about as often as by chance: twelve factors, twenty points."""
    factors = tuple(Factor(f"f{n}", VALUE, ("0", "1"), "0") for n in range(12))
    points = sample_design(factors, 20, 3).points
    assert len(set(points)) == 20 and all(sum(p[n] == "1" for p in points) == 10 for n in range(12))
    alike = [sum(p[n] == p[m] for p in points) for n, m in combinations(range(12), 2)]
    assert min(alike) >= 8 and max(alike) <= 12
    assert sum(abs(count - 10) for count in alike) / len(alike) < 1


def test_each_design_finds_true_effects() -> None:
    for design, off in (
        (build_full_design(FACTORS), 0.35),
        (sample_design(FACTORS, 36, 1), 0.9),
        (build_one_factor_design(FACTORS), 0.35),
    ):
        for effect in effects(design).single:
            wanted = TRUE.get((effect.paths[0], effect.values[0]), 0.0)
            if effect.paths[0] in ("f0", "f1"):
                assert abs(effect.mean - wanted) < off, (design.sort, effect)
                assert effect.interval.excludes_zero == bool(wanted) or design.sort == "sample"


def test_sample_agrees_with_whole() -> None:
    whole = {(e.paths, e.values): e for e in effects(build_full_design(FACTORS)).single}
    part = {(e.paths, e.values): e for e in effects(sample_design(FACTORS, 40, 2)).single}
    assert whole.keys() == part.keys()
    assert all(abs(whole[key].mean - part[key].mean) < 0.8 for key in whole)


def test_two_changes_that_work_on_each_other_are_found() -> None:
    found = effects(build_full_design(FACTORS))
    sure = [e for e in found.pairs if e.interval.excludes_zero]
    assert [(e.paths, e.values) for e in sure] == [(("f2", "f3"), ("1", "1"))]
    assert abs(sure[0].mean - 2.0) < 0.3
    assert not effects(build_one_factor_design(FACTORS)).pairs_known


def test_deciding_cell_is_distinguished_from_others() -> None:
    games = []
    for n in range(300):
        six, one = (derive_seed(n, part) % 6 for part in ("six", "one"))
        counts = {("cell", "t[die 6]", "a"): six, ("cell", "t[die 1]", "a"): 5, ("cell", "u[die 1]", "a"): one}
        games.append((0, counts | {("cell", "u[die 2]", "a"): 5}, float(six + derive_seed(n, "luck") % 4 > 4)))
    found = {d.name: d for d in find_associations(games)}
    assert found["t[die 6]"].interval.low > 0.1
    assert not found["u[die 1]"].interval.excludes_zero
