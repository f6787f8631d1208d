"""What is read of one text and hangs on nothing else is read once: variants rest on the files of their base.

Only the newest text of a file is kept: an editor sends another with each key. Must not know what is read.
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
_MOST = 128  # files


class _Newest(Generic[Read]):
    """What belongs to the newest text of each of some files."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[Source, Read]] = OrderedDict()
        self._lock = Lock()

    def find(self, name: str) -> tuple[Source, Read] | None:
        """What was kept of a file, and for which text."""
        with self._lock:
            if name in self._kept:
                self._kept.move_to_end(name)
            return self._kept.get(name)

    def keep(self, source: Source, value: Read) -> None:
        """In place of what was kept of an older text."""
        with self._lock:
            self._kept[source.name] = source, value
            self._kept.move_to_end(source.name)
            while len(self._kept) > _MOST:
                self._kept.popitem(last=False)


_sources: _Newest[None] = _Newest()


def source_of(name: str, text: str) -> Source:
    """The source of a file as it was read: the same one as long as its text is the same."""
    known = _sources.find(name)
    if known is not None and known[0].text == text:
        return known[0]
    source = Source(name, text)
    _sources.keep(source, None)
    return source


_Places = dict[tuple[int, ...], tuple[Read, tuple[Diagnostic, ...]]]


def _once(
    newest: _Newest[_Places[Read]], source: Source, at: tuple[int, ...], read: Callable[[Sink], Read], sink: Sink
) -> Read:
    """What stands at a place of a source, and its findings, read when first asked for."""
    kept = newest.find(source.name)
    if kept is None or kept[0] is not source:
        kept = source, {}
        newest.keep(*kept)
    if at not in kept[1]:
        own = Sink()
        value = read(own)
        kept[1][at] = value, tuple(own.items)
    value, findings = kept[1][at]
    for found in findings:
        sink.add(found)
    return value


def read_once(read: Callable[[Source, Sink], Read]) -> Callable[[Source, Sink], Read]:
    """A reading whose value and findings are kept for the newest source of each file."""
    newest: _Newest[_Places[Read]] = _Newest()

    @wraps(read)
    def known(source: Source, sink: Sink) -> Read:
        return _once(newest, source, (), lambda own: read(source, own), sink)

    return known


def read_once_at(read: Callable[[Source, int, int, Sink], Read]) -> Callable[[Source, int, int, Sink], Read]:
    """The same for a reading of what stands between two offsets."""
    newest: _Newest[_Places[Read]] = _Newest()

    @wraps(read)
    def known(source: Source, start: int, end: int, sink: Sink) -> Read:
        return _once(newest, source, (start, end), lambda own: read(source, start, end, own), sink)

    return known
