"""Keeps the game of a sitting in a file, decision by decision.

Must not decide where that is, nor stop a game because a disk fails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.game import Game
from interpreter.runtime.journal import JournalError


@dataclass(slots=True)
class Keeper:
    """Writes the journal `path` after each decision; nothing without a path. `complain` tells a failure once."""

    path: Path | None
    complain: Callable[[str], None]
    failed: bool = field(default=False)

    def keep(self, game: Game) -> None:
        """Take the game as it stands to disk."""
        if self.path is None or self.failed:
            return
        try:
            game.save(self.path)
        except (JournalError, OSError) as problem:
            self.failed = True
            self.complain(f"the game is no longer saved: {problem}; save it elsewhere with: save FILE")

    def where(self) -> str:
        """Where the game is kept, in words."""
        if self.path is None:
            return "this game is not kept in a file; write: save FILE"
        if self.failed:
            return f"the game could not be kept in {self.path}; write: save FILE"
        return f"saved in {self.path}"
