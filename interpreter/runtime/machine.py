"""Machine: runs a state until a side must decide, the game ends, or a called procedure returns.

The stack of suspended procedures is data in the state, innermost first: each entry holds the resume point, the locals
and the rest of the stack. The outermost entry, named "", is the sequence of play.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from types import CodeType
from typing import Any, Protocol, TypeVar

from interpreter.runtime.compiled_functions import Function
from interpreter.runtime.errors import BudgetExceededError, GameEnded, RuleFault, RuntimeFault, SkipSignal
from interpreter.runtime.intrinsics import ASKED, invalidate
from interpreter.runtime.limits import LIMITS, begin_choice, out_of_steps, reset_budget, shared_budget
from interpreter.runtime.log_entries import LoggedEnd, LoggedTurn
from interpreter.runtime.state import EventSink, State
from interpreter.runtime.text_lengths import require_text
from interpreter.runtime.type_aliases import Outcome, Value, Values, handle_of

Query = TypeVar("Query", bound=Callable[..., Any])
ROOT = ""
NOWHERE = ""  # no phase has this name
CALLED, ONE_TURN = "one call", "one turn"  # frame names that are not valid procedure names
# Any other exception is a bug of the interpreter.
RULES_FAULTS = (RuntimeFault, ArithmeticError, RecursionError, MemoryError)
SETTING_UP, TURNING, NEXT_TURN, ONLY_SETTING_UP = 0, 1, 2, 3
IN_TURN = ROOT, NEXT_TURN  # resume point of the sequence of play after a turn
STEPS_PER_TURN = 1001  # steps that each turn costs


def begin(state: State, turns: int | None) -> None:
    """Start the sequence of play (after setup) and run to the first decision.

    `turns`: the number of turns to play, None for no limit.
    """
    state.last_turn = turns
    has_setup = state.program.functions.find_setup() is not None
    state.frames = [(ROOT, SETTING_UP if has_setup else TURNING, (turns,))]
    run(state)


def is_setting_up(state: State) -> bool:
    """Return whether the first turn has not begun, because the setup procedure has not ended."""
    frames = state.frames
    return bool(frames) and frames[-1][:2] == (ROOT, TURNING)


def prepare_first_turn(state: State, turns: int | None, set_up: bool) -> None:
    """Run setup, unless `set_up` is false, up to its first decision, and prepare the first turn for `run`.

    `turns`: the number of turns to play, None for no limit.
    """
    state.last_turn = turns
    if set_up and state.program.functions.find_setup() is not None:
        state.frames = [(ROOT, ONLY_SETTING_UP, (turns,))]
        run(state)
    else:
        state.frames = [(ROOT, TURNING, (turns,))]


def answer(state: State, value: object) -> None:
    """Answer the pending decision, or the outcome of chance waited for, and run until the next one or the game's end.

    A decision begins a new choice, with a new step budget; an outcome of chance belongs to the choice it follows.
    """
    pending = state.pending
    if pending is None or pending[0].__class__ is int:
        begin_choice(state)
    state.draft = ()
    resume_suspended(state, value)


def resume_suspended(state: State, value: object) -> None:
    """Resume the suspended procedures with an answer, without starting a new choice.

    `stack` holds the callers of the running procedure.
    """
    program = state.program
    state.pending, state.answer = None, value
    while rest := state.stack:
        (name, pc), values, state.stack = rest
        try:
            if name:
                result = program.suspended[name](state, pc, values)
            elif pc == NEXT_TURN or pc == TURNING:
                state.stack = IN_TURN, values, rest[2]
                if pc == NEXT_TURN:
                    _end_turn(state, _get_turn_count(values))
                state.spent += STEPS_PER_TURN
                if state.spent > LIMITS.steps:
                    out_of_steps()
                if state.log is not None:
                    _note_turn(state, state.log)
                result = program.play_turn(state, 0, ())
            else:
                state.stack = (ROOT, TURNING), values, rest[2]
                result = _set_up(state, pc)
                if pc == ONLY_SETTING_UP and result is not ASKED:
                    return
        except GameEnded:
            state.above = state.pending = None
            state.stack = ()
            return
        except SkipSignal as skip:
            state.signal, state.stack = skip.phase, ()
            if not name:
                fault = RuntimeFault(f"`skip to {skip.phase}`: no procedure that is running holds this phase")
                raise locate_fault(state, fault.with_traceback(skip.__traceback__)) from None
            if rest[2]:
                (name, pc), values, below = rest[2]
                state.stack = (name, -1 - pc), values, below  # a negative resume point leaves the current block
            continue
        except RULES_FAULTS as fault:
            state.stack = ()
            raise locate_fault(state, fault) from fault
        except BaseException:
            state.stack = ()
            raise
        if result is ASKED:
            above = state.above
            if above is not None:
                state.above = None
                if state.outcome is None and state.stack:
                    frame, handle, below = state.stack
                    while above is not None:
                        where, values, above = above
                        below = where, values, below
                    state.stack = frame, handle, below
            return
        if name:
            state.ret = result


def run(state: State) -> None:
    """Run until a decision is pending or the game ends."""
    answer(state, None)


def next_turn(state: State) -> bool:
    """Begin the next turn without leaving the compiled turn procedure; return whether it has begun.

    Returns False, so that the turn procedure returns to the machine, if the turn is not part of the sequence of play,
    is the last one, or the step budget is exceeded.
    """
    stack = state.stack
    if not stack or stack[0] is not IN_TURN:
        return False
    turns, turn = _get_turn_count(stack[1]), state.turn
    spent = state.spent + STEPS_PER_TURN
    if turns is not None and turn >= turns or spent > LIMITS.steps:
        return False
    expire = state.program.expire_turn
    if expire is not None:
        expire(state)
    state.turn, state.spent = turn + 1, spent
    if state.memo:
        invalidate(state, {"turn"})
    if state.log is not None:
        _note_turn(state, state.log)
    return True


def _set_up(state: State, pc: int) -> object:
    """Run the setup procedure before the first turn. `pc`: the resume point; negative after an uncaught skip signal."""
    if pc < 0:
        raise RuntimeFault(f"`skip to {state.signal}`: no procedure that is running holds this phase")
    return state.program.functions.get_procedure("setup")(state, 0, ())


def _get_turn_count(values: Values) -> int | None:
    """Return the number of turns to play, from the local values of the sequence of play, or None if it is unlimited."""
    turns = values[0]
    assert turns is None or isinstance(turns, int)
    return turns


def _note_turn(state: State, log: EventSink) -> None:
    log.append(LoggedTurn(state.turn, state.scenario))


def p_one_turn(state: State, pc: int, values: tuple[Any, ...]) -> object:
    """Run the current turn only, then increase the turn number as in the sequence of play. `pc`: the resume point."""
    if pc == 0:
        if state.log is not None:
            _note_turn(state, state.log)
        if state.program.play_turn(state, 0, ()) is ASKED:
            state.above = (ONE_TURN, 1), (), state.above
            return ASKED
    if pc >= 0:
        _end_turn(state, state.last_turn)
    return None


def _end_turn(state: State, turns: int | None) -> None:
    """Expire values that last one turn; increase the turn number, or end the game after the last turn.

    `turns`: the number of turns, None for no limit.
    """
    if state.program.expire_turn is not None:
        state.program.expire_turn(state)
    if turns is not None and state.turn >= turns:
        winner = _find_leading_seats(state)
        state.outcome = Outcome(winner, None, (), "time")
        if state.log is not None:
            state.log.append(LoggedEnd(winner, None, ()))
        raise GameEnded
    state.turn += 1
    if state.memo:
        invalidate(state, {"turn"})


def _find_leading_seats(state: State) -> tuple[int, ...] | None:
    """Return the winner after the scenario's last turn as (seat,): the only seat with the highest score, or None."""
    score = state.program.functions.find_score()
    if score is None:
        return None
    seats = sorted(set(state.seat_of))
    points = [score(state, s) for s in seats]
    best = [s for s, p in zip(seats, points, strict=True) if p == max(points)]
    return tuple(best) if len(best) == 1 else None


