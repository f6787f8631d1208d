"""Reasons why something is illegal, built from the requirements that fail."""

from __future__ import annotations

from interpreter.runtime.errors import Reason
from interpreter.runtime.program import Program
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import Cites, Failures, Telling


def reasons_text(state: State, found: Failures, language: str = "") -> tuple[Reason, ...]:
    """Build the reasons of failing requirements."""
    program = state.program
    out: dict[str, Reason] = {}
    for number, values in found:
        data = program.requirements[number]
        reason = reason_of(
            program,
            ("words", data.words, values),
            language,
            data.cites,
            data.address,
            data.file,
            data.line,
        )
        out.setdefault(data.address + reason.text, reason)
    return tuple(out.values())


def reason_of(
    program: Program,
    telling: Telling,
    language: str = "",
    cite: Cites = (),
    address: str = "",
    file: str = "",
    line: int = 0,
) -> Reason:
    """Build a reason that can be formatted in any language; `telling` is as for `ValueFormatter.told`."""
    return Reason(
        program.naming(language).told(telling),
        cite,
        address,
        file,
        line,
        lambda other: program.naming(other).told(telling),
    )
