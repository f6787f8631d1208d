"""Compiled rulesets kept between starts: best effort, per user, never stale.

A file is named by a digest of everything that was read, of this program's own files and of the
Python that runs it; it holds data as JSON and code objects in Python's own format, behind a
digest of its content. Only what this program itself wrote into the user's own cache folder is
read; whatever does not fit is ignored and made anew. Nothing is unpickled.
"""

from __future__ import annotations

import json
import marshal
import os
import sys
from hashlib import blake2b
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.compiler.assembling import Compiled

_MARK = b"grognard compiled 1\n"
_KEPT = 40  # files; older ones make room


def key_of(target: str) -> str | None:
    """The name under which a target's compiled form is kept, or None when it cannot be read."""
    from interpreter.documents.trees import content_hash

    read = content_hash(target)
    if read is None:
        return None
    digest = blake2b(digest_size=20)
    digest.update(f"{read} {sys.version} {sys.implementation.cache_tag}".encode())
    package = Path(__file__).resolve().parent.parent
    for folder, _, names in sorted(os.walk(package)):
        for name in sorted(names):
            if name.endswith((".py", ".lark")):
                info = os.stat(os.path.join(folder, name))
                digest.update(f"{name} {info.st_size} {info.st_mtime_ns} ".encode())
    return digest.hexdigest()


def _folder() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("grognard", appauthor=False) / "compiled"


def find(key: str | None) -> tuple[tuple[CodeType, ...], dict[str, Any]] | None:
    """Code objects and data kept under a key."""
    if key is None or os.environ.get("GROGNARD_NO_CACHE"):
        return None
    try:
        content = (_folder() / key).read_bytes()
    except OSError:
        return None
    head = len(_MARK) + 32
    mark, digest, body = content[:len(_MARK)], content[len(_MARK):head], content[head:]
    if mark != _MARK or blake2b(body, digest_size=32).digest() != digest:
        return None
    try:
        size = int.from_bytes(body[:8], "little")
        data = json.loads(body[8:8 + size])
        codes = marshal.loads(body[8 + size:])
    except (ValueError, EOFError, TypeError):
        return None
    return tuple(codes), data


def keep(key: str | None, compiled: Compiled) -> None:
    """Keep a compiled form; failing to do so does no harm."""
    if key is None or os.environ.get("GROGNARD_NO_CACHE"):
        return
    data = json.dumps(compiled.data, ensure_ascii=False, separators=(",", ":")).encode()
    body = len(data).to_bytes(8, "little") + data + marshal.dumps(list(compiled.codes))
    try:
        folder = _folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = folder / f".{key}.{os.getpid()}"
        part.write_bytes(_MARK + blake2b(body, digest_size=32).digest() + body)
        part.replace(folder / key)
        files = sorted((f for f in folder.iterdir() if not f.name.startswith(".")), key=lambda f: f.stat().st_mtime)
        for old in files[:-_KEPT]:
            old.unlink(missing_ok=True)
    except OSError:
        return
