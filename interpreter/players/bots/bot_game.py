"""The games that bots can play: in Python, or inside WebAssembly with the same choices."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from interpreter.play.game import Game
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.errors import NotNativeError

if TYPE_CHECKING:  # pages in a browser have bots, but not the WebAssembly host
    from interpreter.backends.wasm.host.native_game import NativeDecision, NativeGame
    from interpreter.runtime.decisions import Decision

BotGame: TypeAlias = "Game | NativeGame"
BotDecision: TypeAlias = "Decision | NativeDecision"
Result = TypeVar("Result")


def get_decision(game: BotGame) -> BotDecision:
    """Return the pending decision of a game that is not over."""
    decision = game.decision
    assert decision is not None
    return decision


def run_with_fallback(game: BotGame, body: Callable[[BotGame], Result], *dice: SeededDice) -> Result:
    """Return `body(game)`; if the WebAssembly module cannot compute it, repeat it in Python with the same dice.

    `dice`: the dice that `body` rolls; they are reset before the repetition.
    """
    counters = [source.counter for source in dice]
    try:
        return body(game)
    except NotNativeError:
        if isinstance(game, Game):
            raise
        for source, counter in zip(dice, counters, strict=True):
            source.move_to(counter)
        return body(game.in_python())
