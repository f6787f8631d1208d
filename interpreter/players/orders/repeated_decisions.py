"""Repeated decisions, which continue until the player chooses "done": whether one has been started. Read-only."""

from __future__ import annotations

from interpreter.play.game import Game
from interpreter.runtime.decisions import Decision


def row_is_unused(game: Game) -> bool:
    """Return whether a repeated decision with options is pending and nothing has been chosen in it yet.

    It began when fewer frames were suspended than now, or when an equal repeated decision ended.
    """
    decision = game.decision
    if decision is None or not decision.described["until_done"]:
        return False
    if not any(raw[0] >= 0 for raw in decision.raw_options()):
        return False
    depth = len(game.state.frames)
    for before, _length, key in reversed(game.past()):
        if before.pending is None or len(before.frames) < depth:
            break
        if before.pending[0] == decision.number and len(before.frames) == depth:
            return key == "done" or Decision(before).side != decision.side
    return True
