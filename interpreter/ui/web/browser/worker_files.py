"""Files that the web workers pass on to their page."""

from __future__ import annotations

from pathlib import Path

from interpreter.api.bundle import BundleSource
from interpreter.api.rules import Rules


def write_forms(rules: Rules, folder: str) -> str:
    """Write the forms that were compiled for a bundle since the last call; return their names, separated by blanks."""
    return write_files(rules.source.new_forms, folder) if isinstance(rules.source, BundleSource) else ""


def write_files(files: dict[str, bytes], folder: str) -> str:
    """Move files, given by name, into a folder; return their names, separated by blanks."""
    names = list(files)
    if names:
        Path(folder).mkdir(exist_ok=True)
    for name in names:
        Path(folder, name).write_bytes(files.pop(name))
    return " ".join(names)
