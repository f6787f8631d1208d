"""Chains of links on a map: lines of consecutive places, and hubs joined to many places.

Determines which pairs of places each chain joins, and which of these are new links.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from itertools import pairwise

from interpreter.diagnostics.edge_names import normalize_edge_name
from interpreter.diagnostics.source_text import Span
from interpreter.documents.geography.grid import GridPlan
from interpreter.documents.geography.place_lists import list_places
from interpreter.documents.reading.tree import MappingEntry, MappingNode, ScalarNode, fields


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


def chained_pairs(map_: MappingNode, plan: GridPlan | None) -> list[ChainLink]:
    """Return the pairs of places that the chains of a map join, in the order of the document.

    `plan`: the grid, which determines the spaces of a range.
    """
    pairs: list[ChainLink] = []
    for chain in map_.branch("links").branch("chains"):
        tree = fields(chain)
        line = list_places(tree.items("places"), plan, in_line=True)
        pairs += [ChainLink(a, b, chain, span) for (a, _), (b, span) in pairwise(line)]
        to = tree.get("to")
        if isinstance(to, ScalarNode) and to.value is not None:
            pairs += [ChainLink(a, to.text, chain, span) for a, span in list_places(tree.items("from"), plan)]
    return pairs


def new_links(map_: MappingNode, plan: GridPlan | None, places: Container[str]) -> list[str]:
    """Return the ids of the new links of chains: pairs not linked otherwise and not both on the grid."""
    members = map_.branch("links").branch("members")
    between = [[n.text for n in fields(m).words("between")] for m in members]
    existing = {f"{x[0]}/{x[1]}" for x in between if len(x) == 2}
    on_grid = {s.id for s in plan.spaces} if plan else set()
    ids: dict[str, None] = {}
    for pair in chained_pairs(map_, plan):
        is_linkable = pair.first in places and pair.second in places and pair.first != pair.second
        if is_linkable and not (pair.first in on_grid and pair.second in on_grid):
            name = normalize_edge_name(normalize_edge_name(pair.name, existing), ids)
            if name not in existing:
                ids[name] = None
    return list(ids)