def call(state: State, name: str, args: tuple[Any, ...]) -> None:
    """Abandon the running procedures and run procedure `name` to its end or first decision."""
    abandon_procedures(state)
    state.queue = ()
    state.outcome = None
    state.signal = None
    state.ret = None
    if name == "turn":
        state.frames = [(ONE_TURN, 0, ()), (CALLED, 0, ())]
    elif name in state.program.suspending:
        state.frames = [(name, 0, args), (CALLED, 0, ())]
    else:
        state.frames = [(CALLED, 1, (name, args))]
    run(state)


def abandon_procedures(state: State) -> None:
    """Abandon all suspended procedures and expire values bound to them or to their phases."""
    suspended, frames = state.program.suspended, state.frames
    state.pending, state.frames, state.draft, state.signal = None, [], (), NOWHERE
    for name, pc, values in frames:
        if name != ROOT:
            with suppress(SkipSignal):
                suspended[name](state, -1 - pc, values)
    state.depth = {}
    state.signal = None


def p_call(state: State, pc: int, values: tuple[Any, ...]) -> object:
    """Run the bottom frame of a procedure that `call` started; an uncaught skip signal is recorded in the state.

    `pc`: the resume point. At 1, `values` are the procedure's name and arguments, and the procedure is run; at others
    it has ended. Returns the result of the procedure.
    """
    if pc == 1:
        name, args = values
        try:
            return state.program.functions.get_procedure(name)(state, *args)
        except SkipSignal as skip:
            state.signal = skip.phase
    return state.ret


