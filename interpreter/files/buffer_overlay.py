"""Overlay of texts that replace files while a ruleset is read.

Used for unsaved editor buffers, and to try a change before writing it. Independent of the contents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class BufferOverlay:
    """Texts that are read instead of files, by resolved path; `paths` maps file names in messages to paths."""

    texts: Mapping[Path, bytes]
    paths: dict[str, Path] = field(default_factory=dict)


_open: ContextVar[BufferOverlay | None] = ContextVar("open texts", default=None)


@contextmanager
def overlay_texts(texts: Mapping[Path, bytes]) -> Iterator[BufferOverlay]:
    """In the `with` block, let reading a file return its text in `texts`; record which files are read."""
    overlay = BufferOverlay({path.resolve(): content for path, content in texts.items()})
    token = _open.set(overlay)
    try:
        yield overlay
    finally:
        _open.reset(token)


def get_overlay_text(path: Path, name: str) -> bytes | None:
    """Return the overlay text of a file that messages call `name`, or None to read the file itself."""
    opened = _open.get()
    if opened is None:
        return None
    resolved = path.resolve()
    opened.paths[name] = resolved
    return opened.texts.get(resolved)
