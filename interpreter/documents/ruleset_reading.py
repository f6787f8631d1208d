"""The door to the documents: from a target to the typed ruleset.

Never raises for what stands in a file; everything wrong goes to the sink.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.documents.building.ruleset_builder import build_ruleset
from interpreter.documents.listing import Leaf, Shipped, list_shipped, resolved_listing
from interpreter.documents.target import (
    files_of,
    read_case_layers,
    read_cases,
    shipped_variants,
    variant_files,
    variants_of,
)
from interpreter.documents.trees import Trees, content_hash, read_trees
from interpreter.model.ruleset import Ruleset
from interpreter.source.diagnostic import Diagnostic, Sink


def load_documents(target: str, sink: Sink) -> Ruleset | None:
    """The ruleset that a shipped id, a folder or a variant file stands for.

    None when a document cannot be read or has the wrong form. With other faults (all in `sink`)
    the ruleset is given, for further checks; it must not be played when `sink.has_errors`.
    """
    trees = read_trees(target, sink)
    if trees is None:
        return None
    later = Sink()
    ruleset = build_ruleset(trees, later)
    told = real_faults(later.items, trees.broken)
    places = {(finding.file, finding.span.start) for finding in told}
    sink.items[:] = [x for x in sink.items if x.code != "bad-text" or (x.file, x.span.start) not in places]
    for finding in told:  # what a text should be is told better by whoever reads it than by the form of the document
        sink.add(finding)
    return None if trees.broken else ruleset


__all__ = [
    "Leaf",
    "Shipped",
    "Trees",
    "content_hash",
    "files_of",
    "list_shipped",
    "load_documents",
    "read_case_layers",
    "read_cases",
    "read_trees",
    "resolved_listing",
    "shipped_variants",
    "variant_files",
    "variants_of",
]


# Which documents declare what `unknown-<word>` says there is none of; kinds of things of the
# ruleset's own have words of their own, and stand in the ruleset document.
_DECLARED_IN: dict[str, tuple[str, ...]] = {
    "place": ("map", "ruleset"), "edge": ("map",), "direction": ("map",), "piece": ("pieces",),
    "class": ("pieces",), "group": ("pieces", "ruleset", "ladders"), "rung": ("ladders",),
    "paragraph": ("rulebook",), "type": ("ruleset", "pieces", "ladders"), "axis": ("ruleset", "ladders"),
    "attribute": ("ruleset", "map", "pieces"), "row": ("ruleset", "ladders", "map"), "column": (), "word": (),
    "key": ("ruleset",),
}  # fmt: skip
_DEPENDENT: dict[str, tuple[str, ...]] = {
    "missing-attribute": ("ruleset", "map", "pieces"), "missing-default": ("ruleset", "map", "pieces"),
    "attribute-clash": ("pieces",), "side-without-seat": ("ruleset",),
    "missing-row": ("ruleset", "ladders", "map"), "wrong-row-count": ("ruleset", "ladders", "map"),
    "missing-column": ("tables",), "missing-key": ("tables", "activation"),
    "piece-without-place": ("map", "pieces", "scenario", "ruleset", "ladders"),
    "too-many-pieces": ("map", "pieces", "scenario", "ruleset", "ladders"),
    "ambiguous-group": ("pieces",), "outside-grid": ("map",), "constant-attribute": ("ruleset", "pieces"),
    "no-scenario": ("scenario", "ruleset"), "no-default-scenario": ("scenario",),
    "option-conflict": ("ruleset",),
    "unreadable-result": ("tables",), "wrong-length": ("pieces",),
}  # fmt: skip


# Faults after which a document lacks what others rely on, as if it could not be read.
_BREAKS: dict[str, str] = {
    "grid-empty": "map", "grid-too-large": "map", "numbering-too-short": "map", "unknown-kind": "map",
    "counters-without-alike": "pieces", "unknown-class": "pieces",
}  # fmt: skip
_ONCE = ("too-many-pieces",)  # told of the first scenario that lays the same words over its own
_HIDES: dict[str, tuple[str, ...]] = {"unknown-place": ("piece-without-place",)}


def real_faults(found: Sequence[Diagnostic], broken: frozenset[str]) -> list[Diagnostic]:
    """The findings that stay when documents of the kinds in `broken` could not be read as they should."""
    codes = {finding.code for finding in found}
    hidden = {code for first in codes for code in _HIDES.get(first, ())}
    kept = []
    others = {_BREAKS[code] for code in codes if code in _BREAKS}
    seen: set[tuple[str, str, int]] = set()
    for finding in found:
        place = (finding.file, finding.span.start)
        if finding.code in _ONCE and (finding.code, *place) in seen:
            continue
        seen.add((finding.code, *place))
        causes = _causes(finding.code)
        is_cause = finding.code in _BREAKS
        if finding.code not in hidden and not causes & broken and (is_cause or not causes & others):
            kept.append(finding)
    return kept


def _causes(code: str) -> set[str]:
    if code.startswith("unknown-"):
        return set(_DECLARED_IN.get(code.removeprefix("unknown-"), ("ruleset",)))
    return set(_DEPENDENT.get(code, ()))
