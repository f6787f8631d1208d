"""The example of docs/architecture.md matches the compiler's output."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.backends.python.program_printer import print_program
from interpreter.backends.wasm.wasm_module import build_module
from interpreter.ir.printer import format_program
from interpreter.lowering.model_lowering import lower_model
from interpreter.passes.pipeline import run_passes
from tests.witness.small import model_of

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
_ADDRESS = re.compile(r"offset=\d+|[.~]\d+|\b[Kcx]\d+\b")


def plain(text: str) -> str:
    """Return a text without references to lines, indentation, addresses and numbers of columns."""
    lines = (line.partition("  # ")[0].strip() for line in text.splitlines())
    return _ADDRESS.sub("", "\n".join(lines)).strip()


@pytest.mark.parametrize(("stage", "number"), [("ir", 1), ("python", 2), ("wat", 3)])
def test_example_of_architecture_page_matches_printed_code(stage: str, number: int, tmp_path: Path) -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## Life of an expression")[2].partition("\n## ")[0]
    blocks = re.findall(r"```\w+\n(.*?)```", section, re.DOTALL)
    model = model_of(tmp_path, blocks[0])
    program = run_passes(lower_model(model))
    if stage == "wat":
        printed = build_module(program, model.ruleset).module.to_text("define_held")
    else:
        printed = (
            print_program(lower_model(model, explained=True), model, "held")
            if stage == "python"
            else format_program(program, "define_held")
        )
    assert plain(blocks[number]) in plain(printed)
