"""Keeps the game of a sitting in a file, decision by decision.

Must not decide where that is, nor stop a game because a disk fails.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.players.plain.storage import notes_in
from interpreter.runtime.journal import Journal, JournalError, JournalWriter
from interpreter.runtime.recording import Recorder, save
from interpreter.runtime.session import Game
from interpreter.speech import ENGLISH, Say


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
                               problem=problem))

    def copy(self, game: Game, name: str) -> None:
        """Write the game as it stands to another file; JournalError when it cannot be."""
        path = Path(name).expanduser()
        if self.path is not None and path.resolve() == self.path.resolve() and self.recorder is not None:
            self.keep(game)  # it is the file that is being written already
            return
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
                self.complain(str(problem))
