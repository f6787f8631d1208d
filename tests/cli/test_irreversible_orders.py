"""Test that a guess never makes an irreversible choice, and that a line of answers stops at an open question."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import load
from tests.recordings import assert_recorded, lines_with

from .conftest import Run

MARCH = "move and fight\n"


@pytest.mark.parametrize("typed", ["no", "n", "4", "40", "-1", "y"])
def test_unmatched_input_is_rejected(run: Run, tiny: Path, typed: str) -> None:
    out = run("play", tiny, "--seed", "1", fed=typed + "\n").out
    assert out.count("what do Reds do?") == 1
    assert "what do Blues do?" not in out
    assert ("is not a number of the list" if typed.lstrip("-").isdigit() else "matches no option") in out


@pytest.mark.parametrize(("typed", "asked"), [("st", "Did you mean: storm"), ("res", "Did you mean: rest")])
def test_beginning_asks_before_another_side_decides(run: Run, tiny: Path, typed: str, asked: str) -> None:
    out = run("play", tiny, "--seed", "1", fed=f"{typed}\nno\n").out
    assert asked in out
    assert "Cancelled" in out
    assert "what do Blues do?" not in out
    assert "what do Blues do?" in run("play", tiny, "--seed", "1", fed=f"{typed}\nyes\n").out
    assert "what do Blues do?" in run("play", tiny, "--seed", "1", fed=f"{typed}; yes\n").out


def test_answer_other_than_yes_is_parsed_as_order(run: Run, tiny: Path) -> None:
    out = run("play", tiny, "--seed", "1", fed="st\nrest\n").out
    assert "Cancelled" in out
    assert "Storm (Reds)" not in out
    assert "what do Blues do?" in out


def test_undoable_order_needs_no_confirmation(run: Run) -> None:
    out = run("play", "napoleon", "--seed", "1812", fed="mov\nquit\n").out
    assert "France: which units move?" in out


def test_ambiguous_order_stops_input_line(run: Run) -> None:
    out = run("play", "napoleon", "--seed", "1812", fed="d; 1\nquit\n").out
    assert "`d` matches several options:\n  1  do nothing" in out
    assert "The rest is ignored: 1" in out
    assert out.count("French player> ") == 2


def test_done_with_nothing_done_asks_once(run: Run) -> None:
    asked = "Nothing has been chosen yet"
    out = run("play", "napoleon", "--seed", "1812", fed=MARCH + "done\nno\nquit\n").out
    assert "done (nothing done yet)" in out
    assert asked in out
    assert "Prussia: which activity?" not in out
    again = run("play", "napoleon", "--seed", "1812", fed=MARCH + "done\ndone\nquit\n").out
    assert again.count(asked) == 1
    assert "Prussia: which activity?" in again


@pytest.mark.parametrize("typed", ["done anyway", "2", "done (nothing done yet)"])
def test_explicit_done_ends_without_question(run: Run, typed: str) -> None:
    out = run("play", "napoleon", "--seed", "1812", fed=MARCH + typed + "\nquit\n").out
    assert "othing has been chosen yet" not in out
    assert "Prussia: which activity?" in out


@pytest.mark.parametrize(("number", "idle"), [(9, "1 unit could still act"), (3, "7 units could still act")])
def test_done_names_number_of_alike_pieces_without_orders_once(run: Run, number: int, idle: str) -> None:
    fed = MARCH + f"go {number} rhine\n"
    out = run("play", "napoleon", "--seed", "1812", fed=fed + "done\nno\nquit\n").out
    assert "othing has been chosen yet" not in out
    assert idle in out
    assert "Prussia: which activity?" not in out
    for typed in ("done\ndone\n", "done\nno\ndone\n"):
        again = run("play", "napoleon", "--seed", "1812", fed=fed + typed + "quit\n").out
        assert again.count(idle) == 1
        assert "Prussia: which activity?" in again


def test_done_after_all_alike_pieces_were_ordered_needs_no_question(run: Run) -> None:
    out = run("play", "napoleon", "--seed", "1812", fed=MARCH + "go 10 rhine\nquit\n").out
    assert "could still act" not in out
    assert "Prussia: which activity?" in out


def test_line_stops_where_another_decides(run: Run, tiny: Path) -> None:
    out = run("play", tiny, "--seed", "1", fed="rest; rest\n").out
    assert "The rest is ignored: rest" in out


def test_line_stops_at_yes_or_no(run: Run) -> None:
    out = run("play", "napoleon", "--seed", "1812", fed=MARCH + "done; options\nno\nquit\n").out
    assert "The rest is ignored: options" in out


def test_line_continues_through_questions_in_steps(run: Run) -> None:
    out = run("play", "napoleon", "--seed", "1812", fed="move and fight; march; 3; quit\n").out
    assert "Stopped" in out
    assert "left out" not in out


@pytest.mark.parametrize(
    "typed",
    [
        "ledger 2",
        "tables x",
        "luck 3",
        "notes all",
        "changes 1",
        "quit now",
        "redo 2",
        "back 1",
        "options all",
    ],
)
def test_command_rejects_unknown_arguments(run: Run, tiny: Path, typed: str) -> None:
    name, _, rest = typed.partition(" ")
    out = run("play", tiny, "--seed", "1", fed=typed + "\nposition\n").out
    assert_recorded(lines_with(out, f"`{rest}`"))
    assert "Turn 1, Acting" in out.partition(f"`{rest}`")[2]


def test_undo_rejects_unknown_arguments(run: Run, tiny: Path) -> None:
    out = run("play", tiny, "--seed", "1", fed="rest\nundo 3\n").out
    assert "`3` is unknown" in out
    assert "Undone:" not in out


def test_heading_is_shown_again_after_back(run: Run) -> None:
    fed = "done anyway\n" * 4 + "undo anyway\n"
    out = run("play", "denain-1712", "--seed", "4", fed=fed + "1\nquit\n").out
    after = out.partition("Undone:")[2]
    assert after.index("Turn 1, Preparatory artillery") < after.index("Allies: which battery fires?")
    assert "== " not in after.partition("Allies: which battery fires?")[0]


def to_spain(run: Run, typed: str) -> str:
    """Play Napoleon up to Spain's activity with other sides idle, then type the given lines."""
    return run("play", "napoleon", "--seed", "1812", fed="do nothing\n" * 4 + typed + "quit\n").out


