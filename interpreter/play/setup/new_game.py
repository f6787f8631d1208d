"""Creation of games: at their first decision, set up before their first turn, or empty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from interpreter.play.game import Game
from interpreter.play.setup import starting
from interpreter.runtime import machine
from interpreter.runtime.dice import Dice, SeededDice
from interpreter.runtime.program import Program


def new_game(
    program: Program,
    scenario: str | None = None,
    options: Iterable[str] | Mapping[str, Any] = (),
    seed: int | None = 0,
    dice: Dice = None,
    record: bool = True,
    empty: bool = False,
    ready: bool = False,
) -> Game:
    """Create a game at its first decision.

    `dice`: a list of faces, a mapping roll name -> faces, or a dice source; else seeded by `seed`. `record`: keep a
    log and the undo history. `empty`: no scenario position and no setup, nothing running. `ready`: set up as far as
    that needs no decision, before the first turn; `play_on` begins it.
    """
    source = starting.dice_source(dice, seed)
    given = starting.read_options(program, options) if options else {}
    key = (scenario, record, *given.items()) if given else (scenario, record)
    seeded = isinstance(source, SeededDice)
    if not seeded:
        program.quick_dice = False
    if seeded and not empty and not ready and (begun := program.begun.get(key)) is not None:
        state = program.copy_state(begun[0], program.state_type, source)
        game = Game(state.program, state, state.scenario, seed if dice is None else None, record)
        if record:
            game.raw_log().extend(begun[1])
        return game
    state = starting.first_state(program, scenario, given, empty)
    state.dice, turns = source, state.last_turn
    state.program = program.under_options(state.options)
    game = Game(state.program, state, state.scenario, seed if dice is None else None, record)
    if ready:
        game.run(lambda: machine.prepare_first_turn(state, turns, set_up=not empty))
    elif not empty:
        game.run(lambda: machine.begin(state, turns))
        if seeded:
            starting.memoize_first_decision(program, key, state, game.raw_log())
    return game