def find_deciding_side(state: State, number: int, values: tuple[Any, ...]) -> int:
    """Return the handle of the side that takes the decision `number`.

    `values`: the values that the decision's expressions read.
    """
    decider = state.program.deciders[number]
    side: int
    if isinstance(decider, int):
        return handle_of(values[decider])
    try:
        side = decider(state, *values)
    except RULES_FAULTS as fault:
        raise locate_fault(state, fault) from fault
    return side


def locate_fault(state: State, fault: BaseException, default_code: CodeType | None = None) -> RuleFault:
    """Return a fault with its position in the rules: file, line, column and the rules' call stack.

    `default_code`: the code whose first line is the position if the fault has none of its own.
    """
    stack: list[str] = []
    file, line, column = (
        ("", 0, 0) if default_code is None else (default_code.co_filename, default_code.co_firstlineno, 1)
    )
    trace = fault.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if not code.co_filename.endswith(".py") and code.co_filename[:1] != "<":
            file, line = code.co_filename, trace.tb_lineno
            positions = list(code.co_positions())
            column = (positions[trace.tb_lasti // 2][2] or 0) + 1 if trace.tb_lasti // 2 < len(positions) else 1
            called = _format_name(code.co_name)
            stack.append(f"{file}:{line} in {state.program.data['kept'].get(called, called)}")
        trace = trace.tb_next
    if isinstance(fault, RuntimeFault) and fault.place is not None:
        (file, line), column = fault.place, 1
    if isinstance(fault, RecursionError):
        message = "procedures call each other too deeply"
    elif isinstance(fault, RuntimeFault):
        message = str(fault)
    else:
        message = f"the rules cannot go on here: {_format_fault(fault)}"
    seed = getattr(state.dice, "seed", None)
    return RuleFault(message, file, line, column, tuple(stack), seed, isinstance(fault, BudgetExceededError))


def _format_fault(fault: BaseException) -> str:
    """Return the message of a fault; Python's own message about generated code is replaced by a general one."""
    match fault:
        case ZeroDivisionError():
            return "a number is divided by zero"
        case MemoryError() | OverflowError() | ValueError():
            return "a number or a list has grown too large, or a value is not valid here"
        case LookupError():
            return "a value is looked up that does not exist"
    return "a value is missing or has the wrong type"


def _format_name(name: str) -> str:
    head, _, tail = name.partition("_")
    return tail if head in ("p", "d", "r", "t", "cond", "watch") and tail else name


class _StateHolder(Protocol):
    @property
    def state(self) -> State:
        """Return the current state."""


def as_query(query: Query) -> Query:
    """Decorate a read-only query whose first argument is a state or an object that holds one.

    The query gets its own step budget, and a fault of the rules in it is reported with its position.
    """

    @wraps(query)
    def run_query(first: State | _StateHolder, *args: object, **named: object) -> object:
        state = first if isinstance(first, State) else first.state
        try:
            reset_budget(state)
            return query(first, *args, **named)
        except RULES_FAULTS as fault:
            raise _locate_query_fault(state, fault) from fault

    return run_query  # type: ignore[return-value]


def evaluate(state: State, function: Function, *args: object, text: int | None = None) -> Value:
    """Return the value of a read-only compiled function, computed with its own step budget.

    `text`: the number of the text whose placeholders the function fills, or None. Raises RuleFault with the position of
    the fault, or of the function if that is unknown.
    """
    try:
        reset_budget(state, function.__name__)
        value: Value = function(state, *args)
        require_text(state, function.__name__, text, value if isinstance(value, tuple) else (value,))
        return value
    except RULES_FAULTS as fault:
        raise _locate_query_fault(state, fault, function.__code__) from fault


def evaluate_or_none(state: State, function: Function, *args: object, text: int | None = None) -> Any:  # noqa: ANN401 - the type is the rules' own
    """Return the value of a read-only compiled function, or None if it faults; `text` as for `evaluate`.

    If the step budget is exhausted, RuleFault is raised; with a tolerant shared budget its `fault` is set instead, and
    later texts are skipped.
    """
    shared = shared_budget()
    if shared is not None and shared.fault is not None:
        return None
    try:
        return evaluate(state, function, *args, text=text)
    except RuleFault as fault:
        if not fault.is_exhausted:
            return None
        if shared is None or not shared.is_tolerant:
            raise
        shared.leave_out_texts(fault)
        return None


def _locate_query_fault(state: State, fault: BaseException, code: CodeType | None = None) -> RuleFault:
    """Return the fault of a query with its position in the rules; `code` as for `locate_fault`.

    If the query used up a shared budget, return a fault that names the most expensive query instead.
    """
    shared = shared_budget()
    if shared is not None:
        fault = shared.explain(state, fault).with_traceback(fault.__traceback__)
    return locate_fault(state, fault, code)
