"""Python's collector rests while a ruleset is read, and is left as it was found."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from interpreter.api.game import check, load
from interpreter.api.loading import disable_gc
from interpreter.diagnostics.diagnostic import RulesetError
from tests.tiny import write


def test_garbage_collector_is_disabled_only_inside_context() -> None:
    assert gc.isenabled()
    with disable_gc():
        assert not gc.isenabled()
        with disable_gc():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_garbage_collector_is_enabled_after_fault(tmp_path: Path) -> None:
    with pytest.raises(RulesetError):
        load(tmp_path / "nosuch")
    assert gc.isenabled()


def test_disabled_collector_stays_disabled(tmp_path: Path) -> None:
    gc.disable()
    try:
        check(write(tmp_path, ""))
        assert not gc.isenabled()
    finally:
        gc.enable()
