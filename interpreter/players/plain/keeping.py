"""Keeps the game of a sitting in a file, decision by decision.

Must not decide where that is, nor stop a game because a disk fails.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from interpreter.players.plain.storage import notes_in
from interpreter.runtime.journal import Journal, JournalError, JournalWriter, read_journal
from interpreter.runtime.recording import Recorder, header_of, save
from interpreter.runtime.session import Game
from interpreter.runtime.system_words import said_by_system
from interpreter.speech import ENGLISH, Say
from interpreter.speech import mark as _


@dataclass(slots=True)
class Keeper:
    """Writes a journal beside a game; `seats` (who plays which seat) stand in it.

    `path` is None when the game is not kept. `complain` is told of a failure, once. `notes` are the
    players' remarks so far; `say` puts sentences into the players' language.
    """

    path: Path | None
    seats: Mapping[str, str]
    complain: Callable[[str], None]
    recorder: Recorder | None = None
    notes: list[str] = field(default_factory=list)
    say: Say = ENGLISH

    def begin(self, game: Game, before: Journal | None = None) -> None:
        """Start the file, or go on with the one `before` was read from; JournalError when it cannot be."""
        if self.path is None:
            return
        if before is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.recorder = Recorder(game, JournalWriter(self.path), seats=dict(self.seats))
        else:
            self.notes = notes_in(before)
            self.recorder = Recorder(game, JournalWriter.reopen(self.path, before), before)

    def keep(self, game: Game) -> None:
        """Take the game as it stands to disk."""
        if self.recorder is None:
            return
        assert self.recorder.game is game
        try:
            self.recorder.follow()
        except (JournalError, OSError) as problem:
            self._fail(problem)

    def note(self, text: str) -> None:
        """Keep a remark, in the file too where there is one."""
        self.notes.append(text)
        if self.recorder is not None:
            try:
                self.recorder.note(text)
            except (JournalError, OSError) as problem:
                self._fail(problem)

    def _fail(self, problem: Exception) -> None:
        self.recorder = None
        self.complain(self.say("the game is no longer kept: {problem}; keep it elsewhere with: save FILE",
                               problem=said_by_system(problem)))

    def copy(self, game: Game, name: str) -> None:
        """Write the game as it stands to another file; JournalError when it cannot be.

        Nothing is written over but an earlier copy of this game.
        """
        path = Path(name).expanduser()
        if self.path is not None and path.resolve() == self.path.resolve() and self.recorder is not None:
            self.keep(game)  # it is the file that is being written already
            return
        if path.exists() and not _is_copy(path, game):
            raise JournalError(_("{file} is there already and is no copy of this game; give another name", file=name))
        save(game, path, dict(self.seats), self.notes)

    def where(self) -> str:
        """Where the game is kept, in words."""
        if self.path is None:
            return self.say("this game is not kept in a file; write: save FILE")
        if self.recorder is None:
            return self.say("the game could not be kept in {file}; write: save FILE", file=self.path)
        return self.say("saved in {file}", file=self.path)

    @property
    def is_kept(self) -> bool:
        """True while all that was played stands in the file."""
        return self.path is not None and self.recorder is not None

    def close(self) -> None:
        """Close the file."""
        if self.recorder is not None:
            try:
                self.recorder.close()
            except (JournalError, OSError) as problem:
                self.complain(self.say(said_by_system(problem)))


def _is_copy(path: Path, game: Game) -> bool:
    """True for a file that holds a game begun as this one was."""
    if not path.is_file():
        return False
    try:
        found = read_journal(path).header
    except JournalError:
        return False
    return replace(found, seats={}) == header_of(game)
