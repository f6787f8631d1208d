"""A game's log as journal entries, and a journal kept beside a game as it is played.

Must not load rulesets; taking a journal up again is `interpreter/facade/resuming.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Any, Protocol

from interpreter.runtime.faults import RuleFault
from interpreter.runtime.state import standing_hash
from interpreter.saves import entries as e
from interpreter.saves.identity import identity_of
from interpreter.saves.journal import Journal, JournalWriter, write_journal


class Played(Protocol):
    """What is written down of a game: where it began, what was chosen, and where it stands."""

    program: Any
    state: Any
    scenario: str | None
    seed: int | None

    @property
    def keys(self) -> list[str]:
        """The keys of the choices made."""

    @property
    def edits(self) -> list[tuple[int, dict[str, Any]]]:
        """Positions set up by hand, each with the number of choices made before."""

    def raw_log(self) -> list[Any]:
        """Everything that has happened, as the machine noted it."""

    def hash(self) -> str:
        """A digest of the state."""

    @property
    def outcome(self) -> Any:
        """How it ended, or None."""

    @property
    def decision(self) -> Any:
        """What is being decided, or None."""

    @property
    def turn(self) -> int:
        """The turn's number."""

    @property
    def phase(self) -> str | None:
        """The phase, if one is going on."""


FORMAT_OF_PLAY = "1"  # changes when equal choices would no longer give equal games


def header_of(game: Played, seats: dict[str, str] | None = None) -> e.Header:
    """What the game was started from."""
    return e.Header(
        game.program.id,
        identity_of(game.program, game.scenario or ""),
        game.scenario or "",
        _option_texts(game.program, game.state.options, game.scenario),
        game.seed,
        FORMAT_OF_PLAY,
        seats or {},
    )


def entries_of(game: Played, start: int = 0, decisions: int = 0) -> Iterator[e.Entry]:
    """Entries of the log from position `start` on, `decisions` choices having been made before it."""
    edits = list(game.edits)
    if start == 0:
        yield from _edits(edits, 0)
    for raw in game.raw_log()[start:]:
        sort = raw[0]
        if sort == "decision":
            decisions += 1
            yield e.Decision(decisions, raw[1], raw[3], raw[4])
            yield from _edits(edits, decisions)
        elif sort == "roll":
            yield e.Roll(raw[1], raw[2], tuple(raw[3]))
        elif sort == "phase" and raw[3]:
            yield e.PhaseHash(standing_hash(game.program.state_type, raw[3]), raw[1], raw[4])
        elif sort == "end":
            outcome = game.outcome
            winner: Any = None if outcome is None else outcome.winner
            yield e.End(
                {
                    "winner": list(winner) if isinstance(winner, tuple) else winner,
                    "level": None if outcome is None else outcome.level,
                },
                game.hash(),
            )


def _edits(edits: list[tuple[int, dict[str, Any]]], decisions: int) -> Iterator[e.Entry]:
    for at, changes in edits:
        if at == decisions:
            yield e.Edit(changes)


def waiting_of(game: Played) -> e.Waiting | None:
    """Return for whom the game waits; None where nothing is to be decided, or the rules fail to say by whom."""
    decision = game.decision
    if decision is None:
        return None
    try:
        return e.Waiting(game.turn, game.phase or "", decision.side, decision.seat, decision.name)
    except RuleFault:
        return None


def journal_of(game: Played, seats: dict[str, str] | None = None, notes: Sequence[str] = ()) -> Journal:
    """The game as a journal, as if it had been read from a file."""
    waiting = waiting_of(game)
    entries = [*entries_of(game), *([waiting] if waiting else []), *(e.Note(text) for text in notes)]
    return Journal(header_of(game, seats), tuple(entries), False)


def save(
    game: Played, path: str | PathLike[str], seats: dict[str, str] | None = None, notes: Sequence[str] = ()
) -> None:
    """Write the whole game to a file, in place of what stood there."""
    journal = journal_of(game, seats, notes)
    write_journal(path, journal.header, journal.entries)


