"""lark's parse tree -> syntax nodes. Adds nothing and judges nothing."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from functools import cache
from typing import Any, TypeVar

from lark import Token, Tree

from interpreter.language import syntax as s
from interpreter.source.text import Source, Span

_CITE_ID = re.compile(r"[A-Za-z0-9][\w.\-]*")
R = TypeVar("R")
ParseExpression = Callable[[Source, int, int], "s.Expr | None"]


MOST_DEEP = 100  # parts of an expression inside one another: each is read, typed and compiled inside the one around it
MOST_LOOPS = 10  # loops inside one another


class NestedTooDeep(Exception):
    """Something that nobody could follow, and that could exhaust whoever goes through it."""

    def __init__(self, span: Span, what: str, most: int) -> None:
        super().__init__(what)
        self.span = span
        self.what = what
        self.most = most


class TreeReader:
    """Turns the trees of one source into nodes.

    `offset` is the place of the parsed text in the source; `parse_hole` parses the
    expression in a template's hole, given its start and end in the source.
    """

    def __init__(self, source: Source, offset: int, parse_hole: ParseExpression) -> None:
        self.source = source
        self.offset = offset
        self.parse_hole = parse_hole
        self.depth = self.loops = 0

    # --- small pieces ---------------------------------------------------------------

    def span(self, node: Any) -> Span:
        """Span of a tree or token."""
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

    def cites(self, tree: Any) -> tuple[s.Cite, ...]:
        """The citations in a `cites` tree (None: none)."""
        found: list[s.Cite] = []
        for token in tree.children if tree is not None else ():
            base = (token.start_pos or 0) + self.offset
            for m in _CITE_ID.finditer(str(token)):
                found.append(s.Cite(m.group(), Span(self.source, base + m.start(), base + m.end())))
        return tuple(found)

    def template(self, token: Token | None) -> s.Template | None:
        """Words with holes."""
        if token is None:
            return None
        start = (token.start_pos or 0) + self.offset
        return read_template(self.source, start, start + len(token), self.parse_hole)

    def made(self, shape: type[R], parts: Iterable[Any], tree: Any) -> R:
        """A record from what its fields are read from, in their order; its span is that of the tree."""
        make: Callable[..., R] = shape
        named = zip(_readers(make), parts, strict=True)
        return make(**{name: read(self, part) for (name, read), part in named}, span=self.span(tree))

    def in_order(self, shape: type[R], tree: Any) -> R:
        """A record whose fields are the parts of its tree in their order."""
        return self.made(shape, tree.children, tree)

    def each(self, shape: type[R], parts: Any) -> tuple[R, ...]:
        """Such a record for each of several trees, or of the parts of one; what was left out is none."""
        trees = parts.children if isinstance(parts, Tree) else parts or ()
        return tuple(self.in_order(shape, tree) for tree in trees if tree is not None)

    def bindings(self, parts: list[Any]) -> tuple[s.Binding, ...]:
        """Named expressions; what is no more than a name goes by that."""
        found: list[s.Binding] = []
        for part in parts:
            label, value = part.children
            expr = self.expr(value)
            word = str(label) if label is not None else (expr.id if isinstance(expr, s.Name) else "")
            found.append(s.Binding(word, expr, self.span(part)))
        return tuple(found)

    def maybe_type(self, tree: Any) -> s.TypeName | None:
        """A type that may be left out."""
        return None if tree is None else self.type(tree)

    def type(self, tree: Any) -> s.TypeName:
        """A type as written."""
        if tree.data == "named_type":
            return s.TypeName(str(tree.children[0]), None, self.span(tree))
        if tree.data == "word_type":
            return s.TypeName("one_of", None, self.span(tree), tuple(str(word) for word in tree.children))
        word = {"set_type": "set of", "list_type": "list of", "maybe_type": "maybe"}[tree.data]
        return s.TypeName(word, self.type(tree.children[0]), self.span(tree))

    def maybe_expr(self, node: Any) -> s.Expr | None:
        return None if node is None else self.expr(node)

    # --- expressions -----------------------------------------------------------------

    def expr(self, node: Any) -> Any:
        """An expression (or a former, inside arguments)."""
        self.depth += 1
        if self.depth > MOST_DEEP:
            raise NestedTooDeep(self.span(node), "parts of an expression", MOST_DEEP)
        made = _EXPRESSIONS[node.data](self, node, node.children)
        self.depth -= 1
        return made

    def args(self, tree: Any) -> tuple[Any, ...]:
        """Arguments; `x in s where c` and `x in s` become formers where a call asks for them later."""
        return () if tree is None else tuple(self.expr(c) for c in tree.children)

    def _logic(self, op: str, node: Any, items: list[Any]) -> s.Logic:
        return s.Logic(op, tuple(self.expr(i) for i in items), self.span(node))

    def _filtered(self, node: Any, ch: list[Any]) -> Any:
        inner = self.expr(ch[0])
        return s.Former(None, *_taken_from(inner), self.expr(ch[1]), self.span(node))

    def _braces(self, node: Any, ch: list[Any]) -> s.Collection:
        items = list(self.args(ch[0]))
        if ch[1] is not None and items:
            last = items[-1]
            var, domain = _taken_from(last)
            if var:
                last = s.Former(None, var, domain, None, last.span)
            if isinstance(last, s.Former):
                extreme, measure = ch[1].children
                items[-1] = replace(last, extreme=str(extreme), measure=self.expr(measure))
        return s.Collection("set", tuple(items), self.span(node))

    # --- statements -------------------------------------------------------------------

    def block(self, tree: Any) -> s.Block:
        """A block, one statement or several."""
        return s.Block(tuple(self.statement(c) for c in tree.children), self.span(tree))

    def statement(self, node: Any) -> s.Statement:
        """One statement."""
        is_loop = node.data in ("for_", "while_", "times")
        self.loops += is_loop
        if self.loops > MOST_LOOPS:
            raise NestedTooDeep(self.span(node), "loops", MOST_LOOPS)
        made: s.Statement = _STATEMENTS[node.data](self, node, node.children)
        self.loops -= is_loop
        return made

    def target(self, tree: Any) -> s.Expr:
        """Something that can be set: a local name, or an attribute of something."""
        if tree.data == "member_target":
            return s.Attr(self.expr(tree.children[0]), str(tree.children[1]), self.span(tree))
        first = tree.children[0]
        node: s.Expr = s.Name(str(first), self.span(first))
        for part in tree.children[1:]:
            node = s.Attr(node, str(part), node.span.to(self.span(part)))
        return node

    def maybe_block(self, part: Any) -> s.Block | None:
        """A block, or the statements of one, where there are any."""
        if isinstance(part, list):
            items = tuple(self.statement(b) for b in part)
            return s.Block(items, items[0].span.to(items[-1].span)) if items else None
        return None if part is None else self.block(part)

    def option(self, tree: Any) -> s.ChoiceOption:
        name, params, label, cites, *rest = tree.children
        of = _by_sort(rest)
        body = [r for r in rest if r is not None and r.data not in ("require", "prefer")]
        return self.made(s.ChoiceOption, [name, params, label, cites, of["require"], of["prefer"], body], tree)

    def _choose(self, node: Any, ch: list[Any]) -> s.Choose:
        of = _by_sort(ch[6:])
        cites, otherwise = _inside(of["otherwise"], 2)
        finish = [f.children[0] for f in of["finish"]]
        return self.made(s.Choose, [*ch[:6], of["option"], finish, otherwise, cites], node)

    def _if(self, node: Any, ch: list[Any]) -> s.If:
        test, block, *rest = ch
        branches = [(self._test(test), self.block(block))]
        otherwise = None
        for part in rest:
            if part is None:
                continue
            if part.data == "elif_":
                branches.append((self._test(part.children[0]), self.block(part.children[1])))
            else:
                otherwise = self.block(part.children[0])
        return s.If(tuple(branches), otherwise, self.span(node))

    def _test(self, node: Any) -> s.Expr | s.Some:
        """The condition of a branch."""
        if node.data == "some_member":
            former = self.made(s.Former, [None, *node.children, None, None], node)
            return s.Some(former.var, former, former.span)
        if node.data == "some_value":
            return self.in_order(s.Some, node)
        test: s.Expr = self.expr(node)
        return test

    def _end_game(self, node: Any, ch: list[Any]) -> s.EndGame:
        how, cites = ch
        winner = [None] if how.data == "drawn" else []
        return self.made(s.EndGame, [*winner, *how.children, cites], node)

    # --- items ----------------------------------------------------------------------------

    def item(self, node: Any) -> Any:
        """One top-level item."""
        return _ITEMS[node.data](self, node, node.children)

    def _tally(self, node: Any, ch: list[Any]) -> s.Tally:
        of = _by_sort(ch[4:])
        bounds = [r for r in ch[4:] if r is not None and r.data != "tally_line"]
        return self.made(s.Tally, [*ch[:4], of["tally_line"], bounds], node)

    def _bound(self, tree: Any) -> s.TallyBound:
        return self.made(s.TallyBound, [tree.data.removeprefix("at_"), *tree.children], tree)

    def _draft_option(self, tree: Any) -> s.DraftOption:
        name, params, *rest = tree.children
        of = _by_sort(rest)
        parts = [name, params, of["binding"], of["stop"] or None, *_inside(of["stop"], 1), *_inside(of["label"], 2)]
        return self.made(s.DraftOption, [*parts, of["require"], of["prefer"], *_inside(of["because"], 2)], tree)

    def _draft(self, node: Any, ch: list[Any]) -> s.Draft:
        of = _by_sort(ch[3:])
        finish, prefers = ([r.children[0] for r in of[sort]] for sort in ("finish", "draft_prefer"))
        parts = [*ch[:3], of["binding"], of["cites"][0], of["draft_option"], finish, prefers, _inside(of["offer"], 0)]
        return self.made(s.Draft, [*parts, *_inside(of["cheapest"], 1), *_inside(of["ending"], 1)], node)

    def path(self, tree: Any) -> tuple[str, ...]:
        return tuple(str(p) for p in tree.children)

    def _change(
        self, sort: str, node: Any, path: Any, content: tuple[object, ...], cites: tuple[s.Cite, ...] = ()
    ) -> s.Change:
        return s.Change(sort, self.path(path), self.span(path), content, cites, self.span(node))

    def _replace_require(self, node: Any, ch: list[Any]) -> s.Change:
        path, *parts = ch[0].children
        new = self.made(s.Require, [path.children[-1], *parts], ch[0])
        return self._change("replace require", node, path, (new,))

    def _replace_item(self, node: Any, ch: list[Any]) -> s.Change:
        item: Any = self.statement(ch[0]) if ch[0].data == "phase" else self.item(ch[0])
        return s.Change("replace", (item.name,), item.span, (item,), (), self.span(node))

    def _add_phase(self, node: Any, ch: list[Any]) -> s.Change:
        name, title, cites, where, other, body = ch
        phase = self.made(s.Phase, [name, title, cites, body], node)
        return s.Change(f"add {where}", (str(other),), self.span(other), (phase,), (), self.span(node))

    def _move_phase(self, node: Any, ch: list[Any]) -> s.Change:
        name, where, other, cites = ch
        both = Span(self.source, self.span(name).start, self.span(other).end)
        return s.Change(f"move {where}", (str(name), str(other)), both, (), self.cites(cites), self.span(node))

    def module(self, tree: Any) -> s.Module:
        """A whole file."""
        items = tuple(self.item(c) for c in tree.children)
        return s.Module(items, Span(self.source, 0, len(self.source.text)))


def read_template(source: Source, start: int, end: int, parse_hole: ParseExpression) -> s.Template:
    """The template written between `start` and `end` (quotes included)."""
    text = source.text
    parts: list[str | s.Expr] = []
    at = start + 1
    stop = end - 1
    while at < stop:
        hole = text.find("{", at, stop)
        if hole < 0:
            parts.append(text[at:stop])
            break
        if hole > at:
            parts.append(text[at:hole])
        close = text.find("}", hole, stop)
        if close < 0:
            close = stop
        expr = parse_hole(source, hole + 1, close)
        if expr is not None:
            parts.append(expr)
        at = close + 1
    return s.Template(tuple(parts), Span(source, start, end))


_Handler = Callable[[TreeReader, Any, list[Any]], Any]


@cache
def _readers(shape: Any) -> tuple[tuple[str, Callable[[TreeReader, Any], Any]], ...]:
    """Each field of a record but its span, and what reads it."""
    return tuple((part.name, _READERS[str(part.type)]) for part in fields(shape) if part.name != "span")


def _by_sort(parts: Iterable[Any]) -> dict[str, list[Any]]:
    """Trees by what they are; what was left out is none."""
    found: dict[str, list[Any]] = defaultdict(list)
    for part in parts:
        if part is not None:
            found[part.data].append(part)
    return found


def _inside(trees: list[Any], number: int) -> list[Any]:
    """The parts of the first tree; where it was left out, so many that are missing."""
    return list(trees[0].children) if trees and trees[0] is not None else [None] * number


def _taken_from(expr: Any) -> tuple[str, Any]:
    """The variable and the domain of `x in s`; without a variable for anything else."""
    if isinstance(expr, s.Binary) and expr.op == "in" and isinstance(expr.left, s.Name):
        return expr.left.id, expr.right
    return "", expr


def _as(shape: type, *before: str) -> _Handler:
    """What reads a record whose fields are the parts of its tree in their order, perhaps with words before them."""
    return lambda reader, tree, parts: reader.made(shape, [*before, *parts], tree)


def _between(reader: TreeReader, tree: Any, parts: list[Any]) -> s.Binary:
    """What has its operator between its parts."""
    left, op, right = parts
    return reader.made(s.Binary, [op, left, right], tree)


# By the type of a field what reads it from a part of a tree; a part that was left out is None.
_READERS: dict[str, Callable[[TreeReader, Any], Any]] = {
    "str": lambda r, part: str(part),
    "str | None": lambda r, part: None if part is None else str(part),
    "bool": lambda r, part: part is not None,
    "tuple[str, ...]": lambda r, parts: tuple(str(part) for part in parts if part is not None),
    "Expr": TreeReader.expr,
    "Expr | Former": TreeReader.expr,
    "Expr | None": TreeReader.maybe_expr,
    "tuple[Expr, ...]": TreeReader.args,
    "tuple[Expr | Former, ...]": TreeReader.args,
    "Template": TreeReader.template,
    "Template | None": TreeReader.template,
    "tuple[Cite, ...]": TreeReader.cites,
    "Block": TreeReader.block,
    "Block | None": TreeReader.maybe_block,
    "TypeName": TreeReader.type,
    "TypeName | None": TreeReader.maybe_type,
    "tuple[Binding, ...]": TreeReader.bindings,
    "tuple[Field, ...]": lambda r, parts: r.each(s.Field, parts),
    "tuple[Parameter, ...]": lambda r, parts: r.each(s.Parameter, parts),
    "tuple[Require, ...]": lambda r, parts: r.each(s.Require, parts),
    "tuple[Prefer, ...]": lambda r, parts: r.each(s.Prefer, parts),
    "tuple[Arm, ...]": lambda r, parts: r.each(s.Arm, parts),
    "tuple[TallyLine, ...]": lambda r, parts: r.each(s.TallyLine, parts),
    "tuple[TallyBound, ...]": lambda r, parts: tuple(r._bound(part) for part in parts),
    "tuple[ChoiceOption, ...]": lambda r, parts: tuple(r.option(part) for part in parts),
    "tuple[DraftOption, ...]": lambda r, parts: tuple(r._draft_option(part) for part in parts),
}
_EXPRESSIONS: dict[str, _Handler] = {
    "name": _as(s.Name),
    "number": lambda r, n, c: s.Literal(int(c[0]), r.span(n)),
    "text": lambda r, n, c: s.Literal(str(c[0])[1:-1], r.span(n)),
    "true": lambda r, n, c: s.Literal(True, r.span(n)),
    "false": lambda r, n, c: s.Literal(False, r.span(n)),
    "attribute": _as(s.Attr),
    "index": _as(s.Index),
    "call": _as(s.Call),
    "braces": TreeReader._braces,
    "brackets": _as(s.Collection, "list"),
    "playing": _as(s.Playing),
    "can_advance": _as(s.CanAdvance),
    "possible": _as(s.Possible),
    "search": lambda r, n, c: r.made(s.Search, [*c[:4], *_inside(c[4:], 4)], n),
    "closure": _as(s.Closure),
    "with_fields": lambda r, n, c: r.made(s.WithFields, [c[0], c[1:]], n),
    "or_expr": lambda r, n, c: r._logic("or", n, c),
    "and_expr": lambda r, n, c: r._logic("and", n, c),
    "negation": _as(s.Unary, "not"),
    "signed": _as(s.Unary),
    "quantified": lambda r, n, c: r.made(s.Quantified, [*c, None], n),
    "every": _as(s.Quantified, "every"),
    "compare": _between,
    "member": _as(s.Binary, "in"),
    "not_member": _as(s.Binary, "not in"),
    "below": _as(s.Binary, "below"),
    "above": _as(s.Binary, "above"),
    "span_of": _as(s.Binary, ".."),
    "additive": _between,
    "multiplicative": _between,
    "on_map": _as(s.OnMap),
    "has_cell": _as(s.HasCell),
    "at_place": _as(s.At),
    "conditional": _as(s.Conditional),
    "or_else": _as(s.OrElse),
    "filtered": TreeReader._filtered,
    "shifted": _as(s.Shifted),
    "mapped": lambda r, n, c: r.made(s.Former, [*c, None, None], n),
}

_STATEMENTS: dict[str, _Handler] = {
    "phase": _as(s.Phase),
    "let": _as(s.Let),
    "assign": lambda r, n, c: s.Assign("set", r.target(c[0]), r.expr(c[1]), r.cites(c[2]), r.span(n)),
    "change": lambda r, n, c: s.Assign(str(c[0]), r.target(c[1]), r.expr(c[2]), r.cites(c[3]), r.span(n)),
    "rung_move": lambda r, n, c: s.RungMove(str(c[0]), r.target(c[1]), c[2] is not None, r.cites(c[3]), r.span(n)),
    "move": _as(s.Move),
    "if_": TreeReader._if,
    "for_": _as(s.For),
    "while_": _as(s.While),
    "times": _as(s.Times),
    "choose": TreeReader._choose,
    "roll": _as(s.Roll),
    "draw": _as(s.Draw),
    "report": _as(s.Report),
    "end_game": TreeReader._end_game,
    "skip": _as(s.Skip),
    "later": _as(s.Later),
    "settle": _as(s.Settle),
    "return_": _as(s.Return),
    "assert_": _as(s.Assert),
    "together": _as(s.Together),
    "nothing": _as(s.Nothing),
    "match": lambda r, n, c: r.made(s.Match, [c[0], c[1:-1], *_inside(c[-1:], 1)], n),
    "call_stmt": lambda r, n, c: r.made(s.CallStatement, [*c[:2], *_inside(c[2:], 3), *c[3:]], n),
}

_ITEMS: dict[str, _Handler] = {
    "setup": _as(s.Sequence, "setup"),
    "turn": _as(s.Sequence, "turn"),
    "procedure": _as(s.Procedure),
    "define": _as(s.Define),
    "rule": lambda r, n, c: r.made(s.Rule, [*c[:3], c[3:]], n),
    "tally": TreeReader._tally,
    "draft": TreeReader._draft,
    "record": lambda r, n, c: r.made(s.Record, [c[0], c[1:]], n),
    "event": _as(s.Event),
    "watcher": lambda r, n, c: r.made(s.Watcher, [c[0], c[1:-3], *c[-3:]], n),
    "replace_require": TreeReader._replace_require,
    "replace_item": TreeReader._replace_item,
    "removal": lambda r, n, c: r._change("remove", n, c[0], (), r.cites(c[1])),
    "add_option": lambda r, n, c: r._change("add option", n, c[0], tuple(r.option(o) for o in c[1:])),
    "add_require": lambda r, n, c: r._change("add require", n, c[0], r.each(s.Require, c[1:])),
    "add_line": lambda r, n, c: r._change("add line", n, c[0], r.each(s.TallyLine, c[1:])),
    "add_phase": TreeReader._add_phase,
    "move_phase": TreeReader._move_phase,
    "around": lambda r, n, c: r._change(str(c[0]), n, c[1], r.block(c[3]).items, r.cites(c[2])),
}
