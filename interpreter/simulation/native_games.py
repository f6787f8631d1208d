"""Games of a batch inside WebAssembly, with the same choices, outcomes and state hashes as in Python.

Whole games by chance run inside in one call. For other bots Python drives them decision by decision; their trials run
inside. A choice that the module cannot make exactly (a rules fault, an overflow) is made by Python, from the position
before it; then the game goes on inside. Where a bot's own trial cannot be made inside, and where the game cannot even
begin there, Python plays the game from its beginning.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.play.game import Game
from interpreter.runtime.errors import RuleFault

if TYPE_CHECKING:
    from interpreter.backends.wasm.host.session import NativeSession
    from interpreter.simulation.games import BatchSpec, Chooser, GameObserver


class Played(NamedTuple):
    """A finished game: its position, the number of decisions, and what its observer has recorded."""

    game: Game
    decisions: int
    noted: Mapping[str, Any]


class Faulted(NamedTuple):
    """A game that ended with a fault of the rules, and the number of decisions before it."""

    fault: RuleFault
    decisions: int


def play_inside(
    session: NativeSession,
    plan: BatchSpec,
    seed: int,
    choosers: Mapping[str, Chooser],
    observer: GameObserver | None,
) -> Played | Faulted | None:
    """Play one game; return None if Python must play it, which then needs new choosers."""
    from interpreter.backends.wasm.host.native_game import NativeGame
    from interpreter.backends.wasm.host.session import NotInsideError
    from interpreter.backends.wasm.host.state_transfer import NotTransferableError
    from interpreter.backends.wasm.host.wasm_host import TrapError
    from interpreter.simulation.batch_game import BatchGame, GameFaultError

    with session.lock:
        try:
            game = NativeGame.start(session, plan.scenario, plan.options, seed)
            batch_game = BatchGame(game, plan.max_decisions, observer)
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
