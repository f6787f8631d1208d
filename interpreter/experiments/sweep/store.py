"""The folder of a sweep: its identity, every game as soon as it is played, and the final tables.

Games are appended to `games.jsonl` and flushed to disk; a line torn by a kill is dropped. At the end all games are
written, in order, as Parquet. No file contains a time of day.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from interpreter.experiments.measures import Row
from interpreter.files.durable import replace_file, write_text_file
from interpreter.files.installing import get_install_command
from interpreter.runtime.errors import SetupError

IDENTITY, JOURNAL, GAMES, LOOKS, POINTS, SUMMARY, PAGE = (
    "sweep.json",
    "games.jsonl",
    "games.parquet",
    "looks.parquet",
    "points",
    "summary.json",
    "page.html",
)
FORMAT = 1
_GROUP = 50_000  # rows of a Parquet file that lie together
_FIXED = {
    "point": "the number of the point: a combination of values; its variant is points/NNN.yaml",
    "game": "the number of the game, from 0; equal numbers have equal seeds at all points",
    "seed": "the seed of the game's dice and bots",
    "outcome": "winner and level, such as 'reds: overlord'; '' for a game that was cut off",
    "hash": "digest of the final state",
    "fault": "the fault of the rules that ended the game, else ''",
}


@dataclass(frozen=True, slots=True)
class StoredGame:
    """One game at a point of the design.

    `row`: its measures; `fault`: the message of a fault of the rules, or ''; `looks`: [kind, name, seat, count] if the
    game was observed, else ().
    """

    point: int
    game: int
    seed: int
    outcome: str
    hash: str
    row: Row
    fault: str = ""
    looks: tuple[tuple[str, str, str, int], ...] = ()


@dataclass(slots=True)
class SweepStore:
    """The open folder of a sweep. `points` holds the changes of each point by its number, which never changes."""

    folder: Path
    identity: dict[str, Any]
    points: list[dict[str, str]]
    records: dict[tuple[int, int], StoredGame]
    _journal: Any = None

    def find_or_add_point(self, changes: Mapping[str, str]) -> int:
        """Return the number of the point with these changes (value by path); add the point if it is new."""
        ordered = dict(sorted(changes.items()))
        if ordered not in self.points:
            self.points.append(ordered)
        return self.points.index(ordered)

    def write_identity(self) -> None:
        """Write the identity of the sweep and its points to the folder."""
        data = {**self.identity, "points": self.points}
        _write(self.folder / IDENTITY, json.dumps(data, indent=2, ensure_ascii=False, sort_keys=True) + "\n")

    def add(self, records: Iterable[StoredGame]) -> None:
        """Append games that have been played; they are on disk when this returns."""
        if self._journal is None:
            self._journal = (self.folder / JOURNAL).open("a", encoding="utf-8")
        for record in records:
            self.records[record.point, record.game] = record
            self._journal.write(json.dumps(astuple(record), ensure_ascii=False, separators=(",", ":")) + "\n")
        self._journal.flush()
        os.fsync(self._journal.fileno())

    def close(self) -> None:
        """Close the journal; its contents remain."""
        if self._journal is not None:
            journal, self._journal = self._journal, None
            journal.close()

    def finish(self) -> None:
        """Write the final tables, ordered by point and game; they replace the journal."""
        self.close()
        records = [self.records[key] for key in sorted(self.records)]
        _write_games(self, records)
        _write_looks(self, records)
        (self.folder / JOURNAL).unlink(missing_ok=True)


@contextmanager
def open_sweep(folder: Path, identity: dict[str, Any]) -> Iterator[SweepStore]:
    """Open the folder of a sweep; close it at the end of the `with` block.

    Raises `SetupError` if it belongs to another sweep or another process uses it. `identity`: the JSON data that
    distinguishes this sweep from others.
    """
    if find_spec("pyarrow") is None:
        raise SetupError("a sweep needs the extra `lab`; to install it: {command}", command=get_install_command("lab"))
    from filelock import FileLock, Timeout

    identity = {"format": FORMAT, **identity}
    if folder.exists() and not folder.is_dir():
        raise SetupError("--out {folder}: this is a file, not a folder", folder=str(folder))
    is_known = (folder / IDENTITY).is_file()
    if folder.is_dir() and not is_known and any(folder.iterdir()):
        raise SetupError("--out {folder}: the folder contains other files; give a new one", folder=str(folder))
    (folder / POINTS).mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise SetupError("--out {folder}: another sweep is writing there", folder=str(folder)) from None
    try:
        points = _read_points(folder, identity) if is_known else []
        store = SweepStore(folder, identity, points, {})
        store.records = {(r.point, r.game): r for r in (*_read_tables(folder), *_iter_journal(folder))}
        try:
            yield store
        finally:
            store.close()
    finally:
        lock.release()
        (folder / ".lock").unlink(missing_ok=True)


def _read_points(folder: Path, identity: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the points of a stored sweep. Raise SetupError if it has another identity."""
    try:
        data = json.loads((folder / IDENTITY).read_text(encoding="utf-8"))
        points = [dict(point) for point in data["points"]]
    except (ValueError, KeyError, TypeError):
        raise SetupError("--out {folder}: cannot read {file}", folder=str(folder), file=IDENTITY) from None
    for key, value in identity.items():
        if data.get(key) != value:
            raise SetupError(
                "--out {folder}: the games there have another {what} ({there}, now {now}) and cannot be "
                "combined with these; give a new folder",
                folder=str(folder),
                what=key,
                there=str(data.get(key))[:60],
                now=str(value)[:60],
            )
    return points


