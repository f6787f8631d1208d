"""Names bound inside expressions never catch one another, however the compiler writes the loops."""

from pathlib import Path

from tests.tiny import build, notes, started

RULES = """
define with_friend(p: place) = {q in places where p in neighbours(q)}
define twins(a: army) = {y in units where y.army == a}
procedure run(a: army):
    report note(count(x in {y in units where y.army == a} where any y in units where y == x))
    report note(count(x in {y in units where y.army == a} where count(y in units where y == x) == 1))
    report note(count(x in twins(a) where count(y in twins(a) where y == x) == 1))
    let n = {x in {y in units where y.army == a} where any y in units where y == x}
    report note(count(n))
    report note(count(y in twins(a) where count(closure of {y} over x, z where x == z) == 1))
"""


def test_inner_loop_names_do_not_capture_outer_names(tmp_path: Path) -> None:
    game = started(build(tmp_path, RULES))
    game.call("run", a="reds")
    assert notes(game) == [3, 3, 3, 3, 3]
