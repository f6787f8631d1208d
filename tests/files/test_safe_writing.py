"""Writing below a folder that may come from a stranger, and reading headers of pictures that may be hostile."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.files.picture_files import PictureHeader, read_picture_header
from interpreter.files.safe_read import write_inside
from interpreter.ui.web.export.site import INDEX, is_export
from interpreter.ui.web.export.writing import write_export

SIZE = b"\xff\xc0\x00\x11\x08\x00\x02\x00\x03"  # of a JPEG that is 3 wide and 2 high


def test_write_inside_replaces_link_and_keeps_its_target(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine", encoding="utf-8")
    folder = tmp_path / "folder"
    (folder / "page").mkdir(parents=True)
    (folder / "page" / "main.js").symlink_to(outside)
    write_inside(folder, "page/main.js", b"new")
    write_inside(folder, "a/b/c.js", b"deep")
    assert outside.read_text(encoding="utf-8") == "mine"
    assert (folder / "page" / "main.js").read_bytes() == b"new" and not (folder / "page" / "main.js").is_symlink()
    assert (folder / "a" / "b" / "c.js").read_bytes() == b"deep"


def test_write_inside_refuses_folder_that_is_link(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "page").symlink_to(tmp_path / "outside")
    with pytest.raises(NotADirectoryError):
        write_inside(tmp_path / "folder", "page/main.js", b"new")
    assert not list((tmp_path / "outside").iterdir())


def test_export_into_folder_of_a_stranger_stays_in_it(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine", encoding="utf-8")
    earlier = tmp_path / "earlier"
    earlier.mkdir()
    (earlier / INDEX).write_text('<meta name="generator" content="grognard export">', encoding="utf-8")
    assert is_export((earlier / INDEX).read_text(encoding="utf-8"))
    (earlier / "worker.js").symlink_to(outside)
    assert write_export({INDEX: b"page", "worker.js": b"code", "page/a.js": b"a"}, earlier) == 9
    assert outside.read_text(encoding="utf-8") == "mine"
    assert (earlier / "worker.js").read_bytes() == b"code"


@pytest.mark.parametrize("filler", [b"\xff", b"\xff\xd0", b"\xff\xe0\x00\x02"])
def test_size_of_jpeg_is_not_sought_in_endless_markers(filler: bytes) -> None:
    start = b"\xff\xd8\xff\xe0\x00\x02"
    assert read_picture_header(start + filler * 100 + SIZE + b"\x00" * 9) == PictureHeader("jpeg", (3, 2))
    assert read_picture_header(start + filler * 20_000 + SIZE + b"\x00" * 9) is None
