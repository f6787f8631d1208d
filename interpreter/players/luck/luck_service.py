"""Luck of a game for whoever tells it: loads what is needed to count it.

Must not put it into words.
"""

from __future__ import annotations

from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.play.game import Game
    from interpreter.players.luck.incremental_luck import IncrementalLuck
    from interpreter.players.luck.luck_analysis import LuckRecord
    from interpreter.runtime.program import Program
    from interpreter.saves.journal import Journal

_MOMENT = 0.02  # seconds, while a player reads what he is asked


class LuckService:
    """Counts the luck of games of one ruleset, which is compiled for it once."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._playing: tuple[Game, IncrementalLuck] | None = None
        self._is_kept: bool | None = None

    @cached_property
    def listening(self) -> Program:
        """The ruleset with look-ups that can be heard."""
        return self.rules.form("covered")

    def count(self, journal: Journal, upto: int | None = None) -> LuckRecord:
        """Rolls and look-ups of a saved game up to a decision."""
        from interpreter.players.luck.luck_analysis import weigh_game

        return weigh_game(journal, self.rules, self.listening, upto)

    def count_game(self, game: Game) -> LuckRecord:
        """The same for a game that is being played and keeps its record."""
        return self._so_far(game).fortune()

    def count_on(self, game: Game) -> None:
        """Count a little of it beforehand, where the program for it need not be made first."""
        if self._is_kept is None:  # to read it takes a moment of its own
            self._is_kept = self.rules.kept_form("covered") is not None
        elif self._is_kept:
            end = perf_counter() + _MOMENT
            for _ in self._so_far(game).steps():
                if perf_counter() > end:
                    return

    def _so_far(self, game: Game) -> IncrementalLuck:
        from interpreter.players.luck.incremental_luck import IncrementalLuck

        if self._playing is None or self._playing[0] is not game:
            self._playing = game, IncrementalLuck(self.rules, game, lambda: self.listening)
        return self._playing[1]
