"""Test that too deep nesting is refused with its place, by `check` and on loading, and that less deep nesting plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import check, load
from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.language.ast_builder import MAX_EXPRESSION_DEPTH, MAX_LOOP_DEPTH
from tests.tiny import build, called, notes, write


def loops(deep: int, inner: str) -> str:
    """Return a procedure with so many nested loops."""
    lines = ["procedure run(a: army):"]
    for depth in range(deep):
        lines.append("    " * (depth + 1) + f"for n{depth} in 1..1:")
    return "\n".join([*lines, "    " * (deep + 1) + inner]) + "\n"


def chained(wanted: int) -> str:
    """Return so many nested quantifiers, each of which needs a loop of its own: the innermost test reads all."""
    inner = f"any x0 in 1..2 where {' + '.join(f'x{number}' for number in range(wanted))} > 0"
    for number in range(1, wanted):
        inner = f"any x{number} in 1..2 where {inner}"
    return inner


def refused(folder: Path, rules: str) -> tuple[str, int, str]:
    """Return the code, line and message of the one error; check that loading reports the same."""
    target = write(folder, rules)
    (found,) = [d for d in check(target) if d.severity == "error"]
    with pytest.raises(RulesetError) as fault:
        load(target)
    assert [d.code for d in fault.value.diagnostics] == [found.code]
    return found.code, found.span.line, str(found.message)


@pytest.mark.parametrize("deep", [MAX_LOOP_DEPTH + 1, 30])
def test_too_many_loops_inside_one_another(tmp_path: Path, deep: int) -> None:
    code, line, message = refused(tmp_path, loops(deep, "report note(1)"))
    assert (code, line) == ("nested-too-deep", MAX_LOOP_DEPTH + 2)
    assert "10 deep" in message


@pytest.mark.parametrize("terms", [MAX_EXPRESSION_DEPTH + 1, 600, 5000])
def test_sum_that_is_too_long(tmp_path: Path, terms: int) -> None:
    rules = "define long() = " + " + ".join(["1"] * terms) + "\n"
    code, line, message = refused(tmp_path, rules)
    assert (code, line) == ("nested-too-deep", 1)
    assert "more than" in message


def test_deepest_accepted_nesting_is_playable(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        "define long() = "
        + " + ".join(["1"] * (MAX_EXPRESSION_DEPTH - 1))
        + "\n"
        + loops(MAX_LOOP_DEPTH, "report note(long)"),
    )
    assert notes(called(rules, "run", a="reds")) == [MAX_EXPRESSION_DEPTH - 1]


def test_loops_of_statements_and_expressions_together(tmp_path: Path) -> None:
    code, line, _ = refused(tmp_path, loops(MAX_LOOP_DEPTH, f"if {chained(12)}: report note(1)"))
    assert (code, line) == ("nested-too-deep", MAX_LOOP_DEPTH + 2)


def test_long_chains_of_defines_play(tmp_path: Path) -> None:
    one = " + ".join(["n"] * (MAX_EXPRESSION_DEPTH - 10))
    lines = ["define d0(n: int) = n"]
    lines += [f"define d{i}(n: int) = d{i - 1}({one}) - d{i - 1}({one})" for i in range(1, 6)]
    rules = build(tmp_path, "\n".join(lines) + "\nprocedure run(a: army):\n    report note(d5(0))\n")
    assert notes(called(rules, "run", a="reds")) == [0]
