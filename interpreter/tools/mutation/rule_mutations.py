"""List mutations of rules: statements, conditions, comparisons, requirements, lines of tallies and more.

Works on syntax, so it knows no ruleset. `check` rejects changes that make no sense.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from interpreter.diagnostics.source_text import Span
from interpreter.language import syntax as s
from interpreter.tools.mutation.mutation import Mutation

_COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_SIGNS = {"+": "-", "-": "+"}
_MOVED = {"raise": "lower", "lower": "raise", "advance": "drop", "drop": "advance"}
_JOINED = {"and": "or", "or": "and"}
_QUANTIFIED = {"any": "no", "no": "any"}
# removing a statement that only cites rules, or asserts what never fails, changes nothing
_KEPT = (s.NothingStmt, s.AssertStmt, s.LetStmt, s.RollStmt, s.DrawStmt, s.ReturnStmt)
_SKIPPED = (s.Template, s.CiteClause, s.TypeName, Span)
_MAX_TEXT_LENGTH = 60
Path = tuple[Any, ...]


def iter_rule_mutations(items: Sequence[s.Item]) -> Iterator[Mutation]:
    """Yield every mutation of the rules, in source order."""
    for number, item in enumerate(items):
        owner = f"whenever {item.event}" if isinstance(item, s.WatcherDecl) else getattr(item, "name", "")
        for change in _iter_mutations(item, (number,)):
            yield replace(change, owner=owner)


def _iter_mutations(node: object, path: Path) -> Iterator[Mutation]:
    if isinstance(node, tuple):
        for n, item in enumerate(node):
            yield from _iter_mutations(item, (*path, n))
        return
    if not isinstance(node, s.SyntaxNode) or isinstance(node, _SKIPPED):
        return
    yield from _iter_node_mutations(node, path)
    for field in fields(node):
        if field.name not in _SKIPPED_FIELDS.get(type(node), ()):
            yield from _iter_mutations(getattr(node, field.name), (*path, field.name))


# parts of nodes that are only displayed, or whose change could only make a rule endless
_SKIPPED_FIELDS: dict[type, tuple[str, ...]] = {
    s.ReportStmt: ("args",),
    s.AssertStmt: ("test",),
    s.ProcedureDecl: ("deep",),
    s.WhileStmt: ("test",),
}


def _iter_node_mutations(node: s.SyntaxNode, path: Path) -> Iterator[Mutation]:
    """Yield the changes of one node itself, not of the nodes inside it. `path`: the path that leads to the node."""
    match node:
        case s.BlockStmt():
            yield from _iter_left_out_statements(node, path)
        case s.IfStmt():
            for n, (test, _body) in enumerate(node.branches):
                if not isinstance(test, s.SomeTest):  # the branch uses the name bound by the test
                    yield _build_negation(test, (*path, "branches", n, 0))
        case s.ConditionalExpr():
            yield _build_negation(node.test, (*path, "test"))
        case s.AssignStmt() | s.AdvanceStmt():
            yield from _iter_exchanges("statement", _MOVED, node, path)
        case s.BinaryExpr():
            yield from _iter_exchanges("comparison", _COMPARED, node, path)
            yield from _iter_exchanges("arithmetic", _SIGNS, node, path)
        case s.LogicExpr():
            yield from _iter_logic_mutations(node, path)
        case s.LiteralExpr() if type(node.value) is int:
            more = int(node.value) + 1
            yield Mutation(
                "rules",
                "number",
                f"`{node.value}` became `{more}` in `{_cut_excerpt(_get_line_span(node.span))}`",
                node.span,
                path,
                replace(node, value=more),
            )
        case s.QuantifiedExpr():
            yield from _iter_exchanges("condition", _QUANTIFIED, node, path, "sort")
            yield from _iter_dropped_conditions("condition", "where", node, path, "where")
        case s.ComprehensionExpr():
            yield from _iter_dropped_conditions("condition", "where", node, path, "where")
        case s.TallyDecl():
            yield from _iter_omissions(node, path, "lines", "tally line")
            yield from _iter_omissions(node, path, "bounds", "tally line")
        case s.TallyLineDecl():
            yield from _iter_exchanges("tally line", _SIGNS, node, path, "sign")
            yield from _iter_dropped_conditions("tally line", "if", node, path, "condition")
        case s.RuleDecl():
            yield from _iter_omissions(node, path, "requires", "requirement")
        case s.OptionDecl() | s.DraftOptionDecl():
            yield from _iter_option_mutations(node, path)
        case s.ChooseStmt() | s.DraftDecl():
            yield from _iter_omissions(node, path, "finish", "requirement")
            if len(node.options) > 1:
                yield from _iter_omissions(node, path, "options", "option")
            if isinstance(node, s.DraftDecl):
                yield from _iter_omissions(node, path, "prefers", "preference")


def _iter_left_out_statements(block: s.BlockStmt, path: Path) -> Iterator[Mutation]:
    for n, statement in enumerate(block.items):
        if isinstance(statement, _KEPT):
            continue
        remaining: tuple[s.Statement, ...] = (*block.items[:n], *block.items[n + 1 :])
        empty = replace(block, items=remaining or (s.NothingStmt((), span=statement.span),))
        yield Mutation("rules", "statement", f"`{_cut_excerpt(statement.span)}` left out", statement.span, path, empty)


def _iter_omissions(node: s.SyntaxNode, path: Path, field: str, sort: str) -> Iterator[Mutation]:
    """Yield, for each member of a sequence in a node, a mutation that omits this member.

    `path` leads to the node; `field`: the name of the sequence; `sort`: the kind under which the mutation is counted.
    """
    row = getattr(node, field)
    for n, member in enumerate(row):
        yield Mutation(
            "rules",
            sort,
            f"`{_cut_excerpt(member.span)}` left out",
            member.span,
            (*path, field),
            (*row[:n], *row[n + 1 :]),
        )


def _iter_option_mutations(node: s.OptionDecl | s.DraftOptionDecl, path: Path) -> Iterator[Mutation]:
    yield from _iter_omissions(node, path, "requires", "requirement")
    yield from _iter_omissions(node, path, "prefers", "preference")
    if isinstance(node, s.DraftOptionDecl) and (node.stops or node.stops_if is not None):
        yield _build_mutation(
            "statement", "`then stop` left out of", node, path, replace(node, stops=False, stops_if=None)
        )


def _iter_exchanges(
    sort: str, replacements: Mapping[str, str], node: s.SyntaxNode, path: Path, field: str = "op"
) -> Iterator[Mutation]:
    """Yield a mutation that replaces the word in a node's field by its counterpart in `replacements`, if it has one.

    `sort`: the kind under which it is counted; `path` leads to the node.
    """
    was = getattr(node, field)
    if was in replacements:
        changed: dict[str, Any] = {field: replacements[was]}
        yield _build_mutation(sort, f"`{was}` became `{replacements[was]}` in", node, path, replace(node, **changed))


def _iter_dropped_conditions(sort: str, word: str, node: s.SyntaxNode, path: Path, field: str) -> Iterator[Mutation]:
    """Yield a mutation that omits a node's optional condition together with its keyword, if it has one.

    `sort`: the kind under which it is counted; `word`: the keyword; `path` leads to the node; `field`: the name of the
    condition.
    """
    condition = getattr(node, field)
    if condition is not None:
        without: dict[str, Any] = {field: None}
        yield _build_mutation(
            sort, f"`{word} {_cut_excerpt(condition.span)}` left out of", node, path, replace(node, **without)
        )


def _iter_logic_mutations(node: s.LogicExpr, path: Path) -> Iterator[Mutation]:
    yield from _iter_exchanges("condition", _JOINED, node, path)
    for n, item in enumerate(node.items):
        remaining = (*node.items[:n], *node.items[n + 1 :])
        new: Any = remaining[0] if len(remaining) == 1 else replace(node, items=remaining)
        text = f"`{_cut_excerpt(item.span)}` left out of `{_cut_excerpt(node.span)}`"
        yield Mutation("rules", "condition", text, item.span, path, new)


def _build_negation(test: s.Expr, path: Path) -> Mutation:
    return Mutation(
        "rules",
        "condition",
        f"`{_cut_excerpt(test.span)}` negated",
        test.span,
        path,
        s.UnaryExpr("not", test, span=test.span),
    )


def _build_mutation(sort: str, text: str, node: s.SyntaxNode, path: Path, new: object) -> Mutation:
    return Mutation("rules", sort, f"{text} `{_cut_excerpt(node.span)}`", node.span, path, new)


def _get_line_span(span: Span) -> Span:
    """Return the whole line in which a span begins."""
    text = span.source.text
    end = text.find("\n", span.start)
    return Span(span.source, text.rfind("\n", 0, span.start) + 1, len(text) if end < 0 else end)


def _cut_excerpt(span: Span) -> str:
    """Return the text of a span in one line, without comment lines, truncated."""
    lines = span.source.text[span.start : span.end].splitlines()
    words = " ".join(word for line in lines if not line.lstrip().startswith("#") for word in line.split())
    return words if len(words) <= _MAX_TEXT_LENGTH else words[: _MAX_TEXT_LENGTH - 3].rstrip() + "..."
