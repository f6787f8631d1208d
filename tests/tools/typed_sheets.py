"""A ruleset with charts of every form, and ways to bring sheets of cells into it as people type them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.main import main
from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.building.ruleset_builder import read_documents
from tests.tiny import write

CHARTS = """\
kind: tables
format: 1
tables:
  odds:
    name: Combat results
    axes: {odds: {ratio: ["1-3", "1-1", "3-2"], round: down, below: clamp, above: clamp}, die: {range: 1..3}}
    gives: {parts: {DR: back, n: {loss: int}}}
    cells:
      1-3: ["-", "-", DR]
      1-1: ["-", DR, 1DR]
      3-2: [DR, 1DR, 2DR]
  printed:
    axes: {row: {one_of: [far, near, beside]}, n: {range: 1..3}}
    gives: int
    blanks: true
    cells:
      far: {1: 0, 2: 4, 3: -1}
      near: {1: 1, 2: 10, 3: 2}
      beside: {1: 7}
  losses:
    axes: {die: {range: 1..4}}
    gives: text
    cells: ["0-1", "1-1", "1-2", "2-2"]
  clock:
    axes: {turn: {range: 1..2}}
    gives: text
    cells: ["8:00", "noon"]
  flags:
    axes: {row: {one_of: [far, near]}, n: {range: 1..2}}
    gives: flag
    cells: {far: [true, false], near: [false, false]}
  costs:
    axes: {row: {one_of: [far, near]}, n: {range: 1..2}}
    gives: number
    cells: {far: [1, "1/2"], near: ["1/3", 2]}
  bands:
    axes: {n: {bands: ["..1", "2..5", "6..14", "15.."]}, row: {one_of: [far, near]}}
    gives: int
    cells:
      "..1": [1, 2]
      2..5: [3, 4]
      6..14: [5, 6]
      15..: [7, 8]
  ground:
    axes: {who: {one_of: [us, them]}, row: {one_of: [far, near]}, n: {range: 1..2}}
    gives: int
    cells:
      us: {far: [1, 2], near: [3, 4]}
      them: {far: [5, 6], near: [7, 8]}
  supply:
    axes: {row: {one_of: [far, near]}}
    gives: {gain: int, limit: {maybe: int}}
    blanks: true
    cells: {far: {gain: 1, limit: 4}, near: {gain: 2, limit: 5}}
"""
ODDS = "odds,1,2,3\n1:3,-,-,DR\n1:1,-,DR,1DR\n3:2,DR,1DR,2DR\n"
Rows = Sequence[Sequence[Any]]


Typed = Callable[..., tuple[int, str]]


def write_charts(root: Path) -> Path:
    """Write the ruleset; return its folder."""
    return write(root, "define x = 1\n", {"charts.yaml": CHARTS})


def typist(folder: Path, root: Path, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Return a function that imports a CSV text (or a file) into a chart: the exit code and all that was said."""

    def done(name: str, content: str | bytes | Path, *flags: str) -> tuple[int, str]:
        path = content if isinstance(content, Path) else root / "s.csv"
        if not isinstance(content, Path):
            path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        capsys.readouterr()
        code = main(["table", "import", str(folder), name, str(path), *flags])
        out, err = capsys.readouterr()
        return code, out + err

    return done


def book(path: Path, sheets: dict[str, Rows], formats: dict[str, str] | None = None) -> Path:
    """Write sheets of cells into a book."""
    library = pytest.importorskip("openpyxl")
    made = library.Workbook()
    made.remove(made.active)
    for title, rows in sheets.items():
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(row)
        for place, form in (formats or {}).items():
            sheet[place].number_format = form
    made.save(path)
    return path


def cells(folder: Path, name: str) -> dict[tuple[int, ...], Any]:
    ruleset = read_documents(str(folder), Sink())
    assert ruleset is not None
    return dict(ruleset.tables[name].cells)


def unchanged(folder: Path) -> bool:
    return (folder / "charts.yaml").read_text(encoding="utf-8") == CHARTS
