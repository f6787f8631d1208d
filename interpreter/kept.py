"""Things worked out once and kept between starts: in the user's own cache folder, best effort.

What is kept stands behind a digest of its content; whatever does not fit is ignored and made
anew by the caller. Only files that this program wrote itself are read. Never raises.
"""

from __future__ import annotations

import os
from hashlib import blake2b
from pathlib import Path

_MARK = b"grognard kept 1\n"
_MOST = 60  # files of one sort; older ones make room
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
        content = (_folder(sort) / key).read_bytes()
    except OSError:
        return None
    head = len(_MARK) + 32
    body = content[head:]
    if content[:len(_MARK)] != _MARK or blake2b(body, digest_size=32).digest() != content[len(_MARK):head]:
        return None
    return body


def keep(sort: str, key: str, body: bytes) -> None:
    """Keep something; failing to do so does no harm."""
    if os.environ.get(OFF):
        return
    try:
        folder = _folder(sort)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = folder / f".{key}.{os.getpid()}"
        part.write_bytes(_MARK + blake2b(body, digest_size=32).digest() + body)
        part.replace(folder / key)
        files = sorted((f for f in folder.iterdir() if not f.name.startswith(".")), key=lambda f: f.stat().st_mtime)
        for old in files[:-_MOST]:
            old.unlink(missing_ok=True)
    except OSError:
        return
