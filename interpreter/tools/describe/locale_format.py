"""The wording of descriptions in a language.

Sentences come from the interface's catalogue, names from the ruleset's locale. Neither collects data nor lays it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from interpreter.i18n.number_format import number_text
from interpreter.i18n.translator import ENGLISH, Translate

if TYPE_CHECKING:
    from interpreter.model.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class LocaleFormatter:
    """A formatter for sentences and names in one language; ids without a name are shown as they are."""

    say: Translate = ENGLISH
    names: Mapping[str, str] = field(default_factory=dict)

    def name_of(self, identifier: str, *of: str) -> str:
        """Return the name of an id; `of` lists the sorts to try first: "axis", "word", "text"."""
        for sort in of:
            if told := self.names.get(f"{sort}.{identifier}"):
                return told
        return self.names.get(identifier, identifier)

    def value(self, value: object) -> str:
        """Format the data of a value in words."""
        match value:
            case None | "" | []:
                return "-"
            case bool():
                return self.say("yes") if value else self.say("no")
            case dict():
                return self.join_list(f"{self.name_of(k)} {self.value(v)}" for k, v in value.items())
            case list():
                return self.join_list(self.value(v) for v in value)
            case str():
                return self.name_of(value, "word", "text")
        return number_text(value)

    def join_list(self, parts: Iterable[str]) -> str:
        """Join parts with the list separator of the language."""
        return self.say(", ").join(parts)


ENGLISH_IDS = LocaleFormatter()


def locale_formatter(ruleset: Ruleset, lang: str, say: Translate, always: bool = False) -> LocaleFormatter:
    """Return the formatter for a ruleset in a language.

    In the ruleset's first language ids are kept as ids, unless `always`.
    """
    if lang not in ruleset.languages[not always :]:
        return LocaleFormatter(say)
    locale = ruleset.locales.get(lang)
    names = {name: told.text for name, told in locale.names.items()} if locale is not None else {}
    for ladder in ruleset.ladders.values():
        names.update(_labelled(zip(ladder.rungs, ladder.labels, strict=True), lang))
    labelled = [(a.name, a.label) for kind in ruleset.kinds.values() for a in kind.attributes.values()]
    labelled += [(table.id, table.label) for table in ruleset.tables.values()]
    labelled += [(constant.id, constant.label) for constant in ruleset.constants.values()]
    labelled += [(option.id, option.label) for option in ruleset.options.values()]
    labelled += [(attribute.name, attribute.label) for attribute in ruleset.game.values()]
    for kind in reversed(list(ruleset.kinds.values())):
        labelled += [(thing.id, thing.label) for thing in kind.things]
    names.update(_labelled(labelled, lang))
    return LocaleFormatter(say, names)


def _labelled(entries: Iterable[Any], lang: str) -> dict[str, str]:
    return {identifier: label[lang] for identifier, label in entries if label.get(lang)}
