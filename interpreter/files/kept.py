"""Things worked out once and kept between starts: in the user's own cache folder, best effort.

What is kept stands behind a digest of its content; whatever does not fit is ignored and made
anew by the caller. Only what the user's own programs can have written is read: a folder that belongs to
somebody else, or that others may write to, is not trusted. Never raises.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from interpreter.files.unknown_files import clear_parts, read_ordinary, write_whole

_MARK = b"grognard kept 1\n"
_MOST = 60  # files of one sort and family; those not used for longest make room
_MOST_BYTES = 64 * 1024 * 1024
_PART_SECONDS = 3600.0  # nobody writes for so long: the program that began it was killed
OFF = "GROGNARD_NO_CACHE"


def _folder(sort: str) -> Path:
    """`GROGNARD_CACHE` or the platform's cache folder."""
    chosen = os.environ.get("GROGNARD_CACHE")
    if chosen:
        return Path(chosen) / sort
    from platformdirs import user_cache_path

    return user_cache_path("grognard", appauthor=False) / sort


def find(sort: str, key: str) -> bytes | None:
    """What was kept under a key, or None."""
    if os.environ.get(OFF):
        return None
    try:
        folder = _folder(sort)
        if not _is_own(folder):
            return None
        content = read_ordinary(folder / key, _MOST_BYTES, owner=_user(), follow=False)
    except (OSError, ValueError):
        return None
    head = len(_MARK) + 32
    body = content[head:]
    if content[: len(_MARK)] != _MARK or blake2b(body, digest_size=32).digest() != content[len(_MARK) : head]:
        return None
    with suppress(OSError):
        os.utime(folder / key)  # used now: others make room first
    return body


def keep(sort: str, key: str, body: bytes) -> None:
    """Keep something, or do no harm; it makes room among those whose keys begin alike, up to a hyphen."""
    if os.environ.get(OFF):
        return
    try:
        folder = _folder(sort)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_own(folder):
            return
        write_whole(folder / key, _MARK + blake2b(body, digest_size=32).digest() + body)
        clear_parts(folder, time.time() - _PART_SECONDS)
        alike = [f for f in folder.iterdir() if f.name[:1] != "." and _family(f.name) == _family(key)]
        for old in sorted(alike, key=lambda f: f.lstat().st_mtime)[:-_MOST]:
            old.unlink(missing_ok=True)
    except (OSError, ValueError):
        return


def _family(key: str) -> str:
    """What a key begins with, up to a hyphen; nothing where it has none."""
    return key.rpartition("-")[0]


def _user() -> int | None:
    """The number of the user who runs this; None where the system has none."""
    return os.geteuid() if hasattr(os, "geteuid") else None


def _is_own(folder: Path) -> bool:
    """Whether only this user can have put something there: what is kept is run."""
    about = folder.lstat()
    if not stat.S_ISDIR(about.st_mode):
        return False
    return _user() is None or (about.st_uid == _user() and not about.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
