"""Words with holes that documents give, filled with what holds now: titles of turns, short forms of things.

Changes nothing. What has no such words, or cannot be told now, is ''.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from interpreter.runtime.faults import Fault, RuleFault
from interpreter.runtime.limits import begin_anew
from interpreter.runtime.naming import value_from_id, value_id
from interpreter.words.numbers import plain_text

if TYPE_CHECKING:
    from interpreter.runtime.program import Program


def worded(state: Any, key: str, values: Iterable[Any] = (), language: str = "") -> str:
    """The words under a key, in a language or else in the ruleset's first."""
    return _told(state, key, values, language, {})


def _told(state: Any, key: str, values: Iterable[Any], language: str, known: dict[str, Any]) -> str:
    """The same; `known` is what stands in the holes by the function that tells it, so that it is worked out once."""
    found = state.program.data["worded"].get(key)
    if found is None:
        return ""
    naming = state.program.naming(language)
    number, function, _ = found.get(naming.language) or next(iter(found.values()))
    if function not in known:
        known[function] = _inside(state, function, values)
    return "" if known[function] is None else str(naming.words(number, known[function]))


def holds(state: Any, key: str, values: Iterable[Any] = ()) -> bool:
    """Whether what the expression under a key asks is so: it says yes, or has a value; no where it cannot be told."""
    found = state.program.data["worded"].get(key)
    if found is None:
        return False
    inside = _inside(state, next(iter(found.values()))[1], values)
    return inside is not None and inside[0] is not None and inside[0] is not False


def looked_up(state: Any, kind: str, name: str, handle: int) -> str | None:
    """The value of a thing's attribute, or of the expression under a key, as documents write it.

    None where there is no value or it cannot be told.
    """
    program = state.program
    show = _show(program, kind, name)
    if show is None:
        return None
    if name in program.data["worded"]:
        inside = _inside(state, next(iter(program.data["worded"][name].values()))[1], (handle,))
        value = None if inside is None else inside[0]
    else:
        slot = program.slot_of.get((kind, name))
        value = (program.constants[kind, name] if slot is None else getattr(state, slot))[handle]
    told = value_id(program, show, value)
    return None if told is None else plain_text(told)


def value_words(program: Program, kind: str, name: str, written: str, language: str = "") -> str:
    """Such a value in words."""
    show = _show(program, kind, name)
    while show is not None and show[0] == "maybe":
        show = show[1]
    if show is None:
        return written
    try:
        is_whole = show[0] in ("int", "number") and "/" not in written
        given = int(written) if is_whole else written
        return program.naming(language).value(show, value_from_id(program, show, given))
    except ValueError:
        return written


def _show(program: Program, kind: str, name: str) -> Any:
    """How values of an attribute, or of the expression under a key, are told; None for neither."""
    found = program.data["worded"].get(name)
    if found is not None:
        return program.data["texts"][next(iter(found.values()))[0]][0]
    attribute = program.kinds[kind]["attributes"].get(name)
    return None if attribute is None else attribute["show"]


def _inside(state: Any, function: str, values: Iterable[Any]) -> Any:
    """What stands in the holes now; None where it cannot be told."""
    begin_anew(state)
    try:
        return state.program.functions[function](state, *values)
    except (Fault, RuleFault, ArithmeticError):
        return None


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
    key, known = _short_key(state.program, kind, handle), dict[str, Any]()
    told = {x: _told(state, key, (handle,), x, known) for x in state.program.languages} if key else {}
    return {language: words for language, words in told.items() if words}


def told_by_short(program: Program, kind: str, handle: int) -> tuple[str, ...]:
    """The attributes of a thing that its short form tells."""
    key = _short_key(program, kind, handle)
    return tuple(next(iter(program.data["worded"][key].values()))[2]) if key else ()


def _short_key(program: Program, kind: str, handle: int) -> str:
    if not program.has_shorts:
        return ""
    thing = program.kinds[kind]["things"][handle]
    keys = [f"short.{kind}.{thing.get('shown', thing['id'])}"]
    if thing["holding"]:
        keys.append(f"short.{kind}.{thing['holding']}")
    keys.append(f"short.class.{thing['cls']}" if kind == "piece" else f"short.{kind}")
    return next((k for k in keys if k in program.data["worded"]), "")
