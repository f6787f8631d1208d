"""Games of a batch inside WebAssembly, with the same choices, outcomes and state hashes as in Python.

Whole games by chance run inside in one call. For other bots Python drives them decision by decision; their trials run
inside. What the module cannot do exactly (a rules fault, an overflow) is done by Python: the set-up, one choice, or one
trial of a bot. Then the game goes on inside.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.play.game import Game
from interpreter.play.setup.new_game import new_game
from interpreter.runtime.errors import NotNativeError, RuleFault

if TYPE_CHECKING:
    from interpreter.backends.wasm.host.native_game import NativeGame
    from interpreter.backends.wasm.host.session import NativeSession
    from interpreter.runtime.state import State
    from interpreter.simulation.games import BatchSpec, Chooser, GameObserver


class Played(NamedTuple):
    """A finished game: its position, the number of decisions, and what its observer has recorded."""

    game: Game
    decisions: int
    noted: Mapping[str, Any]


class Faulted(NamedTuple):
    """A game that ended with a fault of the rules, and the number of decisions before the fault."""

    fault: RuleFault
    decisions: int


def play_inside(
    session: NativeSession,
    plan: BatchSpec,
    seed: int,
    choosers: Mapping[str, Chooser],
    observer: GameObserver | None,
) -> Played | Faulted | None:
    """Play one game; return None if Python must play it, which then needs new choosers.

    `choosers`: the bot of each seat. `observer`: records data of the game, or None.
    """
    from interpreter.simulation.batch_game import BatchGame, GameFaultError

    with session.lock:
        try:
            begun, game = _begin(session, plan, seed)
            batch_game = BatchGame(session, begun, game, plan.max_decisions, observer)
            stream = stream_of(choosers)
            if stream is not None and (observer is None or by_turn(observer)):
                batch_game.play_by_chance(stream)
            else:
                batch_game.play_by_choosers(choosers)
            if not batch_game.game.over:
                return None
            final = batch_game.game if isinstance(batch_game.game, Game) else batch_game.game.as_python()
            return Played(final, batch_game.decisions, {} if observer is None else observer.ended(final))
        except GameFaultError as ended:
            return Faulted(ended.fault, ended.decisions)
        except (NotNativeError, RuleFault, OverflowError, KeyError):
            return None  # something that has no form inside


def _begin(session: NativeSession, plan: BatchSpec, seed: int) -> tuple[State, NativeGame | Game]:
    """Set up a game and run it to its first decision: in WebAssembly, or in Python if that traps.

    Returns the position that games begin with, and the game.
    """
    from interpreter.backends.wasm.host.native_game import NativeGame
    from interpreter.backends.wasm.host.wasm_host import TrapError

    begun = session.begin(plan.scenario, plan.options, seed)
    try:
        return begun, NativeGame.start(session, plan.scenario, plan.options, seed)
    except TrapError:
        game = new_game(session.program, plan.scenario, plan.options, seed, record=False)
        with suppress(NotNativeError):
            return begun, NativeGame.resumed(session, game, begun)
        return begun, game


def stream_of(choosers: Mapping[str, Chooser]) -> tuple[int, int] | None:
    """Return (seed, counter) of the dice if one chooser plays all seats by chance, else None."""
    listed = list(choosers.values())
    one = listed[0] if listed and all(c is listed[0] for c in listed) else None
    stream: tuple[int, int] | None = getattr(one, "stream", None)
    return stream


def by_turn(observer: GameObserver) -> bool:
    """Return whether an observer looks only at the first decision of each turn."""
    return getattr(observer, "looks_by_turn", False)
