"""What is known of a saved game from its journal alone, without loading its ruleset.

Must not replay: the last lines say where the game stands, and `verify` proves them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interpreter.diagnostics.record_walk import parts_called
from interpreter.i18n.translator import Message, message_of
from interpreter.saves.entries import (
    DecisionEntry,
    EditEntry,
    EndEntry,
    EntryError,
    JournalHeader,
    PhaseHashEntry,
    WaitingEntry,
    kept_entries,
)
from interpreter.saves.journal import Journal, JournalError, read_journal
from interpreter.saves.storage import game_name, kept_journals

NOTHING = Message("")


@dataclass(frozen=True, slots=True)
class SavedGame:
    """One saved game.

    `side` and `seat` are those who decide next, '' where that is not known or the game is `over`;
    `moved` is when the file was last written, in seconds as the system counts them. `problem` says, in any
    language, why a file cannot be used; only name, path and moved are known then. `header`: what it was
    started from. `edits`: how often the position was changed by hand.
    """

    name: str
    path: Path
    moved: float
    ruleset: str = ""
    scenario: str = ""
    options: tuple[str, ...] = ()
    turn: int = 0
    phase: str = ""
    side: str = ""
    seat: str = ""
    over: bool = False
    decisions: int = 0
    outcome: Mapping[str, Any] = field(default_factory=dict)
    seats: Mapping[str, str] = field(default_factory=dict)
    typed_dice: bool = False
    problem: Message = NOTHING
    header: JournalHeader | None = None
    edits: int = 0


def saved_games() -> list[SavedGame]:
    """The user's own games, the one moved last first."""
    return [saved_game(path) for path in kept_journals()]


def saved_game(path: Path) -> SavedGame:
    """What is known of the game in a file."""
    name = game_name(path)
    try:
        moved = path.stat().st_mtime
    except OSError:
        moved = 0.0
    try:
        return _summary(name, path, moved, read_journal(path))
    except (JournalError, EntryError) as problem:
        return SavedGame(name, path, moved, problem=message_of(problem))


def last_unfinished(ruleset: str | None = None) -> SavedGame | None:
    """The game moved last that can go on, of one ruleset or any."""
    for path in kept_journals():
        game = saved_game(path)
        if not game.over and not game.problem and ruleset in (None, game.ruleset):
            return game
    return None


def _summary(name: str, path: Path, moved: float, journal: Journal) -> SavedGame:
    header = journal.header
    known = parts_called(header, "ruleset", "scenario", "options", "seats")
    for entry in kept_entries(journal.entries):
        match entry:
            case DecisionEntry():
                known |= {"decisions": entry.number, "side": "", "seat": ""}
            case PhaseHashEntry():
                known |= parts_called(entry, "turn", "phase")
            case WaitingEntry():
                known |= parts_called(entry, "turn", "phase", "side", "seat")
            case EditEntry():
                known["edits"] = known.get("edits", 0) + 1
            case EndEntry():
                known |= {"over": True, "outcome": entry.outcome, "side": "", "seat": ""}
    return SavedGame(name, path, moved, typed_dice=header.seed is None, header=header, **known)
