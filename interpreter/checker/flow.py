"""Where a block of statements may go, and what it may set. Must not report anything."""

from __future__ import annotations

from interpreter.checker.operations import facts_of
from interpreter.language import syntax as s
from interpreter.model import core as c, nodes
from interpreter.model.ruleset import Attribute, Ruleset
from interpreter.source.record_parts import records_within


def leaves(block: s.Block) -> bool:
    """True when a block may end what it stands in: by `return`, `end game` or `skip to`."""
    return any(isinstance(part, s.Return | s.EndGame | s.Skip) for part in records_within(block))


def can_change(test: c.Core, body: s.Block, ruleset: Ruleset) -> bool:
    """Return True if running the body could change what the test reads."""
    reads_more = any(_reads_state(x, ruleset) for x in nodes.descendants(test))
    return reads_more or _sets(body, nodes.locals_of(test)) or leaves(body)


def _reads_state(core: c.Core, ruleset: Ruleset) -> bool:
    if isinstance(core, nodes.AttributeOf):
        return constant_attribute(core, ruleset) is None
    more = nodes.Call | nodes.GameValue | nodes.PiecesAt | nodes.CanAdvance | nodes.Playing
    return isinstance(core, more) or bool(facts_of(core).reads)


def constant_attribute(core: c.Core, ruleset: Ruleset) -> Attribute | None:
    """Return the attribute that an expression reads if play never changes it, or None."""
    if not isinstance(core, nodes.AttributeOf) or core.kind not in ruleset.kinds:
        return None
    found = ruleset.kinds[core.kind].attributes.get(core.name)
    return found if found is not None and not found.changes and found.lasts is None else None


def _sets(block: s.Block, names: set[str]) -> bool:
    targets = [part.target for part in records_within(block) if isinstance(part, s.Assign)]
    return any(isinstance(target, s.Name) and target.id in names for target in targets)
