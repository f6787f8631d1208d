"""Known locations of rulesets on this machine, by ruleset id, as named earlier by the user.

A saved game names its ruleset by id and identity only, so that an untrusted file cannot choose what is opened here.
The locations are stored next to the user's games. Loads no rulesets. Never raises.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from interpreter.files.safe_read import read_regular_file, write_atomically

_FILE = "rulesets.json"
_MAX_LOCATIONS = 200  # locations; the least recently named are dropped
_MAX_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class RulesetLocation:
    """A folder or variant file from which a ruleset was loaded; `hash`: the digest of its rules when it was stored."""

    id: str
    hash: str
    path: str


def list_known_locations(identifier: str) -> list[RulesetLocation]:
    """Return the locations of a ruleset that the user has named, most recent first."""
    return [location for location in _read_locations() if location.id == identifier]


def store_location(identifier: str, identity: str, path: str) -> None:
    """Store the location of a ruleset that the user has named.

    `identifier`: the ruleset's id; `identity`: the digest of its rules now; `path`: its folder or file.
    """
    location = RulesetLocation(identifier, identity, path)
    locations = _read_locations()
    if locations[:1] == [location]:
        return
    file = find_user_file(_FILE)
    if file is None:
        return
    older = [known for known in locations if (known.id, known.path) != (identifier, path)]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        data = [asdict(p) for p in [location, *older][:_MAX_LOCATIONS]]
        write_atomically(file, (json.dumps(data, indent=1) + "\n").encode("ascii"))
    except (OSError, ValueError):
        return


def _read_locations() -> list[RulesetLocation]:
    file = find_user_file(_FILE)
    try:
        data = json.loads(read_regular_file(file, _MAX_BYTES)) if file is not None else []
    except (OSError, ValueError, RecursionError):
        return []
    return (
        [RulesetLocation(e["id"], e["hash"], e["path"]) for e in data if _is_location(e)]
        if isinstance(data, list)
        else []
    )


def _is_location(entry: object) -> bool:
    return isinstance(entry, dict) and all(isinstance(entry.get(key), str) for key in ("id", "hash", "path"))


def find_user_file(name: str) -> Path | None:
    """Return a path in the user's data folder, whether or not the file exists, or None without such a folder."""
    folder = find_user_folder("data")
    return None if folder is None else folder / name


def find_user_folder(sort: str) -> Path | None:
    """Return the user's "data" or "cache" folder of this program; None for a user without a home."""
    import platformdirs

    find = platformdirs.user_data_dir if sort == "data" else platformdirs.user_cache_dir
    try:
        folder = Path(find("grognard", appauthor=False))
    except (OSError, RuntimeError):
        return None
    return folder if folder.is_absolute() else None  # some versions leave `~` unexpanded
