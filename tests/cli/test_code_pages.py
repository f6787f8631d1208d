"""Documents on any code page: what a command writes into a file is read again, what is fed to it is understood."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.terminal_text import strip_byte_order_mark
from interpreter.documents.reading.folder import decode
from interpreter.ui.repl.terminal import Terminal
from tests.patience import PATIENCE

from .conftest import ROOT

PAGES = ("cp1252", "cp437", "cp932", "ascii", "utf-16", "utf-8")
WIDE = "Gefecht bei Königsgrätz 東京"


def run(folder: Path, page: str, *arguments: str, fed: bytes = b"", into: Path | None = None) -> bytes:
    """Run a command on a code page with its output in a pipe or a file. Return what it wrote."""
    around = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": page, "XDG_DATA_HOME": str(folder / "data")}
    command = [sys.executable, "-m", "interpreter", *arguments]
    if into is None:
        done = subprocess.run(command, env=around, input=fed, capture_output=True, timeout=PATIENCE)
        written = done.stdout
    else:
        with into.open("wb") as out:
            done = subprocess.run(command, env=around, input=fed, stdout=out, stderr=subprocess.PIPE, timeout=PATIENCE)
        written = into.read_bytes()
    assert b"Traceback" not in done.stderr and b"bug in grognard" not in done.stderr, done.stderr
    assert done.returncode == 0, done.stderr
    return written


@pytest.fixture
def wide_ruleset(tiny: Path) -> Path:
    """Return the tiny ruleset, to be translated into Japanese, with letters that no single code page holds."""
    rules = tiny / "play.rules"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("the fog hides {goal}", WIDE + " {goal}"), encoding="utf-8")
    return tiny


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("is_file", [True, False])
def test_texts_to_translate_are_written_in_utf8_on_any_code_page(
    wide_ruleset: Path, tmp_path: Path, page: str, is_file: bool
) -> None:
    made = tmp_path / "ja.yaml"
    written = run(tmp_path, page, "show", str(wide_ruleset), "texts", "ja", into=made if is_file else None)
    assert WIDE in written.decode("utf-8")
    (wide_ruleset / "locale").mkdir()
    (wide_ruleset / "locale" / "ja.yaml").write_bytes(written)
    run(tmp_path, page, "check", str(wide_ruleset))


def test_texts_to_translate_are_written_by_out(wide_ruleset: Path, tmp_path: Path) -> None:
    made = tmp_path / "ja.yaml"
    run(tmp_path, "cp437", "show", str(wide_ruleset), "texts", "ja", "--out", str(made))
    assert WIDE in made.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_recorded_case_is_written_in_utf8_on_any_code_page(wide_ruleset: Path, tmp_path: Path, page: str) -> None:
    journal = tmp_path / "game.jsonl"
    run(tmp_path, page, "play", str(wide_ruleset), "--seed", "1", "--save", str(journal), fed="1\nquit\n".encode(page))
    written = run(tmp_path, page, "record", str(journal), "--title", WIDE)
    assert WIDE in written.decode("utf-8") and not written.startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("is_file", [True, False])
def test_report_is_written_on_any_code_page(wide_ruleset: Path, tmp_path: Path, page: str, is_file: bool) -> None:
    journal = tmp_path / "game.jsonl"
    run(tmp_path, page, "play", str(wide_ruleset), "--seed", "1", "--save", str(journal), fed="1\nquit\n".encode(page))
    made = tmp_path / "report.md" if is_file else None
    written = run(tmp_path, page, "--lang", "ja", "report", str(journal), into=made)
    text = written.decode("utf-8" if is_file else page)
    assert text.startswith("#") and ("二つの丘" in text or not is_file)


@pytest.mark.parametrize("byte_order", ["utf-16-le", "utf-16-be"])
def test_document_in_utf16_is_reported_with_cure(byte_order: str) -> None:
    sink = Sink()
    assert decode("map.yaml", ("\ufeffkind: map\n").encode(byte_order), sink) is None
    (found,) = sink.list_sorted()
    assert found.code == "not-utf8" and "UTF-16" in found.message and found.span.line == 1
    assert found.help is not None and "UTF-8" in found.help


@pytest.mark.parametrize("page", ["utf-8", "cp1252", "cp437", "cp932"])
def test_prompt_reads_first_line_with_byte_order_mark(wide_ruleset: Path, tmp_path: Path, page: str) -> None:
    fed = b"\xef\xbb\xbflog\r\nquit\r\n"
    shown = run(tmp_path, page, "play", str(wide_ruleset), "--seed", "1", fed=fed)
    plain = run(tmp_path, page, "play", str(wide_ruleset), "--seed", "1", fed=fed[3:])
    assert shown.replace(b"-2", b"-1") == plain.replace(b"-2", b"-1"), "the names of the saved games differ"


def test_byte_order_mark_is_removed_from_first_line_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\ufeffone\n\ufefftwo\n".encode()), "utf-8"))
    terminal = Terminal()
    assert [terminal.read("> "), terminal.read("> ")] == ["one", "\ufefftwo"]
    assert strip_byte_order_mark("ï»¿help", "cp1252") == "help"
