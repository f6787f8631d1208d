"""One writer for each saved game: while it is played, a marker beside its file says by whom.

The marker is a lock of the package `filelock` that is only a file: it works on network folders too, and one that a
killed program of this machine has left is seen to be stale and taken over. Must not touch the game itself.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.files.os_errors import said_by_system
from interpreter.files.safe_read import read_ordinary
from interpreter.i18n.translator import Message, mark as _
from interpreter.saves.journal import read_journal

if TYPE_CHECKING:
    from filelock import SoftFileLock

_MOST = 1024  # bytes of a marker


@dataclass(frozen=True, slots=True)
class FileLock:
    """This program plays the game in a file, and no other does."""

    lock: SoftFileLock
    marker: Path
    made: tuple[int, ...] | None = None  # the marker as it was made

    @property
    def is_ours(self) -> bool:
        """False once another program has taken the game over."""
        if self.made is not None and _stand_of(self.marker) == self.made:
            return True  # nobody has touched it: no need to read what is in it
        return self.lock.is_lock_held_by_us

    def release(self) -> None:
        """Let others play it; letting go twice does no harm."""
        self.lock.release()


def hold(path: Path, by_force: bool = False) -> FileLock | Message:
    """Take the game in a file for this program; or why that cannot be, to be told.

    `by_force`: from whoever has it. He notices when he is about to write.
    """
    from filelock import SoftFileLock, Timeout

    marker = marker_of(path)
    lock = SoftFileLock(str(marker), timeout=0, thread_local=False)
    try:
        if by_force:
            lock.break_lock()
        lock.acquire()
    except Timeout:
        return _("it is being played already: {holder}", holder=holder_of(marker))
    except OSError as error:
        return _("no mark can be made beside it that it is being played: {problem}", problem=said_by_system(error))
    made = _stand_of(marker)
    return FileLock(lock, marker, made if lock.is_lock_held_by_us else None)  # asked after the look: it was still ours


def _stand_of(marker: Path) -> tuple[int, ...] | None:
    """What is another of each file that is made in the place of this one."""
    try:
        about = os.lstat(marker)
    except OSError:
        return None
    return about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns


@contextmanager
def held(path: Path, by_force: bool = False) -> Iterator[FileLock | Message]:
    """As `hold` gives it, for a game that is there; let go of again where taking it up fails."""
    if not path.is_file():
        read_journal(path)  # says what is wrong
    found = hold(path, by_force)  # before reading: what is read is then what is written on
    try:
        yield found
    except BaseException:
        if isinstance(found, FileLock):
            found.release()
        raise


def marker_of(path: Path) -> Path:
    """Where the mark of a game stands, by whatever name its file is called."""
    real = path.resolve()
    return real.with_name(f".{real.name}.lock")


def holder_of(marker: Path) -> Message:
    """Who made a mark, in words: the user, the machine, the process, since when."""
    try:
        since = datetime.fromtimestamp(marker.lstat().st_mtime).strftime("%Y-%m-%d %H:%M")
        lines = read_ordinary(marker, _MOST, follow=False).decode("utf-8").splitlines()
    except (OSError, ValueError, OverflowError):
        return _("by a program that has left no name")
    if len(lines) < 2 or not lines[0].isascii() or not lines[0].isdigit():
        return _("by a program that has left no name, since {since}", since=since)
    machine = "".join(c for c in lines[1] if c.isprintable())[:60]
    return _(
        "by {user} on the machine {machine} (process {number}), since {since}",
        user=_user(marker),
        machine=machine,
        number=lines[0][:10],
        since=since,
    )


def _user(marker: Path) -> str:
    try:
        return marker.owner()
    except (KeyError, OSError, NotImplementedError, RuntimeError):
        return str(getattr(marker.lstat(), "st_uid", os.name))
