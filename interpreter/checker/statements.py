"""Statements of procedures, options and watchers: syntax in, checked statements out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.checker.assignments import AssignmentChecker
from interpreter.checker.expressions.expression_types import ExpressionChecker
from interpreter.checker.requirements import RequirementChecker
from interpreter.checker.scope import Env, RulesScope
from interpreter.checker.suspension import can_change, find_constant_attribute, may_leave
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.i18n.translator import Message, mark as _
from interpreter.language import syntax as s
from interpreter.language.foreign_syntax import FOREIGN_STARTS
from interpreter.model import expressions as n, statements as c, types as t


class StatementChecker:
    """Checker for the statements of one item of the rules, such as a procedure or a watcher.

    `owner`: the item's name, with which the addresses of its statements begin. `result`: the type that `return` must
    give, or None if the item returns no value. `is_restricted`: true inside watchers and `together` blocks, in which
    `report_forbidden` rejects phases, rolls, draws, decisions, `settle`, `return`, `skip to` and the end of the game.
    `check_cites`: validates the paragraphs that a statement cites.
    """

    def __init__(
        self,
        checker: ExpressionChecker,
        owner: str,
        result: t.Type | None,
        is_restricted: bool,
        check_cites: Callable[[tuple[s.CiteClause, ...]], c.Cites],
    ) -> None:
        self.expressions = checker
        self.names: RulesScope = checker.names
        self.owner = owner
        self.result = result
        self.is_restricted = is_restricted
        self.check_cites = check_cites
        self.requirements = RequirementChecker(checker, check_cites)
        self.assignments = AssignmentChecker(checker, check_cites)

    # --- blocks ---------------------------------------------------------

    def check_block(self, block: s.BlockStmt | None, env: Env) -> c.Body:
        """Check the statements of a block; the names they declare are added to `env`."""
        out: list[c.Stmt] = []
        ended: s.Statement | None = None
        for node in block.items if block is not None else ():
            if ended is not None:
                self.expressions.sink.add_error(
                    "unreachable-statement",
                    _("this is never reached: the lines above always exit"),
                    node.span,
                    help=_("remove it, or move it up"),
                )
                break
            checked = _HANDLERS[type(node)](self, node, env)
            out.extend(checked if isinstance(checked, tuple) else (checked,))
            if isinstance(node, s.ReturnStmt | s.EndGameStmt | s.SkipStmt):
                ended = node
        return tuple(out)

    def check_inner(self, block: s.BlockStmt | None, env: Env, **declared: t.Type) -> c.Body:
        """Check a nested block in its own scope, in which the names of `declared` have the given types."""
        return self.check_block(block, env.create_nested(**declared))

    def declare(self, env: Env, name: str, type_: t.Type, span: Span) -> None:
        """Declare a local name; report reserved and duplicate names."""
        if self.names.report_reserved(name, span):
            return
        if env.find(name) is not None:
            self.expressions.error(
                "name-taken",
                _("`{name}` is already a name here", name=name),
                span,
                _("use another name, or `set` to change its value"),
            )
            return
        if (
            name in self.names.defines
            or self.names.find_kind_by_plural(name) is not None
            or name in ("game", "value", "victory")
        ):
            self.expressions.error(
                "name-taken",
                _("`{name}` already has a meaning in the whole ruleset", name=name),
                span,
                _("use another name"),
            )
        env.types[name] = type_

    def report_forbidden(self, description: str, span: Span) -> None:
        """Report a statement if it is inside a watcher or a `together` block, where it is not allowed.

        `description`: the statement in words, such as "a roll".
        """
        if self.is_restricted:
            self.expressions.error(
                "not-allowed-here",
                _("{what} is not allowed in a `whenever` or `together` block", what=description),
                span,
                _("delay it with `later`, or write it in a procedure"),
            )

    # --- simple statements ---------------------------------------------------------

    def _check_phase(self, node: s.PhaseStmt, env: Env) -> c.Stmt:
        self.report_forbidden(_("a phase"), node.span)
        return c.PhaseBlock(
            node.name,
            self.expressions.check_template(node.title, env),
            self.check_cites(node.cites),
            self.check_inner(node.body, env),
            node.span,
        )

    def _check_let(self, node: s.LetStmt, env: Env) -> c.Stmt:
        value = self.expressions.check(node.value, env)
        value = self.expressions.require_present(value, _("the value of `{name}`", name=node.name))
        self.declare(env, node.name, value.type, node.span)
        return c.SetLocal(node.name, value, node.span)

    def _check_move(self, node: s.MoveStmt, env: Env) -> c.Stmt:
        piece = self.expressions.require_present(self.expressions.check(node.what, env), _("the piece to move"))
        to = self.expressions.check_type(node.to, env, t.PLACE, _("the destination"))
        many = isinstance(piece.type, t.SetType | t.ListType)
        if many:
            item = t.get_member_type(piece.type)
            if item is not None and not t.is_assignable(item, t.PIECE):
                self.expressions.error(
                    "wrong-type",
                    _("only pieces can be moved, found {what}", what=self.expressions.describe(item)),
                    piece.span,
                    mistyped=(piece,),
                )
        else:
            piece = self.expressions.expect(piece, t.PIECE, _("the piece to move"))
        return c.MovePieces(piece, many, to, self.check_cites(node.cites), node.span)

    def _check_if(self, node: s.IfStmt, env: Env) -> c.Body:
        """Check an `if`: branches up to the first `some` form one statement, nested statements handle the rest."""
        before: list[tuple[c.Core, c.Body]] = []
        for number, (test, block) in enumerate(node.branches):
            if isinstance(test, s.SomeTest):
                rest = s.IfStmt(node.branches[number + 1 :], node.otherwise, span=node.span)
                checked = self._check_some(test, block, rest, env)
                return (c.CheckedIf(tuple(before), checked, node.span),) if before else checked
            before.append((self.expressions.check_flag(test, env, _("the condition")), self.check_inner(block, env)))
        otherwise = None if node.otherwise is None else self.check_inner(node.otherwise, env)
        if not before:
            return otherwise or ()
        return (c.CheckedIf(tuple(before), otherwise, node.span),)

    def _check_some(self, test: s.SomeTest, block: s.BlockStmt, rest: s.IfStmt, env: Env) -> c.Body:
        """Check `if some w in s where c:` or `if some w = value:`; `w` is in scope in its branch only.

        `block`: the branch; `rest`: the branches after it.
        """
        if isinstance(test.value, s.ComprehensionExpr):
            value = self.expressions.check(s.CallExpr("first", (test.value,), span=test.span), env)
        else:
            value = self.expressions.check(test.value, env)
        if not isinstance(value.type, t.MaybeType | t.NeverType):
            self.expressions.error(
                "never-missing",
                _("this value is never missing, so `some` has no effect"),
                value.span,
                _("write `let {name} = ...`", name=test.var),
            )
        maybe = value.type if isinstance(value.type, t.MaybeType) else t.MaybeType(t.NEVER)
        inner = env.create_nested()
        self.declare(inner, test.var, maybe.item, test.span)
        is_present = n.Operation(
            "!=", (n.CheckedLocal(test.var, maybe, test.span), n.Literal(None, maybe, test.span)), t.FLAG, test.span
        )
        body = self.check_block(block, inner)
        has_more = bool(rest.branches) or rest.otherwise is not None
        otherwise = self._check_if(rest, env) if has_more else None
        return (c.SetLocal(test.var, value, test.span), c.CheckedIf(((is_present, body),), otherwise, rest.span))

    def _check_for(self, node: s.ForStmt, env: Env) -> c.Stmt:
        domain, item = self.expressions.check_members(node.domain, env, _("the collection to iterate over"))
        inner = env.create_nested()
        self.declare(inner, node.var, item, node.span)
        still = self.expressions.check_flag_if_any(node.still, inner, _("the condition after `while still`"))
        return c.Loop("for", node.var, domain, still, self.check_block(node.body, inner), node.span)

    def _check_while(self, node: s.WhileStmt, env: Env) -> c.Stmt:
        test = self.expressions.check_flag(node.test, env, _("the condition"))
        body = self.check_inner(node.body, env)
        is_known = not isinstance(test.type, t.NeverType)  # an erroneous condition was already reported
        if is_known and isinstance(test, n.Literal) and test.value is True and not may_leave(node.body):
            self.expressions.error(
                "endless-loop",
                _("this loop never ends: its condition is always true and nothing exits it"),
                node.span,
                _("give it a condition that changes"),
            )
        elif is_known and not can_change(test, node.body, self.names.ruleset):
            fixed = [find_constant_attribute(x, self.names.ruleset) for x in n.list_descendants(test)]
            constant = next((attribute.name for attribute in fixed if attribute is not None), "")
            self.expressions.error(
                "endless-loop",
                _("once started, this loop never ends: nothing in it changes its condition"),
                node.span,
                _("`{name}` never changes: declare it with `changes: true`, or test something else", name=constant)
                if constant
                else _("change a value of the condition inside the loop"),
            )
        return c.Loop("while", None, test, None, body, node.span)

    def _check_times(self, node: s.RepeatStmt, env: Env) -> c.Stmt:
        count = self.expressions.check_type(node.count, env, t.INT, _("the number of times"))
        return c.Loop("times", None, count, None, self.check_inner(node.body, env), node.span)

    def _check_roll(self, node: s.RollStmt, env: Env) -> c.Stmt:
        self.report_forbidden(_("a roll"), node.span)
        if node.die not in self.names.ruleset.dice:
            self.expressions.report_unknown("die", "die", node.die, node.span, self.names.ruleset.dice)
        count = self.expressions.check_type_if_any(node.count, env, t.INT, _("the number of dice"))
        thrower = self.expressions.check_type_if_any(node.thrower, env, t.SIDE, _("the side that rolls"))
        subject = (
            None
            if node.subject is None
            else self.expressions.require_present(self.expressions.check(node.subject, env), _("the subject"))
        )
        self.declare(env, node.var, t.INT if count is None else t.ListType(t.INT), node.span)
        return c.RollDice(
            node.name, count, node.die, thrower, subject, node.var, self.check_cites(node.cites), node.span
        )

    def _check_draw(self, node: s.DrawStmt, env: Env) -> c.Stmt:
        self.report_forbidden(_("a draw"), node.span)
        source, item = self.expressions.check_members(node.source, env, _("the pool to draw from"))
        count = self.expressions.check_type_if_any(node.count, env, t.INT, _("the number to draw"))
        subject = (
            None
            if node.subject is None
            else self.expressions.require_present(self.expressions.check(node.subject, env), _("the subject"))
        )
        self.declare(env, node.var, item if count is None else t.ListType(item), node.span)
        return c.DrawMembers(node.name, count, source, subject, node.var, self.check_cites(node.cites), node.span)

    def _check_report(self, node: s.ReportStmt, env: Env) -> c.Stmt:
        cites = self.check_cites(node.cites)
        signature = self.names.events.get(node.event)
        if node.event == "moved" and signature is not None and signature.span is self.names.ruleset.root.span:
            self.expressions.error(
                "not-allowed-here",
                _("`moved` is reported automatically by every move"),
                node.span,
                _("declare an event of your own"),
            )
            return c.CiteOnly(cites, node.span)
        if signature is None:
            self.expressions.error(
                "unknown-event",
                _("unknown event `{event}`", event=node.event),
                node.span,
                did_you_mean(node.event, self.names.events)
                or _('declare it: event {event}(...) "words"', event=node.event),
            )
            return c.CiteOnly(cites, node.span)
        self.names.used.add(node.event)
        return c.ReportEvent(
            node.event,
            self.expressions.check_arguments(node.event, signature.params, node.args, env, node.span),
            cites,
            node.span,
        )

    def _check_end_game(self, node: s.EndGameStmt, env: Env) -> c.Stmt:
        self.report_forbidden(_("the end of the game"), node.span)
        winner = level = None
        if node.winner is not None:
            winner = self.expressions.require_present(self.expressions.check(node.winner, env, t.SEAT), _("the winner"))
            if isinstance(winner.type, t.SetType | t.ListType):
                if not t.is_assignable(winner.type.item or t.NEVER, t.SEAT):
                    self.expressions.error(
                        "wrong-type", _("only seats can win a game"), winner.span, _("the seat of a side is side.seat")
                    )
            else:
                winner = self.expressions.expect(winner, t.SEAT, _("the winner"))
        if node.level is not None:
            level = self.expressions.expect(
                self.expressions.check(node.level, env, t.LEVEL), t.MaybeType(t.LEVEL), _("the level")
            )
        return c.CheckedEndGame(winner, level, self.check_cites(node.cites), node.span)

    def _check_skip(self, node: s.SkipStmt, env: Env) -> c.Stmt:
        self.report_forbidden(_("`skip to`"), node.span)
        if node.phase not in self.names.phases:
            self.expressions.report_unknown("phase", "phase", node.phase, node.span, self.names.phases)
        return c.CheckedSkipTo(node.phase, self.check_cites(node.cites), node.span)

    def _check_procedure_call(
        self, name: str, args: tuple[s.Expr, ...], env: Env, span: Span
    ) -> tuple[c.Core, ...] | None:
        signature = self.names.procedures.get(name)
        if signature is None:
            message = _("unknown procedure `{name}`", name=name)
            self.expressions.error("unknown-name", message, span, self._suggest_procedure(name))
            return None
        self.names.used.add(name)
        return self.expressions.check_arguments(name, signature.params, args, env, span)

    def _suggest_procedure(self, name: str) -> Message:
        """Return a hint for a name that is called as a statement but is not a procedure."""
        if name in self.names.defines or name in self.names.rules or name in self.names.tallies:
            return _("this is an expression, not a statement")
        return FOREIGN_STARTS.get(name) or did_you_mean(name, [*self.names.procedures, *self.names.drafts])

    def _check_later(self, node: s.LaterStmt, env: Env) -> c.Stmt:
        cites = self.check_cites(node.cites)
        args = self._check_procedure_call(node.procedure, node.args, env, node.span)
        if args is None:
            return c.CiteOnly(cites, node.span)
        return c.CallProcedure(node.procedure, args, None, True, cites, node.span)

    def _check_settle(self, node: s.SettleStmt, env: Env) -> c.Stmt:
        self.report_forbidden(_("`settle`"), node.span)
        return c.SettleNow(node.span)

    def _check_return(self, node: s.ReturnStmt, env: Env) -> c.Stmt:
        self.report_forbidden(_("`return`"), node.span)
        if self.result is None:
            if node.value is not None:
                self.expressions.error(
                    "wrong-type",
                    _("`{owner}` is not declared to return a value", owner=self.owner),
                    node.span,
                    _("write procedure {owner}(...) -> type", owner=self.owner),
                )
            return c.ReturnValue(None, node.span)
        if node.value is None:
            self.expressions.error(
                "wrong-type",
                _("`{owner}` must return {what}", owner=self.owner, what=self.expressions.describe(self.result)),
                node.span,
            )
            return c.ReturnValue(None, node.span)
        return c.ReturnValue(
            self.expressions.check_type(node.value, env, self.result, _("the returned value")), node.span
        )

    def _check_assert(self, node: s.AssertStmt, env: Env) -> c.Stmt:
        words = self.expressions.check_template(node.words, env)
        assert words is not None
        return c.AssertThat(self.expressions.check_flag(node.test, env, _("the asserted condition")), words, node.span)

    def _check_together(self, node: s.TogetherStmt, env: Env) -> c.Stmt:
        was_restricted, self.is_restricted = self.is_restricted, True
        body = self.check_inner(node.body, env)
        self.is_restricted = was_restricted
        cited_spans = [
            test.span
            for statement in node.body.items
            if isinstance(statement, s.IfStmt)
            for test, _block in statement.branches
            if isinstance(test, s.SomeTest)
        ]
        for item in body:
            if item.span not in cited_spans and not isinstance(
                item, c.SetAttribute | c.MovePieces | c.CiteOnly | c.Loop | c.CheckedIf
            ):
                self.expressions.error(
                    "not-allowed-here", _("a `together` block can only hold set, raise, lower and move"), item.span
                )
        return c.DoTogether(body, node.span)

    def _check_nothing(self, node: s.NothingStmt, env: Env) -> c.Stmt:
        return c.CiteOnly(self.check_cites(node.cites), node.span)

    def _check_match(self, node: s.MatchStmt, env: Env) -> c.Stmt:
        subject = self.expressions.require_present(self.expressions.check(node.subject, env), _("the value to match"))
        subject_arms: dict[str, bool] = {}
        if isinstance(subject.type, t.PartType):
            subject_arms = dict(subject.type.arms)
        elif isinstance(subject.type, t.OneOfType):
            subject_arms = dict.fromkeys(subject.type.values, False)
        elif isinstance(subject.type, t.RungType):
            subject_arms = dict.fromkeys(self.names.ruleset.ladders[subject.type.ladder].rungs, False)
        elif not isinstance(subject.type, t.NeverType):
            self.expressions.error(
                "wrong-type",
                _(
                    "`match` needs a table result, a word or a rung, found {what}",
                    what=self.expressions.describe(subject.type),
                ),
                node.subject.span,
                mistyped=(subject,),
            )
        arms: list[c.CheckedArm] = []
        checked_names: set[str] = set()
        for arm in node.arms:
            if subject_arms and arm.name not in subject_arms:
                self.expressions.error(
                    "unknown-arm",
                    _("the result can never be `{name}`", name=arm.name),
                    arm.span,
                    did_you_mean(arm.name, subject_arms),
                )
                continue
            if arm.name in checked_names:
                self.expressions.error(
                    "name-taken", _("`{name}` has two cases", name=arm.name), arm.span, _("keep one of them")
                )
            if arm.var is not None and subject_arms and not subject_arms[arm.name]:
                self.expressions.error(
                    "wrong-number-of-arguments", _("`{name}` has no number", name=arm.name), arm.span
                )
            checked_names.add(arm.name)
            declared = {arm.var: t.INT} if arm.var is not None else {}
            arms.append(c.CheckedArm(arm.name, arm.var, self.check_inner(arm.body, env, **declared)))
        otherwise = None if node.otherwise is None else self.check_inner(node.otherwise, env)
        missing = [name for name in subject_arms if name not in checked_names]
        if otherwise is not None and subject_arms and not missing:
            assert node.otherwise is not None
            self.expressions.sink.add_warning(
                "needless-else",
                _("every result has a case, so `else` is never reached"),
                node.otherwise.span,
                help=_("remove the `else` part"),
            )
        if missing and otherwise is None:
            self.expressions.error(
                "missing-arm",
                _("`match` has no case for {listed}", listed=", ".join(f"`{m}`" for m in missing)),
                node.span,
                _("write a case for every result the table can give"),
            )
        return c.MatchPart(subject, tuple(arms), otherwise, node.span)

    def _check_call(self, node: s.CallStmt, env: Env) -> c.Stmt:
        cites = self.check_cites(node.cites)
        if node.name in self.names.drafts:
            return self._check_draft_call(node, env, cites)
        if node.decider is not None:
            self.expressions.error(
                "not-a-draft",
                _("`by` is for a draft; `{name}` is not a draft", name=node.name),
                node.span,
                _("remove `by` and the side after it"),
            )
        args = self._check_procedure_call(node.name, node.args, env, node.span)
        if args is None:
            if node.var is not None:
                env.types[node.var] = t.NEVER
            return c.CiteOnly(cites, node.span)
        result = self.names.procedures[node.name].result
        if node.var is not None:
            if result is None:
                self.expressions.error("wrong-type", _("`{name}` does not return a value", name=node.name), node.span)
            self.declare(env, node.var, result or t.NEVER, node.span)
        return c.CallProcedure(node.name, args, node.var, False, cites, node.span)

    def _check_draft_call(self, node: s.CallStmt, env: Env, cites: c.Cites) -> c.Stmt:
        self.report_forbidden(_("a decision"), node.span)
        self.names.used.add(node.name)
        names = env.list_names()
        args = self.expressions.check_arguments(
            node.name, self.names.drafts[node.name].params, node.args, env, node.span
        )
        if node.decider is None:
            self.expressions.error(
                "missing-decider", _("say who decides: {name}(...) by side", name=node.name), node.span
            )
            return c.CiteOnly(cites, node.span)
        decider = self.expressions.check_type(node.decider, env, t.SIDE, _("the side that decides"))
        prompt = self.expressions.check_template(node.prompt, env)
        if node.var is not None:
            self.declare(env, node.var, t.RecordType(t.DRAFT + node.name), node.span)
        return c.DecideDraft(node.name, args, decider, prompt, node.alone, node.var, cites, names, node.span)

    # --- decisions ---------------------------------------------------------

    def check_params(self, nodes: tuple[s.ParameterDecl, ...], env: Env) -> tuple[c.Param, ...]:
        """Check the parameters of an option; each is declared in `env` for later ones."""
        out: list[c.Param] = []
        for node in nodes:
            domain, item = self.expressions.check_members(node.domain, env, _("the domain of `{name}`", name=node.name))
            self.declare(env, node.name, item, node.span)
            alike = (
                isinstance(item, t.ThingType)
                and item.kind == "piece"
                and any(cls.alike for cls in self.names.ruleset.classes.values() if item.cls in (None, cls.id))
            )
            out.append(c.Param(node.name, domain, item, alike))
        return tuple(out)

    def check_option(self, node: s.OptionDecl, env: Env, address: str) -> c.CheckedOption:
        """Check one option of a decision. `address`: the option's address."""
        inner = env.create_nested()
        params = self.check_params(node.parameters, inner)
        option_address = f"{address}.{node.name}"
        requires = self.requirements.check_all(node.requires, inner, option_address)
        prefers = tuple(self.requirements.check_preference(p, inner) for p in node.prefers)
        for requirement in requires:
            if isinstance(requirement.test, n.Literal) and requirement.test.value is False:
                self.expressions.error(
                    "impossible-option",
                    _("option `{name}` can never be chosen: this is never true", name=node.name),
                    requirement.span,
                    _("remove the option, or correct the requirement"),
                )
        label, cites = self.expressions.check_template(node.label, inner), self.check_cites(node.cites)
        body = self.check_block(node.body, inner)
        return c.CheckedOption(node.name, option_address, params, label, cites, requires, prefers, body, node.span)

    def _check_choose(self, node: s.ChooseStmt, env: Env) -> c.Stmt:
        self.report_forbidden(_("a decision"), node.span)
        address = f"{self.owner}.{node.name}"
        decider = self.expressions.check_type(node.decider, env, t.SIDE, _("the side that decides"))
        names = env.list_names()
        earlier_names: set[str] = set()
        for option in node.options:
            if option.name in earlier_names or (option.name == "done" and node.until_done):
                self.expressions.error(
                    "name-taken",
                    _("`{name}` is already an option", name=option.name),
                    option.span,
                    _("rename one of them"),
                )
            earlier_names.add(option.name)
        if node.finish and not node.until_done:
            self.expressions.error(
                "not-allowed-here",
                _("`finish require` needs a decision with `repeat until done`"),
                node.finish[0].span,
                _("write `repeat until done` in its first line"),
            )
        self._warn_of_ends(node)
        choices = tuple(self.check_option(o, env, address) for o in node.options)
        finish = self.requirements.check_all(node.finish, env, f"{address}.done")
        otherwise = None if node.otherwise is None else self.check_inner(node.otherwise, env)
        if node.otherwise is not None and node.otherwise_cites:
            otherwise = (c.CiteOnly(self.check_cites(node.otherwise_cites), node.otherwise.span), *(otherwise or ()))
        cites = self.check_cites(node.cites)
        return c.Decide(
            node.name,
            address,
            decider,
            self.expressions.check_template(node.prompt, env),
            cites,
            node.alone,
            node.until_done,
            choices,
            finish,
            otherwise,
            names,
            node.span,
        )

    def _warn_of_ends(self, node: s.ChooseStmt) -> None:
        """Warn about a repeated decision that may have no way out, and about an `alone` that can never hold."""
        if node.until_done and node.finish and node.otherwise is None:
            self.expressions.sink.add_note(
                "no-way-out",
                _(
                    "`{name}` can run out of options while `done` is refused, and nothing covers that case",
                    name=node.name,
                ),
                node.finish[0].span,
                help=_("end it with `otherwise: ...`"),
            )
        if node.until_done and node.alone and not node.finish:
            self.expressions.sink.add_warning(
                "needless-alone",
                _("`done` is always an option of `{name}`, so there is never only one option", name=node.name),
                node.span,
                help=_("remove `alone`, or restrict `done` with `finish require`"),
            )


