"""Entry point of document reading: from a target to the typed ruleset.

Faults in files never raise; they are reported to the sink.
"""

from __future__ import annotations

from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.building.ruleset_builder import build_ruleset
from interpreter.documents.cascading_errors import filter_root_causes
from interpreter.documents.pipeline import read_trees
from interpreter.model.ruleset import Ruleset


def load_documents(target: str, sink: Sink) -> Ruleset | None:
    """Load the ruleset of a shipped id, a folder or a variant file.

    Returns None if a document cannot be read or has the wrong form. With other faults (all in `sink`) the ruleset is
    returned for further checks; play requires that `sink.has_errors` is false.
    """
    trees = read_trees(target, sink)
    if trees is None:
        return None
    later = Sink()
    ruleset = build_ruleset(trees, later)
    root_causes = filter_root_causes(later.items, trees.broken)
    places = {(finding.file, finding.span.start) for finding in root_causes}
    sink.items[:] = [x for x in sink.items if x.code != "bad-text" or (x.file, x.span.start) not in places]
    for finding in root_causes:  # the reader of a text describes its fault better than the schema does
        sink.add(finding)
    return None if trees.broken else ruleset
