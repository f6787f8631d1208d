"""Where games are kept that nobody gave a place, under which names, and small facts about journals.

Must not write journals.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Collection
from pathlib import Path
from unicodedata import normalize

from interpreter.files.whereabouts import own_file
from interpreter.saves.entries import Decision, Note, kept_entries
from interpreter.saves.journal import Journal
from interpreter.source.printing import printable
from interpreter.words.speech import Sentence, mark as _

ENDING = ".journal"
_MOST = 10_000
_NAME = re.compile(r"[^\W_][\w .,+'()-]{0,59}")
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(10))})


def games_folder() -> Path | None:
    """The folder of the user's own games, made where it is missing; None where there can be none."""
    folder = own_file("games")
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        return folder
    except OSError:
        return None


def own_journal(ruleset: str) -> Path | None:
    """A file for a new game in the user's own data folder; None where there can be none."""
    return _free(games_folder(), ruleset)


def rescue_journal(lost: Path) -> Path | None:
    """A new file for a game that can no longer be kept in its own: beside it, or among the user's own games."""
    name = f"{lost.name.removesuffix(ENDING)}-rescued"
    folder = lost.parent if lost.parent.is_dir() and os.access(lost.parent, os.W_OK) else games_folder()
    return _free(folder, name)


def _free(folder: Path | None, name: str) -> Path | None:
    """A file in a folder with this name and a number, which does not exist."""
    if folder is None:
        return None
    try:
        for number in range(1, _MOST):
            path = folder / f"{name}-{number}{ENDING}"
            if not path.exists():
                return path
    except OSError:
        return None
    return None


def name_fault(name: str) -> Sentence:
    """Why a game cannot be called like this; '' when it can.

    >>> name_fault("evening 3"), name_fault("../x")[:15]
    ('', 'a name begins w')
    """
    if not _NAME.fullmatch(normalize("NFC", name)):
        return _(
            "a name begins with a letter or digit and has at most 60 letters, digits, spaces and any of _ - . , + ' ( )"
        )
    if name.endswith((".", " ")) or name.casefold().split(".")[0] in _DEVICES:
        return _("not every system can keep a file of this name")
    return Sentence("")


def named_journal(name: str) -> Path | None:
    """The file of the game with this name, whether it exists or not; None where there can be none."""
    folder = games_folder()
    return None if folder is None else folder / f"{normalize('NFC', name).removesuffix(ENDING)}{ENDING}"


def kept_journals() -> list[Path]:
    """The files of the user's own games, the one written last first."""
    folder = games_folder()
    found: list[tuple[float, Path]] = []
    for path in sorted(folder.glob(f"*{ENDING}")) if folder is not None else ():
        try:
            if path.is_file() and not path.name.startswith("."):
                found.append((path.stat().st_mtime, path))
        except OSError:
            continue
    return [path for _, path in sorted(found, key=lambda one: -one[0])]


def game_name(path: Path) -> str:
    """What a game is called: its name among the user's own games, else its file."""
    folder = games_folder()
    if folder is not None and path.parent.resolve() == folder.resolve() and path.name.endswith(ENDING):
        return path.name.removesuffix(ENDING)
    return str(path)


def fresh_seed() -> int:
    """A seed for a game that was given none: short enough to be written down."""
    return secrets.randbelow(1_000_000)


def decisions_in(journal: Journal) -> int:
    """How many decisions stand in a journal."""
    return sum(isinstance(entry, Decision) for entry in kept_entries(journal.entries))


def notes_since(journal: Journal, sides: Collection[str]) -> list[str]:
    """Return the remarks in a journal that were made after the last decision of these sides, each on one line."""
    entries = journal.entries
    last = max((n for n, one in enumerate(entries) if isinstance(one, Decision) and one.side in sides), default=-1)
    return [_on_one_line(one) for one in entries[last + 1 :] if isinstance(one, Note)]


def notes_in(journal: Journal) -> list[str]:
    """The players' remarks in a journal, each on one line; those too from before decisions were taken back."""
    return [_on_one_line(entry) for entry in journal.entries if isinstance(entry, Note)]


def _on_one_line(note: Note) -> str:
    return printable(" ".join(note.text.split()))
