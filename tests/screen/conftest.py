"""Nothing of the full screen can be tried without what draws it; games lie in a folder of their own."""

from __future__ import annotations

import pytest

from tests.patience import PATIENCE

pytest.importorskip("textual", reason="the extra `screen` is not installed")


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("COLUMNS", "LINES", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def patient_queries(monkeypatch) -> None:
    """Let queries wait for the game as long as it takes: on a busy machine they would be answered with nothing."""
    for name in ("_AT_ONCE", "_PATIENCE"):
        monkeypatch.setattr(f"interpreter.ui.tui.background_tasks.{name}", PATIENCE)
