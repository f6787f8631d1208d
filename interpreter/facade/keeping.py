"""Keeps the game of a sitting in a file, decision by decision, as its only writer.

Must not decide where that is, nor stop a game because a disk fails or somebody else writes to the file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from interpreter.files.system_words import said_by_system
from interpreter.play.session import Game
from interpreter.saves.holding import Hold, hold
from interpreter.saves.journal import Journal, JournalError, JournalWriter, read_journal
from interpreter.saves.recording import Recorder, header_of, save
from interpreter.saves.storage import notes_in, rescue_journal
from interpreter.words.speech import ENGLISH, Say, Sentence, mark as _

NOTHING = Sentence("")


@dataclass(slots=True)
class Keeper:
    """Writes a journal beside a game; `seats` (who plays which seat) stand in it.

    `path` is None when the game is not kept. `complain` is told of a failure, once. `notes` are the
    players' remarks so far; `say` puts sentences into the players' language. `hold` is this program's right to
    write; `looking` says why the game can only be looked at, '' where it can be played.
    """

    path: Path | None
    seats: Mapping[str, str]
    complain: Callable[[str], None]
    recorder: Recorder | None = None
    notes: list[str] = field(default_factory=list)
    say: Say = ENGLISH
    hold: Hold | None = None
    looking: Sentence = NOTHING
    is_lost: bool = False  # it was kept, and no longer is

    def begin(self, game: Game, before: Journal | None = None) -> None:
        """Start the file, or go on with the one `before` was read from; JournalError when it cannot be."""
        if self.path is None or self.looking:
            return
        if before is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._take_hold(self.path)
            self.recorder = Recorder(game, JournalWriter(self.path), seats=dict(self.seats))
        else:
            self.notes = notes_in(before)
            self.recorder = Recorder(game, JournalWriter.reopen(self.path, before), before)

    def _take_hold(self, path: Path) -> None:
        """The right to write to a file that is not being written yet; JournalError when another program has it."""
        found = hold(path)
        if not isinstance(found, Hold):
            raise JournalError("cannot write the journal {path}: {problem}", path=path, problem=found)
        self._let_go()
        self.hold = found

    def _let_go(self) -> None:
        if self.hold is not None:
            self.hold.release()
        self.hold = None

    def keep(self, game: Game) -> None:
        """Take the game as it stands to disk."""
        if self.recorder is None:
            return
        assert self.recorder.game is game
        try:
            self._require_hold()
            self.recorder.follow()
        except (JournalError, OSError) as problem:
            self._fail(problem)

    def note(self, text: str, where: str = "", by: str = "") -> None:
        """Keep a remark, in the file too where there is one.

        `where` in the game and `by` whom it was made stand before it, with the time.
        """
        if where or by:
            made = self.say("{time} UTC", time=datetime.now(UTC).strftime("%Y-%m-%d %H:%M"))
            text = self.say("{what}: {values}", what=self.say(", ").join(filter(None, (where, by, made))), values=text)
        self.notes.append(text)
        if self.recorder is not None:
            try:
                self._require_hold()
                self.recorder.note(text)
            except (JournalError, OSError) as problem:
                self._fail(problem)

    def _require_hold(self) -> None:
        """JournalError when another program has taken the game over."""
        if self.hold is None or self.hold.is_ours:
            return
        assert self.path is not None
        found = hold(self.path)  # the mark alone may have been cleared away
        if not isinstance(found, Hold):
            raise JournalError("{path} was taken over: {problem}", "changed", path=self.path, problem=found)
        self._let_go()
        self.hold = found

    def _fail(self, problem: Exception) -> None:
        if self.recorder is not None:
            self.recorder.writer.abandon()
        self.recorder, self.is_lost = None, True
        self._let_go()
        self.complain(
            self.say(
                "the game is no longer kept: {problem}; keep it elsewhere with: save FILE",
                problem=said_by_system(problem),
            )
        )

    def copy(self, game: Game, name: str) -> None:
        """Write the game as it stands to another file; JournalError when it cannot be.

        Nothing is written over but an earlier copy of this game.
        """
        path = Path(name).expanduser()
        if self.path is not None and path.resolve() == self.path.resolve() and self.recorder is not None:
            self.keep(game)  # it is the file that is being written already
            return
        is_own = self.path is not None and path.resolve() == self.path.resolve()
        if path.exists() and (is_own or not _is_copy(path, game)):
            raise JournalError(
                _("{file} is being played by another program; give another name", file=name)
                if is_own and self.looking
                else _("{file} is there already and is no copy of this game; give another name", file=name)
            )
        before = self.hold
        found = hold(path)
        if not isinstance(found, Hold):
            raise JournalError("{file}: {problem}; give another name", file=name, problem=found)
        try:
            save(game, path, dict(self.seats), self.notes)
            if self.recorder is None and not self.looking:
                self._go_on_in(path, game, found)
        finally:
            if self.hold is before:
                found.release()

    def _go_on_in(self, path: Path, game: Game, found: Hold) -> None:
        """From now on the game is kept in what was a copy."""
        journal = read_journal(path)
        self.recorder = Recorder(game, JournalWriter.reopen(path, journal), journal)
        self._let_go()
        self.path, self.hold, self.is_lost = path, found, False

    def rescue(self, game: Game) -> Path | None:
        """Write a game that is no longer kept into a file of its own; None where there is nothing to do or no place."""
        path = rescue_journal(self.path) if self.is_lost and self.path is not None else None
        if path is None:
            return None
        try:
            save(game, path, dict(self.seats), self.notes)
        except JournalError as problem:
            self.complain(self.say(said_by_system(problem)))
            return None
        return path

    def where(self) -> str:
        """Where the game is kept, in words."""
        if self.looking:
            return self.say("you only look at this game; for a copy of it to play on with write: save FILE")
        if self.path is None:
            return self.say("this game is not kept in a file; write: save FILE")
        if self.recorder is None:
            return self.say("the game could not be kept in {file}; write: save FILE", file=self.path)
        return self.say("saved in {file}", file=self.path)

    @property
    def is_kept(self) -> bool:
        """True while all that was played stands in the file."""
        return self.path is not None and self.recorder is not None

    def give_up(self) -> None:
        """Leave no file: of a game in which nobody has taken part."""
        self.close()
        if self.path is not None:
            self.path.unlink(missing_ok=True)
        self.recorder, self.path = None, None

    def close(self) -> None:
        """Close the file, and let others play on."""
        try:
            if self.recorder is not None:
                self.recorder.close()
        except (JournalError, OSError) as problem:
            self.complain(self.say(said_by_system(problem)))
        finally:
            self._let_go()


def _is_copy(path: Path, game: Game) -> bool:
    """True for a file that holds a game begun as this one was."""
    if not path.is_file():
        return False
    try:
        found = read_journal(path).header
    except JournalError:
        return False
    return replace(found, seats={}) == header_of(game)
