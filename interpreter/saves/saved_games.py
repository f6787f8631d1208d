"""Summaries of saved games, read from their journals without loading a ruleset.

Replays nothing: the summary relies on the last lines, which `verify` checks by replay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interpreter.diagnostics.record_walk import select_fields
from interpreter.i18n.translator import Message, get_error_message
from interpreter.saves.entries import (
    DecisionEntry,
    EditEntry,
    EndEntry,
    EntryError,
    JournalHeader,
    PhaseHashEntry,
    WaitingEntry,
    list_effective_entries,
)
from interpreter.saves.journal import Journal, JournalError, read_journal
from interpreter.saves.storage import format_game_name, list_journals

NOTHING = Message("")


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A summary of one saved game.

    `side` and `seat` take the next decision, '' if unknown or if the game is over (`is_over`); `last_written` is the
    time of the last write in seconds since the epoch. `typed_dice`: the players enter the dice. `problem` is a
    translatable reason why a file cannot be used, '' if it can; then only `name`, `path` and `last_written` are known.
    `header`: the starting conditions. `edits`: the number of manual changes of the position.
    """

    name: str
    path: Path
    last_written: float
    ruleset: str = ""
    scenario: str = ""
    options: tuple[str, ...] = ()
    turn: int = 0
    phase: str = ""
    side: str = ""
    seat: str = ""
    is_over: bool = False
    decisions: int = 0
    outcome: Mapping[str, Any] = field(default_factory=dict)
    seats: Mapping[str, str] = field(default_factory=dict)
    typed_dice: bool = False
    problem: Message = NOTHING
    header: JournalHeader | None = None
    edits: int = 0


def list_saved_games() -> list[SavedGame]:
    """Return the user's own games, most recently written first."""
    return [summarize_saved_game(path) for path in list_journals()]


def summarize_saved_game(path: Path) -> SavedGame:
    """Return the summary of the game in a file."""
    name = format_game_name(path)
    try:
        last_written = path.stat().st_mtime
    except OSError:
        last_written = 0.0
    try:
        return _build_summary(name, path, last_written, read_journal(path))
    except (JournalError, EntryError) as problem:
        return SavedGame(name, path, last_written, problem=get_error_message(problem))


def find_last_unfinished(ruleset: str | None = None) -> SavedGame | None:
    """Return the most recently written game that can be continued, of one ruleset or any, or None."""
    for path in list_journals():
        game = summarize_saved_game(path)
        if not game.is_over and not game.problem and ruleset in (None, game.ruleset):
            return game
    return None


def _build_summary(name: str, path: Path, last_written: float, journal: Journal) -> SavedGame:
    header = journal.header
    fields = select_fields(header, "ruleset", "scenario", "options", "seats")
    for entry in list_effective_entries(journal.entries):
        match entry:
            case DecisionEntry():
                fields |= {"decisions": entry.number, "side": "", "seat": ""}
            case PhaseHashEntry():
                fields |= select_fields(entry, "turn", "phase")
            case WaitingEntry():
                fields |= select_fields(entry, "turn", "phase", "side", "seat")
            case EditEntry():
                fields["edits"] = fields.get("edits", 0) + 1
            case EndEntry():
                fields |= {"is_over": True, "outcome": entry.outcome, "side": "", "seat": ""}
    return SavedGame(name, path, last_written, typed_dice=header.seed is None, header=header, **fields)
