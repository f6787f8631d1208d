"""Conversion of a game's log to journal entries, and recording of a game while it is played.

Loads no rulesets; `interpreter/api/resume.py` resumes games from journals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol

from interpreter.runtime.errors import RuleFault
from interpreter.runtime.log_entries import LogEntry, LoggedChoice, LoggedEnd, LoggedPhase, LoggedRoll
from interpreter.runtime.state import State, hash_position
from interpreter.saves import entries as e
from interpreter.saves.identity import compute_identity
from interpreter.saves.journal import Journal, JournalWriter, write_journal

if TYPE_CHECKING:
    from interpreter.runtime.decisions import Decision
    from interpreter.runtime.program import Program


class RecordedOutcome(Protocol):
    """The result of a game as a journal records it."""

    @property
    def winner(self) -> object:
        """Return the winning seat, several of them, or "draw"."""

    @property
    def level(self) -> str | None:
        """Return the id of the victory level, or None."""


class RecordedGame(Protocol):
    """Protocol of a game that can be recorded: its start, the choices made, and its current state."""

    program: Program
    state: State
    scenario: str | None
    seed: int | None

    @property
    def keys(self) -> list[str]:
        """Return the keys of the choices made."""

    @property
    def edits(self) -> list[e.PositionEdit]:
        """Return the manual changes of the position."""

    def get_raw_log(self) -> Sequence[LogEntry]:
        """Return the log entries of the game."""

    def hash(self) -> str:
        """Return a digest of the state."""

    @property
    def outcome(self) -> RecordedOutcome | None:
        """Return the outcome, or None while the game is in progress."""

    @property
    def decision(self) -> Decision | None:
        """Return the pending decision, or None."""

    @property
    def turn(self) -> int:
        """Return the turn number."""

    @property
    def phase(self) -> str | None:
        """Return the current phase, if any."""


FORMAT_OF_PLAY = "1"  # change it whenever equal choices would give another game


def build_header(game: RecordedGame, seats: dict[str, str] | None = None) -> e.JournalHeader:
    """Return the header of a game: its starting conditions."""
    return e.JournalHeader(
        game.program.id,
        compute_identity(game.program, game.scenario or ""),
        game.scenario or "",
        _format_options(game.program, game.state.options, game.scenario),
        game.seed,
        FORMAT_OF_PLAY,
        seats or {},
    )


def iter_entries(game: RecordedGame, start: int = 0, decisions: int = 0) -> Iterator[e.Entry]:
    """Yield the journal entries for the game's log from index `start` on.

    `decisions`: the number of choices logged before that index.
    """
    edits = list(game.edits)
    if start == 0:
        yield from _iter_edit_entries(edits, 0)
    for raw in game.get_raw_log()[start:]:
        match raw:
            case LoggedChoice():
                decisions += 1
                yield e.DecisionEntry(decisions, raw.side, raw.decision, raw.key)
                yield from _iter_edit_entries(edits, decisions)
            case LoggedRoll():
                yield e.RollEntry(raw.name, raw.subject_id, raw.faces)
            case LoggedPhase(phase, position=position) if position:
                yield e.PhaseHashEntry(hash_position(game.program.state_type, position), phase, raw.turn)
            case LoggedEnd():
                outcome = game.outcome
                winner: Any = None if outcome is None else outcome.winner
                yield e.EndEntry(
                    {
                        "winner": list(winner) if isinstance(winner, tuple) else winner,
                        "level": None if outcome is None else outcome.level,
                    },
                    game.hash(),
                )


def _iter_edit_entries(edits: list[e.PositionEdit], decisions: int) -> Iterator[e.Entry]:
    """Yield the entries of the manual changes that follow a number of decisions directly."""
    yield from (e.EditEntry(edit.changes) for edit in edits if edit.decisions == decisions)


def build_waiting_entry(game: RecordedGame) -> e.WaitingEntry | None:
    """Return the entry for the pending decision, or None without one.

    None also if the rules fail to name the deciding seat.
    """
    decision = game.decision
    if decision is None:
        return None
    try:
        return e.WaitingEntry(game.turn, game.phase or "", decision.side, decision.seat, decision.name)
    except RuleFault:
        return None


def build_journal(game: RecordedGame, seats: dict[str, str] | None = None, notes: Sequence[str] = ()) -> Journal:
    """Return the journal of a game, as if read from a file.

    `seats`: the players by seat; `notes`: their remarks.
    """
    waiting = build_waiting_entry(game)
    entries = [*iter_entries(game), *([waiting] if waiting else []), *(e.NoteEntry(text) for text in notes)]
    return Journal(build_header(game, seats), tuple(entries), False)


def save(
    game: RecordedGame, path: str | PathLike[str], seats: dict[str, str] | None = None, notes: Sequence[str] = ()
) -> None:
    """Write the whole game to a file, replacing any existing one.

    `seats`: the players by seat; `notes`: their remarks.
    """
    journal = build_journal(game, seats, notes)
    write_journal(path, journal.header, journal.entries)


class UndoneBytes:
    """Counter of the bytes in a journal that record undone choices, updated line by line."""

    __slots__ = ("bytes", "_effective", "_before")

    def __init__(self) -> None:
        self.bytes = 0
        self._effective = 0  # bytes of the lines in effect
        self._before: list[int] = []  # bytes in effect before each decision in effect

    def add(self, entry: e.Entry, size: int) -> None:
        """Count the line of an entry, which has `size` bytes."""
        match entry:
            case e.NoteEntry():
                return
            case e.UndoEntry(decisions):
                if decisions < len(self._before):
                    self.bytes += self._effective - self._before[decisions]
                    self._effective = self._before[decisions]
                    del self._before[decisions:]
                self.bytes += size
                return
            case e.DecisionEntry():
                self._before.append(self._effective)
        self._effective += size


class Recorder:
    """A recorder of a game in a journal: call `record_progress` after every choice, undo or edit.

    `before` is the journal that the game was replayed from, to continue its file.
    """

    __slots__ = ("game", "writer", "undone", "_position", "_decisions", "_edits")

    def __init__(
        self,
        game: RecordedGame,
        writer: JournalWriter,
        before: Journal | None = None,
        seats: dict[str, str] | None = None,
    ) -> None:
        self.game = game
        self.writer = writer
        self.undone = UndoneBytes()
        fresh = before is None
        self._position = 0 if fresh else len(game.get_raw_log())
        self._decisions = 0 if fresh else len(game.keys)
        self._edits = 0 if fresh else len(game.edits)
        if before is None:
            writer.start(build_header(game, seats))
            self.record_progress()
        else:
            for entry, size in zip(
                before.entries, before.sizes, strict=False
            ):  # a journal that was built, not read, has no sizes
                self.undone.add(entry, size)
            self._write_missing_entries(before)

    def record_progress(self) -> None:
        """Write to the journal what has happened in the game since the previous call."""
        game = self.game
        log = game.get_raw_log()
        if len(game.keys) < self._decisions or len(log) < self._position:
            self._write_entry(e.UndoEntry(len(game.keys)))
            self._decisions = len(game.keys)
            self._position = len(log)
        entries: list[e.Entry] = [
            x for x in iter_entries(game, self._position, self._decisions) if not isinstance(x, e.EditEntry)
        ]
        entries += [e.EditEntry(changes) for _, changes in game.edits[self._edits :]]
        self._write(entries, bool(entries))
        self._edits = len(game.edits)
        self._position = len(log)
        self._decisions = len(game.keys)

    def write_note(self, text: str) -> None:
        """Write a player's remark; it is on disk when this returns."""
        self._write_entry(e.NoteEntry(text))
        self.writer.sync()

    def close(self) -> None:
        """Close the file."""
        self.writer.close()

    def _write_missing_entries(self, before: Journal) -> None:
        """Append the entries of the last choice that a crash kept from the file.

        `before`: the journal that was read from the file.
        """
        effective = e.list_effective_entries(before.entries)
        if sum(isinstance(x, e.DecisionEntry) for x in effective) > len(self.game.keys):  # its typed rolls are lost
            undo = e.UndoEntry(len(self.game.keys))
            self._write_entry(undo)
            effective = e.list_effective_entries((*before.entries, undo))
        recorded = [x for x in effective if not isinstance(x, e.EditEntry | e.WaitingEntry | e.NoteEntry)]
        replayed = [x for x in iter_entries(self.game) if not isinstance(x, e.EditEntry)]
        self._write(replayed[len(recorded) :], len(replayed) > len(recorded) or not is_complete(before))

    def _write(self, entries: Sequence[e.Entry], has_advanced: bool) -> None:
        """Write the entries, then the pending decision if the game has advanced; they are on disk when this returns."""
        for entry in entries:
            self._write_entry(entry)
        waiting = build_waiting_entry(self.game) if has_advanced else None
        if waiting is not None:
            self._write_entry(waiting)
        self.writer.sync()

    def _write_entry(self, entry: e.Entry) -> None:
        self.undone.add(entry, self.writer.write(entry))


def is_complete(journal: Journal) -> bool:
    """Return whether a journal contains everything that its last choice caused."""
    effective = [x for x in e.list_effective_entries(journal.entries) if not isinstance(x, e.NoteEntry)]
    return bool(effective) and isinstance(effective[-1], e.WaitingEntry | e.EndEntry | e.EditEntry)


def _format_options(program: Program, values: tuple[Any, ...], scenario: str | None) -> tuple[str, ...]:
    """Return the options that differ from their default or their value in the scenario, as texts for `Rules.start`.

    `values`: the value of every option of the program; `scenario`: the id of the scenario or None.
    """
    in_scenario: dict[str, Any] = next((x["options"] for x in program.data["scenarios"] if x["id"] == scenario), {})
    texts = []
    for option, value in zip(program.data["options"], values, strict=True):
        name, is_flag = option["id"], option["type"] == "flag"
        default = bool(option["default"]) if is_flag else option["default"] or ""
        if value != default or in_scenario.get(name, value) != value:
            texts.append((name if value else f"{name}=off") if is_flag else f"{name}={value}")
    return tuple(texts)
