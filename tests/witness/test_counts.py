"""The ways that play can go, and whole games, are those of `counts.json`: what is legal has not drifted."""

from __future__ import annotations

import pytest

from tests.witness.counting import POSITIONS, QUICK, counted, kept, position, sequences, whole_game

EVERY = [(name, number) for name, places in POSITIONS.items() for number in range(len(places))]
ASK = "if this is meant, run `python -m tests.witness.counting` and say why in the commit message"


@pytest.mark.parametrize(("name", "number"), EVERY)
def test_number_of_choice_sequences_is_pinned(name: str, number: int) -> None:
    wanted = [count for count in kept()[name]["sequences"][number] if count <= QUICK]
    game = position(name, *POSITIONS[name][number])
    assert [sequences(game, depth) for depth in range(1, len(wanted) + 1)] == wanted, ASK


@pytest.mark.parametrize("name", list(POSITIONS))
def test_counts_of_whole_game_are_kept(name: str) -> None:
    assert whole_game(name) == kept()[name]["game"], ASK


@pytest.mark.soak
@pytest.mark.parametrize(("name", "number"), EVERY)
def test_long_sequences_of_choices(name: str, number: int) -> None:
    assert counted(name, number) == kept()[name]["sequences"][number], ASK
