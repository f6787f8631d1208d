"""Unicode normalization of file names: `ü` as one character, or as `u` with a combining diaeresis.

Some file systems store the decomposed form whatever was requested, and copies from there keep it. Opens no files.
"""

from __future__ import annotations

import os
from pathlib import Path
from unicodedata import normalize


def stored_path(path: Path) -> Path:
    """Return a path as its folders spell it; unchanged if no entry matches in another normalization form."""
    if str(path).isascii() or os.path.lexists(path):
        return path
    stored = Path(path.anchor)
    for part in path.parts[1:] if path.anchor else path.parts:
        candidate = stored / part
        if not os.path.lexists(candidate):
            twin = _find_normalized(stored, part)
            if twin is None:
                return path
            candidate = stored / twin
        stored = candidate
    return stored


def _find_normalized(folder: Path, name: str) -> str | None:
    """Return the entry of a folder whose name has the same letters in another Unicode normalization, or None."""
    wanted = normalize("NFC", name)
    try:
        return next((entry for entry in sorted(os.listdir(folder)) if normalize("NFC", entry) == wanted), None)
    except (OSError, ValueError):
        return None
