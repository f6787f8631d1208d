"""In which words a sheet of data is told: sentences by the interface's catalogue, ids by what a language calls them.

Must not look for data, nor lay anything out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from interpreter.i18n.number_format import number_text
from interpreter.i18n.translator import ENGLISH, Translate

if TYPE_CHECKING:
    from interpreter.model.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class LocaleFormatter:
    """Says sentences, and calls ids by their names; in the language a ruleset is written in they go as they stand."""

    say: Translate = ENGLISH
    names: Mapping[str, str] = field(default_factory=dict)

    def called(self, identifier: str, *of: str) -> str:
        """What an id is called; `of` says of what sort it may be: "axis", "word", "text"."""
        for sort in of:
            if told := self.names.get(f"{sort}.{identifier}"):
                return told
        return self.names.get(identifier, identifier)

    def value(self, value: Any) -> str:
        """The data of a value in words."""
        match value:
            case None | "" | []:
                return "-"
            case bool():
                return self.say("yes") if value else self.say("no")
            case dict():
                return self.listed(f"{self.called(k)} {self.value(v)}" for k, v in value.items())
            case list():
                return self.listed(self.value(v) for v in value)
            case str():
                return self.called(value, "word", "text")
        return number_text(value)

    def listed(self, parts: Any) -> str:
        """One after another, with what parts them in the language."""
        return self.say(", ").join(parts)


ENGLISH_IDS = LocaleFormatter()


def tongue_of(ruleset: Ruleset, lang: str, say: Translate, always: bool = False) -> LocaleFormatter:
    """How to tell the sheets of a ruleset in a language; ids stay ids in its own first language, unless `always`."""
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


def _labelled(entries: Any, lang: str) -> dict[str, str]:
    return {identifier: label[lang] for identifier, label in entries if label.get(lang)}
