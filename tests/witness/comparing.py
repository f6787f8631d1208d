"""One game played by the reference evaluator and by every form of the compiled program, side by side.

At each decision all of them must have equal positions, offer equal options and give equal values; where the rules are
at fault all must report a fault of the same sort at the same place. Never makes rulesets.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, product
from math import prod
from typing import Any

from interpreter.model import types as t
from interpreter.model.checked_model import CheckedModel
from interpreter.play.game import Game
from interpreter.runtime import machine
from interpreter.runtime.log_entries import (
    LogEntry,
    LoggedChange,
    LoggedEnd,
    LoggedMove,
    LoggedPhase,
    LoggedReport,
    LoggedRoll,
    LoggedTurn,
)
from interpreter.runtime.state import to_json
from tests.witness.faults import Faulted
from tests.witness.forms import Odds, Run, Told, asked_of, laid_out, programs_of
from tests.witness.playing import Asked, Player
from tests.witness.world import World, data_of


class Differs(AssertionError):
    """A form of the program and the reference evaluator do not agree."""


@dataclass
class Tally:
    """The counts of compared decisions, values and faults by sort, and the operations met."""

    decisions: int = 0
    values: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    met: set[str] = field(default_factory=set)
    games: int = 0


class Match:
    """One model and its programs, to be played several times."""

    def __init__(self, model: CheckedModel, tally: Tally | None = None) -> None:
        self.model = model
        self.programs = programs_of(model)
        self.tally = tally or Tally()

    def play(
        self,
        seed: int,
        most: int = 40,
        begin: Callable[[Game], None] | None = None,
        witness: Callable[[Player], Iterator[Any]] | None = None,
        looks: int = 12,
        **arguments: Any,
    ) -> None:
        """Play one game with choices from a seed, to its end or `most` decisions; raise Differs if forms disagree."""
        chooser = random.Random(seed)
        begin = begin or (lambda game: machine.begin(game.state, game.state.last_turn))
        world = World(self.model.ruleset, self._fresh(seed, arguments))
        player = Player(self.model, world)
        going = (witness or Player.game)(player)
        runs = [Run(name, self.programs) for name in self.programs]
        runs += [
            Run("recording", self.programs, record=True),
            Run("hopping", self.programs, hops=tuple(name for name in self.programs if name != "odds")),
            Odds(self.programs),
            Run("looked at", self.programs),
        ]
        for run in runs:
            run.begin(begin, seed=seed, **arguments)
        self.tally.games += 1
        wanted, fault = self._next(going, None)
        for _ in range(most):
            self._agree(runs, wanted, fault, world)
            if wanted is None:
                break
            self._ask(runs, player, chooser, looks)
            self._part(runs[-1], chooser)
            self.tally.decisions += 1
            number = chooser.randrange(len(wanted.options))
            for run in runs:
                run.choose(number)
            wanted, fault = self._next(going, wanted.options[number])
        if wanted is None and fault is None:
            self._ask(runs, player, chooser, looks)
        self.tally.met |= player.x.met
        hashes = {run.game.hash() for run in runs if run.form == "play" and not run.hops and not run.fault}
        if len(hashes) > 1:
            raise Differs("the same game has several hashes")

    def _fresh(self, seed: int, arguments: dict[str, Any]) -> Any:
        """Return the position before anything runs."""
        return laid_out(self.programs["play"], seed=seed, **arguments).state

    def _next(self, going: Iterator[Any], chosen: Any) -> tuple[Asked | None, Wanted | None]:
        try:
            return (next(going) if chosen is None else going.send(chosen)), None  # type: ignore[attr-defined]
        except StopIteration:
            return None, None
        except Faulted as fault:
            self.tally.faults[fault.sort] = self.tally.faults.get(fault.sort, 0) + 1
            return None, told_by(fault)

    def _agree(self, runs: list[Run], wanted: Asked | None, fault: Wanted | None, world: World) -> None:
        """Check that all runs are in the position of the reference evaluator."""
        for run in runs:
            run.look()
            if not fits(run.fault, fault):
                raise Differs(f"{run.name}: fault {run.fault}, expected {fault}")
            if fault is not None:
                continue
            expected, found = world.data(), data_of(run.state)
            if found != expected:
                parted = {key: (found[key], expected[key]) for key in expected if found[key] != expected[key]}
                raise Differs(f"{run.name}: other positions: {parted}")
            if run.record and (story := story_of(run.game.get_raw_log())) != (wanted_story := together(world.story)):
                raise Differs(f"{run.name}: tells {story}, expected {wanted_story}")
            try:
                asked = run.asked()
            except Exception as wrong:
                raise Differs(f"{run.name}: {wrong!r} when asked what can be chosen") from wrong
            if plain(asked) != plain(wanted):
                raise Differs(f"{run.name}: asks {asked}, expected {wanted}")

    def _ask(self, runs: list[Run], player: Player, chooser: random.Random, looks: int) -> None:
        """Compare values that the rules declare, in all runs."""
        for function, core_of, args in questions(self.model, chooser, looks):
            try:
                wanted, fault = core_of(player, args), None
            except Faulted as found:
                wanted, fault = None, told_by(found)
            self.tally.values += 1
            for run in runs:
                if run.name != "recording":
                    found, told = asked_of(run.program, run.state, function, *args)
                    if not fits(told, fault) or plain(found) != plain(wanted):
                        raise Differs(
                            f"{run.name}: {function}{args} gives {told or found!r}, expected {fault or wanted!r}"
                        )

    def _part(self, run: Run, chooser: random.Random) -> None:
        """Query clones of a run, or play them another way; this must not affect the run."""
        for _ in range(2):
            twin = run.game.clone()
            for function, _core, args in questions(self.model, chooser, 6):
                asked_of(run.program, twin.state, function, *args)
            other = Run("clone", run.programs)
            other.game = twin
            if other.state.pending is not None and chooser.random() < 0.7:
                other.choose(chooser.randrange(twin.count()))
                if other.fault is None and other.state.pending is not None:
                    for function, _core, args in questions(self.model, chooser, 3):
                        asked_of(run.program, twin.state, function, *args)


@dataclass(frozen=True)
class Wanted:
    """A fault of the reference evaluator: its sort and its place."""

    sort: str
    place: tuple[str, int]


def told_by(fault: Faulted) -> Wanted:
    """Return the compared parts of a fault of the reference evaluator."""
    return Wanted(fault.sort, (fault.span.file, fault.span.line))


def fits(found: Told | None, wanted: Wanted | None) -> bool:
    """Return True if a fault is the expected one."""
    if found is None or wanted is None:
        return found is None and wanted is None
    sort, *place = found
    return (sort, *place) == (wanted.sort, *wanted.place)


def story_of(log: Sequence[LogEntry]) -> list[Any]:
    """Return the log of a recorded game in the terms of the reference evaluator."""
    found: list[tuple[Any, ...]] = []
    for entry in log:
        match entry:
            case LoggedMove(pieces, origin, destination):
                found += [("move", piece, origin, destination) for piece in pieces]
            case LoggedChange(kind, name, owner, value):
                found.append(("set", kind, name, None if kind == "game" else owner, value))
            case LoggedRoll():
                found.append(("roll", entry.name, entry.faces, entry.subject, entry.thrower))
            case LoggedReport(event, args):
                found.append(("event", event, args))
            case LoggedTurn(turn):
                found.append(("turn", turn))
            case LoggedPhase(phase):
                found.append(("phase", phase))
            case LoggedEnd(winner, level):
                found.append(("end", winner, level))
    return together(found)


def together(story: list[Any]) -> list[Any]:
    """Return a story in which pieces that move in direct succession have no order."""
    out: list[Any] = []
    for is_move, told in groupby(story, key=lambda entry: entry[0] == "move"):
        entries = list(told)
        out += sorted(entries) if is_move else entries
    return [plain(entry) for entry in out]


def plain(value: Any) -> Any:
    """Return a value in a form that distinguishes 1, 1/1 and true."""
    if isinstance(value, Asked):
        return value.name, value.side, [plain(vars(o)) if hasattr(o, "__dict__") else plain(o) for o in value.options]
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, tuple | list):
        return [plain(v) for v in value]
    return type(value).__name__, to_json(value)


Question = tuple[str, Callable[[Player, tuple[Any, ...]], Any], tuple[Any, ...]]


def questions(model: CheckedModel, chooser: random.Random, most: int) -> Iterator[Question]:
    """Yield what the rules declare, with some arguments: the compiled function and its reference evaluation."""

    def named(params: tuple[tuple[str, t.Type], ...], args: tuple[Any, ...]) -> dict[str, Any]:
        return dict(zip([n for n, _ in params], args, strict=True))

    for d in model.defines.values():
        for args in arguments(model, d.params, chooser, most):
            yield "d_" + d.name, lambda p, a, d=d: p.x.value(d.value, named(d.params, a)), args  # type: ignore[misc]
    for r in model.rules.values():
        for args in arguments(model, r.params, chooser, most):
            yield "r_" + r.name, lambda p, a, r=r: p.x.holds(r.requires, named(r.params, a)), args  # type: ignore[misc]
    for key, core in model.conditions.items():
        yield "cond_" + key, lambda p, a, core=core: p.x.value(core, {}), ()  # type: ignore[misc]


def arguments(
    model: CheckedModel, params: tuple[tuple[str, t.Type], ...], chooser: random.Random, most: int
) -> list[tuple[Any, ...]]:
    """Return some combinations of arguments, or all of them if they are few."""
    domains = [values_of(model, ty) for _, ty in params]
    if any(d is None for d in domains):
        return []
    if prod(len(d) for d in domains if d is not None) <= most:
        return list(product(*[d for d in domains if d is not None]))
    return [tuple(chooser.choice(d) for d in domains if d is not None) for _ in range(most)]


def values_of(model: CheckedModel, ty: t.Type) -> list[Any] | None:
    """Return values of a type worth trying, or None if there are none."""
    match ty:
        case t.IntType():
            return [-1, 0, 1, 2, 3]
        case t.FlagType():
            return [False, True]
        case t.ThingType(kind=kind, cls=cls) if kind in model.ruleset.kinds:
            return [n for n, x in enumerate(model.ruleset.kinds[kind].things) if cls in (None, x.cls)]
        case t.RungType(ladder=ladder):
            return list(range(len(model.ruleset.ladders[ladder].rungs)))
        case t.OneOfType(values=values):
            return list(values)
        case t.MaybeType(item=item):
            found = values_of(model, item)
            return None if found is None else [None, *found]
        case t.SetType(item=item) | t.ListType(item=item) if item is not None:
            members = values_of(model, item)
            return None if members is None else [(), tuple(members[:1]), tuple(members[1:4])]
    return None
