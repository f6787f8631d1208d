"""Where a block of statements may go, and what it may set. Must not report anything."""

from __future__ import annotations

from interpreter.checker.operations import facts_of
from interpreter.language import syntax as s
from interpreter.model import core as c, nodes
from interpreter.source.record_parts import records_within


def leaves(block: s.Block) -> bool:
    """True when a block may end what it stands in: by `return`, `end game` or `skip to`."""
    return any(isinstance(part, s.Return | s.EndGame | s.Skip) for part in records_within(block))


def can_change(test: c.Core, body: s.Block) -> bool:
    """True when running the body could change what the test reads."""
    more = nodes.Call | nodes.AttributeOf | nodes.GameValue | nodes.PiecesAt | nodes.CanAdvance | nodes.Playing
    reads_more = any(isinstance(x, more) or facts_of(x).reads for x in nodes.descendants(test))
    return reads_more or _sets(body, nodes.locals_of(test)) or leaves(body)


def _sets(block: s.Block, names: set[str]) -> bool:
    targets = [part.target for part in records_within(block) if isinstance(part, s.Assign)]
    return any(isinstance(target, s.Name) and target.id in names for target in targets)
