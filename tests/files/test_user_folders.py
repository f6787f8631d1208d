"""Folders of the user: a test run has its own, so that it neither reads nor changes the user's games."""

from __future__ import annotations

import pytest

from interpreter.files.ruleset_locations import find_user_folder


def test_data_folder_of_test_run_is_not_folder_of_user(monkeypatch: pytest.MonkeyPatch) -> None:
    own = find_user_folder("data")
    monkeypatch.delenv("XDG_DATA_HOME")
    assert own is not None and own != find_user_folder("data")
