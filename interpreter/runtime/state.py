"""The state of a game: a value that is copied, hashed and written as JSON.

A ruleset gets a class of its own with one slot for each state column (a list indexed by
handle) and each game-wide value; see `state_class`. Must not know what a column means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from hashlib import blake2b
from json import JSONEncoder
from operator import attrgetter
from typing import Any

LENT = ("at", "occ")  # lists that original and copy share, as the columns, until one of them writes in its own
ALL_OWN = -1  # all marks
SHARED = (
    "turn",
    "last_turn",
    "scenario",
    "phase",
    "options",
    "pending",
    "outcome",
    "answer",
    "ret",
    "signal",
    "spent",
    "program",
    "draft",
    "on_trial",
    "seat_of",
    "stack",
    "above",
    "queue",
    "depth",
)  # values that never change in place
NOT_KEPT = {"occ", "program", "answer", "above", "on_trial"}  # of these, what a state kept where one decides is without
COMMON = (*LENT, *SHARED, "dice", "log", "memo", "own")


class State:
    """Base of the classes made by `state_class`; see there for the slots.

    `stack` holds the suspended procedures: (where the innermost goes on, its locals, the rest of them), () where there
    is none. While one runs it holds those that wait for it. On the way there a procedure that asks puts itself before
    them, and each that called it leaves where it goes on, and its locals, in `above`.
    """

    __slots__ = ("__weakref__", *COMMON)
    stack: Any
    above: Any

    @property
    def frames(self) -> list[Any]:
        """The suspended procedures, innermost first."""
        found, rest = list[Any](), self.stack
        while rest:
            (name, pc), values, rest = rest
            found.append((name, pc, values))
        return found

    @frames.setter
    def frames(self, frames: list[Any]) -> None:
        self.stack, self.above = (), None
        for name, pc, values in reversed(frames):
            self.stack = (name, pc), values, self.stack


def marks_of(columns: Iterable[str]) -> dict[str, int]:
    """For each list that is lent its mark in `own`, which says that a state shares it with no other."""
    return dict.fromkeys(LENT, 1) | {slot: 2 << number for number, slot in enumerate(columns)}


def own(state: Any, slot: str, mark: int) -> None:
    """The state gets a list of its own, to write in it."""
    for lent in LENT if slot in LENT else (slot,):
        setattr(state, lent, getattr(state, lent)[:])
    state.own |= mark


def own_all(state: Any) -> None:
    """The state shares nothing that is written in."""
    if state.own != ALL_OWN:
        for slot, mark in type(state).marks.items():
            if not state.own & mark:
                own(state, slot, mark)
        state.own = ALL_OWN


def state_class(columns: list[str], game: list[str]) -> type[State]:
    """A state class with slots for the named columns and game-wide values."""
    cls = type("RulesetState", (State,), {"__slots__": (*columns, *game)})
    cls.columns = tuple(columns)  # type: ignore[attr-defined]
    cls.marks = marks_of(columns)  # type: ignore[attr-defined]
    cls.lists = attrgetter("at", "seat_of", *columns)  # type: ignore[attr-defined]
    cls.singles = attrgetter(*(slot for slot in SHARED if slot not in _APART), *game)  # type: ignore[attr-defined]
    cls.standing = attrgetter("turn", "phase", "options", *game, "at", "seat_of", *columns)  # type: ignore[attr-defined]
    cls.game = tuple(game)  # type: ignore[attr-defined]
    return cls


def copied(state: Any, dice: Any = None) -> Any:
    """An independent copy of a state, with dice of its own or with those given."""
    return state.program.copy_state(state, type(state), dice)


_APART = {
    "pending",
    "spent",
    "answer",
    "program",
    "on_trial",
}  # of what never changes in place, where it is no position


def is_same(one: Any, other: Any) -> bool:
    """Whether two states of a program stand in one position, whatever falls of their dice and whoever lists options."""
    cls = type(one)
    if one.program is not other.program or cls.lists(one) != cls.lists(other):
        return False
    mine, others = one.pending, other.pending
    if mine is None or others is None or mine[:2] != others[:2]:
        return mine is others
    if one.program.is_draft(mine[0]) and mine[2] != others[2]:
        return False
    return bool(cls.singles(one) == cls.singles(other))


def kept(state: Any, dice: Any) -> tuple[Any, ...]:
    """What makes up the state, where something is being decided, with dice given; states made from it are `whole`."""
    values: tuple[Any, ...] = state.program.kept_values(state, dice)
    return values


def whole(program: Any, values: tuple[Any, ...]) -> Any:
    """The state that was kept, fit to be looked at and copied. Who stands where follows from where all stand."""
    state = program.state_type()
    program.put_back(state, values)
    state.program, state.own, state.log, state.memo = program, 0, None, {}
    state.answer, state.above, state.on_trial = None, None, False
    fill_places(state)
    return state


_AS_JSON = frozenset((int, str, bool, type(None)))  # what stays as it is


def jsonable(value: Any) -> Any:
    """A value of the rules as JSON data."""
    if isinstance(value, (tuple, list)):
        return [v if type(v) in _AS_JSON else jsonable(v) for v in value]
    if type(value) is Fraction:
        return {"n": value.numerator, "d": value.denominator}
    return value


def from_json(value: Any) -> Any:
    """The value again: lists as tuples."""
    if isinstance(value, dict):
        return Fraction(int(value["n"]), int(value["d"]))
    if isinstance(value, list):
        return tuple(from_json(v) for v in value)
    return value


def _written(value: Any) -> Any:
    """What JSON has no form for: only fractions; tuples are written as lists of themselves."""
    if isinstance(value, Fraction):
        return {"n": value.numerator, "d": value.denominator}
    raise TypeError(f"{value!r} is no value of a state")


_ORDERED = JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=_written).encode
_PLAIN = JSONEncoder(separators=(",", ":"), ensure_ascii=True, default=_written).encode


def state_data(state: Any) -> dict[str, Any]:
    """Everything that makes the state what it is, as JSON data (dice excepted)."""
    return _data(state, jsonable)


def _data(state: Any, jsonable: Callable[[Any], Any]) -> dict[str, Any]:
    cls = type(state)
    return {
        "at": state.at,
        "seats": list(state.seat_of),
        "turn": state.turn,
        "last_turn": state.last_turn,
        "phase": state.phase,
        "options": jsonable(state.options),
        "columns": {c: jsonable(getattr(state, c)) for c in cls.columns},
        "game": {g: jsonable(getattr(state, g)) for g in cls.game},
        "frames": [[n, pc, jsonable(values)] for n, pc, values in state.frames],
        "pending": None
        if state.pending is None
        else [
            state.pending[0],
            jsonable(state.pending[1]),
            jsonable(state.pending[2]) if state.program.is_draft(state.pending[0]) else None,
        ],
        "queue": jsonable(state.queue),
        "depth": dict(sorted(state.depth.items())),
        "draft": jsonable(state.draft),
        "outcome": jsonable(state.outcome),
        "ret": jsonable(state.ret),
    }


def _as_it_is(value: Any) -> Any:
    return value


def state_hash(state: Any) -> str:
    """A digest of the state, dice position included; the same on every platform."""
    text = _ORDERED([_data(state, _as_it_is), getattr(state.dice, "counter", None)])
    return blake2b(text.encode(), digest_size=16).hexdigest()


Standing = tuple[tuple[Any, ...], Any]  # a position as it stood, and how far its dice were


def standing_of(state: Any) -> Standing:
    """The position, to be told from others later; its lists are lent from now on."""
    state.own = 0
    return type(state).standing(state), getattr(state.dice, "counter", None)


def standing_hash(cls: Any, standing: Standing) -> str:
    """A digest of the position alone: pieces, attributes, turn and phase, whatever is suspended."""
    (turn, phase, options, *others), counter = standing
    game, (at, seat_of, *columns) = others[: len(cls.game)], others[len(cls.game) :]
    data = (at, seat_of, turn, phase, options, columns, game, counter)
    return blake2b(_PLAIN(data).encode(), digest_size=16).hexdigest()


def restore(state: Any, data: dict[str, Any]) -> None:
    """Put JSON data back into a fresh state of the same program."""
    cls = type(state)
    state.at = list(data["at"])
    state.seat_of = tuple(data["seats"])
    state.turn = data["turn"]
    state.last_turn = data["last_turn"]
    state.phase = data["phase"]
    state.options = from_json(data["options"])
    state.program = state.program.under_options(state.options)
    for column in cls.columns:
        setattr(state, column, [from_json(v) for v in data["columns"][column]])
    for slot in cls.game:
        setattr(state, slot, from_json(data["game"][slot]))
    state.frames = [(n, pc, from_json(values)) for n, pc, values in data["frames"]]
    state.queue = tuple(from_json(q) for q in data["queue"])
    state.depth = dict(data["depth"])
    state.draft = from_json(data["draft"])
    state.outcome = from_json(data["outcome"])
    state.ret = from_json(data["ret"])
    state.answer = state.signal = None
    state.spent = state.program.unspent
    state.on_trial = False
    state.memo = {}
    state.own = ALL_OWN
    fill_places(state)
    pending = data["pending"]
    state.pending = None
    if pending is not None:
        number, values = pending[0], from_json(pending[1])
        listed = from_json(pending[2]) if pending[2] is not None else state.program.list_options(state, number, values)
        state.pending = (number, values, listed)


def fill_places(state: Any) -> None:
    """Work out who stands where from where each piece stands."""
    here: list[list[int]] = [[] for _ in range(state.program.place_count)]
    for piece, place in enumerate(state.at):
        here[place].append(piece)
    state.occ = [tuple(x) for x in here]
