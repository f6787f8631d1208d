"""Content that is sent plain or gzipped, whichever the client accepts."""

from __future__ import annotations

from functools import cached_property

_LEVEL = 4  # of gzip, chosen for speed


class EncodedContent:
    """Content of which one form is given, plain or gzipped; the other is made when it is first read."""

    def __init__(self, plain: bytes = b"", packed: bytes = b"") -> None:
        self._plain, self._packed = plain, packed

    @cached_property
    def plain(self) -> bytes:
        """Return the content as it is."""
        if self._plain or not self._packed:
            return self._plain
        from gzip import decompress  # late: an exported page has no such module

        return decompress(self._packed)

    @cached_property
    def packed(self) -> bytes:
        """Return the content gzipped."""
        from gzip import compress

        return self._packed or compress(self._plain, _LEVEL, mtime=0)
