"""`fmt`: which files it takes, what it says, and that it writes all or nothing."""

from __future__ import annotations

import os
from pathlib import Path

from .conftest import Run

CROOKED = "event  shaken( s:side )\n"


def test_folder_is_laid_out_once(run: Run, tiny: Path) -> None:
    (tiny / "more.rules").write_text(CROOKED, encoding="utf-8")
    (tiny / "other.yaml").write_text("no:    document\n", encoding="utf-8")
    assert run("fmt", "--check", tiny).code == 1
    done = run("fmt", tiny)
    assert done.code == 0
    assert f"{tiny}/more.rules formatted" in done.out
    assert (tiny / "more.rules").read_text(encoding="utf-8") == "event shaken(s: side)\n"
    assert (tiny / "other.yaml").read_text(encoding="utf-8") == "no:    document\n", "not one of ours"
    again = run("fmt", "--check", tiny)
    assert (again.code, again.out) == (0, "files already formatted: 9\n")
    (tiny / "more.rules").unlink()
    (tiny / "other.yaml").unlink()
    assert run("check", tiny).code == 0


def test_check_writes_nothing(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.rules"
    path.write_text(CROOKED, encoding="utf-8")
    done = run("fmt", "--check", path)
    assert (done.code, path.read_text(encoding="utf-8")) == (1, CROOKED)
    assert "a.rules would be formatted\n" in done.out


def test_unreadable_file_leaves_all_files_unchanged(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_text(CROOKED, encoding="utf-8")
    (tmp_path / "b.rules").write_text("define a( = 1\n", encoding="utf-8")
    done = run("fmt", tmp_path / "a.rules", tmp_path / "b.rules")
    assert done.code == 2
    assert "b.rules:1:" in done.err and "nothing was written" in done.err
    assert (tmp_path / "a.rules").read_text(encoding="utf-8") == CROOKED


def test_fmt_rejects_foreign_files(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    (tmp_path / "b.rules").write_bytes(b"define a = 1 # \xff\n")
    for path, told in (
        ("nowhere", "does not exist"),
        ("a.txt", "neither a rules file"),
        ("b.rules", "the file is not UTF-8"),
        ("", "does not exist"),
    ):
        done = run("fmt", path)
        assert done.code == 2
        assert told in done.err


def test_fmt_keeps_links_and_file_modes(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "real.rules"
    path.write_text(CROOKED, encoding="utf-8")
    path.chmod(0o640)
    os.symlink(path, tmp_path / "link.rules")
    assert run("fmt", tmp_path / "link.rules").code == 0
    assert (tmp_path / "link.rules").is_symlink()
    assert path.read_text(encoding="utf-8") == "event shaken(s: side)\n"
    assert path.stat().st_mode & 0o777 == 0o640


def test_fmt_reports_in_japanese(run: Run, tiny: Path) -> None:
    assert "整えたファイル" in run("fmt", tiny, "--lang", "ja").out
