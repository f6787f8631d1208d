"""Files put in place for good, and names whose letters are stored in two ways."""

from __future__ import annotations

import os
import time
from pathlib import Path
from unicodedata import normalize

import pytest

import interpreter
from interpreter.files import durable
from interpreter.files.file_names import resolve_spelling
from interpreter.files.safe_read import write_atomically
from interpreter.saves.journal import JournalWriter, read_journal, write_journal
from tests.saves.test_journal import ENTRIES, HEADER


@pytest.fixture
def held_for(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Refuse the first attempts to replace a file, as Windows does while another program holds it."""
    left = [3]
    replace = os.replace

    def refuse(part: Path, target: Path) -> None:
        if left[0]:
            left[0] -= 1
            raise PermissionError(13, "it is being used by another process")
        replace(part, target)

    monkeypatch.setattr(durable, "_WAITS_FOR_OTHERS", True)
    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)
    return left


def test_replace_waits_for_another_program(tmp_path: Path, held_for: list[int]) -> None:
    write_atomically(tmp_path / "a", b"1")
    assert held_for == [0]
    assert (tmp_path / "a").read_bytes() == b"1"


def test_whole_journal_waits_for_another_program(tmp_path: Path, held_for: list[int]) -> None:
    write_journal(tmp_path / "j", HEADER, ENTRIES)
    assert read_journal(tmp_path / "j").entries == ENTRIES
    assert [path.name for path in tmp_path.iterdir()] == ["j"]


def test_replace_gives_up_and_leaves_no_temporary_file(tmp_path: Path, held_for: list[int]) -> None:
    held_for[0] = 1000
    with pytest.raises(PermissionError):
        write_atomically(tmp_path / "a", b"1")
    assert list(tmp_path.iterdir()) == []


def test_replace_does_not_wait_where_refusal_is_final(tmp_path: Path, held_for: list[int], monkeypatch) -> None:
    monkeypatch.setattr(durable, "_WAITS_FOR_OTHERS", False)
    with pytest.raises(PermissionError):
        write_atomically(tmp_path / "a", b"1")
    assert held_for == [2]


def test_new_journal_syncs_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.readlink(f"/proc/self/fd/{handle}")))
    with JournalWriter(tmp_path / "new.journal") as writer:
        writer.start(HEADER)
        assert synced == [str(tmp_path / "new.journal"), str(tmp_path)]
    synced.clear()
    write_journal(tmp_path / "whole.journal", HEADER, ENTRIES)
    assert synced[-1] == str(tmp_path)


def test_unreadable_folder_is_ignored(tmp_path: Path) -> None:
    durable.sync_folder(tmp_path / "none")
    assert list(tmp_path.iterdir()) == []


def test_page_has_same_bytes_on_every_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "linesep", "\r\n")
    durable.write_text_file(tmp_path / "page.html", "é\nb\n")
    assert (tmp_path / "page.html").read_bytes() == "é\nb\n".encode()


def test_commands_write_their_files_with_one_sort_of_line_end() -> None:
    """Check that every call that opens a file for writing text states its line ends."""
    package = Path(interpreter.__file__).parent
    for path in sorted(package.rglob("*.py")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if ".write_text(" in line or ("open(" in line and ', "w",' in line):
                assert r'newline="\n"' in line, f"{path}:{number}"


# --- letters that are stored in two ways ----------------------------------------------------------

COMPOSED, DECOMPOSED = normalize("NFC", "köln.yaml"), normalize("NFD", "köln.yaml")


@pytest.mark.parametrize(("stored", "asked"), [(COMPOSED, DECOMPOSED), (DECOMPOSED, COMPOSED)], ids=["NFD", "NFC"])
def test_stored_path_finds_other_form(tmp_path: Path, stored: str, asked: str) -> None:
    (tmp_path / "ä" / "b").mkdir(parents=True)
    (tmp_path / "ä" / "b" / stored).touch()
    asked_whole = tmp_path / normalize("NFD", "ä") / "b" / asked
    assert resolve_spelling(asked_whole) == tmp_path / "ä" / "b" / stored
    assert resolve_spelling(asked_whole.with_name("nö.yaml")) == asked_whole.with_name("nö.yaml")
    assert resolve_spelling(tmp_path / "ascii") == tmp_path / "ascii"


@pytest.mark.parametrize(("stored", "asked"), [(COMPOSED, DECOMPOSED), (DECOMPOSED, COMPOSED)], ids=["NFD", "NFC"])
def test_variant_finds_its_base_by_other_form(tmp_path: Path, stored: str, asked: str) -> None:
    base = Path(__file__).resolve().parents[1] / "tools" / "games" / "skirmish"
    head = "kind: variant\nformat: 2\ntitle: T\n"
    (tmp_path / stored).write_text(f"{head}id: middle\nextends: {os.path.relpath(base, tmp_path)}\n", encoding="utf-8")
    (tmp_path / "top.yaml").write_text(f"{head}id: top\nextends: {asked}\n", encoding="utf-8")
    assert interpreter.load(tmp_path / "top.yaml").id == "top"
    assert interpreter.load(tmp_path / asked).id == "middle"
    scenario = f"kind: scenario\nformat: 2\nid: own\ntitle: T\ndefault: true\nruleset: {asked}\n"
    (tmp_path / "own.yaml").write_text(scenario, encoding="utf-8")
    assert "own" in {x["id"] for x in interpreter.load(tmp_path / "own.yaml").program.data["scenarios"]}
