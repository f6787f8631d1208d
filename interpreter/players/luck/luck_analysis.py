"""Luck analysis of recorded choices and saved games: the dice rolled and what their look-ups could give."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from interpreter.api.resume import apply_edit
from interpreter.api.rules import Rules
from interpreter.play.game import Game
from interpreter.play.state_transfer import transfer_state
from interpreter.players.luck.roll_attribution import (
    LookupChances,
    LookupTracer,
    PausableWork,
    RolledDice,
    attribute_rolls,
)
from interpreter.players.ownership import find_side_of_thing
from interpreter.runtime import drafts, machine
from interpreter.runtime.decisions import Decision
from interpreter.runtime.dice import AskedDice, DiceExhaustedError, DiceSource, Faces, InvalidDiceError
from interpreter.runtime.errors import IllegalAction, RuleFault, RuntimeFault, SetupError
from interpreter.runtime.log_entries import Log, LogEntry, LoggedRoll
from interpreter.runtime.program import Program
from interpreter.runtime.state import State, clone_state
from interpreter.runtime.type_aliases import handle_of
from interpreter.runtime.value_ids import to_value_id
from interpreter.saves.entries import (
    DecisionEntry,
    EditEntry,
    JournalHeader,
    RollEntry,
    list_effective_entries,
    list_rolls_after,
)
from interpreter.saves.journal import Journal

_Result = TypeVar("_Result")
_NON_NUMERIC_TYPES = ("thing", "rung", "word", "flag", "direction")
REPLAY_ERRORS = (DiceExhaustedError, InvalidDiceError, RuleFault, IllegalAction, SetupError, RuntimeFault)


class AxisValue(NamedTuple):
    """A value on an axis of a chart, with the type it is shown as and its id."""

    show: tuple[Any, ...]
    value: Any
    id: str


@dataclass(frozen=True, slots=True)
class SideRoll:
    """A roll of a game with the side it belongs to; `is_die` is false for draws.

    `side` is the side that throws, if the rules name it (`is_thrower`); otherwise the side that the roll names,
    directly or by its subject, or else the side that made the choice ('' if none). The rules do not say which side a
    roll favours.
    """

    decision: int
    side: str
    dice: RolledDice
    is_die: bool
    is_thrower: bool = False


@dataclass(frozen=True, slots=True)
class DecidedLookup:
    """A table look-up whose result depended on rolls.

    `side`: the side to which the rolls belong; `rolls`: the names of the rolls; `is_thrower`: the side threw the dice.
    `half` distinguishes look-ups of one table that the same dice decided, such as those of attacker and defender: the
    value of each non-numeric axis on which they differ.
    """

    decision: int
    side: str
    rolls: tuple[str, ...]
    is_thrower: bool
    half: tuple[AxisValue, ...]
    roll: LookupChances


ChoiceLuck = tuple[list[SideRoll], list[DecidedLookup]]  # the rolls of a choice, and the look-ups they decided


@dataclass(slots=True)
class LuckRecord:
    """All rolls of a game (`side_rolls`) and the look-ups whose results they decided (`lookups`).

    `stopped`: the number of the decision at which the replay failed, or None.
    """

    side_rolls: list[SideRoll]
    lookups: list[DecidedLookup]
    stopped: int | None = None


def drop_draws(side_rolls: Iterable[SideRoll]) -> list[SideRoll]:
    """Return the rolls of dice, without those whose name a draw has too: the numbers of draws have no meaning."""
    listed = list(side_rolls)
    draws = {roll.dice.name for roll in listed if not roll.is_die}
    return [roll for roll in listed if roll.dice.name not in draws]


class _RecordedFaces:
    """A dice source that returns the faces of a journal.

    `dice` records each die rolled, with the number of table look-ups made before it.
    """

    def __init__(self, tracer: LookupTracer) -> None:
        self.tracer = tracer
        self.rolls: list[RollEntry] = []
        self.dice: list[tuple[Faces, int]] = []

    def expect(self, rolls: Sequence[RollEntry]) -> None:
        self.rolls = list(rolls)
        self.dice = []

    def __call__(self, name: str, subject: str, faces: Faces, count: int) -> Sequence[int]:
        if not self.rolls:
            raise DiceExhaustedError(name, subject)
        self.dice.append((faces, self.tracer.position))
        roll = self.rolls.pop(0)
        if not self.rolls:
            self.tracer.stop_soon()
        return roll.faces


@dataclass(frozen=True, slots=True)
class ReplayedChoice:
    """A recorded choice.

    `before`, `after`: the states before and after it; `answer`: the option as the machine takes it; `number`: its
    number among the decisions; `side`: the side that decided; `rolls`: the rolls it led to.
    """

    before: State
    after: State
    answer: Any
    number: int
    side: str
    rolls: Sequence[RollEntry]


class LuckAnalyzer:
    """Analyzer of the luck of choices; it replays them on an instrumented program, which it uses exclusively."""

    def __init__(self, instrumented: Program) -> None:
        self._tracer = LookupTracer(instrumented)
        self._faces = _RecordedFaces(self._tracer)

    def begin(self, rules: Rules, header: JournalHeader, rolls: list[RollEntry]) -> tuple[Game, list[SideRoll]]:
        """Start a game as its journal header says, with the recorded rolls of its setup.

        Return the game and those rolls with the sides they belong to.
        """
        self._faces.expect(rolls)
        game = rules.start(header.scenario or None, header.options, None, AskedDice(self._faces))
        return game, _pair_rolls_with_dice(0, "", game.get_raw_log(), self._faces.dice, game.state)

    def answer(self, game: Game, answer: object, rolls: Sequence[RollEntry]) -> None:
        """Answer the pending decision of a game that `begin` started; `rolls`: the journal's dice for this answer."""
        self._faces.expect(rolls)
        machine.answer(game.state, answer)

    def analyze(self, choice: ReplayedChoice) -> PausableWork[ChoiceLuck]:
        """Compute the rolls of a choice and the look-ups they decided.

        Yields before each replay, so that the caller can pause.
        """
        tracer, faces = self._tracer, self._faces
        faces.expect(choice.rolls)
        before = transfer_state(tracer.program, choice.before)
        copy = clone_state(before)
        copy.dice, copy.log = AskedDice(faces), (log := Log())
        trace = tracer.trace(
            lambda: machine.answer(copy, choice.answer), ends=_build_completion_predicate(choice.after, faces)
        )
        side_rolls = _pair_rolls_with_dice(choice.number, choice.side, log, faces.dice, before)

        def run(dice: DiceSource) -> None:
            replay = clone_state(before)
            replay.dice = dice
            machine.answer(replay, choice.answer)

        analyzed = yield from attribute_rolls(tracer, run, trace, [roll.dice for roll in side_rolls])
        first = [side_rolls[chances.rolls[0]] for chances in analyzed]
        return side_rolls, [
            DecidedLookup(
                choice.number,
                roll.side,
                tuple(dict.fromkeys(side_rolls[number].dice.name for number in chances.rolls)),
                roll.is_thrower,
                _find_distinguishing_axes(tracer.program, chances, analyzed),
                chances,
            )
            for chances, roll in zip(analyzed, first, strict=True)
        ]


