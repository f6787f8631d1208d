"""Run the steps of one case with exactly the dice it gives, and record the results.

Expectations are compared elsewhere, except that a run stops where the case inspects a decision. An answer that was not
requested gets an explanation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from interpreter.api.game import Rules
from interpreter.diagnostics.source_text import Span
from interpreter.documents.reading.tree import to_plain_data
from interpreter.i18n.translator import Message, get_error_message, mark as _
from interpreter.model import types as t
from interpreter.model.checked_model import CheckedModel
from interpreter.play.events import iter_text_faults
from interpreter.play.game import Game
from interpreter.runtime.decisions import Decision
from interpreter.runtime.dice import DiceExhaustedError, DiceSource, Faces, InvalidDiceError, ScriptedDice
from interpreter.runtime.errors import IllegalAction, RuleFault, SetupError
from interpreter.runtime.machine import RULES_FAULTS, locate_fault
from interpreter.runtime.program import Program
from interpreter.tools.cases.answer_resolution import Refusal, StepError, choose_answer, format_options, try_draft
from interpreter.tools.cases.case_documents import Case, CaseFault, CaseStep
from interpreter.tools.cases.written_positions import MAX_PASSED_DECISIONS, build_edit_arguments, build_scripted_dice


class CaseDice:
    """A dice source whose script changes between steps.

    Until a script is loaded every die shows its first face, because rolls during setup do not belong to the case.
    Copies of a game share the script, so that no face is used twice.
    """

    def __init__(self) -> None:
        self._script: ScriptedDice | None = None

    def load(self, faces: Mapping[str, Any]) -> None:
        """Set the faces for the next rolls, replacing the faces that are left.

        `faces`: for each roll by name a list of faces, a single face, or either of them by subject.
        """
        self._script = build_scripted_dice(faces)

    def list_unused_faces(self) -> dict[str, list[int]]:
        """Return the faces that were given but not rolled, by roll."""
        return self._script.list_unused_faces() if self._script else {}

    def roll_faces(self, name: str, subject: str, faces: Faces, count: int) -> list[int]:
        """Return the next faces of the script, or the first face of each die before a script is loaded.

        Raises DiceExhaustedError if the script has too few faces.
        """
        if self._script is None:
            return [faces[0]] * count
        return self._script.roll_faces(name, subject, faces, count)

    def clone(self) -> CaseDice:
        """Return this source itself, so that copies of a game share one script."""
        return self


Watch = Callable[["CaseStep | Decision | None", "CaseRun"], None]


@dataclass(slots=True)
class CaseRun:
    """A case that is being run, and its results: answers to `ask`, the refusal that ended it, and faults.

    `first_event` is the index in the game's log at which the first step begins; `is_open` says that a decision of the
    case's own is unanswered; `is_repeated`: the run only repeats another run of the case; `fields`: the fields of the
    last draft tried; `skipped`: the phase to which a called procedure skipped, or None.
    """

    case: Case
    rules: Rules
    game: Game
    dice: CaseDice
    first_event: int
    is_open: bool
    watch: Watch | None = None
    is_repeated: bool = False
    values: list[tuple[Any, Span]] = field(default_factory=list)
    refusal: Refusal | None = None
    fields: Mapping[str, Any] | None = None
    skipped: str | None = None
    faults: list[CaseFault] = field(default_factory=list)

    @property
    def model(self) -> CheckedModel:
        """Return the checked rules."""
        return require_model(self.rules)

    def notify(self, what: CaseStep | Decision | None) -> None:
        """Notify the watcher, if there is one, of a step that begins or of a decision that is open.

        None means that a step has ended.
        """
        if self.watch is not None:
            self.watch(what, self)


def require_model(rules: Rules) -> CheckedModel:
    """Return the checked model of rules. Raises ValueError if they were loaded without it."""
    if rules.model is None:
        raise ValueError("the rules must be loaded with their checked model")
    return rules.model


def run_steps(case: Case, rules: Rules, watch: Watch | None = None, is_repeated: bool = False) -> CaseRun | CaseFault:
    """Set up the position of a case and carry out its steps up to the first fault or refusal.

    Return a CaseFault if the case cannot start. `watch` is called as each step begins and ends, and for each open
    decision; `is_repeated`: the run only repeats another run of the case.
    """
    dice = CaseDice()
    try:
        game = start_case(case, rules, dice)
    except (SetupError, IllegalAction, RuleFault, ValueError) as problem:
        return CaseFault(
            _("cannot set up the position: {problem}", problem=get_error_message(problem)),
            case.tree.entries["given"].key.span if "given" in case.tree else case.span,
        )
    is_open = game.decision is not None and _is_playing(case)
    run = CaseRun(case, rules, game, dice, len(game.log), is_open, watch, is_repeated)
    for number, step in enumerate(case.steps):
        is_last = number == len(case.steps) - 1
        _close_open_decision(run, step)
        run.notify(step)
        _run_step(run, step, is_last)
        run.notify(None)
        if run.faults or run.refusal:
            _require_last(run, is_last)
            break
    if run.is_open and not run.faults and not _is_expecting_decision(case):
        run.faults.append(CaseFault(_format_unanswered(game), case.steps[-1].span))
    return run


# --- the position -------------------------------------------------------------------------


def start_case(case: Case, rules: Rules, dice: DiceSource | None = None) -> Game:
    """Return a game in the position of a case, before its first step.

    If the case answers before it calls a procedure, the case plays the game itself and the first turn has begun;
    otherwise no procedure is running. Raises SetupError and others if the position cannot be set up.
    """
    game = rules.start(case.scenario, case.options, dice=dice or CaseDice(), empty=case.is_empty, ready=True)
    if not _is_playing(case):
        game.leave()
    _set_up(game, case, require_model(rules))
    if not case.steps and _is_expecting_decision(case):
        game.play_on()
    return game


def _set_up(game: Game, case: Case, model: CheckedModel) -> None:
    changes = build_edit_arguments({e.key.text: to_plain_data(e.value) for e in case.given}, model.ruleset)
    if changes:
        game.edit(**changes)
    going_on = game.state.frames, game.state.pending
    for name in case.prepare:
        _prepare(game, name, model)
    if case.prepare and any(going_on):
        game.state.frames, game.state.pending = going_on
        game.edit()  # the open decision must be evaluated again


def _prepare(game: Game, name: str, model: CheckedModel) -> None:
    params = model.procedures[name].params
    calls: list[dict[str, str]] = [{}]
    if params:
        if len(params) > 1 or not isinstance(params[0][1], t.ThingType) or params[0][1].kind != "side":
            raise SetupError("`{name}` cannot prepare a position: it has parameters other than a side", name=name)
        calls = [{params[0][0]: side.id} for side in model.ruleset.kinds["side"].things]
    for args in calls:
        game.call(name, **args)
        if game.decision is not None:
            raise SetupError("`{name}` cannot prepare a position: it contains a decision", name=name)


# --- steps --------------------------------------------------------------------------------


def _run_step(run: CaseRun, step: CaseStep, is_last: bool) -> None:
    run.dice.load(step.dice)
    log_start = len(run.game.get_raw_log())
    try:
        _carry_out(run, step, is_last)
    except StepError as problem:
        run.faults.append(CaseFault(get_error_message(problem), problem.span))
    except IllegalAction as problem:
        run.refusal = Refusal(problem.message, problem.reasons, step.span, True)
    except (DiceExhaustedError, InvalidDiceError, RuleFault, ValueError) as problem:
        run.faults.append(CaseFault(get_error_message(problem), step.span))
    except RULES_FAULTS as problem:
        run.faults.append(CaseFault(_format_fault(problem, run), step.span))
    if not run.faults:  # play goes on with words at fault; a case does not let them pass
        run.faults += [
            CaseFault(str(fault), step.span) for fault in iter_text_faults(run.game.get_raw_log()[log_start:])
        ]
    unused = run.dice.list_unused_faces()
    if unused and not run.faults and not run.refusal:
        rolls = [_("{roll}: {faces}", roll=name or _("any roll"), faces=faces) for name, faces in unused.items()]
        listed = reduce(lambda first, second: _("{one}; {other}", one=first, other=second), rolls)
        text = _("too many dice: these results were not used: {listed}", listed=listed)
        run.faults.append(CaseFault(text, step.span))


def _format_fault(problem: Exception, run: CaseRun) -> str:
    """Return the message, with location, of an exception that a rule raised outside the sequence of play.

    Any other exception is raised again.
    """
    fault = locate_fault(run.game.state, problem)
    if not fault.file:
        raise problem
    return str(fault)


def _carry_out(run: CaseRun, step: CaseStep, is_last: bool) -> None:
    game = run.game
    if step.sort == "ask":
        run.values.append((run.rules.ask(game, step.name), step.span))
    elif step.sort == "edit":
        game.edit(**build_edit_arguments(to_plain_data(step.tree.get_mapping("edit")), run.model.ruleset))
    elif step.sort == "try":
        run.fields = try_draft(game, step)
    else:
        if step.sort == "call":
            game.call(step.name, **step.args)
        else:
            game.play_on()
        _answer_decisions(run, step, is_last)
        run.skipped = game.skipped or run.skipped


def _answer_decisions(run: CaseRun, step: CaseStep, is_last: bool) -> None:
    game = run.game
    waiting = list(reversed(step.answers))
    passed = 0
    while (decision := game.decision) is not None:
        run.notify(decision)
        if waiting and waiting[-1].decision == decision.name:
            answer = waiting.pop()
            run.refusal = choose_answer(game, decision, answer, is_last and not waiting, run.model)
            if run.refusal:
                return
        elif game.count() == 1 and not (is_last and not waiting and _is_expecting_decision(run.case, decision.name)):
            game.pick(0)
            passed += 1
            if passed > MAX_PASSED_DECISIONS:
                text = _("endless sequence of decisions with one option: {options}", options=format_options(decision))
                raise StepError(text, step.span)
        else:
            break
    if waiting:
        question = _explain_not_asked(run, waiting[-1].decision)
        text = _("the answer `{answer}` was not needed: {asked}", answer=str(waiting[-1]), asked=question)
        raise StepError(text, waiting[-1].span)
    run.is_open = decision is not None


def _is_expecting_decision(case: Case, name: str | None = None) -> bool:
    """Return True if the case expects something of the open decision.

    `name`: only count an expectation that may be about the decision of this name.
    """
    expected = case.then.get_text("decision")
    if expected:
        return name in (None, expected)
    return any(key in case.then for key in ("options", "side", "seat"))


def _is_playing(case: Case) -> bool:
    """Return True if the case plays the game itself: it continues before any call, or has no steps."""
    first = next((step.sort for step in case.steps if step.sort in ("call", "go on")), None)
    return first == "go on" or not case.steps


def _close_open_decision(run: CaseRun, step: CaseStep) -> None:
    """Record a fault in `run` if a decision is open and `step` calls a procedure or tries a draft instead."""
    if run.is_open and step.sort in ("call", "try"):
        run.faults.append(CaseFault(_format_unanswered(run.game), step.span))
        run.is_open = False


def _format_unanswered(game: Game) -> str:
    return _("a decision has no answer: {options}", options=format_options(game.decision)) if game.decision else ""


def _require_last(run: CaseRun, is_last: bool) -> None:
    """Record a fault in `run` if an answer was refused although the case continues after it.

    `is_last`: the present step is the last of the case.
    """
    refusal = run.refusal
    if refusal and not run.faults and not (is_last and refusal.is_last):
        text = _("{refusal} (steps follow, so this must be legal)", refusal=refusal.sentence)
        run.faults.append(CaseFault(text, refusal.span))


def _explain_not_asked(run: CaseRun, decision: str) -> Message:
    """Explain why `decision`, which the case still answers, was not asked, and what is open instead."""
    fate = _describe_fate(run, decision)
    if run.game.decision is None:
        return _("{what}; no decision is open", what=fate)
    return _("{what}; the current options are {options}", what=fate, options=format_options(run.game.decision))


def _describe_fate(run: CaseRun, decision: str) -> Message:
    happened = [event for event in run.game.log[run.first_event :] if event.name == decision]
    if choices := [event for event in happened if event.sort == "taken"]:
        return _(
            "`{decision}` had one legal option, `{option}`, which `alone` chose automatically; leave out this answer",
            decision=decision,
            option=choices[-1].args["option"],
        )
    if any(event.sort == "decision" for event in happened):
        return _("`{decision}` did not come up again", decision=decision)
    if not run.is_repeated and decision in _find_emptied(run):
        return _("`{decision}` had no legal option, so it was skipped", decision=decision)
    return _("play did not reach `{decision}`", decision=decision)


def _find_emptied(run: CaseRun) -> Set[str]:
    """Run a case again and return the names of the decisions for which the rules found no legal option.

    The run uses a program of its own, because a loaded program may be shared with other games.
    """
    rules, emptied = run.rules, set[str]()
    program = Program(rules.program.codes, rules.program.data)
    for number, decision in enumerate(program.decisions):
        name = f"list_{number}"
        if name in program.namespace:
            program.namespace[name] = _watch_listing(program.namespace[name], decision.name, emptied)
    run_steps(run.case, Rules(program, rules.model, rules.target, rules.source), is_repeated=True)
    return emptied


def _watch_listing(listing: Callable[..., Any], name: str, emptied: set[str]) -> Callable[..., Any]:
    def record_listing(*args: object) -> object:
        options = listing(*args)
        if not options:
            emptied.add(name)
        return options

    return record_listing
