"""The entries of a journal as records, and their JSON form.

Reads and writes no files. Data is validated field by field, because a journal is an untrusted file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from interpreter.diagnostics.terminal_text import escape_text
from interpreter.i18n.translator import LocalizedError
from interpreter.saves.identity import SCHEME_OF_BYTES, Identity

Data = Mapping[str, Any]

_MAX_DEPTH = 12  # nesting of the free-form data in an edit or an outcome
_MAX_NAME_LENGTH = 200  # length of a name
_MAX_KEY_LENGTH = 200_000  # length of an option's key: paths of many steps, sets of many pieces
_MAX_NUMBER = 10**18
_MAX_SEED = 10**150


class EntryError(LocalizedError):
    """Raised for data that is not a valid entry; the message names the invalid field."""


@dataclass(frozen=True, slots=True)
class JournalHeader:
    """The starting conditions of a game.

    `ruleset`: the id of the ruleset; `identity`: the digests of its rules. The location of the ruleset is not recorded.
    `options` are as given at the start; `seed` is None if the dice were not seeded; `seats` maps each seat to its
    player; `engine`: the version of the program's rules of play.
    """

    ruleset: str
    identity: Identity
    scenario: str
    options: tuple[str, ...] = ()
    seed: int | None = None
    engine: str = ""
    seats: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DecisionEntry:
    """Decision number `number` (from 1): `side` chose the option `key` in the decision `name`."""

    number: int
    side: str
    name: str
    key: str


@dataclass(frozen=True, slots=True)
class RollEntry:
    """The faces thrown in one roll, in order.

    `name`: the name of the roll; `subject`: what it is rolled for, '' for nothing.
    """

    name: str
    subject: str
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PhaseHashEntry:
    """The hash of the position at the beginning of the phase `phase` of turn `turn`."""

    hash: str
    phase: str
    turn: int


@dataclass(frozen=True, slots=True)
class UndoEntry:
    """An undo; the first `decisions` decisions remain."""

    decisions: int


@dataclass(frozen=True, slots=True)
class EditEntry:
    """A manual change of the position; `changes` is JSON data."""

    changes: Data


@dataclass(frozen=True, slots=True)
class EndEntry:
    """The end of the game in a state with this hash; `outcome` is JSON data (winner, level, ...)."""

    outcome: Data
    hash: str


@dataclass(frozen=True, slots=True)
class WaitingEntry:
    """The decision that a game waits for: its name, side and seat, with the turn and the phase.

    Written after all entries that a choice causes: if it (or an end) is missing, lines were lost.
    """

    turn: int
    phase: str
    side: str
    seat: str
    name: str


@dataclass(frozen=True, slots=True)
class NoteEntry:
    """A player's remark; it does not affect the game, and survives undo."""

    text: str


Entry = DecisionEntry | RollEntry | PhaseHashEntry | UndoEntry | EditEntry | EndEntry | WaitingEntry | NoteEntry


