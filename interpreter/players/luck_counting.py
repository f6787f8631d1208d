"""Goes through a saved game again and weighs its rolls: what fell, and what their look-ups could have given.

Must not put anything into words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.runtime import machine
from interpreter.runtime.choices import Decision
from interpreter.runtime.dice import AskedDice, DiceExhausted, Faces, WrongDice
from interpreter.runtime.drafts import Finished
from interpreter.runtime.entries import Decision as Taken
from interpreter.runtime.entries import Edit, Entry, Roll, kept_entries
from interpreter.runtime.events import Log
from interpreter.runtime.faults import Fault, IllegalAction, RuleFault, SetupError
from interpreter.runtime.journal import Journal
from interpreter.runtime.lookups import Listener, Thrown, Weighed, weigh
from interpreter.runtime.state import copied
from interpreter.runtime.takeover import taken_over
from interpreter.saving import apply_edit

if TYPE_CHECKING:
    from interpreter.rules import Rules
    from interpreter.runtime.program import Program

_ENDS = (DiceExhausted, WrongDice, RuleFault, IllegalAction, SetupError, Fault)


@dataclass(frozen=True, slots=True)
class Cast:
    """A roll of a game, and whose it was (side id; '' where it was nobody's); `is_die` is false for draws."""

    decision: int
    side: str
    thrown: Thrown
    is_die: bool


@dataclass(frozen=True, slots=True)
class Consulted:
    """A look-up that rolls of `side` decided."""

    decision: int
    side: str
    weighed: Weighed


@dataclass(slots=True)
class Fortune:
    """All rolls of a game and the look-ups they decided. `stopped`: the decision at which it could not go on."""

    casts: list[Cast]
    consulted: list[Consulted]
    stopped: int | None = None


class _Faces:
    """Hands out the faces of a journal and notes the dice they fell on, and after how many look-ups."""

    def __init__(self, listener: Listener) -> None:
        self.listener = listener
        self.rolls: list[Roll] = []
        self.dice: list[tuple[Faces, int]] = []

    def expect(self, rolls: list[Roll]) -> None:
        self.rolls = [roll for roll in rolls if roll.faces]
        self.dice = []

    def __call__(self, name: str, subject: str, faces: Faces, count: int) -> Sequence[int]:
        if not self.rolls:
            raise DiceExhausted(name, subject)
        self.dice.append((faces, self.listener.position))
        roll = self.rolls.pop(0)
        if not self.rolls:
            self.listener.stop_soon()
        return roll.faces


def weigh_game(journal: Journal, rules: Rules, covering: Program, upto: int | None = None) -> Fortune:
    """The rolls of a journal, to decision `upto` (None: all), and the look-ups they decided.

    `covering` is the same ruleset instrumented, and used for nothing else. A journal that the rules
    do not follow ends where it differs.
    """
    listener = Listener(covering)
    entries = kept_entries(journal.entries)
    faces = _Faces(listener)
    found = Fortune([], [])
    faces.expect(_rolls_after(entries, -1))
    header = journal.header
    try:
        game = rules.start(header.scenario or None, header.options, None, AskedDice(faces))
    except _ENDS:
        return Fortune([], [], 0)
    found.casts += _casts(0, "", game.raw_log(), faces.dice, game.state)
    for at, entry in enumerate(entries):
        if isinstance(entry, Edit):
            try:
                apply_edit(game, entry.changes)
            except (SetupError, TypeError, AttributeError, KeyError, ValueError):
                found.stopped = len(game.keys)
                return found
        if not isinstance(entry, Taken):
            continue
        if upto is not None and entry.number > upto:
            return found
        faces.expect(_rolls_after(entries, at))
        if not _go_on(game, entry, faces, listener, found):
            found.stopped = entry.number
            return found
    return found


def _go_on(game: Any, entry: Taken, faces: _Faces, listener: Listener, found: Fortune) -> bool:
    """Make one choice of the journal; False when the rules do not follow it."""
    if game.state.pending is None:
        return False
    decision = Decision(game.state)
    raw = decision.find(entry.key)
    if raw is None:
        return False
    answer = raw.fields if isinstance(raw, Finished) else raw
    rolls = list(faces.rolls)
    try:
        if rolls:
            _weigh_choice(game.state, answer, entry, faces, listener, found)
            faces.expect(rolls)
        machine.answer(game.state, answer)
    except _ENDS:
        return False
    return True


def _weigh_choice(state: Any, answer: Any, entry: Taken, faces: _Faces, listener: Listener, found: Fortune) -> None:
    """Note the rolls of a choice and the look-ups they decided."""
    before = taken_over(listener.program, state)
    made = copied(before)
    made.log = log = Log()
    heard = listener.hear(lambda: machine.answer(made, answer))
    casts = _casts(entry.number, entry.side, log, faces.dice, before)
    found.casts += casts

    def run(dice: Any) -> None:
        again = copied(before)
        again.dice = dice
        machine.answer(again, answer)

    for weighed in weigh(listener, run, heard, [cast.thrown for cast in casts]):
        found.consulted.append(Consulted(entry.number, casts[weighed.rolls[0]].side, weighed))


def _rolls_after(entries: Sequence[Entry], at: int) -> list[Roll]:
    rolls: list[Roll] = []
    for n in range(at + 1, len(entries)):
        entry = entries[n]
        if isinstance(entry, Taken):
            break
        if isinstance(entry, Roll):
            rolls.append(entry)
    return rolls


def _casts(decision: int, side: str, log: Sequence[Any], dice: Sequence[tuple[Faces, int]], state: Any) -> list[Cast]:
    """The rolls of a log with their dice; `state` is the position before them."""
    program = state.program
    known = set(program.dice.values())
    rolls = [raw for raw in log if raw[0] == "roll" and raw[3]]
    casts = []
    for raw, (die, at) in zip(rolls, dice, strict=False):
        thrown = Thrown(raw[1], raw[2], die, tuple(raw[3]), raw[5], raw[6], at)
        casts.append(Cast(decision, _side_of(program, state, raw[5], raw[6]) or side, thrown, die in known))
    return casts


def _side_of(program: Any, state: Any, kind: str | None, thing: Any) -> str:
    """The side that a roll was made for: the side itself, or the one that its subject belongs to."""
    if kind is None or thing is None:
        return ""
    if kind == "side":
        return str(program.ids["side"][thing])
    return side_of_thing(program, state, kind, thing)


def side_of_thing(program: Any, state: Any, kind: str, thing: int) -> str:
    """The side of a piece or another thing, by its first attribute that is a side; '' where it has none."""
    for name, attribute in program.kinds.get(kind, {"attributes": {}})["attributes"].items():
        if list(attribute["show"]) != ["thing", "side"]:
            continue
        if attribute["changes"]:
            value = getattr(state, program.slot_of[(kind, name)])[thing]
        else:
            value = program.constants[(kind, name)][thing]
        if value is not None:
            return str(program.ids["side"][value])
    return ""
