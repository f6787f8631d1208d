"""Reads one file of which nothing is known: ordinary files only, up to a size, without waiting.

A pipe would wait for ever, a device never end, and a file may change between a look at it and its opening; so what
is judged is what has been opened. Must not know what is read.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from interpreter.files.durable import replace_file

_MODE = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


class NotOrdinary(OSError):
    """What has this name is a folder, a pipe, a device: no file that could be read to its end."""


class TooLarge(OSError):
    """The file has more bytes than are read; `size` says how many."""

    def __init__(self, size: int) -> None:
        self.size = size
        super().__init__(size)


def read_ordinary(path: str | os.PathLike[str], most: int, *, owner: int | None = None, follow: bool = True) -> bytes:
    """The content of an ordinary file of at most `most` bytes; raises NotOrdinary, TooLarge or another OSError.

    `owner`: the user whom the file must belong to; `follow`: whether it may be a link.
    """
    if not stat.S_ISREG(os.stat(path, follow_symlinks=follow).st_mode):
        raise NotOrdinary
    handle = os.open(path, _MODE | (0 if follow else _NO_LINK))
    with open(handle, "rb") as file:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode) or (owner is not None and about.st_uid != owner):
            raise NotOrdinary
        if about.st_size > most:
            raise TooLarge(about.st_size)
        content = file.read(most + 1)
    if len(content) > most:
        raise TooLarge(len(content))
    return content


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in place of whatever stood there, whole or not at all; OSError when it cannot be."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    try:
        with part.open("xb") as file:
            file.write(content)
        replace_file(part, path)
    finally:
        part.unlink(missing_ok=True)


def write_over(path: Path, content: bytes) -> None:
    """The same for a file that is there, and whoever may read or run it still may."""
    mode = path.stat().st_mode
    write_whole(path, content)
    path.chmod(mode & 0o7777)


def clear_parts(folder: Path, before: float) -> None:
    """Take away the parts that killed programs have left in a folder, if last written before a time; never raises."""
    try:
        for part in folder.glob(".*.part"):
            if part.lstat().st_mtime < before:
                part.unlink(missing_ok=True)
    except OSError:
        return
