"""Test that three classics as rulesets and in OpenSpiel are the same games, node by node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from interpreter.environments.openspiel import load_game
from interpreter.runtime.dice import SeededDice
from tests.environments.rulesets import CLASSICS, WITHOUT

pyspiel = pytest.importorskip("pyspiel", reason=WITHOUT)
Moves = dict[str, int]
COLUMNS = "abcdefgh"


def cells(state: Any) -> Moves:
    """Return the moves of noughts and crosses: OpenSpiel numbers the cells line by line."""
    found = {}
    for action in state.legal_actions():
        text = state.action_to_string(action)
        column, line = text[text.index("(") + 1 : -1]
        found[str(3 * (int(line) - 1) + int(column) - 1)] = action
    return found


def their_cells(state: Any) -> Moves:
    return {str(action): action for action in state.legal_actions()}


def columns(state: Any) -> Moves:
    return {str(action): action for action in state.legal_actions()}


def steps(state: Any) -> Moves:
    """Return the moves of Breakthrough as OpenSpiel writes them: from, to, and a star for a capture."""
    found, rules = {}, state.current_state.state
    program = rules.program
    for action in state.legal_actions():
        man, to = state.action_to_string(action)[3:-1].split(", ")
        place = program.handles["place"][to]
        at = program.ids["place"][rules.at[program.handles["piece"][man]]]
        taken = "*" if rules.occ[place] else ""
        found[f"{COLUMNS[int(at[0]) - 1]}{at[1]}{COLUMNS[int(to[0]) - 1]}{to[1]}{taken}"] = action
    return found


def their_steps(state: Any) -> Moves:
    return {state.action_to_string(action): action for action in state.legal_actions()}


GAMES: dict[str, tuple[Callable[[Any], Moves], Callable[[Any], Moves]]] = {
    "tic_tac_toe": (cells, their_cells),
    "connect_four": (columns, columns),
    "breakthrough": (steps, their_steps),
}


def compared(name: str, mine: Any, theirs: Any) -> tuple[Moves, Moves]:
    """Return the moves in both games; check that all other answers about the node are equal."""
    assert mine.is_terminal() == theirs.is_terminal()
    assert mine.current_player() == theirs.current_player()
    assert mine.returns() == theirs.returns()
    read, their_read = GAMES[name]
    ours, others = ({}, {}) if mine.is_terminal() else (read(mine), their_read(theirs))
    assert sorted(ours) == sorted(others)
    return ours, others


def walked(name: str, depth: int, once: bool = False) -> int:
    """Compare both trees down to a depth; return the number of nodes. `once`: skip positions met before."""
    begun = load_game(CLASSICS[name]).new_initial_state(), pyspiel.load_game(name).new_initial_state()
    waiting, nodes, met = [(*begun, 0)], 0, set()
    while waiting:
        mine, theirs, deep = waiting.pop()
        nodes += 1
        ours, others = compared(name, mine, theirs)
        if once:
            if str(theirs) in met:
                continue
            met.add(str(theirs))
        if deep < depth:
            waiting += [(mine.child(ours[m]), theirs.child(others[m]), deep + 1) for m in ours]
    return nodes


def test_noughts_and_crosses_from_every_position_there_is() -> None:
    """Check all 5,478 positions, and every move from each."""
    assert walked("tic_tac_toe", 9, once=True) == 16_168


def test_first_moves_are_same() -> None:
    assert walked("connect_four", 4) == 1 + 7 + 49 + 343 + 2401
    assert walked("breakthrough", 2) == 1 + 22 + 484


@pytest.mark.parametrize("name", GAMES)
def test_whole_games_are_same(name: str) -> None:
    for seed in range(10):
        mine, theirs = load_game(CLASSICS[name]).new_initial_state(), pyspiel.load_game(name).new_initial_state()
        choices, moves = SeededDice(seed), 0
        while not mine.is_terminal():
            ours, others = compared(name, mine, theirs)
            move = sorted(ours)[choices.roll(len(ours))]
            mine.apply_action(ours[move])
            theirs.apply_action(others[move])
            moves += 1
        compared(name, mine, theirs)
        assert moves >= 5


@pytest.mark.soak
def test_game_trees_have_known_sizes_at_greater_depth() -> None:
    assert walked("tic_tac_toe", 9) == 549_946
    assert walked("connect_four", 6) == 137_257
    assert walked("breakthrough", 3) == 11_639