def _find_distinguishing_axes(
    program: Program, chances: LookupChances, analyzed: Sequence[LookupChances]
) -> tuple[AxisValue, ...]:
    """Return the axis values that distinguish the look-up `chances` from others of its table decided by the same dice.

    `analyzed`: all look-ups of the choice. Numeric axes are left out.
    """
    keys = [o.key for o in analyzed if o.table == chances.table and o.rolls == chances.rolls]
    shows = [tuple(axis.show) for axis in program.charts[chances.table].axes]
    return tuple(
        AxisValue(show, value, str(to_value_id(program, show, value)))
        for n, (show, value) in enumerate(zip(shows, chances.key, strict=True))
        if show[0] in _NON_NUMERIC_TYPES and any(key[n] != value for key in keys)
    )


def run_to_end(work: PausableWork[_Result]) -> _Result:
    """Run a generator-based job to its end without pausing and return its result."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            value: _Result = end.value
            return value


def analyze_game(journal: Journal, rules: Rules, instrumented: Program, upto: int | None = None) -> LuckRecord:
    """Return the rolls of a journal up to decision `upto` (None: all) and the look-ups they decided.

    `instrumented`: the program of the ruleset in the form "covered", which nothing else may use meanwhile. If the rules
    do not reproduce the journal, the record ends at the first difference.
    """
    analyzer, entries, record = LuckAnalyzer(instrumented), list_effective_entries(journal.entries), LuckRecord([], [])
    try:
        game, side_rolls = analyzer.begin(rules, journal.header, list_rolls_after(entries, -1))
    except REPLAY_ERRORS:
        return LuckRecord([], [], 0)
    record.side_rolls += side_rolls
    for index, entry in enumerate(entries):
        if isinstance(entry, EditEntry):
            try:
                apply_edit(game, entry.changes)
            except (SetupError, TypeError, AttributeError, KeyError, ValueError):
                record.stopped = len(game.keys)
                return record
        if not isinstance(entry, DecisionEntry):
            continue
        if upto is not None and entry.number > upto:
            return record
        if not _replay_choice(game, entry, list_rolls_after(entries, index), analyzer, record):
            record.stopped = entry.number
            return record
    return record


def _replay_choice(
    game: Game, entry: DecisionEntry, rolls: list[RollEntry], analyzer: LuckAnalyzer, record: LuckRecord
) -> bool:
    """Replay one choice of the journal and add its luck to `record`. Return False if the rules do not reproduce it.

    `entry`: the choice in the journal; `rolls`: the rolls that the journal has for it; `analyzer` computes the luck.
    """
    answer = find_answer(game.state, entry.key)
    if answer is None:
        return False
    before = clone_state(game.state) if rolls else game.state
    try:
        analyzer.answer(game, answer, rolls)
        if rolls:
            side_rolls, lookups = run_to_end(
                analyzer.analyze(ReplayedChoice(before, game.state, answer, entry.number, entry.side, rolls))
            )
            record.side_rolls += side_rolls
            record.lookups += lookups
    except REPLAY_ERRORS:
        return False
    return True


def find_answer(state: State, key: str) -> object:
    """Return the machine's answer for the option with this key, or None if no option has it."""
    if state.pending is None:
        return None
    raw = Decision(state).find(key)
    return None if raw is None else drafts.to_answer(state, raw)


