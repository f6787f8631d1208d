"""Test texts that a map writes on spaces and counters by expressions."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from interpreter.api.game import check
from interpreter.tools.maps.piece_groups import build_current_position, build_initial_position
from interpreter.tools.maps.svg import render_map
from tests.tiny import build, write

RULES = """
define force(u: unit) -> int = if u.condition == fresh then 7 else 4
"""


def with_drawing(folder: Path, counter: str, space: str) -> dict[str, str]:
    text = (write(folder, RULES) / "map.yaml").read_text(encoding="utf-8")
    return {
        "map.yaml": f"""{text}drawing:
  places:
    numbers: [height, {space}]
  pieces:
    unit: {{numbers: [{counter}, condition]}}
"""
    }


def figures(picture: str) -> list[str]:
    """Return the row of figures of each counter as text."""
    root = ElementTree.fromstring(picture.partition("?>")[2])
    counters = [e for e in root.iter() if e.get("class") == "counter"]
    rows = [[e.text or "" for e in one.iter() if "c-text" in (e.get("class") or "").split()] for one in counters]
    return [" ".join(text for text in row if len(text) > 1 or text.isdigit()) for row in rows]


def test_counters_and_spaces_show_current_values(tmp_path: Path) -> None:
    documents = with_drawing(tmp_path, '"{force}"', '"{count(units at it)}", "{it.height * 11}m up"')
    rules = build(tmp_path, RULES, documents)
    game, ruleset = rules.start(empty=True), rules.model.ruleset
    assert (
        figures(render_map(ruleset, position=build_current_position(ruleset, None, game, ""))).count("×3 7 fresh") == 2
    )
    game.edit(pieces={"red-1": {"condition": "worn"}})
    shown = build_current_position(ruleset, None, game, "")
    picture = render_map(ruleset, position=shown)
    assert {"4 worn", "×2 7 fresh"} <= set(figures(picture))
    assert 'aria-label="22m up"' in picture and 'aria-label="3"' in picture
    assert ">count(units at it)<" in picture and ">force<" in picture  # the legend
    assert picture == render_map(ruleset, position=build_current_position(ruleset, None, game, ""))
    assert shown.texts[0] == {"drawn.place.1": "3", "drawn.place.2": "11m up"}
    assert "force" in render_map(
        ruleset, position=build_initial_position(ruleset, None)
    )  # nothing is computed, and the legend says so


@pytest.mark.parametrize(
    ("counter", "space", "code", "where"),
    [
        ('"{forze}"', '"{it.height}"', "unknown-name", (27, 24)),
        ('"{force}"', '"{it.hight}"', "unknown-attribute", (25, 25)),
        ("forze", '"{it.height}"', "unknown-attribute", (27, 22)),
        ('"{force"', '"{it.height}"', "unclosed-bracket", (27, 23)),
    ],
)
def test_drawing_error_is_reported_at_its_place(
    tmp_path: Path, counter: str, space: str, code: str, where: tuple[int, int]
) -> None:
    found = [d for d in check(write(tmp_path, RULES, with_drawing(tmp_path, counter, space))) if d.severity == "error"]
    assert [(d.code, (d.line, d.column)) for d in found] == [(code, where)]
