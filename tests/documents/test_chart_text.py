"""Charts written as text in the shape in which they are printed: the same charts, and faults at their words."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.diagnostics.diagnostic import Diagnostic, Sink
from interpreter.documents.building.ruleset_builder import read_documents
from interpreter.model.ruleset import Table
from tests.tiny import write

HEAD = """\
kind: tables
format: 1
tables:
  crt:
    axes: {row: {one_of: [far, near]}, die: die}
    gives: {parts: {DR: back, AR: forth}}
"""
PRINTED = """\
    cells: |
      row  |  1   2   3   4   5   6
      -----+------------------------
      far  |  -   -   -   -   -   DR    # far is safe
      near |  -   -   AR  AR  DR  DR
"""
LISTED = """\
    cells: {far: ["-", "-", "-", "-", "-", DR], near: ["-", "-", AR, AR, DR, DR]}
"""


def read(tmp_path: Path, text: str, **files: str) -> tuple[dict[str, Table], tuple[Diagnostic, ...]]:
    folder = write(tmp_path, "define x = 1\n", {"crt.yaml": text, **files})
    sink = Sink()
    ruleset = read_documents(str(folder), sink)
    return (dict(ruleset.tables) if ruleset else {}), sink.list_sorted()


def one(tmp_path: Path, head: str, cells: str) -> Table:
    tables, found = read(tmp_path, head + cells)
    assert not found, found
    return next(iter(tables.values()))


def test_printed_chart_is_chart_that_lists_would_give(tmp_path: Path) -> None:
    printed, listed = one(tmp_path / "a", HEAD, PRINTED), one(tmp_path / "b", HEAD, LISTED)
    assert printed.cells == listed.cells and len(printed.cells) == 12
    span = printed.cell_spans[(1, 2)]
    assert span.source.text[span.start : span.end] == "AR" and (span.line, span.column) == (11, 23)


@pytest.mark.parametrize(
    ("head", "text", "listed"),
    [
        (
            "axes: {die: die}\n    gives: int",
            "      die   1 2 3 4 5 6\n      hits  0 0 0 1 1 2\n",
            "[0, 0, 0, 1, 1, 2]",
        ),
        ("axes: {die: die}\n    gives: int", "      1 2 3 4 5 6\n      0 0 0 1 1 2\n", "[0, 0, 0, 1, 1, 2]"),
        (
            'axes: {n: {bands: ["..2", "above 2 to 5"]}}\n    gives: number',
            '      ..2             1/2\n      "above 2 to 5"  3\n',
            '{"..2": "1/2", "above 2 to 5": 3}',
        ),
        (
            "axes: {row: {one_of: [far, near]}}\n    gives: {hits: int, back: flag}",
            "      row   hits  back\n      far   0     false\n      near  2     true\n",
            "{far: {hits: 0, back: false}, near: {hits: 2, back: true}}",
        ),
        (
            "axes: {row: {one_of: [far, near]}, n: {range: 1..2}}\n    gives: {list_of: int}",
            "      row   1    2\n      far   1,2  []\n      near  3    1,2,3\n",
            "{far: [[1, 2], []], near: [[3], [1, 2, 3]]}",
        ),
        (
            "axes: {s: {one_of: [a, b]}, row: {one_of: [far, near]}, n: {range: 1..2}}\n    gives: int",
            "      s row   1 2\n      a far   1 2\n      a near  3 4\n      b far   5 6\n      b near  7 8\n",
            "{a: {far: [1, 2], near: [3, 4]}, b: {far: [5, 6], near: [7, 8]}}",
        ),
        (
            "axes: {row: {one_of: [far, near]}, n: {range: 1..2}}\n    gives: int\n    blanks: true",
            "      .     1  2\n      far   1  .\n      near  .  2\n",
            "{far: {1: 1}, near: {2: 2}}",
        ),
    ],
)
def test_every_shape_of_chart_can_be_printed(tmp_path: Path, head: str, text: str, listed: str) -> None:
    head = f"kind: tables\nformat: 1\ntables:\n  crt:\n    {head}\n"
    printed = one(tmp_path / "a", head, f"    cells: |\n{text}")
    assert printed.cells and printed.cells == one(tmp_path / "b", head, f"    cells: {listed}\n").cells


def test_sheets_of_chart_may_be_printed_one_by_one(tmp_path: Path) -> None:
    head = HEAD.replace("axes: {row", "axes: {s: {one_of: [a, b]}, row")
    inner = PRINTED.replace("    cells: |\n", "").replace("      ", "        ")
    cells = f"    cells:\n      a: |\n{inner}      b:\n        far: [DR, DR, DR, DR, DR, DR]\n"
    cells += "        near: [DR, DR, DR, DR, DR, DR]\n"
    table = one(tmp_path, head, cells)
    assert len(table.cells) == 24 and table.cells[(0, 1, 2)] == (("forth", 0),)


@pytest.mark.parametrize(
    ("old", "new", "code", "place", "told"),
    [
        ("-   DR    #", "-   XX    #", "unreadable-result", (10, 35), "`XX`"),
        ("far  |  -  ", "far  |     ", "wrong-row-count", (10, 7), "has 5 cells, expected 6"),
        ("DR  DR", "DR  DR DR", "wrong-row-count", (11, 38), "has 7 cells, expected 6"),
        ("near |", "neer |", "unknown-row", (11, 7), "no row `neer`"),
        ("near |", "far |", "duplicate-key", (11, 7), "`far`"),
        ("1   2   3", "1   1   3", "duplicate-key", (8, 19), "`1`"),
        ("1   2   3   4   5   6", "1   2   3   4", "wrong-row-count", (8, 7), ""),
        ("far  |  -  ", "far  |  .  ", "missing-row", (10, 15), "is empty"),
        ("cells: |", "cells: >", "wrong-type", (7, 12), "begins with `|`"),
    ],
)
def test_fault_is_reported_once_and_at_its_word(
    tmp_path: Path, old: str, new: str, code: str, place: tuple[int, int], told: str
) -> None:
    assert old in PRINTED
    _tables, found = read(tmp_path, HEAD + PRINTED.replace(old, new, 1))
    assert (found[0].code, found[0].line, found[0].column) == (code, *place) or (
        (code, *place) in [(d.code, d.line, d.column) for d in found]
    )
    assert any(told in d.message for d in found)
    assert code == "duplicate-key" or len(found) == 1, found


def test_variant_may_print_cells_that_differ(tmp_path: Path) -> None:
    variant = """\
