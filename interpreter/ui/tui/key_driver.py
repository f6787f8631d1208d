"""Keys of a POSIX terminal that does not speak UTF-8: bytes that are not UTF-8 are left out, all others arrive."""

from __future__ import annotations

from codecs import IncrementalDecoder, getincrementaldecoder
from functools import partial

from textual.drivers import linux_driver

_SEAM = "getincrementaldecoder"  # Textual decodes strictly without a setting; it looks the decoder up by this name


def _lenient_decoder(encoding: str) -> partial[IncrementalDecoder]:
    """Return a factory of incremental decoders that drop undecodable bytes."""
    return partial(getincrementaldecoder(encoding), errors="ignore")


class LenientDriver(linux_driver.LinuxDriver):
    """A driver that reads on after bytes that are not UTF-8, such as an accented letter in Latin-1."""

    def run_input_thread(self) -> None:
        """Read keys until the application ends."""
        setattr(linux_driver, _SEAM, _lenient_decoder)
        try:
            super().run_input_thread()
        finally:
            setattr(linux_driver, _SEAM, getincrementaldecoder)
