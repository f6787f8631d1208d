"""Choices that need a confirmation on any face: `done` that throws a row away, an order that settles too much."""

from __future__ import annotations

from interpreter.api.game import load
from interpreter.play.game import Game
from interpreter.players.orders.confirmations import find_confirmation, is_last_order
from interpreter.runtime.localizer import Localizer
from tests.recordings import assert_recorded
from tests.tiny import build

STRIKES = """
    procedure aim(a: army):
        choose target by a "at whom?"{alone}:
            option strike(u in {{v in units where v.army != a}}):
                roll storm: die by a for a -> fallen

    turn:
        phase orders:
            choose order by reds "what now?" repeat until done:
                option attack:
                    aim(reds)
                option rest
        phase others:
            choose answer by blues "and you?":
                option pass
                option stay
"""


SUPPLY = """
    event starved(u: unit) "{{u}} starves"

    turn:
        phase orders:
            choose order by reds "what now?" repeat until done:
                option forage:
                    require some_left: not reds.home.held "all is eaten"
                    set reds.home.held = true
        phase supply:
            {roll}
            for u in {{v in units where v.army == reds}}:
                move u to {goal}
                report starved(u)
        phase others:
            choose answer by blues "and you?":
                option pass
                option stay
"""


def of(game: Game, key: str) -> tuple[str, ...]:
    """Return the reasons for which a choice is confirmed."""
    found = find_confirmation(game, key, Localizer(game.program))
    return () if found is None else found.reasons


def napoleon(*names: str) -> Game:
    game = load("napoleon").start(seed=1812)
    for name in names:
        game.choose(name)
    return game


def test_order_whose_only_target_takes_itself_is_confirmed_before_dice() -> None:
    game = napoleon()
    while game.decision.side != "spain":
        game.choose("pass")
    forced, rolls = of(game, "declaration")
    assert forced.endswith(": bring Spain from peace to truce, chance 2 in 6") and rolls.endswith(": declaration roll")


def test_order_that_names_all_it_decides_needs_no_confirmation() -> None:
    assert of(napoleon(), "pass") == ()
    assert of(napoleon(), "move_combat") == ()


def test_march_that_ends_in_battle_is_confirmed_with_its_roll() -> None:
    game = napoleon("pass")
    while game.decision.side != "france":
        game.choose("pass")
    game.choose("move_combat")
    game.choose("march(france.face_up@france, 10)")
    assert of(game, "go(rhine)") == (), "no enemy is there"
    assert [line.endswith("first attack") for line in of(game, "go(rhine) > go(austria)")] == [True]
    game.undo()
    assert of(game, "march(france.face_up@france, 10)") == (), "nothing is rolled before the path is named"
    route = ("march(france.face_up@france, 10)", "go(rhine) > go(austria)")
    found = find_confirmation(game, route, Localizer(game.program))
    assert found is not None and found.is_plain and found.reasons, "the same question for the whole route"


def test_done_with_nothing_done_is_confirmed_where_another_seat_follows() -> None:
    game = napoleon("move_combat")
    assert_recorded(of(game, "done")[0])


def test_done_with_nothing_done_is_confirmed_where_other_side_of_same_seat_follows() -> None:
    game = load("napoleon").start(scenario="niemen", seed=1812)
    while game.decision.seat != "allies":
        game.choose("pass")
    game.choose("reinforcement")
    side, seat = game.decision.side, game.decision.seat
    assert of(game, "done") == (f"nothing has been chosen yet ({game.decision.format_prompt('')})",)
    assert sum(reason.count(":") for reason in of(game, "done")) == 1, "that of the question alone"
    game.choose("done")
    assert game.decision.side != side and game.decision.seat == seat


def test_done_that_can_be_taken_back_needs_no_confirmation() -> None:
    game = load("denain-1712").start(seed=1712)
    for key in ("done", "done", "done", "done", "act_first", "name(centre)", "no_other"):
        if game.decision.find(key) is not None:
            game.choose(key)
    assert game.decision.name == "movement"
    assert of(game, "done") == (), "combat follows, and nothing has come out"


def test_consequence_of_choice_is_not_part_of_order(tmp_path) -> None:
    rules = """
        procedure face(a: army):
            choose facing by a "where to?":
                option left
                option right

        turn:
            phase orders:
                for a in armies:
                    face(a)
                    choose test by a "what is tried?" alone:
                        option try_it:
                            roll storm: die by a for a -> fallen
    """
    assert of(build(tmp_path, rules).start(seed=1), "left") == ()


