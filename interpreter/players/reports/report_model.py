"""What a report is made of: headings, paragraphs, items, tables and figures, before anybody writes them down.

Must not know in which form they are written.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReportHeading:
    """A heading: of the whole (1), of a part (2), of a turn (3), of a phase (4)."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class ReportParagraph:
    """Words that stand alone."""

    text: str


@dataclass(frozen=True, slots=True)
class ReportItem:
    """An item of a list. `is_choice`: what somebody chose; `is_below`: what came of the choice above it."""

    text: str
    is_choice: bool = False
    is_below: bool = False


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table; its columns from `numbers` on hold numbers."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: int


@dataclass(frozen=True, slots=True)
class ReportFigure:
    """A picture: `drawing` is SVG markup that is safe as it stands; `caption` says in words what it shows."""

    drawing: str
    caption: str
    sort: str = ""


Block = ReportHeading | ReportParagraph | ReportItem | ReportTable | ReportFigure