def _iter_journal(folder: Path) -> Iterator[StoredGame]:
    """Yield the games of the journal. An incomplete last line is cut off."""
    path = folder / JOURNAL
    if not path.is_file():
        return
    length = 0
    with path.open("rb") as journal:
        for line in journal:
            try:
                point, game, seed, outcome, digest, row, fault, looks = json.loads(line)
            except ValueError:
                break
            if not line.endswith(b"\n"):
                break
            length += len(line)
            yield StoredGame(
                point, game, seed, outcome, digest, row, fault, tuple((k, n, s, c) for k, n, s, c in looks)
            )
    if length < path.stat().st_size:
        os.truncate(path, length)


def _read_tables(folder: Path) -> list[StoredGame]:
    """Return the games in the tables of an earlier run."""
    if not (folder / GAMES).is_file():
        return []
    parquet = import_module("pyarrow.parquet")
    looks: dict[tuple[int, int], list[tuple[str, str, str, int]]] = {}
    if (folder / LOOKS).is_file():
        for fields in parquet.read_table(folder / LOOKS).to_pylist():
            key = fields["point"], fields["game"]
            looks.setdefault(key, []).append((fields["kind"], fields["name"], fields["seat"], fields["count"]))
    table = parquet.read_table(folder / GAMES)
    measures = [name for name in table.column_names if name not in _FIXED and not name.startswith("vary ")]
    records = []
    for fields in table.to_pylist():
        row = {name: fields[name] for name in measures if fields[name] is not None}
        point, game = fields["point"], fields["game"]
        game_looks = tuple(looks.get((point, game), ()))
        records.append(
            StoredGame(point, game, fields["seed"], fields["outcome"], fields["hash"], row, fields["fault"], game_looks)
        )
    return records


def _write_games(store: SweepStore, records: list[StoredGame]) -> None:
    """Write the table of all games: a row for each, with a column for each factor and measure."""
    pa = import_module("pyarrow")
    types = {"point": pa.int32(), "game": pa.int32(), "seed": pa.uint64()}
    words = pa.dictionary(pa.int32(), pa.string())
    fields, columns = [], []
    for name, description in _FIXED.items():
        kind = types.get(name) or (pa.string() if name == "hash" else words)
        fields.append(pa.field(name, kind, metadata={"description": description}))
        columns.append(pa.array([getattr(r, name) for r in records], kind))
    for path in dict.fromkeys(path for point in store.points for path in point):
        fields.append(
            pa.field(f"vary {path}", words, metadata={"description": f"the value of {path}; empty: not changed"})
        )
        columns.append(pa.array([store.points[r.point].get(path) for r in records], words))
    for name in sorted({name for r in records for name in r.row}):
        fields.append(pa.field(name, pa.float64(), metadata={"description": "a measure; empty: not told"}))
        columns.append(pa.array([r.row.get(name) for r in records], pa.float64()))
    _write_table(store, GAMES, fields, columns)


def _write_looks(store: SweepStore, records: list[StoredGame]) -> None:
    """Write the table of the traces of observed games."""
    pa = import_module("pyarrow")
    rows = [(r.point, r.game, *look) for r in records for look in r.looks]
    words = pa.dictionary(pa.int32(), pa.string())
    columns_by_name = {
        "point": (pa.int32(), _FIXED["point"]),
        "game": (pa.int32(), _FIXED["game"]),
        "kind": (words, "cell: of a chart, read; refusal: a requirement that closed an option; choice: of an option"),
        "name": (words, "the cell, the requirement's address, or decision and option"),
        "seat": (words, "who had to choose"),
        "count": (pa.int32(), "how often"),
    }
    fields = [pa.field(name, kind, metadata={"description": text}) for name, (kind, text) in columns_by_name.items()]
    columns = [pa.array([row[n] for row in rows], kind) for n, (kind, _text) in enumerate(columns_by_name.values())]
    _write_table(store, LOOKS, fields, columns)


def _write_table(store: SweepStore, name: str, fields: list[Any], columns: list[Any]) -> None:
    """Write a Parquet file of the sweep in one step, with the identity of the sweep as metadata."""
    pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    about = {key: str(value) for key, value in sorted(store.identity.items())}
    schema = pa.schema(fields, metadata={"grognard": json.dumps(about, sort_keys=True)})
    table = pa.Table.from_arrays(columns, schema=schema)
    beside = store.folder / (name + ".new")
    parquet.write_table(table, beside, row_group_size=_GROUP, compression="zstd")
    replace_file(beside, store.folder / name)


def _write(path: Path, text: str) -> None:
    beside = path.with_name(path.name + ".new")
    write_text_file(beside, text)
    replace_file(beside, path)
