"""The contents of a target, read once for a comparison: its trees, its typed documents, its rules as written.

Compares nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.api.loading import parse_rules
from interpreter.diagnostics.diagnostic import Diagnostic, RulesetError, Sink
from interpreter.documents.building.ruleset_builder import build_ruleset
from interpreter.documents.pipeline import Trees, read_trees
from interpreter.language.syntax import Item
from interpreter.model.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class RulesetSnapshot:
    """The contents of one of the two rulesets.

    `items` are its rules with the changes of variants applied, or None if they cannot be read. `faults` are the
    diagnostics of its documents; `is_faulty` says that `check` would report an error.
    """

    target: str
    trees: Trees
    ruleset: Ruleset
    items: tuple[Item, ...] | None
    faults: tuple[Diagnostic, ...]
    is_faulty: bool


def read_snapshot(target: str) -> RulesetSnapshot:
    """Read everything a comparison needs of a target. Raises RulesetError if its documents cannot be read."""
    sink = Sink()
    trees = read_trees(target, sink)
    if trees is None:
        raise RulesetError(sink.sorted())
    ruleset = build_ruleset(trees, sink)
    if trees.broken:
        raise RulesetError(sink.errors() or sink.sorted())
    faults = sink.sorted()
    modules = parse_rules(ruleset, sink)
    items = None if modules is None else tuple(item for module in modules for item in module.items)
    return RulesetSnapshot(target, trees, ruleset, items, faults, sink.has_errors)
