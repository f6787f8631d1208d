"""Lists of places as documents write them, and the chains of links on a map made of such lists.

A list holds ids and ranges of grid spaces such as "0203..0207". A chain is a line of consecutive places, or a hub
joined to many places. `list_chained_pairs` lists the pairs that chains join, `list_new_links` those that are new links.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import pairwise

from interpreter.diagnostics.edge_names import normalize_edge_name
from interpreter.diagnostics.source_text import Span
from interpreter.documents.geography.grid import GridPlan, Space
from interpreter.documents.reading.tree import MappingEntry, MappingNode, Node, ScalarNode, get_entry_mapping

_Listed = tuple[str, Span]  # place id, span


@dataclass(frozen=True, slots=True)
class ChainLink:
    """Two places, `first` and `second`, that the entry `chain` joins; `span`: the position that names the second."""

    first: str
    second: str
    chain: MappingEntry
    span: Span

    @property
    def name(self) -> str:
        """Return the id of a new link between the two places."""
        return f"{self.first}/{self.second}"


def list_chained_pairs(map_: MappingNode, plan: GridPlan | None) -> list[ChainLink]:
    """Return the pairs of places that the chains of a map join, in the order of the document.

    `plan`: the grid, which determines the spaces of a range.
    """
    pairs: list[ChainLink] = []
    for chain in map_.get_mapping("links").get_mapping("chains"):
        tree = get_entry_mapping(chain)
        line = list_places(tree.list_nodes("places"), plan, in_line=True)
        pairs += [ChainLink(a, b, chain, span) for (a, _), (b, span) in pairwise(line)]
        to = tree.get("to")
        if isinstance(to, ScalarNode) and to.value is not None:
            pairs += [ChainLink(a, to.text, chain, span) for a, span in list_places(tree.list_nodes("from"), plan)]
    return pairs


def list_new_links(map_: MappingNode, plan: GridPlan | None, places: Container[str]) -> list[str]:
    """Return the ids of the new links of chains: pairs not linked otherwise and not both on the grid."""
    members = map_.get_mapping("links").get_mapping("members")
    between = [[n.text for n in get_entry_mapping(m).list_scalars("between")] for m in members]
    existing = {f"{x[0]}/{x[1]}" for x in between if len(x) == 2}
    on_grid = {s.id for s in plan.spaces} if plan else set()
    ids: dict[str, None] = {}
    for pair in list_chained_pairs(map_, plan):
        is_linkable = pair.first in places and pair.second in places and pair.first != pair.second
        if is_linkable and not (pair.first in on_grid and pair.second in on_grid):
            name = normalize_edge_name(normalize_edge_name(pair.name, existing), ids)
            if name not in existing:
                ids[name] = None
    return list(ids)


def list_places(nodes: Sequence[Node], plan: GridPlan | None, in_line: bool = False) -> list[_Listed]:
    """Return (place, span) for each listed place in order; a range that cannot be read counts as the name of one place.

    A range covers all spaces between two corners. `in_line`: it must lie in one row or column, and its spaces are
    ordered from first to last.
    """
    listed: list[_Listed] = []
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
    spaces = [s for s in plan.spaces if _is_inside(s, a, b)]
    backwards = (b.column, b.row) < (a.column, a.row)
    spaces.sort(key=lambda s: (s.column, s.row), reverse=in_line and backwards)
    return [s.id for s in spaces]


def _is_inside(space: Space, a: Space, b: Space) -> bool:
    """Return whether a space lies in the rectangle with the corners `a` and `b`."""
    columns, rows = sorted((a.column, b.column)), sorted((a.row, b.row))
    return columns[0] <= space.column <= columns[1] and rows[0] <= space.row <= rows[1]
