"""What a program that takes notes has touched: paragraphs, requirements, table cells.

Filled by compiled code; read by tools. Plays no part in play.
"""

from __future__ import annotations

from typing import Any


class Coverage:
    """`requirements` maps a requirement's address to how often it has refused, and how often it was met."""

    __slots__ = ("paragraphs", "requirements", "cells", "numbers")

    def __init__(self) -> None:
        self.paragraphs: set[str] = set()
        self.requirements: dict[str, list[int]] = {}
        self.cells: dict[str, set[tuple[int, ...]]] = {}
        self.numbers: list[dict[str, Any]] = []

    def cite(self, cites: tuple[str, ...]) -> None:
        """Rules citing these paragraphs ran."""
        self.paragraphs.update(cites)

    def require(self, number: int, result: object) -> object:
        """A requirement was tested; gives the result back."""
        described = self.numbers[number]
        self.requirements.setdefault(described["address"], [0, 0])[bool(result)] += 1
        self.paragraphs.update(described["cites"])
        return result

    def cell(self, table: str, rows: tuple[int, ...]) -> None:
        """A cell was read."""
        self.cells.setdefault(table, set()).add(rows)
