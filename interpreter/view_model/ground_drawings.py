"""Drawings of a map by name: drawn on request; expensive ones cached on disk between starts."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import interpreter
from interpreter.files import disk_cache
from interpreter.view_model.encoded_content import EncodedContent

if TYPE_CHECKING:
    from interpreter.api.rules import Rules

_DATA = (".css", ".json", ".mo")  # files besides source code from which maps are drawn: looks, letters, words


class GroundDrawings:
    """The drawings of one ruleset's map. Thread-safe: no drawing is made twice."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._made: dict[str, EncodedContent] = {}
        self._undrawn: dict[str, Callable[[], str]] = {}
        self._lock = Lock()

    def add(self, text: str) -> str:
        """Add a drawing and return its name, a digest of its content; return '' for an empty one."""
        if not text:
            return ""
        name = blake2b(text.encode(), digest_size=12).hexdigest()
        self._made[name] = EncodedContent(text.encode())
        return name

    def add_deferred(self, identity: bytes, draw: Callable[[], str]) -> str:
        """Add a drawing that `draw` draws when it is first requested, and return its name.

        `identity` encodes everything that the drawing depends on.
        """
        name = blake2b(identity, digest_size=12).hexdigest()
        if name not in self._made:
            self._undrawn.setdefault(name, draw)
        return name

    def find(self, name: str) -> EncodedContent | None:
        """Return the drawing with a name, or None if no drawing has it."""
        drawing = self._made.get(name)
        if drawing is not None:  # without waiting for another drawing
            return drawing
        with self._lock:
            draw = self._undrawn.get(name)
            if name not in self._made and draw is not None:
                self._made[name] = self._load_or_draw(name, draw)
                del self._undrawn[name]
        return self._made.get(name)

    def _load_or_draw(self, name: str, draw: Callable[[], str]) -> EncodedContent:
        """Return the drawing `name` from the disk cache, or draw it and store it there."""
        key = self._compute_key(name)
        packed = None if key is None else disk_cache.find(disk_cache.Namespace.GROUNDS, key)
        if packed is not None:
            return EncodedContent(packed=packed)
        drawing = EncodedContent(draw().encode())
        if key is not None:
            disk_cache.store(disk_cache.Namespace.GROUNDS, key, drawing.packed)
        return drawing

    def _compute_key(self, name: str) -> str | None:
        """Return the key of a drawing in the disk cache, or None if the ruleset's files cannot be identified."""
        key = self._rules.source.get_cache_key()
        if key is None:
            return None
        return disk_cache.derive_key(key, name, self._rules.program.exchanged, _compute_data_digest())


@cache
def _compute_data_digest() -> str:
    """Return a digest of this program's data files; `get_cache_key` covers its source code."""
    digest = blake2b(digest_size=12)
    for folder in map(Path, interpreter.__path__):
        for path in sorted(Path(directory) / name for directory, _inside, names in os.walk(folder) for name in names):
            if path.suffix in _DATA:
                info = path.stat()
                digest.update(f"{path} {info.st_size} {info.st_mtime_ns} ".encode())
    return digest.hexdigest()