kind: variant
format: 1
id: hot
title: Hot
extends: ..
tables:
  tables:
    crt:
      cells: |
        row   2   3
        near  DR  DR
"""
    folder = write(tmp_path, "define x = 1\n", {"crt.yaml": HEAD + PRINTED, "variants/hot.yaml": variant})
    sink = Sink()
    ruleset = read_documents(str(folder / "variants" / "hot.yaml"), sink)
    assert ruleset is not None and not sink.items
    cells = ruleset.tables["crt"].cells
    assert [cells[(1, n)] for n in range(6)] == [(), *[(("back", 0),)] * 2, (("forth", 0),), *[(("back", 0),)] * 2]


@pytest.mark.parametrize(
    ("old", "new", "cure"),
    [
        ("-   DR\n", "—   DR\n", "write `-`"),
        ("-   DR\n", "－   DR\n", "write `-`"),
        ("-   DR\n", "-   ＤR\n", "write `DR`"),
        ("    cells: |", "    cells:", "write `|`"),
        ("row  |  1   2   3 ", "row  |  1-1   1-2   3 ", ""),
    ],
)
def test_lookalike_cell_is_reported_once_with_hint(tmp_path: Path, old: str, new: str, cure: str) -> None:
    printed = PRINTED.replace("    # far is safe", "")
    assert old in printed
    _tables, found = read(tmp_path, HEAD + printed.replace(old, new, 1))
    assert found and all(cure in str(d.help) for d in found), found
    assert len(found) == (1 if cure else 2), "one for each word that is wrong, and none that follows from it"
