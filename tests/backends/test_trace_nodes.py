"""Forms of a program beside play: where trace nodes are, where a program for odds suspends, what its frames keep."""

from __future__ import annotations

from pathlib import Path

from interpreter.backends.python.program_printer import ProgramPrinter
from interpreter.ir.program_records import ProgramForm
from interpreter.lowering.lowering_context import iter_requirements, number_requirements
from interpreter.lowering.model_lowering import lower_model
from tests.witness.forms import programs_of
from tests.witness.small import model_of

RULES = """
    rule free(p: place):
        require empty: not (any u in units where u.at == p)  "{p} is taken"
    procedure throw(a: army, n: int):
        let late = n + 1
        roll first: die -> one
        set game.total = one + late
        choose one by a:
            option go(p in places):
                require free(p)
                set game.total = 0
            otherwise: nothing
    turn:
        phase first:
            throw(reds, 3)
"""


def text_of(folder: Path, form: ProgramForm, name: str) -> str:
    model = model_of(folder, RULES)
    printer = ProgramPrinter(lower_model(model, explained=True, form=form), model)
    printer.add_all()
    return printer.module.to_text(name)


def test_requirement_is_counted_in_forms_that_count(tmp_path: Path) -> None:
    for form in ProgramForm:
        if not form.is_beside_play:
            text = text_of(tmp_path / form, form, "r_free")
            assert ("COVERAGE.require(0, " in text) == form.counts_requirements


def test_requirement_number_is_that_of_its_description(tmp_path: Path) -> None:
    model = model_of(tmp_path, RULES)
    requirements = list(iter_requirements(model))
    assert len(number_requirements(model)) == len(requirements) == 2
    described = programs_of(model, ["covered"])["covered"].requirements
    assert [x.address for x in described] == [x.address for x in requirements]


def test_odds_frame_keeps_only_variables_still_read(tmp_path: Path) -> None:
    model = model_of(tmp_path, RULES)
    programs = programs_of(model, ["play", "odds"])
    frames = {form: [names for _, _, names, _ in x.data["resumes"]["throw"]] for form, x in programs.items()}
    assert frames["odds"] == [["v_a", "v_late"], []]
    assert len(frames["play"]) == 1 and {"v_a", "v_n", "v_late", "v_one"} <= set(frames["play"][0])
