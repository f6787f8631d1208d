"""Build the files of a book from a loaded ruleset, in all its languages. Writes none of them."""

from __future__ import annotations

from dataclasses import replace

from interpreter.api.rules import Rules
from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.listing import resolved_listing
from interpreter.documents.pipeline import read_trees
from interpreter.documents.target import base_of
from interpreter.i18n.translator import Translator, translator_for
from interpreter.model.ruleset import Ruleset
from interpreter.model.statements import CheckedModel
from interpreter.model.texts import translatable_names
from interpreter.tools.cases.case_documents import collect_cases
from interpreter.tools.describe.ruleset_names import with_names
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
        say = _named(model, lang)
        shown = {name: shown_in(name, lang) for name in ruleset.scenarios} or {"": initial_position(ruleset, None)}
        differs = _differences(ruleset, target, lang)
        matters.append(BookContext(model, listing, cases, shown, differs, lang, languages, say))
    return dict(site_files(matters))


def _named(model: CheckedModel, lang: str) -> Translator:
    """Return a translator with the ruleset's names; an id without one is written with blanks for underscores."""
    known = with_names(translator_for(lang), model.ruleset, lang, always=True)
    plain = {
        name: name.replace("_", " ") for name in sorted(translatable_names(model)) if "_" in name and "." not in name
    }
    return replace(known, names={**plain, **known.names})


def _differences(ruleset: Ruleset, target: str, lang: str) -> tuple[str, ...]:
    """Describe what a variant changes; empty if the ruleset is not a variant."""
    below = base_of(target) if ruleset.extends is not None else None
    if below is None:
        return ()
    say = translator_for(lang)
    return tuple(comparison_lines(compare(read_snapshot(below), read_snapshot(target), lang, say), say, False))
