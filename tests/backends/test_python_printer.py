"""Python printed from the intermediate representation: its text, and the positions of faults."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.api.loading import with_identity
from interpreter.backends.python.compiled_program import CompiledProgram
from interpreter.backends.python.program_printer import compile_program, print_program
from interpreter.backends.python.source_module import SourceBlock, SourceModule
from interpreter.diagnostics.source_text import NOWHERE
from interpreter.lowering.model_lowering import lower_model
from interpreter.model.checked_model import CheckedModel
from interpreter.play.setup import create_game
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.program import Program
from tests.witness.small import model_of

Printed = Callable[..., str]


@pytest.fixture
def printed(tmp_path: Path) -> Printed:
    """Return the Python of an item of small rules, without the places it comes from."""

    def made(rules: str, name: str) -> str:
        model = model_of(tmp_path, rules)
        lines = print_program(lower_model(model, explained=True), model, name).splitlines()
        return "\n".join(line.split("  # ")[0].rstrip() for line in lines if line)

    return made


def program_of(model: CheckedModel) -> Program:
    made = compile_program(lower_model(model, explained=True), model)
    return Program(
        made.codes, json.loads(json.dumps(with_identity(CompiledProgram(made.codes, made.data), model).data))
    )


def test_quantifier_is_printed_as_loop_that_stops(printed: Printed) -> None:
    text = printed("define crowded(a: army, p: place) = any u in units where u.army == a and u.at == p", "d_crowded")
    assert "for v_u in CLASS_unit:" in text and "break" in text
    assert "any(" not in text


def test_filter_is_tested_inside_loop_that_reads_it(printed: Printed) -> None:
    rules = "define there(p: place) = {u in units where u.at == p}\ndefine many(p: place) = count(u in there(p))"
    text = printed(rules, "d_many")
    assert text.count("for ") == 1 and "d_there" not in text


def test_listing_tests_requirement_before_next_parameter(printed: Printed) -> None:
    rules = """
        turn:
            phase first:
                choose go by reds:
                    option go(u in units, p in places):
                        require near: linked(u.at, p) "far"
                        require own: u.army == reds "not yours"
                        move u to p
                    otherwise: nothing
    """
    text = printed(rules, "list_0")
    assert text.index("for v_u") < text.index("== 0") < text.index("for v_p")


def test_listing_computes_invariant_of_parameters_once(printed: Printed) -> None:
    rules = """
        turn:
            phase first:
                ask(reds)
        procedure ask(a: army):
            choose go by a:
                option go(p in places):
                    require few: p.mark < count(u in units where u.army == a) * 2  "no"
                    set p.mark = p.mark + 1
                otherwise: nothing
    """
    text = printed(rules, "list_0")
    assert "h0 = None" in text and "if h0 is not None else (h0 :=" in text


def test_step_computes_value_of_its_test_and_its_fields_once(printed: Printed) -> None:
    rules = """
        draft march(u: unit) starting here = u.at, spent = 0 / 1:
            option enter(p in neighbours(here)) now here = p, spent = spent + 1/2 * u.pace + p.worth:
                require points: spent + 1/2 * u.pace + p.worth <= 3  "too far"
            finish require moved: here != u.at  "stays"
            offer distinct by here
    """
    text = printed(rules, "steps_march")
    assert text.count("K") > 0 and text.count("v_spent +") == 1


def test_search_tests_places_by_function_with_loop(printed: Printed) -> None:
    rules = """
        define way(a: place, b: place) =
            distance from a to b through p where no u in units at p where u.army == blues and u.strength > a.mark
    """
    text = printed(rules, "d_way")
    assert "def test_" in text and "break" in text


def test_whole_number_is_brought_into_normal_form_without_call(printed: Printed) -> None:
    text = printed("define force(u: unit) = u.pace * u.strength", "d_force")
    assert ".__class__ is int else _normalize_number(" in text


def test_comparison_needs_no_normal_form(printed: Printed) -> None:
    assert "_normal" not in printed("define slow(u: unit) = u.strength * 1/2 < u.pace", "d_slow")


def test_frame_of_procedure_holds_its_variables(printed: Printed) -> None:
    rules = """
        procedure pick(a: army, n: int):
            choose one by a:
                option small: set game.total = n
                option large: set game.total = n + 1
        turn:
            phase first:
                pick(reds, 3)
    """
    text = printed(rules, "p_pick")
    assert "G.stack = (('pick', " in text and "), (v_a, v_n), G.stack)" in text
    assert "v_a, v_n = L" in text


def test_fault_names_line_inside_expression(tmp_path: Path) -> None:
    rules = """
        define half(n: int) =
            1 +
            4 / n
        procedure run(a: army):
            set game.total = round_down(half(game.total))
        turn:
            phase first:
                run(reds)
    """
    model = model_of(tmp_path, rules)
    place = model.defines["half"].value.span.line + 1
    with pytest.raises(RuleFault, match="division by zero") as caught:
        create_game(program_of(model), seed=1)
    assert caught.value.line == place


def test_source_module_places_marked_expression() -> None:
    module, out = SourceModule(), SourceBlock()
    out.add(f"return {module.mark_position('a / b', NOWHERE)}", NOWHERE)
    module.add_function("f", ["a", "b"], out, NOWHERE)
    space: dict[str, Callable[[int, int], float]] = {}
    for code in module.compile_code():
        exec(code, space)  # code of this test
    assert space["f"](6, 3) == 2
    assert "\x01" not in module.to_text()


def test_compilation_raises_no_warning() -> None:
    code = "import interpreter; interpreter.load('napoleon').form('odds')"
    root = Path(__file__).resolve().parents[2]
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=root,
        env={"GROGNARD_NO_CACHE": "1", "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
