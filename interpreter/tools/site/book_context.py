"""The inputs of a book: one ruleset with its cases and positions, in one language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from interpreter.documents.listing import Leaf
from interpreter.i18n.translator import Translator
from interpreter.model.checked_model import CheckedModel
from interpreter.model.ruleset import Ruleset
from interpreter.tools.cases.case_documents import Case
from interpreter.tools.describe.value_format import format_label
from interpreter.tools.maps.piece_groups import ShownPosition

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class BookContext:
    """The inputs of all pages of a book in one language.

    `listing`: all values of the merged documents by section; `start_positions`: the starting position of each scenario;
    `differs`: lines on what a variant changes; `map_cache`: the maps drawn so far, by scenario. `say` also knows the
    names of the ruleset.
    """

    model: CheckedModel
    listing: Mapping[str, tuple[Leaf, ...]]
    cases: tuple[Case, ...]
    start_positions: Mapping[str, ShownPosition]
    differs: tuple[str, ...]
    lang: str
    say: Translator
    map_cache: dict[str | None, str] = field(default_factory=dict)

    @property
    def ruleset(self) -> Ruleset:
        """Return the documents."""
        return self.model.ruleset

    @property
    def title(self) -> str:
        """Return the title of the game."""
        return format_label(self.ruleset.title, self.lang) or self.ruleset.id


ShownIn = Callable[[str, str], ShownPosition]  # (scenario, language) -> starting position


def list_book_languages(ruleset: Ruleset, wanted_lang: str = "") -> tuple[str, ...]:
    """Return the languages of a book: the first, those with at least half the rulebook, and `wanted_lang`.

    `wanted_lang` is ignored if the ruleset does not have that language.
    """
    first, *others = ruleset.languages
    paragraphs = ruleset.rulebook.values()

    def is_translated(lang: str) -> bool:
        if not paragraphs:
            return lang in ruleset.locales
        return 2 * sum(bool(p.text.get(lang)) for p in paragraphs) >= len(paragraphs)

    return (first, *(lang for lang in others if lang == wanted_lang or is_translated(lang)))
