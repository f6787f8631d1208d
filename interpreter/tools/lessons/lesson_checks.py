"""Static checks of the documents for learners against the rules: names, citations and missing translations.

`playthrough` plays the lesson.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Span
from interpreter.documents.learning import find_lesson_document, read_glossary, read_learning_documents
from interpreter.documents.reading.tree import MappingNode, Node, ScalarNode, SequenceNode
from interpreter.i18n.translator import mark as _
from interpreter.model.checked_model import CheckedModel
from interpreter.tools.cases.case_positions import check_word, map_ids_to_handles
from interpreter.tools.cases.name_checks import PlayNames, check_answer, check_position, collect_names

_TEXTS = ("title", "text", "other", "name", "about", "why")  # keys whose values are words for players
_BEGIN = ("scenario", "options", "pieces", "each", "game", "turn")


def check_learning(target: str, model: CheckedModel, sink: Sink) -> None:
    """Report errors in the tutorial and the glossary of a ruleset."""
    documents = read_learning_documents(target, sink)
    if not documents:
        return
    tree, glossary = find_lesson_document(target, sink), read_glossary(target, model.ruleset.languages, sink)
    if tree is not None:
        _check_lesson(tree, model, collect_names(model), sink)
    for document in documents:
        for entry in document.root.get_mapping("terms"):
            if isinstance(entry.value, MappingNode):
                for word in entry.value.list_scalars("cite"):
                    check_word(word, "paragraph", model.ruleset.rulebook, sink)
                for word in entry.value.list_scalars("see"):
                    check_word(word, "term", glossary.terms, sink)
        _check_languages(document.root, model, sink)


def _check_lesson(tree: MappingNode, model: CheckedModel, played: PlayNames, sink: Sink) -> None:
    ruleset, begin, first = model.ruleset, tree.get_mapping("begin"), tree.get_mapping("first_game")
    for part in (tree, first):
        for word in part.list_scalars("seat"):
            check_word(word, "seat", map_ids_to_handles("seat", ruleset), sink)
    for part in (begin, first):
        for word in part.list_scalars("scenario"):
            check_word(word, "scenario", ruleset.scenarios, sink)
    options = begin.get("options")
    for word in [e.key for e in options] if isinstance(options, MappingNode) else begin.list_scalars("options"):
        check_word(word, "option", ruleset.options, sink)
    check_position(begin, _BEGIN, model, sink)
    for step in (tree, *(node for node in tree.list_nodes("steps") if isinstance(node, MappingNode))):
        _check_step(step, model, played, sink)


def _check_step(tree: MappingNode, model: CheckedModel, played: PlayNames, sink: Sink) -> None:
    """Report unknown names in a step of a lesson, and keys that do not go together."""
    for entry in tree.get_mapping("dice"):
        check_word(entry.key, "roll", played.rolls, sink)
    for key in ("before", "order", "meanwhile"):
        for node in tree.list_nodes(key):
            if isinstance(node, MappingNode):
                check_answer(next(iter(node)), played, model, sink)
    for key in ("show", "look"):
        for node in tree.list_nodes(key):
            for entry in node if isinstance(node, MappingNode) else ():
                if entry.key.text in ("place", "piece") and isinstance(entry.value, ScalarNode):
                    check_word(entry.value, entry.key.text, map_ids_to_handles(entry.key.text, model.ruleset), sink)
    if "look" in tree and "order" in tree:
        sink.add_error(
            "not-allowed-here",
            _("a step has either `look` or `order`"),
            tree.entries["look"].key.span,
            help=_("make two steps of it"),
        )
    if "look" in tree and "meanwhile" in tree:
        sink.add_error(
            "not-allowed-here",
            _("a step with `look` cannot have `meanwhile`"),
            tree.entries["meanwhile"].key.span,
            help=_("put it into a step that is only read, or into one with an order"),
        )
    for key in ("dice", "other"):
        has_choice = "order" in tree or key == "dice" and "meanwhile" in tree
        if "steps" not in tree and key in tree and not has_choice:
            sink.add_error(
                "not-allowed-here",
                _("`{key}` has no meaning in a step without `order`", key=key),
                tree.entries[key].key.span,
                help=_("put it into the step with the order that it belongs to"),
            )


def _check_languages(root: MappingNode, model: CheckedModel, sink: Sink) -> None:
    """Report texts in unknown languages, and texts that lack a language whose translation is complete."""
    languages = model.ruleset.languages
    complete = {name for name, locale in model.ruleset.locales.items() if locale.complete is not None}
    lacking: dict[str, list[Span]] = {}
    for span, node in _iter_texts(root):
        stated = {e.key.text: e.key for e in node} if isinstance(node, MappingNode) else {languages[0]: None}
        for language, key in stated.items():
            if language not in languages and key is not None:
                sink.add_error(
                    "unknown-language",
                    _("the ruleset has no language `{key}`", key=language),
                    key.span,
                    help=_("its `languages:` are {listed}", listed=", ".join(languages)),
                )
        for language in sorted(set(complete) - set(stated)):
            lacking.setdefault(language, []).append(span)
    for language, spans in lacking.items():
        sink.add_warning(
            "missing-translation",
            _(
                "no translation into `{language}`: texts of this document: {number}",
                language=language,
                number=len(spans),
            ),
            spans[0],
            help=_("this is the first one; write `{{{language}: ...}}` beside the first language", language=language),
        )


def _iter_texts(node: Node) -> Iterator[tuple[Span, Node]]:
    """Yield the span and value of every text for players in a tree."""
    if isinstance(node, SequenceNode):
        for item in node.items:
            yield from _iter_texts(item)
    elif isinstance(node, MappingNode):
        for entry in node:
            if entry.key.text in _TEXTS and not (entry.key.text == "text" and isinstance(entry.value, SequenceNode)):
                yield entry.key.span, entry.value
            elif entry.key.text not in ("before", "order", "meanwhile", "begin", "dice", "note"):
                yield from _iter_texts(entry.value)