@pytest.mark.parametrize("typed", ["declaration\n", "2\n"])
def test_order_whose_only_target_takes_itself_asks_before_dice(run: Run, typed: str) -> None:
    out = to_spain(run, typed)
    assert ": bring Spain from peace to truce, chance 2 in 6\n" in out
    assert ": declaration roll\n" in out and "(yes or no)" in out
    assert "Declaration roll (Spain)" not in out
    assert "Declaration roll (Spain)" in to_spain(run, typed + "yes\n")
    assert "Declaration roll (Spain)" in to_spain(run, "declaration anyway\n")


@pytest.mark.parametrize(
    "typed", ["go 3 italy\nyes\n", "go 3 italy\nanyway\n", "go 3 italy; anyway\n", "go 3 italy anyway\n"]
)
def test_march_that_rolls_dice_is_confirmed_by_anyway(run: Run, typed: str) -> None:
    fed = MARCH + "go 7 austria\n" + typed + "quit\n"
    out = run("play", "napoleon", "--seed", "1805", fed=fed).out
    assert ": first attack\n" in out
    assert "First attack (France, Austria)" in out
    assert ("yes or no" in out) is ("italy anyway" not in typed)


def test_group_order_that_rolls_dice_is_confirmed_by_anyway(run: Run) -> None:
    fed = MARCH + "all from france to austria{}\nquit\n"
    assert "First attack (" not in run("play", "napoleon", "--seed", "1805", fed=fed.format("")).out
    out = run("play", "napoleon", "--seed", "1805", fed=fed.format(" anyway")).out
    assert "First attack (" in out and "yes or no" not in out


def test_group_order_ends_no_row_but_its_own(run: Run) -> None:
    """Check that the formation's charge still awaits its orders after a group order has moved every unit forward."""
    fed = "done anyway\n1\ndone anyway\nact first\nmaison\nright wing\nall forward\nlog 4\nquit\n"
    out = run("play", "denain-1712", "--side", "allied=greedy", "--seed", "1", fed=fed).out
    assert "French: which combat is next? [11-b]" in out
    assert "tries to make a breach" not in out
    assert "combat: done" not in out


def test_group_order_names_questions_it_answers(run: Run) -> None:
    fed = "done anyway\n" * 4 + "act first\ncentre\nleft wing\nall forward\nlog 30\nquit\n"
    out = run("play", "denain-1712", "--seed", "1712", fed=fed).out
    assert "(Who goes along with La Marine? done)" in out
    assert "1  move Tourville (2-3-2, 1311)" in out, "who cannot come nearer is left with the row"


def test_surrender_of_own_side_is_repeated_as_heading_below_all_events(run: Run) -> None:
    keys = """declaration; declaration; reinforcement; place(2); turn_up(france.face_down@spain, 1); move_combat
        march(russia.face_up@west_russia, 4); go(warsaw); march(russia.face_up@russia, 6); go(west_russia) > go(warsaw)
        lose(4); lose(6); move_combat; aim(3, 0); reinforcement; done; reinforcement; done; reinforcement
        turn_up(france.face_down@warsaw, 6); turn_up(france.face_down@spain, 1); move_combat
        march(austria.face_up@austria, 6); go(warsaw); aim(0, 0); lose(4); lose(7); send(0, 3); move_combat; done"""
    game = load("napoleon").start(scenario="niemen", seed=548772)
    for key in keys.replace("\n", ";").split(";")[:-1]:
        game.choose(key.strip())
    path = Path("surrender.journal")
    game.save(path)
    out = run("play", "--resume", path, fed="done anyway\nquit\n").out
    assert out.index("Austria surrenders [") < out.index("return home") < out.index("=== Austria surrenders\n")


def test_group_order_that_moves_nothing_names_pieces_and_reason(run: Run) -> None:
    fed = "done anyway\n" * 2 + "all forward\nall picardie forward\n" + "done anyway\n" * 2
    fed += "act first\ncentre\nleft wing\nall picardie to 1510\nquit\n"
    out = run("play", "denain-1712", "--seed", "1712", fed=fed).out
    assert "sent anywhere now" in out
    assert "Picardie cannot be sent anywhere" in out
    assert "Already there: Picardie\nNo order was given" in out
