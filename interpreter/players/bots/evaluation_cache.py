"""What was worked out about an earlier position of a game and still holds.

A game forgets it with each choice, so that a choice ends where its budget ends; a bot only looks, and need not work out
anew what has not changed. Where its answer led to what it saw ahead it goes on from there.

Must not believe anything of which a part was written since, nor lend it to the game itself.
"""

from __future__ import annotations

from typing import Any

from interpreter.play.game import Game
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.intrinsics import forget, forget_piece

_FEW = 8  # pieces, of which what hangs on each is told


class EvaluationCache:
    """The position that was last looked at, with what was worked out about it."""

    def __init__(self) -> None:
        self._last: Game | None = None

    def brought_to(self, game: Game) -> Game:
        """The game on trial, with what still holds of the one before; to be looked at, not played."""
        last = self._last
        now = None if last is None else last.led_to(game.state)
        if now is None:
            now = game.trial(SeededDice(0))
            state = now.state
            if last is not None and last.program is game.program:
                known = dict(state.memo)
                state.memo = last.state.memo.copy()
                _forget_changed(last.state, state)
                state.memo.update(known)
        self._last = now
        return now


def _forget_changed(before: Any, after: Any) -> None:
    """Forget what was worked out from what is not as it was; of a few pieces only what hangs on these."""
    sharing = after.program.sharing
    slots = (*type(after).columns, *type(after).game, "turn", "last_turn", "phase", "options", "scenario", "seat_of")
    there = ((slot, getattr(before, slot), getattr(after, slot)) for slot in slots)
    whole = {slot for slot, one, other in there if one is not other and one != other}
    if before.at != after.at or before.occ != after.occ:
        whole.add("at")
    for slot in sorted(whole & sharing.keys()):
        one, other = getattr(before, slot), getattr(after, slot)
        changed = [piece for piece, value in enumerate(one) if value != other[piece]]
        if 0 < len(changed) <= _FEW:
            whole.remove(slot)
            for piece in changed:
                forget_piece(after, slot, piece)
    forget(after, whole)
