"""Liveness analysis: which locals a suspended procedure still needs, block by block.

Works on the finished Python statements of a split procedure.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from interpreter.compiler.python_trees import SCOPES, bound_in, parts_of


@dataclass(slots=True)
class Flow:
    """Data flow of one block: reads before writes, and exits with the names written by then."""

    reads: set[str] = field(default_factory=set)
    exits: list[tuple[int, frozenset[str]]] = field(default_factory=list)


def needed_at(blocks: list[list[ast.stmt]], names: Iterable[str]) -> list[frozenset[str]]:
    """For each block, the names among `names` that it or a block after it may read before setting them."""
    wanted = frozenset(names)
    flows = [flow_of(b, wanted) for b in blocks]
    needed: list[set[str]] = [set(f.reads) for f in flows]
    again = True
    while again:
        again = False
        for number in range(len(flows) - 1, -1, -1):
            before = len(needed[number])
            for target, settled in flows[number].exits:
                needed[number] |= needed[target] - settled
            again = again or len(needed[number]) > before
    return [frozenset(n) for n in needed]


def flow_of(block: list[ast.stmt], names: frozenset[str]) -> Flow:
    """Return the reads and exits of one block: assignments to `pc`, and frames suspended with a block to resume at."""
    flow = Flow()
    _body(block, frozenset(), flow, names)
    return flow


def _body(body: Iterable[ast.stmt], settled: frozenset[str], flow: Flow, names: frozenset[str]) -> frozenset[str]:
    for stmt in body:
        settled = _statement(stmt, settled, flow, names)
    return settled


def _statement(stmt: ast.stmt, settled: frozenset[str], flow: Flow, names: frozenset[str]) -> frozenset[str]:
    match stmt:
        case ast.Assign(targets=[ast.Attribute(attr="stack" | "above")], value=ast.Tuple(elts=[where, *_])):
            flow.exits.append((where.value[1], settled))  # type: ignore[attr-defined]
            return settled
        case ast.Assign(targets=targets, value=value):
            _reads(value, settled, flow, names)
            for target in targets:
                if isinstance(target, ast.Name) and target.id == "pc":
                    _leads(value, settled, flow)
                elif not isinstance(target, ast.Name | ast.Tuple):
                    _reads(target, settled, flow, names)
            return settled | (bound_in(parts_of(targets)) & names)
        case ast.If(test=test, body=body, orelse=orelse):
            _reads(test, settled, flow, names)
            one = _body(body, settled, flow, names)
            two = _body(orelse, settled, flow, names)
            return one & two
        case ast.For(target=target, iter=iterator, body=body, orelse=orelse):
            _reads(iterator, settled, flow, names)
            _body(body, settled | (bound_in(parts_of(target)) & names), flow, names)
            _body(orelse, settled, flow, names)
            return settled
        case ast.While(test=test, body=body, orelse=orelse):
            _reads(test, settled, flow, names)
            _body([*body, *orelse], settled, flow, names)
            return settled
    _reads(stmt, settled, flow, names)
    return settled


def _leads(target: ast.expr, settled: frozenset[str], flow: Flow) -> None:
    for node in parts_of(target):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            flow.exits.append((node.value, settled))


def _reads(node: Any, settled: frozenset[str], flow: Flow, names: frozenset[str]) -> None:
    parts = parts_of(node)
    if not any(type(part) in SCOPES for part in parts):
        loads = {part.id for part in parts if type(part) is ast.Name and type(part.ctx) is ast.Load}
        flow.reads |= loads & names - settled
        return
    if type(node) in SCOPES:
        if isinstance(node, ast.Lambda):
            own = {a.arg for a in node.args.args} & names
            _reads(node.body, settled | own, flow, names)
            return
        inner = settled
        for clause in node.generators:
            _reads(clause.iter, inner, flow, names)
            inner = inner | (bound_in(parts_of(clause.target)) & names)
            for test in clause.ifs:
                _reads(test, inner, flow, names)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for part in parts:
            _reads(part, inner, flow, names)
        return
    for child in ast.iter_child_nodes(node):
        _reads(child, settled, flow, names)
