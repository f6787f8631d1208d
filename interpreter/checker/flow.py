"""Where a block of statements may go, and what it may set. Must not report anything."""

from __future__ import annotations

from typing import Any

from interpreter.checker.operations import facts_of
from interpreter.language import syntax as s
from interpreter.model import core as c
from interpreter.model import nodes


def leaves(block: s.Block) -> bool:
    """True when a block may end what it stands in: by `return`, `end game` or `skip to`."""
    return any(
        isinstance(n, s.Return | s.EndGame | s.Skip)
        or isinstance(n, s.If)
        and (any(leaves(b) for _, b in n.branches) or (n.otherwise is not None and leaves(n.otherwise)))
        for n in block.items
    )


def can_change(test: c.Core, body: s.Block) -> bool:
    """True when running the body could change what the test reads."""
    more = nodes.Call | nodes.AttributeOf | nodes.GameValue | nodes.PiecesAt | nodes.CanAdvance | nodes.Playing
    reads_more = any(isinstance(x, more) or facts_of(x).reads for x in nodes.descendants(test))
    return reads_more or _sets(body, nodes.locals_of(test)) or leaves(body)


def _sets(block: s.Block, names: set[str]) -> bool:
    for node in block.items:
        if isinstance(node, s.Assign) and isinstance(node.target, s.Name) and node.target.id in names:
            return True
        inner: list[Any] = []
        if isinstance(node, s.If):
            inner = [b for _, b in node.branches] + ([node.otherwise] if node.otherwise else [])
        elif isinstance(node, s.For | s.While | s.Times | s.Together | s.Phase):
            inner = [node.body]
        elif isinstance(node, s.Choose):
            inner = [o.body for o in node.options if o.body] + ([node.otherwise] if node.otherwise else [])
        elif isinstance(node, s.Match):
            inner = [a.body for a in node.arms] + ([node.otherwise] if node.otherwise else [])
        if any(_sets(b, names) for b in inner):
            return True
    return False
