"""Safe reading of untrusted files: regular files only, up to a size, without blocking; atomic writing.

A pipe could block forever, a device never end, and a file may change between check and open; therefore the opened file
is the one that is checked.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path, PurePosixPath

from interpreter.files.durable import replace_file

_MODE = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


class NotRegularFileError(OSError):
    """Raised for a folder, a pipe or a device: the path is not a regular file."""


class FileTooLargeError(OSError):
    """Raised for a file of more bytes than the limit; `size` is its size."""

    def __init__(self, size: int) -> None:
        self.size = size
        super().__init__(size)


def read_regular_file(
    path: str | os.PathLike[str], most: int, *, owner: int | None = None, follow: bool = True
) -> bytes:
    """Return the content of a regular file of at most `most` bytes.

    Raises NotRegularFileError, FileTooLargeError or another OSError. `owner`: the user that must own the file;
    `follow`: whether symbolic links are allowed.
    """
    if not stat.S_ISREG(os.stat(path, follow_symlinks=follow).st_mode):
        raise NotRegularFileError
    handle = os.open(path, _MODE | (0 if follow else _NO_LINK))
    with open(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or (owner is not None and status.st_uid != owner):
            raise NotRegularFileError
        if status.st_size > most:
            raise FileTooLargeError(status.st_size)
        content = file.read(most + 1)
    if len(content) > most:
        raise FileTooLargeError(len(content))
    return content


def write_atomically(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file atomically, replacing any existing one; raises OSError on failure.

    `mode`: the permissions, limited by the process's umask.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    try:
        with open(os.open(part, _NEW, mode), "wb") as file:
            file.write(content)
        replace_file(part, path)
    finally:
        part.unlink(missing_ok=True)


def write_inside(folder: Path, name: str, content: bytes) -> None:
    """Write a file below a folder, and the folders between; a link at its place is replaced, never followed.

    `name`: the path of the file in the folder, with `/`. Raises OSError, also if a folder between is a link: it may
    lead anywhere.
    """
    *between, last = PurePosixPath(name).parts
    folder.mkdir(parents=True, exist_ok=True)
    for part in between:
        folder = folder / part
        if folder.is_symlink():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
        folder.mkdir(exist_ok=True)
    write_atomically(folder / last, content)


def overwrite_atomically(path: Path, content: bytes) -> None:
    """Replace an existing file atomically and keep its permissions; raises OSError on failure."""
    mode = path.stat().st_mode
    write_atomically(path, content)
    path.chmod(mode & 0o7777)


def delete_stale_parts(folder: Path, before: float) -> None:
    """Delete temporary files of killed programs in a folder that were last changed before `before`; never raises.

    `before`: seconds since the epoch.
    """
    try:
        for part in folder.glob(".*.part"):
            if part.lstat().st_mtime < before:
                part.unlink(missing_ok=True)
    except OSError:
        return
