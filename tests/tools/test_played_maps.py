"""Test that maps of a game are drawn on a page that is built once and kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import Rules, load
from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.building import ruleset_builder
from interpreter.documents.building.ruleset_builder import read_documents
from interpreter.runtime.errors import SetupError
from interpreter.tools.maps.piece_groups import build_current_position, find_default_scenario
from interpreter.tools.maps.text.characters import create_page, render_text_map
from interpreter.tools.maps.text.live_maps import build_page, group_current_pieces, render_live_map
from tests.docs.blocks import write_all

GRID = "denain-1712"


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load(GRID)


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("GROGNARD_NO_CACHE", raising=False)
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_cached_page_equals_new_page(rules: Rules, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = read_documents(GRID, Sink())
    assert ruleset is not None and ruleset.grid is not None
    game = rules.start(seed=1)
    for lang in ("", "ja"):
        made = build_page(rules, lang)
        assert made == create_page(ruleset, ruleset.grid, None, lang)
        with monkeypatch.context() as patched:
            patched.setattr(ruleset_builder, "read_documents", lambda *_: pytest.fail("the documents were read again"))
            kept = build_page(rules, lang)
        assert render_live_map(kept, game) == render_live_map(made, game)


def test_corrupt_cached_page_is_rebuilt(rules: Rules, own_cache: Path) -> None:
    made = build_page(rules)
    [file] = (own_cache / "maps").iterdir()
    file.write_bytes(file.read_bytes()[:-5] + b"xxxxx")
    assert build_page(rules) == made


def test_other_ruleset_than_played_one_is_refused(tmp_path: Path) -> None:
    folder = write_all("hexes.md", tmp_path)
    played = load(folder)
    assert render_live_map(build_page(played), played.start(seed=1))
    with (folder / "map.yaml").open("a", encoding="utf-8") as file:
        file.write("\n# typed over since\n")
    with pytest.raises(SetupError, match="has changed since"):
        build_page(played)


def test_forces_in_drawing_match_set_up(rules: Rules) -> None:
    """Check that a drawing is the same whether its positions come from the scenario or from a game."""
    ruleset = read_documents(GRID, Sink())
    assert ruleset is not None and ruleset.grid is not None
    game = rules.start(empty=True)
    from interpreter.play.position_editing import apply_position
    from interpreter.play.setup import find_scenario

    scenario = find_default_scenario(ruleset)
    apply_position(game.state, find_scenario(game.program, scenario.id if scenario else None)["position"])
    page = create_page(ruleset, ruleset.grid, scenario)
    assert group_current_pieces(page.legend, game)
    drawn, shown = render_live_map(page, game), build_current_position(ruleset, scenario, game, "")
    told = render_text_map(ruleset, scenario, position=shown)
    assert told[: len(drawn)] == drawn
    assert told[len(drawn) : len(drawn) + 2] == ["", "waiting off the map:"] and shown.off_map_groups
