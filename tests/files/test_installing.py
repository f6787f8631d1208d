"""Test how missing libraries are installed: every message gives the same command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.files.installing import build_install_command, get_install_command

ROOT = Path(__file__).resolve().parents[2]


def test_install_command_names_folder_it_was_installed_from() -> None:
    command = get_install_command("board")
    assert re.fullmatch(r'pip install (-e )?"(.+)\[board\]"', command)


@pytest.mark.parametrize(
    "origin, command",
    [
        ({"url": "file:///games/x.whl", "archive_info": {}}, 'pip install "/games/x.whl[png]"'),
        ({"url": "file:///my%20games", "dir_info": {"editable": True}}, 'pip install -e "/my games[png]"'),
        ({"url": "https://e.org/g", "vcs_info": {"vcs": "hg"}}, 'pip install "grognard[png] @ hg+https://e.org/g"'),
        ({"url": "https://e.org/g.zip", "archive_info": {}}, 'pip install "grognard[png] @ https://e.org/g.zip"'),
    ],
)
def test_install_command_goes_back_to_origin(origin: dict[str, object], command: str) -> None:
    assert build_install_command(origin, "png") == command


def test_no_message_writes_install_command_of_its_own() -> None:
    here = ROOT / "interpreter" / "files" / "installing.py"
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sorted((ROOT / "interpreter").rglob("*.py"))
        if path != here
        for line in path.read_text(encoding="utf-8").splitlines()
        if "pip install" in line
    ]
    assert not found, "\n" + "\n".join(found)


def test_documents_install_extras_from_source_folder() -> None:
    """Check that the documents install from source, because the package index has no package of this name."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    assert not [str(page) for page in pages if "pip install 'grognard" in page.read_text(encoding="utf-8")]
