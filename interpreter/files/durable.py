"""Files that are put in place for good: over another one, and so that a power cut does not lose their names.

Must not know what is in them.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

# On Windows a file that another program holds open (a virus scanner, an editor, a folder that is being synchronised)
# cannot be replaced. Such programs let go within moments. Elsewhere a refusal is final.
_WAITS_FOR_OTHERS = os.name == "nt"
_PAUSES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8)  # seconds between attempts


def replace_file(part: Path, target: Path) -> None:
    """Put a file in place of another, whole or not at all; wait a moment where another program holds it."""
    for pause in _PAUSES if _WAITS_FOR_OTHERS else ():
        try:
            os.replace(part, target)
            return
        except PermissionError:
            from time import sleep

            sleep(pause)
    os.replace(part, target)


def sync_folder(folder: Path) -> None:
    """Take the names in a folder to disk: a new file may lose its own in a power cut. Best effort, never raises.

    Windows opens no folders, and needs none of this.
    """
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_page(path: str | os.PathLike[str], text: str) -> None:
    """Write a text as a file in UTF-8 with the same bytes on every system, line ends included."""
    Path(path).write_text(text, encoding="utf-8", newline="\n")
