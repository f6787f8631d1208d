"""Caches of one process: an LRU cache, and memoized parsers, so that variants share the parsed files of their base.

Only the newest text of a file is cached, because an editor sends another one with each key press. Independent of what
is parsed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Generic, TypeVar

from interpreter.diagnostics.diagnostic import Diagnostic, Sink
from interpreter.diagnostics.source_text import Source

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Parsed = TypeVar("Parsed")
_MAX_CACHED_FILES = 128  # cached files


class MemoryCache(Generic[Key, Value]):
    """Cache of the `capacity` most recently used entries, for all threads of the process."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._entries: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, key: Key) -> Value | None:
        """Return the value of a key and mark it as recently used, or return None."""
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key)

    def store(self, key: Key, value: Value) -> None:
        """Cache a value, replacing an older one of its key and evicting the least recently used."""
        with self._lock:
            self._entries[key] = value
            self._entries.move_to_end(key)
            while len(self._entries) > self._capacity:
                self._entries.popitem(last=False)

    def clear(self) -> None:
        """Remove all entries."""
        with self._lock:
            self._entries.clear()


_sources: MemoryCache[str, Source] = MemoryCache(_MAX_CACHED_FILES)  # the newest source of each file


def get_source(name: str, text: str) -> Source:
    """Return the source of a file; the same object as long as its text is unchanged."""
    cached = _sources.find(name)
    if cached is None or cached.text != text:
        cached = Source(name, text)
        _sources.store(name, cached)
    return cached


_Offsets = tuple[int, ...]
_ParsedByOffsets = dict[_Offsets, tuple[Parsed, tuple[Diagnostic, ...]]]  # by offsets: value, findings


def memoize_per_source(read: Callable[[Source, Sink], Parsed]) -> Callable[[Source, Sink], Parsed]:
    """Memoize a parser, with its findings, for the newest source of each file."""
    memoized = _memoize(lambda source, _offsets, sink: read(source, sink))
    return wraps(read)(lambda source, sink: memoized(source, (), sink))


def memoize_per_span(read: Callable[[Source, int, int, Sink], Parsed]) -> Callable[[Source, int, int, Sink], Parsed]:
    """Memoize a parser of the text between two offsets, with its findings, for the newest source of each file."""
    memoized = _memoize(lambda source, offsets, sink: read(source, offsets[0], offsets[1], sink))
    return wraps(read)(lambda source, start, end, sink: memoized(source, (start, end), sink))


def _memoize(read: Callable[[Source, _Offsets, Sink], Parsed]) -> Callable[[Source, _Offsets, Sink], Parsed]:
    """Memoize a parser of the text at some offsets; its findings are reported each time."""
    newest: MemoryCache[str, tuple[Source, _ParsedByOffsets[Parsed]]] = MemoryCache(_MAX_CACHED_FILES)  # by file

    def memoized(source: Source, offsets: _Offsets, sink: Sink) -> Parsed:
        cached = newest.find(source.name)
        if cached is None or cached[0] is not source:
            cached = source, {}
            newest.store(source.name, cached)
        if offsets not in cached[1]:
            own_sink = Sink()
            cached[1][offsets] = read(source, offsets, own_sink), tuple(own_sink.items)
        value, findings = cached[1][offsets]
        for finding in findings:
            sink.add(finding)
        return value

    return memoized
