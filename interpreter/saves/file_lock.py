"""Write locks of saved games: while a game is played, a marker next to its file names the writer.

The marker is a `SoftFileLock` of the package `filelock`, which is just a file: it works on network folders too, and
the stale lock of a killed program on this machine is detected and broken. The game itself is not touched.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.files.os_errors import format_os_error
from interpreter.files.safe_read import read_regular_file
from interpreter.i18n.translator import Message, mark as _
from interpreter.saves.journal import read_journal

if TYPE_CHECKING:
    from filelock import SoftFileLock

_MAX_MARKER_BYTES = 1024  # maximum size of a marker in bytes


@dataclass(frozen=True, slots=True)
class FileLock:
    """The exclusive right of this program to play the game in a file.

    `marker`: the file that shows the lock to other programs; `identity`: the fingerprint of the marker at its creation,
    or None if another file has replaced it.
    """

    lock: SoftFileLock
    marker: Path
    identity: tuple[int, ...] | None = None

    @property
    def is_ours(self) -> bool:
        """Return whether this program still holds the lock."""
        if self.identity is not None and _compute_fingerprint(self.marker) == self.identity:
            return True  # fast path: unchanged, no need to read it
        return self.lock.is_lock_held_by_us

    def release(self) -> None:
        """Release the lock; idempotent."""
        self.lock.release()


def acquire_lock(path: Path, by_force: bool = False) -> FileLock | Message:
    """Lock the game in a file for this program and return the lock, or return the reason why that fails.

    `by_force`: break the lock of another program, which notices that before its next write.
    """
    from filelock import SoftFileLock, Timeout

    marker = get_marker_path(path)
    lock = SoftFileLock(str(marker), timeout=0, thread_local=False)
    try:
        if by_force:
            lock.break_lock()
        lock.acquire()
    except Timeout:
        return _("the game is already open: {holder}", holder=describe_lock_holder(marker))
    except OSError as error:
        return _("cannot create the lock file: {problem}", problem=format_os_error(error))
    fingerprint = _compute_fingerprint(marker)
    # the lock is verified after the fingerprint is taken, which could otherwise be that of another program's file
    return FileLock(lock, marker, fingerprint if lock.is_lock_held_by_us else None)


def _compute_fingerprint(marker: Path) -> tuple[int, ...] | None:
    """Return a fingerprint of the marker that differs if the file is replaced, or None if it is missing."""
    try:
        status = os.lstat(marker)
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


@contextmanager
def lock_game(path: Path, by_force: bool = False) -> Iterator[FileLock | Message]:
    """Lock an existing game as `acquire_lock` does.

    The lock outlives the `with` block; it is released only if the block raises an exception.
    """
    if not path.is_file():
        read_journal(path)  # raises the error
    lock = acquire_lock(path, by_force)  # locked before reading, so that no one changes it in between
    try:
        yield lock
    except BaseException:
        if isinstance(lock, FileLock):
            lock.release()
        raise


def get_marker_path(path: Path) -> Path:
    """Return the path of a game's marker file; it is the same for every name of the game's file."""
    real = path.resolve()
    return real.with_name(f".{real.name}.lock")


def describe_lock_holder(marker: Path) -> Message:
    """Describe the program that wrote a marker: its user, machine, process and time."""
    try:
        since = datetime.fromtimestamp(marker.lstat().st_mtime).strftime("%Y-%m-%d %H:%M")
        lines = read_regular_file(marker, _MAX_MARKER_BYTES, follow=False).decode("utf-8").splitlines()
    except (OSError, ValueError, OverflowError):
        return _("by an unnamed program")
    if len(lines) < 2 or not lines[0].isascii() or not lines[0].isdigit():
        return _("by an unnamed program, since {since}", since=since)
    machine = "".join(c for c in lines[1] if c.isprintable())[:60]
    return _(
        "by {user} on the computer {machine} (process {number}), since {since}",
        user=_get_owner_name(marker),
        machine=machine,
        number=lines[0][:10],
        since=since,
    )


def _get_owner_name(marker: Path) -> str:
    try:
        return marker.owner()
    except (KeyError, OSError, NotImplementedError, RuntimeError):
        return str(getattr(marker.lstat(), "st_uid", os.name))
