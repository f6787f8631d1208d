"""Forms of a program: which trace entries each records beside playing, and where it suspends."""

from __future__ import annotations

from enum import StrEnum


class ProgramForm(StrEnum):
    """A form of a program: for play, or instrumented for another use; the value is its name in data and caches."""

    PLAY = "play"
    ODDS = "odds"
    LEDGER = "ledger"
    COVERED = "covered"
    ASKED = "asked"

    @property
    def notes_coverage(self) -> bool:
        """Return whether cited paragraphs and chart cells are recorded as covered."""
        return self is ProgramForm.COVERED

    @property
    def counts_requirements(self) -> bool:
        """Return whether the results of requirements are counted."""
        return self in (ProgramForm.COVERED, ProgramForm.ASKED)

    @property
    def notes_terms(self) -> bool:
        """Return whether the look-ups, tallies and tests behind a value are recorded."""
        return self is ProgramForm.LEDGER

    @property
    def suspends_at_chance(self) -> bool:
        """Return whether rolls and draws suspend, as decisions do."""
        return self is ProgramForm.ODDS

    @property
    def is_beside_play(self) -> bool:
        """Return whether the form shares every function but procedures and watchers with the form for play."""
        return self in (ProgramForm.ODDS, ProgramForm.LEDGER)
