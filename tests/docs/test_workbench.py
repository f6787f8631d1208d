"""The page of the workbench is true: its files are written, its commands run, and they say what it shows."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from interpreter.cli.main import main
from tests.docs import blocks

PAGE = blocks.ROOT / "docs" / "workbench.md"
FIRST_HOUR = blocks.ROOT / "docs" / "author-guide" / "first-hour.md"


def happens(page: Path, folder: Path, monkeypatch, capsys) -> int:
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "stdin", io.StringIO())  # no input: prompts take their defaults

    def said() -> str:
        printed = capsys.readouterr()
        return str(printed.out + printed.err)

    return int(blocks.happens(page, folder, main, said))


def test_workbench_page_commands_print_shown_output(tmp_path: Path, monkeypatch, capsys) -> None:
    assert happens(PAGE, tmp_path / "workshop", monkeypatch, capsys) > 15


def test_first_hour_page_commands_print_shown_output(tmp_path: Path, monkeypatch, capsys) -> None:
    """Follow the page from an empty folder to a game with a spreadsheet chart, cases, two variants and a rulebook."""
    folder = tmp_path / "hour"
    assert happens(FIRST_HOUR, folder, monkeypatch, capsys) > 18
    assert "Cavalry cannot enter woods" in (folder / "book" / "book.html").read_text(encoding="utf-8")
    assert "even odds" in (folder / "stubborn" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("heading", ["diff", "ask", "docs", "profile", "migrate", "replay", "test"])
def test_every_command_has_its_section(heading: str) -> None:
    assert f"`{heading} " in PAGE.read_text(encoding="utf-8")
