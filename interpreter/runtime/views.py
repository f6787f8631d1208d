"""What a ruleset tells players of a thing beside its attributes: the expressions of its `views`.

Changes nothing.
"""

from __future__ import annotations

from typing import Any

from interpreter.runtime.faults import Fault, RuleFault


def told_of(state: Any, kind: str, handle: int, language: str = "") -> list[tuple[str, str, tuple[str, ...]]]:
    """For each view that has something to tell of a thing: its label, the words, its citations."""
    program = state.program
    naming = program.naming(language)
    found = []
    for name, view in program.data["views"].items():
        if view["kind"] != kind or view["cls"] and program.kinds[kind]["things"][handle]["cls"] != view["cls"]:
            continue
        try:
            value = program.functions["view_" + name](state, handle)
        except (Fault, RuleFault, ArithmeticError):  # told where it makes sense; elsewhere it says nothing
            continue
        if value is None or value is False or value == ():
            continue
        words = "" if value is True else naming.value(view["show"], value)
        found.append((naming.label(view["label"], name.replace("_", " ")), words, tuple(view["cites"])))
    return found