def _build_completion_predicate(after: State, faces: _RecordedFaces) -> Callable[[Any, int], bool]:
    """Return a predicate that is true once a replayed choice has used up `faces` and reached the state `after`.

    Log, stack and memo tables of the state are not compared.
    """
    program = after.program
    slots = ["at", "occ", "seat_of", "turn", "phase", "options", "queue"]
    slots += [str(column[0]) for column in (*program.columns, *program.game)]
    return lambda state, _lists: not faces.rolls and all(getattr(state, slot) == getattr(after, slot) for slot in slots)


def _pair_rolls_with_dice(
    decision: int, side: str, log: Sequence[LogEntry], dice: Sequence[tuple[Faces, int]], state: State
) -> list[SideRoll]:
    """Return the rolls of a log, each with its dice and the side it belongs to.

    `decision` and `side`: the number of the choice and the side that made it; `dice`: each die with the number of table
    look-ups before it, in the order of the rolls; `state`: the position before them.
    """
    program = state.program
    rolls = [raw for raw in log if isinstance(raw, LoggedRoll) and raw.faces]
    side_rolls = []
    for raw, (die, lookups_before) in zip(rolls, dice, strict=False):
        thrown = RolledDice(raw.name, die, raw.faces, lookups_before)
        is_dice = raw.drawn is None
        if raw.thrower is not None:
            side_rolls.append(SideRoll(decision, program.ids["side"][raw.thrower], thrown, is_dice, True))
        else:
            owner = ""
            if raw.kind is not None and raw.subject is not None:
                owner = find_side_of_thing(state, raw.kind, handle_of(raw.subject))
            side_rolls.append(SideRoll(decision, owner or side, thrown, is_dice))
    return side_rolls
