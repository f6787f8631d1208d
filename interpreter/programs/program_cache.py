"""Disk cache of compiled rules: best effort, per user, never stale.

Nothing is invalidated in place: the key (`compute_key`) is a digest of everything that is read, its names in messages,
this program's own files and the version of Python, so any change makes another key. A copy elsewhere, in a folder of
the same name, has the same key. Data is stored as JSON, code objects in Python's own format. `model_cache` stores
checked rules under the same keys.

The bytes of code objects depend on the minor version of Python. They are decoded only from this cache and from
bundles of this program: code objects are executed.
"""

from __future__ import annotations

import json
import marshal
import os
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.reading.folder import read_folder
from interpreter.files import disk_cache
from interpreter.files.assets import find_asset_folder, list_shipped_rulesets

if TYPE_CHECKING:
    from interpreter.backends.python.compiled_program import CompiledProgram

_SIZE = 8  # bytes for the length of the data


def compute_key(target: str) -> str | None:
    """Return the cache key of a target's compiled form, or None if its files have findings to report.

    A cached program would not repeat the findings. Shipped rulesets form a separate family, so that a user's many
    rulesets do not evict them.
    """
    read = _read_digest(target)
    if read is None:
        return None
    digest = blake2b(f"{read} {_get_own_digest()}".encode(), digest_size=20).hexdigest()
    return f"shipped-{digest}" if _is_shipped(target) else digest


def _is_shipped(target: str) -> bool:
    root = find_asset_folder("rulesets")
    return target in list_shipped_rulesets() or root is not None and root in Path(os.path.abspath(target)).parents


@cache
def _get_own_digest() -> str:
    """Return the digest of this program as it was when the process started.

    A process that keeps running while its files are replaced must not cache under the new files' name.
    """
    digest = blake2b(f"{sys.version} {sys.implementation.cache_tag}".encode(), digest_size=20)
    for path in sorted(_list_own_files(str(Path(__file__).resolve().parent.parent))):
        info = os.stat(path)
        digest.update(f"{path} {info.st_size} {info.st_mtime_ns} ".encode())
    return digest.hexdigest()


def _list_own_files(folder: str) -> list[str]:
    """Return the paths of the files, besides the ruleset, that a compiled form depends on: program source and schemas.

    `folder`: the folder of this program's package.
    """
    files = []
    for here, inside, names in os.walk(folder):
        inside[:] = [d for d in inside if not d.startswith((".", "__"))]
        files += [os.path.join(here, n) for n in names if n.endswith((".py", ".lark"))]
    schemas = find_asset_folder("schemas")
    return files + ([str(path) for path in schemas.glob("*.json")] if schemas is not None else [])


def _read_digest(target: str) -> str | None:
    """Return the digest of everything that loading a target reads, or None if it has findings or cannot be read."""
    sink = Sink()
    root = list_shipped_rulesets().get(target)
    try:
        if root is None and Path(target).is_dir():
            root = Path(target)
        if root is None:
            from interpreter.documents.pipeline import compute_content_hash

            content_hash = compute_content_hash(target, with_display_names=True, sink=sink)
            return None if sink.items else content_hash
    except (OSError, ValueError):
        return None
    folder = read_folder(root, sink)
    if sink.items or not folder.documents:
        return None
    digest = blake2b(digest_size=20)
    for file in (*folder.documents, *folder.rules, *folder.locales):
        digest.update(f"{file.source.name!r} {len(file.data)} ".encode() + file.data)
    return digest.hexdigest()


def find(key: str | None) -> tuple[tuple[CodeType, ...], dict[str, Any]] | None:
    """Return the code objects and data cached under a key, or None if the key is None or not cached."""
    body = None if key is None else disk_cache.find(disk_cache.Namespace.COMPILED, key)
    return None if body is None else decode_compiled(body)


def store(key: str | None, compiled: CompiledProgram) -> None:
    """Store a compiled form in the cache under a key; None stores nothing."""
    if key is None:
        return
    disk_cache.store(disk_cache.Namespace.COMPILED, key, encode_compiled(compiled.codes, compiled.data))


def encode_compiled(codes: Sequence[CodeType], data: Mapping[str, Any]) -> bytes:
    """Return code objects and JSON-compatible data as bytes, for `decode_compiled` under the same Python."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    return len(text).to_bytes(_SIZE, "little") + text + marshal.dumps(list(codes))


def decode_compiled(body: bytes) -> tuple[tuple[CodeType, ...], dict[str, Any]] | None:
    """Return the code objects and the data of a compiled form; None if the bytes are damaged."""
    try:
        end = _SIZE + int.from_bytes(body[:_SIZE], "little")
        return tuple(marshal.loads(body[end:])), json.loads(body[_SIZE:end])
    except (ValueError, EOFError, TypeError):
        return None
