"""Results cached between runs in the user's own cache folder, with the protection that the system allows.

Each file carries a digest of its content, namespace and key, which detects damage and files in a wrong place but is
not a signature: cached code is executed, so trust depends on the permissions. A file is read only if every folder and
link on its path belongs to this user or to the administrator and is writable by no other user. Files are readable by
their owner alone, and their number and size are limited. Without such a folder nothing is cached. Never raises.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path

from interpreter.files.ruleset_locations import find_user_folder
from interpreter.files.safe_read import delete_stale_parts, read_regular_file, write_atomically

_MARK = b"grognard kept 2\n"  # begins each file; the number changes with the format
_DIGEST = 32  # bytes
_HEAD = len(_MARK) + _DIGEST
_MAX_FILES = 60  # files per namespace and family; the least recently used are evicted
_MAX_FILE_BYTES = 64 * 1024 * 1024
_MODE = 0o600  # permissions of a file: for this user alone
_PART_SECONDS = 3600.0  # no write takes this long: its writer was killed
OFF = "GROGNARD_NO_CACHE"


class Namespace(StrEnum):
    """A namespace of the cache, stored in a separate folder.

    The code that uses a namespace encodes its values; every key contains a digest of all that a value depends on.
    """

    CHECKED = "checked"  # checked rules: programs/model_cache.py
    CLEAN = "good"  # targets in which `check` finds nothing: tools/autofix/check_cache.py
    COMPILED = "compiled"  # compiled rules: programs/program_cache.py
    GRAMMAR = "grammar"  # tables of the parser: language/parser_tables.py
    GROUNDS = "ground"  # drawn grounds of maps, gzipped: view_model/ground_drawings.py
    MACHINE_CODE = "wasm"  # machine code of WebAssembly modules: backends/wasm/host/wasm_host.py
    MAPS = "maps"  # drawn text maps: tools/maps/text/live_maps.py
    WASM_MODULES = "wasm-module"  # rulesets as WebAssembly modules: api/native_rules.py


_MAX_LINKS = 40  # symbolic links in a path, as on Linux
_ADMINISTRATOR = 0


def _find_folder(namespace: Namespace) -> Path:
    """Return a folder in `GROGNARD_CACHE` or the platform's cache folder; raise FileNotFoundError without either."""
    chosen = os.environ.get("GROGNARD_CACHE")
    folder = Path(chosen).absolute() if chosen else find_user_folder("cache")
    if folder is None:
        raise FileNotFoundError(errno.ENOENT, "this user has no cache folder")
    return folder / namespace


def find(namespace: Namespace, key: str) -> bytes | None:
    """Return the cached bytes of a key, or None if the key is not cached."""
    if os.environ.get(OFF):
        return None
    try:
        folder = _find_folder(namespace)
        if not _is_own(folder):
            return None
        content = read_regular_file(folder / key, _MAX_FILE_BYTES, owner=_get_user_id(), follow=False)
    except (OSError, ValueError):
        return None
    body = content[_HEAD:]
    if content[: len(_MARK)] != _MARK or _compute_digest(namespace, key, body) != content[len(_MARK) : _HEAD]:
        return None
    with suppress(OSError):
        os.utime(folder / key)  # marks the file as recently used
    return body


def store(namespace: Namespace, key: str, body: bytes) -> None:
    """Store the bytes `body` in the cache if possible, evicting old entries of the same family (see `_get_family`)."""
    if os.environ.get(OFF) or len(body) > _MAX_FILE_BYTES - _HEAD:
        return
    try:
        folder = _find_folder(namespace)
        _create_private_folder(folder)
        if not _is_own(folder):
            return
        write_atomically(folder / key, _MARK + _compute_digest(namespace, key, body) + body, _MODE)
        delete_stale_parts(folder, time.time() - _PART_SECONDS)
        family = [f for f in folder.iterdir() if f.name[:1] != "." and _get_family(f.name) == _get_family(key)]
        for old in sorted(family, key=lambda f: f.lstat().st_mtime)[:-_MAX_FILES]:
            old.unlink(missing_ok=True)
    except (OSError, ValueError):
        return


def derive_key(key: str, *parts: object) -> str:
    """Return a key of the family of `key` for a value that also depends on `parts`, which may hold any characters."""
    family, _hyphen, digest = key.rpartition("-")
    derived = blake2b(repr((digest, parts)).encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()
    return f"{family}-{derived}" if family else derived


def _compute_digest(namespace: Namespace, key: str, body: bytes) -> bytes:
    """Return the digest of a file, which covers its place: a file that was copied or renamed is not read."""
    return blake2b(f"{namespace} {key}\n".encode() + body, digest_size=_DIGEST).digest()


def _get_family(key: str) -> str:
    """Return the family of a key: its prefix up to the last hyphen, '' without one."""
    return key.rpartition("-")[0]


def _get_user_id() -> int | None:
    """Return the id of the effective user, or None on systems without one."""
    return os.geteuid() if hasattr(os, "geteuid") else None


def _create_private_folder(folder: Path) -> None:
    """Create a folder and its parents, accessible to this user alone."""
    for part in reversed((folder, *folder.parents)):
        with suppress(FileExistsError):
            part.mkdir(mode=0o700)


def _is_own(folder: Path) -> bool:
    """Return whether only this user or the administrator can have written to a folder; raises OSError if missing."""
    status, user = folder.lstat(), _get_user_id()
    if not stat.S_ISDIR(status.st_mode):
        return False
    if user is None:
        return True
    if status.st_uid != user or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return False
    return all(_is_safe(step, user) for step in _iter_path_steps(folder.parent))


def _is_safe(path: str, user: int) -> bool:
    """Return whether only `user` and the administrator can replace the contents of a folder or the target of a link.

    `user`: the id of a user. In a folder with the sticky bit, such as /tmp, others may add files but cannot replace
    what they do not own.
    """
    status = os.lstat(path)
    if status.st_uid not in (user, _ADMINISTRATOR):
        return False
    shared = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not status.st_mode & stat.S_ISVTX
    return not (stat.S_ISDIR(status.st_mode) and shared)


def _iter_path_steps(folder: Path) -> Iterator[str]:
    """Yield each folder and link on the way from the root to an absolute path, following links.

    Raises OSError for more links than `_MAX_LINKS`, as in a cycle.
    """
    path, links = folder.anchor, 0
    pending = [*folder.parts[:0:-1]]
    yield path
    while pending:
        part = pending.pop()
        path = os.path.dirname(path) if part == os.pardir else os.path.join(path, part)
        yield path
        if os.path.islink(path):
            links += 1
            if links > _MAX_LINKS:
                raise OSError(errno.ELOOP, "too many links", path)
            target = os.readlink(path)
            pending += [x for x in reversed(target.split(os.sep)) if x not in ("", os.curdir)]
            path = os.sep if os.path.isabs(target) else os.path.dirname(path)
