"""Documents under `learn/`: reading them, and building the glossary and the tutorial.

They belong to the ruleset folder, whatever variant or scenario is played, and never affect a game.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Span
from interpreter.documents.reading.folder import LEARNING, build_file_span, list_ruleset_files, read_file
from interpreter.documents.reading.merge_files import LEARNING_KINDS, SourceDocument, check_document, read_document
from interpreter.documents.reading.tree import (
    MappingEntry,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    get_entry_mapping,
    read_integer,
    read_label_texts,
    to_plain_data,
)
from interpreter.documents.target import find_target
from interpreter.files.file_names import is_rules_name
from interpreter.i18n.translator import mark as _
from interpreter.model.answers import CaseAnswer
from interpreter.model.learning import NO_TERMS, FirstGame, Glossary, GlossaryTerm, Highlight, Lesson, LessonStep

_TUTORIAL = re.compile(r"""^["']?kind["']?\s*:\s*["']?tutorial\b""", re.MULTILINE)
_SEED = 1  # of lessons that state none


def read_learning_documents(target: str, sink: Sink) -> list[SourceDocument]:
    """Return the well-formed documents under `learn/` of a target's ruleset folder, sorted by file name."""
    resolved = find_target(target, Sink(), checked=False)
    if resolved is None or not (resolved.root / LEARNING).is_dir():
        return []
    documents = []
    for name in list_ruleset_files(resolved.root, sink, below=LEARNING, apart=()):
        file = None if is_rules_name(name) else read_file(resolved.root, name, sink)
        document = read_document(file.source, sink) if file is not None else None
        if document is None:
            continue
        if document.kind not in LEARNING_KINDS:
            message = _(
                "{inside} contains a document of kind `{kind}`, which does not belong here",
                inside=name,
                kind=document.kind,
            )
            cure = _("only documents with `kind: tutorial` or `kind: glossary` belong under learn/")
            sink.add_error("misplaced-document", message, build_file_span(resolved.root, name), help=cure)
        elif check_document(document, sink):
            documents.append(document)
    return documents


def has_tutorial(target: str) -> bool:
    """Return whether a target's ruleset folder has a tutorial, judging by the `kind` key of its documents.

    Parses no document: faults are reported when the lesson begins.
    """
    resolved = find_target(target, Sink(), checked=False)
    if resolved is None or not (resolved.root / LEARNING).is_dir():
        return False
    names = list_ruleset_files(resolved.root, Sink(), below=LEARNING, apart=())
    files = (read_file(resolved.root, name, Sink()) for name in names if not is_rules_name(name))
    return any(file is not None and _TUTORIAL.search(file.source.text) is not None for file in files)


def read_glossary(target: str, languages: Sequence[str], sink: Sink | None = None) -> Glossary:
    """Return the glossary of a target; it has no terms if the ruleset has none."""
    sink = Sink() if sink is None else sink
    entries: dict[str, MappingEntry] = {}
    for document in read_learning_documents(target, sink):
        for entry in document.root.get_mapping("terms"):
            if entry.key.text in entries:
                message = _("there is a second term `{name}`", name=entry.key.text)
                sink.report_duplicate(
                    message, entry.key.span, entries[entry.key.text].key.span, _("keep one of the two")
                )
            else:
                entries[entry.key.text] = entry
    terms = {name: _build_term(entry, languages) for name, entry in entries.items()}
    return Glossary(terms) if terms else NO_TERMS


def read_first_game(target: str, languages: Sequence[str]) -> FirstGame | None:
    """Return the start that a target's tutorial offers to beginners, or None if it names none."""
    for document in read_learning_documents(target, Sink()):
        tree = document.root.get_mapping("first_game")
        if document.kind == "tutorial" and tree.entries:
            why = read_label_texts(tree.get("why"), languages)
            return FirstGame(
                tree.get_text("scenario") or None, tree.get_text("seat"), tree.get_text("opponent", "greedy"), why
            )
    return None


def _build_term(entry: MappingEntry, languages: Sequence[str]) -> GlossaryTerm:
    tree = get_entry_mapping(entry)
    name = read_label_texts(tree.get("name"), languages) or {languages[0]: entry.key.text.replace("_", " ")}
    also = tree.get("also")
    by_language = (
        {e.key.text: _read_texts(e.value) for e in also}
        if isinstance(also, MappingNode)
        else {languages[0]: _read_texts(also)}
    )
    see, cite = (tuple(node.text for node in tree.list_scalars(key)) for key in ("see", "cite"))
    return GlossaryTerm(entry.key.text, name, read_label_texts(tree.get("text"), languages), by_language, see, cite)


