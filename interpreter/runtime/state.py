"""State of a game: a value that is copied, hashed and serialized as JSON.

Each ruleset gets its own class with one slot for each state column (a list indexed by handle) and each game-wide
value; see `build_state_class`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from hashlib import blake2b
from json import JSONEncoder
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from interpreter.runtime.pending import Pending, PendingDecision, PendingDraft
from interpreter.runtime.type_aliases import Above, Frame, Memo, Outcome, Snapshot, Stack, Step, Value, Values

if TYPE_CHECKING:
    from interpreter.runtime.dice import DiceSource
    from interpreter.runtime.log_entries import LogEntry
    from interpreter.runtime.program import Program


class EventSink(Protocol):
    """Receiver of log entries: a log, or an object that observes the entries instead.

    `hashes`: phase entries are to record the position. `text_steps`: the budget steps that formatting texts has taken
    in the current choice.
    """

    hashes: bool
    text_steps: int

    def append(self, entry: LogEntry, /) -> None:
        """Log an entry."""

    def measure_last_entry(self) -> int:
        """Return the number of values that the last entry holds."""


LENT = ("at", "occ")  # lists shared copy-on-write, like the columns
ALL_OWN = -1  # all bits of `own`
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
)  # immutable values
# Slots that `snapshot_values` omits because they are empty or recomputed.
NOT_KEPT = {"occ", "program", "answer", "above", "on_trial"}
COMMON = (*LENT, *SHARED, "dice", "log", "memo", "own")


class State:
    """The state of a game; `build_state_class` derives a class for each ruleset, with further slots for its attributes.

    `stack` is the linked list of suspended procedures, innermost first: (resume point, locals, rest), or (). While a
    procedure runs it holds its callers. When a decision suspends the run, the asking procedure is pushed onto `stack`,
    and each caller that is left records its resume point and locals in `above`.
    """

    __slots__ = ("__weakref__", *COMMON)

    at: list[int]  # the place of each piece
    occ: list[tuple[int, ...]]  # the pieces at each place, in handle order
    turn: int
    last_turn: int | None
    scenario: str | None
    phase: str | None
    options: Values  # the value of each optional rule
    pending: Pending | None  # what must be answered before the rules go on
    outcome: Outcome | None
    answer: Value  # to the decision that is being resumed
    ret: Value  # result of the last procedure
    signal: str | None  # the phase that is skipped to
    spent: int  # steps of the budget
    program: Program
    draft: tuple[Step, ...]  # steps taken in the pending draft
    on_trial: bool  # a bot's trial, whose memos survive a choice
    seat_of: tuple[int, ...]  # the seat of each side
    stack: Stack
    above: Above
    queue: tuple[tuple[str, Values], ...]  # procedures to call later, with their arguments
    depth: dict[str, int]  # nested calls of each recursive procedure
    dice: DiceSource
    log: EventSink | None
    memo: dict[str, Memo]  # memoized values of the rules, by function
    own: int  # bits of the lists that this state may write to

    # of the class that a ruleset's program makes
    columns: ClassVar[tuple[str, ...]]
    marks: ClassVar[dict[str, int]]
    game: ClassVar[tuple[str, ...]]
    lists: ClassVar[Callable[[State], Values]]
    singles: ClassVar[Callable[[State], Values]]
    standing: ClassVar[Callable[[State], Values]]

    @property
    def frames(self) -> list[Frame]:
        """Return the suspended procedures, innermost first."""
        frames, rest = list[Frame](), self.stack
        while rest:
            (name, pc), values, rest = rest
            frames.append((name, pc, values))
        return frames

    @frames.setter
    def frames(self, frames: Sequence[Frame]) -> None:
        self.stack, self.above = (), None
        for name, pc, values in reversed(frames):
            self.stack = (name, pc), values, self.stack


def assign_ownership_bits(columns: Iterable[str]) -> dict[str, int]:
    """Return the bit in `own` of each list that states share copy-on-write; it is set if the state has its own copy."""
    return dict.fromkeys(LENT, 1) | {slot: 2 << number for number, slot in enumerate(columns)}


def own_list(state: State, slot: str, mark: int) -> None:
    """Copy a shared list so that the state can write to it (copy-on-write).

    `slot`: the name of the list. `mark`: its bit in `own`, which gets set.
    """
    for lent in LENT if slot in LENT else (slot,):
        setattr(state, lent, getattr(state, lent)[:])
    state.own |= mark


def copy_shared_lists(state: State) -> None:
    """Copy all shared lists that can be written to."""
    if state.own != ALL_OWN:
        for slot, mark in type(state).marks.items():
            if not state.own & mark:
                own_list(state, slot, mark)
        state.own = ALL_OWN


def build_state_class(columns: list[str], game: list[str]) -> type[State]:
    """Build the state class of a ruleset.

    `columns`: names of the slots for attributes of things, each a list by handle; `game`: names of the slots for values
    of the game.
    """
    cls = type(
        "RulesetState",
        (State,),
        {
            "__slots__": (*columns, *game),
            "columns": tuple(columns),
            "marks": assign_ownership_bits(columns),
            "lists": attrgetter("at", "seat_of", *columns),
            "singles": attrgetter(*(slot for slot in SHARED if slot not in _APART), *game),
            "standing": attrgetter("turn", "phase", "options", *game, "at", "seat_of", *columns),
            "game": tuple(game),
        },
    )
    return cls


def clone_state(state: State, dice: DiceSource | None = None) -> State:
    """Return an independent copy of a state, with the given dice or cloned dice."""
    return state.program.copy_state(state, type(state), dice)


# Immutable slots that are not part of the position.
_APART = {"pending", "spent", "answer", "program", "on_trial"}


def is_same(one: State, other: State) -> bool:
    """Return whether two states of one program are equal, apart from dice and from options that are not listed yet."""
    cls = type(one)
    if one.program is not other.program or cls.lists(one) != cls.lists(other):
        return False
    pending, others = one.pending, other.pending
    if pending is None or others is None or pending[:2] != others[:2]:
        return pending is others
    if isinstance(pending, PendingDraft) and pending != others:
        return False
    return bool(cls.singles(one) == cls.singles(other))


def restore_snapshot(program: Program, values: Snapshot) -> State:
    """Rebuild a state, and the pieces at each place, from the values that `Program.snapshot_values` returned."""
    state = program.state_type()
    program.restore_values(state, values)
    state.program, state.own, state.log, state.memo = program, 0, None, {}
    state.answer, state.above, state.on_trial = None, None, False
    fill_places(state)
    return state


_AS_JSON = frozenset((int, str, bool, type(None)))  # types that JSON represents directly


def to_json(value: object) -> object:
    """Convert a value of the rules to JSON data: tuples become lists, fractions become `{"n": ..., "d": ...}`."""
    if isinstance(value, (tuple, list)):
        return [v if type(v) in _AS_JSON else to_json(v) for v in value]
    if type(value) is Fraction:
        return {"n": value.numerator, "d": value.denominator}
    return value


def from_json(value: object) -> Any:  # noqa: ANN401 - the type is known to the reader of the field
    """Convert JSON data from `to_json` back to a value of the rules: lists become tuples, objects become fractions."""
    if isinstance(value, dict):
        return Fraction(int(value["n"]), int(value["d"]))
    if isinstance(value, list):
        return tuple(from_json(v) for v in value)
    return value


def _encode_fraction(value: object) -> object:
    """Return a fraction as `{"n": numerator, "d": denominator}`; the `default` function of `JSONEncoder`.

    Raises TypeError for any other value.
    """
    if isinstance(value, Fraction):
        return {"n": value.numerator, "d": value.denominator}
    raise TypeError(f"{value!r} is not a value of a state")


_ORDERED = JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=_encode_fraction).encode
_PLAIN = JSONEncoder(separators=(",", ":"), ensure_ascii=True, default=_encode_fraction).encode


def serialize_state(state: State) -> dict[str, Any]:
    """Return everything that makes up the state, except dice, as JSON data."""
    return _serialize(state, to_json)


def _serialize(state: State, jsonable: Callable[[Any], Any]) -> dict[str, Any]:
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
        "pending": _serialize_pending(state.pending, jsonable),
        "queue": jsonable(state.queue),
        "depth": dict(sorted(state.depth.items())),
        "draft": jsonable(state.draft),
        "outcome": jsonable(state.outcome),
        "ret": jsonable(state.ret),
    }


def _serialize_pending(pending: Pending | None, jsonable: Callable[[Any], Any]) -> list[Any] | None:
    """Return a pending decision as JSON data; options are left out, because they are listed again.

    `jsonable`: converts a value of the rules to JSON data.
    """
    match pending:
        case PendingDecision(number, values):
            return [number, jsonable(values), None]
        case PendingDraft(number, values, args):
            return [number, jsonable(values), jsonable(args)]
    return None


def compute_state_hash(state: State) -> str:
    """Return a digest of the state, including the dice position; it is the same on every platform."""
    text = _ORDERED([_serialize(state, lambda value: value), getattr(state.dice, "counter", None)])
    return blake2b(text.encode(), digest_size=16).hexdigest()


Standing = tuple[tuple[Any, ...], Any]  # a position and its dice counter


def snapshot_position(state: State) -> Standing:
    """Return the position as an immutable value that can be compared later.

    The state shares its lists with it, copy-on-write.
    """
    state.own = 0
    return type(state).standing(state), getattr(state.dice, "counter", None)


def hash_position(cls: type[State], standing: Standing) -> str:
    """Return a digest of the position alone: pieces, attributes, turn and phase, without suspended procedures.

    `standing`: the values that make up the position.
    """
    (turn, phase, options, *values), counter = standing
    game, (at, seat_of, *columns) = values[: len(cls.game)], values[len(cls.game) :]
    data = (at, seat_of, turn, phase, options, columns, game, counter)
    return blake2b(_PLAIN(data).encode(), digest_size=16).hexdigest()


def restore(state: State, data: dict[str, Any]) -> None:
    """Set a fresh state of the same program to the values that `serialize_state` returned."""
    cls = type(state)
    state.at = list(data["at"])
    state.seat_of = tuple(data["seats"])
    state.turn = data["turn"]
    state.last_turn = data["last_turn"]
    state.phase = data["phase"]
    state.options = from_json(data["options"])
    state.program = state.program.apply_options(state.options)
    for column in cls.columns:
        setattr(state, column, [from_json(v) for v in data["columns"][column]])
    for slot in cls.game:
        setattr(state, slot, from_json(data["game"][slot]))
    state.frames = [(n, pc, from_json(values)) for n, pc, values in data["frames"]]
    state.queue = tuple(from_json(q) for q in data["queue"])
    state.depth = dict(data["depth"])
    state.draft = from_json(data["draft"])
    outcome = from_json(data["outcome"])
    state.outcome = None if outcome is None else Outcome(*outcome)
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
        if pending[2] is not None:
            state.pending = PendingDraft(number, values, from_json(pending[2]))
        else:
            options = state.program.list_options(state, number, values)
            state.pending = PendingDecision(number, values, options)


def fill_places(state: State) -> None:
    """Compute the pieces at each place from the place of each piece."""
    here: list[list[int]] = [[] for _ in range(state.program.place_count)]
    for piece, place in enumerate(state.at):
        here[place].append(piece)
    state.occ = [tuple(x) for x in here]
