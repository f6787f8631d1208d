"""Names of what lies between two places: "A/B" and "B/A" mean the same.

Must not know which places there are.
"""

from __future__ import annotations

from collections.abc import Container


def turned_round(name: str) -> str:
    """ "B/A" for "A/B"; any other name as it is."""
    first, parted, second = name.partition("/")
    return f"{second}/{first}" if parted else name


def as_known(name: str, known: Container[str]) -> str:
    """The name in the order in which it is known; as it is where it is not known at all."""
    other = turned_round(name)
    return other if name not in known and other in known else name
