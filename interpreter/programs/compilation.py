"""Compile checked rules to a program, in one form or beside the form for play.

All forms of a ruleset have the same columns and decisions, so each accepts a state of another.
"""

from __future__ import annotations

from typing import Any

from interpreter.backends.python.compiled_program import CompiledProgram
from interpreter.ir.program_form import ProgramForm
from interpreter.model.statements import CheckedModel


def compile_model(model: CheckedModel, form: ProgramForm = ProgramForm.PLAY, described: bool = True) -> CompiledProgram:
    """Compile a model without errors, whole, in one form. Raise NestingTooDeepError.

    `described`: include the data of the documents, which are the same in every form.
    """
    from interpreter.backends.python.program_printer import print_model  # large: not for a cached program

    return print_model(model, form=form, described=described)


def compile_beside_play(model: CheckedModel, form: ProgramForm, play: dict[str, Any]) -> CompiledProgram:
    """Compile the functions in which a form differs from the form for play.

    `play` is the data of the form for play. Raise NestingTooDeepError.
    """
    from interpreter.backends.python.program_printer import SharedWithPlay, print_beside

    return print_beside(model, form, SharedWithPlay(play["remembers"], play["written"], play["texts"]))
