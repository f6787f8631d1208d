"""Dice as part of a game's state: the sources of rolled faces.

Every source implements `roll_faces`, so the machine does not depend on whether faces come from a seed, a test script,
an enumeration for exact odds, or the players. A seed is the only source of chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Protocol, TypeAlias

from interpreter.i18n.translator import LocalizedError, mark as _

Faces = tuple[int, ...]


class LabelledDie(tuple[int, ...]):
    """A die that draws a member: its faces are the numbers from 1 to the number of members left.

    `members`: what each face draws, in order. `shown`: the type by which a member is formatted
    (`Localizer.format_value`). A dice source may use it like any other die.
    """

    members: tuple[Any, ...]
    shown: tuple[Any, ...]

    @classmethod
    def from_members(cls, members: Sequence[Any], shown: tuple[Any, ...]) -> LabelledDie:
        """Build the die for drawing one of the remaining members. `shown`: the type of a member."""
        die = cls(range(1, len(members) + 1))
        die.members, die.shown = tuple(members), shown
        return die


_STREAM = b"grognard dice 1"  # domain separation: another use of the same seed draws other bytes
_BLOCK = 64  # bytes of one digest
_SEED_BYTES = 64
_SEEDS = 1 << (8 * _SEED_BYTES - 1)  # seeds range from -_SEEDS to _SEEDS - 1
MIN_SEED = -_SEEDS


class DiceSource(Protocol):
    """The interface the machine expects of a source of dice."""

    def roll_faces(self, name: str, subject: str, faces: Faces, count: int) -> list[int]:
        """Return `count` >= 0 faces of the die `faces`, for the roll `name` made for `subject` ('' if none)."""

    def clone(self) -> DiceSource:
        """Return an independent source that will roll exactly the same faces as this one."""


Dice: TypeAlias = (
    DiceSource | Sequence[int] | Mapping[str, Any] | None
)  # what callers may pass: a source, a script of faces, scripts by roll, or None for seeded dice


class DiceExhaustedError(Exception):
    """Raised when scripted dice have no face left for a roll; `name` is the roll, `subject` what it is rolled for."""

    def __init__(self, name: str, subject: str = "") -> None:
        self.name = name
        self.subject = subject
        suffix = f" for {subject}" if subject else ""
        super().__init__(f"no dice left for the roll `{name}`{suffix}: give it more faces")


class InvalidDiceError(LocalizedError):
    """Raised for faces that the die does not have, or for a wrong number of faces."""


class NextRoll(Exception):  # noqa: N818 - control flow
    """Raised by `EnumeratingDice` for the first roll after its prefix."""

    def __init__(self, name: str, subject: str, faces: Faces, count: int) -> None:
        self.name = name
        self.subject = subject
        self.faces = faces
        self.count = count
        super().__init__(f"roll `{name}`: {count} of {len(faces)} faces")


class SeededDice:
    """Unbiased dice from a seed: a keyed hash of a running byte counter.

    The whole state is (`seed`, `counter`); a source built from both continues exactly. The same numbers are rolled on
    every platform and Python version. A seed is an integer between -2**511 and 2**511 - 1; others raise ValueError.
    """

    __slots__ = ("_block", "_left", "counter", "seed")

    def __init__(self, seed: int, counter: int = 0) -> None:
        if not MIN_SEED <= seed < _SEEDS:
            raise ValueError(_("the seed is too large: use a number of at most 150 digits"))
        if counter < 0:
            raise ValueError(_("the dice counter is {counter}, but it must be 0 or more", counter=counter))
        self.seed = seed
        self.counter = counter  # bytes of the stream used so far
        self._block = b""
        self._left = 0  # unused bytes of the block; 0 also before the first block

    def clone(self) -> SeededDice:
        """Return independent dice that will roll the same faces."""
        twin = SeededDice.__new__(SeededDice)
        twin.seed, twin.counter = self.seed, self.counter
        twin._block, twin._left = self._block, self._left
        return twin

    def move_to(self, counter: int) -> None:
        """Continue at the position `counter`, the number of bytes of the random stream used so far."""
        if counter != self.counter:
            self.counter, self._left = counter, 0

    def roll(self, faces: int) -> int:
        """Return a uniform number from 0 to `faces` - 1; `faces` >= 1."""
        if faces > 256:
            return self._roll_wide(faces)
        limit = 256 - 256 % faces  # rejection sampling: bytes from here on would favour low numbers
        while True:
            left = self._left
            if not left:
                left = self._hash_next_block()
            self._left = left - 1
            self.counter += 1
            byte = self._block[_BLOCK - left]
            if byte < limit:
                return byte % faces

    def roll_faces(self, name: str, subject: str, faces: Faces, count: int) -> list[int]:
        """Return `count` faces of the die; name and subject are ignored."""
        sides = len(faces)
        roll = self.roll
        if count == 1:
            return [faces[roll(sides)]]
        return [faces[roll(sides)] for _ in range(count)]

    def _roll_wide(self, faces: int) -> int:
        """Return a uniform number like `roll`, for dice with more than 256 faces."""
        size = ((faces - 1).bit_length() + 7) // 8
        space = 1 << (8 * size)
        limit = space - space % faces
        while True:
            number = 0
            for _place in range(size):
                number = number << 8 | self.roll(256)
            if number < limit:
                return number % faces

    def _hash_next_block(self) -> int:
        """Hash the block that holds the next byte; return how many of its bytes are unused."""
        block, used = divmod(self.counter, _BLOCK)
        self._block = _hash_block(self.seed, block)
        self._left = _BLOCK - used
        return self._left


@lru_cache(maxsize=256)  # trials of one decision roll the same dice
def _hash_block(seed: int, block: int) -> bytes:
    key = seed.to_bytes(_SEED_BYTES, "little", signed=True)
    return blake2b(block.to_bytes(16, "little"), key=key, digest_size=_BLOCK, person=_STREAM).digest()


Script = Mapping[str, Sequence[int] | Mapping[str, Sequence[int]]]


class ScriptedDice:
    """Dice that roll the faces that a test or a replay gives.

    `script` is a list of faces for any roll, or a mapping from the name of a roll to its faces (a list, or lists by
    subject). If `rest` is given too, a roll that the script names uses only its own faces and `rest` serves all others.
    Rolls raise DiceExhaustedError without a face left, and InvalidDiceError for a face that the die does not have.
    """

    __slots__ = ("_named", "_rest")

    def __init__(self, script: Script | Sequence[int] = (), rest: Sequence[int] = ()) -> None:
        # queues are kept in reverse: the next face is the last
        self._named: dict[str, list[int] | dict[str, list[int]]] = {}
        if isinstance(script, Mapping):
            for name, queued in script.items():
                self._named[name] = (
                    {subject: list(reversed(queue)) for subject, queue in queued.items()}
                    if isinstance(queued, Mapping)
                    else list(reversed(queued))
                )
            self._rest = list(reversed(rest))
        else:
            self._rest = [*reversed(rest), *reversed(script)]

    def clone(self) -> ScriptedDice:
        """Return an independent script with the same faces left."""
        twin = ScriptedDice()
        twin._named = {
            name: {s: list(q) for s, q in left.items()} if isinstance(left, dict) else list(left)
            for name, left in self._named.items()
        }
        twin._rest = list(self._rest)
        return twin

    def roll_faces(self, name: str, subject: str, faces: Faces, count: int) -> list[int]:
        """Return the next `count` faces scripted for this roll."""
        queue = self._queue(name, subject)
        if len(queue) < count:
            raise DiceExhaustedError(name, subject)
        rolled = [queue.pop() for _ in range(count)]
        _require_faces(name, rolled, faces, count)
        return rolled

    def list_unused_faces(self) -> dict[str, list[int]]:
        """Return faces that were given but not rolled, by roll name; empty if all were used.

        The key is "name of subject" for faces given by subject, and '' for unnamed ones.
        """
        left: dict[str, list[int]] = {}
        for name, queue in self._named.items():
            if isinstance(queue, dict):
                left.update({f"{name} of {subject}": q[::-1] for subject, q in queue.items() if q})
            elif queue:
                left[name] = queue[::-1]
        if self._rest:
            left[""] = self._rest[::-1]
        return left

    def _queue(self, name: str, subject: str) -> list[int]:
        queues = self._named.get(name)
        if queues is None:
            return self._rest
        return queues.get(subject, []) if isinstance(queues, dict) else queues


class EnumeratingDice:
    """Dice for exact odds: replays a prefix of rolls, then raises NextRoll.

    `prefix` holds one tuple of faces for each roll statement (a pool is one entry). The caller runs the rules, catches
    NextRoll, and reruns them once for each outcome of that roll (see `iter_pool_outcomes`). Rolls of zero dice have no
    entry.
    """

    __slots__ = ("_at", "_prefix")

    def __init__(self, prefix: Sequence[Faces] = ()) -> None:
        self._prefix = tuple(prefix)
        self._at = 0

    def clone(self) -> EnumeratingDice:
        """Return dice at the same position of the same prefix."""
        twin = EnumeratingDice(self._prefix)
        twin._at = self._at
        return twin

    def roll_faces(self, name: str, subject: str, faces: Faces, count: int) -> list[int]:
        """Return the next entry of the prefix; raise NextRoll after the last."""
        if not count:
            return []
        if self._at == len(self._prefix):
            raise NextRoll(name, subject, faces, count)
        rolled = list(self._prefix[self._at])
        _require_faces(name, rolled, faces, count)
        self._at += 1
        return rolled


Ask = Callable[[str, str, Faces, int], Sequence[int]]


class AskedDice:
    """Dice rolled at the table: `ask(name, subject, faces, count)` returns the faces rolled.

    Raises InvalidDiceError if the answer has another number of dice or a face the die lacks.
    """

    __slots__ = ("_ask",)

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def clone(self) -> AskedDice:
        """Return dice that ask through the same callback."""
        return AskedDice(self._ask)

    def roll_faces(self, name: str, subject: str, faces: Faces, count: int) -> list[int]:
        """Return the faces that the players report; for zero dice return [] without asking."""
        if not count:
            return []
        rolled = list(self._ask(name, subject, faces, count))
        _require_faces(name, rolled, faces, count)
        return rolled


def _require_faces(name: str, rolled: Sequence[int], faces: Faces, count: int) -> None:
    """Raise InvalidDiceError unless `rolled` are `count` faces of the die `faces`."""
    if len(rolled) != count:
        raise InvalidDiceError(
            "the roll `{name}` needs {count} dice, found {taken}", name=name, count=count, taken=len(rolled)
        )
    for face in rolled:
        if face not in faces:
            known = ", ".join(str(f) for f in dict.fromkeys(faces))
            raise InvalidDiceError(
                "the roll `{name}` has the result {face}, but the die has the faces {known}",
                name=name,
                face=face,
                known=known,
            )
