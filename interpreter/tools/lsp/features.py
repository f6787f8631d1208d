"""Completions, descriptions, definitions, outline and foldings for an editor, from the last state without errors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.diagnostics.source_text import Span
from interpreter.files.file_names import is_rules_name
from interpreter.tools.lsp.completion.document_completion import complete_document, describe_key_at
from interpreter.tools.lsp.completion.local_types import infer_local_types, infer_type_before
from interpreter.tools.lsp.completion.open_calls import OpenCall, find_open_call
from interpreter.tools.lsp.completion.rules_completion import complete_rules, is_inside_citation, list_attributes
from interpreter.tools.lsp.renaming import RenameTarget
from interpreter.tools.lsp.symbol_index import RulesetSymbol
from interpreter.tools.lsp.token_scan import find_word
from interpreter.tools.lsp.workspace import Workspace

_GAME = re.compile(r"(?<![\w.])game\.$")
_CITING = re.compile(r"\b(?:cite|rules):\s*(?:\[[^\]]*)?[\"']?$")
_TYPED_RULES = re.compile(r"\w*$")
_TYPED_CITED = re.compile(r"[\w.-]*$")
_TYPED_DOCUMENT = re.compile(r"[\w/-]*$")
_ITEM = re.compile(
    r"^( *)(procedure|define|rule|tally|draft|record|event|whenever|phase|choose|option|setup|turn)\b[ ]*(\w*)",
    re.MULTILINE,
)
_INNER = ("phase", "choose", "option")
_KEY = re.compile(r"^( *)(\"[^\"\n]*\"|'[^'\n]*'|[\w.-]+):", re.MULTILINE)
_DEEPEST = 2  # levels of keys in the outline of a document, counted from 0


def complete(workspace: Workspace, path: Path, offset: int) -> tuple[list[RulesetSymbol], int]:
    """Return the completions at an offset, and the start of the word that a completion replaces."""
    index = workspace.indexes.get(workspace.find_target(path))
    text = workspace.read_text(path)
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    if is_rules_name(path):
        typed = _TYPED_CITED if is_inside_citation(line) else _TYPED_RULES
        symbols = complete_rules(index, text, offset) if index is not None else []
    else:
        symbols = complete_document(index, text, offset)
        typed = _TYPED_CITED if any(n.sort == "paragraph" for n in symbols[:1]) else _TYPED_DOCUMENT
    word = typed.search(line)
    return symbols, offset - len(word[0] if word is not None else "")


def find_call(workspace: Workspace, path: Path, offset: int) -> OpenCall | None:
    """Return the call or look-up being typed at an offset, or None."""
    index = workspace.indexes.get(workspace.find_target(path))
    return None if index is None else find_open_call(index, workspace.read_text(path), offset)


def describe_key(workspace: Workspace, path: Path, offset: int) -> str:
    """Return the format's description of the document key at an offset, or ''."""
    return "" if is_rules_name(path) else describe_key_at(workspace.read_text(path), offset)


def find_meanings(workspace: Workspace, path: Path, offset: int) -> tuple[str, tuple[RulesetSymbol, ...]]:
    """Return the word at an offset and its possible meanings, most likely first."""
    index = workspace.indexes.get(workspace.find_target(path))
    text = workspace.read_text(path)
    stretch = find_word(text, offset, is_rules_name(path))
    if index is None or stretch is None:
        return "", ()
    word = text[stretch[0] : stretch[1]]
    symbols = index.names.get(word, ())
    line = text[text.rfind("\n", 0, stretch[0]) + 1 : stretch[0]]
    if line.endswith("value."):
        fitting = [n for n in symbols if n.sort == "value"]
    elif line.endswith("."):
        type_ = infer_type_before(index, line[:-1], infer_local_types(index, text, stretch[0]))
        attributes = index.attributes.get("game", ()) if _GAME.search(line) else list_attributes(index, type_)
        fitting = [n for n in attributes if n.name == word] or [n for n in symbols if n.sort == "attribute"]
    elif is_inside_citation(line) or _CITING.search(line):
        fitting = [n for n in symbols if n.sort == "paragraph"]
    else:
        return word, symbols
    return word, tuple(fitting) or tuple(n for n in symbols if n.sort != "attribute")


def describe_names(names: Iterable[RulesetSymbol]) -> str:
    """Return a description of names in Markdown; keywords are left out."""
    parts = []
    for name in names:
        if name.sort != "keyword":
            head = (
                f"**{name.name}** ({name.sort})" if name.brief in ("", name.name) else f"**{name.sort}** `{name.brief}`"
            )
            parts.append(head + (f"\n\n{name.summary}" if name.summary else ""))
    return "\n\n---\n\n".join(parts)


