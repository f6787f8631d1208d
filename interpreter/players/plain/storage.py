"""Where games are kept that nobody gave a place, and small facts about journals.

Must not write journals.
"""

from __future__ import annotations

import secrets
from pathlib import Path

from interpreter.runtime.entries import Decision, kept_entries
from interpreter.runtime.journal import Journal

_MOST = 10_000


def own_journal(ruleset: str) -> Path | None:
    """A file for a new game in the user's own data folder; None where there can be none."""
    import platformdirs

    try:
        folder = Path(platformdirs.user_data_dir("grognard", appauthor=False)) / "games"
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(1, _MOST):
            path = folder / f"{ruleset}-{number}.journal"
            if not path.exists():
                return path
    except (OSError, RuntimeError):
        pass
    return None


def fresh_seed() -> int:
    """A seed for a game that was given none: short enough to be written down."""
    return secrets.randbelow(1_000_000)


def decisions_in(journal: Journal) -> int:
    """How many decisions stand in a journal."""
    return sum(isinstance(entry, Decision) for entry in kept_entries(journal.entries))
