"""Durable, atomic replacement of files, also across a power failure."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

# On Windows a file that another program holds open (a virus scanner, an editor, a folder that is being synchronised)
# cannot be replaced. Such programs release it within moments. On other systems a refusal is final.
_WAITS_FOR_OTHERS = os.name == "nt"
_PAUSES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8)  # seconds between attempts


def replace_file(part: Path, target: Path) -> None:
    """Replace `target` atomically by the file `part`; raises OSError on failure.

    On Windows retries for about 1.6 seconds while another program holds `target`.
    """
    for pause in _PAUSES if _WAITS_FOR_OTHERS else ():
        try:
            os.replace(part, target)
            return
        except PermissionError:
            from time import sleep

            sleep(pause)
    os.replace(part, target)


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to disk, so that new files survive a power failure. Best effort, never raises.

    Does nothing on Windows, which cannot open folders and does not need it.
    """
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_text_file(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file in UTF-8 with the same bytes on every system, including line ends."""
    Path(path).write_text(text, encoding="utf-8", newline="\n")
