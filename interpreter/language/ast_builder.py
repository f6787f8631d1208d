"""Convert lark parse trees to syntax nodes, without any checks of their meaning."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from lark import Token, Tree

from interpreter.diagnostics.source_text import Source, Span
from interpreter.language import syntax as s

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_CITE_ID = re.compile(r"[A-Za-z0-9][\w.\-]*")
_Record = TypeVar("_Record")
ParseExpression = Callable[[Source, int, int], "s.Expr | None"]

MAX_EXPRESSION_DEPTH = 100  # nested expressions; parser, checker and compiler recurse into each
MAX_LOOP_DEPTH = 10  # nested loops


class SyntaxTooDeepError(Exception):
    """Raised for constructs nested beyond a limit, which would exhaust the stack of recursive passes."""

    def __init__(self, span: Span, description: str, most: int) -> None:
        super().__init__(description)
        self.span = span
        self.what = description
        self.most = most


class TreeReader:
    """Converter of the parse trees of one source into nodes.

    `offset` is the position of the parsed text in the source; `parse_hole` parses the expression in a template's hole,
    given its start and end in the source.
    """

    def __init__(self, source: Source, offset: int, parse_hole: ParseExpression) -> None:
        self.source = source
        self.offset = offset
        self.parse_hole = parse_hole
        self.depth = self.loops = 0

    # --- small parts ---------------------------------------------------------------

    def get_span(self, node: Tree[Any] | Token) -> Span:
        """Return the span of a tree or token."""
        if isinstance(node, Token):
            start, end = node.start_pos or 0, node.end_pos or 0
        else:
            meta = node.meta
            if getattr(meta, "empty", True):
                return Span(self.source, self.offset, self.offset)
            start, end = meta.start_pos, meta.end_pos
        text = self.source.text
        start, end = start + self.offset, min(end + self.offset, len(text))
        while end > start and text[end - 1].isspace():
            end -= 1
        return Span(self.source, start, end)

    def read_cites(self, tree: Tree[Token] | None) -> tuple[s.CiteClause, ...]:
        """Return the citations in a `cites` tree, () for None."""
        cites: list[s.CiteClause] = []
        for token in tree.scan_values(lambda _: True) if tree is not None else ():
            base = (token.start_pos or 0) + self.offset
            ids = _CITE_ID.finditer(str(token))
            cites += [s.CiteClause(m.group(), span=Span(self.source, base + m.start(), base + m.end())) for m in ids]
        return tuple(cites)

    def build_template(self, token: Token | None) -> s.Template | None:
        """Return a text template from its token, or None if it was omitted."""
        if token is None:
            return None
        start = (token.start_pos or 0) + self.offset
        return read_template(self.source, start, start + len(token), self.parse_hole)

    def build(self, shape: type[_Record], parts: Iterable[Any], tree: Tree[Any]) -> _Record:
        """Build a record of the class `shape` from `parts`, one for each field in order, with the span of `tree`."""
        create: Callable[..., _Record] = shape
        fields_with_parts = zip(_list_field_readers(create), parts, strict=True)
        return create(**{name: read(self, part) for (name, read), part in fields_with_parts}, span=self.get_span(tree))

    def build_record(self, shape: type[_Record], tree: Tree[Any]) -> _Record:
        """Build a record of the class `shape`, whose fields are the children of `tree`, in order."""
        return self.build(shape, tree.children, tree)

    def build_each(
        self, shape: type[_Record], parts: Tree[Any] | Sequence[Tree[Any] | None] | None
    ) -> tuple[_Record, ...]:
        """Build a record of the class `shape` for each tree of a list, or for each child of one tree.

        Omitted parts (None) are skipped; () without any.
        """
        trees = parts.children if isinstance(parts, Tree) else parts or ()
        return tuple(self.build_record(shape, tree) for tree in trees if tree is not None)

    def build_bindings(self, parts: list[Any]) -> tuple[s.Binding, ...]:
        """Return the named expressions in trees of (name or None, expression); a bare word names itself."""
        bindings: list[s.Binding] = []
        for part in parts:
            label, value = part.children
            expr = self.build_expr(value)
            word = str(label) if label is not None else (expr.id if isinstance(expr, s.NameExpr) else "")
            bindings.append(s.Binding(word, expr, span=self.get_span(part)))
        return tuple(bindings)

    def read_type(self, tree: Tree[Any]) -> s.TypeName:
        """Return a type as written."""
        if tree.data == "named_type":
            return s.TypeName(str(tree.children[0]), None, span=self.get_span(tree))
        if tree.data == "word_type":
            return s.TypeName("one_of", None, tuple(str(word) for word in tree.children), span=self.get_span(tree))
        word = {"set_type": "set of", "list_type": "list of", "maybe_type": "maybe"}[tree.data]
        return s.TypeName(word, self.read_type(tree.children[0]), span=self.get_span(tree))

    # --- expressions -----------------------------------------------------------------

    def build_expr(self, node: Tree[Any]) -> s.Expr:
        """Return an expression, or a comprehension inside arguments."""
        self.depth += 1
        if self.depth > MAX_EXPRESSION_DEPTH:
            raise SyntaxTooDeepError(self.get_span(node), "parts of an expression", MAX_EXPRESSION_DEPTH)
        expression: s.Expr = _EXPRESSIONS[node.data](self, node, node.children)
        self.depth -= 1
        return expression

    def build_args(self, tree: Tree[Any] | None) -> tuple[Any, ...]:
        """Return arguments; `x in s where c` and `x in s` become comprehensions later if the callee expects one."""
        return () if tree is None else tuple(self.build_expr(c) for c in tree.children)

    def _build_logic(self, op: str, node: Tree[Any], items: list[Any]) -> s.LogicExpr:
        return s.LogicExpr(op, tuple(self.build_expr(i) for i in items), span=self.get_span(node))

    def _build_filtered(self, node: Tree[Any], children: list[Any]) -> s.ComprehensionExpr:
        inner = self.build_expr(children[0])
        return s.ComprehensionExpr(
            None, *_split_membership(inner), self.build_expr(children[1]), span=self.get_span(node)
        )

    def _build_collection(self, node: Tree[Any], children: list[Any]) -> s.CollectionExpr:
        """Return a set in braces; a final `least` or `most` belongs to its last comprehension."""
        items = list(self.build_args(children[0]))
        if children[1] is not None and items:
            last = items[-1]
            var, domain = _split_membership(last)
            if var:
                last = s.ComprehensionExpr(None, var, domain, None, span=last.span)
            if isinstance(last, s.ComprehensionExpr):
                extreme, measure = children[1].children
                items[-1] = replace(last, extreme=str(extreme), measure=self.build_expr(measure))
        return s.CollectionExpr("set", tuple(items), span=self.get_span(node))

    # --- statements -------------------------------------------------------------------

    def build_block(self, tree: Tree[Any]) -> s.BlockStmt:
        """Return a block of one or several statements."""
        return s.BlockStmt(tuple(self.build_statement(c) for c in tree.children), span=self.get_span(tree))

    def build_statement(self, node: Tree[Any]) -> s.Statement:
        """Return a statement."""
        is_loop = node.data in ("for_", "while_", "times")
        self.loops += is_loop
        if self.loops > MAX_LOOP_DEPTH:
            raise SyntaxTooDeepError(self.get_span(node), "loops", MAX_LOOP_DEPTH)
        statement: s.Statement = _STATEMENTS[node.data](self, node, node.children)
        self.loops -= is_loop
        return statement

    def build_target(self, tree: Tree[Any]) -> s.Expr:
        """Return an assignment target: a local name, or an attribute."""
        if tree.data == "member_target":
            return s.AttrExpr(self.build_expr(tree.children[0]), str(tree.children[1]), span=self.get_span(tree))
        first = tree.children[0]
        node: s.Expr = s.NameExpr(str(first), span=self.get_span(first))
        for part in tree.children[1:]:
            node = s.AttrExpr(node, str(part), span=node.span.to(self.get_span(part)))
        return node

    def build_optional_block(self, part: list[Any] | Tree[Any] | None) -> s.BlockStmt | None:
        """Return a block from its tree or its list of statements, or None without statements."""
        if isinstance(part, list):
            items = tuple(self.build_statement(b) for b in part)
            return s.BlockStmt(items, span=items[0].span.to(items[-1].span)) if items else None
        return None if part is None else self.build_block(part)

    def build_option(self, tree: Tree[Any]) -> s.OptionDecl:
        """Return an option of a decision."""
        name, params, label, cites, *rest = tree.children
        groups = _group_by_rule(rest)
        body = [r for r in rest if r is not None and r.data not in ("require", "prefer")]
        return self.build(s.OptionDecl, [name, params, label, cites, groups["require"], groups["prefer"], body], tree)

    def _build_choose(self, node: Tree[Any], children: list[Any]) -> s.ChooseStmt:
        groups = _group_by_rule(children[6:])
        cites, otherwise = _get_optional_children(groups["otherwise"], 2)
        finish = [f.children[0] for f in groups["finish"]]
        return self.build(s.ChooseStmt, [*children[:6], groups["option"], finish, otherwise, cites], node)

    def _build_if(self, node: Tree[Any], children: list[Any]) -> s.IfStmt:
        test, block, *rest = children
        branches = [(self._build_test(test), self.build_block(block))]
        otherwise = None
        for part in rest:
            if part is None:
                continue
            if part.data == "elif_":
                branches.append((self._build_test(part.children[0]), self.build_block(part.children[1])))
            else:
                otherwise = self.build_block(part.children[0])
        return s.IfStmt(tuple(branches), otherwise, span=self.get_span(node))

    def _build_test(self, node: Tree[Any]) -> s.Expr | s.SomeTest:
        """Return the condition of a branch."""
        if node.data == "some_member":
            former = self.build(s.ComprehensionExpr, [None, *node.children, None, None], node)
            return s.SomeTest(former.var, former, span=former.span)
        if node.data == "some_value":
            return self.build_record(s.SomeTest, node)
        test: s.Expr = self.build_expr(node)
        return test

    def _build_end_game(self, node: Tree[Any], children: list[Any]) -> s.EndGameStmt:
        how, cites = children
        winner = [None] if how.data == "drawn" else []
        return self.build(s.EndGameStmt, [*winner, *how.children, cites], node)

    # --- items ----------------------------------------------------------------------------

    def build_item(self, node: Tree[Any]) -> s.Item:
        """Return a top-level item."""
        item: s.Item = _ITEMS[node.data](self, node, node.children)
        return item

    def _build_tally(self, node: Tree[Any], children: list[Any]) -> s.TallyDecl:
        groups = _group_by_rule(children[4:])
        bounds = [r for r in children[4:] if r is not None and r.data != "tally_line"]
        return self.build(s.TallyDecl, [*children[:4], groups["tally_line"], bounds], node)

    def _build_tally_bound(self, tree: Tree[Any]) -> s.TallyBoundDecl:
        return self.build(s.TallyBoundDecl, [tree.data.removeprefix("at_"), *tree.children], tree)

    def _build_draft_option(self, tree: Tree[Any]) -> s.DraftOptionDecl:
        name, params, *rest = tree.children
        groups = _group_by_rule(rest)
        parts = [
            name,
            params,
            groups["binding"],
            groups["stop"] or None,
            *_get_optional_children(groups["stop"], 1),
            *_get_optional_children(groups["label"], 2),
        ]
        return self.build(
            s.DraftOptionDecl,
            [*parts, groups["require"], groups["prefer"], *_get_optional_children(groups["because"], 2)],
            tree,
        )

    def _build_draft(self, node: Tree[Any], children: list[Any]) -> s.DraftDecl:
        groups = _group_by_rule(children[3:])
        finish, prefers = ([r.children[0] for r in groups[sort]] for sort in ("finish", "draft_prefer"))
        parts = [
            *children[:3],
            groups["binding"],
            groups["cites"][0],
            groups["draft_option"],
            finish,
            prefers,
            _get_optional_children(groups["offer"], 0),
        ]
        return self.build(
            s.DraftDecl,
            [*parts, *_get_optional_children(groups["cheapest"], 1), *_get_optional_children(groups["ending"], 1)],
            node,
        )

    def build_path(self, tree: Tree[Any]) -> tuple[str, ...]:
        """Return the names of an address such as `block.option`."""
        return tuple(str(p) for p in tree.children)

    def _build_change(
        self,
        sort: str,
        node: Tree[Any],
        path: Tree[Any],
        content: tuple[object, ...],
        cites: tuple[s.CiteClause, ...] = (),
    ) -> s.VariantChange:
        """Return a change of a variant; `sort`: such as "replace require"; `content`: the new parts."""
        return s.VariantChange(
            sort, self.build_path(path), self.get_span(path), content, cites, span=self.get_span(node)
        )

    def _build_requirement_replacement(self, node: Tree[Any], children: list[Any]) -> s.VariantChange:
        path, *parts = children[0].children
        new = self.build(s.RequireClause, [path.children[-1], *parts], children[0])
        return self._build_change("replace require", node, path, (new,))

    def _build_item_replacement(self, node: Tree[Any], children: list[Any]) -> s.VariantChange:
        item: Any = self.build_statement(children[0]) if children[0].data == "phase" else self.build_item(children[0])
        return s.VariantChange("replace", (item.name,), item.span, (item,), (), span=self.get_span(node))

    def _build_phase_addition(self, node: Tree[Any], children: list[Any]) -> s.VariantChange:
        name, title, cites, where, neighbour, body = children
        phase = self.build(s.PhaseStmt, [name, title, cites, body], node)
        return s.VariantChange(
            f"add {where}", (str(neighbour),), self.get_span(neighbour), (phase,), (), span=self.get_span(node)
        )

    def _build_phase_move(self, node: Tree[Any], children: list[Any]) -> s.VariantChange:
        name, where, neighbour, cites = children
        both = Span(self.source, self.get_span(name).start, self.get_span(neighbour).end)
        return s.VariantChange(
            f"move {where}", (str(name), str(neighbour)), both, (), self.read_cites(cites), span=self.get_span(node)
        )

    def build_module(self, tree: Tree[Any]) -> s.RulesModule:
        """Return the module of a whole file."""
        items = tuple(self.build_item(c) for c in tree.children)
        return s.RulesModule(items, span=Span(self.source, 0, len(self.source.text)))


def read_template(source: Source, start: int, end: int, parse_hole: ParseExpression) -> s.Template:
    """Return the template between `start` and `end` (quotes included).

    `parse_hole` parses the expression between two offsets, or returns None after an error.
    """
    text = source.text
    parts: list[str | s.Expr] = []
    offset = start + 1
    stop = end - 1
    while offset < stop:
        hole = text.find("{", offset, stop)
        if hole < 0:
            parts.append(text[offset:stop])
            break
        if hole > offset:
            parts.append(text[offset:hole])
        close = text.find("}", hole, stop)
        if close < 0:
            close = stop
        expr = parse_hole(source, hole + 1, close)
        if expr is not None:
            parts.append(expr)
        offset = close + 1
    return s.Template(tuple(parts), span=Span(source, start, end))


_Handler = Callable[[TreeReader, Any, list[Any]], Any]


@cache
def _list_field_readers(shape: type[DataclassInstance]) -> tuple[tuple[str, Callable[[TreeReader, Any], Any]], ...]:
    """Return the name of each field of a record, except its span, with the function that reads it."""
    return tuple((part.name, _READERS[str(part.type)]) for part in fields(shape) if part.name != "span")


def _group_by_rule(parts: Iterable[Any]) -> dict[str, list[Any]]:
    """Group trees by their rule name; omitted parts are skipped."""
    groups: dict[str, list[Any]] = defaultdict(list)
    for part in parts:
        if part is not None:
            groups[part.data].append(part)
    return groups


def _get_optional_children(trees: list[Any], number: int) -> list[Any]:
    """Return the children of the first of `trees`.

    If the node is missing or was omitted, return a list of `number` times None.
    """
    return list(trees[0].children) if trees and trees[0] is not None else [None] * number


def _split_membership(expr: object) -> tuple[str, Any]:
    """Return variable and domain of `x in s`; for other expressions '' and the expression."""
    if isinstance(expr, s.BinaryExpr) and expr.op == "in" and isinstance(expr.left, s.NameExpr):
        return expr.left.id, expr.right
    return "", expr


def _create_record_handler(shape: type, *before: str) -> _Handler:
    """Return a handler that builds a record from the parts of its tree in order, after any literals `before`."""
    return lambda reader, tree, parts: reader.build(shape, [*before, *parts], tree)


def _read_infix(reader: TreeReader, tree: Tree[Any], parts: list[Any]) -> s.BinaryExpr:
    """Build an infix expression from its left operand, operator and right operand."""
    left, op, right = parts
    return reader.build(s.BinaryExpr, [op, left, right], tree)


# Type of a field -> function that reads it from a part of a tree; an omitted part is None.
_READERS: dict[str, Callable[[TreeReader, Any], Any]] = {
    "str": lambda r, part: str(part),
    "str | None": lambda r, part: None if part is None else str(part),
    "bool": lambda r, part: part is not None,
    "tuple[str, ...]": lambda r, parts: tuple(str(part) for part in parts if part is not None),
    "Expr": TreeReader.build_expr,
    "Expr | ComprehensionExpr": TreeReader.build_expr,
    "Expr | None": lambda r, part: None if part is None else r.build_expr(part),
    "tuple[Expr, ...]": TreeReader.build_args,
    "tuple[Expr | ComprehensionExpr, ...]": TreeReader.build_args,
    "Template": TreeReader.build_template,
    "Template | None": TreeReader.build_template,
    "tuple[CiteClause, ...]": TreeReader.read_cites,
    "BlockStmt": TreeReader.build_block,
    "BlockStmt | None": TreeReader.build_optional_block,
    "TypeName": TreeReader.read_type,
    "TypeName | None": lambda r, part: None if part is None else r.read_type(part),
    "tuple[Binding, ...]": TreeReader.build_bindings,
    "tuple[FieldDecl, ...]": lambda r, parts: r.build_each(s.FieldDecl, parts),
    "tuple[ParameterDecl, ...]": lambda r, parts: r.build_each(s.ParameterDecl, parts),
    "tuple[RequireClause, ...]": lambda r, parts: r.build_each(s.RequireClause, parts),
    "tuple[PreferClause, ...]": lambda r, parts: r.build_each(s.PreferClause, parts),
    "tuple[MatchArm, ...]": lambda r, parts: r.build_each(s.MatchArm, parts),
    "tuple[TallyLineDecl, ...]": lambda r, parts: r.build_each(s.TallyLineDecl, parts),
    "tuple[TallyBoundDecl, ...]": lambda r, parts: tuple(r._build_tally_bound(part) for part in parts),
    "tuple[OptionDecl, ...]": lambda r, parts: tuple(r.build_option(part) for part in parts),
    "tuple[DraftOptionDecl, ...]": lambda r, parts: tuple(r._build_draft_option(part) for part in parts),
}
_EXPRESSIONS: dict[str, _Handler] = {
    "name": _create_record_handler(s.NameExpr),
    "number": lambda r, n, c: s.LiteralExpr(int(c[0]), span=r.get_span(n)),
    "text": lambda r, n, c: s.LiteralExpr(str(c[0])[1:-1], span=r.get_span(n)),
    "true": lambda r, n, c: s.LiteralExpr(True, span=r.get_span(n)),
    "false": lambda r, n, c: s.LiteralExpr(False, span=r.get_span(n)),
    "attribute": _create_record_handler(s.AttrExpr),
    "index": _create_record_handler(s.IndexExpr),
    "call": _create_record_handler(s.CallExpr),
    "braces": TreeReader._build_collection,
    "brackets": _create_record_handler(s.CollectionExpr, "list"),
    "playing": _create_record_handler(s.PlayingExpr),
    "can_advance": _create_record_handler(s.CanAdvanceExpr),
    "possible": _create_record_handler(s.PossibleExpr),
    "search": lambda r, n, c: r.build(s.SearchExpr, [*c[:4], *_get_optional_children(c[4:], 4)], n),
    "closure": _create_record_handler(s.ClosureExpr),
    "with_fields": lambda r, n, c: r.build(s.WithFieldsExpr, [c[0], c[1:]], n),
    "or_expr": lambda r, n, c: r._build_logic("or", n, c),
    "and_expr": lambda r, n, c: r._build_logic("and", n, c),
    "negation": _create_record_handler(s.UnaryExpr, "not"),
    "signed": _create_record_handler(s.UnaryExpr),
    "quantified": lambda r, n, c: r.build(s.QuantifiedExpr, [*c, None], n),
    "every": _create_record_handler(s.QuantifiedExpr, "every"),
    "compare": _read_infix,
    "member": _create_record_handler(s.BinaryExpr, "in"),
    "not_member": _create_record_handler(s.BinaryExpr, "not in"),
    "below": _create_record_handler(s.BinaryExpr, "below"),
    "above": _create_record_handler(s.BinaryExpr, "above"),
    "span_of": _create_record_handler(s.BinaryExpr, ".."),
    "additive": _read_infix,
    "multiplicative": _read_infix,
    "on_map": _create_record_handler(s.OnMapExpr),
    "has_cell": _create_record_handler(s.HasCellExpr),
    "at_place": _create_record_handler(s.PiecesAtExpr),
    "conditional": _create_record_handler(s.ConditionalExpr),
    "or_else": _create_record_handler(s.OrElseExpr),
    "filtered": TreeReader._build_filtered,
    "shifted": _create_record_handler(s.ShiftedExpr),
    "mapped": lambda r, n, c: r.build(s.ComprehensionExpr, [*c, None, None], n),
}

_STATEMENTS: dict[str, _Handler] = {
    "phase": _create_record_handler(s.PhaseStmt),
    "let": _create_record_handler(s.LetStmt),
    "assign": lambda r, n, c: s.AssignStmt(
        "set", r.build_target(c[0]), r.build_expr(c[1]), r.read_cites(c[2]), span=r.get_span(n)
    ),
    "change": lambda r, n, c: s.AssignStmt(
        str(c[0]), r.build_target(c[1]), r.build_expr(c[2]), r.read_cites(c[3]), span=r.get_span(n)
    ),
    "rung_move": lambda r, n, c: s.AdvanceStmt(
        str(c[0]), r.build_target(c[1]), c[2] is not None, r.read_cites(c[3]), span=r.get_span(n)
    ),
    "move": _create_record_handler(s.MoveStmt),
    "if_": TreeReader._build_if,
    "for_": _create_record_handler(s.ForStmt),
    "while_": _create_record_handler(s.WhileStmt),
    "times": _create_record_handler(s.RepeatStmt),
    "choose": TreeReader._build_choose,
    "roll": _create_record_handler(s.RollStmt),
    "draw": _create_record_handler(s.DrawStmt),
    "report": _create_record_handler(s.ReportStmt),
    "end_game": TreeReader._build_end_game,
    "skip": _create_record_handler(s.SkipStmt),
    "later": _create_record_handler(s.LaterStmt),
    "settle": _create_record_handler(s.SettleStmt),
    "return_": _create_record_handler(s.ReturnStmt),
    "assert_": _create_record_handler(s.AssertStmt),
    "together": _create_record_handler(s.TogetherStmt),
    "nothing": _create_record_handler(s.NothingStmt),
    "match": lambda r, n, c: r.build(s.MatchStmt, [c[0], c[1:-1], *_get_optional_children(c[-1:], 1)], n),
    "call_stmt": lambda r, n, c: r.build(s.CallStmt, [*c[:2], *_get_optional_children(c[2:], 3), *c[3:]], n),
}

_ITEMS: dict[str, _Handler] = {
    "setup": _create_record_handler(s.SequenceDecl, "setup"),
    "turn": _create_record_handler(s.SequenceDecl, "turn"),
    "procedure": _create_record_handler(s.ProcedureDecl),
    "define": _create_record_handler(s.DefineDecl),
    "rule": lambda r, n, c: r.build(s.RuleDecl, [*c[:3], c[3:]], n),
    "tally": TreeReader._build_tally,
    "draft": TreeReader._build_draft,
    "record": lambda r, n, c: r.build(s.RecordDecl, [c[0], c[1:]], n),
    "event": _create_record_handler(s.EventDecl),
    "watcher": lambda r, n, c: r.build(s.WatcherDecl, [c[0], c[1:-3], *c[-3:]], n),
    "replace_require": TreeReader._build_requirement_replacement,
    "replace_item": TreeReader._build_item_replacement,
    "removal": lambda r, n, c: r._build_change("remove", n, c[0], (), r.read_cites(c[1])),
    "add_option": lambda r, n, c: r._build_change("add option", n, c[0], tuple(r.build_option(o) for o in c[1:])),
    "add_require": lambda r, n, c: r._build_change("add require", n, c[0], r.build_each(s.RequireClause, c[1:])),
    "add_line": lambda r, n, c: r._build_change("add line", n, c[0], r.build_each(s.TallyLineDecl, c[1:])),
    "add_phase": TreeReader._build_phase_addition,
    "move_phase": TreeReader._build_phase_move,
    "around": lambda r, n, c: r._build_change(str(c[0]), n, c[1], r.build_block(c[3]).items, r.read_cites(c[2])),
}
