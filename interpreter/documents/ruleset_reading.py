"""The door to the documents: from a target to the typed ruleset.

Never raises for what stands in a file; everything wrong goes to the sink.
"""

from __future__ import annotations

from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.building.ruleset_builder import build_ruleset
from interpreter.documents.cascading_errors import real_faults
from interpreter.documents.pipeline import read_trees
from interpreter.model.ruleset import Ruleset


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
