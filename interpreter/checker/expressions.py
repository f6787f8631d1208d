"""Types of expressions: syntax in, checked expressions out.

Every fault is reported once and gives an expression of type `Never`, which fits
everywhere, so that one slip does not bring a flood of messages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.checker.naming import resolve_bare_word
from interpreter.checker.scope import Env, Names
from interpreter.language import syntax as s
from interpreter.model import types as t
from interpreter.model.core import Core, Words
from interpreter.source.diagnostic import Sink
from interpreter.source.suggestion import did_you_mean
from interpreter.source.text import Span

_FORMER_CALLS = ("count", "sum", "min", "max", "first", "last")


class Expressions:
    """Checks expressions against the names of a ruleset."""

    __slots__ = ("names", "sink")

    def __init__(self, names: Names) -> None:
        self.names = names
        self.sink: Sink = names.sink

    # --- helpers of every check ---------------------------------------------------------

    def fault(self, code: str, message: str, span: Span, help: str = "") -> Core:
        """Report a fault and go on with an expression that fits everywhere."""
        self.sink.error(code, message, span, help=help)
        return Core("const", (None,), t.NEVER, span)

    def word(self, type_: t.Type) -> str:
        """A type in the ruleset's words."""
        return self.names.word_for(type_)

    def expect(self, core: Core, wanted: t.Type, what: str) -> Core:
        """`core`, when its type fits; else a fault that says what was expected."""
        if t.fits(core.type, wanted):
            return core
        if isinstance(core.type, t.Maybe) and not isinstance(wanted, t.Maybe) and t.fits(core.type.item, wanted):
            return self.fault("may-be-missing", f"{what} may be missing here; say what then", core.span,
                              "write ... else <value> after it")
        return self.fault("wrong-type", f"{what} must be {_article(self.word(wanted))}, "
                          f"found {_article(self.word(core.type))}", core.span)

    def present(self, core: Core, what: str) -> Core:
        """`core`, when it cannot be missing."""
        if isinstance(core.type, t.Maybe):
            return self.fault("may-be-missing", f"{what} may be missing here; say what then", core.span,
                              "write ... else <value> after it")
        return core

    def flag(self, node: s.Expr, env: Env, what: str) -> Core:
        """A yes/no expression."""
        return self.expect(self.check(node, env, t.FLAG), t.FLAG, what)

    def of_type(self, node: s.Expr, env: Env, wanted: t.Type, what: str) -> Core:
        """An expression of a wanted type."""
        return self.expect(self.check(node, env, wanted), wanted, what)

    def words(self, template: s.Template | None, env: Env) -> Words | None:
        """Words with holes."""
        if template is None:
            return None
        parts: list[str | Core] = []
        for part in template.parts:
            parts.append(part if isinstance(part, str) else self.check(part, env))
        return Words(tuple(parts), template.span)

    # --- the dispatch ---------------------------------------------------------------------

    def check(self, node: s.Expr | s.Former, env: Env, expected: t.Type | None = None) -> Core:
        """The checked form of an expression; `expected` helps bare words find their meaning."""
        handler = _HANDLERS[type(node)]
        return handler(self, node, env, expected)

    # --- names and attributes ---------------------------------------------------------------

    def _name(self, node: s.Name, env: Env, expected: t.Type | None) -> Core:
        local = env.find(node.id)
        if local is not None:
            return Core("local", (node.id,), local, node.span)
        if node.id in self.names.defines:
            self.names.used.add(node.id)
            signature = self.names.defines[node.id]
            if signature.params:
                return self.fault("missing-argument", f"`{node.id}` needs {len(signature.params)} values in "
                                  f"brackets: {node.id}({', '.join(p for p, _ in signature.params)})", node.span)
            return Core("define", (node.id,), signature.result or t.NEVER, node.span)
        found = resolve_bare_word(self.names, node.id, node.span, expected)
        if found is not None:
            return found
        known = [*env.all_names(), *self.names.defines, *self.names.rules, *self.names.ruleset.regions,
                 *(k.many for k in self.names.ruleset.kinds.values()),
                 *(c.many for c in self.names.ruleset.classes.values()),
                 *self._words_of(expected)]
        if node.id in self.names.rules or node.id in self.names.tallies or node.id in self.names.procedures:
            return self.fault("missing-argument", f"`{node.id}` must be called: {node.id}(...)", node.span)
        return self.fault("unknown-name", f"nothing here is called `{node.id}`", node.span,
                          did_you_mean(node.id, known))

    def _words_of(self, expected: t.Type | None) -> list[str]:
        match expected:
            case t.OneOf(values=values):
                return list(values)
            case t.Rung(ladder=ladder):
                return list(self.names.ruleset.ladders[ladder].rungs)
            case t.ThingOf(kind=kind) if kind in self.names.ruleset.kinds:
                return [x.id for x in self.names.ruleset.kinds[kind].things]
            case t.Maybe(item=item):
                return self._words_of(item)
            case t.SetOf(item=item) | t.ListOf(item=item):
                return self._words_of(item)
            case None:
                rs = self.names.ruleset
                return [*(r for ladder in rs.ladders.values() for r in ladder.rungs),
                        *(x.id for k in rs.kinds.values() for x in k.things if not x.holding)]
        return []

    def _literal(self, node: s.Literal, env: Env, expected: t.Type | None) -> Core:
        value = node.value
        type_: t.Type = t.FLAG if isinstance(value, bool) else t.INT if isinstance(value, int) else t.TEXT
        return Core("const", (value,), type_, node.span)

    def _attr(self, node: s.Attr, env: Env, expected: t.Type | None) -> Core:
        if isinstance(node.owner, s.Name) and env.find(node.owner.id) is None:
            special = self._rooted(node.owner.id, node)
            if special is not None:
                return special
        owner = self.check(node.owner, env)
        if isinstance(owner.type, t.Never):
            return owner
        if isinstance(owner.type, t.Maybe) and isinstance(owner.type.item, t.RecordOf):
            return self._record_field(owner, owner.type.item, node, maybe=True)
        if isinstance(owner.type, t.RecordOf):
            return self._record_field(owner, owner.type, node, maybe=False)
        owner = self.present(owner, "the owner of an attribute")
        if isinstance(owner.type, t.Never):
            return owner
        if not isinstance(owner.type, t.ThingOf):
            return self.fault("no-attributes", f"{_article(self.word(owner.type))} has no attributes, so "
                              f"`.{node.name}` means nothing", node.span)
        return self.attribute_of(owner, node.name, node.span)

    def attribute_of(self, owner: Core, name: str, span: Span) -> Core:
        """`owner.name` for a thing."""
        assert isinstance(owner.type, t.ThingOf)
        if owner.type.kind == "piece" and name == "at":
            return Core("attr", ("piece", "at", owner), t.PLACE, span)
        if owner.type.kind == "side" and name == "seat":
            return Core("attr", ("side", "seat", owner), t.SEAT, span)
        found = self.names.attribute(owner.type, name)
        if found is None:
            return self.fault("unknown-attribute", f"{_article(self.word(owner.type))} has no attribute "
                              f"`{name}`", span, did_you_mean(name, self.names.attribute_names(owner.type)))
        return Core("attr", (owner.type.kind, name, owner), found.type, span)

    def _record_field(self, owner: Core, type_: t.RecordOf, node: s.Attr, maybe: bool) -> Core:
        fields = self.names.records.get(type_.id, ())
        for index, (name, field_type) in enumerate(fields):
            if name == node.name:
                shown: t.Type = t.Maybe(field_type) if maybe and not isinstance(field_type, t.Maybe) else field_type
                return Core("field", (owner, index), shown, node.span)
        return self.fault("unknown-attribute", f"this record has no field `{node.name}`", node.span,
                          did_you_mean(node.name, [n for n, _ in fields]))

    def _rooted(self, root: str, node: s.Attr) -> Core | None:
        rs = self.names.ruleset
        if root == "value":
            if node.name in rs.constants:
                constant = rs.constants[node.name]
                return Core("const", (constant.value,), constant.type, node.span)
            return self.fault("unknown-value", f"there is no value `{node.name}` in the tables documents", node.span,
                              did_you_mean(node.name, rs.constants))
        if root == "game":
            if node.name in rs.game:
                return Core("game", (node.name,), rs.game[node.name].type, node.span)
            return self.fault("unknown-attribute", f"the game has no value `{node.name}`", node.span,
                              did_you_mean(node.name, rs.game))
        if root == "victory":
            if node.name in rs.victory.conditions:
                return Core("condition", (node.name,), t.FLAG, node.span)
            return self.fault("unknown-condition", f"victory.yaml has no condition `{node.name}`", node.span,
                              did_you_mean(node.name, rs.victory.conditions))
        return None

    # --- tables and lists ---------------------------------------------------------------------

    def _index(self, node: s.Index, env: Env, expected: t.Type | None) -> Core:
        if isinstance(node.owner, s.Name) and env.find(node.owner.id) is None:
            if node.owner.id in self.names.ruleset.tables:
                return self._table(node.owner.id, node.args, env, node.span)
            if node.owner.id not in self.names.defines:
                return self.fault("unknown-table", f"there is no table `{node.owner.id}`", node.owner.span,
                                  did_you_mean(node.owner.id, self.names.ruleset.tables))
        owner = self.present(self.check(node.owner, env), "the list")
        if isinstance(owner.type, t.ListOf) and len(node.args) == 1:
            index = self.of_type(node.args[0], env, t.INT, "the place in the list")
            return Core("item", (owner, index), t.Maybe(owner.type.item or t.NEVER), node.span)
        if isinstance(owner.type, t.Never):
            return owner
        return self.fault("not-a-table", "only tables and lists can be looked up with [ ]", node.span)

    def table_args(self, name: str, args: tuple[s.Expr, ...], env: Env, span: Span) -> tuple[Core, ...] | None:
        """Checked row values of a look-up."""
        table = self.names.ruleset.tables[name]
        if len(args) != len(table.axes):
            self.fault("wrong-number-of-rows", f"table `{name}` is read by {len(table.axes)} values "
                       f"({', '.join(a.name for a in table.axes)}), found {len(args)}", span)
            return None
        out = []
        for axis, arg in zip(table.axes, args, strict=True):
            wanted = t.NUMBER if axis.sort in ("bands", "ratio") else axis.type
            if axis.sort == "ratio":
                out.append(self._ratio(arg, env, axis.name))
                continue
            out.append(self.of_type(arg, env, wanted, f"`{axis.name}` of table `{name}`"))
        return tuple(out)

    def _ratio(self, node: s.Expr, env: Env, axis: str) -> Core:
        """A ratio axis takes a quotient `a / b`, kept as its two numbers so that nothing is lost."""
        if not (isinstance(node, s.Binary) and node.op == "/"):
            return self.fault("wrong-type", f"`{axis}` is read by a ratio such as attack / defence", node.span)
        left = self.of_type(node.left, env, t.NUMBER, "the left side of the ratio")
        right = self.of_type(node.right, env, t.NUMBER, "the right side of the ratio")
        return Core("list", (left, right), t.NUMBER, node.span)

    def _table(self, name: str, args: tuple[s.Expr, ...], env: Env, span: Span) -> Core:
        checked = self.table_args(name, args, env, span)
        table = self.names.ruleset.tables[name]
        if checked is None:
            return Core("const", (None,), t.NEVER, span)
        type_ = t.Maybe(table.type) if table.blanks else table.type
        return Core("table", (name, *checked), type_, span)

    def _has_cell(self, node: s.HasCell, env: Env, expected: t.Type | None) -> Core:
        if node.table not in self.names.ruleset.tables:
            return self.fault("unknown-table", f"there is no table `{node.table}`", node.span,
                              did_you_mean(node.table, self.names.ruleset.tables))
        args = self.table_args(node.table, node.args, env, node.span)
        return Core("hascell", (node.table, *(args or ())), t.FLAG, node.span)

    # --- logic, comparison, arithmetic -------------------------------------------------------------

    def _logic(self, node: s.Logic, env: Env, expected: t.Type | None) -> Core:
        items = tuple(self.flag(i, env, f"each side of `{node.op}`") for i in node.items)
        return Core(node.op, items, t.FLAG, node.span)

    def _unary(self, node: s.Unary, env: Env, expected: t.Type | None) -> Core:
        if node.op == "not":
            return Core("not", (self.flag(node.operand, env, "what follows `not`"),), t.FLAG, node.span)
        operand = self.of_type(node.operand, env, t.NUMBER, "a number with a sign")
        if node.op == "+":
            return operand
        return Core("neg", (operand,), operand.type, node.span)

    def pair(self, left: s.Expr, right: s.Expr, env: Env, expected: t.Type | None = None) -> tuple[Core, Core]:
        """Both sides of an operator, each helping the other's bare words."""
        if _is_bare(left, env, self.names) and not _is_bare(right, env, self.names):
            r = self.check(right, env, expected)
            return self.check(left, env, _bare(r.type)), r
        lt = self.check(left, env, expected)
        return lt, self.check(right, env, _bare(lt.type))

    def _binary(self, node: s.Binary, env: Env, expected: t.Type | None) -> Core:
        op = node.op
        if op in ("in", "not in"):
            return self._membership(node, env)
        if op in ("==", "!="):
            left, right = self.pair(node.left, node.right, env)
            if t.join(_bare(left.type), _bare(right.type)) is None:
                return self.fault("never-equal", f"{_article(self.word(left.type))} and "
                                  f"{_article(self.word(right.type))} can never be equal", node.span)
            return Core("cmp", (op, left, right), t.FLAG, node.span)
        if op in ("below", "above"):
            return self._rung_order(node, env)
        if op in ("<", "<=", ">", ">="):
            left = self.of_type(node.left, env, t.NUMBER, f"the left side of {op}")
            right = self.of_type(node.right, env, t.NUMBER, f"the right side of {op}")
            return Core("cmp", (op, left, right), t.FLAG, node.span)
        if op == "..":
            low = self.of_type(node.left, env, t.INT, "the start of a range")
            high = self.of_type(node.right, env, t.INT, "the end of a range")
            return Core("range", (low, high), t.ListOf(t.INT), node.span)
        return self._arithmetic(node, env, expected)

    def _membership(self, node: s.Binary, env: Env) -> Core:
        if isinstance(node.right, s.Binary) and node.right.op == "..":
            left = self.of_type(node.left, env, t.NUMBER, "what is looked for")
            right = self.check(node.right, env)
        else:
            right = self.present(self.check(node.right, env), "the set")
            item = right.type.item if isinstance(right.type, t.SetOf | t.ListOf) else None
            left = self.check(node.left, env, item)
            if isinstance(right.type, t.Never):
                return right
            if not isinstance(right.type, t.SetOf | t.ListOf):
                return self.fault("not-a-set", f"`in` needs a set or a list, found {_article(self.word(right.type))}",
                                  node.right.span)
            if item is not None and t.join(_bare(left.type), item) is None:
                return self.fault("never-equal", f"{_article(self.word(left.type))} is never in a "
                                  f"{self.word(right.type)}", node.span)
        return Core("in" if node.op == "in" else "notin", (left, right), t.FLAG, node.span)

    def _rung_order(self, node: s.Binary, env: Env) -> Core:
        left, right = self.pair(node.left, node.right, env)
        left, right = self.present(left, "the left side"), self.present(right, "the right side")
        if isinstance(left.type, t.Never) or isinstance(right.type, t.Never):
            return Core("const", (False,), t.FLAG, node.span)
        if not isinstance(left.type, t.Rung) or left.type != right.type:
            return self.fault("not-a-ladder", f"`{node.op}` compares two rungs of one ladder, found "
                              f"{_article(self.word(left.type))} and {_article(self.word(right.type))}", node.span,
                              "numbers are compared with < and >")
        return Core("cmp", ("<" if node.op == "below" else ">", left, right), t.FLAG, node.span)

    def _arithmetic(self, node: s.Binary, env: Env, expected: t.Type | None) -> Core:
        left, right = self.pair(node.left, node.right, env,
                                expected if isinstance(expected, t.SetOf | t.ListOf) else None)
        left, right = self.present(left, f"the left side of {node.op}"), self.present(right, f"the right side of "
                                                                                      f"{node.op}")
        if isinstance(left.type, t.Never) or isinstance(right.type, t.Never):
            return Core("const", (None,), t.NEVER, node.span)
        if isinstance(left.type, t.SetOf | t.ListOf):
            joined = t.join(left.type, right.type)
            if joined is None or node.op not in "+-":
                return self.fault("wrong-type", f"`{node.op}` cannot combine {_article(self.word(left.type))} and "
                                  f"{_article(self.word(right.type))}", node.span)
            op = "union" if node.op == "+" else "minus"
            return Core(op, (left, right), joined if node.op == "+" else left.type, node.span)
        left = self.expect(left, t.NUMBER, f"the left side of {node.op}")
        right = self.expect(right, t.NUMBER, f"the right side of {node.op}")
        whole = isinstance(left.type, t.Int) and isinstance(right.type, t.Int) and node.op != "/"
        op = {"+": "add", "-": "sub", "*": "mul", "/": "div"}[node.op]
        return Core(op, (left, right), t.INT if whole else t.NUMBER, node.span)

    def _conditional(self, node: s.Conditional, env: Env, expected: t.Type | None) -> Core:
        test = self.flag(node.test, env, "the condition")
        yes, no = self.pair(node.yes, node.no, env, expected) if expected is None else (
            self.check(node.yes, env, expected), self.check(node.no, env, expected))
        joined = t.join(yes.type, no.type)
        if joined is None and (isinstance(yes.type, t.Maybe) or isinstance(no.type, t.Maybe)):
            inner = t.join(_bare(yes.type), _bare(no.type))
            joined = t.Maybe(inner) if inner else None
        if joined is None:
            return self.fault("branches-differ", f"both branches must be of one type, found "
                              f"{_article(self.word(yes.type))} and {_article(self.word(no.type))}", node.span)
        return Core("cond", (test, yes, no), joined, node.span)

    def _or_else(self, node: s.OrElse, env: Env, expected: t.Type | None) -> Core:
        value = self.check(node.value, env, expected)
        fallback = self.check(node.fallback, env, _bare(value.type))
        if isinstance(value.type, t.Never):
            return value
        if not isinstance(value.type, t.Maybe):
            self.sink.warning("needless-else", "this value is never missing; the part after `else` is never used",
                              node.fallback.span, help="remove the `else` part")
            return value
        joined = t.join(value.type.item, fallback.type)
        if joined is None:
            return self.fault("branches-differ", f"the value after `else` must be {_article(self.word(value.type.item))}"
                              f", found {_article(self.word(fallback.type))}", node.fallback.span)
        return Core("orelse", (value, fallback), joined, node.span)

    # --- sets ---------------------------------------------------------------------------------------

    def item_of(self, core: Core, what: str) -> t.Type:
        """Type of the members of a set or list."""
        if isinstance(core.type, t.SetOf | t.ListOf):
            return core.type.item or t.NEVER
        if not isinstance(core.type, t.Never):
            self.fault("not-a-set", f"{what} must be a set or a list, found {_article(self.word(core.type))}", core.span)
        return t.NEVER

    def former(self, node: s.Former, env: Env, sort: str, expected: t.Type | None = None) -> Core:
        """`x in domain where ...` in one of its uses."""
        domain = self.present(self.check(node.domain, env), "what is gone through")
        item = self.item_of(domain, "what is gone through")
        if env.find(node.var) is not None:
            self.fault("name-taken", f"`{node.var}` is already the name of something here", node.span,
                       "use another name")
        inner = env.inner(**{node.var: item})
        where = None if node.where is None else self.flag(node.where, inner, "the condition after `where`")
        result = None if node.result is None else self.check(
            node.result, inner, expected.item if isinstance(expected, t.SetOf | t.ListOf) else expected)
        measure = None if node.measure is None else self.of_type(node.measure, inner, t.NUMBER, "the measure")
        out = result.type if result is not None else item
        type_: t.Type
        if sort == "count":
            type_ = t.INT
        elif sort in ("sum", "min", "max"):
            body = result if result is not None else Core("local", (node.var,), item, node.span)
            body = self.expect(body, t.NUMBER, f"what `{sort}` adds up" if sort == "sum" else f"what `{sort}` compares")
            result = body
            type_ = body.type if sort == "sum" else t.Maybe(body.type)
        elif sort == "list":
            type_ = t.ListOf(out)
        else:
            type_ = t.SetOf(out)
        return Core("former", (sort, node.var, domain, where, result, node.extreme, measure), type_, node.span)

    def _former(self, node: s.Former, env: Env, expected: t.Type | None) -> Core:
        return self.fault("misplaced-where", "a `where` or `for` part stands only in { }, [ ] or in count(...), "
                          "sum(...), min(...), max(...)", node.span)

    def _quantified(self, node: s.Quantified, env: Env, expected: t.Type | None) -> Core:
        domain = self.present(self.check(node.domain, env), "what is gone through")
        item = self.item_of(domain, "what is gone through")
        if env.find(node.var) is not None:
            self.fault("name-taken", f"`{node.var}` is already the name of something here", node.span,
                       "use another name")
        inner = env.inner(**{node.var: item})
        where = None if node.where is None else self.flag(node.where, inner, "the condition after `where`")
        then = None if node.then is None else self.flag(node.then, inner, "the condition after `satisfies`")
        return Core("former", (node.sort, node.var, domain, where, then, None, None), t.FLAG, node.span)

    def _collection(self, node: s.Collection, env: Env, expected: t.Type | None) -> Core:
        if len(node.items) == 1:
            only = as_former(node.items[0], env)
            if only is not None:
                return self.former(only, env, node.sort, expected)
        item_expected = expected.item if isinstance(expected, t.SetOf | t.ListOf) else None
        items: list[Core] = []
        joined: t.Type | None = None
        for written in node.items:
            core = self.present(self.check(written, env, item_expected or (joined if items else None)), "a member")
            joined = core.type if joined is None else t.join(joined, core.type)
            if joined is None:
                return self.fault("branches-differ", "the members must all be of one type", core.span)
            items.append(core)
        type_: t.Type = t.SetOf(joined) if node.sort == "set" else t.ListOf(joined)
        return Core(node.sort, tuple(items), type_, node.span)

    def _at(self, node: s.At, env: Env, expected: t.Type | None) -> Core:
        place = self.of_type(node.place, env, t.PLACE, "what follows `at`")
        if isinstance(node.pieces, s.Name) and env.find(node.pieces.id) is None:
            kind = self.names.kind_of_many(node.pieces.id)
            if kind is not None and kind.kind == "piece":
                return Core("pieces_at", (kind.cls, place), t.SetOf(kind), node.span)
        pieces = self.present(self.check(node.pieces, env), "what stands before `at`")
        item = self.item_of(pieces, "what stands before `at`")
        if not t.fits(item, t.PIECE):
            return self.fault("wrong-type", f"only pieces stand at a place, found {_article(self.word(item))}", node.span)
        return Core("filter_at", (pieces, place), t.SetOf(item), node.span)

    def _on_map(self, node: s.OnMap, env: Env, expected: t.Type | None) -> Core:
        return Core("onmap", (self.of_type(node.piece, env, t.PIECE, "what is `on map`"),), t.FLAG, node.span)

    # --- calls ----------------------------------------------------------------------------------------

    def arguments(self, name: str, params: tuple[tuple[str, t.Type], ...], args: tuple[Any, ...], env: Env,
                  span: Span) -> tuple[Core, ...]:
        """Arguments checked against parameters."""
        if len(args) != len(params):
            wanted = ", ".join(p for p, _ in params) or "nothing"
            self.fault("wrong-number-of-arguments", f"`{name}` takes {len(params)} values ({wanted}), found "
                       f"{len(args)}", span)
            return ()
        out = []
        for (param, type_), arg in zip(params, args, strict=True):
            out.append(self.of_type(arg, env, type_, f"`{param}` of `{name}`"))
        return tuple(out)

    def _call(self, node: s.Call, env: Env, expected: t.Type | None) -> Core:
        from interpreter.checker.builtins import BUILTINS

        name = node.name
        for op, table in (("define", self.names.defines), ("rule", self.names.rules), ("tally", self.names.tallies)):
            if name in table:
                self.names.used.add(name)
                signature = table[name]
                args = self.arguments(name, signature.params, node.args, env, node.span)
                result = t.FLAG if op == "rule" else signature.result or t.NEVER
                return Core(op, (name, *args), result, node.span)
        if name in self.names.records:
            args = self.arguments(name, self.names.records[name], node.args, env, node.span)
            return Core("record", (name, *args), t.RecordOf(name), node.span)
        if name in BUILTINS:
            return BUILTINS[name](self, node, env, expected)
        kind = self.names.kind_of_word(name)
        if kind is not None or name == "level":
            return self._thing_by_id(node, kind or t.ThingOf("level"))
        holding = self._holding(node, env)
        if holding is not None:
            return holding
        if name in self.names.procedures or name in self.names.drafts:
            return self.fault("call-in-expression", f"`{name}` decides or changes things, so it cannot stand inside an "
                              "expression", node.span, f"write it as a statement: {name}(...) -> result")
        known = [*self.names.defines, *self.names.rules, *self.names.tallies, *BUILTINS, *self.names.records]
        return self.fault("unknown-name", f"nothing called `{name}` can be asked for", node.span,
                          did_you_mean(name, known))

    def _thing_by_id(self, node: s.Call, kind: t.ThingOf) -> Core:
        if len(node.args) != 1 or not isinstance(node.args[0], s.Literal) or not isinstance(node.args[0].value, str):
            return self.fault("wrong-type", f'write {node.name}("id") with the id in quotes', node.span)
        wanted = node.args[0].value
        if kind.kind == "level":
            ids = [x.id for x in self.names.ruleset.victory.levels]
        else:
            ids = [x.id for x in self.names.ruleset.kinds[kind.kind].things]
        if wanted not in ids:
            return self.fault("unknown-thing", f"there is no {node.name} `{wanted}`", node.args[0].span,
                              did_you_mean(wanted, ids))
        return Core("const", (ids.index(wanted),), kind, node.span)

    def _holding(self, node: s.Call, env: Env) -> Core | None:
        places = self.names.ruleset.kinds["place"].things
        first = next((i for i, p in enumerate(places) if p.holding == node.name and "." in p.id), None)
        if first is None:
            return None
        keys = [p.id.split(".", 1)[1] for p in places if p.holding == node.name]
        for kind in self.names.ruleset.kinds.values():
            if kind.id != "place" and [x.id for x in kind.things] == keys:
                arg = self.arguments(node.name, ((kind.one, t.ThingOf(kind.id)),), node.args, env, node.span)
                return Core("holding", (first, 0, *arg), t.PLACE, node.span)
        arg = self.arguments(node.name, (("number", t.INT),), node.args, env, node.span)
        return Core("holding", (first, 1, *arg), t.PLACE, node.span)

    # --- the rest ---------------------------------------------------------------------------------------

    def _playing(self, node: s.Playing, env: Env, expected: t.Type | None) -> Core:
        option = self.names.ruleset.options.get(node.option)
        if option is None:
            return self.fault("unknown-option", f"the ruleset has no option `{node.option}`", node.span,
                              did_you_mean(node.option, self.names.ruleset.options))
        if option.type == "choice":
            return Core("option_value", (node.option,), t.OneOf(option.values), node.span)
        return Core("playing", (node.option,), t.FLAG, node.span)

    def _can_advance(self, node: s.CanAdvance, env: Env, expected: t.Type | None) -> Core:
        target = self.check(node.target, env)
        if isinstance(target.type, t.Never):
            return target
        if target.op not in ("attr", "game") or not isinstance(target.type, t.Rung):
            return self.fault("not-a-ladder", "`can advance` needs an attribute that is a rung of a ladder", node.span)
        kind, name, owner = target.args if target.op == "attr" else ("game", target.args[0], None)
        return Core("canadvance", (kind, name, owner), t.FLAG, node.span)

    def _possible(self, node: s.Possible, env: Env, expected: t.Type | None) -> Core:
        if node.draft not in self.names.drafts:
            return self.fault("unknown-name", f"there is no draft `{node.draft}`", node.span,
                              did_you_mean(node.draft, self.names.drafts))
        self.names.used.add(node.draft)
        args = self.arguments(node.draft, self.names.drafts[node.draft].params, node.args, env, node.span)
        return Core("possible", (node.draft, *args), t.FLAG, node.span)

    def _search(self, node: s.Search, env: Env, expected: t.Type | None) -> Core:
        start = self._places(node.start, env, "where the search starts")
        goal = None if node.goal is None else self._places(node.goal, env, "where the search ends")
        within = None if node.within is None else self.of_type(node.within, env, t.NUMBER, "the limit after `within`")
        if node.sort != "reach" and goal is None:
            return self.fault("missing-goal", f"`{node.sort}` needs `to` and a place", node.span)
        inner = env
        if node.var is not None:
            names: dict[str, t.Type] = {node.var: t.PLACE}
            if node.previous is not None:
                names[node.previous] = t.PLACE
            inner = env.inner(**names)
        where = None if node.where is None else self.flag(node.where, inner, "the condition after `where`")
        cost = None if node.cost is None else self.of_type(node.cost, inner, t.NUMBER, "the cost")
        type_: t.Type
        match node.sort:
            case "distance":
                type_ = t.Maybe(t.INT if cost is None or isinstance(cost.type, t.Int) else t.NUMBER)
            case "path":
                type_ = t.Maybe(t.ListOf(t.PLACE))
            case _:
                type_ = t.SetOf(t.PLACE)
        return Core("search", (node.sort, start, goal, within, node.var, node.previous, where, cost), type_, node.span)

    def _places(self, node: s.Expr, env: Env, what: str) -> Core:
        core = self.present(self.check(node, env, t.PLACE), what)
        if isinstance(core.type, t.SetOf | t.ListOf) and t.fits(core.type.item or t.NEVER, t.PLACE):
            return core
        single = self.expect(core, t.PLACE, what)
        return Core("set", (single,), t.SetOf(t.PLACE), core.span)

    def _closure(self, node: s.Closure, env: Env, expected: t.Type | None) -> Core:
        start = self.present(self.check(node.start, env), "the start of a closure")
        item = self.item_of(start, "the start of a closure")
        everything = None
        if isinstance(item, t.ThingOf):
            everything = self.names_of_kind(item, node.span)
        if everything is None:
            return self.fault("wrong-type", "a closure starts from a set of things", node.span)
        inner = env.inner(**{node.first: item, node.second: item})
        where = self.flag(node.where, inner, "the link of a closure")
        return Core("closure", (start, everything, node.first, node.second, where), t.SetOf(item), node.span)

    def names_of_kind(self, kind: t.ThingOf, span: Span) -> Core:
        """The set of all things of a kind (or all pieces of a class)."""
        return Core("all", (kind.kind, kind.cls), t.SetOf(kind), span)

    def _with_fields(self, node: s.WithFields, env: Env, expected: t.Type | None) -> Core:
        record = self.present(self.check(node.record, env), "the record")
        if not isinstance(record.type, t.RecordOf):
            return self.fault("wrong-type", f"`with` changes fields of a record, found "
                              f"{_article(self.word(record.type))}", node.span)
        fields = self.names.records.get(record.type.id, ())
        changes = []
        for binding in node.bindings:
            index = next((i for i, (n, _) in enumerate(fields) if n == binding.name), None)
            if index is None:
                self.fault("unknown-attribute", f"this record has no field `{binding.name}`", binding.span,
                           did_you_mean(binding.name, [n for n, _ in fields]))
                continue
            changes.append((index, self.of_type(binding.value, env, fields[index][1], f"`{binding.name}`")))
        return Core("with", (record, tuple(changes)), record.type, node.span)


