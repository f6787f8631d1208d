"""The context of all builders, and the readers they share: labels, origins, citations.

A context never changes while a ruleset is built.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.message_nouns import report_unknown_name
from interpreter.diagnostics.source_text import Span
from interpreter.documents.reading.tree import EMPTY, MappingEntry, MappingNode, Node, ScalarNode, read_label_texts
from interpreter.documents.reading.typo_heuristics import is_cut_by_comma
from interpreter.documents.values.names import NameTable
from interpreter.i18n.translator import mark as _
from interpreter.model.ruleset import Label, Locale, Provenance

COMMON_KEYS = ("name", "short", "cite", "source", "note")


@dataclass(frozen=True, slots=True)
class BuildContext:
    """Sources and diagnostics sink of the builders of a ruleset.

    `kinds`: the merged documents, by kind; `names`: the names that they define; `languages`: the languages in which
    labels may be written; `sink`: where diagnostics are reported; `locales`: the translations by language; `folder`:
    the ruleset's folder, or None if no file of it may be read.
    """

    kinds: Mapping[str, MappingNode]
    names: NameTable
    languages: tuple[str, ...]
    sink: Sink
    locales: Mapping[str, Locale] = field(default_factory=dict)
    folder: Path | None = None

    def report_unknown(self, kind: str, word: str, span: Span, candidates: Iterable[str]) -> None:
        """Report the unknown name `word` with code `unknown-<kind>`; `candidates` are the known names."""
        cure = _("check the spelling, or add it")
        report_unknown_name(self.sink, kind.replace(" ", "-"), kind, word, span, candidates, cure)

    def filter_known(self, kind: str, words: Iterable[ScalarNode], names: Collection[str]) -> Iterator[str]:
        """Yield the words that are known; report the unknown ones."""
        for word in words:
            if word.text in names:
                yield word.text
            else:
                self.report_unknown(kind, word.text, word.span, names)


def read_label(node: Node | None, ctx: BuildContext, otherwise: str) -> Label:
    """Return a label by language; plain text is in the first language, `otherwise` replaces a missing node.

    For a language that the label lacks, the translation of `otherwise` in the ruleset's locale documents is used.
    """
    for entry in node if isinstance(node, MappingNode) else ():
        if entry.key.text not in ctx.languages and not is_cut_by_comma(entry):
            message = _("the ruleset has no language `{key}`", key=entry.key.text)
            cure = _("its `languages:` are {listed}", listed=", ".join(ctx.languages))
            ctx.sink.add_error("unknown-language", message, entry.key.span, help=cure)
    words = read_label_texts(node, ctx.languages) or {ctx.languages[0]: otherwise.replace("_", " ")}
    for language, locale in ctx.locales.items():
        if language not in words and otherwise in locale.names:
            words[language] = locale.names[otherwise].text
    return words


def read_optional_label(node: Node | None, ctx: BuildContext) -> Label:
    """Return a label by language, {} for a missing node."""
    return {} if node is None else read_label(node, ctx, "")


def read_origin(entry: MappingEntry, ctx: BuildContext) -> Provenance:
    """Return position, citations and authority of an entry; report citations of unknown paragraphs."""
    tree = entry.value if isinstance(entry.value, MappingNode) else EMPTY
    note = read_optional_label(tree.get("note"), ctx)
    return Provenance(entry.key.span, read_cite(tree, ctx), tree.get_text("source"), note)


def read_cite(tree: MappingNode, ctx: BuildContext) -> tuple[str, ...]:
    """Return the paragraphs an entry cites."""
    paragraphs = ctx.kinds["rulebook"].get_mapping("paragraphs")
    cites = []
    for node in tree.list_scalars("cite"):
        cites.append(node.text)
        if node.text not in paragraphs:
            ctx.report_unknown("paragraph", node.text, node.span, paragraphs.entries)
    return tuple(cites)
