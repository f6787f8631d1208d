"""Words with holes that documents give, filled with what holds now: titles of turns, short forms of things.

Changes nothing. What has no such words, or cannot be told now, is ''.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from interpreter.runtime.faults import Fault, RuleFault

if TYPE_CHECKING:
    from interpreter.runtime.program import Program


def worded(state: Any, key: str, values: Iterable[Any] = (), language: str = "") -> str:
    """The words under a key, in a language or else in the ruleset's first."""
    program = state.program
    found = program.data["worded"].get(key)
    if found is None:
        return ""
    naming = program.naming(language)
    number, function = found.get(naming.language) or next(iter(found.values()))
    try:
        inside = program.functions[function](state, *values)
    except (Fault, RuleFault, ArithmeticError, LookupError):
        return ""
    return str(naming.words(number, inside))


def turn_title(program: Program, scenario: str | None, turn: int, language: str = "") -> str:
    """What a turn is called beside its number: by the scenario, else by the ruleset."""
    keys = (f"turn.{scenario}.{turn}", "turn")
    if not any(key in program.data["worded"] for key in keys):
        return ""
    state = program.fresh_state()
    state.turn = turn
    return next((told for key in keys if (told := worded(state, key, (), language))), "")


def short_form(state: Any, kind: str, handle: int, language: str = "") -> str:
    """The short form of a thing: its own, else that of its class or kind."""
    program = state.program
    known = program.data["worded"]
    if not program.has_shorts:
        return ""
    thing = program.kinds[kind]["things"][handle]
    keys = [f"short.{kind}.{thing['id']}"]
    if thing["holding"]:
        keys.append(f"short.{kind}.{thing['holding']}")
    keys.append(f"short.class.{thing['cls']}" if kind == "piece" else f"short.{kind}")
    key = next((k for k in keys if k in known), None)
    return "" if key is None else worded(state, key, (handle,), language)
