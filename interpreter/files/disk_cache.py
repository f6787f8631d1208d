"""Results kept between starts in the user's own cache folder, as far as the system allows it.

Each file carries a digest of its content, which finds damage and is not a signature: what is kept is run, so trust
rests on who can have written it. A file is read only if every folder and link on the way to it belongs to this user or
to the system's administrator, and nobody else may write there. Without such a folder nothing is kept. Never raises.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from interpreter.files.ruleset_locations import user_folder
from interpreter.files.safe_read import clear_parts, read_ordinary, write_whole

_MARK = b"grognard kept 1\n"
_MOST = 60  # files of one sort and family; those not used for longest make room
_MOST_BYTES = 64 * 1024 * 1024
_PART_SECONDS = 3600.0  # nobody writes for so long: the program that began it was killed
OFF = "GROGNARD_NO_CACHE"


_MOST_LINKS = 40  # that a path leads over, as on Linux
_ADMINISTRATOR = 0


def _folder(sort: str) -> Path:
    """Return a folder of `GROGNARD_CACHE` or of the platform's cache folder; FileNotFoundError if there is none."""
    chosen = os.environ.get("GROGNARD_CACHE")
    folder = Path(chosen).absolute() if chosen else user_folder("cache")
    if folder is None:
        raise FileNotFoundError(errno.ENOENT, "this user has no cache folder")
    return folder / sort


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
        _make(folder)
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


def _make(folder: Path) -> None:
    """Make a folder and those above it, all for this user alone."""
    for part in reversed((folder, *folder.parents)):
        with suppress(FileExistsError):
            part.mkdir(mode=0o700)


def _is_own(folder: Path) -> bool:
    """Return True if only this user or the administrator can have put something into a folder."""
    about, user = folder.lstat(), _user()
    if not stat.S_ISDIR(about.st_mode):
        return False
    if user is None:
        return True
    if about.st_uid != user or about.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return False
    return all(_is_safe(passed, user) for passed in _passed(folder.parent))


def _is_safe(path: str, user: int) -> bool:
    """Return True if nobody but the user and the administrator can exchange what lies below a folder or behind a link.

    In a folder with the sticky bit, such as /tmp, others may add files but cannot exchange what they do not own.
    """
    about = os.lstat(path)
    if about.st_uid not in (user, _ADMINISTRATOR):
        return False
    shared = about.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not about.st_mode & stat.S_ISVTX
    return not (stat.S_ISDIR(about.st_mode) and shared)


def _passed(folder: Path) -> Iterator[str]:
    """Yield each folder and link that the lookup of an absolute path passes, from the root down."""
    here, links = folder.anchor, 0
    waiting = [*folder.parts[:0:-1]]
    yield here
    while waiting:
        part = waiting.pop()
        here = os.path.dirname(here) if part == os.pardir else os.path.join(here, part)
        yield here
        if os.path.islink(here):
            links += 1
            if links > _MOST_LINKS:
                raise OSError(errno.ELOOP, "too many links", here)
            target = os.readlink(here)
            waiting += [x for x in reversed(target.split(os.sep)) if x not in ("", os.curdir)]
            here = os.sep if os.path.isabs(target) else os.path.dirname(here)
