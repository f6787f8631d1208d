"""Keyboard input for POSIX terminals that are not UTF-8: undecodable bytes are dropped."""

from __future__ import annotations

from codecs import IncrementalDecoder, getincrementaldecoder
from functools import partial

from textual.drivers import linux_driver

_SEAM = "getincrementaldecoder"  # Textual offers no lenient decoding; this global is the only hook


def _build_lenient_decoder(encoding: str) -> partial[IncrementalDecoder]:
    """Return a factory of incremental decoders that drop undecodable bytes."""
    return partial(getincrementaldecoder(encoding), errors="ignore")


class LenientDriver(linux_driver.LinuxDriver):
    """A driver that skips bytes that are not UTF-8, such as an accented letter in Latin-1."""

    def run_input_thread(self) -> None:
        """Read keys until the application ends, with a lenient decoder patched into Textual."""
        setattr(linux_driver, _SEAM, _build_lenient_decoder)
        try:
            super().run_input_thread()
        finally:
            setattr(linux_driver, _SEAM, getincrementaldecoder)
