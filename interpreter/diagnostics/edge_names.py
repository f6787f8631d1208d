"""Names of edges between two places: "A/B" and "B/A" are equal.

The set of places is unknown here.
"""

from __future__ import annotations

from collections.abc import Container


def reverse_edge_name(name: str) -> str:
    """Return "B/A" for "A/B", and any other name unchanged."""
    first, parted, second = name.partition("/")
    return f"{second}/{first}" if parted else name


def normalize_edge_name(name: str, names: Container[str]) -> str:
    """Return an edge's name with its two places in the order in which `names` has it.

    Returns `name` unchanged if `names` has neither order.
    """
    reversed_name = reverse_edge_name(name)
    return reversed_name if name not in names and reversed_name in names else name
