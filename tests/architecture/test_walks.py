"""An ordinary question leads through few modules: see `walks` for what is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture.walks import WALKS

# Modules on the call stacks of each walk; a change that needs more should say why.
MOST = {"chart cell": 20, "requirement": 16, "click": 13}


@pytest.mark.parametrize("name", WALKS)
def test_walk_leads_through_few_modules(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "click":
        pytest.importorskip("starlette", reason="the extra `board` is not installed")
    for variable in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    walk = WALKS[name](tmp_path)
    assert not walk.missed
    assert len(walk.modules) <= MOST[name], walk.modules
