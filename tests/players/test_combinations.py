"""Combinations of many pieces at the prompt: members are asked for one at a time, or typed in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import load
from interpreter.play.game import Game
from interpreter.players.orders.menu import Menu, list_entries
from interpreter.players.orders.menu_answers import parse_menu_answer
from interpreter.players.orders.name_index import NameIndex
from interpreter.runtime.localizer import Localizer
from tests.combinations import UNITS, write_combinations


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return load(write_combinations(tmp_path)).start()


def opened(game: Game) -> tuple[Menu, NameIndex]:
    assert game.decision is not None and len(game.decision.options) == 255
    return Menu(game.decision.options), NameIndex(game, Localizer(game.program, ""))


def test_menu_of_combinations_lists_their_members(game: Game) -> None:
    menu, lexicon = opened(game)
    assert [entry.text for entry in list_entries(menu, lexicon)] == [f"{unit} (128 ways)" for unit in UNITS]


def test_each_member_narrows_menu_until_one_combination_is_left(game: Game) -> None:
    menu, lexicon = opened(game)
    for taken in ("red3", "red0"):
        found = next(entry.target for entry in list_entries(menu, lexicon) if entry.text.startswith(taken))
        assert isinstance(found, Menu)
        menu = found
    words = [entry.text for entry in list_entries(menu, lexicon)]
    assert words == ["only red0, red3", *(f"{unit} too (32 ways)" for unit in UNITS if unit not in ("red0", "red3"))]
    only = list_entries(menu, lexicon)[0].target
    assert not isinstance(only, Menu) and only.args["who"] == ("red0", "red3")


@pytest.mark.parametrize("combination", [{"red5"}, {"red1", "red6"}, set(UNITS), set(UNITS) - {"red4"}])
def test_every_combination_is_reached_through_menus(game: Game, combination: set[str]) -> None:
    menu, lexicon = opened(game)
    for _ in range(20):
        found = list_entries(menu, lexicon)
        assert len(found) <= 15
        whole = next(
            (e.target for e in found if not isinstance(e.target, Menu) and set(e.target.args["who"]) == combination),
            None,
        )
        if whole is not None:
            return
        fitting = [e.target for e in found if isinstance(e.target, Menu)]
        menu = next(m for m in fitting if any(set(o.args["who"]) == combination for o in m.options))
    raise AssertionError("the menus do not come to an end")


@pytest.mark.parametrize(
    ("typed", "members"),
    [
        ("red0 red3", ["red0", "red3"]),
        ("red3, red0", ["red0", "red3"]),
        ("red5 red1 red7 red2", ["red1", "red2", "red5", "red7"]),
        (" ".join(UNITS), list(UNITS)),
    ],
)
def test_typed_names_mean_exactly_that_combination(game: Game, typed: str, members: list[str]) -> None:
    menu, lexicon = opened(game)
    found = parse_menu_answer(menu, typed, lexicon)
    assert found is not None and not isinstance(found.target, Menu)
    assert list(found.target.args["who"]) == members


def test_single_name_asks_for_partners(game: Game) -> None:
    menu, lexicon = opened(game)
    found = parse_menu_answer(menu, "red2", lexicon)
    assert found is not None and isinstance(found.target, Menu)
    assert list_entries(found.target, lexicon)[0].text == "only red2"
