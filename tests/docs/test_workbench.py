"""The page of the workbench is true: its files are written, its commands run, and they say what it shows."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from interpreter.cli.main import main

_spec = importlib.util.spec_from_file_location("workbench_blocks", Path(__file__).with_name("blocks.py"))
assert _spec is not None and _spec.loader is not None
blocks = importlib.util.module_from_spec(_spec)
sys.modules["workbench_blocks"] = blocks
_spec.loader.exec_module(blocks)

PAGE = blocks.ROOT / "docs" / "workbench.md"


def test_everything_on_the_page_happens_as_it_says(tmp_path: Path, monkeypatch, capsys) -> None:
    """In order, in one folder: what one block writes the next one uses. `exit=1` on a fence: how its commands end."""
    folder = tmp_path / "workshop"
    folder.mkdir()
    monkeypatch.chdir(folder)
    ran = 0
    for block in blocks.blocks_of(PAGE):
        if "file" in block.values:
            blocks.write(block, folder)
        elif block.language == "console":
            for words, shown in blocks.commands(block):
                assert words[0] == "grognard", f"{block.name}: {words}"
                code = main(words[1:])
                printed = capsys.readouterr()
                wrong = blocks.difference(shown, printed.out + printed.err)
                assert not wrong, f"{block.name}: {' '.join(words)}: {wrong}"
                assert code == int(block.values.get("exit", 0)), f"{block.name}: {' '.join(words)}"
                ran += 1
    assert ran >= 1


@pytest.mark.parametrize("heading", ["diff"])
def test_every_command_has_its_section(heading: str) -> None:
    assert f"`{heading} " in PAGE.read_text(encoding="utf-8")
