"""Caches of one process: an LRU cache, and memoized parsers, so that variants share the parsed files of their base.

Of a file only the newest text is cached: an editor sends another one with each key press. Independent of what is
parsed.
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
Read = TypeVar("Read")
_MOST = 128  # cached files


class MemoryCache(Generic[Key, Value]):
    """Cache of the `most` most recently used entries, for all threads of the process."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, key: Key) -> Value | None:
        """Return the value of a key and mark it as recently used, or return None."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def store(self, key: Key, value: Value) -> None:
        """Cache a value, replacing an older one of its key and evicting the least recently used."""
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        """Remove all entries."""
        with self._lock:
            self._kept.clear()


_sources: MemoryCache[str, Source] = MemoryCache(_MOST)  # the newest source of each file


def get_source(name: str, text: str) -> Source:
    """Return the source of a file; the same object as long as its text is unchanged."""
    cached = _sources.find(name)
    if cached is None or cached.text != text:
        cached = Source(name, text)
        _sources.store(name, cached)
    return cached


_Offsets = tuple[int, ...]
_Parsed = dict[_Offsets, tuple[Read, tuple[Diagnostic, ...]]]  # by position: the value, and what was reported


def memoize_per_source(read: Callable[[Source, Sink], Read]) -> Callable[[Source, Sink], Read]:
    """Memoize a parser, with its findings, for the newest source of each file."""
    memoized = _memoize(lambda source, _at, sink: read(source, sink))
    return wraps(read)(lambda source, sink: memoized(source, (), sink))


def memoize_per_span(read: Callable[[Source, int, int, Sink], Read]) -> Callable[[Source, int, int, Sink], Read]:
    """Memoize a parser of the text between two offsets, with its findings, for the newest source of each file."""
    memoized = _memoize(lambda source, at, sink: read(source, at[0], at[1], sink))
    return wraps(read)(lambda source, start, end, sink: memoized(source, (start, end), sink))


def _memoize(read: Callable[[Source, _Offsets, Sink], Read]) -> Callable[[Source, _Offsets, Sink], Read]:
    """Memoize a parser of the text at some offsets; its findings are reported each time."""
    newest: MemoryCache[str, tuple[Source, _Parsed[Read]]] = MemoryCache(_MOST)  # by file

    def memoized(source: Source, at: _Offsets, sink: Sink) -> Read:
        cached = newest.find(source.name)
        if cached is None or cached[0] is not source:
            cached = source, {}
            newest.store(source.name, cached)
        if at not in cached[1]:
            own = Sink()
            cached[1][at] = read(source, at, own), tuple(own.items)
        value, findings = cached[1][at]
        for finding in findings:
            sink.add(finding)
        return value

    return memoized
