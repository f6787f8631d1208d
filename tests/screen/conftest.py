"""Nothing of the full screen can be tried without what draws it; games lie in a folder of their own."""

from __future__ import annotations

import pytest

pytest.importorskip("textual", reason="the extra `screen` is not installed")


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("COLUMNS", "LINES", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