def _read_texts(node: Node | None) -> tuple[str, ...]:
    items = node.items if isinstance(node, SequenceNode) else ()
    return tuple(item.text for item in items if isinstance(item, ScalarNode))


# --- the tutorial -----------------------------------------------------------------------------------


def read_lesson(target: str, languages: Sequence[str], sink: Sink | None = None) -> Lesson | None:
    """Return the tutorial of a target, or None if it has none; report a second one."""
    tree = find_lesson_document(target, Sink() if sink is None else sink)
    return None if tree is None else _build_lesson(tree, languages)


def find_lesson_document(target: str, sink: Sink) -> MappingNode | None:
    """Return the document of a target's tutorial, or None if it has none; report a second one."""
    tree: MappingNode | None = None
    for document in read_learning_documents(target, sink):
        if document.kind != "tutorial":
            continue
        if tree is not None:
            message = _("there is a second tutorial; a ruleset has one")
            cure = _("merge the steps into one document, or remove one of the documents")
            sink.report_duplicate(message, _get_kind_span(document.root), _get_kind_span(tree), cure)
            continue
        tree = document.root
    return tree


def _get_kind_span(tree: MappingNode) -> Span:
    return tree.entries["kind"].value.span


def _build_lesson(tree: MappingNode, languages: Sequence[str]) -> Lesson:
    seed = read_integer(tree.get("seed"))
    return Lesson(
        title=read_label_texts(tree.get("title"), languages),
        about=read_label_texts(tree.get("about"), languages),
        minutes=read_integer(tree.get("minutes")) or 0,
        seat=tree.get_text("seat"),
        begin=to_plain_data(tree.get_mapping("begin")),
        seed=_SEED if seed is None else seed,
        dice=to_plain_data(tree.get_mapping("dice")),
        before=_read_answers(tree, "before"),
        steps=tuple(_build_step(node, languages) for node in tree.list_nodes("steps") if isinstance(node, MappingNode)),
        begin_span=tree.entries["begin"].key.span if "begin" in tree else _get_kind_span(tree),
        span=_get_kind_span(tree),
    )


def _build_step(tree: MappingNode, languages: Sequence[str]) -> LessonStep:
    look, highlights = (
        tree.get_mapping("look"),
        [node for node in tree.list_nodes("show") if isinstance(node, MappingNode)],
    )
    title = tree.entries["title"].key.span if "title" in tree else tree.span
    return LessonStep(
        title=read_label_texts(tree.get("title"), languages),
        text=read_label_texts(tree.get("text"), languages),
        highlights=tuple(_build_highlight(node) for node in highlights if node.entries),
        look=_build_highlight(look) if look.entries else None,
        orders=_read_answers(tree, "order"),
        advice=read_label_texts(tree.get("other"), languages),
        dice=to_plain_data(tree.get_mapping("dice")),
        meanwhile=_read_answers(tree, "meanwhile"),
        span=title,
    )


def _build_highlight(tree: MappingNode) -> Highlight:
    """Return what a step of a tutorial highlights; its only key states the kind of thing."""
    entry = next(iter(tree))
    text = entry.value.text if isinstance(entry.value, ScalarNode) else ""
    return Highlight(entry.key.text, text, entry.value.span)


def _read_answers(tree: MappingNode, key: str) -> tuple[CaseAnswer, ...]:
    return tuple(read_answer(node) for node in tree.list_nodes(key) if isinstance(node, MappingNode) and node.entries)


def read_answer(tree: MappingNode) -> CaseAnswer:
    """Parse the answer to a decision from an entry of a case or a lesson."""
    entry = next(iter(tree))
    decision, value, span = entry.key.text, entry.value, entry.key.span
    if not isinstance(value, MappingNode):
        return CaseAnswer(decision, value.text if isinstance(value, ScalarNode) else "", None, span)
    inner = list(value)
    if len(inner) == 1 and isinstance(inner[0].value, MappingNode):
        return CaseAnswer(decision, inner[0].key.text, to_plain_data(inner[0].value), span)
    return CaseAnswer(decision, None, to_plain_data(value), span)
