"""Build the files of a book from a loaded ruleset, in all its languages. Writes none of them."""

from __future__ import annotations

from dataclasses import replace

from interpreter.api.rules import Rules
from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.listing import resolved_listing
from interpreter.documents.pipeline import read_trees
from interpreter.documents.target import base_of
from interpreter.i18n.translator import Translate, translator_for
from interpreter.model.ruleset import Ruleset
from interpreter.model.statements import CheckedModel
from interpreter.model.texts import translatable_names
from interpreter.tools.cases.case_documents import collect_cases
from interpreter.tools.describe.locale_format import LocaleFormatter, locale_formatter
from interpreter.tools.diff.comparison import compare, comparison_lines
from interpreter.tools.diff.snapshot import read_snapshot
from interpreter.tools.maps.piece_groups import initial_position
from interpreter.tools.site.book_context import BookContext, ShownIn, book_languages
from interpreter.tools.site.site import site_files


def book_files(rules: Rules, shown_in: ShownIn, question: str = "") -> dict[str, str]:
    """Return every file of the book by its name.

    `shown_in` returns the starting position of a scenario in a language. `question`: a language to include even if
    little of the rulebook is translated.
    """
    assert rules.model is not None
    model = replace(rules.model, ruleset=rules.documents())  # a cached model may name pictures of another folder
    ruleset, target = model.ruleset, rules.target
    trees = read_trees(target, Sink())
    listing = resolved_listing(trees) if trees else {}
    cases = tuple(collect_cases(target, Sink()))
    languages = book_languages(ruleset, question)
    matters = []
    for lang in languages:
        say = translator_for(lang)
        shown = {name: shown_in(name, lang) for name in ruleset.scenarios} or {"": initial_position(ruleset, None)}
        formatter = _tongue(model, lang, say)
        differs = _differences(ruleset, target, lang)
        matters.append(BookContext(model, listing, cases, shown, differs, lang, languages, say, formatter))
    return dict(site_files(matters))


def _tongue(model: CheckedModel, lang: str, say: Translate) -> LocaleFormatter:
    """Return a formatter as for sheets, but without ids: unnamed ids are written with blanks for underscores."""
    known = locale_formatter(model.ruleset, lang, say, always=True)
    plain = {
        name: name.replace("_", " ") for name in sorted(translatable_names(model)) if "_" in name and "." not in name
    }
    return LocaleFormatter(say, {**plain, **known.names})


def _differences(ruleset: Ruleset, target: str, lang: str) -> tuple[str, ...]:
    """Describe what a variant changes; empty if the ruleset is not a variant."""
    below = base_of(target) if ruleset.extends is not None else None
    if below is None:
        return ()
    say = translator_for(lang)
    return tuple(comparison_lines(compare(read_snapshot(below), read_snapshot(target), lang, say), say, False))
