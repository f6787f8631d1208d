"""Merging of a folder's files to one tree for each kind of document.

Several files of one kind are merged; a name defined in two of them is reported.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source, Span
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.documents.geography.grid import normalize_edge_keys
from interpreter.documents.reading.chart_text import read_charts
from interpreter.documents.reading.entry_mappings import Path, is_container
from interpreter.documents.reading.folder import Folder, TextFile, build_file_span
from interpreter.documents.reading.formats import check_format, get_newest_format
from interpreter.documents.reading.tree import EMPTY, MappingEntry, MappingNode, ScalarNode
from interpreter.documents.reading.validation import KINDS, validate
from interpreter.documents.reading.yaml_reader import read_yaml
from interpreter.files.file_names import is_rules_name
from interpreter.files.memory_cache import memoize_per_source
from interpreter.i18n.translator import mark as _

_KIND = re.compile(r"^\ufeff?kind:[ \t]*([a-z]+)", re.MULTILINE)
_SEPARATE_KINDS = ("variant", "cases")
LEARNING_KINDS = ("tutorial", "glossary")  # kinds of the folder learn/
_PATHS_WITHOUT_EFFECT = {
    ("ruleset", "views"),
    ("ruleset", "setup_check"),
    ("victory", "aims"),
}  # names that no game depends on
_UNMERGED_KINDS = (
    *_SEPARATE_KINDS,
    "locale",
    *LEARNING_KINDS,
)  # one for each language: see `documents/translations.py`


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document as it was read: its kind, its source, and its tree."""

    kind: str
    source: Source
    root: MappingNode


@memoize_per_source
def read_document(source: Source, sink: Sink) -> SourceDocument | None:
    """Read a document of any kind and format; report an unreadable one and return None."""
    root = read_yaml(source, sink)
    if root is None:
        if all(line.lstrip().startswith("#") or not line.strip() for line in source.text.splitlines()):
            cure = _("a document begins with `kind:` and `format: {format}`", format=get_newest_format())
            sink.add_error("empty-document", _("the file contains no document"), Span(source, 0, 0), help=cure)
        return None
    if not isinstance(root, MappingNode):
        cure = _("begin with `kind:` and `format: {format}`", format=get_newest_format())
        sink.add_error("no-document", _("a document is a mapping: lines of `key: value`"), root.span, help=cure)
        return None
    kind = root.get_text("kind")
    if kind not in KINDS:
        _report_kind(root, kind, sink)
        return None
    return SourceDocument(kind, source, read_charts(kind, root, sink))


def _report_kind(root: MappingNode, kind: str, sink: Sink) -> None:
    if kind:
        message = _("`{kind}` is not a kind of document", kind=kind)
        cure = did_you_mean(kind, KINDS) or _("kinds: {listed}", listed=", ".join(KINDS))
        sink.add_error("unknown-document-kind", message, root.entries["kind"].value.span, help=cure)
    else:
        sink.add_error(
            "missing-kind",
            _("the document has no `kind:`"),
            Span(root.span.source, root.span.start, root.span.start),
            help=_("begin a variant with `kind: variant`")
            if "extends" in root.entries
            else _("begin with `kind:`, one of {listed}", listed=", ".join(KINDS)),
        )


def read_ruleset_documents(folder: Folder, sink: Sink) -> tuple[list[SourceDocument], frozenset[str]]:
    """Return the checked documents of a ruleset folder, and the kinds with a faulty one.

    Variants and cases are left out. An unreadable file of unknown kind counts for all kinds.
    """
    documents: list[SourceDocument] = []
    broken: set[str] = {k for n in folder.unread for k in (("rules",) if is_rules_name(n) else KINDS)}
    for file in (*folder.documents, *folder.locales):
        faults = len(sink.list_errors())
        document = read_document(file.source, sink)
        if document is not None and document.kind in _SEPARATE_KINDS:
            continue
        if document is not None and file in folder.locales and document.kind != "locale":
            _report_misplaced(document, file, sink)
        elif document is not None and document.kind in LEARNING_KINDS:
            _report_outside_learning(document, file, sink)
        elif document is not None:
            check_document(document, sink)
            documents.append(document)
        if len(sink.list_errors()) > faults:
            broken |= {document.kind} if document else _find_kinds(file.source)
    if not any(d.kind == "ruleset" for d in documents):
        broken.add("ruleset")
        lost = any(not is_rules_name(name) for name in folder.unread)  # it may be one of those that could not be read
        if not lost and not any(find_stated_kind(f.source) == "ruleset" for f in folder.documents):
            message = _("the folder has no document with `kind: ruleset`")
            cure = _("a ruleset needs one, usually ruleset.yaml")
            sink.add_error("no-ruleset-document", message, build_file_span(folder.root, ""), help=cure)
    return documents, frozenset(broken)


def _report_misplaced(document: SourceDocument, file: TextFile, sink: Sink) -> None:
    """Report other documents than translations under `locale/`, whose changes do not affect games in progress."""
    message = _("{inside} is a document of kind `{kind}`, not a locale", inside=file.inside, kind=document.kind)
    cure = _("move it out of this folder, or begin it with `kind: locale`")
    sink.add_error("not-a-locale", message, document.root.entries["kind"].value.span, help=cure)


