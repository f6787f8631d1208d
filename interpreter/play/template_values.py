"""Text templates of documents, filled from the position: turn titles, short forms of things.

A text that is missing, or that cannot be evaluated in the position, is ''.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from interpreter.i18n.number_format import format_plain_value
from interpreter.runtime.machine import evaluate_or_none
from interpreter.runtime.type_aliases import DisplayType
from interpreter.runtime.value_ids import from_value_id, to_value_id

if TYPE_CHECKING:
    from interpreter.runtime.localizer import Localizer
    from interpreter.runtime.program import Program
    from interpreter.runtime.state import State


def format_template(state: State, key: str, values: Iterable[Any] = (), language: str = "") -> str:
    """Return the text of a template of the documents, filled, in a language, or in the ruleset's first language.

    `key`: the key of the template, as in `Worded` of the documents; `values`: the handle of the thing that its
    placeholders refer to, () for none.
    """
    return _format_template(state, key, values, language, {})


def _format_template(state: State, key: str, values: Iterable[Any], language: str, texts: dict[str, Any]) -> str:
    """Return the text of the template under a key, filled, in a language.

    `values`: the handle of the thing that its placeholders refer to; `texts` memoizes the values of the placeholders by
    the function that computes them.
    """
    template = state.program.data["worded"].get(key)
    if template is None:
        return ""
    localizer = state.program.get_localizer(language)
    number, function, _ = template.get(localizer.lang) or next(iter(template.values()))
    if function not in texts:
        texts[function] = evaluate_or_none(state, state.program.functions.get(function), *values, text=number)
    return "" if texts[function] is None else str(localizer.fill_text(number, texts[function]))


def is_template_true(state: State, key: str, values: Iterable[Any] = ()) -> bool:
    """Return whether the expression under a key is true or has a value; False also if it cannot be evaluated.

    `values`: the handle of the thing that the expression is about, () for none.
    """
    template = state.program.data["worded"].get(key)
    if template is None:
        return False
    values_found = evaluate_or_none(state, state.program.functions.get(next(iter(template.values()))[1]), *values)
    return values_found is not None and values_found[0] is not None and values_found[0] is not False


def find_template_value(state: State, kind: str, name: str, handle: int) -> str | None:
    """Return the value that an attribute or an expression of the documents has for one thing, as documents write it.

    `name`: the name of the attribute, or the key of the expression. Returns None if the value is missing or cannot be
    evaluated.
    """
    program = state.program
    show = _find_value_type(program, kind, name)
    if show is None:
        return None
    if name in program.data["worded"]:
        values_found = evaluate_or_none(
            state, program.functions.get(next(iter(program.data["worded"][name].values()))[1]), handle
        )
        value = None if values_found is None else values_found[0]
    else:
        slot = program.slot_of.get((kind, name))
        value = (program.constants[kind, name] if slot is None else getattr(state, slot))[handle]
    plain_value = to_value_id(program, show, value)
    return None if plain_value is None else format_plain_value(plain_value)


def format_documented_value(program: Program, kind: str, name: str, text: str, language: str = "") -> str:
    """Format a value given as documents write it; unchanged if it cannot be converted.

    `name`: the attribute, or the key of the expression, that has the value; `text`: the value.
    """
    show = _find_value_type(program, kind, name)
    while show is not None and show[0] == "maybe":
        show = show[1]
    if show is None:
        return text
    try:
        is_whole = show[0] in ("int", "number") and "/" not in text
        plain_value = int(text) if is_whole else text
        return program.get_localizer(language).format_value(show, from_value_id(program, show, plain_value))
    except ValueError:
        return text


def _find_value_type(program: Program, kind: str, name: str) -> DisplayType | None:
    """Return the type description of an attribute, or of the expression with the key `name`, or None for neither."""
    template = program.data["worded"].get(name)
    if template is not None:
        worded: DisplayType = program.data["texts"][next(iter(template.values()))[0]][0]
        return worded
    attribute = program.kinds[kind]["attributes"].get(name)
    return None if attribute is None else cast("DisplayType", attribute["show"])


def format_turn_title(program: Program, scenario: str | None, turn: int, language: str = "") -> str:
    """Return the title of a turn, shown beside its number: the scenario's, else the ruleset's, else ''."""
    keys = (f"turn.{scenario}.{turn}", "turn")
    if not any(key in program.data["worded"] for key in keys):
        return ""
    state = program.create_state()
    state.turn = turn
    return next((title for key in keys if (title := format_template(state, key, (), language))), "")


def format_turn(localizer: Localizer, turn: int, scenario: str | None) -> str:
    """Return a turn as its number and its title, if any."""
    return localizer.with_detail(
        localizer.say("turn {number}", number=turn),
        format_turn_title(localizer.program, scenario, turn, localizer.lang),
    )


def format_short_form(state: State, kind: str, handle: int, language: str = "") -> str:
    """Return the short form of a thing: its own, or else the one that its class or kind defines."""
    key = _find_short_form_key(state.program, kind, handle)
    return format_template(state, key, (handle,), language) if key else ""


def build_short_label(state: State, kind: str, handle: int) -> dict[str, str]:
    """Return the short form of a thing in each language of the ruleset; empty if it has none."""
    key, texts = _find_short_form_key(state.program, kind, handle), dict[str, Any]()
    labels = {x: _format_template(state, key, (handle,), x, texts) for x in state.program.languages} if key else {}
    return {language: words for language, words in labels.items() if words}


def list_short_form_attributes(program: Program, kind: str, handle: int) -> tuple[str, ...]:
    """Return the names of the attributes that the short form of a thing shows; () if it has no short form."""
    key = _find_short_form_key(program, kind, handle)
    return tuple(next(iter(program.data["worded"][key].values()))[2]) if key else ()


def _find_short_form_key(program: Program, kind: str, handle: int) -> str:
    """Return the key of the short form of a thing: its own, its family's or its class's; '' if there is none."""
    if not program.has_shorts:
        return ""
    thing = program.kinds[kind]["things"][handle]
    keys = [f"short.{kind}.{thing.get('shown', thing['id'])}"]
    if thing["holding"]:
        keys.append(f"short.{kind}.{thing['holding']}")
    keys.append(f"short.class.{thing['cls']}" if kind == "piece" else f"short.{kind}")
    return next((k for k in keys if k in program.data["worded"]), "")
