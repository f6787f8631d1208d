"""A whole turn of each game takes few keys; the pages show it."""

from __future__ import annotations

import pytest

from tests.docs.transcripts import TRANSCRIPTS

MOST = {"denain-1712-few-keys": 240, "napoleon-few-keys": 80}  # half of what single orders take


def typed(name: str) -> list[str]:
    lines = (TRANSCRIPTS / f"{name}.typed").read_text(encoding="utf-8").splitlines()
    return [line for line in lines[1:] if line != "quit"]


@pytest.mark.parametrize("name", MOST)
def test_turn_takes_few_keys(name: str) -> None:
    assert sum(len(line) + 1 for line in typed(name)) <= MOST[name]


@pytest.mark.parametrize("name", MOST)
def test_keys_end_turn_and_none_is_refused(name: str) -> None:
    said = (TRANSCRIPTS / f"{name}.md").read_text(encoding="utf-8")
    assert "=== Turn 2" in said
    assert "matches no option" not in said and "is not possible" not in said


def test_few_keys_page_states_number_of_keys() -> None:
    said = (TRANSCRIPTS / "denain-1712-few-keys.md").read_text(encoding="utf-8")
    assert f" {sum(len(line) + 1 for line in typed('denain-1712-few-keys'))} keys" in said
