"""Format one file of a ruleset and verify that its meaning is unchanged.

Neither reads nor writes files.
"""

from __future__ import annotations

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Replacement, Source, apply_edits
from interpreter.documents.reading.tree import MappingNode, Node, ScalarNode, SequenceNode
from interpreter.documents.reading.yaml_reader import read_yaml
from interpreter.files.file_names import is_rules_name
from interpreter.language.parsing import parse_module, tokenize
from interpreter.tools.diff.rule_changes import strip_spans
from interpreter.tools.formatting.rules_layout import lay_out_rules
from interpreter.tools.formatting.rules_lines import LineGap, TokenLine, split_statements
from interpreter.tools.formatting.yaml_blocks import indent_blocks, tidy_lines
from interpreter.tools.formatting.yaml_breaks import break_lines
from interpreter.tools.formatting.yaml_columns import align_columns, space_brackets
from interpreter.tools.formatting.yaml_document import YamlDocument, list_comments
from interpreter.tools.formatting.yaml_order import get_key_order, order_keys

_ROUNDS = 12


class LayoutChangedMeaningError(Exception):
    """An internal error: the formatted text means something else than the original, so nothing is written."""


def format_source(source: Source, sink: Sink) -> str | None:
    """Format a rules file or a document; report and return None if it cannot be parsed."""
    text = _normalize_line_ends(source.text)
    if not text.strip():
        return source.text
    layout = _format_rules if is_rules_name(source.name) else _format_document
    formatted = layout(source.name, text, sink)
    if formatted is not None and source.text.count("\r\n") * 2 > source.text.count("\n"):
        formatted = formatted.replace("\n", "\r\n")
    return formatted


def _normalize_line_ends(text: str) -> str:
    """Return the text with line feeds as line ends, also at its end, and without a byte order mark."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    return text if text.endswith("\n") else text + "\n"


def _format_rules(name: str, text: str, sink: Sink) -> str | None:
    source = Source(name, text)
    module = parse_module(source, sink)
    if module is None:
        return None
    rows = split_statements(text, tokenize(source))
    rules = lay_out_rules(rows)
    if rules == text:  # identical text needs no proof
        return rules
    formatted = Source(name, rules)
    formatted_module = parse_module(formatted, Sink())
    is_same = formatted_module is not None and repr(strip_spans(module)) == repr(
        strip_spans(formatted_module)
    )  # repr, because True == 1 in Python
    if not is_same or _list_comments(rows) != _list_comments(split_statements(rules, tokenize(formatted))):
        raise LayoutChangedMeaningError(name)
    return rules


def _list_comments(rows: list[TokenLine | LineGap]) -> list[str]:
    """Return all comments of a rules file in order."""
    comments: list[str] = []
    for row in rows:
        if isinstance(row, LineGap):
            comments += [line[1] for line in row.lines if line]
        else:
            for part in row.parts:
                comments += [*part.comments, *([part.remark] if part.remark else [])]
    return comments


def _format_document(name: str, text: str, sink: Sink) -> str | None:
    source = Source(name, text)
    root = read_yaml(source, sink)
    if root is None or any(d.severity == "error" for d in sink.items):
        return text if root is None and not sink.items else None
    page = original_page = YamlDocument(root.get_text("kind") if isinstance(root, MappingNode) else "", source, root)
    for _round in range(_ROUNDS):
        begun = page.text
        for change in (tidy_lines, order_keys, indent_blocks, space_brackets, break_lines, align_columns):
            edits = change(page)
            if not edits:
                continue
            source = Source(name, apply_edits(page.text, map(Replacement._make, edits)))
            document = read_yaml(source, Sink())
            if document is None or not _is_equivalent(original_page, original_page.root, document, ()):
                raise LayoutChangedMeaningError(f"{name} ({change.__name__})")
            page = YamlDocument(page.kind, source, document)
        if page.text == begun:
            break
    if page is not original_page and sorted(list_comments(page)) != sorted(list_comments(original_page)):
        raise LayoutChangedMeaningError(name)
    return page.text


def _is_equivalent(page: YamlDocument, old_node: Node, new_node: Node, path: tuple[str, ...]) -> bool:
    """Return True if two trees have equal keys and values.

    `path`: the keys that lead to both nodes, "-" for list items; keys may be reordered only where the format fixes
    their order.
    """
    if isinstance(old_node, MappingNode) and isinstance(new_node, MappingNode):
        mine, his = list(old_node.entries), list(new_node.entries)
        if mine != his and not (get_key_order(page.kind, path) and sorted(mine) == sorted(his)):
            return False
        return all(_is_equivalent(page, old_node.entries[k].value, new_node.entries[k].value, (*path, k)) for k in mine)
    if isinstance(old_node, SequenceNode) and isinstance(new_node, SequenceNode):
        pairs = zip(old_node.items, new_node.items, strict=False)
        return len(old_node.items) == len(new_node.items) and all(
            _is_equivalent(page, a, b, (*path, "-")) for a, b in pairs
        )
    if not isinstance(old_node, ScalarNode) or not isinstance(new_node, ScalarNode):
        return False
    return type(old_node.value) is type(new_node.value) and old_node.value == new_node.value