def find_definitions(workspace: Workspace, path: Path, offset: int) -> list[RenameTarget]:
    """Return the definitions of the names meant at an offset."""
    word, names = find_meanings(workspace, path, offset)
    target = workspace.find_target(path)
    spans = []
    for name in names:
        place = workspace.resolve_span(target, name.span) if name.span is not None else None
        if place is not None:
            spans.append(_narrow_span(workspace, place[0], place[1], word))
    return list(dict.fromkeys(spans))


def _narrow_span(workspace: Workspace, path: Path, span: Span, word: str) -> RenameTarget:
    """Narrow the span of a definition to the name `word` in it; the whole span if the name does not occur."""
    text = workspace.read_text(path)
    index = text.find(word, max(span.start - len(word) - 4, 0), span.end)
    return RenameTarget(path, index, index + len(word)) if index >= 0 else RenameTarget(path, span.start, span.end)


def search_symbols(workspace: Workspace, query: str) -> list[tuple[RulesetSymbol, RenameTarget]]:
    """Return the names of all open rulesets that contain the query as a subsequence, prefix matches first."""
    folded_query = query.casefold()
    fitting = re.compile(".*".join(map(re.escape, folded_query)))
    symbols: dict[RenameTarget, RulesetSymbol] = {}
    for target, index in workspace.indexes.items():
        for name in index.iter_symbols():
            if name.span is None or not fitting.search(name.name.casefold()):
                continue
            place = workspace.resolve_span(target, name.span)
            if place is not None:
                symbols.setdefault(_narrow_span(workspace, place[0], place[1], name.name), name)
    ranked = sorted(
        symbols.items(), key=lambda item: (not item[1].name.casefold().startswith(folded_query), item[1].name)
    )
    return [(name, place) for place, name in ranked]


@dataclass(slots=True)
class Symbol:
    """A named part of a file: its sort, its name at `start` to `end`, and the parts inside it.

    `until`: the offset at which its block ends.
    """

    name: str
    sort: str
    start: int
    end: int
    until: int
    children: list[Symbol] = field(default_factory=list)


def build_outline(text: str, is_rules: bool) -> list[Symbol]:
    """Return the symbols of a file as a tree."""
    symbols = _iter_rules_symbols(text) if is_rules else _iter_key_symbols(text)
    top: list[Symbol] = []
    open_: list[tuple[int, Symbol]] = []
    for indent, symbol in symbols:
        while open_ and open_[-1][0] >= indent:
            open_.pop()
        (open_[-1][1].children if open_ else top).append(symbol)
        open_.append((indent, symbol))
    return top


def _iter_rules_symbols(text: str) -> Iterator[tuple[int, Symbol]]:
    for item in _ITEM.finditer(text):
        indent = len(item[1])
        if (indent > 0) == (item[2] in _INNER):
            until = _find_end_of_block(text, item.start(), indent)
            yield indent, Symbol(item[3] or item[2], item[2], item.start(2), item.end(), until)


def _iter_key_symbols(text: str) -> Iterator[tuple[int, Symbol]]:
    for key in _KEY.finditer(text):
        if len(key[1]) <= 2 * _DEEPEST:
            until = _find_end_of_block(text, key.start(), len(key[1]))
            yield len(key[1]), Symbol(key[2].strip("\"'"), "key", key.start(2), key.end(2), until)


def _find_end_of_block(text: str, start: int, indent: int) -> int:
    """Return the end of the lines indented deeper than the line at `start`, without trailing blank lines."""
    end = _find_line_end(text, start)
    index = end
    while index < len(text):
        line_end = _find_line_end(text, index + 1)
        line = text[index + 1 : line_end]
        if line.strip():
            if len(line) - len(line.lstrip(" ")) <= indent and not (indent == 0 and line.startswith("- ")):
                break
            end = line_end
        index = line_end
    return end


def _find_line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end


def list_folds(text: str) -> list[tuple[int, int]]:
    """Return (first, last) lines, from 0, of every range indented below a line."""
    lines = text.split("\n")
    open_: list[tuple[int, int]] = []  # (indent, number) of the lines that have deeper lines below
    folds: list[tuple[int, int]] = []
    last = -1  # the last line that is not blank
    for number, line in enumerate([*lines, "end"]):
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip(" "))
        while open_ and open_[-1][0] >= indent:
            _, first = open_.pop()
            if last > first:
                folds.append((first, last))
        open_.append((indent, number))
        last = number
    return sorted(folds)
