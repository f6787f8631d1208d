"""Lists of places as documents write them: ids, and ranges of grid spaces such as "0203..0207"."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.diagnostics.source_text import Span
from interpreter.documents.geography.grid import GridPlan, Space
from interpreter.documents.reading.tree import Node, ScalarNode

Listed = tuple[str, Span]  # place id, span


def list_places(nodes: Sequence[Node], plan: GridPlan | None, in_line: bool = False) -> list[Listed]:
    """Return (place, span) for each listed place in order; a range that cannot be read counts as the name of one place.

    A range covers all spaces between two corners. `in_line`: it must lie in one row or column, and its spaces are
    ordered from first to last.
    """
    listed: list[Listed] = []
    for node in nodes:
        if isinstance(node, ScalarNode) and node.value is not None:
            spaces = _parse_range(node.text, plan, in_line)
            listed += [(s, node.span) for s in spaces] if spaces is not None else [(node.text, node.span)]
    return listed


def _parse_range(text: str, plan: GridPlan | None, in_line: bool) -> list[str] | None:
    """Return the spaces of a range, or None if the text is not a range.

    `in_line`: it must lie in one row or column.
    """
    first, dots, last = text.partition("..")
    if not dots or plan is None:
        return None
    by_id = {space.id: space for space in plan.spaces}
    a, b = by_id.get(first.strip()), by_id.get(last.strip())
    if a is None or b is None or in_line and a.column != b.column and a.row != b.row:
        return None
    spaces = [s for s in plan.spaces if _spaces_inside(s, a, b)]
    backwards = (b.column, b.row) < (a.column, a.row)
    spaces.sort(key=lambda s: (s.column, s.row), reverse=in_line and backwards)
    return [s.id for s in spaces]


def _spaces_inside(space: Space, a: Space, b: Space) -> bool:
    columns, rows = sorted((a.column, b.column)), sorted((a.row, b.row))
    return columns[0] <= space.column <= columns[1] and rows[0] <= space.row <= rows[1]
