"""A game's log as journal entries, and a journal kept beside a game as it is played.

Must not load rulesets; taking a journal up again is `interpreter/saving.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any

from interpreter.runtime import entries as e
from interpreter.runtime.journal import JournalWriter, write_journal
from interpreter.runtime.starting import option_texts

if TYPE_CHECKING:
    from interpreter.runtime.session import Game

FORMAT_OF_PLAY = "1"  # changes when equal choices would no longer give equal games


def header_of(game: Game, seats: dict[str, str] | None = None) -> e.Header:
    """What the game was started from."""
    return e.Header(game.program.id, game.program.content_hash, game.scenario or "",
                    option_texts(game.program, game.state.options), game.seed, FORMAT_OF_PLAY, seats or {},
                    game.location)


def entries_of(game: Game, start: int = 0, decisions: int = 0) -> Iterator[e.Entry]:
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
            yield e.PhaseHash(raw[3], raw[1], raw[4])
        elif sort == "end":
            outcome = game.outcome
            winner: Any = None if outcome is None else outcome.winner
            yield e.End({"winner": list(winner) if isinstance(winner, tuple) else winner,
                         "level": None if outcome is None else outcome.level}, game.hash())


def _edits(edits: list[tuple[int, dict[str, Any]]], decisions: int) -> Iterator[e.Entry]:
    for at, changes in edits:
        if at == decisions:
            yield e.Edit(changes)


def save(game: Game, path: str | PathLike[str], seats: dict[str, str] | None = None) -> None:
    """Write the whole game to a file, in place of what stood there."""
    write_journal(path, header_of(game, seats), entries_of(game))


class Recorder:
    """Keeps a journal beside a game: call `follow` after every choice, undo or edit."""

    __slots__ = ("game", "writer", "_position", "_decisions", "_edits")

    def __init__(self, game: Game, writer: JournalWriter, fresh: bool = True,
                 seats: dict[str, str] | None = None) -> None:
        self.game = game
        self.writer = writer
        self._position = 0 if fresh else len(game.raw_log())
        self._decisions = 0 if fresh else len(game.keys)
        self._edits = 0 if fresh else len(game.edits)
        if fresh:
            writer.start(header_of(game, seats))
            self.follow()

    def follow(self) -> None:
        """Write what has happened since the last time."""
        game = self.game
        log = game.raw_log()
        if len(game.keys) < self._decisions or len(log) < self._position:
            self.writer.write(e.Undo(len(game.keys)))
            self._decisions = len(game.keys)
            self._position = len(log)
        for entry in entries_of(game, self._position, self._decisions):
            if not isinstance(entry, e.Edit):
                self.writer.write(entry)
        for _, changes in game.edits[self._edits:]:
            self.writer.write(e.Edit(changes))
        self._edits = len(game.edits)
        self._position = len(log)
        self._decisions = len(game.keys)
        self.writer.sync()

    def close(self) -> None:
        """Close the file."""
        self.writer.close()
