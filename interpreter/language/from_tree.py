"""lark's parse tree -> syntax nodes. Adds nothing and judges nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
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
        """The citations in a `cites` tree."""
        found: list[s.Cite] = []
        for token in tree.children:
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

    def fields(self, tree: Any) -> tuple[s.Field, ...]:
        """Typed fields of a signature (None: no signature)."""
        if tree is None:
            return ()
        return tuple(self.in_order(s.Field, f) for f in tree.children if f is not None)

    def in_order(self, shape: type[R], tree: Any) -> R:
        """A record whose fields are the parts of its tree in their order; last its span."""
        make: Callable[..., R] = shape
        parts = zip(_readers(make), tree.children, strict=True)
        return make(*[read(self, part) for read, part in parts], self.span(tree))

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

    def _binary(self, op: str, node: Any, left: Any, right: Any) -> s.Binary:
        return s.Binary(op, self.expr(left), self.expr(right), self.span(node))

    def _logic(self, op: str, node: Any, items: list[Any]) -> s.Logic:
        return s.Logic(op, tuple(self.expr(i) for i in items), self.span(node))

    def _filtered(self, node: Any, ch: list[Any]) -> Any:
        inner = self.expr(ch[0])
        where = self.expr(ch[1])
        if isinstance(inner, s.Binary) and inner.op == "in" and isinstance(inner.left, s.Name):
            return s.Former(None, inner.left.id, inner.right, where, self.span(node))
        return s.Former(None, "", inner, where, self.span(node))

    def _braces(self, node: Any, ch: list[Any]) -> s.Collection:
        items = list(self.args(ch[0]))
        if ch[1] is not None and items:
            last = items[-1]
            if isinstance(last, s.Binary) and last.op == "in" and isinstance(last.left, s.Name):
                last = s.Former(None, last.left.id, last.right, None, last.span)
            if isinstance(last, s.Former):
                items[-1] = s.Former(
                    last.result,
                    last.var,
                    last.domain,
                    last.where,
                    last.span,
                    str(ch[1].children[0]),
                    self.expr(ch[1].children[1]),
                )
        return s.Collection("set", tuple(items), self.span(node))

    def _search(self, node: Any, ch: list[Any]) -> s.Search:
        word, start, goal, within, through = ch
        var = prev = where = cost = None
        if through is not None:
            var, prev, where, cost = through.children
        return s.Search(
            str(word),
            self.expr(start),
            self.maybe_expr(goal),
            self.maybe_expr(within),
            None if var is None else str(var),
            None if prev is None else str(prev),
            self.maybe_expr(where),
            self.maybe_expr(cost),
            self.span(node),
        )

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

    def conditions(self, nodes: list[Any]) -> tuple[tuple[s.Require, ...], tuple[s.Prefer, ...]]:
        return (
            tuple(self.in_order(s.Require, n) for n in nodes if n.data == "require"),
            tuple(self.in_order(s.Prefer, n) for n in nodes if n.data == "prefer"),
        )

    def parameters(self, tree: Any) -> tuple[s.Parameter, ...]:
        if tree is None:
            return ()
        return tuple(self.in_order(s.Parameter, p) for p in tree.children)

    def option(self, tree: Any) -> s.ChoiceOption:
        name, params, label, cites, *rest = tree.children
        rest = [r for r in rest if r is not None]
        conditions = [r for r in rest if r.data in ("require", "prefer")]
        body = [r for r in rest if r.data not in ("require", "prefer")]
        requires, prefers = self.conditions(conditions)
        block = None
        if body:
            items = tuple(self.statement(b) for b in body)
            block = s.Block(items, items[0].span.to(items[-1].span))
        return s.ChoiceOption(
            str(name),
            self.parameters(params),
            self.template(label),
            self.cites(cites),
            requires,
            prefers,
            block,
            self.span(tree),
        )

    def _choose(self, node: Any, ch: list[Any]) -> s.Choose:
        name, by, prompt, cites, alone, until, *rest = ch
        otherwise = rest.pop()
        return s.Choose(
            str(name),
            self.expr(by),
            self.template(prompt),
            self.cites(cites),
            alone is not None,
            until is not None,
            tuple(self.option(o) for o in rest if o.data == "option"),
            tuple(self.in_order(s.Require, f.children[0]) for f in rest if f.data == "finish"),
            None if otherwise is None else self.block(otherwise.children[1]),
            () if otherwise is None else self.cites(otherwise.children[0]),
            self.span(node),
        )

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
            name, domain, where = node.children
            former = s.Former(None, str(name), self.expr(domain), self.maybe_expr(where), self.span(node))
            return s.Some(str(name), former, self.span(node))
        if node.data == "some_value":
            return s.Some(str(node.children[0]), self.expr(node.children[1]), self.span(node))
        test: s.Expr = self.expr(node)
        return test

    def _end_game(self, node: Any, ch: list[Any]) -> s.EndGame:
        how, cites = ch
        if how.data == "drawn":
            return s.EndGame(None, self.maybe_expr(how.children[0]), self.cites(cites), self.span(node))
        return s.EndGame(
            self.expr(how.children[0]), self.maybe_expr(how.children[1]), self.cites(cites), self.span(node)
        )

    def _call_statement(self, node: Any, ch: list[Any]) -> s.CallStatement:
        name, args, by, var, cites = ch
        decider = prompt = None
        alone = False
        if by is not None:
            decider, prompt = self.expr(by.children[0]), self.template(by.children[1])
            alone = by.children[2] is not None
        return s.CallStatement(
            str(name),
            self.args(args),
            decider,
            prompt,
            alone,
            None if var is None else str(var),
            self.cites(cites),
            self.span(node),
        )

    # --- items ----------------------------------------------------------------------------

    def item(self, node: Any) -> Any:
        """One top-level item."""
        return _ITEMS[node.data](self, node, node.children)

    def _tally(self, node: Any, ch: list[Any]) -> s.Tally:
        name, sig, result, cites, *rest = ch
        rest = [r for r in rest if r is not None]
        bounds = tuple(
            s.TallyBound(
                "least" if r.data == "at_least" else "most",
                self.expr(r.children[0]),
                self.cites(r.children[1]),
                self.span(r),
            )
            for r in rest
            if r.data != "tally_line"
        )
        return s.Tally(
            str(name),
            self.fields(sig),
            self.maybe_type(result),
            self.cites(cites),
            tuple(self.in_order(s.TallyLine, r) for r in rest if r.data == "tally_line"),
            bounds,
            self.span(node),
        )

    def _draft_option(self, tree: Any) -> s.DraftOption:
        name, params, *rest = tree.children
        rest = [r for r in rest if r is not None]
        bindings = tuple(self.in_order(s.Binding, r) for r in rest if isinstance(r, Tree) and r.data == "binding")
        stop = next((r for r in rest if isinstance(r, Tree) and r.data == "stop"), None)
        label, cites = next((r.children for r in rest if r.data == "label"), (None, None))
        because, why = next((r.children for r in rest if r.data == "because"), (None, None))
        conditions = [r for r in rest if isinstance(r, Tree) and r.data in ("require", "prefer")]
        requires, prefers = self.conditions(conditions)
        return s.DraftOption(
            str(name),
            self.parameters(params),
            bindings,
            stop is not None,
            None if stop is None else self.maybe_expr(stop.children[0]),
            self.template(label),
            () if cites is None else self.cites(cites),
            requires,
            prefers,
            self.span(tree),
            self.template(because),
            () if why is None else self.cites(why),
        )

    def _draft(self, node: Any, ch: list[Any]) -> s.Draft:
        name, sig, unordered, *rest = ch
        rest = [r for r in rest if r is not None]
        offer = next((r for r in rest if r.data == "offer"), None)
        fields: list[s.Binding] = []
        for part in offer.children if offer is not None else ():
            label, value = part.children
            expr = self.expr(value)
            word = str(label) if label is not None else (expr.id if isinstance(expr, s.Name) else "")
            fields.append(s.Binding(word, expr, self.span(part)))
        return s.Draft(
            str(name),
            self.fields(sig),
            unordered is not None,
            tuple(self.in_order(s.Binding, r) for r in rest if r.data == "binding"),
            self.cites(next(r for r in rest if r.data == "cites")),
            tuple(self._draft_option(r) for r in rest if r.data == "draft_option"),
            tuple(self.in_order(s.Require, r.children[0]) for r in rest if r.data == "finish"),
            tuple(self.in_order(s.Prefer, r.children[0]) for r in rest if r.data == "draft_prefer"),
            tuple(fields),
            self.span(node),
            next((self.expr(r.children[0]) for r in rest if r.data == "cheapest"), None),
            next((self.template(r.children[0]) for r in rest if r.data == "ending"), None),
        )

    def path(self, tree: Any) -> tuple[str, ...]:
        return tuple(str(p) for p in tree.children)

    def _change(
        self, sort: str, node: Any, path: Any, content: tuple[object, ...], cites: tuple[s.Cite, ...] = ()
    ) -> s.Change:
        return s.Change(sort, self.path(path), self.span(path), content, cites, self.span(node))

    def _replace_require(self, node: Any, ch: list[Any]) -> s.Change:
        path, test, words, cites = ch[0].children
        new = s.Require(
            str(path.children[-1]), self.expr(test), self.template(words), self.cites(cites), self.span(ch[0])
        )
        return self._change("replace require", node, path, (new,))

    def _replace_item(self, node: Any, ch: list[Any]) -> s.Change:
        item: Any = self.statement(ch[0]) if ch[0].data == "phase" else self.item(ch[0])
        return s.Change("replace", (item.name,), item.span, (item,), (), self.span(node))

    def _add_phase(self, node: Any, ch: list[Any]) -> s.Change:
        name, title, cites, where, other, body = ch
        phase = s.Phase(str(name), self.template(title), self.cites(cites), self.block(body), self.span(node))
        return s.Change(f"add {where}", (str(other),), self.span(other), (phase,), (), self.span(node))

    def _move_phase(self, node: Any, ch: list[Any]) -> s.Change:
        name, where, other = ch
        both = Span(self.source, self.span(name).start, self.span(other).end)
        return s.Change(f"move {where}", (str(name), str(other)), both, (), (), self.span(node))

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
def _readers(shape: Any) -> tuple[Callable[[TreeReader, Any], Any], ...]:
    """What reads each field of a record but its span, which comes last."""
    return tuple(_READERS[str(part.type)] for part in fields(shape)[:-1])


def _as(shape: type) -> _Handler:
    """What reads a record whose fields are the parts of its tree in their order."""
    return lambda reader, tree, _parts: reader.in_order(shape, tree)


# By the type of a field what reads it from a part of a tree; a part that was left out is None.
_READERS: dict[str, Callable[[TreeReader, Any], Any]] = {
    "str": lambda r, part: str(part),
    "str | None": lambda r, part: None if part is None else str(part),
    "Expr": TreeReader.expr,
    "Expr | None": TreeReader.maybe_expr,
    "tuple[Expr, ...]": TreeReader.args,
    "tuple[Expr | Former, ...]": TreeReader.args,
    "Template": TreeReader.template,
    "Template | None": TreeReader.template,
    "tuple[Cite, ...]": TreeReader.cites,
    "Block": TreeReader.block,
    "tuple[Field, ...]": TreeReader.fields,
    "TypeName": TreeReader.type,
    "TypeName | None": TreeReader.maybe_type,
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
    "braces": lambda r, n, c: r._braces(n, c),
    "brackets": lambda r, n, c: s.Collection("list", r.args(c[0]), r.span(n)),
    "playing": _as(s.Playing),
    "can_advance": _as(s.CanAdvance),
    "possible": _as(s.Possible),
    "search": lambda r, n, c: r._search(n, c),
    "closure": _as(s.Closure),
    "with_fields": lambda r, n, c: s.WithFields(
        r.expr(c[0]), tuple(r.in_order(s.Binding, b) for b in c[1:]), r.span(n)
    ),
    "or_expr": lambda r, n, c: r._logic("or", n, c),
    "and_expr": lambda r, n, c: r._logic("and", n, c),
    "negation": lambda r, n, c: s.Unary("not", r.expr(c[0]), r.span(n)),
    "signed": lambda r, n, c: s.Unary(str(c[0]), r.expr(c[1]), r.span(n)),
    "quantified": lambda r, n, c: s.Quantified(str(c[0]), str(c[1]), r.expr(c[2]), r.maybe_expr(c[3]), None, r.span(n)),
    "every": lambda r, n, c: s.Quantified(
        "every", str(c[0]), r.expr(c[1]), r.maybe_expr(c[2]), r.expr(c[3]), r.span(n)
    ),
    "compare": lambda r, n, c: r._binary(str(c[1]), n, c[0], c[2]),
    "member": lambda r, n, c: r._binary("in", n, c[0], c[1]),
    "not_member": lambda r, n, c: r._binary("not in", n, c[0], c[1]),
    "below": lambda r, n, c: r._binary("below", n, c[0], c[1]),
    "above": lambda r, n, c: r._binary("above", n, c[0], c[1]),
    "span_of": lambda r, n, c: r._binary("..", n, c[0], c[1]),
    "additive": lambda r, n, c: r._binary(str(c[1]), n, c[0], c[2]),
    "multiplicative": lambda r, n, c: r._binary(str(c[1]), n, c[0], c[2]),
    "on_map": _as(s.OnMap),
    "has_cell": _as(s.HasCell),
    "at_place": _as(s.At),
    "conditional": _as(s.Conditional),
    "or_else": _as(s.OrElse),
    "filtered": lambda r, n, c: r._filtered(n, c),
    "shifted": _as(s.Shifted),
    "mapped": lambda r, n, c: s.Former(r.expr(c[0]), str(c[1]), r.expr(c[2]), r.maybe_expr(c[3]), r.span(n)),
}

_STATEMENTS: dict[str, _Handler] = {
    "phase": _as(s.Phase),
    "let": _as(s.Let),
    "assign": lambda r, n, c: s.Assign("set", r.target(c[0]), r.expr(c[1]), r.cites(c[2]), r.span(n)),
    "change": lambda r, n, c: s.Assign(str(c[0]), r.target(c[1]), r.expr(c[2]), r.cites(c[3]), r.span(n)),
    "rung_move": lambda r, n, c: s.RungMove(str(c[0]), r.target(c[1]), c[2] is not None, r.cites(c[3]), r.span(n)),
    "move": _as(s.Move),
    "if_": lambda r, n, c: r._if(n, c),
    "for_": _as(s.For),
    "while_": _as(s.While),
    "times": _as(s.Times),
    "choose": lambda r, n, c: r._choose(n, c),
    "roll": _as(s.Roll),
    "draw": _as(s.Draw),
    "report": _as(s.Report),
    "end_game": lambda r, n, c: r._end_game(n, c),
    "skip": _as(s.Skip),
    "later": _as(s.Later),
    "settle": _as(s.Settle),
    "return_": _as(s.Return),
    "assert_": _as(s.Assert),
    "together": _as(s.Together),
    "nothing": _as(s.Nothing),
    "match": lambda r, n, c: s.Match(
        r.expr(c[0]),
        tuple(r.in_order(s.Arm, a) for a in c[1:-1]),
        None if c[-1] is None else r.block(c[-1].children[0]),
        r.span(n),
    ),
    "call_stmt": lambda r, n, c: r._call_statement(n, c),
}

_ITEMS: dict[str, _Handler] = {
    "setup": lambda r, n, c: s.Sequence("setup", r.cites(c[0]), r.block(c[1]), r.span(n)),
    "turn": lambda r, n, c: s.Sequence("turn", r.cites(c[0]), r.block(c[1]), r.span(n)),
    "procedure": _as(s.Procedure),
    "define": _as(s.Define),
    "rule": lambda r, n, c: s.Rule(
        str(c[0]), r.fields(c[1]), r.cites(c[2]), tuple(r.in_order(s.Require, q) for q in c[3:]), r.span(n)
    ),
    "tally": lambda r, n, c: r._tally(n, c),
    "draft": lambda r, n, c: r._draft(n, c),
    "record": lambda r, n, c: s.Record(str(c[0]), tuple(r.in_order(s.Field, f) for f in c[1:]), r.span(n)),
    "event": _as(s.Event),
    "watcher": lambda r, n, c: s.Watcher(
        str(c[0]),
        tuple(str(x) for x in c[1:-3] if x is not None),
        r.maybe_expr(c[-3]),
        r.cites(c[-2]),
        r.block(c[-1]),
        r.span(n),
    ),
    "replace_require": lambda r, n, c: r._replace_require(n, c),
    "replace_item": lambda r, n, c: r._replace_item(n, c),
    "removal": lambda r, n, c: r._change("remove", n, c[0], ()),
    "add_option": lambda r, n, c: r._change("add option", n, c[0], tuple(r.option(o) for o in c[1:])),
    "add_require": lambda r, n, c: r._change("add require", n, c[0], tuple(r.in_order(s.Require, o) for o in c[1:])),
    "add_line": lambda r, n, c: r._change("add line", n, c[0], tuple(r.in_order(s.TallyLine, o) for o in c[1:])),
    "add_phase": lambda r, n, c: r._add_phase(n, c),
    "move_phase": lambda r, n, c: r._move_phase(n, c),
    "around": lambda r, n, c: r._change(str(c[0]), n, c[1], r.block(c[3]).items, r.cites(c[2])),
}
