"""Games of a batch inside WebAssembly, with the same choices, outcomes and state hashes as in Python.

Whole games by chance run inside in one call. For other bots Python drives them decision by decision; their trials run
inside. A game that the module cannot play exactly (a rules fault, an overflow) is played by Python from its beginning.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.play.game import Game
from interpreter.runtime.errors import RuleFault

if TYPE_CHECKING:
    from interpreter.backends.wasm.host.native_game import NativeGame
    from interpreter.backends.wasm.host.session import NativeSession
    from interpreter.simulation.games import BatchSpec, Chooser, GameObserver


class Played(NamedTuple):
    """A finished game: its position, the number of decisions, and what its observer has recorded."""

    game: Game
    decisions: int
    noted: Mapping[str, Any]


def play_inside(
    session: NativeSession,
    plan: BatchSpec,
    seed: int,
    choosers: Mapping[str, Chooser],
    observer: GameObserver | None,
) -> Played | None:
    """Play one game; return None if Python must play it, with new choosers."""
    from interpreter.backends.wasm.host.native_game import NativeGame
    from interpreter.backends.wasm.host.session import NotInsideError
    from interpreter.backends.wasm.host.state_transfer import NotTransferableError
    from interpreter.backends.wasm.host.wasm_host import TrapError

    with session.lock:
        try:
            game = NativeGame.start(session, plan.scenario, plan.options, seed)
            stream = stream_of(choosers)
            if stream is not None and (observer is None or by_turn(observer)):
                decisions = _play_by_chance(game, stream, plan.max_decisions, observer)
            else:
                decisions = _play_by_choosers(game, choosers, plan.max_decisions, observer)
            if not game.over:
                return None
            final = game.as_python()
            return Played(final, decisions, {} if observer is None else observer.ended(final))
        except (NotTransferableError, NotInsideError, TrapError, RuleFault, OverflowError, KeyError):
            return None  # something that has no form inside


def stream_of(choosers: Mapping[str, Chooser]) -> tuple[int, int] | None:
    """Return the dice of the one chooser that plays all seats by chance, or None."""
    listed = list(choosers.values())
    one = listed[0] if listed and all(c is listed[0] for c in listed) else None
    stream: tuple[int, int] | None = getattr(one, "stream", None)
    return stream


def by_turn(observer: GameObserver) -> bool:
    """Return whether an observer looks only at the first decision of each turn."""
    return getattr(observer, "looks_by_turn", False)


def _play_by_chance(game: NativeGame, stream: tuple[int, int], most: int, observer: GameObserver | None) -> int:
    session = game.session
    session.choose_by(stream)
    if observer is None:
        return game.play(most)
    decisions = 0
    while not game.over and decisions < most:
        observer.chosen(game.as_python(), 0)
        decisions += game.play_turn(most - decisions)
    return decisions


def _play_by_choosers(
    game: NativeGame, choosers: Mapping[str, Chooser], most: int, observer: GameObserver | None
) -> int:
    decisions, turn = 0, -1
    looks_by_turn = observer is not None and by_turn(observer)
    while decisions < most and (decision := game.decision) is not None:
        number = choosers[decision.seat].choose(game)  # type: ignore[arg-type]  # it `plays_native`
        if observer is not None and not (looks_by_turn and game.turn == turn):
            turn = game.turn
            observer.chosen(game.as_python(), number)
        game.pick(number)
        decisions += 1
    return decisions
