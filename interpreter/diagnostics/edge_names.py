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
    """Return the name with its places in the known order; unchanged if neither order is known."""
    other = reverse_edge_name(name)
    return other if name not in names and other in names else name