def as_former(node: Any, env: Env) -> s.Former | None:
    """A former, also when written without `where`, as in count(x in s)."""
    if isinstance(node, s.Former):
        return node
    if (isinstance(node, s.Binary) and node.op == "in" and isinstance(node.left, s.Name)
            and env.find(node.left.id) is None):
        return s.Former(None, node.left.id, node.right, None, node.span)
    return None


def _bare(type_: t.Type) -> t.Type:
    return type_.item if isinstance(type_, t.Maybe) else type_


def _is_bare(node: s.Expr, env: Env, names: Names) -> bool:
    """A word (or a collection of words) whose meaning depends on what it is compared with."""
    if isinstance(node, s.Collection):
        return not node.items or all(not isinstance(i, s.Former) and _is_bare(i, env, names) for i in node.items)
    return isinstance(node, s.Name) and env.find(node.id) is None and node.id not in names.defines


def _article(word: str) -> str:
    if word.startswith(("one of", "set of", "list of", "result of", "unknown")):
        return word
    return ("an " if word[:1] in "aeiou" else "a ") + word


_Handler = Callable[[Expressions, Any, Env, "t.Type | None"], Core]
_HANDLERS: dict[type, _Handler] = {
    s.Name: Expressions._name, s.Literal: Expressions._literal, s.Attr: Expressions._attr,
    s.Index: Expressions._index, s.Former: Expressions._former, s.Call: Expressions._call,
    s.Unary: Expressions._unary, s.Binary: Expressions._binary, s.Logic: Expressions._logic,
    s.Quantified: Expressions._quantified, s.Conditional: Expressions._conditional,
    s.OrElse: Expressions._or_else, s.At: Expressions._at, s.OnMap: Expressions._on_map,
    s.Collection: Expressions._collection, s.Playing: Expressions._playing, s.HasCell: Expressions._has_cell,
    s.CanAdvance: Expressions._can_advance, s.Possible: Expressions._possible, s.Search: Expressions._search,
    s.Closure: Expressions._closure, s.WithFields: Expressions._with_fields,
}
