"""The games that bots can play: in Python, or inside WebAssembly with the same choices."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:  # a page in the browser has bots, but no WebAssembly of its own
    from interpreter.backends.wasm.host.native_game import NativeDecision, NativeGame
    from interpreter.play.game import Game
    from interpreter.runtime.decisions import Decision

BotGame: TypeAlias = "Game | NativeGame"
BotDecision: TypeAlias = "Decision | NativeDecision"
