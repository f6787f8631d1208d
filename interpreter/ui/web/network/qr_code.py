"""QR code of an address as text for a terminal, two rows of modules per line."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TextIO

from interpreter.diagnostics.terminal_text import is_terminal

_BORDER = 2  # light modules around the code: the standard requires 4, a screen needs 2
_SQUARES = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}  # for dark ink
_BLACK_ON_WHITE, _PLAIN = "\x1b[30;107m", "\x1b[0m"


def render_qr_code(address: str, stream: TextIO | None) -> str:
    """Return the lines of an address's QR code for a stream, or '' if it cannot show them or the library is missing."""
    if stream is None or not is_terminal(stream) or not _has_squares(stream.encoding):
        return ""
    try:
        import segno
    except ImportError:  # optional dependency
        return ""
    code = segno.make_qr(address, error="l")
    columns = shutil.get_terminal_size().columns
    if code.symbol_size(border=_BORDER)[0] >= columns:
        return ""
    rows = [[bool(square) for square in row] for row in code.matrix_iter(border=_BORDER)]
    return draw_squares(rows, in_colour=_has_colours())


def draw_squares(rows: list[list[bool]], in_colour: bool) -> str:
    """Return the rows of a QR code's modules (True for dark ones) as text, two rows a line.

    Without colours (`in_colour`) the light modules are drawn, which is right on the dark background that most
    terminals have; on a light one the code is inverted, which most phones read too.
    """
    if len(rows) % 2:
        rows = [*rows, [False] * len(rows[0])]
    lines = []
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        pairs = zip(upper, lower, strict=True)
        ink = [pair if in_colour else (not pair[0], not pair[1]) for pair in pairs]
        line = "".join(_SQUARES[pair] for pair in ink)
        lines.append(f"{_BLACK_ON_WHITE}{line}{_PLAIN}" if in_colour else line)
    return "\n".join(lines)


def _has_squares(encoding: str | None) -> bool:
    """Return True if the encoding has block characters and the terminal can place them."""
    terminal = os.environ.get("TERM", "")
    if terminal == "dumb" or (not terminal and sys.platform != "win32"):
        return False
    try:
        "".join(_SQUARES.values()).encode(encoding or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True


def _has_colours() -> bool:
    """Return True if colours are supported and wanted; Windows consoles set no TERM and may show none."""
    return bool(os.environ.get("TERM")) and not os.environ.get("NO_COLOR")