_HANDLERS: dict[type, Callable[[StatementChecker, Any, Env], c.Stmt | c.Body]] = {
    s.PhaseStmt: StatementChecker._check_phase,
    s.LetStmt: StatementChecker._check_let,
    s.AssignStmt: lambda x, node, env: x.assignments.check_assignment(node, env),
    s.AdvanceStmt: lambda x, node, env: x.assignments.check_rung_move(node, env),
    s.MoveStmt: StatementChecker._check_move,
    s.IfStmt: StatementChecker._check_if,
    s.ForStmt: StatementChecker._check_for,
    s.WhileStmt: StatementChecker._check_while,
    s.RepeatStmt: StatementChecker._check_times,
    s.RollStmt: StatementChecker._check_roll,
    s.DrawStmt: StatementChecker._check_draw,
    s.ReportStmt: StatementChecker._check_report,
    s.EndGameStmt: StatementChecker._check_end_game,
    s.SkipStmt: StatementChecker._check_skip,
    s.LaterStmt: StatementChecker._check_later,
    s.SettleStmt: StatementChecker._check_settle,
    s.ReturnStmt: StatementChecker._check_return,
    s.AssertStmt: StatementChecker._check_assert,
    s.TogetherStmt: StatementChecker._check_together,
    s.NothingStmt: StatementChecker._check_nothing,
    s.MatchStmt: StatementChecker._check_match,
    s.CallStmt: StatementChecker._check_call,
    s.ChooseStmt: StatementChecker._check_choose,
}