class TakenBack:
    """Counts the bytes of a journal that tell of choices taken back, as its lines are added one after another."""

    __slots__ = ("bytes", "_standing", "_before")

    def __init__(self) -> None:
        self.bytes = 0
        self._standing = 0  # of the lines that stand
        self._before: list[int] = []  # the same before each decision that stands

    def add(self, entry: e.Entry, size: int) -> None:
        """Count the line of an entry."""
        match entry:
            case e.Note():
                return
            case e.Undo(decisions):
                if decisions < len(self._before):
                    self.bytes += self._standing - self._before[decisions]
                    self._standing = self._before[decisions]
                    del self._before[decisions:]
                self.bytes += size
                return
            case e.Decision():
                self._before.append(self._standing)
        self._standing += size


class Recorder:
    """Keeps a journal beside a game: call `follow` after every choice, undo or edit.

    `before` is the journal that the game was replayed from, where its file is to be gone on with.
    """

    __slots__ = ("game", "writer", "taken_back", "_position", "_decisions", "_edits")

    def __init__(
        self, game: Played, writer: JournalWriter, before: Journal | None = None, seats: dict[str, str] | None = None
    ) -> None:
        self.game = game
        self.writer = writer
        self.taken_back = TakenBack()
        fresh = before is None
        self._position = 0 if fresh else len(game.raw_log())
        self._decisions = 0 if fresh else len(game.keys)
        self._edits = 0 if fresh else len(game.edits)
        if before is None:
            writer.start(header_of(game, seats))
            self.follow()
        else:
            for entry, size in zip(before.entries, before.sizes, strict=False):  # none where it was not read
                self.taken_back.add(entry, size)
            self._write_lost(before)

    def follow(self) -> None:
        """Write what has happened since the last time."""
        game = self.game
        log = game.raw_log()
        if len(game.keys) < self._decisions or len(log) < self._position:
            self._put(e.Undo(len(game.keys)))
            self._decisions = len(game.keys)
            self._position = len(log)
        news: list[e.Entry] = [
            x for x in entries_of(game, self._position, self._decisions) if not isinstance(x, e.Edit)
        ]
        news += [e.Edit(changes) for _, changes in game.edits[self._edits :]]
        self._write(news, bool(news))
        self._edits = len(game.edits)
        self._position = len(log)
        self._decisions = len(game.keys)

    def note(self, text: str) -> None:
        """Write a player's remark, safely on disk when this returns."""
        self._put(e.Note(text))
        self.writer.sync()

    def close(self) -> None:
        """Close the file."""
        self.writer.close()

    def _write_lost(self, before: Journal) -> None:
        """Write again what the last choice had set going and the file has lost."""
        kept = e.kept_entries(before.entries)
        if sum(isinstance(x, e.Decision) for x in kept) > len(self.game.keys):  # its typed rolls are lost
            taken_back = e.Undo(len(self.game.keys))
            self._put(taken_back)
            kept = e.kept_entries((*before.entries, taken_back))
        held = [x for x in kept if not isinstance(x, e.Edit | e.Waiting | e.Note)]
        made = [x for x in entries_of(self.game) if not isinstance(x, e.Edit)]
        self._write(made[len(held) :], len(made) > len(held) or not is_whole(before))

    def _write(self, news: Sequence[e.Entry], is_moved: bool) -> None:
        """Write entries and, when the game has moved on, for whom it waits now."""
        for entry in news:
            self._put(entry)
        waiting = waiting_of(self.game) if is_moved else None
        if waiting is not None:
            self._put(waiting)
        self.writer.sync()

    def _put(self, entry: e.Entry) -> None:
        self.taken_back.add(entry, self.writer.write(entry))


def is_whole(journal: Journal) -> bool:
    """True when all that the last choice set going stands in the journal."""
    kept = [x for x in e.kept_entries(journal.entries) if not isinstance(x, e.Note)]
    return bool(kept) and isinstance(kept[-1], e.Waiting | e.End | e.Edit)


def _option_texts(program: Any, values: tuple[Any, ...], scenario: str | None) -> tuple[str, ...]:
    """Return the options that are not at their default, or that the scenario sets otherwise, as they would be given."""
    own: dict[str, Any] = next((x["options"] for x in program.data["scenarios"] if x["id"] == scenario), {})
    out = []
    for option, value in zip(program.data["options"], values, strict=True):
        name, is_flag = option["id"], option["type"] == "flag"
        default = bool(option["default"]) if is_flag else option["default"] or ""
        if value != default or own.get(name, value) != value:
            out.append((name if value else f"{name}=off") if is_flag else f"{name}={value}")
    return tuple(out)
