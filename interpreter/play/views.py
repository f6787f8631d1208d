"""What a ruleset tells players of a thing beside its attributes: the expressions of its `views`.

Changes nothing.
"""

from __future__ import annotations

from typing import Any

from interpreter.runtime.errors import RuleFault, RuntimeFault
from interpreter.runtime.limits import begin_anew

Told = list[tuple[str, str, tuple[str, ...]]]


def told_of(state: Any, kind: str | None, handle: int = 0, language: str = "") -> Told:
    """For each view that has something to tell of a thing, or without a kind of the game: label, words, citations."""
    program = state.program
    naming = program.naming(language)
    found = []
    for name, view in program.data["views"].items():
        if view["kind"] != kind:
            continue
        if kind is not None and view["cls"] and program.kinds[kind]["things"][handle]["cls"] != view["cls"]:
            continue
        begin_anew(state)
        try:
            value = program.functions["view_" + name](state, *(() if kind is None else (handle,)))
        except (RuntimeFault, RuleFault, ArithmeticError):  # told where it makes sense; elsewhere it says nothing
            continue
        if value is None or value is False or value == ():
            continue
        words = "" if value is True else naming.value(view["show"], value)
        found.append((naming.label(view["label"], name.replace("_", " ")), words, tuple(view["cites"])))
    return found


def told_of_all(state: Any, language: str = "") -> dict[str, dict[str, Told]]:
    """What a position tells beside its values: of the game, under "" and "", and of sides and seats by kind and id."""
    program = state.program
    kinds = {view["kind"] for view in program.data["views"].values()}
    found = {
        kind: {
            thing: told
            for handle, thing in enumerate(program.ids[kind])
            if (told := told_of(state, kind, handle, language))
        }
        for kind in ("side", "seat")
        if kind in kinds
    }
    return {"": {"": told_of(state, None, 0, language)}, **found} if None in kinds else found