def _report_outside_learning(document: SourceDocument, file: TextFile, sink: Sink) -> None:
    """Report a tutorial or glossary among the rules, whose bytes are part of the identity of every game."""
    sink.add_error(
        "misplaced-document",
        _(
            "{inside} contains a document of kind `{kind}`, which does not belong here",
            inside=file.inside,
            kind=document.kind,
        ),
        document.root.entries["kind"].value.span,
        help=_("move it into the folder learn/"),
    )


def find_stated_kind(source: Source) -> str:
    """Return the kind of document that a text states in a line `kind: KIND`, '' if it states none; parses no YAML."""
    stated = _KIND.search(source.text)
    return stated[1] if stated else ""


def _find_kinds(source: Source) -> set[str]:
    """Return the kind that an unreadable text states, else all kinds."""
    kind = find_stated_kind(source)
    return {kind} if kind in KINDS else set(KINDS)


def check_document(document: SourceDocument, sink: Sink) -> bool:
    """Check the document's form against the schema of its kind; return whether it is valid."""
    return _check_form(document.source, sink)


@memoize_per_source
def _check_form(source: Source, sink: Sink) -> bool:
    """Return whether a document conforms to its schema and format (reported); memoized."""
    document = read_document(source, Sink())
    if document is None or not check_format(document.kind, document.root, sink):
        return False
    return validate(document.kind, document.root, sink)


def merge_documents(documents: Sequence[SourceDocument], sink: Sink) -> dict[str, MappingNode]:
    """Return one tree for each kind; scenarios are merged under "scenarios", by their ids.

    File names only decide which of two conflicting documents is reported.
    """
    ordered, own = sort_documents(documents), Sink()
    trees = _merge_in_order(ordered, own)
    return trees if not own.items else _merge_in_order(documents, sink)


def _merge_in_order(documents: Iterable[SourceDocument], sink: Sink) -> dict[str, MappingNode]:
    """Return one tree for each kind; of two conflicting documents the later one is reported."""
    trees: dict[str, MappingNode] = {}
    scenarios: dict[str, MappingEntry] = {}
    for document in documents:
        content = document.root.copy_without("kind", "format")
        if document.kind == "map":
            content = normalize_edge_keys(content, sink)
        if document.kind == "scenario":
            _add_scenario(content, scenarios, sink)
        elif document.kind not in _UNMERGED_KINDS:
            before = trees.get(document.kind)
            trees[document.kind] = content if before is None else _merge_trees(document.kind, (), before, content, sink)
    trees["scenarios"] = MappingNode(scenarios, next(iter(scenarios.values())).value.span if scenarios else EMPTY.span)
    return trees


def sort_documents(documents: Sequence[SourceDocument]) -> Sequence[SourceDocument]:
    """Return documents ordered, within each kind, independently of their file names.

    Two documents of a kind never define the same name, so each is sorted by the first of its names.
    """
    several = {kind for kind, number in Counter(d.kind for d in documents).items() if number > 1}
    several -= {"scenario", *_UNMERGED_KINDS}
    if not several:
        return documents
    ordered = {
        kind: iter(sorted((d for d in documents if d.kind == kind), key=_list_defined_paths)) for kind in several
    }
    return [next(ordered[d.kind]) if d.kind in several else d for d in documents]


def _list_defined_paths(document: SourceDocument) -> list[Path]:
    """Return the sorted paths of the names a document defines, or of its values if it defines none."""
    content = document.root.copy_without("kind", "format")
    return sorted(_iter_paths(document.kind, content, ())) or sorted((entry.key.text,) for entry in content)


def _iter_paths(kind: str, tree: MappingNode, path: Path) -> Iterator[Path]:
    """Yield the paths of the named entries in a document; `tree`: the part of it at `path`."""
    for entry in tree:
        below = (*path, entry.key.text)
        if (kind, *below) in _PATHS_WITHOUT_EFFECT:
            continue
        if is_container(kind, path):
            yield below
        elif isinstance(entry.value, MappingNode):
            yield from _iter_paths(kind, entry.value, below)


def _add_scenario(content: MappingNode, scenarios: dict[str, MappingEntry], sink: Sink) -> None:
    key = content.get("id")
    content = content.copy_without("ruleset")
    if not isinstance(key, ScalarNode):
        return
    if key.text in scenarios:
        message = _("the scenario `{key}` is defined twice", key=key.text)
        sink.report_duplicate(message, key.span, scenarios[key.text].key.span, _("give it another id"))
        return
    scenarios[key.text] = MappingEntry(key, content)


def _merge_trees(kind: str, path: Path, first: MappingNode, second: MappingNode, sink: Sink) -> MappingNode:
    """Return the entries of two trees of a kind; report a name that both define."""
    entries = dict(first.entries)
    for name, entry in second.entries.items():
        old = entries.get(name)
        below = (*path, name)
        if old is None:
            entries[name] = entry
        elif (
            isinstance(old.value, MappingNode) and isinstance(entry.value, MappingNode) and not is_container(kind, path)
        ):
            entries[name] = MappingEntry(old.key, _merge_trees(kind, below, old.value, entry.value, sink))
        else:
            message = _("`{name}` is defined twice", name=name)
            sink.report_duplicate(message, entry.key.span, old.key.span, _("keep one of the two"))
    return MappingNode(entries, first.span)
