from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, strategies as st

from interpreter.runtime.dice import (
    AskedDice,
    DiceExhaustedError,
    DiceSource,
    EnumeratingDice,
    InvalidDiceError,
    NextRoll,
    ScriptedDice,
    SeededDice,
)
from interpreter.tools.odds.outcome_enumeration import iter_pool_outcomes, iter_sequence_outcomes
from tests.unhurried import unhurried

D6 = (1, 2, 3, 4, 5, 6)


def test_seeded_dice_roll_pinned_faces() -> None:
    """Pinned: a journal's seed must give the same game for ever."""
    dice = SeededDice(7)
    faces = dice.roll_faces("attack", "", D6, 20)
    assert faces == [5, 2, 4, 4, 4, 5, 4, 5, 1, 2, 3, 5, 5, 5, 4, 5, 3, 2, 5, 1]
    assert dice.counter == 20


@pytest.mark.parametrize(
    ("seed", "counter", "faces", "rolls", "after"),
    [
        (0, 0, 6, [5, 5, 5, 1, 3, 3, 1, 1], 8),
        (1, 0, 6, [1, 1, 0, 2, 4, 4, 4, 4], 8),
        (-1, 0, 6, [3, 1, 4, 4, 3, 0, 5, 5], 8),
        (7, 62, 6, [0, 0, 5, 3, 4, 4, 1, 5], 71),
        (18446744073709551616, 1000000000, 10, [7, 9, 3, 3, 2, 0, 5, 3], 1000000008),
        (7, 0, 1000, [555, 933, 288, 120, 827, 222, 706, 834], 16),
        (7, 0, 100000, [46329, 2592, 22930, 39134, 12883, 89713, 57171, 2313], 24),
    ],
)
def test_seeded_dice_roll_pinned_streams_of_every_size(
    seed: int, counter: int, faces: int, rolls: list[int], after: int
) -> None:
    dice = SeededDice(seed, counter)
    assert [dice.roll(faces) for _ in rolls] == rolls
    assert dice.counter == after


def test_same_stream_under_another_hash_seed() -> None:
    code = (
        "from interpreter.runtime.dice import SeededDice\n"
        "dice = SeededDice(99)\n"
        "print([dice.roll(20) for _ in range(200)])"
    )
    path = os.pathsep.join(sys.path)
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
        ).stdout
        for seed in ("0", "1")
    }
    assert len(runs) == 1


@unhurried
@given(
    st.integers(-(2**70), 2**70),
    st.integers(0, 2**40),
    st.lists(st.integers(1, 70000), max_size=30),
    st.integers(0, 30),
)
def test_restored_state_continues_identically(seed: int, counter: int, faces: list[int], split: int) -> None:
    whole = SeededDice(seed, counter)
    expected = [whole.roll(n) for n in faces]
    first = SeededDice(seed, counter)
    got = [first.roll(n) for n in faces[:split]]
    twin = first.clone()
    second = SeededDice(first.seed, first.counter)
    rest = [second.roll(n) for n in faces[split:]]
    assert got + rest == expected
    assert [twin.roll(n) for n in faces[split:]] == rest
    assert twin.counter == second.counter == whole.counter


@unhurried
@given(st.integers(0, 2**32), st.integers(1, 2**20))
def test_rolls_are_in_range(seed: int, faces: int) -> None:
    assert 0 <= SeededDice(seed).roll(faces) < faces


def test_clone_is_independent() -> None:
    dice = SeededDice(3)
    dice.roll(6)
    twin = dice.clone()
    expected = SeededDice(3, 1).roll(6)
    assert twin.roll(6) == expected
    assert dice.counter == 1
    assert dice.roll(6) == expected


@pytest.mark.parametrize("faces", [2, 3, 6, 10, 13, 100, 200, 256, 257, 1000])
def test_dice_are_fair(faces: int) -> None:
    """Sum of (observed - expected)^2 / expected, kept exact, against its mean + 6 standard deviations."""
    rolls = 200 * faces if faces <= 256 else 100 * faces
    dice = SeededDice(2024)
    seen = Counter(dice.roll(faces) for _ in range(rolls))
    expected = Fraction(rolls, faces)
    statistic = sum((seen[f] - expected) ** 2 / expected for f in range(faces))
    freedom = faces - 1
    # mean is `freedom`, variance 2 * freedom; squares compared so that nothing is rounded
    excess = statistic - freedom
    assert excess <= 0 or excess**2 <= 72 * freedom + 200
    assert set(seen) <= set(range(faces))


def test_seeded_dice_roll_every_pair_equally_often() -> None:
    dice = SeededDice(5)
    seen = Counter((dice.roll(6), dice.roll(6)) for _ in range(36 * 200))
    statistic = sum(Fraction((seen[a, b] - 200) ** 2, 200) for a in range(6) for b in range(6))
    assert (statistic - 35) ** 2 <= 36 * 70


