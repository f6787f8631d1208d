"""One file of a ruleset in its one layout, proven to say what it said.

Must not read or write files.
"""

from __future__ import annotations

from interpreter.documents.reading.tree import Branch, Listing, Node, Scalar
from interpreter.documents.reading.yaml_reading import read_yaml
from interpreter.files.file_names import is_rules_name
from interpreter.language.parsing import parse_module, pieces_of
from interpreter.source.diagnostic import Sink
from interpreter.source.text import Source, edited
from interpreter.tools.comparing.rule_text import shape_of
from interpreter.tools.formatting.rules_layout import laid_out
from interpreter.tools.formatting.rules_lines import Between, Statement, statements_of
from interpreter.tools.formatting.yaml_blocks import indent_blocks, tidy_lines
from interpreter.tools.formatting.yaml_breaks import break_lines
from interpreter.tools.formatting.yaml_columns import align_columns, space_brackets
from interpreter.tools.formatting.yaml_order import order_keys, order_of
from interpreter.tools.formatting.yaml_pages import Page, comments

_ROUNDS = 12


class NotTheSame(Exception):
    """What would be written does not say what was read: a fault of ours, and nothing is written."""


def formatted(source: Source, sink: Sink) -> str | None:
    """The text of a rules file or a document in its layout; None where it cannot be read (told to the sink)."""
    text = _plain_ends(source.text)
    if not text.strip():
        return source.text
    made = _rules(source.name, text, sink) if is_rules_name(source.name) else _document(source.name, text, sink)
    if made is not None and source.text.count("\r\n") * 2 > source.text.count("\n"):
        made = made.replace("\n", "\r\n")
    return made


def _plain_ends(text: str) -> str:
    """Without a byte order mark, each line ended in one way, the last one too."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    return text if text.endswith("\n") else text + "\n"


def _rules(name: str, text: str, sink: Sink) -> str | None:

    source = Source(name, text)
    before = parse_module(source, sink)
    if before is None:
        return None
    rows = statements_of(text, pieces_of(source))
    made = laid_out(rows)
    if made == text:  # the same letters say the same
        return made
    after = parse_module(Source(name, made), Sink())
    if after is None or repr(shape_of(before)) != repr(shape_of(after)):  # true is not 1
        raise NotTheSame(name)
    if _remarks(rows) != _remarks(statements_of(made, pieces_of(Source(name, made)))):
        raise NotTheSame(name)
    return made


def _remarks(rows: list[Statement | Between]) -> list[str]:
    """All comments in order."""
    found: list[str] = []
    for row in rows:
        if isinstance(row, Between):
            found += [line[1] for line in row.lines if line]
        else:
            for part in row.parts:
                found += [*part.comments, *([part.remark] if part.remark else [])]
    return found


def _document(name: str, text: str, sink: Sink) -> str | None:

    source = Source(name, text)
    root = read_yaml(source, sink)
    if root is None or any(d.severity == "error" for d in sink.items):
        return text if root is None and not sink.items else None
    page = first = Page(root.text("kind") if isinstance(root, Branch) else "", source, root)
    for _round in range(_ROUNDS):
        begun = page.text
        for change in (tidy_lines, order_keys, indent_blocks, space_brackets, break_lines, align_columns):
            edits = change(page)
            if not edits:
                continue
            source = Source(name, edited(page.text, edits))
            found = read_yaml(source, Sink())
            if found is None or not _says_the_same(first, first.root, found, ()):
                raise NotTheSame(f"{name} ({change.__name__})")
            page = Page(page.kind, source, found)
        if page.text == begun:
            break
    if page is not first and sorted(comments(page)) != sorted(comments(first)):
        raise NotTheSame(name)
    return page.text


def _says_the_same(page: Page, one: Node, other: Node, path: tuple[str, ...]) -> bool:
    """Whether two trees hold the same; keys may have changed places only where their order says nothing."""

    if isinstance(one, Branch) and isinstance(other, Branch):
        mine, his = list(one.entries), list(other.entries)
        if mine != his and not (order_of(page.kind, path) and sorted(mine) == sorted(his)):
            return False
        return all(_says_the_same(page, one.entries[k].value, other.entries[k].value, (*path, k)) for k in mine)
    if isinstance(one, Listing) and isinstance(other, Listing):
        pairs = zip(one.items, other.items, strict=False)
        return len(one.items) == len(other.items) and all(_says_the_same(page, a, b, (*path, "-")) for a, b in pairs)
    if not isinstance(one, Scalar) or not isinstance(other, Scalar):
        return False
    return type(one.value) is type(other.value) and one.value == other.value
