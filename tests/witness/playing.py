"""Whole games by walking the checked statements: each procedure is a Python generator that pauses at decisions.

A generator yields the decision and receives the choice. Independent of the compiler; keeps only the position and the
names of the running procedures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.checker.suspension import iter_child_statements, walk
from interpreter.diagnostics.source_text import Span
from interpreter.model import statements as c, types as t
from interpreter.model.checked_model import CheckedModel, CheckedProcedure
from tests.witness.deciding import DONE, End, Option, answer_of, ends_of_draft, options_of
from tests.witness.faults import Ended, Faulted, ReturnSignal, SkipSignal
from tests.witness.values import Evaluator, Names, rung_of, top_rung
from tests.witness.world import World, normal


@dataclass(frozen=True)
class Asked:
    """A decision: its name, the side that decides, and the choices, options or ends of a draft."""

    name: str
    side: int
    options: tuple[Any, ...]


Going = Iterator[Any]


class Player:
    """A player of one game of a model from a position in which nothing runs."""

    def __init__(self, model: CheckedModel, world: World) -> None:
        self.model = model
        self.ruleset = model.ruleset
        self.world = world
        self.x = Evaluator(model, world)
        self.effects: list[tuple[Any, ...]] | None = None  # inside `together`: the changes to apply
        self.puts_off = any(
            isinstance(s, c.CallProcedure) and s.later
            for body in (*(p.body for p in model.procedures.values()), *(w.body for w in model.watchers))
            for s in walk(body)
        )

    # --- the sequence of play -----------------------------------------------------------------

    def game(self) -> Going:
        """Run the set-up, then turn after turn until the game ends."""
        try:
            if "setup" in self.model.procedures:
                yield from self.call("setup", ())
            while True:
                self.tell("turn", self.world.turn)
                yield from self.call("turn", ())
                self.expire("turn")
                if self.world.last_turn is not None and self.world.turn >= self.world.last_turn:
                    self.end(self.ahead(), None)
                self.world.turn += 1
        except Ended:
            return

    def only(self, procedure: str, args: tuple[Any, ...]) -> Going:
        """Run one procedure alone."""
        try:
            yield from self.call(procedure, args)
        except Ended:
            return

    def ahead(self) -> tuple[int, ...] | None:
        """Return the winner when the turns are over: the seat with the highest score, or None if several share it."""
        if self.model.score is None:
            return None
        word = self.ruleset.victory.score_word or "s"
        seats = sorted(set(self.world.seat_of))
        scores = [self.x.value(self.model.score, {word: seat}) for seat in seats]
        best = [seat for seat, score in zip(seats, scores, strict=True) if score == max(scores)]
        return tuple(best) if len(best) == 1 else None

    def end(self, winner: tuple[int, ...] | None, level: int | None) -> None:
        """End the game."""
        self.world.outcome = (winner, level)
        self.tell("end", winner, level)
        raise Ended

    def tell(self, *what: Any) -> None:
        """Log an event, as a game with a record does."""
        self.world.story.append(what)

    # --- procedures ------------------------------------------------------------------------------

    def call(self, name: str, args: tuple[Any, ...]) -> Going:
        """Run a procedure; return its value."""
        procedure = self.model.procedures[name]
        names = dict(zip([n for n, _ in procedure.params], args, strict=True))
        result = None
        self.deepen(procedure, names)
        try:
            yield from self.body(procedure.body, names)
            if name in ("turn", "setup"):
                yield from self.settle()
        except ReturnSignal as left:
            result = left.value
        except SkipSignal:
            self.shallow(procedure)
            raise
        self.shallow(procedure)
        return result

    def deepen(self, procedure: CheckedProcedure, names: Names) -> None:
        """Count the depth of a procedure that may call itself."""
        if procedure.deep is None:
            return
        most = self.x.value(procedure.deep, names)
        self.world.depth[procedure.name] = self.world.depth.get(procedure.name, 0) + 1
        if self.world.depth[procedure.name] > most:
            self.world.depth[procedure.name] = 0
            raise Faulted("too deep", procedure.span)

    def shallow(self, procedure: CheckedProcedure) -> None:
        """Leave a procedure, and reset the values that last as long as it."""
        self.expire(procedure.name)
        if procedure.deep is not None:
            self.world.depth[procedure.name] -= 1

    def expire(self, scope: str) -> None:
        """Reset values of a scope to their defaults."""
        for kind in self.ruleset.kinds.values():
            for name, declared in kind.attributes.items():
                if declared.lasts == scope:
                    self.world.values[kind.id, name] = [normal(declared.default)] * len(kind.things)
        for name, declared in self.ruleset.game.items():
            if declared.lasts == scope:
                self.world.game[name] = normal(declared.default)

    def settle(self) -> Going:
        """Run the deferred calls, oldest first."""
        while self.world.queue:
            name, args = self.world.queue.pop(0)
            yield from self.call(name, args)

    # --- statements --------------------------------------------------------------------------------

    def body(self, body: c.Body, names: Names, seek: str | None = None) -> Going:
        """Run statements in order; with `seek`, begin with the phase of that name at any depth.

        A skip to a phase of this body continues there.
        """
        at = 0
        while at < len(body):
            stmt = body[at]
            if seek is not None and not holds_phase(stmt, seek):
                at += 1
                continue
            try:
                if seek is not None and not (isinstance(stmt, c.PhaseBlock) and stmt.name == seek):
                    yield from self.into(stmt, names, seek)
                else:
                    yield from self.one(stmt, names)
                seek = None
                at += 1
            except SkipSignal as skip:
                at = next((n for n, s in enumerate(body) if holds_phase(s, skip.phase)), -1)
                if at < 0:
                    raise
                seek = skip.phase
                self.world.queue.clear()

    def into(self, stmt: c.Stmt, names: Names, seek: str) -> Going:
        """Continue inside a statement with the phase of that name."""
        bodies = (
            [stmt.body]
            if isinstance(stmt, c.PhaseBlock)
            else [body for _, body in stmt.branches] + [stmt.otherwise or ()]
            if isinstance(stmt, c.CheckedIf)
            else []
        )
        for body in bodies:
            if any(holds_phase(s, seek) for s in body):
                if isinstance(stmt, c.PhaseBlock):
                    yield from self.phase(stmt, names, seek)
                else:
                    yield from self.body(body, names, seek)

    def one(self, stmt: c.Stmt, names: Names) -> Going:
        """Run one statement."""
        made = STATEMENTS[type(stmt)](self, stmt, names)
        if made is not None:
            yield from made

    def set_local(self, s: c.SetLocal, names: Names) -> None:
        names[s.name] = self.x.value(s.value, names)

    def owner(self, owner: c.Core | None, names: Names) -> Any:
        """Return the thing whose attribute is meant, or None for the game."""
        return None if owner is None else self.x.value(owner, names)

    def set_attribute(self, s: c.SetAttribute, names: Names) -> None:
        thing = self.owner(s.owner, names)
        if self.effects is not None and s.amount is not None:
            self.effects.append(("by", s.kind, s.name, thing, self.x.value(s.amount, names), s))
            return
        self.store(s.kind, s.name, thing, self.bounded(s.kind, s.name, self.x.value(s.value, names), s.span), s.cites)

    def bounded(self, kind: str, name: str, value: Any, span: Span) -> Any:
        """Return a value within its bounds: moved to the nearest bound, or else a fault."""
        declared = self.ruleset.game[name] if kind == "game" else self.ruleset.kinds[kind].attributes[name]
        if declared.low is not None and value < declared.low:
            if not declared.clamp:
                raise Faulted("bounds", span)
            return declared.low
        if declared.high is not None and value > declared.high:
            if not declared.clamp:
                raise Faulted("bounds", span)
            return declared.high
        return value

    def store(self, kind: str, name: str, thing: Any, value: Any, cites: c.Cites = ()) -> None:
        """Write a value, or inside `together` note that it is to be written."""
        if self.effects is not None:
            self.effects.append(("set", kind, name, thing, value))
            return
        held = self.world.game if kind == "game" else self.world.values[kind, name]
        key = name if kind == "game" else thing
        if cites and held[key] != value:
            self.tell("set", kind, name, thing, value)
        held[key] = value

    def step_rung(self, s: c.StepRung, names: Names) -> None:
        thing = self.owner(s.owner, names)
        rung = rung_of(self.x, s.kind, s.name, thing)
        new = rung + s.by
        if new > top_rung(self.x, s.kind, s.name, thing) if s.by > 0 else new < 0:
            if not s.if_possible:
                raise Faulted("ladder", s.span)
            new = rung
        self.store(s.kind, s.name, thing, new, s.cites)

    def move(self, s: c.MovePieces, names: Names) -> Going:
        what = self.x.value(s.what, names)
        place = self.x.value(s.to, names)
        for piece in what if s.many else (what,):
            if self.effects is not None:
                self.effects.append(("set", "piece", "at", piece, place))
            else:
                yield from self.move_one(piece, place)

    def move_one(self, piece: int, place: int) -> Going:
        """Move a piece to another place; a piece that stays has not moved."""
        origin = self.world.at[piece]
        if origin == place:
            return
        self.world.at[piece] = place
        self.tell("move", piece, origin, place)
        yield from self.watch("moved", (piece, origin, place))

    def watch(self, event: str, args: tuple[Any, ...]) -> Going:
        """Run the watchers of an event, in the order of the rules."""
        for watcher in self.model.watchers:
            if watcher.event == event:
                names = dict(zip([n for n, _ in watcher.params], args, strict=True))
                if watcher.where is None or self.x.value(watcher.where, names):
                    yield from self.body(watcher.body, names)

    def branch(self, s: c.CheckedIf, names: Names) -> Going:
        for test, body in s.branches:
            if self.x.value(test, names):
                yield from self.body(body, names)
                return
        yield from self.body(s.otherwise or (), names)

    def loop(self, s: c.Loop, names: Names) -> Going:
        if s.sort == "while":
            while self.x.value(s.head, names):
                yield from self.body(s.body, names)
            return
        head = self.x.value(s.head, names)
        for item in range(head) if s.sort == "times" else head:
            if s.var is not None:
                names[s.var] = item
            if s.still is None or self.x.value(s.still, names):
                yield from self.body(s.body, names)

    def roll(self, s: c.RollDice, names: Names) -> None:
        count = 1 if s.count is None else self.x.value(s.count, names)
        thrower = self.owner(s.thrower, names)
        subject = self.owner(s.subject, names)
        if count < 0:
            raise Faulted("roll", s.span)
        fell = tuple(
            self.world.dice.roll_faces(s.name, self.whom(s.subject, subject), self.ruleset.dice[s.die].faces, count)
        )
        self.tell("roll", s.name, fell, subject, thrower)
        names[s.var] = fell[0] if s.count is None else fell

    def whom(self, core: c.Core | None, subject: Any) -> str:
        """Return the id of the subject of a roll."""
        if core is None:
            return ""
        kind = core.type.kind if isinstance(core.type, t.ThingType) else ""
        return self.ruleset.kinds[kind].things[subject].id if kind in self.ruleset.kinds else str(subject)

    def draw(self, s: c.DrawMembers, names: Names) -> None:
        count = 1 if s.count is None else self.x.value(s.count, names)
        left = list(self.x.value(s.source, names))
        subject = self.owner(s.subject, names)
        drawn = []
        while left and len(drawn) < count:
            faces = tuple(range(1, len(left) + 1))
            fell = self.world.dice.roll_faces(s.name, self.whom(s.subject, subject), faces, 1)
            self.tell("roll", s.name, tuple(fell), subject, None)
            drawn.append(left.pop(fell[0] - 1))
        if s.count is None and not drawn:
            raise Faulted("draw", s.span)
        names[s.var] = drawn[0] if s.count is None else tuple(drawn)

    def report(self, s: c.ReportEvent, names: Names) -> Going:
        args = self.x.values(s.args, names)
        event = self.model.events[s.event]
        inner = dict(zip([n for n, _ in event.params], args, strict=True))
        for part in event.words.parts if event.words else ():
            if not isinstance(part, str):
                self.x.value(part, inner)
        self.tell("event", s.event, args)
        yield from self.watch(s.event, args)

    def end_game(self, s: c.CheckedEndGame, names: Names) -> None:
        winner = self.owner(s.winner, names)
        level = self.owner(s.level, names)
        if s.winner is not None and isinstance(s.winner.type, t.ThingType):
            winner = (winner,)
        self.end(winner, level)

    def skip(self, s: c.CheckedSkipTo, names: Names) -> None:
        raise SkipSignal(s.phase)

    def call_procedure(self, s: c.CallProcedure, names: Names) -> Going:
        args = self.x.values(s.args, names)
        if s.later:
            self.world.queue.append((s.procedure, args))
            return
        result = yield from self.call(s.procedure, args)
        if s.var is not None:
            names[s.var] = result

    def settle_now(self, s: c.SettleNow, names: Names) -> Going:
        yield from self.settle()

    def leave(self, s: c.ReturnValue, names: Names) -> None:
        raise ReturnSignal(self.owner(s.value, names))

    def assert_that(self, s: c.AssertThat, names: Names) -> None:
        if not self.x.value(s.test, names):
            raise Faulted("assert", s.span)

    def together(self, s: c.DoTogether, names: Names) -> Going:
        """Compute all changes from one position, then apply them: amounts add up, two different values are a fault."""
        self.effects = []
        yield from self.body(s.body, names)
        effects, self.effects = self.effects, None
        new: dict[tuple[Any, ...], Any] = {}
        amounts: dict[tuple[Any, ...], Any] = {}
        for sort, kind, name, thing, value, *_ in effects:
            key = (kind, name, thing)
            if sort == "by":
                amounts[key] = amounts.get(key, 0) + value
            elif new.setdefault(key, value) != value:
                raise Faulted("set twice", s.span)
        for key, amount in amounts.items():
            if key in new:
                raise Faulted("set and changed", s.span)
            kind, name, thing = key
            old = self.world.game[name] if kind == "game" else self.world.attribute(kind, name, thing)
            new[key] = self.bounded(kind, name, normal(old + amount), s.span)
        moved = []
        for (kind, name, thing), value in new.items():
            if (kind, name) != ("piece", "at"):
                self.store(kind, name, thing, value)
            elif self.world.at[thing] != value:
                moved.append((thing, self.world.at[thing], value))
                self.world.at[thing] = value
                self.tell("move", *moved[-1])
        for args in moved:
            yield from self.watch("moved", args)

    def cite(self, s: c.CiteOnly, names: Names) -> None:
        return None

    def match(self, s: c.MatchPart, names: Names) -> Going:
        subject = self.x.value(s.subject, names)
        name, number = subject, None
        if isinstance(s.subject.type, t.PartType):
            name, number = subject
        elif isinstance(s.subject.type, t.RungType):
            name = self.ruleset.ladders[s.subject.type.ladder].rungs[subject]
        for arm, var, body in s.arms:
            if arm == name:
                if var is not None:
                    names[var] = number
                yield from self.body(body, names)
                return
        yield from self.body(s.otherwise or (), names)

    def phase(self, s: c.PhaseBlock, names: Names, seek: str | None = None) -> Going:
        before = self.world.phase
        self.world.phase = s.name
        if seek is None:
            for part in s.title.parts if s.title else ():
                if not isinstance(part, str):
                    self.x.value(part, names)
            self.tell("phase", s.name)
        try:
            yield from self.body(s.body, names, seek)
            yield from self.settle()
        except (ReturnSignal, SkipSignal):
            self.expire(s.name)
            self.world.phase = before
            raise
        self.expire(s.name)
        self.world.phase = before

    # --- decisions ---------------------------------------------------------------------------------

    def decide(self, s: c.Decide, names: Names) -> Going:
        while True:
            options: list[Option] = options_of(self.x, s, names)
            may_stop = s.until_done and self.x.holds(s.finish, names)
            if not options:
                if may_stop:
                    return
                if s.otherwise is None:
                    raise Faulted("nothing legal", s.span)
                yield from self.body(s.otherwise, names)
                return
            if may_stop:
                options.append(DONE)
            if s.alone and len(options) == 1:
                chosen = options[0]
            else:
                chosen = yield Asked(s.name, self.x.value(s.decider, names), tuple(options))
            if chosen == DONE:
                return
            number, given = chosen
            names.update(zip([p.name for p in s.choices[number].params], given, strict=True))
            yield from self.body(s.choices[number].body, names)
            if not s.until_done:
                return

    def decide_draft(self, s: c.DecideDraft, names: Names) -> Going:
        draft = self.model.drafts[s.draft]
        args = self.x.values(s.args, names)
        ends = ends_of_draft(self.x, draft, args)
        if not ends:
            raise Faulted("no end", s.span)
        end: End = ends[0]
        if not (s.alone and len(ends) == 1):
            end = yield Asked(s.draft, self.x.value(s.decider, names), tuple(ends))
        if s.var is not None:
            names[s.var] = answer_of(draft, end)


def holds_phase(stmt: c.Stmt, phase: str) -> bool:
    """Return True if a statement is a phase or contains it."""
    return (
        isinstance(stmt, c.PhaseBlock)
        and stmt.name == phase
        or any(holds_phase(s, phase) for s in iter_child_statements(stmt))
    )


STATEMENTS: dict[type, Callable[[Player, Any, Names], Going | None]] = {
    c.SetLocal: Player.set_local,
    c.SetAttribute: Player.set_attribute,
    c.StepRung: Player.step_rung,
    c.MovePieces: Player.move,
    c.CheckedIf: Player.branch,
    c.Loop: Player.loop,
    c.RollDice: Player.roll,
    c.DrawMembers: Player.draw,
    c.ReportEvent: Player.report,
    c.CheckedEndGame: Player.end_game,
    c.CheckedSkipTo: Player.skip,
    c.CallProcedure: Player.call_procedure,
    c.SettleNow: Player.settle_now,
    c.ReturnValue: Player.leave,
    c.AssertThat: Player.assert_that,
    c.DoTogether: Player.together,
    c.CiteOnly: Player.cite,
    c.MatchPart: Player.match,
    c.PhaseBlock: Player.phase,
    c.Decide: Player.decide,
    c.DecideDraft: Player.decide_draft,
}
