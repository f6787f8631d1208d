"""Source positions in the form that Python's syntax trees use."""

from __future__ import annotations

from functools import lru_cache

from interpreter.diagnostics.source_text import Source

Place = tuple[int, int, int, int]  # line and column in bytes, then those of the end


@lru_cache(maxsize=20_000)
def place_of(source: Source, start: int, end: int) -> Place:
    """Return line and column (in bytes) of the start and the end of a range of a source."""
    line, column = source.position(start)
    end_line, end_column = source.position(end)
    begin = len(source.line(line)[: column - 1].encode()) if source.text else 0
    stop = len(source.line(end_line)[: end_column - 1].encode()) if source.text else 0
    return max(line, 1), begin, max(end_line, 1), stop
