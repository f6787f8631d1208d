"""Liveness analysis: the variables of a procedure that each block, or one after it, may read before setting them.

block 0: n := 1; ask, then 1        live at 1: {n}
block 1: m := n + 1; goto 2         live at 2: {m}

Backward data flow over the blocks until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import cast

from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.record_fields import list_fields_holding, list_held_names
from interpreter.ir.traversal import list_bodies, list_targets

_EXPRESSIONS = frozenset(e.SHAPES)


@dataclass(slots=True)
class Flow:
    """Data flow of a block: variables read before they are set, variables set, and successor blocks."""

    reads: set[str] = field(default_factory=set)
    sets: set[str] = field(default_factory=set)
    next: tuple[int, ...] = ()

    def read(self, names: Iterable[str]) -> None:
        """Add names that are read; a name that the block has already set does not count."""
        self.reads |= set(names) - self.sets


def compute_live_variables(program: ir.LoweredProgram, procedure: ir.Procedure) -> list[frozenset[str]]:
    """Return, for each block, the variables that it or a block after it may read before setting them."""
    flows = [_analyze_block(program, procedure, number) for number in range(len(procedure.blocks))]
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


def _analyze_block(program: ir.LoweredProgram, procedure: ir.Procedure, number: int) -> Flow:
    block, flow = procedure.blocks[number], Flow()
    for caller in procedure.blocks:
        if isinstance(caller.end, s.CallThen) and caller.end.resume == number:
            flow.sets.update(list_held_names(caller.end, "assigned"))
    _analyze_body(block.body, flow)
    flow.read(find_names_read(block.end))
    if isinstance(block.end, s.Ask | s.AskDraft):
        flow.read(find_names_read(program.decisions[block.end.decision]))
        for decision in program.explanations.decisions[block.end.decision : block.end.decision + 1]:
            flow.read(local.name for _, local in decision.given)
    if isinstance(block.end, s.TakeDraft):
        flow.sets.update(list_held_names(block.end, "assigned"))
    flow.next = (*list_targets(block.end), *((number,) if isinstance(block.end, s.Settle) else ()))
    return flow


def _analyze_body(body: s.Body, flow: Flow) -> None:
    for stmt in body:
        flow.read(find_names_read(stmt))
        bound = list_held_names(stmt, "assigned")
        inside = [Flow(sets={*flow.sets, *bound}) for _ in list_bodies(stmt)]
        for inner, part in zip(list_bodies(stmt), inside, strict=True):
            _analyze_body(inner, part)
            flow.reads |= part.reads
        if isinstance(stmt, s.If):
            flow.sets |= set.intersection(*(part.sets for part in inside))
        elif not inside:  # a loop may run zero times, so its body sets nothing definitely
            flow.sets.update(bound)


def find_names_read(node: object) -> set[str]:
    """Return the variables that one or several records read, without the variables read in bodies inside them.

    `node`: a record, a tuple of records, or a dictionary with records as values.
    """
    shape: type = type(node)
    if shape in _EXPRESSIONS:
        return set(e.find_free_names(cast(e.Expr, node)))
    parts: Iterable[object]
    if isinstance(node, tuple):
        parts = node
    elif isinstance(node, dict):
        parts = node.values()
    else:
        parts = [
            getattr(node, name) for name in list_fields_holding(shape, "expression", "test", "record", "explanation")
        ]
    names = set(list_held_names(node, "read")).union(*map(find_names_read, parts))
    return names.difference(list_held_names(node, "bound"))
