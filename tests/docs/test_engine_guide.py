"""The Python sessions of the engine guide are true."""

from __future__ import annotations

import doctest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_sessions_of_engine_guide_run() -> None:
    result = doctest.testfile(
        str(ROOT / "docs" / "engine.md"),
        module_relative=False,
        optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE,
    )
    assert result.attempted > 15
    assert result.failed == 0
