"""The game that `new ruleset` makes, as a folder in which a test can spoil files."""

from __future__ import annotations

from pathlib import Path

from interpreter.tools.starting.first_games import game_files


def write_first_game(root: Path, name: str = "fords") -> Path:
    """Write a game on 7 columns of 6 hexes with one odds chart; return its folder."""
    folder = root / name
    for inside, text in game_files(name, name.title(), "hexes").items():
        path = folder / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def spoil(path: Path, old: str, new: str) -> None:
    """Replace the one occurrence of `old` in a file."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path.name}"
    path.write_text(text.replace(old, new), encoding="utf-8")
