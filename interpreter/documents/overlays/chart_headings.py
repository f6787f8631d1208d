"""The headings of a chart's last axis, by which a variant names the cells of a row that is written as a list.

Must not report anything: faults of axes are told when the chart is built.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from interpreter.documents.overlays.merging import Headings
from interpreter.documents.reading.containers import Path, charts_depth
from interpreter.documents.reading.tree import Branch
from interpreter.documents.values.axes import read_axis
from interpreter.documents.values.context import Context
from interpreter.documents.values.names import collect_names
from interpreter.source.diagnostic import Sink

_CHARTS = {"tables": "tables", "activation": "orders"}


def chart_headings(kinds: Mapping[str, Branch], section: str) -> Headings:
    """For the way to a row: the headings of the last axis; () where no row lies at its end."""
    context = cache(lambda: Context(kinds, collect_names(kinds, Sink()), ("en",), Sink()))

    def headings(path: Path) -> tuple[str, ...]:
        axes = list(kinds[section].branch(_CHARTS[section]).branch(path[1]).branch("axes"))
        if charts_depth(section, path) != len(axes) - 1:
            return ()
        plan = read_axis(axes[-1], context())
        return plan.axis.labels if plan else ()

    return headings
