"""Check that translations fit the rules: known texts, known holes, and nothing missing.

An unknown hole is an error; other findings are warnings, because an unfitting translation falls back to the first
language. The model is read only.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from interpreter.diagnostics.diagnostic import Related, Sink
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.suggestions import did_you_mean, find_close_words
from interpreter.i18n.translator import Message, mark as _
from interpreter.model.checked_model import CheckedModel
from interpreter.model.ruleset import Locale, Ruleset, Translation
from interpreter.model.templates import list_holes
from interpreter.model.texts import (
    collect_displayed_names,
    collect_rule_texts,
    collect_translatable_names,
    list_labellable_options,
)

_ONE_TEXT, _TEXTS = _("1 text (`{first}`)"), _("{number} (text|texts) (`{first}` ...)")
_WIDE_HOLE = re.compile(r"｛([^｛｝{}]*)｝")
_ONE_NAME, _NAMES = _("1 name (`{first}`)"), _("{number} (name|names) (`{first}` ...)")


def check_translations(model: CheckedModel, sink: Sink) -> None:
    """Report unmatched translations, unknown holes, and texts that a complete language lacks."""
    if not model.ruleset.locales:
        return
    texts, names = dict.fromkeys(x.text for x in collect_rule_texts(model)), collect_translatable_names(model)
    for locale in model.ruleset.locales.values():
        is_complete = locale.complete is not None and model.ruleset.extends is None
        missing = find_missing_translations(model, locale.language) if is_complete else ([], [])
        renamed: list[str] = []
        for text, translation in locale.texts.items():
            if text in texts:
                _check_holes(text, translation, sink)
            elif _is_own(model, translation) and (similar := _match_renamed(text, missing[0], renamed)):
                _report_renamed(model, text, similar, translation, sink)
            elif _is_own(model, translation):
                sink.add_warning(
                    "unknown-text",
                    _("`{text}` does not match any text of the rules", text=text),
                    translation.key,
                    help=_suggest_close_name(text, texts) or _("write it exactly as it is quoted in the rules"),
                )
        _check_labels(model, locale, sink)
        for name, translation in locale.names.items():
            if name in names or not _is_own(model, translation):
                continue
            if similar := _match_renamed(name, missing[1], renamed):
                _report_renamed(model, name, similar, translation, sink)
                continue
            sink.add_warning(
                "unknown-text",
                _("`{name}` is not a name of this ruleset", name=name),
                translation.key,
                help=_suggest_close_name(name, names) or _("check the spelling, or remove the line"),
            )
        if is_complete:
            untranslated = [[text for text in group if text not in renamed] for group in missing]
            _check_completeness(model, locale, untranslated[0], untranslated[1], sink)


def _match_renamed(word: str, missing: Collection[str], renamed: list[str]) -> str:
    """Return the text or name in `missing` most similar to `word` and add it to `renamed`, or return ''.

    `missing`: the untranslated texts or names; those that are already in `renamed` are skipped.
    """
    similar = next((candidate for candidate in find_close_words(word, missing) if candidate not in renamed), "")
    renamed += [similar] if similar else []
    return similar


def _report_renamed(model: CheckedModel, name: str, old_name: str, translation: Translation, sink: Sink) -> None:
    """Report the translation of a text or name that is now spelt like `old_name`, with its declaration."""
    origin = _find_origin(model.ruleset, old_name)
    sink.add_warning(
        "unknown-text",
        _(
            "`{name}` does not occur in this ruleset, and `{word}`, which is similar, is not translated",
            name=name,
            word=old_name,
        ),
        translation.key,
        help=_(
            "if you have changed `{name}`, write `{word}` here too; otherwise correct `{word}`",
            name=name,
            word=old_name,
        ),
        related=(Related(_("`{name}` is declared here", name=old_name), origin),) if origin is not None else (),
    )


def _find_origin(ruleset: Ruleset, name: str) -> Span | None:
    """Return where the documents declare a name, or the chart whose axis has it; None if it is not found."""
    things = {thing.id: thing for kind in ruleset.kinds.values() for thing in kind.things}
    axes = {axis.name: table for table in ruleset.tables.values() for axis in table.axes}
    for group in (ruleset.tables, ruleset.constants, ruleset.ladders, things, axes):
        if name in group:
            return group[name].origin.span
    return None


def _check_labels(model: CheckedModel, locale: Locale, sink: Sink) -> None:
    """Report the labels of a locale without an option in the rules, and those whose placeholder is not an argument."""
    options = list_labellable_options(model)
    for name, label in locale.labels.items():
        if name not in options:
            if _is_own(model, label):
                sink.add_warning(
                    "unknown-text",
                    _(
                        "`{name}` is neither a draft nor an option with arguments and without a text in the rules",
                        name=name,
                    ),
                    label.key,
                    help=_suggest_close_name(name, frozenset(options))
                    or _("write the name of the option, or decision.option"),
                )
            continue
        for hole in list_holes(label.text):
            if not any(hole in arguments for arguments in options[name]):
                sink.add_error(
                    "unknown-hole",
                    _("`{name}` has no argument {{{hole}}}", name=name, hole=hole),
                    label.span,
                    help=_(
                        "its arguments: {listed}",
                        listed=", ".join(f"{{{x}}}" for x in dict.fromkeys(sum(options[name], ()))),
                    ),
                )


def _is_own(model: CheckedModel, translation: Translation) -> bool:
    """Return whether a translation belongs to this ruleset's own files.

    For a variant the translations of its base are exempt, because the variant may drop texts that they translate.
    """
    own = {source.name for source in model.ruleset.changes} | {model.ruleset.root.span.file}
    return model.ruleset.extends is None or translation.key.file in own


def _suggest_close_name(word: str, names: Collection[str]) -> Message:
    """Return a suggestion for a misspelt name, or '' if no name is similar."""
    return did_you_mean(word, names) if find_close_words(word, names) else Message("")


def _check_holes(text: str, translation: Translation, sink: Sink) -> None:
    """Report the placeholders of a translation that its original lacks."""
    holes = list_holes(text)
    if wide := next((m for m in _WIDE_HOLE.finditer(translation.text) if m[1] in holes), None):
        sink.add_warning(
            "full-width-character",
            _("`{sign}` is a full-width character and is read as text here", sign=wide[0]),
            translation.span,
            help=_("write `{right}`", right=f"{{{wide[1]}}}"),
        )
    for hole in list_holes(translation.text):
        if hole not in holes:
            sink.add_error(
                "unknown-hole",
                _("the original has no placeholder {{{hole}}}", hole=hole),
                translation.span,
                help=_("its placeholders: {listed}", listed=", ".join(f"{{{h}}}" for h in holes))
                if holes
                else _("the original has no placeholders, so the translation cannot have any"),
            )


def find_missing_translations(model: CheckedModel, language: str) -> tuple[list[str], list[str]]:
    """Return the texts and names that have no translation into a language.

    A name counts as translated if only a qualified form of it is, such as `roll.check` for `check`.
    """
    locale = model.ruleset.locales.get(language) or Locale(language, {}, {})
    texts = [
        x.text for x in collect_rule_texts(model) if x.text not in locale.texts and any(y.isalpha() for y in x.text)
    ]
    translated = {part for name in locale.names for part in (name, name.rpartition(".")[2])}
    return texts, [x for x in collect_displayed_names(model, language) if x not in translated]


def _check_completeness(model: CheckedModel, locale: Locale, texts: list[str], names: list[str], sink: Sink) -> None:
    """Report the number of missing translations of a language that is marked complete: `texts` and `names`."""
    assert locale.complete is not None
    own = locale.complete.file.partition("/")[0]
    foreign = {s.id for s in model.ruleset.scenarios.values() if s.origin.span.file.partition("/")[0] != own}
    names = [name for name in names if name not in foreign]  # a scenario overlay need not be complete
    gaps = tuple(
        _(singular, first=x[0]) if len(x) == 1 else _(many, number=len(x), first=x[0])
        for x, singular, many in ((texts, _ONE_TEXT, _TEXTS), (names, _ONE_NAME, _NAMES))
        if x
    )
    if gaps:
        sink.add_warning(
            "missing-translation",
            _("missing translations into `{language}`: {listed}", listed=gaps, language=locale.language),
            locale.complete,
            help=_(
                "`grognard show RULESET texts {language}` lists them, ready to be filled in", language=locale.language
            ),
        )
