"""What is read of one text and hangs on nothing else is read once: variants rest on the files of their base.

Must not know what is read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

from interpreter.source.diagnostic import Diagnostic, Sink
from interpreter.source.text import Source

Read = TypeVar("Read")
_MOST = 128  # texts


@lru_cache(maxsize=_MOST)
def source_of(name: str, text: str) -> Source:
    """The source of a file as it was read: the same one as long as its text is the same."""
    return Source(name, text)


def read_once(read: Callable[[Source, Sink], Read]) -> Callable[[Source, Sink], Read]:
    """A reading whose value and findings are kept for each source."""

    @lru_cache(maxsize=_MOST)
    def kept(source: Source) -> tuple[Read, tuple[Diagnostic, ...]]:
        own = Sink()
        return read(source, own), tuple(own.items)

    @wraps(read)
    def known(source: Source, sink: Sink) -> Read:
        value, findings = kept(source)
        for found in findings:
            sink.add(found)
        return value

    return known
