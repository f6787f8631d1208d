"""Coverage of a ruleset: the paragraphs, requirements and table cells a run has touched.

Filled by instrumented compiled code and read by tools; it does not affect play.
"""

from __future__ import annotations

from interpreter.runtime.program_info import RequirementInfo


class Coverage:
    """Record of the rules and table cells that a run has used.

    `paragraphs`: the paragraphs cited by rules that ran. `requirements`: [times refused, times met] by the address of
    the requirement. `cells`: row indices read, by table. `numbers`: the requirements by number.
    """

    __slots__ = ("paragraphs", "requirements", "cells", "numbers")

    def __init__(self) -> None:
        self.paragraphs: set[str] = set()
        self.requirements: dict[str, list[int]] = {}
        self.cells: dict[str, set[tuple[int, ...]]] = {}
        self.numbers: list[RequirementInfo] = []

    def cite(self, cites: tuple[str, ...]) -> None:
        """Record that rules citing these paragraphs ran."""
        self.paragraphs.update(cites)

    def require(self, number: int, result: object) -> object:
        """Record whether requirement `number` was met, and return `result`."""
        described = self.numbers[number]
        self.requirements.setdefault(described.address, [0, 0])[bool(result)] += 1
        self.paragraphs.update(described.cites)
        return result

    def record_cell(self, table: str, rows: tuple[int, ...]) -> None:
        """Record that the cell of a table at these row indices, one for each axis, was read."""
        self.cells.setdefault(table, set()).add(rows)
