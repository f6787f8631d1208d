"""Run all wargame lints, and drop the findings that the author has suppressed in place with a reason."""

from __future__ import annotations

import re

from interpreter.checker.wargame_lints.cells_beyond_bounds import report_cells_beyond_bounds
from interpreter.checker.wargame_lints.line_gaps import report_line_gaps
from interpreter.checker.wargame_lints.map_connectivity import report_disconnected_places, report_forbidden_placements
from interpreter.checker.wargame_lints.non_monotonic_cells import report_cells_out_of_order
from interpreter.checker.wargame_lints.tautologies import report_tautologies
from interpreter.checker.wargame_lints.unreachable_data import (
    report_missing_last_turns,
    report_unreachable_levels,
    report_unreachable_rungs,
    report_unread_options,
    report_unused_results,
)
from interpreter.checker.wargame_lints.unreachable_rows import report_unreached_rows
from interpreter.diagnostics.diagnostic import Diagnostic, Sink
from interpreter.model.checked_model import CheckedModel

_PERMANENT_LINTS = (report_cells_beyond_bounds,)  # run by every check: they report what can stop a game
_LINTS = (
    *_PERMANENT_LINTS,
    report_cells_out_of_order,
    report_unused_results,
    report_unreached_rows,
    report_disconnected_places,
    report_line_gaps,
    report_forbidden_placements,
    report_unreachable_rungs,
    report_unreachable_levels,
    report_unread_options,
    report_missing_last_turns,
    report_tautologies,
)
_ALLOWED = re.compile(r"#\s*allow ([a-z-]+):\s*\S")


def run_wargame_lints(model: CheckedModel, sink: Sink, always_only: bool = False) -> None:
    """Report all findings as warnings, unless the line or the one above says `# allow CODE: reason`.

    `always_only`: run only the lints that every check runs. For a variant only findings in its own files are reported:
    the rest belongs to its base.
    """
    own = {source.name for source in model.ruleset.changes}
    sink_of_lints = Sink()
    for report in _PERMANENT_LINTS if always_only else _LINTS:
        report(model, sink_of_lints)
    for finding in sink_of_lints.items:
        if model.ruleset.extends is not None and finding.span.file not in own:
            continue
        if not _is_allowed(finding):
            sink.add(finding)


def _is_allowed(diagnostic: Diagnostic) -> bool:
    line = diagnostic.span.line
    lines = (diagnostic.span.source.get_line(line), diagnostic.span.source.get_line(line - 1))
    return any(match[1] == diagnostic.code for text in lines for match in _ALLOWED.finditer(text))
