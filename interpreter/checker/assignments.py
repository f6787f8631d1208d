"""Statements that assign to a name, an attribute or a game-wide value: syntax in, checked statements out."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.checker.expressions.expression_types import ExpressionChecker
from interpreter.checker.expressions.name_hints import suggest_for_word
from interpreter.checker.scope import Env
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.i18n.translator import mark as _
from interpreter.language import syntax as s
from interpreter.model import expressions as n, statements as c, types as t


class AssignmentChecker:
    """Checker for assignment statements; `check_cites` checks their citations."""

    def __init__(self, checker: ExpressionChecker, check_cites: Callable[[tuple[s.CiteClause, ...]], c.Cites]) -> None:
        self.expressions = checker
        self.check_cites = check_cites

    def check_assignment(self, node: s.AssignStmt, env: Env) -> c.Stmt:
        """Check a `set`, `raise` or `lower` statement and return its checked form.

        If the target cannot be assigned (reported), the result is a `CiteOnly`, which has no effect.
        """
        cites = self.check_cites(node.cites)
        if isinstance(node.target, s.NameExpr):
            return self._assign_local(node, node.target, env)
        target = self.expressions.check(node.target, env)
        if not isinstance(target, n.GameValue | n.AttributeOf) or isinstance(target, n.AttributeOf) and target.lenient:
            if not isinstance(target.type, t.NeverType):
                self.expressions.error(
                    "not-changeable",
                    _("only a local name, an attribute or a value of the game can be changed"),
                    node.target.span,
                )
            self.expressions.check(node.value, env)
            return c.CiteOnly(cites, node.span)
        name = target.name
        if isinstance(target, n.AttributeOf) and target.kind in ("piece", "side") and name in ("at", "seat"):
            self.expressions.error(
                "not-changeable",
                _("`{name}` cannot be set", name=name),
                node.span,
                _("write `move ... to ...`") if name == "at" else "",
            )
            return c.CiteOnly(cites, node.span)
        kind, owner = self._read_target(target)
        value = self._check_new_value(node, target, env, _("the new `{name}`", name=name))
        amount: c.Core | None = None
        if node.op != "set":
            match value:
                case n.Operation("add", (_target, by)):
                    amount = by
                case n.Operation("sub", (_target, by)):
                    amount = n.Operation("neg", (by,), value.type, node.span)
        return c.SetAttribute(kind, name, owner, value, cites, node.span, amount)

    def _check_new_value(self, node: s.AssignStmt, target: c.Core, env: Env, description: str) -> c.Core:
        """Return the new value of a target of `set`, `raise` or `lower`.

        `description`: the value in words, for messages.
        """
        if node.op == "set":
            return self.expressions.check_type(node.value, env, target.type, description)
        amount = self.expressions.check_type(node.value, env, t.NUMBER, _("the amount to {op} by", op=node.op))
        if not isinstance(target.type, t.IntType | t.NumberType | t.NeverType):
            self.expressions.error(
                "wrong-type",
                _("only numbers can be raised or lowered, found {what}", what=self.expressions.describe(target.type)),
                node.target.span,
                _("use `advance` or `drop` for a ladder"),
                (target,),
            )
        if isinstance(target.type, t.IntType) and isinstance(amount.type, t.NumberType):
            self.expressions.error(
                "wrong-type",
                _("a whole number cannot be raised or lowered by a fraction"),
                node.value.span,
                _("round it: round_down(...), round_up(...)"),
                (target, amount),
            )
        op = "add" if node.op == "raise" else "sub"
        return n.Operation(op, (target, amount), target.type, node.span)

    def _assign_local(self, node: s.AssignStmt, target: s.NameExpr, env: Env) -> c.Stmt:
        """Check the assignment to a local name."""
        local_type = env.find(target.id)
        if local_type is None:
            value = self.expressions.check(node.value, env)
            self.expressions.error(
                "unknown-name",
                _("unknown local name `{target}`", target=target.id),
                target.span,
                suggest_for_word(self.expressions.names, target.id)
                or did_you_mean(target.id, env.iter_names())
                or _("declare it first: let {target} = ...", target=target.id),
            )
            return c.SetLocal(target.id, value, node.span)
        local = n.CheckedLocal(target.id, local_type, target.span)
        if node.op != "set":
            return c.SetLocal(target.id, self._check_new_value(node, local, env, ""), node.span)
        value = self.expressions.check(node.value, env, local_type)
        joined = t.join_types(local_type, value.type)
        if joined is None or isinstance(value.type, t.MaybeType):
            value = self.expressions.expect(value, local_type, _("the new `{target}`", target=target.id))
        elif joined != local_type:
            env.refine(target.id, joined)
        return c.SetLocal(target.id, value, node.span)

    def check_rung_move(self, node: s.AdvanceStmt, env: Env) -> c.Stmt:
        """Check `advance` and `drop`, which move a value along its ladder."""
        target = self.expressions.check(node.target, env)
        cites = self.check_cites(node.cites)
        if not isinstance(target, n.AttributeOf | n.GameValue) or not isinstance(target.type, t.RungType):
            if not isinstance(target.type, t.NeverType):
                self.expressions.error(
                    "not-a-ladder",
                    _(
                        "`{op}` needs an attribute that is a rung of a ladder, found {what}",
                        op=node.op,
                        what=self.expressions.describe(target.type),
                    ),
                    node.target.span,
                )
            return c.CiteOnly(cites, node.span)
        kind, owner = self._read_target(target)
        by = 1 if node.op == "advance" else -1
        return c.StepRung(kind, target.name, owner, by, node.if_possible, cites, node.span)

    def _read_target(self, target: n.AttributeOf | n.GameValue) -> tuple[str, c.Core | None]:
        """Return the kind ("game" for a game-wide value) and the owner of an assignment target.

        Reports an error if the target is a constant.
        """
        ruleset = self.expressions.names.ruleset
        if isinstance(target, n.GameValue):
            kind, owner, attributes = "game", None, ruleset.game
        else:
            kind, owner, attributes = target.kind, target.owner, ruleset.kinds[target.kind].attributes
        if not attributes[target.name].changes:
            self.expressions.error(
                "not-changeable",
                _("`{name}` is a constant of the ruleset and cannot change in play", name=target.name),
                target.span,
                _("declare it with `changes: true` to make it part of the state"),
            )
        return kind, owner
