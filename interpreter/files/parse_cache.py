"""Memoize parsing per source text, because variants share the files of their base.

Only the newest text of a file is cached: an editor sends another one with each key press. Independent of what is
parsed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Generic, TypeVar

from interpreter.diagnostics.diagnostic import Diagnostic, Sink
from interpreter.diagnostics.source_text import Source
from interpreter.files.memory_cache import MemoryCache

Read = TypeVar("Read")
_MOST = 128  # cached files


class _Newest(Generic[Read]):
    """One value per file, for the newest text of the file."""

    def __init__(self) -> None:
        self._kept: MemoryCache[str, tuple[Source, Read]] = MemoryCache(_MOST)

    def find(self, name: str) -> tuple[Source, Read] | None:
        """Return the cached source and value of a file, or None."""
        return self._kept.find(name)

    def keep(self, source: Source, value: Read) -> None:
        """Cache the value of a source, replacing that of an older text."""
        self._kept.keep(source.name, (source, value))


_sources: _Newest[None] = _Newest()


def source_of(name: str, text: str) -> Source:
    """Return the source of a file; the same object as long as its text is unchanged."""
    cached = _sources.find(name)
    if cached is not None and cached[0].text == text:
        return cached[0]
    source = Source(name, text)
    _sources.keep(source, None)
    return source


_Places = dict[tuple[int, ...], tuple[Read, tuple[Diagnostic, ...]]]


def _parse_memoized(
    newest: _Newest[_Places[Read]], source: Source, at: tuple[int, ...], read: Callable[[Sink], Read], sink: Sink
) -> Read:
    """Return the value parsed at a position of a source, from the cache if possible; report its findings either way.

    `newest`: the cache; `at`: the offsets that identify the position; `read`: parses there and reports to its sink.
    """
    cached = newest.find(source.name)
    if cached is None or cached[0] is not source:
        cached = source, {}
        newest.keep(*cached)
    if at not in cached[1]:
        own = Sink()
        value = read(own)
        cached[1][at] = value, tuple(own.items)
    value, findings = cached[1][at]
    for finding in findings:
        sink.add(finding)
    return value


def memoize_per_source(read: Callable[[Source, Sink], Read]) -> Callable[[Source, Sink], Read]:
    """Memoize a parser, with its findings, for the newest source of each file."""
    newest: _Newest[_Places[Read]] = _Newest()

    @wraps(read)
    def memoized(source: Source, sink: Sink) -> Read:
        return _parse_memoized(newest, source, (), lambda own: read(source, own), sink)

    return memoized


def memoize_per_span(read: Callable[[Source, int, int, Sink], Read]) -> Callable[[Source, int, int, Sink], Read]:
    """Memoize a parser of the text between two offsets, with its findings, for the newest source of each file."""
    newest: _Newest[_Places[Read]] = _Newest()

    @wraps(read)
    def memoized(source: Source, start: int, end: int, sink: Sink) -> Read:
        return _parse_memoized(newest, source, (start, end), lambda own: read(source, start, end, own), sink)

    return memoized
