"""Filter for cascading errors: those caused by a document that could not be read, or already reported.

A map that cannot be read would make every place in the other documents unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from interpreter.diagnostics.diagnostic import Diagnostic, Sink
from interpreter.documents.values.names import OFF_MAP
from interpreter.i18n.translator import Message

# The documents that declare the names behind `unknown-<word>`; the ruleset's own kinds have words
# of their own, and are declared in the ruleset document.
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


# Faults after which a document lacks names that others need, as if it were unreadable.
_BREAKS: dict[str, str] = {
    "grid-empty": "map", "grid-too-large": "map", "numbering-too-short": "map", "unknown-kind": "map",
    "counters-without-alike": "pieces", "unknown-class": "pieces",
}  # fmt: skip
_REPORTED_ONCE = ("too-many-pieces",)  # scenarios that share text through overlays would repeat it
_HIDDEN_BY: dict[str, tuple[str, ...]] = {"unknown-place": ("piece-without-place",)}


def filter_root_causes(diagnostics: Sequence[Diagnostic], broken: frozenset[str]) -> list[Diagnostic]:
    """Return the diagnostics, leaving out the mere consequences of other diagnostics or of a broken document.

    `broken`: the kinds of the documents that could not be read.
    """
    codes = {finding.code for finding in diagnostics}
    hidden = {code for first in codes for code in _HIDDEN_BY.get(first, ())}
    root_causes = []
    broken_kinds = {_BREAKS[code] for code in codes if code in _BREAKS}
    reported_once: set[tuple[str, str, int]] = set()
    for finding in diagnostics:
        place = (finding.file, finding.span.start)
        if finding.code in _REPORTED_ONCE and (finding.code, *place) in reported_once:
            continue
        reported_once.add((finding.code, *place))
        causes = _list_causes(finding.code) | _list_causes_of_word(finding)
        is_cause = finding.code in _BREAKS
        if finding.code not in hidden and not causes & broken and (is_cause or not causes & broken_kinds):
            root_causes.append(finding)
    return root_causes


def escalate_skipped_files(sink: Sink) -> None:
    """Turn notes on skipped files into errors if names are unknown, because these files may define the names."""
    if any(
        diagnostic.code.startswith(("unknown-", "no-")) and diagnostic.severity == "error" for diagnostic in sink.items
    ):
        sink.items[:] = [
            replace(diagnostic, severity="error") if diagnostic.code == "passed-over-file" else diagnostic
            for diagnostic in sink.items
        ]


def _list_causes_of_word(finding: Diagnostic) -> set[str]:
    """Return the kinds of document that could declare an unknown name."""
    holes = finding.message.holes if isinstance(finding.message, Message) else {}
    return {"pieces"} if finding.code == "unknown-place" and holes.get("word") == OFF_MAP else set()


def _list_causes(code: str) -> set[str]:
    if code.startswith("unknown-"):
        return set(_DECLARED_IN.get(code.removeprefix("unknown-"), ("ruleset",)))
    return set(_DEPENDENT.get(code, ()))
