"""The game that `new ruleset` makes, as a folder in which a test can spoil files."""

from __future__ import annotations

from pathlib import Path

from interpreter.tools.scaffold import build_game_files
from tests.folders import write_files


def write_first_game(root: Path, name: str = "fords", layout: str = "hexes") -> Path:
    """Write a game with one odds chart, on 7 columns of 6 hexes or on areas; return its folder."""
    return write_files(root / name, build_game_files(name, name.title(), layout))


def spoil(path: Path, old: str, new: str) -> None:
    """Replace the one occurrence of `old` in a file."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path.name}"
    path.write_text(text.replace(old, new), encoding="utf-8")
