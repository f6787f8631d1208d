"""Hints for a word that is unknown in its context but names something elsewhere in the ruleset.

Each hint shows how to refer to it. Reports nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.checker.scope import RulesScope
from interpreter.diagnostics.diagnostic import Related
from interpreter.diagnostics.message_nouns import add_article, get_noun
from interpreter.i18n.translator import Message, mark as _
from interpreter.model import expressions as n, types as t
from interpreter.model.ruleset import Provenance

_YES_AND_NO = {"yes": "true", "no": "false", "on": "true", "off": "false", "null": "none", "nil": "none"}


def suggest_for_word(names: RulesScope, word: str) -> Message:
    """Return a hint on how to refer to a word that is known elsewhere in the ruleset, or '' if it is unknown."""
    ruleset = names.ruleset
    if word in _YES_AND_NO:
        return _("write `{right}`", right=_YES_AND_NO[word])
    if word in ruleset.game:
        return _("it is a value of the game: write `{right}`", right=f"game.{word}")
    if word in ruleset.constants:
        return _("it is a value of the tables: write `{right}`", right=f"value.{word}")
    if word in ruleset.victory.conditions:
        return _("it is a condition of victory: write `{right}`", right=f"victory.{word}")
    if word in ruleset.tables:
        axes = ", ".join(axis.name for axis in ruleset.tables[word].axes)
        return _("it is a table; read it with square brackets: write `{right}`", right=f"{word}[{axes}]")
    if word in ruleset.options:
        return _("it is an optional rule: write `{right}`", right=f"playing {word}")
    if word in ruleset.dice:
        return _("it is a die: roll it with `{right}`", right=f"roll NAME: {word} -> result")
    if any(place.holding == word for place in ruleset.kinds["place"].things):
        return _("there are several places with this name: write `{right}` and say whose it is", right=f"{word}(...)")
    owner = next((names.find_kind(kind.one) for kind in ruleset.kinds.values() if word in kind.attributes), None)
    if owner is not None:
        for cls in ruleset.classes.values():
            if owner.kind == "piece" and word in cls.attributes:
                owner = names.find_kind(cls.one) or owner
                break
        return _(
            "it is an attribute of {what}: write whose it is before it, as in `x.{word}`",
            what=add_article(get_noun(names.get_type_word(owner))),
            word=word,
        )
    return Message("")


def spell_in_rules(names: RulesScope, word: str) -> str:
    """Return a thing's id as rules write it: kind and quoted id if the id is not an identifier."""
    if word.isidentifier():
        return word
    kind = next((kind for kind, ids in names.index.ids.items() if word in ids), None)
    return word if kind is None else _quote(names, kind, word)


def suggest_for_id(names: RulesScope, expression: n.Core, expected: t.Type) -> Message:
    """Return a hint if a number or text was written in place of the thing with that id, else ''."""
    expected = t.strip_maybe(expected)
    if (
        not isinstance(expected, t.ThingType)
        or not isinstance(expression, n.Literal)
        or expression.type not in (t.INT, t.TEXT)
    ):
        return Message("")
    text = str(expression.value)
    ids = names.index.ids.get(expected.kind, ())
    suggestion = text if text in ids else next((thing_id for thing_id in ids if thing_id.lstrip("0") == text), "")
    return _("write {call}", call=_quote(names, expected.kind, suggestion)) if suggestion else Message("")


def list_type_origins(names: RulesScope, expressions: Iterable[n.Core]) -> tuple[Related, ...]:
    """Return the places in the documents that give the expressions their types, without repeats.

    A wrong type in the rules is often an error in the data: in a value of the tables, an attribute, or a chart.
    """
    messages = {
        origin.span: message for expression in expressions for message, origin in _iter_type_origins(names, expression)
    }
    return tuple(Related(message, span) for span, message in messages.items())


def _iter_type_origins(names: RulesScope, expression: n.Core) -> Iterable[tuple[Message, Provenance]]:
    """Yield (message, origin) of the declaration that gives an expression its type."""
    ruleset = names.ruleset
    match expression:
        case n.Literal(datum=datum) if datum.startswith("value."):
            constant = ruleset.constants[datum.removeprefix("value.")]
            yield _("`{name}` is given here", name=constant.id), constant.origin
        case n.GameValue(name=name):
            yield _("`{name}` is declared here", name=name), ruleset.game[name].origin
        case n.AttributeOf(kind=kind, name=name) if name in ruleset.kinds[kind].attributes:
            yield _("`{name}` is declared here", name=name), ruleset.kinds[kind].attributes[name].origin
        case n.LookUp(table=table):
            yield _("`{name}` is declared here", name=table), ruleset.tables[table].origin


def _quote(names: RulesScope, kind: str, word: str) -> str:
    return f'{names.get_type_word(t.ThingType(kind))}("{word}")'
