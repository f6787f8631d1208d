"""Liveness analysis: the variables of a procedure that each block, or one after it, may read before setting them.

block 0: n := 1; ask, then 1        live at 1: {n}
block 1: m := n + 1; goto 2         live at 2: {m}

Backward data flow over the blocks until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass

from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.effect_analysis import bodies_of
from interpreter.ir.explanation_records import Words
from interpreter.ir.verifier import targets

_RECORDS = (s.Chance, s.PhaseChange, s.DieReading, Words)


@dataclass(slots=True)
class Flow:
    """Data flow of a block: variables read before they are set, variables set, and successor blocks."""

    reads: set[str] = field(default_factory=set)
    sets: set[str] = field(default_factory=set)
    next: tuple[int, ...] = ()

    def read(self, names: Iterable[str]) -> None:
        """Add names that are read; a name that the block has already set does not count."""
        self.reads |= set(names) - self.sets


def live_variables(program: ir.LoweredProgram, procedure: ir.Procedure) -> list[frozenset[str]]:
    """Return, for each block, the variables that it or a block after it may read before setting them."""
    flows = [_flow(program, procedure, number) for number in range(len(procedure.blocks))]
    live = [set(flow.reads) for flow in flows]
    again = True
    while again:
        again = False
        for number in range(len(flows) - 1, -1, -1):
            before = len(live[number])
            for target in flows[number].next:
                live[number] |= live[target] - flows[number].sets
            again = again or len(live[number]) > before
    return [frozenset(names) for names in live]


def _flow(program: ir.LoweredProgram, procedure: ir.Procedure, number: int) -> Flow:
    block, flow = procedure.blocks[number], Flow()
    for other in procedure.blocks:
        if isinstance(other.end, s.CallThen) and other.end.resume == number and other.end.var is not None:
            flow.sets.add(other.end.var)
    _body(block.body, flow)
    flow.read(names_read(block.end))
    match block.end:
        case s.Ask(decision) | s.AskDraft(decision):
            flow.read(local.name for _, local in program.explanations.decisions[decision].given)
            flow.read(e.free_names(program.decisions[decision].decider))
        case s.Next(items, index):
            flow.read((items, index))
        case s.Countdown(left):
            flow.read((left,))
        case s.TakeDraft(var=str() as var):
            flow.sets.add(var)
    flow.next = (*targets(block.end), *((number,) if isinstance(block.end, s.Settle) else ()))
    return flow


def _body(body: s.Body, flow: Flow) -> None:
    for stmt in body:
        flow.read(names_read(stmt))
        match stmt:
            case s.If(yes=yes, no=no):
                sets = []
                for inner in (yes, no):
                    part = Flow(sets=set(flow.sets))
                    _body(inner, part)
                    flow.reads |= part.reads
                    sets.append(part.sets)
                flow.sets |= sets[0] & sets[1]
            case s.ForEach(var=var):
                _inside(stmt, flow, var)
            case s.Assign(name) | s.TakeArgument(name) | s.KeepPhase(name):
                flow.sets.add(name)
            case s.Roll(var=name) | s.Draw(var=name) | s.TakeChance(var=name) | s.Run(var=str() as name):
                flow.sets.add(name)
            case _:
                _inside(stmt, flow)


def _inside(stmt: s.Stmt, flow: Flow, *bound: str) -> None:
    """Add the reads inside a loop; a loop may run zero times, so its assignments do not count."""
    for inner in bodies_of(stmt):
        part = Flow(sets={*flow.sets, *bound})
        _body(inner, part)
        flow.reads |= part.reads


def names_read(record: object) -> Iterator[str]:
    """Yield the variables that a statement or terminator reads, without those of bodies inside it."""
    if isinstance(record, e.Expr):
        yield from e.free_names(record)
    elif isinstance(record, tuple):
        for part in record:
            if not isinstance(part, s.STATEMENTS):
                yield from names_read(part)
    elif isinstance(record, s.DieReading):
        yield from set(names_read((record.where, record.parts))) - {record.var}
    elif isinstance(record, s.SetPhase) and record.variable is not None:
        yield record.variable
        yield from names_read(record.change)
    elif isinstance(record, (*s.STATEMENTS, *s.TERMINATORS, *_RECORDS)):
        assert is_dataclass(record)
        for part in fields(record):
            yield from names_read(getattr(record, part.name))
