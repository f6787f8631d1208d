"""Values of a ruleset as words and as plain data: ids for handles, names for rungs.

Independent of where a value is shown.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.model.ruleset import Label, Ruleset, Thing
    from interpreter.model.types import Type


def format_label(label: Label, lang: str) -> str:
    """Return the label in a language, else in its first language; '' for an empty label."""
    return label.get(lang) or next(iter(label.values()), "")


def format_name_with_id(thing_id: str, words: str) -> str:
    """Return "Green Hill (hill)", or one of both alone if the words say no more than the id."""
    if not words or words.lower().replace(" ", "_").replace("-", "_") == thing_id.replace("-", "_").lower():
        return words or thing_id
    return f"{words} ({thing_id})"


def translate_name(ruleset: Ruleset, name: str, lang: str) -> str:
    """Return the translation of a name in a language, or the name itself with spaces for underscores."""
    locale = ruleset.locales.get(lang)
    translation = locale.names.get(name) if locale is not None else None
    return translation.text if translation is not None else name.replace("_", " ")


def get_thing(ruleset: Ruleset, kind: str, handle: int) -> Thing:
    """Return the thing of a kind with a handle."""
    return ruleset.kinds[kind].things[handle]


def format_cites(cites: Sequence[str]) -> str:
    """Return " [5.1, 5.2]" for paragraph numbers, with the leading space, or '' without any."""
    return f" [{', '.join(cites)}]" if cites else ""


def convert_tuples_to_lists(value: object) -> object:
    """Return a value with its tuples, also nested ones, as lists."""
    return [convert_tuples_to_lists(item) for item in value] if isinstance(value, tuple) else value


def format_as_document(data: object) -> str:
    """Return plain data as a document writes it: `true`, `null`, `[a, b]`, `{loss: 2}`."""
    match data:
        case None:
            return "null"
        case bool():
            return "true" if data else "false"
        case list() | tuple():
            return "[" + ", ".join(map(format_as_document, data)) + "]"
        case dict():
            return "{" + ", ".join(f"{key}: {format_as_document(part)}" for key, part in data.items()) + "}"
    return str(data)


def format_value_text(value: Any, type: Type, ruleset: Ruleset) -> str:  # noqa: ANN401 - its shape follows `type`
    """Format a value of a type as a document writes it: an id, `true`, `[a, b]`."""
    return format_as_document(to_plain_value(value, type, ruleset))


def to_plain_value(value: Any, type: Type, ruleset: Ruleset) -> object:  # noqa: ANN401 - its shape follows `type`
    """Convert a value to data: text for ids, rungs and words, lists for sets and lists; fractions are kept."""
    if value is None:
        return None
    from interpreter.model import types as t  # imported late: charts need no model

    match type:
        case t.MaybeType(item=item):
            return to_plain_value(value, item, ruleset)
        case t.ThingType(kind=kind):
            return get_thing(ruleset, kind, value).id
        case t.RungType(ladder=ladder):
            return ruleset.ladders[ladder].rungs[value]
        case t.SetType(item=item) | t.ListType(item=item):
            return [to_plain_value(v, item, ruleset) if item else v for v in value]
        case t.RecordType(id=record):
            fields = ruleset.records[record].fields.items()
            return {name: to_plain_value(v, field, ruleset) for (name, field), v in zip(fields, value, strict=True)}
        case t.PartType(arms=arms):
            return {value[0]: value[1]} if dict(arms).get(value[0]) else value[0]
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value
