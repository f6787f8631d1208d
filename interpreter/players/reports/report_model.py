"""Report model: headings, paragraphs, items, tables and figures, independent of the output format."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReportHeading:
    """A heading: of the whole (1), of a part (2), of a turn (3), of a phase (4)."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class ReportParagraph:
    """A paragraph of text."""

    text: str


@dataclass(frozen=True, slots=True)
class ReportItem:
    """An item of a list. `is_choice`: a player's choice; `is_below`: a result of the choice above it."""

    text: str
    citations: tuple[str, ...] = ()
    is_choice: bool = False
    is_below: bool = False


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table; its columns from index `numbers` on are numeric."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: int


@dataclass(frozen=True, slots=True)
class ReportFigure:
    """A picture: `drawing` is safe SVG markup; `caption` describes what it shows; `sort`: its CSS class or ''."""

    drawing: str
    caption: str
    sort: str = ""


Block = ReportHeading | ReportParagraph | ReportItem | ReportTable | ReportFigure
