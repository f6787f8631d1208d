"""Compiled rulesets kept between starts: best effort, per user, never stale.

The key is a digest of everything that is read, of this program's own files and of the Python
that runs it. Data is kept as JSON, code objects in Python's own format. Nothing is unpickled.
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

from interpreter import kept

if TYPE_CHECKING:
    from interpreter.compiler.assembling import Compiled

_SORT = "compiled"


def key_of(target: str) -> str | None:
    """The name under which a target's compiled form is kept, or None when it cannot be read."""
    read = _folder_digest(target)
    if read is None:
        from interpreter.documents.trees import content_hash

        read = content_hash(target, translations=True)
    if read is None:
        return None
    digest = blake2b(digest_size=20)
    digest.update(f"{read} {sys.version} {sys.implementation.cache_tag}".encode())
    for path in sorted(_own_files(str(Path(__file__).resolve().parent.parent))):
        info = os.stat(path)
        digest.update(f"{path} {info.st_size} {info.st_mtime_ns} ".encode())
    return digest.hexdigest()


def _own_files(folder: str) -> list[str]:
    found = []
    for here, inside, names in os.walk(folder):
        inside[:] = [d for d in inside if not d.startswith(("_", "."))]
        found += [os.path.join(here, n) for n in names if n.endswith((".py", ".lark"))]
    return found


def _folder_digest(target: str) -> str | None:
    """A digest of every file of a ruleset's folder, when the target is one; cheaper than reading it."""
    from interpreter.assets import shipped_rulesets

    root = shipped_rulesets().get(target)
    if root is None:
        root = Path(target)
        if not root.is_dir():
            return None
    digest = blake2b(digest_size=20)
    digest.update(target.encode())
    for here, inside, names in os.walk(root):
        inside.sort()
        for name in sorted(names):
            if name.endswith((".yaml", ".yml", ".rules")):
                path = os.path.join(here, name)
                try:
                    with open(path, "rb") as file:
                        content = file.read()
                except OSError:
                    return None
                digest.update(f"{os.path.relpath(path, root)} {len(content)} ".encode() + content)
    return digest.hexdigest()


def find(key: str | None) -> tuple[tuple[CodeType, ...], dict[str, Any]] | None:
    """Code objects and data kept under a key."""
    body = None if key is None else kept.find(_SORT, key)
    if body is None:
        return None
    try:
        size = int.from_bytes(body[:8], "little")
        return tuple(marshal.loads(body[8 + size:])), json.loads(body[8:8 + size])
    except (ValueError, EOFError, TypeError):
        return None


def keep(key: str | None, compiled: Compiled) -> None:
    """Keep a compiled form."""
    if key is None:
        return
    data = json.dumps(compiled.data, ensure_ascii=False, separators=(",", ":")).encode()
    kept.keep(_SORT, key, len(data).to_bytes(8, "little") + data + marshal.dumps(list(compiled.codes)))
