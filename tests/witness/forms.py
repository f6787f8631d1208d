"""Every form of a compiled program, and runs of a game in one of them or from one to the other.

A program for odds keeps less in its frames than the others: it takes over their states, and gives none back. The
expected answer is never computed here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from interpreter.backends.python.compiled_program import CompiledProgram
from interpreter.backends.python.program_printer import compile_beside, compile_program
from interpreter.ir.program_records import ProgramForm
from interpreter.lowering.model_lowering import lower_model
from interpreter.model.checked_model import CheckedModel
from interpreter.play import position_editing
from interpreter.play.game import Game
from interpreter.play.setup import create_game, find_scenario
from interpreter.play.state_transfer import transfer_state
from interpreter.runtime import machine
from interpreter.runtime.decisions import Decision
from interpreter.runtime.drafts import DraftEnd, to_answer
from interpreter.runtime.errors import RuleFault, RuntimeFault
from interpreter.runtime.machine import locate_fault
from interpreter.runtime.program import Program
from tests.witness.deciding import End
from tests.witness.faults import sort_of
from tests.witness.playing import Asked

FORMS = tuple(form.value for form in ProgramForm)
CHANCE = ("roll", "draw", "close")  # where a program for odds pauses besides decisions
PYTHON_FAULTS = (RuntimeFault, ArithmeticError, LookupError, TypeError, ValueError, RecursionError, AttributeError)

Told = tuple[str, str, int]  # the sort of a fault, its file and its line


def programs_of(model: CheckedModel, forms: Iterable[str] = FORMS) -> dict[str, Program]:
    """Return a model compiled in every form, or in some."""
    made, play = {}, as_kept(compile_program(lower_model(model, explained=True), model))
    for name in forms:
        compiled = play
        if ProgramForm(name).is_beside_play:
            compiled = compile_with_play(model, name, play)
        elif name != "play":
            compiled = as_kept(compile_program(lower_model(model, explained=True, form=ProgramForm(name)), model))
        made[name] = Program(compiled.codes, compiled.data)
    return made


def compile_with_play(model: CheckedModel, form: str, play: CompiledProgram) -> CompiledProgram:
    """Compile a form that has only its procedures of its own, and takes the rest from the program for play."""
    own = compile_beside(lower_model(model, explained=True, form=ProgramForm(form)), model, play.data)
    return CompiledProgram((*play.codes, *own.codes), {**play.data, **own.data})


def as_kept(compiled: CompiledProgram) -> CompiledProgram:
    """Return a compiled program with its data as restored from disk."""
    return CompiledProgram(compiled.codes, json.loads(json.dumps(compiled.data)))


def told(fault: RuleFault) -> Told:
    """Return the compared parts of a fault: its sort, file and line."""
    return sort_of(fault.message), fault.file, fault.line


def asked_of(program: Program, state: Any, function: str, *args: Any) -> tuple[Any, Told | None]:
    """Return the value of a compiled function in a position, or its fault."""
    called = program.namespace[function]
    is_static = function.startswith("d_") and function[2:] in program.data["static"]
    try:
        return called(*args) if is_static else called(state, *args), None
    except PYTHON_FAULTS as fault:
        return None, told(locate_fault(state, fault))


def laid_out(program: Program, record: bool = False, **arguments: Any) -> Game:
    """Return a game of a scenario with its initial position, in which nothing runs."""
    game = create_game(program, record=record, empty=True, **arguments)
    found = find_scenario(program, arguments.get("scenario"))
    if found is not None:
        position_editing.apply_position(game.state, found["position"])
    return game


class Run:
    """One game in one form; with `hops`, the next of these forms takes it over at each decision."""

    def __init__(
        self, name: str, programs: dict[str, Program], record: bool = False, hops: tuple[str, ...] = ()
    ) -> None:
        self.name = name
        self.programs = programs
        self.form = name if name in programs else "play"
        self.record = record
        self.hops = hops
        self.game: Any = None
        self.fault: Told | None = None

    @property
    def program(self) -> Program:
        """Return the program of the present form."""
        return self.programs[self.form]

    @property
    def state(self) -> Any:
        """Return the present state."""
        return self.game.state

    def begin(self, start: Callable[[Game], None], **arguments: Any) -> None:
        """Start a game in which nothing runs, then let `start` begin it; run to the first decision."""
        self.game = laid_out(self.program, self.record, **arguments)
        self.carefully(lambda: self.onward(lambda: self.game.run(lambda: start(self.game))))

    def carefully(self, run: Callable[[], None]) -> None:
        """Run something, and record its fault."""
        try:
            run()
        except RuleFault as fault:
            self.fault = told(fault)

    def onward(self, run: Callable[[], None]) -> None:
        """Run on to the next decision; a program for odds receives the dice that would have fallen."""
        run()
        while self.state.pending is not None and self.state.pending[0] in CHANCE:
            answer = thrown(self.state)
            self.game.run(lambda answer=answer: machine.answer(self.state, answer))

    def hop(self, form: str) -> None:
        """Continue in another form, with all cached values."""
        self.form = form
        self.game = Game(self.program, transfer_state(self.program, self.state), None, None, False)

    def look(self) -> None:
        """Find the ends of the present draft, as a query of a game does; record a fault of them."""
        if self.fault is None and self.state.pending is not None and Decision(self.state).is_draft:
            self.carefully(lambda: Decision(self.state).list_raw_options())

    def asked(self) -> Asked | None:
        """Return the present decision in the terms of the witness."""
        state = self.state
        if state.pending is None:
            return None
        number, values, *_ = state.pending
        decision = Decision(state)
        side = self.program.namespace[f"by_{number}"](state, *values)
        if decision.is_draft:
            ends = tuple(end_of(state, raw) for raw in decision.list_raw_options())
            return Asked(decision.info.name, side, ends)
        return Asked(decision.info.name, side, tuple(state.pending[2]))

    def choose(self, number: int) -> None:
        """Choose an option by its number; a hopping run changes its form first."""
        if self.hops:
            self.hop(self.hops[(self.hops.index(self.form) + 1) % len(self.hops)])
        self.carefully(lambda: self.onward(lambda: self.game.pick(number)))


class Odds(Run):
    """A game in the form for play; each choice is made on a copy that the program for odds has taken over."""

    def __init__(self, programs: dict[str, Program]) -> None:
        super().__init__("into odds", programs)
        self.inner = Run("play", programs)

    def begin(self, start: Callable[[Game], None], **arguments: Any) -> None:
        """Start both games."""
        self.inner.begin(start, **arguments)
        super().begin(start, **arguments)

    def choose(self, number: int) -> None:
        """Choose on the copy, and in the game itself."""
        self.game = self.inner.game
        self.hop("odds")
        super().choose(number)
        self.inner.choose(number)


def end_of(state: Any, raw: DraftEnd) -> End:
    """Return an end of a draft in the terms of the witness: its stages are the fields after each step."""
    number, _, args = state.pending
    draft = state.program.drafts[state.program.decisions[number].draft]
    functions, name = state.program.namespace, draft.name
    fields, stages = functions[f"start_{name}"](state, *args), []
    for index, values in raw.steps:
        fields = functions[f"after_{name}_{index}"](state, *args, *fields, *values)
        stages.append(fields)
    assert not draft.is_staged or to_answer(state, raw)[-1] == tuple((*stage, ()) for stage in stages)
    return End(raw.offer, raw.fields, tuple(stages))


def thrown(state: Any) -> Any:
    """Return the dice or draws for which a program for odds pauses, or None where a row closes."""
    sort, name, _, subject, *rest = (
        (*state.pending, None, None)[:8] if state.pending[0] != "close" else ("close", "", None, None)
    )
    if sort == "close":
        return None
    source, count = rest[0], rest[1]
    if sort == "roll":
        return tuple(state.dice.roll_faces(name, "", source, count))
    left = list(source)
    return tuple(
        left.pop(state.dice.roll_faces(name, "", tuple(range(1, len(left) + 1)), 1)[0] - 1)
        for _ in range(min(count, len(left)))
    )
