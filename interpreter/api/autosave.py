"""Saving of a game in progress to a file, decision by decision, as the file's only writer.

The caller chooses the file. A failing disk or a second writer never stops the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from interpreter.files.os_errors import format_os_error
from interpreter.i18n.translator import ENGLISH, LocalizedError, Message, mark as _
from interpreter.play.game import Game
from interpreter.saves.entries import NoteEntry
from interpreter.saves.file_lock import FileLock, acquire_lock
from interpreter.saves.journal import (
    FULL_BYTES,
    MAX_BYTES,
    Journal,
    JournalError,
    JournalWriter,
    measure_line,
    read_journal,
)
from interpreter.saves.recorder import RecordedGame, Recorder, build_header, save
from interpreter.saves.storage import choose_rescue_path, list_notes

NOTHING = Message("")
MAX_NOTE_BYTES = MAX_BYTES // 8  # of a journal: the players' remarks
MAX_UNDONE_BYTES = MAX_BYTES // 4  # of a journal: undone choices
_MEGABYTE = 1024 * 1024


class NoRoomError(LocalizedError):
    """Raised when the journal is too full for an entry; nothing was written, and the game continues."""


@dataclass(slots=True)
class Autosave:
    """Writer of a game's journal.

    `path` is the journal's file, None while the game is not saved; `lock` is the lock on it. `seats` maps each seat to
    its player, `notes` are the players' remarks. `complain` is called with a message once per failure; `say` translates
    messages. `read_only_reason` is the reason why the game is read-only, '' if it can be played; `is_full`: that reason
    is a full file. `is_lost`: writing to the file has failed. With `continues_in_new_file` a game whose file is lost
    continues in a new file at once, and `trouble` says so ('' while saving works).
    """

    path: Path | None
    seats: Mapping[str, str]
    complain: Callable[[str], None]
    recorder: Recorder | None = None
    notes: list[str] = field(default_factory=list)
    say: Callable[..., str] = ENGLISH
    lock: FileLock | None = None
    read_only_reason: Message = NOTHING
    is_lost: bool = False
    is_full: bool = False
    continues_in_new_file: bool = False
    trouble: Message = NOTHING
    _note_bytes: int = 0
    _failed_saves: int = 0  # since the file was lost
    _loss_reason: Message = NOTHING

    def begin(self, game: Game, before: Journal | None = None) -> None:
        """Create the file of `game`, or continue the file that `before` was read from.

        Raises JournalError on failure.
        """
        if self.path is None or self.read_only_reason:
            return
        if before is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._acquire_lock(self.path)
            self.recorder = Recorder(game, JournalWriter(self.path), seats=dict(self.seats))
        else:
            self.notes = list_notes(before)
            self._note_bytes = sum(measure_line(entry) for entry in before.entries if isinstance(entry, NoteEntry))
            if before.length >= FULL_BYTES:
                self._mark_full()
                return
            self.recorder = Recorder(game, JournalWriter.reopen(self.path, before), before)

    def _acquire_lock(self, path: Path) -> None:
        """Create the lock on a new file; raises JournalError if another program has locked it."""
        lock = acquire_lock(path)
        if not isinstance(lock, FileLock):
            raise JournalError("cannot write the saved game {path}: {problem}", path=path, problem=lock)
        self._release_lock()
        self.lock = lock

    def _release_lock(self) -> None:
        if self.lock is not None:
            self.lock.release()
        self.lock = None

    def save_progress(self, game: Game) -> None:
        """Save the current state of the game."""
        if self.recorder is None:
            self._retry_lost_save(game)
            return
        assert self.recorder.game is game
        if not self.read_only_reason:
            self._write(self.recorder.record_progress)

    def save_note(self, text: str, where: str = "", by: str = "") -> None:
        """Save a remark, in memory and in the file if there is one.

        It is preceded by `where` (the moment of the game), `by` (the author) and the time. Raises NoRoomError if the
        file has no room for it.
        """
        text = self.format_note(text, where, by)
        try:
            size = measure_line(NoteEntry(text))
        except JournalError as problem:
            raise NoRoomError(problem.message) from None
        if self._note_bytes + size > MAX_NOTE_BYTES:
            raise NoRoomError(
                "the notes of a saved game are limited to {most} MB, and this space is full",
                most=_to_megabytes(MAX_NOTE_BYTES),
            )
        self._note_bytes += size
        self.notes.append(text)
        recorder = self.recorder
        if recorder is not None:
            self._write(lambda: recorder.write_note(text))

    def format_note(self, text: str, where: str = "", by: str = "") -> str:
        """Return a remark with its heading: where in the game it was made, by whom, and when."""
        if not where and not by:
            return text
        written_at = self.say("{time} UTC", time=datetime.now(UTC).strftime("%Y-%m-%d %H:%M"))
        return self.say(
            "{what}: {values}", what=self.say(", ").join(filter(None, (where, by, written_at))), values=text
        )

    def require_room_to_take_back(self) -> None:
        """Raise NoRoomError if the record of undone choices has nearly filled the file."""
        if self.recorder is not None and self.recorder.undone.bytes >= MAX_UNDONE_BYTES:
            raise NoRoomError(
                "cannot undo: the saved game already holds the maximum of {most} MB of undone choices; "
                "no choice was undone",
                most=_to_megabytes(MAX_UNDONE_BYTES),
            )

    def _write(self, write: Callable[[], None]) -> None:
        """Run a write to the file; report a failure without stopping the game."""
        assert self.recorder is not None
        try:
            self._require_lock()
            write()
        except (JournalError, OSError) as problem:
            if isinstance(problem, JournalError) and problem.fault == "full":
                self._mark_full()
            else:
                self.handle_write_failure(problem, self.recorder.game)
        else:
            if self.recorder.writer.is_full:
                self._mark_full()

    def _mark_full(self) -> None:
        """Make the game read-only, because its file has reached the largest size that can be read."""
        self.is_full = True
        self.read_only_reason = _(
            "the saved game is full: the limit is {most} MB; a copy leaves out the undone choices",
            most=_to_megabytes(MAX_BYTES),
        )
        self.complain(self.say(_("you are only viewing this game: {problem}", problem=self.read_only_reason)))

    def _require_lock(self) -> None:
        """Raise JournalError if another program has taken over the game."""
        if self.lock is None or self.lock.is_ours:
            return
        assert self.path is not None
        lock = acquire_lock(self.path)  # perhaps only the marker was deleted
        if not isinstance(lock, FileLock):
            raise JournalError("another program took over {path}: {problem}", "changed", path=self.path, problem=lock)
        self._release_lock()
        self.lock = lock

    def handle_write_failure(self, problem: Exception, game: RecordedGame) -> None:
        """Handle a failed write of `game`, caused by `problem`: continue in another file, or without saving."""
        if self.recorder is not None:
            self.recorder.writer.abandon()
        self.recorder, self.is_lost = None, True
        self._release_lock()
        reason = format_os_error(problem)
        if self.continues_in_new_file:
            self._loss_reason, self._failed_saves = _format_file_names(reason), 0
            self._retry_lost_save(game)
        else:
            self.complain(
                self.say(
                    "saving this game has stopped: {problem}; to save it elsewhere, write: save FILE", problem=reason
                )
            )

    def _retry_lost_save(self, game: RecordedGame, at_once: bool = False) -> None:
        """Try to continue in a new file after a failed write.

        Unless `at_once`, only some calls try: number 1, 2, 4, 8 ... since the failure.
        """
        if not (self.is_lost and self.continues_in_new_file) or self.path is None:
            return
        self._failed_saves += 1
        if self._failed_saves & (self._failed_saves - 1) and not at_once:
            return
        problem = self._continue_in_rescue_file(game)
        self.trouble = (
            _("{problem}; the game continues in {file}", problem=self._loss_reason, file=self.path.name)
            if problem is None
            else _(
                "your moves are not being saved: {problem}; the server tries again after some choices and "
                "when it stops",
                problem=_format_file_names(problem),
            )
        )

    def _continue_in_rescue_file(self, game: RecordedGame) -> Message | None:
        """Continue to save the game in a new file; return a message with the reason if that fails, else None."""
        path = choose_rescue_path(self.path) if self.path is not None else None
        if path is None:
            return _("no folder for saved games is writable")
        lock = acquire_lock(path)
        if not isinstance(lock, FileLock):
            return lock
        try:
            save(game, path, dict(self.seats), self.notes)
            self._continue_in(path, game, lock)
        except (JournalError, OSError) as problem:
            lock.release()
            return format_os_error(problem)
        return None

    def copy(self, game: Game, name: str) -> None:
        """Write the game to another file; raises JournalError on failure.

        Overwrites no file except an earlier copy of this game.
        """
        try:
            path = Path(name).expanduser()
        except RuntimeError:
            problem = _("this home folder does not exist")
            raise JournalError("{file}: {problem}; give another name", file=name, problem=problem) from None
        if self.path is not None and path.resolve() == self.path.resolve() and self.recorder is not None:
            self.save_progress(game)  # already the file of this game
            return
        is_own = self.path is not None and path.resolve() == self.path.resolve()
        if path.exists() and (is_own or not _is_copy(path, game)):
            raise JournalError(
                _("another program is using {file}; give another name", file=name)
                if is_own and self.read_only_reason
                else _("{file} already exists and is not a copy of this game; give another name", file=name)
            )
        before = self.lock
        lock = acquire_lock(path)
        if not isinstance(lock, FileLock):
            raise JournalError("{file}: {problem}; give another name", file=name, problem=lock)
        try:
            save(game, path, dict(self.seats), self.notes)
            if self.recorder is None and not self.read_only_reason:
                self._continue_in(path, game, lock)
        finally:
            if self.lock is before:
                lock.release()

    def _continue_in(self, path: Path, game: RecordedGame, lock: FileLock) -> None:
        """Continue to save the game in the file of a former copy.

        `path`: that file; `lock`: the lock that this program holds on it.
        """
        journal = read_journal(path)
        self.recorder = Recorder(game, JournalWriter.reopen(path, journal), journal)
        self._release_lock()
        self.path, self.lock, self.is_lost = path, lock, False

    def rescue(self, game: Game) -> Path | None:
        """Save a game whose file was lost to a new file, and return its path; None if unnecessary or impossible."""
        path = choose_rescue_path(self.path) if self.is_lost and self.path is not None else None
        if path is None:
            return None
        try:
            save(game, path, dict(self.seats), self.notes)
        except JournalError as problem:
            self.complain(self.say(format_os_error(problem)))
            return None
        return path

    def describe_location(self) -> str:
        """Return a sentence that says where the game is saved."""
        if self.read_only_reason:
            return self.say("you are only viewing this game; to play on with a copy, write: save FILE")
        if self.path is None:
            return self.say("this game is not being saved; to save it, write: save FILE")
        if self.recorder is None:
            return self.say("cannot save the game in {file}; to save it elsewhere, write: save FILE", file=self.path)
        return self.say("saved in {file}", file=self.path)

    @property
    def is_saved(self) -> bool:
        """Return whether the file contains everything that has been played."""
        return self.path is not None and (self.recorder is not None or self.is_full)

    def discard(self) -> None:
        """Close and delete the file; called for a game in which no player has decided anything."""
        self.close()
        if self.path is not None:
            self.path.unlink(missing_ok=True)
        self.recorder, self.path = None, None

    def retry_lost_save(self, game: Game) -> None:
        """Before the program ends, try again to save a game whose file was lost."""
        self._retry_lost_save(game, at_once=True)

    def close(self) -> None:
        """Close the file and release the lock."""
        try:
            if self.recorder is not None:
                self.recorder.close()
        except (JournalError, OSError) as problem:
            self.complain(self.say(format_os_error(problem)))
        finally:
            self._release_lock()


def _format_file_names(sentence: Message) -> Message:
    """Return a message that names files without their folders, which other players should not see."""
    holes = {
        hole: value.name
        if isinstance(value, Path)
        else _format_file_names(value)
        if isinstance(value, Message)
        else value
        for hole, value in sentence.holes.items()
    }
    return Message(sentence.key, **holes)


def _to_megabytes(size: int) -> int:
    """Convert a number of bytes to megabytes, rounded down."""
    return size // _MEGABYTE


def _is_copy(path: Path, game: Game) -> bool:
    """Return whether a file contains a game with the same start as this one."""
    if not path.is_file():
        return False
    try:
        header = read_journal(path).header
    except JournalError:
        return False
    return replace(header, seats={}) == build_header(game)
