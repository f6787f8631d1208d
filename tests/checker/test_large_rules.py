"""Rules that are larger than anybody writes them are told where they are, or work."""

from __future__ import annotations

from pathlib import Path

from interpreter import check
from tests.tiny import build, started, write


def test_huge_number_is_reported_at_its_place(tmp_path: Path) -> None:
    target = write(tmp_path, "procedure run(a: army):\n    set game.total = " + "9" * 5000 + "\n")
    errors = [d for d in check(str(target)) if d.severity == "error"]
    assert [(d.code, d.span.file, d.span.line) for d in errors] == [("number-too-long", "tiny/own.rules", 2)]


def test_loops_deep_in_one_another_are_worked_through_at_once(tmp_path: Path) -> None:
    deep = "".join("    " * (n + 1) + f"for x{n} in 1..2:\n" for n in range(10))
    rules = build(tmp_path, f"procedure run(a: army):\n{deep}{'    ' * 11}raise game.total by 1\n")
    game = started(rules)
    game.call("run", a="reds")
    assert game.view()["game"]["total"] == 2**10
