"""Test matching typed orders: words, places, routes, and several orders in a line."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from interpreter.api.game import Game, Rules, load
from interpreter.players.orders.matching import match_options, match_things, rank_matches
from interpreter.players.orders.menu import Menu, format_option, list_entries
from interpreter.players.orders.menu_answers import parse_menu_answer
from interpreter.players.orders.name_index import NameIndex, tokenize_words
from interpreter.players.orders.route_planning import (
    Route,
    explain_unreachable,
    find_largest_move,
    find_reachable_places,
    find_routes,
    list_piece_orders,
    list_route_rolls,
)
from interpreter.players.orders.tokenizer import split_destination, split_endpoints, split_orders
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.type_aliases import handle_of
from tests.tiny import build, called


@cache
def rules(ruleset: str) -> Rules:
    return load(ruleset)


def lexicon(game: Game, lang: str = "") -> NameIndex:
    return NameIndex(game, Localizer(rules(game.program.id).program, lang))


@pytest.fixture
def hexes() -> Game:
    """Return a game in which the French centre is about to move."""
    game = rules("denain-1712").start(seed=3)
    while game.decision is not None and game.decision.name != "order":
        game.choose("done")
    for _ in range(200):
        assert game.decision is not None
        if game.decision.name == "movement" and game.decision.side == "french":
            return game
        keys = [o.key for o in game.decision.options]
        game.choose(next((k for k in ("act_first", "name(centre)", "no_other", "done") if k in keys), keys[0]))
    raise AssertionError("the centre never moves")


@pytest.fixture
def areas() -> Game:
    """Return a game in which France is about to move its armies."""
    game = rules("napoleon").start(seed=3)
    for _ in range(200):
        assert game.decision is not None
        if game.decision.name == "marching" and game.decision.side == "france":
            return game
        keys = [o.key for o in game.decision.options]
        wanted = "move_combat" if game.decision.side == "france" else "pass"
        game.choose(wanted if wanted in keys else keys[0])
    raise AssertionError("France never moves")


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("a; b ;c", ["a", "b", "c"]),
        ("  ", []),
        (";;", []),
        ("march({a; b}, c); done", ["march({a; b}, c)", "done"]),
        ("a)); b", ["a))", "b"]),
        ("go   x", ["go x"]),
    ],
)
def test_split_orders_splits_line_into_parts(line: str, parts: list[str]) -> None:
    assert split_orders(line) == parts


def test_words_are_compared_without_case_accents_and_signs() -> None:
    assert tokenize_words("Élan_Vital (no. 3), [x]") == ("elan", "vital", "no.", "3", "x")
    assert tokenize_words("フランス軍 １２") == ("フランス軍", "12")


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("picardie", "go(picardie)"),
        ("PIC", "go(picardie)"),
        ("go picardie", "go(picardie)"),
        ("go 1510", "go(picardie)"),
        ("done", "done"),
    ],
)
def test_option_by_its_words(hexes: Game, typed: str, found: str) -> None:
    decision = hexes.decision
    assert decision is not None
    assert [o.key for o in match_options(decision.options, typed, lexicon(hexes))] == [found]


def test_option_by_its_words_in_another_language(hexes: Game) -> None:
    decision = hexes.decision
    assert decision is not None
    assert [o.key for o in match_options(decision.options, "ピカルディ", lexicon(hexes, "ja"))] == ["go(picardie)"]


def test_several_fits_make_narrower_menu_and_never_guess(hexes: Game) -> None:
    decision, words = hexes.decision, lexicon(hexes)
    assert decision is not None
    found = parse_menu_answer(Menu(decision.options), "ride", words)
    assert found is not None
    target = found.target
    assert isinstance(target, Menu)
    assert {o.name for o in target.options} == {"ride"}
    assert parse_menu_answer(target, "nonsense", words) is None
    assert target.parent is not None


def test_entry_is_chosen_by_number_or_text(hexes: Game) -> None:
    decision, words = hexes.decision, lexicon(hexes)
    assert decision is not None
    menu = Menu(decision.options)
    for number, entry in enumerate(list_entries(menu, words), 1):
        assert _same(_leads(menu, str(number), words), entry.target)
        assert _same(_leads(menu, entry.text, words), entry.target)


def _leads(menu: Menu, text: str, words: NameIndex) -> object:
    found = parse_menu_answer(menu, text, words)
    assert found is not None and found.is_printed
    return found.target


def _same(a: object, b: object) -> bool:
    if isinstance(a, Menu) and isinstance(b, Menu):
        return [o.key for o in a.options] == [o.key for o in b.options]
    return getattr(a, "key", a) == getattr(b, "key", b)


def test_things_by_id_name_and_beginnings(hexes: Game) -> None:
    words = lexicon(hexes)
    assert match_things("place", "1711", words) == ["1711"]
    assert match_things("place", "west redoubt", words) == ["1613"]
    assert len(match_things("place", "denain", words)) > 1
    assert match_things("place", "nowhere", words) == []
    assert match_things("piece", "picardie", words) == ["picardie"]


def test_order_names_piece_and_place(hexes: Game) -> None:
    words = lexicon(hexes)
    assert split_destination("picardie to 1610", words) == ("picardie", ["1610"])
    assert split_destination("1610", words) == ("", ["1610"])
    assert split_destination("picardie", words) == ("picardie", [])
    endless = "picardie to 1610 " * 100  # too long for an order; each of its words would be compared
    assert split_destination(endless, words) == (endless, [])
    assert split_endpoints(endless, words) is None


def test_way_to_place_is_tried_on_copy(hexes: Game) -> None:
    before, words = hexes.hash(), lexicon(hexes)
    found = find_routes(hexes, "bourbonnais", "1412", words)
    assert found
    assert all(way.keys[0] == "go(bourbonnais)" and way.args["here"] == "1412" for way in found)
    assert [w.cost for w in found] == sorted(w.cost for w in found)
    assert list_route_rolls(hexes, found[0]) == ()
    assert hexes.hash() == before
    for key in found[0].keys:
        hexes.choose(key)
    while hexes.decision is not None and hexes.decision.name == "company":
        hexes.choose("done")
    assert hexes.view()["pieces"]["bourbonnais"]["at"] == "1412"


def test_reachable_places_and_reasons_beyond_are_listed(hexes: Game) -> None:
    decision, words = hexes.decision, lexicon(hexes)
    assert decision is not None
    asked = match_options(decision.options, "bourbonnais", words)
    found = find_reachable_places(hexes, asked)
    assert found["1412"] == 1
    assert "1812" not in found
    assert find_routes(hexes, "bourbonnais", "1312", words) == []
    assert [r.text for r in explain_unreachable(hexes, "bourbonnais", "1312", words)] == [
        "1312 has no room for Bourbonnais"
    ]
    assert [r.text for r in explain_unreachable(hexes, "bourbonnais", "1812", words)] == [
        "1711 is too far for Bourbonnais"
    ]


def test_way_never_looks_at_dice_to_come(hexes: Game) -> None:
    """Check that queries on copies leave the dice of the game itself unchanged."""
    words = lexicon(hexes)
    twin = hexes.clone()
    find_routes(hexes, "picardie", "1610", words)
    for game in (hexes, twin):
        while game.decision is not None and game.decision.name == "movement":
            game.choose("done")
    assert hexes.hash() == twin.hash()


def test_ways_between_areas_take_alike_pieces_along(areas: Game) -> None:
    words = lexicon(areas)
    found = find_routes(areas, "france", "rhine", words)
    assert found
    assert all(isinstance(w, Route) and w.args["here"] == "rhine" for w in found)
    largest = find_largest_move(areas, "france", "rhine")
    assert largest is not None
    assert largest.args["number"] == max(w.args["number"] for w in found)


def test_split_endpoints_reads_two_place_names(areas: Game) -> None:
    words = lexicon(areas)
    assert split_endpoints("from france to rhine", words) == ("france", "rhine")
    assert split_endpoints("france rhine", words) == ("france", "rhine")
    assert split_endpoints("france", words) is None
    assert split_endpoints("from nowhere to france", words) is None


def test_group_order_uses_plain_routes(areas: Game) -> None:
    """Check that a route without sea or forced march is preferred among those that take as many pieces along."""
    largest = find_largest_move(areas, "france", "rhine")
    assert largest is not None
    assert not largest.args["sea"] and not largest.args["forced"]


@dataclass(frozen=True)
class Made:
    """A made-up option: a label and arguments of no kind."""

    label: str
    args: dict[str, str]
    name: str = "attack"
    is_end: bool = False
    shows: dict[str, str] = field(default_factory=dict)
    cost: None = None
    cite: tuple[str, ...] = ()
    worded: frozenset[str] = frozenset()

    @property
    def key(self) -> str:
        return f"{self.name}({', '.join(self.args.values())})"

    def text(self, language: str = "") -> str:
        return self.label


ATTACKS = (
    Made("5th Infantry attacks", {"u": "5th_infantry", "v": "guards"}),
    Made("attack", {"u": "lancers", "v": "5th_infantry"}),
    Made("attack", {"u": "hussars", "v": "5th_infantry"}),
    Made("attack", {"u": "lancers", "v": "landau"}),
    Made("attack", {"u": "lancers", "v": "landau_brigade"}),
)


@pytest.mark.parametrize(
    ("typed", "meant", "is_plain"),
    [
        ("5th Infantry", [0, 1, 2], True),
        ("Landau", [3], True),
        ("Landau brigade", [4], True),
        ("hussars", [2], True),
        ("huss", [2], False),
        ("lancers landau", [3], True),
        ("5", [], False),
        ("4", [], False),
    ],
)
def test_name_that_fits_several_options_means_all_of_them(
    hexes: Game, typed: str, meant: list[int], is_plain: bool
) -> None:
    found = rank_matches(ATTACKS, typed, lexicon(hexes))
    assert [ATTACKS.index(o) for o in found.options] == meant
    assert not meant or found.is_plain == is_plain
    target = parse_menu_answer(Menu(ATTACKS), typed, lexicon(hexes))
    if len(meant) == 1:
        assert target is not None and target.target == ATTACKS[meant[0]] and target.is_plain == is_plain


def test_label_of_alike_pieces_is_not_repeated(tmp_path: Path) -> None:
    tiny = build(
        tmp_path,
        """
        procedure run(a: army):
            choose march by a:
                option go(u in units at a.home, p in neighbours(u.at)) "{u} from {u.at} to {p}, {u.condition}":
                    move u to p
                option turn(u in units at a.home) "{u} turns": nothing
                option fire(extra in 0..1, loud in [false, true], at_all in 1..1) "fires{how(extra)}{noise(loud)}":
                    nothing
        define how(n: int) -> text = if n == 1 then " twice" else ""
        define noise(l: flag) -> text = if l then " loudly" else ""
        """,
    )
    game = called(tiny, "run", a="reds")
    assert game.decision is not None
    told = [format_option(option, NameIndex(game, Localizer(tiny.program))) for option in game.decision.options]
    assert told == [
        "unit (reds) from a to b, fresh",
        "unit (reds) turns (reds, fresh in a)",
        "fires (at all 1)",
        "fires loudly (at all 1)",
        "fires twice (at all 1)",
        "fires twice loudly (at all 1)",
    ]


@pytest.mark.parametrize(("declared", "argument"), [("s: army", "reds"), ("n: int", "0"), ("f: flag", "false")])
def test_draft_about_another_value_gives_first_piece_no_orders(tmp_path: Path, declared: str, argument: str) -> None:
    walk = f"""
        draft walk({declared}) starting here = a, spent = 0:
            option go(p in neighbours(here)) now here = p, spent = spent + 1 then stop
            finish require moved: spent > 0  "nobody stays"

        procedure run():
            walk({argument}) by reds "where to?" -> way
    """
    game = called(build(tmp_path, walk), "run")
    assert game.decision is not None and game.decision.is_draft and list(game.decision.draft_args) == [0]
    assert list_piece_orders(game.program.ids["piece"][0], game) == []


def test_draft_about_a_piece_gives_all_its_options_to_that_piece(areas: Game) -> None:
    assert areas.decision is not None
    areas.choose(areas.decision.options[0])
    assert areas.decision is not None and areas.decision.is_draft
    piece = areas.program.ids["piece"][handle_of(areas.decision.draft_args[0])]
    assert list_piece_orders(piece, areas) == list(areas.decision.options)
