"""Default locations and names of saved games, and small queries on journals.

Writes no journals.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Collection
from pathlib import Path
from unicodedata import normalize

from interpreter.diagnostics.terminal_text import escape_text
from interpreter.files.ruleset_locations import find_user_file
from interpreter.i18n.translator import Message, mark as _
from interpreter.saves.entries import DecisionEntry, NoteEntry, list_effective_entries
from interpreter.saves.journal import Journal

ENDING = ".journal"
_MAX_NUMBER = 10_000
_NAME = re.compile(r"[^\W_][\w .,+'()-]{0,59}")
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(10))})


def find_games_folder() -> Path | None:
    """Return the folder of the user's own games, created if missing; None if that is impossible."""
    folder = find_user_file("games")
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        return folder
    except OSError:
        return None


def choose_journal_path(ruleset: str) -> Path | None:
    """Return an unused path for a new game in the folder of the user's games, or None without such a folder."""
    return _find_unused_path(find_games_folder(), ruleset)


def choose_rescue_path(lost: Path) -> Path | None:
    """Return a new path for a game whose own file is lost: next to it, or among the user's own games; or None."""
    name = f"{lost.name.removesuffix(ENDING)}-rescued"
    folder = lost.parent if lost.parent.is_dir() and os.access(lost.parent, os.W_OK) else find_games_folder()
    return _find_unused_path(folder, name)


def _find_unused_path(folder: Path | None, name: str) -> Path | None:
    """Return the path of a new file `NAME-NUMBER` in a folder; None without a folder or if none is free."""
    if folder is None:
        return None
    try:
        for number in range(1, _MAX_NUMBER):
            path = folder / f"{name}-{number}{ENDING}"
            if not path.exists():
                return path
    except OSError:
        return None
    return None


def check_game_name(name: str) -> Message:
    """Return why a name is not allowed for a game, or '' if it is.

    >>> check_game_name("evening 3"), check_game_name("../x")[:15]
    ('', 'a name begins w')
    """
    if not _NAME.fullmatch(normalize("NFC", name)):
        return _(
            "a name begins with a letter or digit and has at most 60 letters, digits, spaces and any of _ - . , + ' ( )"
        )
    if name.endswith((".", " ")) or name.casefold().split(".")[0] in _DEVICES:
        return _("some systems cannot use a file with this name")
    return Message("")


def find_journal_path(name: str) -> Path | None:
    """Return the path of the game with this name, which need not exist; None without a games folder."""
    folder = find_games_folder()
    return None if folder is None else folder / f"{normalize('NFC', name).removesuffix(ENDING)}{ENDING}"


def list_journals() -> list[Path]:
    """Return the files of the user's own games, most recently written first."""
    folder = find_games_folder()
    dated_paths: list[tuple[float, Path]] = []
    for path in sorted(folder.glob(f"*{ENDING}")) if folder is not None else ():
        try:
            if path.is_file() and not path.name.startswith("."):
                dated_paths.append((path.stat().st_mtime, path))
        except OSError:
            continue
    return [path for _, path in sorted(dated_paths, key=lambda dated: -dated[0])]


def format_game_name(path: Path) -> str:
    """Return the name of a game among the user's own games, else the path of its file."""
    folder = find_games_folder()
    if folder is not None and path.parent.resolve() == folder.resolve() and path.name.endswith(ENDING):
        return path.name.removesuffix(ENDING)
    return str(path)


def create_seed() -> int:
    """Return a random seed for a game without one; short enough to write down."""
    return secrets.randbelow(1_000_000)


def count_decisions(journal: Journal) -> int:
    """Return the number of decisions in a journal that were not undone."""
    return sum(isinstance(entry, DecisionEntry) for entry in list_effective_entries(journal.entries))


def list_notes_since(journal: Journal, sides: Collection[str]) -> list[str]:
    """Return the remarks in a journal that were made after the last decision of these sides, each on one line."""
    entries = journal.entries
    last = max(
        (n for n, entry in enumerate(entries) if isinstance(entry, DecisionEntry) and entry.side in sides), default=-1
    )
    return [_format_on_one_line(entry) for entry in entries[last + 1 :] if isinstance(entry, NoteEntry)]


def list_notes(journal: Journal) -> list[str]:
    """Return the players' remarks in a journal, each on one line, including those made before an undo."""
    return [_format_on_one_line(entry) for entry in journal.entries if isinstance(entry, NoteEntry)]


def _format_on_one_line(note: NoteEntry) -> str:
    return escape_text(" ".join(note.text.split()))
