"""Forms of a program: what each notes beside playing, and where it suspends."""

from __future__ import annotations

from enum import StrEnum


class ProgramForm(StrEnum):
    """A form of a program; the value is its name in data and caches."""

    PLAY = "play"
    ODDS = "odds"
    LEDGER = "ledger"
    COVERED = "covered"
    ASKED = "asked"

    @property
    def notes_coverage(self) -> bool:
        """Whether cited paragraphs and cells of charts are noted."""
        return self is ProgramForm.COVERED

    @property
    def counts_requirements(self) -> bool:
        """Whether the results of requirements are counted."""
        return self in (ProgramForm.COVERED, ProgramForm.ASKED)

    @property
    def notes_terms(self) -> bool:
        """Whether the look-ups, tallies and tests behind a value are noted."""
        return self is ProgramForm.LEDGER

    @property
    def suspends_at_chance(self) -> bool:
        """Whether rolls and draws suspend, as decisions do."""
        return self is ProgramForm.ODDS

    @property
    def is_beside_play(self) -> bool:
        """Whether only procedures and watchers differ from the form for play, whose other functions are shared."""
        return self in (ProgramForm.ODDS, ProgramForm.LEDGER)
