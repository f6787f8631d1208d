"""Words with holes that documents give, filled with what holds now: titles of turns, short forms of things.

Changes nothing. What has no such words, or cannot be told now, is ''.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from interpreter.runtime.faults import Fault, RuleFault
from interpreter.runtime.limits import begin_anew

if TYPE_CHECKING:
    from interpreter.runtime.program import Program


def worded(state: Any, key: str, values: Iterable[Any] = (), language: str = "") -> str:
    """The words under a key, in a language or else in the ruleset's first."""
    program = state.program
    found = program.data["worded"].get(key)
    if found is None:
        return ""
    naming = program.naming(language)
    number, function, _ = found.get(naming.language) or next(iter(found.values()))
    begin_anew(state)
    try:
        inside = program.functions[function](state, *values)
    except (Fault, RuleFault, ArithmeticError):
        return ""
    return str(naming.words(number, inside))


def holds(state: Any, key: str, values: Iterable[Any] = ()) -> bool:
    """Whether what the expression under a key asks is so: it says yes, or has a value; no where it cannot be told."""
    found = state.program.data["worded"].get(key)
    if found is None:
        return False
    _, function, _ = next(iter(found.values()))
    begin_anew(state)
    try:
        inside = state.program.functions[function](state, *values)
    except (Fault, RuleFault, ArithmeticError):
        return False
    return inside[0] is not None and inside[0] is not False


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
    key = _short_key(state.program, kind, handle)
    return worded(state, key, (handle,), language) if key else ""


def short_label(state: Any, kind: str, handle: int) -> dict[str, str]:
    """The same in each language of the ruleset; empty where there is none."""
    told = {language: short_form(state, kind, handle, language) for language in state.program.languages}
    return {language: words for language, words in told.items() if words}


def told_by_short(program: Program, kind: str, handle: int) -> tuple[str, ...]:
    """The attributes of a thing that its short form tells."""
    key = _short_key(program, kind, handle)
    return tuple(next(iter(program.data["worded"][key].values()))[2]) if key else ()


def _short_key(program: Program, kind: str, handle: int) -> str:
    if not program.has_shorts:
        return ""
    thing = program.kinds[kind]["things"][handle]
    keys = [f"short.{kind}.{thing['id']}"]
    if thing["holding"]:
        keys.append(f"short.{kind}.{thing['holding']}")
    keys.append(f"short.class.{thing['cls']}" if kind == "piece" else f"short.{kind}")
    return next((k for k in keys if k in program.data["worded"]), "")
