"""Choose markers for the conditions of pieces whose ruleset states none, from its attributes and their words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter.model import types as t
from interpreter.model.drawing import MarkerGroup, MarkerStyle
from interpreter.model.ruleset import Attribute, Ruleset

_SIGNS: Mapping[str, str] = {
    "flag": "broken fled flees fleeing panicked rout routed routing surrendered",
    "corner": "acted activated done exhausted finished marched moved ordered played sailed spent used",
    "flash": "fired firing loaded prepared ready shot",
    "swords": "assaulted attacked charged engaged fighting fought melee",
    "bar": "halted hidden immobile isolated pinned stopped stunned suppressed unsupplied",
}
_SIGN_OF = {word: sign for sign, words in _SIGNS.items() for word in words.split()}


def choose_markers(ruleset: Ruleset, cls: str) -> tuple[MarkerGroup, ...]:
    """Return markers for every flag, word or rung of a class that changes in play and differs from its default."""
    attributes = ruleset.kinds["piece"].attributes
    found = []
    for name in ruleset.classes[cls].attributes:
        attribute = attributes[name]
        if attribute.changes and attribute.told and attribute.has_default:
            looks = {value: _style(value if value != "true" else name) for value in _marked_values(attribute, ruleset)}
            if looks:
                found.append(MarkerGroup(name, looks))
    return tuple(found)


def _marked_values(attribute: Attribute, ruleset: Ruleset) -> Iterator[str]:
    """Yield the values of an attribute, as documents write them, that are worth a marker."""
    match attribute.type:
        case t.FlagType() if not attribute.default:
            yield "true"
        case t.OneOfType(values=words):
            yield from (word for word in words if word != attribute.default)
        case t.RungType(ladder=name):
            rungs = ruleset.ladders[name].rungs
            yield from (rung for n, rung in enumerate(rungs) if n != attribute.default)


def _style(word: str) -> MarkerStyle:
    """Return the marker for a condition called by a word: a known sign, or a badge."""
    sign = next((_SIGN_OF[part] for part in word.casefold().split("_") if part in _SIGN_OF), "badge")
    return MarkerStyle(sign)
