"""Texts of the rules, numbered without duplicates, with translations and the types of their placeholders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter.model import statements as c
from interpreter.model.ruleset import Locale
from interpreter.model.templates import format_template_source, split_template, split_translation
from interpreter.model.types import to_display_type


class Texts:
    """The texts of a ruleset, collected while it is compiled; each gets a number in order of first use."""

    def __init__(
        self, locales: Mapping[str, Locale], texts: Sequence[str] = (), described: Sequence[list[Any]] = ()
    ) -> None:
        self._locales = locales
        self._texts = list(texts)
        self._numbers: dict[tuple[Any, ...], int] = {
            (text, _to_tuples(parts)): number for number, (text, parts) in enumerate(zip(texts, described, strict=True))
        }

    def number_text(self, words: c.TextTemplate) -> int:
        """Return the number of a text; equal words with placeholders of other types are different texts."""
        parts = tuple(p if isinstance(p, str) else to_display_type(p.type) for p in words.parts)
        next_number = len(self._numbers)
        number = self._numbers.setdefault((format_template_source(words), parts), next_number)
        if number == next_number:
            self._texts.append(format_template_source(words))
        return number

    def list_written(self) -> list[str]:
        """Return the texts as written in the rules."""
        return self._texts

    def list_described(self) -> list[list[Any]]:
        """Return the parts of each text in order: words, and the types of the values in its placeholders."""
        return [list(parts) for _, parts in self._numbers]

    def list_translated(self) -> dict[str, dict[str, Any]]:
        """Return, by language, the translated texts by number (words and placeholders), the names and the labels."""
        return {
            language: {
                "texts": {
                    str(n): split_translation(text, locale.texts[text].text)
                    for n, text in enumerate(self._texts)
                    if text in locale.texts
                },
                "names": {name: translation.text for name, translation in locale.names.items()},
                "labels": {
                    name: [p if isinstance(p, str) else [p.text] for p in split_template(translation.text)]
                    for name, translation in locale.labels.items()
                },
            }
            for language, locale in self._locales.items()
        }


def _to_tuples(data: object) -> object:
    """Convert the lists in cached data to tuples."""
    return tuple([_to_tuples(x) for x in data]) if isinstance(data, list) else data
