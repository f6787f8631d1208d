"""Luck service: compute the luck of games of one ruleset, compiling the instrumented program on demand."""

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

_MOMENT = 0.02  # seconds to compute in the background while the player reads a prompt


class LuckService:
    """Service that computes the luck of games of one ruleset.

    Luck is the dice rolled, compared with what other dice would have given in the same look-ups. The program that
    records look-ups is compiled when it is first needed.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._playing: tuple[Game, IncrementalLuck] | None = None
        self._is_kept: bool | None = None

    @cached_property
    def instrumented(self) -> Program:
        """Return the instrumented program, which records each look-up of a chart."""
        return self.rules.form("covered")

    def analyze_saved_game(self, journal: Journal, upto: int | None = None) -> LuckRecord:
        """Compute the luck of a saved game up to decision `upto` (None: all)."""
        from interpreter.players.luck.luck_analysis import analyze_game

        return analyze_game(journal, self.rules, self.instrumented, upto)

    def analyze_game(self, game: Game) -> LuckRecord:
        """Compute the luck of a running game from its stored history."""
        return self._get_incremental(game).get_record()

    def advance_analysis(self, game: Game) -> None:
        """Analyze a few further choices of a running game in advance, if the instrumented program is cached."""
        if self._is_kept is None:  # reading the cache takes a separate call
            self._is_kept = self.rules.find_available_form("covered") is not None
        elif self._is_kept:
            end = perf_counter() + _MOMENT
            for _ in self._get_incremental(game).iter_steps():
                if perf_counter() > end:
                    return

    def _get_incremental(self, game: Game) -> IncrementalLuck:
        from interpreter.players.luck.incremental_luck import IncrementalLuck

        if self._playing is None or self._playing[0] is not game:
            self._playing = game, IncrementalLuck(self.rules, game, lambda: self.instrumented)
        return self._playing[1]
