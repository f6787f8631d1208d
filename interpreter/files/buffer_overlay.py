"""Texts that stand in the place of files while something is read: what an editor holds and has not saved, what is
tried before it is written. Must not know what they mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class OpenTexts:
    """`texts`: content by whole path, read in the place of the file; `paths`: which file each name in messages is."""

    texts: Mapping[Path, bytes]
    paths: dict[str, Path] = field(default_factory=dict)


_open: ContextVar[OpenTexts | None] = ContextVar("open texts", default=None)


@contextmanager
def reading(texts: Mapping[Path, bytes]) -> Iterator[OpenTexts]:
    """While it lasts these texts are read for their files, and it is noted which files were read."""
    found = OpenTexts({path.resolve(): content for path, content in texts.items()})
    token = _open.set(found)
    try:
        yield found
    finally:
        _open.reset(token)


def open_text(path: Path, name: str) -> bytes | None:
    """What is open for a file that messages call `name`; None where the file itself is to be read."""
    opened = _open.get()
    if opened is None:
        return None
    whole = path.resolve()
    opened.paths[name] = whole
    return opened.texts.get(whole)
