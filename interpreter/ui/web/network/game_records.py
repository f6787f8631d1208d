"""Records of served games: the identity from which a game's links are derived, and its ports.

A record lies among the user's own data, named after the game's file. It is valid for a journal that begins with the
lines present when the record was written: a new game under an old file name has another identity, so old links open
nothing.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from interpreter.files.ruleset_locations import find_user_file
from interpreter.files.safe_read import read_regular_file, write_atomically
from interpreter.saves.journal import MAX_BYTES

_FOLDER = "served"
_LIST = "list-of-games"  # key of the lobby page
_MAX_RECORDS = 1_000
_MAX_BYTES = 64 * 1024
_MAX_PORTS = 4
_SUM_BYTES = 64  # upper bound for a line's checksum field
_LAST_SUM = re.compile(rb'"c":"([0-9a-f]{12})"\}\r?\n\Z')  # each sum covers all lines before it


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A served game: `identity` is random and not secret; `ports` are its former ports, the preferred one first."""

    identity: str
    ports: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _SavedRecord:
    """A game's record as saved, with the journal's path, and its length in bytes and last checksum at that time."""

    path: str
    identity: str
    ports: tuple[int, ...]
    length: int
    sum: str


def create_record() -> GameRecord:
    """Return a record for a game that was never served."""
    return GameRecord(secrets.token_urlsafe(12))


def recall_game(path: Path) -> GameRecord | None:
    """Return the record of the game in a file, even if the file was moved; None if it was never served."""
    content = _read_journal(path)
    if content is None:
        return None
    record = _read_record(_find_file(str(path.resolve())))
    candidates = (
        [record] if record is not None else (candidate for candidate in _iter_records() if _is_missing(candidate.path))
    )
    match = next((candidate for candidate in candidates if _is_continued(candidate, content)), None)
    return None if match is None else GameRecord(match.identity, match.ports)


def save_game_record(path: Path, record: GameRecord) -> None:
    """Save a record for the game in a file. Never raises: without a record the game gets new links next time."""
    content = _read_journal(path)
    if content is not None:
        length = content.rfind(b"\n") + 1
        checksum = _LAST_SUM.search(content[max(0, length - _SUM_BYTES) : length])
        if checksum is not None:
            location = str(path.resolve())
            _write_record(_SavedRecord(location, record.identity, record.ports, length, checksum[1].decode("ascii")))


def recall_list_ports() -> tuple[int, ...]:
    """Return the ports at which the list of all games was served."""
    record = _read_record(_find_file(_LIST))
    return record.ports if record is not None else ()


def remember_list_ports(ports: tuple[int, ...]) -> None:
    """Save the ports of the list of all games."""
    _write_record(_SavedRecord(_LIST, "", ports, 0, ""))


def add_port(ports: Iterable[int], port: int, is_wanted: bool) -> tuple[int, ...]:
    """Return the known ports with `port` added: as the first if `is_wanted`, else as the last.

    `is_wanted`: the user asked for this port. The number of ports is limited.
    """
    other_ports = [other_port for other_port in ports if other_port != port]
    if is_wanted:
        return (port, *other_ports)[:_MAX_PORTS]
    known_ports = tuple(ports)
    return known_ports if port in known_ports else (*other_ports[: _MAX_PORTS - 1], port)


def _is_missing(path: str) -> bool:
    """Return whether no file has this path; False if that cannot be found out."""
    try:
        return not Path(path).exists()
    except (OSError, ValueError):
        return False


def _read_journal(path: Path) -> bytes | None:
    try:
        return read_regular_file(path, MAX_BYTES)
    except (OSError, ValueError):
        return None


def _is_continued(record: _SavedRecord, content: bytes) -> bool:
    """Return True if the journal `content` begins with the lines that were there when the record was written."""
    if not 0 < record.length <= len(content):
        return False
    checksum = _LAST_SUM.search(content[max(0, record.length - _SUM_BYTES) : record.length])
    return checksum is not None and checksum[1].decode("ascii") == record.sum


def _find_file(location: str) -> Path | None:
    folder = find_user_file(_FOLDER)
    digest = sha256(location.encode("utf-8", "surrogatepass")).hexdigest()
    return None if folder is None else folder / f"{digest[:32]}.json"


def _iter_records() -> Iterator[_SavedRecord]:
    folder = find_user_file(_FOLDER)
    try:
        files = sorted(folder.glob("*.json"))[:_MAX_RECORDS] if folder is not None else []
    except OSError:
        return
    yield from filter(None, map(_read_record, files))


def _read_record(file: Path | None) -> _SavedRecord | None:
    """Return the record in a file, or None if it has no readable record."""
    try:
        data = json.loads(read_regular_file(file, _MAX_BYTES)) if file is not None else None
    except (OSError, ValueError, RecursionError):
        return None
    return _parse_record(data) if isinstance(data, dict) else None


def _parse_record(data: Mapping[str, Any]) -> _SavedRecord | None:
    """Return a record from JSON data, or None if the data is not a record."""
    ports = data.get("ports")
    texts = [data.get(key) for key in ("path", "identity", "sum")]
    length = data.get("length")
    if not isinstance(ports, list) or not all(type(port) is int and 0 < port < 65_536 for port in ports):
        return None
    if not all(isinstance(text, str) for text in texts) or type(length) is not int:
        return None
    return _SavedRecord(data["path"], data["identity"], tuple(ports), length, data["sum"])


def _write_record(record: _SavedRecord) -> None:
    """Write a record to its file; a failure is ignored, because the record only saves a question."""
    file = _find_file(record.path)
    if file is None:
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, (json.dumps(asdict(record), indent=1) + "\n").encode("ascii"))
        _drop_oldest(file.parent)
    except (OSError, ValueError):
        return


def _drop_oldest(folder: Path) -> None:
    """Delete the oldest records above the limit."""
    files = list(folder.glob("*.json"))
    if len(files) > _MAX_RECORDS:
        for file in sorted(files, key=lambda path: path.stat().st_mtime)[: len(files) - _MAX_RECORDS]:
            file.unlink(missing_ok=True)
