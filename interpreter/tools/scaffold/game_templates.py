"""A complete small game to start from: two armies, a map of areas, hexes or squares, a chart, cases.

Its texts ship in `docs/templates`; `places.txt` there lists the positions of the pieces on each board.
"""

from __future__ import annotations

from interpreter.files.assets import asset_folder
from interpreter.tools.scaffold.file_creation import ScaffoldError, quote_text

BOARDS = ("hexes", "squares", "areas")
_PLACES = "places.txt"


def game_files(id: str, title: str, board: str) -> dict[str, str]:
    """Return the text of each file of a new game by its name within the folder; `board` is one of BOARDS."""
    shipped = asset_folder("docs")
    if shipped is None or not (shipped / "templates").is_dir():
        raise ScaffoldError("the templates for new games are not installed")
    templates = shipped / "templates"
    words = {"id": id, "title": quote_text(title)}
    for line in (templates / board / _PLACES).read_text(encoding="utf-8").splitlines():
        word, place = line.split()
        words[word] = place if place[0].isalpha() else f'"{place}"'
        words[f"{word}_word"] = place
    files: dict[str, str] = {}
    for root in (templates / "game", templates / board):
        for path in sorted(p for p in root.rglob("*") if p.is_file() and p.name != _PLACES):
            files[path.relative_to(root).as_posix()] = _fill(path.read_text(encoding="utf-8"), words)
    return files


def _fill(text: str, words: dict[str, str]) -> str:
    for word, value in words.items():
        text = text.replace(f"@@{word}@@", value)
    return text
