"""Where rulesets lie on this machine: what its own user has named before, by the ruleset's id.

A saved game names its ruleset by id and identity only, so that a file from elsewhere cannot say what is to be
opened here. What is known stands beside the user's games. Must not load anything. Never raises.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from interpreter.files.safe_read import read_ordinary, write_whole

_FILE = "rulesets.json"
_MOST = 200  # places; those named longest ago make room
_MOST_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Place:
    """A folder or variant file that a ruleset was loaded from, and the identity that its rules had then."""

    id: str
    hash: str
    path: str


def places_of(identifier: str) -> list[Place]:
    """Where a ruleset has been, the place named last first."""
    return [place for place in _known() if place.id == identifier]


def note_place(identifier: str, identity: str, path: str) -> None:
    """Remember where a ruleset lies that the user has named."""
    place = Place(identifier, identity, path)
    known = _known()
    if known[:1] == [place]:
        return
    file = own_file(_FILE)
    if file is None:
        return
    others = [k for k in known if (k.id, k.path) != (identifier, path)]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        data = [asdict(p) for p in [place, *others][:_MOST]]
        write_whole(file, (json.dumps(data, indent=1) + "\n").encode("ascii"))
    except (OSError, ValueError):
        return


def _known() -> list[Place]:
    file = own_file(_FILE)
    try:
        data = json.loads(read_ordinary(file, _MOST_BYTES)) if file is not None else []
    except (OSError, ValueError, RecursionError):
        return []
    return [Place(e["id"], e["hash"], e["path"]) for e in data if _is_place(e)] if isinstance(data, list) else []


def _is_place(entry: object) -> bool:
    return isinstance(entry, dict) and all(isinstance(entry.get(key), str) for key in ("id", "hash", "path"))


def own_file(name: str) -> Path | None:
    """Return a file or folder among the user's own data, which need not exist; None if the user has no such place."""
    folder = user_folder("data")
    return None if folder is None else folder / name


def user_folder(sort: str) -> Path | None:
    """Return the user's "data" or "cache" folder of this program; None for a user without a home."""
    import platformdirs

    find = platformdirs.user_data_dir if sort == "data" else platformdirs.user_cache_dir
    try:
        folder = Path(find("grognard", appauthor=False))
    except (OSError, RuntimeError):
        return None
    return folder if folder.is_absolute() else None  # some versions leave `~` as it is
