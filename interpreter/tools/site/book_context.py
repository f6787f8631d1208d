"""What a book is made from: one ruleset with its cases and positions, in one language. Must not make markup."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from interpreter.documents.listing import Leaf
from interpreter.i18n.translator import Translate
from interpreter.model.ruleset import Ruleset
from interpreter.model.statements import CheckedModel
from interpreter.tools.cases.case_documents import Case
from interpreter.tools.describe.locale_format import LocaleFormatter
from interpreter.tools.describe.value_format import label_words
from interpreter.tools.maps.piece_groups import ShownPosition

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class BookContext:
    """Everything that pages are made from. `shown` has for each scenario who stands where when it begins.

    `listing` is every value of the merged documents, `differs` in words what a variant changes, `drawn` the maps that
    have been drawn so far, each by its scenario.
    """

    model: CheckedModel
    listing: Mapping[str, tuple[Leaf, ...]]
    cases: tuple[Case, ...]
    shown: Mapping[str, ShownPosition]
    differs: tuple[str, ...]
    lang: str
    languages: tuple[str, ...]
    say: Translate
    tongue: LocaleFormatter
    drawn: dict[str | None, str] = field(default_factory=dict)

    @property
    def ruleset(self) -> Ruleset:
        """The documents."""
        return self.model.ruleset

    @property
    def title(self) -> str:
        """What the game is called."""
        return label_words(self.ruleset.title, self.lang) or self.ruleset.id


ShownIn = Callable[[str, str], ShownPosition]  # scenario and language -> who stands where


def book_languages(ruleset: Ruleset, asked: str = "") -> tuple[str, ...]:
    """The languages of a book: the first, those that at least half of the rulebook stands in, and the one `asked` for.

    A language that the ruleset does not have cannot be asked for.
    """
    first, *others = ruleset.languages
    paragraphs = ruleset.rulebook.values()

    def is_there(lang: str) -> bool:
        if not paragraphs:
            return lang in ruleset.locales
        return 2 * sum(bool(p.text.get(lang)) for p in paragraphs) >= len(paragraphs)

    return (first, *(lang for lang in others if lang == asked or is_there(lang)))