def test_rejection_leaves_no_bias() -> None:
    """Each face is the remainder of equally many bytes below the limit; the others are drawn again."""
    for faces in range(1, 257):
        limit = 256 - 256 % faces
        assert limit > 0
        assert set(Counter(byte % faces for byte in range(limit)).values()) == {limit // faces}
    raw = SeededDice(11)
    kept = [byte % 6 for byte in (raw.roll(256) for _ in range(5000)) if byte < 252]
    dice = SeededDice(11)
    assert [dice.roll(6) for _ in kept] == kept


def test_seeds_and_counters_out_of_range() -> None:
    SeededDice(-(2**511))
    with pytest.raises(ValueError, match="seed is too large"):
        SeededDice(2**511)
    with pytest.raises(ValueError, match="0 or more"):
        SeededDice(1, -1)


def test_named_die_gives_its_own_faces() -> None:
    faces = SeededDice(1).roll_faces("march", "", (0, 0, 7), 50)
    assert set(faces) == {0, 7}
    assert SeededDice(1).roll_faces("march", "", D6, 0) == []


def test_scripted_dice_serve_rolls_by_name_and_subject() -> None:
    dice = ScriptedDice({"march": [1, 4], "attack": {"reds": [6], "blues": [2, 2]}}, rest=[5])
    assert dice.roll_faces("march", "1st guards", D6, 2) == [1, 4]
    assert dice.roll_faces("attack", "blues", D6, 1) == [2]
    assert dice.roll_faces("weather", "", D6, 1) == [5]
    assert dice.list_unused_faces() == {"attack of reds": [6], "attack of blues": [2]}
    with pytest.raises(DiceExhaustedError, match="`march` for reds") as caught:
        dice.roll_faces("march", "reds", D6, 1)
    assert (caught.value.name, caught.value.subject) == ("march", "reds")
    with pytest.raises(DiceExhaustedError):
        dice.roll_faces("attack", "greens", D6, 1)
    with pytest.raises(DiceExhaustedError):
        dice.roll_faces("weather", "", D6, 1)


def test_scripted_list_in_order() -> None:
    dice = ScriptedDice([3, 1, 6])
    twin = dice.clone()
    assert dice.roll_faces("a", "", D6, 1) == [3]
    assert dice.roll_faces("b", "x", D6, 2) == [1, 6]
    assert dice.list_unused_faces() == {}
    assert twin.list_unused_faces() == {"": [3, 1, 6]}
    assert ScriptedDice().roll_faces("a", "", D6, 0) == []


def test_face_that_die_lacks() -> None:
    with pytest.raises(InvalidDiceError, match="the result 7, .* faces 1, 2, 3, 4, 5, 6"):
        ScriptedDice([7]).roll_faces("a", "", D6, 1)
    with pytest.raises(InvalidDiceError):
        AskedDice(lambda *_: [0]).roll_faces("a", "", D6, 1)
    with pytest.raises(InvalidDiceError, match="2 dice"):
        AskedDice(lambda *_: [1]).roll_faces("a", "", D6, 2)


def test_asked_dice_ask() -> None:
    asked = []

    def ask(name: str, subject: str, faces: tuple[int, ...], count: int) -> list[int]:
        asked.append((name, subject, faces, count))
        return [2] * count

    dice = AskedDice(ask).clone()
    assert dice.roll_faces("attack", "reds", D6, 3) == [2, 2, 2]
    assert dice.roll_faces("attack", "reds", D6, 0) == []
    assert asked == [("attack", "reds", D6, 3)]


def distribution(rules: object) -> Counter[int]:
    """Return the number of ways to each result of `rules(dice)`, by enumeration; all paths must be equally deep."""
    found: Counter[int] = Counter()
    open_paths: list[tuple[tuple[tuple[int, ...], ...], int]] = [((), 1)]
    while open_paths:
        prefix, ways = open_paths.pop()
        try:
            found[rules(EnumeratingDice(prefix))] += ways  # type: ignore[operator]
        except NextRoll as roll:
            open_paths += [((*prefix, faces), ways * n) for faces, n in iter_pool_outcomes(roll.faces, roll.count)]
    return found


def test_enumerating_gives_exact_odds() -> None:
    def rules(dice: DiceSource) -> int:
        first = sum(dice.roll_faces("a", "", D6, 2))
        return first + dice.roll_faces("b", "", (0, 0, 0, 0, 0, 1), 1)[0]

    found = distribution(rules)
    assert sum(found.values()) == 6**3
    assert found[2] == 5
    assert found[7] == 6 * 5 + 5
    assert found[13] == 1


def test_enumerating_dice_reports_requested_roll() -> None:
    with pytest.raises(NextRoll) as caught:
        EnumeratingDice([(1,)]).clone().roll_faces("a", "reds", D6, 0) or EnumeratingDice().roll_faces(
            "b", "reds", D6, 3
        )
    asked = caught.value
    assert (asked.name, asked.subject, asked.faces, asked.count) == ("b", "reds", D6, 3)


@unhurried
@given(st.lists(st.integers(0, 3), min_size=1, max_size=5), st.integers(0, 4))
def test_pools_agree_with_sequences(faces: list[int], count: int) -> None:
    pools = dict(iter_pool_outcomes(tuple(faces), count))
    sequences: Counter[tuple[int, ...]] = Counter()
    for outcome, ways in iter_sequence_outcomes(tuple(faces), count):
        sequences[tuple(sorted(outcome))] += ways
    assert pools == dict(sequences)
    assert sum(pools.values()) == len(faces) ** count


def test_large_pools_are_few_outcomes() -> None:
    outcomes = list(iter_pool_outcomes(D6, 24))
    assert len(outcomes) == comb(29, 5)
    assert sum(ways for _, ways in outcomes) == 6**24
