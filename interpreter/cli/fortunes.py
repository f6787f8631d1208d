"""Luck of a game for the commands that tell it: loads what is needed to count it.

Must not put it into words.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.players.luck_counting import Fortune
    from interpreter.rules import Rules
    from interpreter.runtime.journal import Journal
    from interpreter.runtime.program import Program
    from interpreter.runtime.session import Game


class FortuneTeller:
    """Counts the luck of games of one ruleset, which is compiled for it once."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    @cached_property
    def covering(self) -> Program:
        """The ruleset with its look-ups covered."""
        return self.rules.form("covered")

    def count(self, journal: Journal, upto: int | None = None) -> Fortune:
        """Rolls and look-ups of a saved game up to a decision."""
        from interpreter.players.luck_counting import weigh_game

        return weigh_game(journal, self.rules, self.covering, upto)

    def count_game(self, game: Game) -> Fortune:
        """The same for a game that is being played and keeps its record."""
        from interpreter.runtime.recording import journal_of

        return self.count(journal_of(game))
