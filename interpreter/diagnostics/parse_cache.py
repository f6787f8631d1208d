"""Memoize parsing per source text, because variants share the files of their base.

Only the newest text of a file is cached: an editor sends another one with each key press. Independent of what is
parsed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Generic, TypeVar

from interpreter.diagnostics.diagnostic import Diagnostic, Sink
from interpreter.diagnostics.source_text import Source

Read = TypeVar("Read")
_MOST = 128  # cached files


class _Newest(Generic[Read]):
    """LRU cache of one value per file, for the newest text of the file."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[Source, Read]] = OrderedDict()
        self._lock = Lock()

    def find(self, name: str) -> tuple[Source, Read] | None:
        """Return the cached source and value of a file, or None."""
        with self._lock:
            if name in self._kept:
                self._kept.move_to_end(name)
            return self._kept.get(name)

    def keep(self, source: Source, value: Read) -> None:
        """Cache the value of a source, replacing that of an older text."""
        with self._lock:
            self._kept[source.name] = source, value
            self._kept.move_to_end(source.name)
            while len(self._kept) > _MOST:
                self._kept.popitem(last=False)


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
    """Parse at a position of a source, or return the cached value; report its findings either way."""
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
