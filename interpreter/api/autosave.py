"""Save a game in progress to a file, decision by decision, as the file's only writer.

The caller chooses the file. A failing disk or a second writer never stops the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from interpreter.files.os_errors import said_by_system
from interpreter.i18n.translator import ENGLISH, Message, Translate, mark as _
from interpreter.play.game import Game
from interpreter.saves.file_lock import FileLock, hold
from interpreter.saves.journal import Journal, JournalError, JournalWriter, read_journal
from interpreter.saves.recorder import Recorder, header_of, save
from interpreter.saves.storage import notes_in, rescue_journal

NOTHING = Message("")


@dataclass(slots=True)
class Autosave:
    """Records a game in a journal; `seats` (the player of each seat) are stored in it.

    `path` is None if the game is not saved. `complain` is called once on a failure. `notes` are the players' remarks
    so far; `say` translates messages for the players. `hold` is the write lock; `looking` is the reason why the game
    is read only, '' if it can be played.
    """

    path: Path | None
    seats: Mapping[str, str]
    complain: Callable[[str], None]
    recorder: Recorder | None = None
    notes: list[str] = field(default_factory=list)
    say: Translate = ENGLISH
    hold: FileLock | None = None
    looking: Message = NOTHING
    is_lost: bool = False  # saving has failed

    def begin(self, game: Game, before: Journal | None = None) -> None:
        """Create the file, or continue the one that `before` was read from; raises JournalError on failure."""
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
        """Lock a new file for writing; raises JournalError if another program has locked it."""
        found = hold(path)
        if not isinstance(found, FileLock):
            raise JournalError("cannot write the journal {path}: {problem}", path=path, problem=found)
        self._let_go()
        self.hold = found

    def _let_go(self) -> None:
        if self.hold is not None:
            self.hold.release()
        self.hold = None

    def keep(self, game: Game) -> None:
        """Save the current state of the game."""
        if self.recorder is None:
            return
        assert self.recorder.game is game
        try:
            self._require_hold()
            self.recorder.follow()
        except (JournalError, OSError) as problem:
            self._fail(problem)

    def note(self, text: str) -> None:
        """Save a player's remark, also in the file if there is one."""
        self.notes.append(text)
        if self.recorder is not None:
            try:
                self._require_hold()
                self.recorder.note(text)
            except (JournalError, OSError) as problem:
                self._fail(problem)

    def _require_hold(self) -> None:
        """Raise JournalError if another program has taken the game over."""
        if self.hold is None or self.hold.is_ours:
            return
        assert self.path is not None
        found = hold(self.path)  # perhaps only the marker was deleted
        if not isinstance(found, FileLock):
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
        """Write the game to another file; raises JournalError on failure.

        Overwrites no file except an earlier copy of this game.
        """
        try:
            path = Path(name).expanduser()
        except RuntimeError:
            problem = _("there is no home folder of this name")
            raise JournalError("{file}: {problem}; give another name", file=name, problem=problem) from None
        if self.path is not None and path.resolve() == self.path.resolve() and self.recorder is not None:
            self.keep(game)  # already the file of this game
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
        if not isinstance(found, FileLock):
            raise JournalError("{file}: {problem}; give another name", file=name, problem=found)
        try:
            save(game, path, dict(self.seats), self.notes)
            if self.recorder is None and not self.looking:
                self._go_on_in(path, game, found)
        finally:
            if self.hold is before:
                found.release()

    def _go_on_in(self, path: Path, game: Game, found: FileLock) -> None:
        """Continue to save the game in the file of a former copy."""
        journal = read_journal(path)
        self.recorder = Recorder(game, JournalWriter.reopen(path, journal), journal)
        self._let_go()
        self.path, self.hold, self.is_lost = path, found, False

    def rescue(self, game: Game) -> Path | None:
        """Save a game whose file was lost to a new file; None if that is unnecessary or impossible."""
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
        """Return a sentence that says where the game is saved."""
        if self.looking:
            return self.say("you only look at this game; for a copy of it to play on with write: save FILE")
        if self.path is None:
            return self.say("this game is not kept in a file; write: save FILE")
        if self.recorder is None:
            return self.say("the game could not be kept in {file}; write: save FILE", file=self.path)
        return self.say("saved in {file}", file=self.path)

    @property
    def is_kept(self) -> bool:
        """Return whether the file contains everything played so far."""
        return self.path is not None and self.recorder is not None

    def give_up(self) -> None:
        """Delete the file of a game without any decision by a player."""
        self.close()
        if self.path is not None:
            self.path.unlink(missing_ok=True)
        self.recorder, self.path = None, None

    def close(self) -> None:
        """Close the file and release the lock."""
        try:
            if self.recorder is not None:
                self.recorder.close()
        except (JournalError, OSError) as problem:
            self.complain(self.say(said_by_system(problem)))
        finally:
            self._let_go()


def _is_copy(path: Path, game: Game) -> bool:
    """Return whether a file contains a game with the same start as this one."""
    if not path.is_file():
        return False
    try:
        found = read_journal(path).header
    except JournalError:
        return False
    return replace(found, seats={}) == header_of(game)
