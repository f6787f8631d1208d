"""The guide's page of limits gives the figures that hold."""

from __future__ import annotations

import re
from dataclasses import astuple
from pathlib import Path

from interpreter.runtime.limits import LIMITS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "author-guide" / "limits.md"


def test_limits_page_names_every_limit() -> None:
    rows = re.findall(r"^\|[^|]*\|\s*([\d,]+)[^|]*\|", PAGE.read_text(encoding="utf-8"), re.M)
    assert sorted(int(row.replace(",", "")) for row in rows) == sorted(astuple(LIMITS))