def test_order_is_confirmed_until_its_target_is_named(tmp_path) -> None:
    alone = build(tmp_path / "alone", STRIKES.format(alone=" alone")).start(seed=1)
    assert_recorded(of(alone, "attack"))
    asked = build(tmp_path / "asked", STRIKES.format(alone="")).start(seed=1)
    assert of(asked, "attack") == ()
    asked.choose("attack")
    assert asked.count() == 1
    assert is_last_order(asked, asked.decision.options[0].key), "the order could be taken back so far"
    asked.choose(asked.decision.options[0])
    assert not is_last_order(asked, "rest"), "dice have fallen"


def test_done_in_row_after_equal_row_that_ran_out_is_confirmed(tmp_path) -> None:
    rules = """
        procedure march(a: army):
            let left = 1
            choose moving by a "who goes?" repeat until done:
                option go:
                    require some_left: left > 0 "nobody is left"
                    set left = left - 1

        turn:
            phase orders:
                march(reds)
                march(reds)
            phase others:
                choose answer by blues "and you?":
                    option pass
                    option stay
    """
    game = build(tmp_path, rules).start(seed=1)
    game.choose("go")
    assert game.decision.name == "moving"
    assert len(of(game, "done")) == 1
    assert_recorded(of(game, "done"))
    game.choose("go")
    assert game.decision.name == "answer"


def test_done_is_confirmed_if_own_side_then_surrenders() -> None:
    keys = """declaration; declaration; reinforcement; place(2); turn_up(france.face_down@spain, 1); move_combat
        march(russia.face_up@west_russia, 4); go(warsaw); march(russia.face_up@russia, 6); go(west_russia) > go(warsaw)
        lose(4); lose(6); move_combat; aim(3, 0); reinforcement; done; reinforcement; done; reinforcement
        turn_up(france.face_down@warsaw, 6); turn_up(france.face_down@spain, 1); move_combat
        march(austria.face_up@austria, 6); go(warsaw); aim(0, 0); lose(4); lose(7); send(0, 3); move_combat"""
    game = load("napoleon").start(scenario="niemen", seed=548772)
    for key in keys.replace("\n", ";").split(";"):
        game.choose(key.strip())
    assert of(game, game.decision.options[0].key) == (), "the moves go on"
    found = find_confirmation(game, "done", Localizer(game.program))
    assert found is not None and not found.is_plain
    game.choose("done")
    log = [event.text() for event in game.log]
    assert found.reasons[0].rpartition(": ")[2] in log
    game.undo()
    assert is_last_order(game, "done"), "it is not ended for the player even if nothing else can be chosen"


def test_end_of_row_is_confirmed_if_rules_then_remove_own_pieces(tmp_path) -> None:
    game = build(tmp_path / "lost", SUPPLY.format(roll="nothing", goal="box(reds)")).start(seed=1)
    assert any("starves" in reason for reason in of(game, "done"))
    assert any("starves" in reason for reason in of(game, "forage")), "the last order ends the row as well"
    moved = build(tmp_path / "moved", SUPPLY.format(roll="nothing", goal="b")).start(seed=1)
    assert not any("starves" in reason for reason in of(moved, "done")), "they stay on the map"
    diced = build(tmp_path / "diced", SUPPLY.format(roll="roll storm: die for reds -> fallen", goal="box(reds)"))
    assert not any("starves" in reason for reason in of(diced.start(seed=1), "done")), "a roll comes first"


def test_done_names_pieces_that_can_still_act_on_an_enemy() -> None:
    game = load("denain-1712").start(seed=1)
    for _time in range(2):
        game.choose("done")
    assert game.decision.name == "preparation"
    game.choose(next(o.key for o in game.decision.options if "french_artillery-2" in o.key))
    assert [reason.rpartition(": ")[2] for reason in of(game, "done")] == ["French artillery 1"]


def test_question_before_done_names_rolls_that_follow_in_the_phase() -> None:
    game = napoleon("pass")
    while game.decision.side != "france":
        game.choose("pass")
    game.choose("move_combat")
    game.choose("march(france.face_up@france, 10)")
    game.choose("go(rhine) > go(austria)")
    while (game.decision.side, game.decision.name) != ("france", "activity"):
        game.choose("pass" if game.decision.find("pass") else game.decision.options[0].key)
    game.choose("move_combat")
    assert of(game, "done")[-1].rpartition(": ")[2] == "first attack"
    assert not any("rolls" in reason for reason in of(napoleon("move_combat"), "done")), "no enemy is there"
