"""The pictures of the documentation: each has its maker and its place, and shows what it says."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from tests.docs.pictures import FOLDER, PICTURES, ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_every_picture_has_maker_and_page() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(PICTURES)
    shown = set()
    for page in PAGES:
        for target in re.findall(r"\]\(([^)]*pictures/[^)]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} shows {target}"
            shown.add((page.parent / target).resolve())
    assert shown == {(FOLDER / name).resolve() for name in PICTURES}


@pytest.mark.parametrize("name", [name for name in PICTURES if name.endswith(".svg")])
def test_picture_is_of_game_under_way(name: str) -> None:
    root = ElementTree.fromstring((FOLDER / name).read_text(encoding="utf-8"))
    assert [e for e in root.iter() if e.get("class") == "way"]
    assert len([e for e in root.iter() if e.get("class") == "counter"]) > 8


@pytest.mark.parametrize("name", [name for name in PICTURES if not name.endswith(".svg")])
def test_picture_is_not_too_large(name: str) -> None:
    content = (FOLDER / name).read_bytes()
    start = b"\x89PNG" if name.endswith(".png") else b"\xff\xd8"
    assert content.startswith(start) and 10_000 < len(content) < 1_000_000
