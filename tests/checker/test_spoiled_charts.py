"""Test that a chart with an invalid axis is reported at its place, and not again by the rules that read it."""

from __future__ import annotations

from pathlib import Path

from interpreter.api.loading import read_model
from interpreter.diagnostics.diagnostic import Sink
from tests.tiny import write

RULES = """
    procedure run(a: army):
        if shots has [a.score, a.spirit]: report note(shots[a.score, a.spirit])
"""
CHART = """
    kind: tables
    format: 1
    tables:
      shots:
        axes: {total: {bands: ["..0", "%s.."]}, spirit: spirit}
        gives: int
        cells:
          "..0": {broken: 0, steady: 1, proud: 2}
          "%s..": {broken: 1, steady: 2, proud: 3}
"""


def codes(folder: Path, begin: str) -> list[str]:
    sink = Sink()
    read_model(str(write(folder, RULES, {"tables.yaml": CHART % (begin, begin)})), sink)
    return [d.code for d in sink.list_sorted() if d.severity == "error"]


def test_gap_between_bands_is_only_error(tmp_path: Path) -> None:
    assert codes(tmp_path / "whole", "1") == []
    assert codes(tmp_path / "spoiled", "3") == ["band-gap"]
