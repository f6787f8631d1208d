"""Translations of a ruleset: gathers and builds the documents of kind `locale`, one for each language.

Whether a translation fits a text of the rules is checked together with the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from interpreter.diagnostics.diagnostic import Related, Sink
from interpreter.documents.reading.merge_files import SourceDocument
from interpreter.documents.reading.tree import MappingEntry, MappingNode, ScalarNode, is_null
from interpreter.i18n.translator import mark as _
from interpreter.model.ruleset import Locale, Translation

_PARTS = ("texts", "names", "labels")


def merge_locales(documents: Iterable[SourceDocument], sink: Sink) -> dict[str, MappingNode]:
    """Merge the files of each language into one tree; report texts that two files translate."""
    trees: dict[str, MappingNode] = {}
    for document in documents:
        language = document.root.get("language")
        if document.kind != "locale" or not isinstance(language, ScalarNode):
            continue
        content = document.root.copy_without("kind", "format", "note")
        before = trees.get(language.text)
        trees[language.text] = content if before is None else _merge_trees(before, content, sink)
    return trees


def _merge_trees(first: MappingNode, second: MappingNode, sink: Sink) -> MappingNode:
    for part in _PARTS:
        texts = first.get_mapping(part)
        for entry in second.get_mapping(part):
            if entry.key.text in texts:
                sink.add_error(
                    "defined-twice",
                    _("`{key}` is translated twice", key=entry.key.text),
                    entry.key.span,
                    help=_("keep one of the two"),
                    related=(Related(_("first translated here"), texts.entries[entry.key.text].key.span),),
                )
    return _overlay_texts(first, second)


def overlay_locales(base: Mapping[str, MappingNode], change: MappingNode) -> dict[str, MappingNode]:
    """Return the translations by language, with the variant's texts in place of the base's.

    `base`: by language; `change`: the variant's `locale`, whose keys are languages.
    """
    result = dict(base)
    for entry in change:
        if isinstance(entry.value, MappingNode):
            own = MappingNode({"language": MappingEntry(entry.key, entry.key), **entry.value.entries}, entry.value.span)
            below = result.get(entry.key.text)
            result[entry.key.text] = own if below is None else _overlay_texts(below, own)
    return result


def _overlay_texts(below: MappingNode, above: MappingNode) -> MappingNode:
    """Return the texts of a locale with those of a variant's locale added or replaced."""
    entries = dict(below.entries)
    for name, entry in above.entries.items():
        old = entries.get(name)
        if old is not None and isinstance(old.value, MappingNode) and isinstance(entry.value, MappingNode):
            entry = MappingEntry(old.key, MappingNode({**old.value.entries, **entry.value.entries}, old.value.span))
        entries[name] = entry
    return MappingNode(entries, below.span)


def build_locales(trees: Mapping[str, MappingNode], languages: tuple[str, ...], sink: Sink) -> dict[str, Locale]:
    """Build the translations in the order of the ruleset's languages; report other languages."""
    locales = {}
    for language, tree in trees.items():
        if language not in languages:
            message = _("the ruleset has no language `{language}`", language=language)
            cure = _("its `languages:` are {listed}", listed=", ".join(languages))
            sink.add_error("unknown-language", message, tree.entries["language"].value.span, help=cure)
            continue
        complete = tree.entries["complete"].value.span if tree.is_true("complete") else None
        texts, names, labels = (_collect_translations(tree, part) for part in _PARTS)
        locales[language] = Locale(language, texts, names, labels, complete)
    return {language: locales[language] for language in languages if language in locales}


def _collect_translations(tree: MappingNode, part: str) -> dict[str, Translation]:
    """Return the translations under `part` ("texts" or "names") by original; empty entries are left out."""
    return {
        e.key.text: Translation(e.key.span, e.value.text, e.value.span)
        for e in tree.get_mapping(part)
        if isinstance(e.value, ScalarNode) and not is_null(e.value) and e.value.text.strip()
    }
