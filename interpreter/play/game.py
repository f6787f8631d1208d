"""A game in progress: decisions in, state forward; undo, clone, hash, view, save.

`record=True` keeps a log of events and a copy of the state before each decision. Bots play with `record=False`, where
a choice costs no more than running its rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from types import MappingProxyType
from typing import Any, NamedTuple

from interpreter.diagnostics.suggestions import suggest_words
from interpreter.i18n.translator import mark as _
from interpreter.play import position_editing, why_not
from interpreter.play.events import LogEvent, build_event, require_log_within_limit
from interpreter.play.history import History, UndoneChoice
from interpreter.play.illegal_action import (
    build_no_choice_fault,
    build_no_decision_error,
    build_unknown_number_error,
    explain_refusal,
)
from interpreter.play.representations import format_game_html, format_game_repr
from interpreter.play.snapshot import build_view
from interpreter.play.speculation import SpeculativeNode, create_root
from interpreter.runtime import drafts, machine
from interpreter.runtime.choice_logging import build_choice_entry, get_memoized_entry
from interpreter.runtime.decisions import Decision, Option
from interpreter.runtime.dice import DiceSource
from interpreter.runtime.drafts import DraftEnd, RawOption
from interpreter.runtime.errors import IllegalAction, Reason, RuleFault, SetupError
from interpreter.runtime.intrinsics import stack_depth
from interpreter.runtime.lazy_options import LazyOptions, list_pending_options
from interpreter.runtime.limits import LIMITS, begin_choice, reset_budget
from interpreter.runtime.log_entries import Log, LoggedChoice
from interpreter.runtime.machine import as_query, resume_suspended
from interpreter.runtime.pending import PendingDecision
from interpreter.runtime.program import Program
from interpreter.runtime.state import State, clone_state, compute_state_hash, restore_snapshot, serialize_state
from interpreter.runtime.type_aliases import PlainOption
from interpreter.runtime.value_ids import to_value_id
from interpreter.saves import recorder
from interpreter.saves.entries import PositionEdit


class GameOutcome(NamedTuple):
    """Result of a game: `winner` is a seat id, a tuple of them, "draw", or None while undecided."""

    winner: str | tuple[str, ...] | None
    level: str | None
    title: str | None
    scores: Mapping[str, Any] = MappingProxyType({})


class Game:
    """One game in progress: it is played by choosing options of its pending decision.

    See the author's guide and docs/engine for a session.
    """

    __slots__ = (
        "program",
        "state",
        "scenario",
        "seed",
        "record",
        "_history",
        "_decision",
        "_stopped",
        "_node",
        "_dice",
        "forced",
    )

    def __init__(self, program: Program, state: State, scenario: str | None, seed: int | None, record: bool) -> None:
        self.program = program
        self.state = state
        self.scenario = scenario
        self.seed = seed
        self.record = record
        self._history = History(program) if record else None  # created on demand if the game is not recorded
        self._decision: Decision | None = None
        self._stopped: Exception | None = None
        self._node: SpeculativeNode | None = None  # of a trial: the shared, read-only position
        self._dice: Any = None  # of a trial: its dice
        self.forced = 0  # consecutive decisions without a choice for any player

    __repr__, _repr_html_ = format_game_repr, format_game_html

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self.state.outcome is not None

    @property
    def decision(self) -> Decision | None:
        """Return the pending decision, or None."""
        if self.state.pending is None:
            return None
        if self._decision is None or self._decision.state is not self.state:
            self._decision = Decision(self.state)
            if self._node is not None:
                self._node.decision = self._decision
        return self._decision

    @property
    def turn(self) -> int:
        """Return the turn number, from 1."""
        return int(self.state.turn)

    @property
    def phase(self) -> str | None:
        """Return the id of the phase, or None between phases."""
        return self.state.phase

    @property
    def depth(self) -> int:
        """Return the number of suspended procedures; a lower number shows that the procedure that asked has ended."""
        return stack_depth(self.state)

    @property
    def idle(self) -> bool:
        """Return whether no procedure is running: the game has ended, or a procedure called by a case or tool has."""
        return self.state.pending is None and not self.state.stack

    @property
    def returned(self) -> object:
        """Return the result of the procedure that `call` ran."""
        return self.state.ret

    @property
    def skipped(self) -> str | None:
        """Return the phase to which the procedure that `call` ran skipped, or None."""
        return self.state.signal

    @property
    def outcome(self) -> GameOutcome | None:
        """Return how the game ended, or None."""
        outcome = self.state.outcome
        if outcome is None:
            return None
        program, winner, level = self.program, outcome.winners, outcome.level
        ids = program.ids["seat"]
        winner_ids: str | tuple[str, ...] = "draw"
        if winner is not None:
            winner_ids = ids[winner[0]] if len(winner) == 1 else tuple(ids[w] for w in winner) or "draw"
        scores, _fault = self.compute_scores()
        if level is None:
            return GameOutcome(winner_ids, None, None, scores)
        data = program.level_data[level]
        return GameOutcome(
            winner_ids, data["id"], program.get_localizer().translate_label(data["title"], data["id"]), scores
        )

    @as_query
    def scores(self) -> dict[str, Any]:
        """Return the score of every seat that plays a side, by seat id."""
        score = self.program.functions.find_score()
        if score is None:
            return {}
        seats = sorted(set(self.state.seat_of))
        return {self.program.ids["seat"][s]: to_value_id(self.program, ("plain",), score(self.state, s)) for s in seats}

    def compute_scores(self) -> tuple[Mapping[str, Any], RuleFault | None]:
        """Return (scores by seat id, None), or, if the rules fault, (no scores, the fault)."""
        try:
            return self.scores(), None
        except RuleFault as fault:
            return {}, fault

    @as_query
    def evaluation(self, seat: str) -> float | None:
        """Return the ruleset's `evaluation` of the position for a seat (higher is better), or None if it has none."""
        program = self.program
        evaluate, number = program.functions.find_evaluation(), program.handles["seat"].get(seat)
        if evaluate is None:
            return None
        if number is None:
            hint = suggest_words(seat, program.ids["seat"], all_of_them=True)
            raise SetupError("unknown seat `{seat}`{hint}", seat=seat, hint=hint)
        return float(evaluate(self.state, number))

    @property
    def log(self) -> list[LogEvent]:
        """Return all events of a recorded game; [] if the game is not recorded."""
        return [build_event(self.program, raw) for raw in self.get_raw_log()]

    def get_raw_log(self) -> Log:
        """Return the log entries of a recorded game; they are empty if the game is not recorded."""
        return self.get_history().log

    @property
    def keys(self) -> list[str]:
        """Return the keys of the choices made in a recorded game; [] if the game is not recorded."""
        return self.get_history().keys

    @property
    def edits(self) -> list[PositionEdit]:
        """Return the positions set up by hand."""
        return self.get_history().edits

    def get_history(self) -> History:
        """Return the undo history; empty if the game is not recorded."""
        if self._history is None:
            self._history = History(self.program)
        return self._history

    @property
    def can_redo(self) -> bool:
        """Return whether an undone choice can be redone."""
        return self._history is not None and bool(self._history.undone)

    # --- choices ----------------------------------------------------------------------------

    def run(self, action: Callable[[], object]) -> None:
        """Call `action`, which changes the state; if the game is recorded, what happens is logged."""
        self._detach()
        state, log = self.state, self.get_raw_log() if self.record else Log()
        start_length, log.text_steps = len(log), 0
        state.log = log if self.record else None
        try:
            action()
            if self.record:
                require_log_within_limit(self.program, log, start_length)
        finally:
            state.log = None
        self._decision = None

    def count(self) -> int:
        """Return the number of options of the pending decision."""
        pending = self.state.pending
        if pending is None:
            return 0
        if isinstance(pending, PendingDecision):
            return len(
                list_pending_options(self.state) if pending.options.__class__ is LazyOptions else pending.options
            )
        decision = self.decision
        assert decision is not None
        return decision.count()

    def pick(self, number: int) -> None:
        """Choose the option with this number, without building keys or labels."""
        state = self.state
        pending = state.pending
        if pending is None:
            raise self._build_no_decision_error()
        options = pending.options if isinstance(pending, PendingDecision) else None
        if options.__class__ is list and number >= 0 and self._node is None:
            try:
                option = options[number]
            except IndexError:
                raise build_unknown_number_error(number, len(options)) from None
            self._count_forced(len(options))
            if self.record:
                self._answer_and_record(get_memoized_entry(state, option), option)
                return
            self._decision = None
            if state.memo:
                begin_choice(state)
            else:  # fast path of `begin_choice`
                state.spent, meter = self.program.unspent, self.program.meter
                meter.spent = meter.unspent
            try:
                resume_suspended(state, option)
            except Exception as fault:
                self._stop(fault)
                raise
            return
        count = self.count()
        if not 0 <= number < count:
            raise build_unknown_number_error(number, count)
        self._count_forced(count)
        raw = options[number] if isinstance(options, list) else None
        if self._node is not None:
            self._move_to_successor(self._node, number if raw is None else raw, raw)
        elif raw is not None:
            self._apply_option(raw)
        elif (decision := self.decision) is not None:
            self._choose_raw(decision.get_raw_option(number))

    def _move_to_successor(self, node: SpeculativeNode, answer: int | RawOption, raw: RawOption | None) -> None:
        """Go to the position to which an answer led in an earlier trial, or carry the answer out.

        `node`: the node of the current position; `answer`: the number of an option or the option itself; `raw`: the
        option, None if `answer` is a number.
        """
        successor = node.successors.get(answer)
        if successor is not None:
            self._node, self.state, self._decision = successor, successor.state, successor.decision
            return
        counter_before = getattr(self._dice, "counter", None)  # None if the dice have no counter
        value: object = raw
        if isinstance(answer, int) and (decision := self.decision) is not None:
            value = decision.fields(answer)
            raw = decision.get_raw_option(answer) if value is None else None
        self._detach()
        if value is None:
            assert raw is not None
            self._choose_raw(raw)
        else:
            self._resume(value)
        if counter_before is not None and self._dice.counter == counter_before:
            self._node = node.add_successor(answer, self.state)

    def _detach(self) -> None:
        """Replace the state that a trial shares with other trials by a copy that it can change."""
        if self._node is not None:
            self.state = clone_state(self._node.state, self._dice)
            self._node = self._decision = None

    def has_choice(self) -> bool:
        """Return whether the pending decision has more than one option.

        If a repeated decision may be ended, there is another option beside the end, even if it is not listed yet.
        """
        decision = self.decision
        return decision is not None and (decision.may_end or self.count() > 1)

    def end_series(self) -> None:
        """Choose the last option, which ends a series of decisions; only valid if `decision.may_end`."""
        if self.record:
            self.pick(self.count() - 1)
        elif self._node is not None:
            end = self._get_last_option()
            self._move_to_successor(self._node, end, end)
        else:
            self._resume(self._get_last_option())

    end_row = end_series  # the former name

    def _get_last_option(self) -> PlainOption:
        pending = self.state.pending
        assert isinstance(pending, PendingDecision)
        return pending.options[-1]

    def choose(self, option: Option | str) -> None:
        """Choose an option, given itself or by its key; raise IllegalAction, changing nothing, if it is illegal."""
        decision = self.decision
        if decision is None:
            raise self._build_no_decision_error()
        if isinstance(option, Option) and option.belongs_to(decision):
            raw: RawOption | None = option.raw
            key = ""
        else:
            key = option.key if isinstance(option, Option) else str(option).strip()
            raw = decision.find(key)
            if raw is None and isinstance(option, Option) and option.is_step:
                raw = next((o.raw for o in decision.steps() if o.key == key), None)
        if raw is None:
            raise explain_refusal(self.state, decision, key)
        self._count_forced(self.count())
        self._detach()
        self._choose_raw(raw)

    def _count_forced(self, options: int) -> None:
        """Count consecutive decisions with a single option; raise RuleFault if there are too many without a choice.

        `options`: the number of options of the pending decision.
        """
        self.forced = self.forced + 1 if options == 1 else 0
        if self.forced > LIMITS.forced:
            raise build_no_choice_fault(self.state)

    def _resume(self, value: object) -> None:
        self._decision = None
        try:
            machine.answer(self.state, value)
        except Exception as fault:
            self._stop(fault)
            raise

    def _stop(self, fault: Exception) -> None:
        """Mark an unrecorded game as stopped after a fault, because it cannot be rolled back."""
        self.state.pending, self.state.frames = None, []
        self._stopped = fault

    def _build_no_decision_error(self) -> IllegalAction:
        return build_no_decision_error(self._stopped, self.over)

    def _choose_raw(self, raw: RawOption) -> None:
        if isinstance(raw, drafts.DraftStep):
            if self.record:
                history = self.get_history()
                history.push(history.take_snapshot(self.state), len(history.log), "")  # a step has no key
                history.undone.clear()
            before = self.decision
            self.state.draft = (*self.state.draft, raw.step)
            self._decision = None if before is None else before.after_step(raw.step)
            return
        self._apply_option(raw)

    def _apply_option(self, raw: PlainOption | DraftEnd) -> None:
        state = self.state
        if isinstance(raw, DraftEnd):
            decision = self.decision
            assert decision is not None
            end = decision.normalize_steps(raw)
            answer = drafts.to_answer(state, end)
            if self.record:
                self._answer_and_record(build_choice_entry(decision, end), answer)
            else:
                self._resume(answer)
        elif self.record:
            self._answer_and_record(get_memoized_entry(state, raw), raw)
        else:
            self._resume(raw)

    def _answer_and_record(self, entry: LoggedChoice, answer: object) -> None:
        """Answer the decision with `answer`, and record the choice so that it can be undone.

        `entry`: the log entry of the choice.
        """
        state, history = self.state, self._history
        assert history is not None
        log = history.log
        snapshot, length = history.take_snapshot(state), len(log)
        log.append(entry)
        self._decision, state.log, log.text_steps = None, log, 0
        try:
            if state.memo or state.draft:
                machine.answer(state, answer)
            else:  # fast path of `begin_choice`, as in `pick`
                state.spent, meter = self.program.unspent, self.program.meter
                meter.spent = meter.unspent
                resume_suspended(state, answer)
            require_log_within_limit(self.program, log, length)
        except BaseException:  # including KeyboardInterrupt while the players enter dice
            self.state = clone_state(restore_snapshot(self.program, snapshot))
            del log[length:]
            raise
        finally:
            state.log = None
        history.push(snapshot, length, entry.key)
        if history.undone:
            history.undone.clear()

    @as_query
    def why_not(self, name: str, **args: object) -> tuple[Reason, ...]:
        """Return the reasons why an option with these arguments is illegal, or () if it is legal."""
        return why_not.why_not(self.state, name, args)

    def draft_steps(self) -> tuple[Option, ...]:
        """Return the legal single steps of the pending draft."""
        decision = self.decision
        return decision.steps() if decision is not None and decision.is_draft else ()

    # --- undo and copies --------------------------------------------------------------------

    def undo(self) -> None:
        """Undo the last choice."""
        history = self.get_history()
        if not history:
            unrecorded = _("this game has no record, so choices cannot be undone")
            raise IllegalAction(_("nothing to undo") if self.record else unrecorded)
        before, length, key = history.pop()
        history.undone.append(UndoneChoice(before, self.state, key, history.log[length:]))
        self.state = clone_state(before)
        del history.log[length:]
        if key:
            history.keys.pop()
        self._decision = None

    def redo(self) -> None:
        """Redo the last undone choice."""
        if not self.can_redo:
            raise IllegalAction("nothing to redo")
        history = self.get_history()
        before, after, key, logged = history.undone.pop()
        is_same = compute_state_hash(before) == compute_state_hash(self.state)  # false if a position was set up since
        history.push(before if is_same else self.state, len(history.log), key)
        self.state = after
        history.log.extend(logged)
        self._decision = None

    def clone(self) -> Game:
        """Return an independent game in the same position, without its history."""
        self._detach()
        new = Game(self.program, clone_state(self.state), self.scenario, self.seed, self.record)
        if self.record:
            new.keys.extend(self.keys)
        new._stopped = self._stopped
        return new

    def copy_with_history(self) -> Game:
        """Return an independent game in the same position with a copy of its history; undone choices are left out."""
        new = self.clone()
        new._history = self.get_history().copy()
        return new

    def trial(self, dice: DiceSource) -> Game:
        """Return an unrecorded game in the same position with other dice, for lookahead.

        The game's own future rolls stay hidden. All trials share memoized results, and, if `dice` have a `counter`, the
        positions reached before they roll. The options of later decisions are listed on demand.
        """
        node = self._node
        if node is None:
            node = create_root(self.state, self._decision, dice)
            if node.state is self.state:  # this game is a trial itself
                self._node, self._dice = node, self.state.dice
        node.begins_trials = True
        return self._create_trial_at(node, dice)

    def find_successor(self, state: State) -> Game | None:
        """Return a trial at the successor of this position that equals `state`, or None if no trial has reached it."""
        successor = None if self._node is None else self._node.find_successor(state)
        return None if successor is None else self._create_trial_at(successor, self._dice)

    def _create_trial_at(self, node: SpeculativeNode, dice: DiceSource | None) -> Game:
        new = Game(self.program, node.state, self.scenario, None, False)
        new._node, new._dice, new._decision = node, dice, node.decision
        return new

    def hash(self) -> str:
        """Return a digest of the whole state, including dice and suspended procedures."""
        self._detach()
        return compute_state_hash(self.state)

    def data(self) -> dict[str, Any]:
        """Return the state as JSON data; `runtime.state.restore` reads it back."""
        return serialize_state(self.state)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the game to a file that `interpreter.resume` continues."""
        if not self.record:
            raise SetupError("this game has no record, so it cannot be saved")
        recorder.save(self, path)

    # --- positions -----------------------------------------------------------------------------

    def view(self) -> dict[str, Any]:
        """Return the position as plain data: ids and words only."""
        return build_view(self.state, self.decision, self.get_raw_log())

    def edit(
        self,
        pieces: Mapping[str, Any] | None = None,
        sides: Mapping[str, Any] | None = None,
        game: Mapping[str, Any] | None = None,
        groups: Mapping[str, Any] | None = None,
        **others: Mapping[str, Any],
    ) -> None:
        """Change the position by hand and ask the pending decision again; steps already taken in its draft are dropped.

        `pieces`, `sides` and `others` (by plural or id of a kind): id -> attribute -> value; `game`: value by name;
        `groups`: nested counts by place. Raises SetupError, changing nothing, if a name or value is wrong or if no
        option would be left.
        """
        things = position_editing.group_changes_by_kind(self.program, sides, others)
        self._detach()
        before = clone_state(self.state)
        try:
            position_editing.edit_position(self.state, pieces or {}, game or {}, groups, things)
            self._decision = None
            position_editing.ask_pending_again(self.state)
        except Exception:
            self.state, self._decision = before, None
            raise
        changes = {"pieces": dict(pieces or {}), "game": dict(game or {}), "groups": groups, "things": things}
        self.edits.append(PositionEdit(len(self.keys), changes))

    # --- running parts of the rules ------------------------------------------------------------------------------

    def play_on(self) -> None:
        """Run to the next decision from a position set up before the first turn."""
        if self.state.pending is None and self.state.stack:
            reset_budget(self.state)
            self.run(lambda: machine.run(self.state))

    def leave(self) -> None:
        """Abandon the running procedures and the pending decision; the position stays, for `call`."""
        self._detach()
        machine.abandon_procedures(self.state)
        self._decision = None

    def call(self, procedure: str, **args: object) -> None:
        """Abandon the running procedures and run one procedure up to its first decision or its end.

        `args`: its arguments as ids and numbers. Raises SetupError for an unknown procedure or argument.
        """
        values = position_editing.convert_procedure_arguments(self.state, procedure, args)
        self._stopped = None
        self.run(lambda: machine.call(self.state, procedure, values))

    @as_query
    def try_draft(self, draft: str, args: Mapping[str, Any], steps: list[str]) -> dict[str, Any]:
        """Return the fields and offer, by name, of a draft built from single step keys, without changing anything.

        `args`: the arguments of the draft. Raises IllegalAction with the reasons if a step or the finish is refused.
        """
        return why_not.try_draft(self.state, draft, args, steps)
