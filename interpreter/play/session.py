"""A game in progress: decisions in, state forward; undo, clone, hash, view, save.

`record=True` keeps a log of events and a copy of the state before each decision; bots play
with `record=False`, where a choice costs no more than running its rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from types import MappingProxyType
from typing import Any, NamedTuple

from interpreter.play import editing, explaining
from interpreter.play.ahead import Ahead, ahead_of
from interpreter.play.events import Event, Log, event_of
from interpreter.play.past import Past
from interpreter.play.refused import no_such_number, nothing_to_decide, refusal
from interpreter.play.representations import game_html, game_repr
from interpreter.play.safe_scores import scores_or_fault
from interpreter.play.snapshot import view_of
from interpreter.runtime import drafts, machine
from interpreter.runtime.choices import Decision, Option, noted_choice
from interpreter.runtime.dice import DiceSource
from interpreter.runtime.faults import IllegalAction, Reason, SetupError
from interpreter.runtime.functions import stack_depth
from interpreter.runtime.keys import piece_group
from interpreter.runtime.limits import begin_anew, choice_begins
from interpreter.runtime.machine import go_on, question
from interpreter.runtime.naming import members_of, value_from_id, value_id
from interpreter.runtime.program import Program
from interpreter.runtime.state import copied, state_data, state_hash, whole
from interpreter.runtime.unlisted import Unlisted, options_of
from interpreter.saves import recording
from interpreter.source.suggestion import guess
from interpreter.words.speech import mark as _


class Outcome(NamedTuple):
    """How a game ended: winner is a seat id, a tuple of them, "draw", or None while undecided."""

    winner: str | tuple[str, ...] | None
    level: str | None
    title: str | None
    scores: Mapping[str, Any] = MappingProxyType({})


class Game:
    """One game. See the author's guide and docs/engine for a session."""

    __slots__ = ("program", "state", "scenario", "seed", "record", "_past", "_decision", "_stopped", "_ahead", "_dice")

    def __init__(self, program: Program, state: Any, scenario: str | None, seed: int | None, record: bool) -> None:
        self.program = program
        self.state = state
        self.scenario = scenario
        self.seed = seed
        self.record = record
        self._past = Past(program) if record else None  # made when it is first needed where none is kept
        self._decision: Decision | None = None
        self._stopped: Exception | None = None
        self._ahead: Ahead | None = None  # where a trial stands with others, whose state nobody writes in
        self._dice: Any = None  # those of such a trial

    __repr__, _repr_html_ = game_repr, game_html

    @property
    def over(self) -> bool:
        """True when the game has ended."""
        return self.state.outcome is not None

    @property
    def decision(self) -> Decision | None:
        """What must be decided now, or None."""
        if self.state.pending is None:
            return None
        if self._decision is None or self._decision.state is not self.state:
            self._decision = Decision(self.state)
            if self._ahead is not None:
                self._ahead.decision = self._decision
        return self._decision

    @property
    def turn(self) -> int:
        """The turn, from 1."""
        return int(self.state.turn)

    @property
    def phase(self) -> str | None:
        """Id of the phase, or None between phases."""
        return self.state.phase  # type: ignore[no-any-return]

    @property
    def depth(self) -> int:
        """How many procedures stand waiting for the present decision; it falls when the one that asked has ended."""
        return stack_depth(self.state)

    @property
    def idle(self) -> bool:
        """True when a called procedure has ended."""
        return self.state.pending is None and not self.state.stack

    @property
    def returned(self) -> Any:
        """What a called procedure returned."""
        return self.state.ret

    @property
    def skipped(self) -> str | None:
        """The phase that a called procedure skipped to."""
        return self.state.signal  # type: ignore[no-any-return]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None."""
        found = self.state.outcome
        if found is None:
            return None
        program, winner, level = self.program, found[0], found[1]
        ids = program.ids["seat"]
        who: str | tuple[str, ...] = "draw"
        if winner is not None:
            who = ids[winner[0]] if len(winner) == 1 else tuple(ids[w] for w in winner) or "draw"
        scores, _fault = scores_or_fault(self.scores)
        if level is None:
            return Outcome(who, None, None, scores)
        data = program.level_data[level]
        return Outcome(who, data["id"], program.naming().label(data["title"], data["id"]), scores)

    @question
    def scores(self) -> dict[str, Any]:
        """The score of every seat that holds a side, by seat id."""
        score = self.program.functions.get("score_of")
        if score is None:
            return {}
        held = sorted(set(self.state.seat_of))
        return {self.program.ids["seat"][s]: value_id(self.program, ("plain",), score(self.state, s)) for s in held}

    @question
    def evaluation(self, seat: str) -> float | None:
        """How well a seat stands by the ruleset's `evaluation` (more is better), or None where it has none."""
        program = self.program
        worth, number = program.functions.get("evaluation_of"), program.handles["seat"].get(seat)
        if worth is None:
            return None
        if number is None:
            hint = guess(seat, program.ids["seat"], all_of_them=True)
            raise SetupError("there is no seat `{seat}`{hint}", seat=seat, hint=hint)
        return float(worth(self.state, number))

    @property
    def log(self) -> list[Event]:
        """Everything that has happened, when the game keeps a record."""
        return [event_of(self.program, raw) for raw in self.raw_log()]

    def raw_log(self) -> Log:
        """The log as plain tuples."""
        return self.past().log

    @property
    def keys(self) -> list[str]:
        """The keys of the choices made, when the game keeps a record."""
        return self.past().keys

    @property
    def edits(self) -> list[tuple[int, dict[str, Any]]]:
        """Positions set up by hand, each with the number of choices made before."""
        return self.past().edits

    def past(self) -> Past:
        """What can be taken back: the state before each choice, the length of the log then, its key ('' for a step)."""
        if self._past is None:
            self._past = Past(self.program)
        return self._past

    @property
    def can_redo(self) -> bool:
        """True where something was taken back and can be made again."""
        return self._past is not None and bool(self._past.taken_back)

    # --- moving on --------------------------------------------------------------------------

    def run(self, start: Any) -> None:
        """Run something on the state with the log on, if one is kept."""
        self._stand_alone()
        state = self.state
        if self.record:
            state.log = self.raw_log()
        try:
            start()
        finally:
            if self.record:
                state.log = None
        self._decision = None

    def count(self) -> int:
        """Number of options of the present decision."""
        pending = self.state.pending
        if pending is None:
            return 0
        options = pending[2]
        if options.__class__ is list:  # a draft has its arguments there
            return len(options)
        if options.__class__ is Unlisted:
            return len(options_of(self.state))
        decision = self.decision
        assert decision is not None
        return decision.count()

    def pick(self, number: int) -> None:
        """Choose the option with this number; builds no keys and no labels."""
        state = self.state
        pending = state.pending
        if pending is None:
            raise self._nothing_to_decide()
        options = pending[2]
        if options.__class__ is list and number >= 0 and self._ahead is None:
            try:
                option = options[number]
            except IndexError:
                raise no_such_number(number, len(options)) from None
            if self.record:
                self._note(noted_choice(state, option), option)
                return
            self._decision = None
            if state.memo:
                choice_begins(state)
            else:  # the same, as quickly as it can be
                state.spent = self.program.unspent
                meter = self.program.meter
                meter.spent = meter.unspent
            try:
                go_on(state, option)
            except Exception as fault:
                self._stop(fault)
                raise
            return
        count = self.count()
        if not 0 <= number < count:
            raise no_such_number(number, count)
        raw = options[number] if isinstance(options, list) else None
        if self._ahead is not None:
            self._follow(self._ahead, number if raw is None else raw, raw)
        elif raw is not None:
            self._take(raw)
        elif (decision := self.decision) is not None:
            self._choose(decision.raw(number))

    def _follow(self, ahead: Ahead, answer: Any, raw: Any) -> None:
        """Go where an answer has led before; else carry it out. `raw` is None where the answer is a number."""
        there = ahead.led.get(answer)
        if there is not None:
            self._ahead, self.state, self._decision = there, there.state, there.decision
            return
        fallen = getattr(self._dice, "counter", None)  # None of dice that do not count
        value = raw
        if raw is None and (decision := self.decision) is not None:
            value = decision.fields(answer)
            raw = decision.raw(answer) if value is None else None
        self._stand_alone()
        if value is None:
            self._choose(raw)
        else:
            self._answer(value)
        if fallen is not None and self._dice.counter == fallen:
            self._ahead = ahead.leads(answer, self.state)

    def _stand_alone(self) -> None:
        """A trial gets a state of its own, to be written in."""
        if self._ahead is not None:
            self.state = copied(self._ahead.state, self._dice)
            self._ahead = self._decision = None

    def has_choice(self) -> bool:
        """True where there is more than one option: what may be ended has one beside the end, listed or not."""
        decision = self.decision
        return decision is not None and (decision.may_end or self.count() > 1)

    def end_row(self) -> None:
        """Choose the last option, which ends a row of choices; `decision.may_end` says whether it does."""
        if self.record:
            self.pick(self.count() - 1)
        elif self._ahead is not None:
            end = self.state.pending[2][-1]
            self._follow(self._ahead, end, end)
        else:
            self._answer(self.state.pending[2][-1])

    def choose(self, option: Option | str) -> None:
        """Choose an option or its key; raises IllegalAction, changing nothing, when it is not legal."""
        decision = self.decision
        if decision is None:
            raise self._nothing_to_decide()
        if isinstance(option, Option) and option.belongs_to(decision):
            raw, key = option.raw, ""
        else:
            key = option.key if isinstance(option, Option) else str(option).strip()
            raw = decision.find(key)
            if raw is None and isinstance(option, Option) and option.is_step:
                raw = next((o.raw for o in decision.steps() if o.key == key), None)
        if raw is None:
            raise refusal(self.state, decision, key)
        self._stand_alone()
        self._choose(raw)

    def _answer(self, value: Any) -> None:
        self._decision = None
        try:
            machine.answer(self.state, value)
        except Exception as fault:
            self._stop(fault)
            raise

    def _stop(self, fault: Exception) -> None:
        """Without a record there is no way back: after a fault this game does not go on."""
        self.state.pending, self.state.frames = None, []
        self._stopped = fault

    def _nothing_to_decide(self) -> IllegalAction:
        return nothing_to_decide(self._stopped, self.over)

    def _choose(self, raw: Any) -> None:
        if isinstance(raw, tuple) and raw and raw[0] == "step":
            if self.record:
                past = self.past()
                past.push(past.keep(self.state), len(past.log), "")  # a step has no key
                past.taken_back.clear()
            before = self.decision
            self.state.draft = (*self.state.draft, raw[1])
            self._decision = None if before is None else before.after_step(raw[1])
            return
        self._take(raw)

    def _take(self, raw: Any) -> None:
        state, answer, decision = self.state, raw, None
        if state.pending[0] in state.program.draft_decisions:
            decision = self.decision
            assert decision is not None
            raw = decision.settled(raw)
            answer = drafts.answer_of(state, raw)
        if self.record:
            self._note(noted_choice(state, raw) if decision is None else decision.noted(raw), answer)
        else:
            self._answer(answer)

    def _note(self, noted: Any, answer: Any) -> None:
        """Answer with a record of it, so that it can be taken back."""
        state, past = self.state, self._past
        assert past is not None
        log = past.log
        before, length = past.keep(state), len(log)
        log.append(noted)
        self._decision, state.log = None, log
        try:
            if state.memo or state.draft:
                machine.answer(state, answer)
            else:  # as in `pick`
                begin_anew(state)
                go_on(state, answer)
        except BaseException:  # also where a person stops it while dice are asked of him
            self.state = copied(whole(self.program, before))
            del log[length:]
            raise
        finally:
            state.log = None
        past.push(before, length, noted[4])
        if past.taken_back:
            past.taken_back.clear()

    @question
    def why_not(self, name: str, **args: Any) -> tuple[Reason, ...]:
        """Reasons why an option with these arguments is not legal; () when it is."""
        return explaining.why_not(self.state, name, args)

    def draft_steps(self) -> tuple[Option, ...]:
        """Legal single steps of a draft that is being decided."""
        decision = self.decision
        return decision.steps() if decision is not None and decision.is_draft else ()

    # --- back and forth ---------------------------------------------------------------------

    def undo(self) -> None:
        """Take back the last choice."""
        past = self.past()
        if not past:
            unkept = _("this game keeps no record, so nothing can be taken back")
            raise IllegalAction(_("there is nothing to take back") if self.record else unkept)
        before, length, key = past.pop()
        past.taken_back.append((before, self.state, key, past.log[length:]))
        self.state = copied(before)
        del past.log[length:]
        if key:
            past.keys.pop()
        self._decision = None

    def redo(self) -> None:
        """Make the last choice that was taken back again."""
        if not self.can_redo:
            raise IllegalAction("there is nothing to make again")
        past = self.past()
        before, after, key, logged = past.taken_back.pop()
        is_same = state_hash(before) == state_hash(self.state)  # no position was set up since
        past.push(before if is_same else self.state, len(past.log), key)
        self.state = after
        past.log.extend(logged)
        self._decision = None

    def clone(self) -> Game:
        """An independent game in the same position, without its past."""
        self._stand_alone()
        new = Game(self.program, copied(self.state), self.scenario, self.seed, self.record)
        if self.record:
            new.keys.extend(self.keys)
        new._stopped = self._stopped
        return new

    def whole_copy(self) -> Game:
        """An independent game in the same position, with all of its past; nothing of it is made again."""
        new = self.clone()
        new._past = self.past().copy()
        return new

    def trial(self, dice: DiceSource) -> Game:
        """The same position without record, with dice of the caller's own: to look ahead without seeing what will fall.

        All trials share what is worked out here, and wherever answers lead before `dice` fall, if a `counter` tells.
        Options of later decisions are listed when asked for.
        """
        ahead = self._ahead
        if ahead is None:
            ahead = ahead_of(self.state, self._decision, dice)
            if ahead.state is self.state:  # a trial itself
                self._ahead, self._dice = ahead, self.state.dice
        ahead.tried = True
        return self._at(ahead, dice)

    def led_to(self, state: Any) -> Game | None:
        """A trial that stands where one answer has led, if that is the position of a state; None if none has."""
        there = None if self._ahead is None else self._ahead.met(state)
        return None if there is None else self._at(there, self._dice)

    def _at(self, ahead: Ahead, dice: Any) -> Game:
        new = Game(self.program, ahead.state, self.scenario, None, False)
        new._ahead, new._dice, new._decision = ahead, dice, ahead.decision
        return new

    def hash(self) -> str:
        """A digest of the whole state, dice and suspended procedures included."""
        self._stand_alone()
        return state_hash(self.state)

    def data(self) -> dict[str, Any]:
        """The state as JSON data; `restore` puts it back."""
        return state_data(self.state)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the game to a file that `interpreter.resume` takes up again."""
        if not self.record:
            raise SetupError("this game keeps no record, so it cannot be saved")
        recording.save(self, path)

    # --- positions -----------------------------------------------------------------------------

    def view(self) -> dict[str, Any]:
        """The position as plain data: ids and words only."""
        return view_of(self.state, self.decision, self.raw_log())

    def edit(
        self,
        pieces: Mapping[str, Any] | None = None,
        sides: Mapping[str, Any] | None = None,
        game: Mapping[str, Any] | None = None,
        groups: Mapping[str, Any] | None = None,
        **others: Any,
    ) -> None:
        """Set up a position; raises SetupError, changing nothing, when a name or value is wrong.

        What is being decided is asked anew: steps of a draft taken already are given up. SetupError, changing
        nothing, when nothing could be chosen any more.
        """
        things: dict[str, Mapping[str, Any]] = {}
        if sides:
            things["side"] = sides
        for many, members in others.items():
            kind = next((k for k, d in self.program.kinds.items() if many in (d["many"], k)), None)
            if kind is None or kind == "piece":
                known = tuple(d["many"] for k, d in self.program.kinds.items() if k != "piece")
                raise SetupError("there are no `{many}` in this ruleset; known here: {known}", many=many, known=known)
            things[kind] = {**things.get(kind, {}), **members}
        self._stand_alone()
        before = copied(self.state)
        try:
            editing.edit(self.state, pieces or {}, game or {}, groups, things)
            self._ask_anew()
        except Exception:
            self.state, self._decision = before, None
            raise
        self.edits.append(
            (
                len(self.keys),
                {"pieces": dict(pieces or {}), "game": dict(game or {}), "groups": groups, "things": things},
            )
        )

    @question
    def _ask_anew(self) -> None:
        state, pending = self.state, self.state.pending
        self._decision = None
        if pending is None:
            return
        state.draft = ()
        described = self.program.decisions[pending[0]]
        if described["draft"] is not None:
            is_open = drafts.can_finish(state, self.program.drafts[described["draft"]], pending[2])
        else:
            state.pending = (pending[0], pending[1], self.program.list_options(state, pending[0], pending[1]))
            is_open = bool(state.pending[2])
        if not is_open:
            raise SetupError(
                "the game asks the decision `{name}`, and no option of it is legal in this position; to set up any "
                "position, begin with an empty one: start(empty=True), or `position: empty` in a case",
                name=described["name"],
            )

    # --- for tests ------------------------------------------------------------------------------

    def play_on(self) -> None:
        """Go on to the next decision where the game stands before one: set up, but not begun."""
        if self.state.pending is None and self.state.stack:
            begin_anew(self.state)
            self.run(lambda: machine.run(self.state))

    def leave(self) -> None:
        """Drop what is going on and what is being decided; the position stays, for `call`."""
        self._stand_alone()
        machine.drop(self.state)
        self._decision = None

    def call(self, procedure: str, **args: Any) -> None:
        """Drop what is going on and run one procedure; its decisions follow as usual."""
        values = self.call_values(procedure, args)
        self._stopped = None
        self.run(lambda: machine.call(self.state, procedure, values))

    def call_values(self, procedure: str, args: Mapping[str, Any]) -> tuple[Any, ...]:
        """Arguments of a procedure as values of the rules; SetupError for an unknown procedure or wrong arguments."""
        known = self.program.data["procedures"]
        if procedure not in known:
            raise SetupError(
                "there is no procedure `{procedure}`{hint}", procedure=procedure, hint=guess(procedure, known)
            )
        params = known[procedure]["params"]
        extra = [a for a in args if a not in [n for n, _show in params]]
        missing = [n for n, _show in params if n not in args]
        if extra or missing:
            wanted = tuple(name for name, _show in params) or _("nothing")
            raise SetupError(
                "`{procedure}` takes {wanted}; found {found}",
                procedure=procedure,
                wanted=wanted,
                found=tuple(args) or _("nothing"),
            )
        return tuple(self.argument(show, args[n]) for n, show in params)

    @question
    def try_draft(self, draft: str, args: Mapping[str, Any], steps: list[str]) -> dict[str, Any]:
        """Fields and offer of a draft built from single step keys, without changing anything.

        Raises IllegalAction with the reasons when a step or the finish is refused.
        """
        if draft not in self.program.drafts:
            raise SetupError("there is no draft `{draft}`{hint}", draft=draft, hint=guess(draft, self.program.drafts))
        data = self.program.drafts[draft]
        missing = [p["name"] for p in data["params"] if p["name"] not in args]
        if missing or len(args) != len(data["params"]):
            raise SetupError("`{draft}` takes {names}", draft=draft, names=tuple(p["name"] for p in data["params"]))
        values = tuple(self.argument(p["show"], args[p["name"]]) for p in data["params"])
        reasons, fields = explaining.why_not_steps(self.state, data, values, steps)
        if fields is None:
            raise IllegalAction(
                _("`{key}` is not possible: {reasons}", key=" > ".join(steps), reasons=reasons), reasons
            )
        offer = self.program.functions["offer_" + draft](self.state, *values, *fields)
        out = {n: value_id(self.program, s, v) for n, s, v in zip(data["fields"], data["shows"], fields, strict=True)}
        out.update(
            {n: value_id(self.program, s, v) for n, s, v in zip(data["offer"], data["offer_shows"], offer, strict=True)}
        )
        return out

    def argument(self, show: Any, given: Any) -> Any:
        """A value for a parameter from its id; an alike piece by its group."""
        if show[0] == "thing" and show[1] == "piece" and given not in self.program.handles["piece"]:
            for piece in range(len(self.state.at)):
                if self.program.is_alike[piece] and piece_group(self.state, piece) == given:
                    return piece
        if show[0] == "many" and isinstance(given, list | tuple):
            return members_of(show, (self.argument(show[1], g) for g in given))
        try:
            return value_from_id(self.program, show, given)
        except ValueError as fault:
            raise SetupError(fault.args[0]) from None