def list_effective_entries(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the entries that were not undone: the line of play that a replay follows.

    Raises EntryError if decisions are not numbered consecutively, or if an undo removes more than there are.
    """
    effective: list[Entry] = []
    starts: list[int] = []  # index in `effective` of each decision
    for entry in entries:
        if isinstance(entry, UndoEntry):
            if entry.decisions > len(starts):
                raise EntryError(
                    "an undo leaves {decisions} decisions, but there are only {standing}",
                    decisions=entry.decisions,
                    standing=len(starts),
                )
            if entry.decisions < len(starts):
                del effective[starts[entry.decisions] :]
                del starts[entry.decisions :]
            continue
        if isinstance(entry, DecisionEntry):
            if entry.number != len(starts) + 1:
                raise EntryError("decision {number} follows decision {before}", number=entry.number, before=len(starts))
            starts.append(len(effective))
        effective.append(entry)
    return tuple(effective)


def list_rolls_after(entries: Sequence[Entry], index: int) -> list[RollEntry]:
    """Return the rolls between entry number `index` and the next decision.

    Rolls of no dice are left out, because they need no input.
    """
    rolls: list[RollEntry] = []
    for number in range(index + 1, len(entries)):
        entry = entries[number]
        if isinstance(entry, DecisionEntry):
            break
        if isinstance(entry, RollEntry) and entry.faces:
            rolls.append(entry)
    return rolls


class PositionEdit(NamedTuple):
    """A manual change of the position: the number of decisions made before it, and the changes as JSON data."""

    decisions: int
    changes: Data


def list_edits(entries: Iterable[Entry]) -> list[PositionEdit]:
    """Return the manual changes that were not undone."""
    edits, decisions = [], 0
    for entry in list_effective_entries(entries):
        if isinstance(entry, DecisionEntry):
            decisions = entry.number
        elif isinstance(entry, EditEntry):
            edits.append(PositionEdit(decisions, entry.changes))
    return edits


def encode_header(header: JournalHeader) -> dict[str, Any]:
    """Return a header's fields as JSON data, in the newest format."""
    identity = header.identity
    return {
        "ruleset": header.ruleset,
        "scheme": identity.scheme,
        "rules": identity.rules,
        "setup": identity.setup,
        "scenario": header.scenario,
        "options": list(header.options),
        "seed": header.seed,
        "engine": header.engine,
        "seats": dict(header.seats),
        "parts": dict(identity.parts),
    }


def decode_header(data: Data) -> JournalHeader:
    """Return a header from JSON data; raise EntryError when a field is missing or of the wrong kind.

    Format 2 has one key `hash`, a digest of the bytes of the ruleset's files.
    """
    seats = _read_mapping(data, "seats")
    options = _read_list(data, "options")
    if not all(isinstance(v, str) for v in [*seats.values(), *options]):
        raise EntryError("seats and options must be texts")
    for key, texts in {"seats": [*seats, *seats.values()], "options": options}.items():
        for text in texts:
            _require_plain_text(text, key)
    seed = None if data.get("seed") is None else _read_int(data, "seed", _MAX_SEED)
    return JournalHeader(
        _read_text(data, "ruleset"),
        _decode_identity(data),
        _read_text(data, "scenario"),
        tuple(options),
        seed,
        _read_text(data, "engine"),
        dict(seats),
    )


def _decode_identity(data: Data) -> Identity:
    if "scheme" not in data:
        return Identity(SCHEME_OF_BYTES, _read_text(data, "hash"))
    parts = _read_mapping(data, "parts")
    for name, digest in parts.items():
        if not isinstance(digest, str):
            raise EntryError("`{key}` must hold texts", key="parts")
        _require_plain_text(name, "parts")
        _require_plain_text(digest, "parts")
    return Identity(_read_count(data, "scheme"), _read_text(data, "rules"), _read_text(data, "setup"), dict(parts))


def encode_entry(entry: Entry) -> dict[str, Any]:
    """Return an entry as JSON data with short keys."""
    match entry:
        case DecisionEntry(number, side, name, key):
            return {"d": number, "side": side, "decision": name, "key": key}
        case RollEntry(name, subject, faces):
            return {"r": name, "s": subject, "f": list(faces)}
        case PhaseHashEntry(state, phase, turn):
            return {"h": state, "p": phase, "t": turn}
        case UndoEntry(decisions):
            return {"u": decisions}
        case EditEntry(changes):
            return {"x": dict(changes)}
        case EndEntry(outcome, state):
            return {"e": dict(outcome), "h": state}
        case WaitingEntry(turn, phase, side, seat, name):
            return {"w": name, "side": side, "seat": seat, "p": phase, "t": turn}
        case NoteEntry(text):
            return {"n": text}


def decode_entry(data: Data) -> Entry:
    """Return an entry from JSON data; raise EntryError if the data is invalid."""
    if "d" in data:
        return DecisionEntry(
            _read_count(data, "d"),
            _read_text(data, "side"),
            _read_text(data, "decision"),
            _read_text(data, "key", _MAX_KEY_LENGTH),
        )
    if "r" in data:
        faces = _read_list(data, "f")
        if not all(isinstance(f, int) and not isinstance(f, bool) for f in faces):
            raise EntryError("`f` must list whole numbers")
        for face in faces:
            _require_small(face, "f")
        return RollEntry(_read_text(data, "r"), _read_text(data, "s"), tuple(faces))
    if "u" in data:
        return UndoEntry(_read_count(data, "u"))
    if "x" in data:
        return EditEntry(_read_free_form(data, "x"))
    if "e" in data:
        return EndEntry(_read_free_form(data, "e"), _read_text(data, "h"))
    if "n" in data:
        if not isinstance(data["n"], str):
            raise EntryError("`{key}` must be text", key="n")
        return NoteEntry(data["n"])  # free text: escaped where it is shown
    if "w" in data:
        return WaitingEntry(
            _read_int(data, "t"),
            _read_text(data, "p"),
            _read_text(data, "side"),
            _read_text(data, "seat"),
            _read_text(data, "w"),
        )
    if "p" in data:
        return PhaseHashEntry(_read_text(data, "h"), _read_text(data, "p"), _read_int(data, "t"))
    raise EntryError("it is not a decision, roll, phase, undo, edit, wait, note or end")


def _read_text(data: Data, key: str, most: int = _MAX_NAME_LENGTH) -> str:
    """Return the value of `key`, a name or id: a single line of at most `most` letters without control characters.

    Raises EntryError for anything else.
    """
    value = data.get(key)
    if not isinstance(value, str):
        raise EntryError("`{key}` must be text", key=key)
    _require_plain_text(value, key, most)
    return value


def _require_plain_text(text: str, key: str, most: int = _MAX_NAME_LENGTH) -> None:
    if len(text) > most:
        raise EntryError("`{key}` is too long: the limit is {most} letters", key=key, most=most)
    if escape_text(text) != text:
        raise EntryError("`{key}` contains a line break or another control character", key=key)


def _read_int(data: Data, key: str, most: int = _MAX_NUMBER) -> int:
    value = data.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise EntryError("`{key}` must be a whole number", key=key)
    _require_small(value, key, most)
    return value


def _require_small(number: float, key: str, most: int = _MAX_NUMBER) -> None:
    """Raise EntryError if a number is larger than `most`, or smaller than its negative."""
    if not -most <= number <= most:
        raise EntryError("`{key}` contains a number with too many digits", key=key)


def _read_count(data: Data, key: str) -> int:
    value = _read_int(data, key)
    if value < 0:
        raise EntryError("`{key}` must be 0 or more", key=key)
    return value


def _read_list(data: Data, key: str) -> list[Any]:
    value = data.get(key)
    if not isinstance(value, list):
        raise EntryError("`{key}` must be a list", key=key)
    return value


def _read_mapping(data: Data, key: str) -> dict[str, Any]:
    value = data.get(key)
    if not isinstance(value, dict):
        raise EntryError("`{key}` must be a mapping", key=key)
    return value


def _read_free_form(data: Data, key: str) -> dict[str, Any]:
    """Return the mapping under `key`, which may have any keys.

    Raises EntryError if its depth, numbers or texts exceed the limits within which it is safe to traverse and show.
    """
    value = _read_mapping(data, key)
    layer: list[Any] = [value]
    for _layer in range(_MAX_DEPTH):
        for part in layer:
            for bare in part if isinstance(part, dict) else (part,):
                if isinstance(bare, str):
                    _require_plain_text(bare, key)
                elif isinstance(bare, int | float):
                    _require_small(bare, key)
        layer = [
            inner
            for outer in layer
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not layer:
            return value
    raise EntryError("`{key}` is nested more than {most} deep", key=key, most=_MAX_DEPTH)
