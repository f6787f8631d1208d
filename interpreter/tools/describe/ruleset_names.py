"""Names for the ids of a ruleset that is not compiled, for descriptions of its documents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from interpreter.i18n.translator import Translator

if TYPE_CHECKING:
    from interpreter.model.ruleset import Ruleset


def add_names(say: Translator, ruleset: Ruleset, lang: str, always: bool = False) -> Translator:
    """Return a translator that also knows the names of a ruleset in a language.

    In the ruleset's first language ids are kept as ids, unless `always`.
    """
    if lang not in ruleset.languages[not always :]:
        return replace(say, names={})
    locale = ruleset.locales.get(lang)
    names = {name: text.text for name, text in locale.names.items()} if locale is not None else {}
    for ladder in ruleset.ladders.values():
        names.update(_collect_labels(zip(ladder.rungs, ladder.labels, strict=True), lang))
    labelled = [(a.name, a.label) for kind in ruleset.kinds.values() for a in kind.attributes.values()]
    labelled += [(table.id, table.label) for table in ruleset.tables.values()]
    labelled += [(constant.id, constant.label) for constant in ruleset.constants.values()]
    labelled += [(option.id, option.label) for option in ruleset.options.values()]
    labelled += [(attribute.name, attribute.label) for attribute in ruleset.game.values()]
    for kind in reversed(list(ruleset.kinds.values())):
        labelled += [(thing.id, thing.label) for thing in kind.things]
    names.update(_collect_labels(labelled, lang))
    return replace(say, names=names)


def _collect_labels(entries: Iterable[Any], lang: str) -> dict[str, str]:
    return {identifier: label[lang] for identifier, label in entries if label.get(lang)}
