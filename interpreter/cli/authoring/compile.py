"""Implement `grognard compile`: print the intermediate representation, the Python or the WebAssembly of rules."""

from __future__ import annotations

import argparse

from interpreter.cli.arguments import add_ruleset
from interpreter.cli.errors import GOOD, UsageError
from interpreter.cli.output import print_line
from interpreter.i18n.translator import mark as _

HELP = _("print the compiler output for the rules")
LOWERING = "lowering"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    from interpreter.passes.pipeline import PASSES, PYTHON_PASSES

    add_ruleset(parser)
    parser.add_argument(
        "name", metavar=_("NAME"), nargs="?", default="", help=_("procedure, define, rule, decision or draft")
    )
    parser.add_argument(
        "--emit",
        choices=("ir", "python", "wat"),
        default="ir",
        help=_("ir: the intermediate representation; python: Python; wat: WebAssembly (default: ir)"),
    )
    parser.add_argument(
        "--stop-after", choices=(LOWERING, *PASSES, *PYTHON_PASSES), help=_("last pass to run (default: all)")
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the compiled rules in the requested form.

    Raise UsageError for an unknown name, or if the form is not available for these rules.
    """
    from interpreter.api.game import load
    from interpreter.backends.wasm.memory_layout import NotEncodableError
    from interpreter.lowering.model_lowering import lower_model
    from interpreter.lowering.value_types import NotLoweredError
    from interpreter.passes.pipeline import PYTHON_PASSES, run_passes

    model = load(arguments.ruleset, checked=True).model
    assert model is not None
    try:
        last_stage = arguments.stop_after
        for_python = last_stage in PYTHON_PASSES and arguments.emit != "wat"
        program = run_passes(lower_model(model), stop_after=last_stage, for_python=for_python)
        if arguments.emit == "python":
            from interpreter.backends.python.program_printer import print_program

            text = print_program(lower_model(model, explained=True), model, arguments.name, last_stage)
        elif arguments.emit == "ir":
            from interpreter.ir.printer import format_program

            text = format_program(program, arguments.name)
        else:
            from interpreter.backends.wasm.wasm_module import build_module

            text = build_module(program, model.ruleset).module.text(arguments.name)
    except (NotEncodableError, NotLoweredError) as refusal:
        raise UsageError("this form is not available for these rules: {reason}", reason=str(refusal)) from refusal
    if not text.strip():
        raise UsageError("the rules have no name `{name}`", name=arguments.name)
    print_line(text.rstrip())
    return GOOD
