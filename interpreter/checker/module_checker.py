"""Check all rules of a ruleset: declarations first, then bodies; names, types, control flow, citations.

`check_rules(ruleset, modules, sink)` is the pass; it never raises on bad rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from interpreter.checker.expressions.dispatch import build_expression_checker
from interpreter.checker.lints.infinite_recursion import check_cycles
from interpreter.checker.scope import Env, RulesScope, Signature
from interpreter.checker.statements import StatementChecker
from interpreter.checker.template_checks import check_wordings, report_changing_titles
from interpreter.diagnostics.diagnostic import Related, Sink
from interpreter.diagnostics.record_walk import iter_records
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.i18n.translator import mark as _
from interpreter.language import syntax as s
from interpreter.language.parsing import parse_expression
from interpreter.model import statements as c, types as t
from interpreter.model.checked_model import (
    CheckedDefine,
    CheckedDraft,
    CheckedEvent,
    CheckedLine,
    CheckedModel,
    CheckedProcedure,
    CheckedRule,
    CheckedStep,
    CheckedTally,
    CheckedWatcher,
    DraftField,
    TallyBound,
)
from interpreter.model.meaning import sort_watchers
from interpreter.model.ruleset import Embedded, Ruleset


def check_rules(ruleset: Ruleset, modules: Iterable[s.RulesModule], sink: Sink) -> CheckedModel:
    """Check the modules of a ruleset and return its model, which may only be run if the sink has no errors."""
    modules = tuple(modules)
    original_names = {name: original for m in modules for name, original in m.base_names}
    checker = _Checker(ruleset, [i for m in modules for i in m.items], sink)
    for owner, cite in (citation for m in modules for citation in m.cited):
        checker.check_cites(owner, (cite,))
    return replace(checker.run(), original_names=original_names)


class _Checker:
    """Checker of a ruleset: declares all names first, then checks the items, and builds the model."""

    def __init__(self, ruleset: Ruleset, items: list[s.Item], sink: Sink) -> None:
        self.ruleset = ruleset
        self.items = items
        self.sink = sink
        self.names = RulesScope(ruleset, sink)
        self.expressions = build_expression_checker(self.names)
        self.cited: dict[str, list[tuple[str, Span]]] = {}
        self.model = CheckedModel(ruleset, {}, {}, {}, {}, {}, {}, (), {}, {}, (), None, None, {}, ())
        self._inferred: set[str] = set()  # the defines whose types are known

    def run(self) -> CheckedModel:
        """Run all passes in order."""
        self._collect_phases()
        self._declare_records()
        self._declare()
        self._infer_defines()
        self._check_bodies()
        model = replace(
            self.model,
            watchers=self._check_watchers(),
            records=dict(self.names.records),
            conditions=self._check_conditions(),
            levels=self._check_levels(),
            score=self._check_seat_expression(self.ruleset.victory.score),
            evaluation=self._check_seat_expression(self.ruleset.victory.evaluation),
            views=self._check_views(),
            phases=tuple(self.names.phases),
            cited={k: tuple(v) for k, v in self.cited.items()},
            worded=check_wordings(self.names, self.sink),
            setup_checks=self._check_setup_checks(),
        )
        report_changing_titles(model, self.sink)
        if "turn" not in model.procedures:
            self.sink.add_error(
                "missing-turn",
                _("the rules have no `turn:` block, so the game cannot be played"),
                self.ruleset.root.span,
                help=_("write a block that begins with `turn:` in a .rules file"),
            )
        self._check_rulebook()
        self._check_lifetimes(model)
        check_cycles(model, self.sink)
        return replace(model, drafts={n: replace(d, staged=n in self.names.staged) for n, d in model.drafts.items()})

    # --- citations ---------------------------------------------------------

    def check_cites(self, owner: str, cites: tuple[s.CiteClause, ...]) -> c.Cites:
        """Return the ids of cited paragraphs and record `owner` for each; report paragraphs the rulebook lacks."""
        rulebook = self.ruleset.rulebook
        for cite in cites:
            if cite.id not in rulebook:
                self.sink.add_error(
                    "unknown-citation",
                    _("the rulebook has no paragraph `{cite}`", cite=cite.id),
                    cite.span,
                    help=did_you_mean(cite.id, rulebook),
                )
            else:
                self.cited.setdefault(cite.id, []).append((owner, cite.span))
        return tuple(x.id for x in cites)

    # --- declarations ---------------------------------------------------------

    def _collect_phases(self) -> None:
        """Record the phases by name; report a name that two of them have."""
        for item in self.items:
            if isinstance(item, s.SequenceDecl | s.ProcedureDecl):
                for phase in (part for part in iter_records(item.body) if isinstance(part, s.PhaseStmt)):
                    earlier = self.names.phases.get(phase.name)
                    if earlier is not None:
                        self.sink.add_error(
                            "name-taken",
                            _("two phases are called `{name}`", name=phase.name),
                            phase.span,
                            related=(Related(_("first declared here"), earlier),),
                        )
                    self.names.phases[phase.name] = phase.span

    def _declare_records(self) -> None:
        """Declare the record types of tables and rules, so that all types in declarations can be resolved."""
        self.names.draft_names |= {i.name for i in self.items if isinstance(i, s.DraftDecl)}
        for item in self.items:
            if isinstance(item, s.RecordDecl):
                self.names.records[item.name] = ()
        for record in self.ruleset.records.values():
            self.names.records[record.id] = tuple(record.fields.items())
        for item in self.items:
            if isinstance(item, s.RecordDecl):
                fields = tuple((f.name, self.names.resolve_type(f.type)) for f in item.fields)
                self.names.records[item.name] = fields

    def _check_params(self, fields: tuple[s.FieldDecl, ...]) -> tuple[tuple[str, t.Type], ...]:
        """Return the names and types of declared parameters; report a name that two of them have."""
        earlier_names: set[str] = set()
        for field in fields:
            if field.name in earlier_names:
                self.sink.add_error("name-taken", _("two parameters are called `{name}`", name=field.name), field.span)
            earlier_names.add(field.name)
        return tuple((field.name, self.names.resolve_type(field.type)) for field in fields)

    def _declare(self) -> None:
        """Declare the procedures, defines, rules, tallies, drafts and events with their parameters and results."""
        names = self.names
        tables: dict[type, dict[str, Signature]] = {
            s.ProcedureDecl: names.procedures,
            s.DefineDecl: names.defines,
            s.RuleDecl: names.rules,
            s.TallyDecl: names.tallies,
            s.DraftDecl: names.drafts,
            s.EventDecl: names.events,
        }
        usual: dict[type, t.Type] = {s.RuleDecl: t.FLAG, s.TallyDecl: t.INT}
        for item in self.items:
            if isinstance(item, s.SequenceDecl):
                if item.name in names.procedures:
                    self.sink.add_error(
                        "name-taken",
                        _("there are two `{name}:` blocks", name=item.name),
                        item.span,
                        related=(Related(_("first here"), names.procedures[item.name].span),),
                    )
                names.procedures[item.name] = Signature((), None, item.span)
            elif isinstance(
                item, s.ProcedureDecl | s.DefineDecl | s.RuleDecl | s.TallyDecl | s.DraftDecl | s.EventDecl
            ):
                type_name = getattr(item, "result", None)
                result = usual.get(type(item)) if type_name is None else names.resolve_type(type_name)
                names.declare(
                    tables[type(item)], item.name, Signature(self._check_params(item.fields), result, item.span)
                )
                if isinstance(item, s.DefineDecl):
                    names.define_items[item.name] = item
        names.events.setdefault(
            "moved",
            Signature((("piece", t.PIECE), ("origin", t.PLACE), ("target", t.PLACE)), None, self.ruleset.root.span),
        )

    # --- defines: types are inferred in dependency order ---------------------------------------

    def _infer_defines(self) -> None:
        """Infer the types of defines in dependency order.

        Defines that take a draft's result come after the drafts, because they read the drafts' fields.
        """
        late = {n for n, d in self.names.defines.items() if any(map(self._is_finished_draft, d.params))}
        while more := {n for n, i in self.names.define_items.items() if late & _list_names(i.value)} - late:
            late |= more
        for name in self.names.define_items:
            if name not in late:
                self._infer(name, set())
        for item in self.items:
            if isinstance(item, s.DraftDecl):
                self._check_draft(item)
        for name in self.names.define_items:
            self._infer(name, set())

    @staticmethod
    def _is_finished_draft(param: tuple[str, t.Type]) -> bool:
        """Return whether a parameter (name, type) is a finished draft."""
        return isinstance(param[1], t.RecordType) and param[1].id.startswith(t.DRAFT)

    def _infer(self, name: str, in_progress: set[str]) -> None:
        """Infer the type of a define, after the types of those that it uses.

        `in_progress`: the defines whose inference needs this one.
        """
        if name in self._inferred:
            return
        item = self.names.define_items[name]
        if name in in_progress:
            self.sink.add_error(
                "recursive-define",
                _("`{name}` is defined by itself", name=name),
                item.span,
                help=_("a define cannot use itself; use a procedure with `at most ... deep`, or a search"),
            )
            self.names.defines[name].result = t.NEVER
            return
        in_progress.add(name)
        for used in sorted(_list_names(item.value)):
            if used in self.names.define_items:
                self._infer(used, in_progress)
        self._check_define(item)
        in_progress.discard(name)
        self._inferred.add(name)

    def _check_define(self, item: s.DefineDecl) -> None:
        signature = self.names.defines.get(item.name)
        if signature is None or signature.span is not item.span:
            return
        env = Env(dict(signature.params))
        declared = signature.result
        value = self.expressions.check(item.value, env, declared)
        if declared is not None and not isinstance(declared, t.NeverType):
            value = self.expressions.expect(value, declared, _("the value of `{name}`", name=item.name))
        result = declared if declared is not None else value.type
        signature.result = result
        self.model.defines[item.name] = CheckedDefine(
            item.name, signature.params, result, self.check_cites(item.name, item.cites), value, item.span
        )

    # --- bodies ---------------------------------------------------------

    def _create_statement_checker(
        self, owner: str, result: t.Type | None = None, is_restricted: bool = False
    ) -> StatementChecker:
        return StatementChecker(self.expressions, owner, result, is_restricted, partial(self.check_cites, owner))

    def _check_bodies(self) -> None:
        for item in self.items:
            match item:
                case s.ProcedureDecl() | s.SequenceDecl():
                    self._check_procedure(item)
                case s.RuleDecl():
                    self._check_rule(item)
                case s.TallyDecl():
                    self._check_tally(item)
                case s.EventDecl():
                    params = self._declared_params(self.names.events, item)
                    words, cites = (
                        self.expressions.check_template(item.words, Env(dict(params))),
                        self.check_cites(item.name, item.cites),
                    )
                    self.model.events[item.name] = CheckedEvent(item.name, params, words, cites, item.span)
                case s.VariantChange():
                    self.sink.add_error(
                        "misplaced-change",
                        _("changes such as this belong in a variant"),
                        item.span,
                        help=_("write it in the `rules:` block of a variant file"),
                    )

    def _declared_params(self, table: dict[str, Signature], item: s.NamedNode) -> tuple[tuple[str, t.Type], ...]:
        """Return the parameters with which an item is declared in `table`, or () if the declaration was rejected."""
        return table[item.name].params if item.name in table else ()

    def _check_procedure(self, item: s.ProcedureDecl | s.SequenceDecl) -> None:
        signature = self.names.procedures.get(item.name)
        if signature is None or signature.span is not item.span:
            return
        env = Env(dict(signature.params))
        statements = self._create_statement_checker(item.name, signature.result)
        body = statements.check_block(item.body, env)
        max_depth = None
        if isinstance(item, s.ProcedureDecl) and item.deep is not None:
            max_depth = self.expressions.check_type(item.deep, Env({}), t.INT, _("the maximum depth"))
        if signature.result is not None and not _is_always_returning(body):
            self.sink.add_error(
                "missing-return",
                _(
                    "`{name}` must return {what}, but can end without `return`",
                    name=item.name,
                    what=self.expressions.describe(signature.result),
                ),
                item.span,
                help=_("write `return ...` as its last line, for the case that no `if` or `match` above it applies"),
            )
        self.model.procedures[item.name] = CheckedProcedure(
            item.name,
            signature.params,
            signature.result,
            self.check_cites(item.name, item.cites),
            max_depth,
            body,
            item.span,
        )

    def _check_rule(self, item: s.RuleDecl) -> None:
        params = self._declared_params(self.names.rules, item)
        requires = self._create_statement_checker(item.name).requirements.check_all(
            item.requires, Env(dict(params)), item.name
        )
        cites = self.check_cites(item.name, item.cites)
        self.model.rules[item.name] = CheckedRule(item.name, params, cites, requires, item.span)

    def _check_tally(self, item: s.TallyDecl) -> None:
        params = self._declared_params(self.names.tallies, item)
        result = self.names.tallies[item.name].result or t.INT
        env = Env(dict(params))
        cites = partial(self.check_cites, item.name)
        lines = []
        for line in item.lines:
            amount = self.expressions.check_type(line.amount, env, result, _("the amount of a line"))
            condition = self.expressions.check_flag_if_any(line.condition, env, _("the condition of a line"))
            words = self.expressions.check_template(line.words, env)
            assert words is not None
            lines.append(
                CheckedLine(1 if line.sign == "+" else -1, amount, condition, words, cites(line.cites), line.span)
            )
        bounds = tuple(
            TallyBound(b.sort, self.expressions.check_type(b.value, env, result, _("a bound")), cites(b.cites))
            for b in item.bounds
        )
        self.model.tallies[item.name] = CheckedTally(
            item.name, params, result, cites(item.cites), tuple(lines), bounds, item.span
        )

    # --- drafts ---------------------------------------------------------

    def _check_draft(self, item: s.DraftDecl) -> None:
        params = self._declared_params(self.names.drafts, item)
        env = Env(dict(params))
        fields: list[DraftField] = []
        statements = self._create_statement_checker(item.name)
        for binding in item.starting:
            if binding.name == t.STAGES:
                self.sink.add_error(
                    "reserved-word",
                    _(
                        "every draft already has a built-in field `{stages}`, which holds the values of the fields "
                        "after each step",
                        stages=t.STAGES,
                    ),
                    binding.span,
                    help=_("choose another name for this field"),
                )
                continue
            value = self.expressions.require_present(
                self.expressions.check(binding.value, env), _("the start of `{name}`", name=binding.name)
            )
            fields.append(DraftField(binding.name, value.type, value))
        inner = env.create_nested()
        for name, type_, _value in fields:
            statements.declare(inner, name, type_, item.span)
            inner.types.setdefault(name, type_)
        steps = tuple(self._check_step(o, item, inner, fields, statements) for o in item.options)
        # the member type of a field that starts as an empty set is inferred from the steps
        fields = [DraftField(name, inner.types[name], start) for name, _type, start in fields]
        finish = statements.requirements.check_all(item.finish, inner, f"{item.name}.finish")
        prefers = tuple(statements.requirements.check_preference(p, inner) for p in item.prefers)
        offer = []
        for binding in item.offer:
            value = self.expressions.require_present(
                self.expressions.check(binding.value, inner), _("the key of an offer")
            )
            if not binding.name:
                self.sink.add_error("missing-name", _("give this a name: name = expression"), binding.span)
            offer.append((binding.name or "value", value))
        cheapest = self.expressions.check_type_if_any(item.cheapest, inner, t.NUMBER, _("the price of an offer"))
        offer_env = inner.create_nested(**{n: v.type for n, v in offer if n not in inner.list_names()})
        type_name = t.DRAFT + item.name
        self.names.records[type_name] = (
            *((field.name, field.type) for field in fields),
            (t.STAGES, t.ListType(t.RecordType(type_name))),
        )
        self.model.drafts[item.name] = CheckedDraft(
            item.name,
            params,
            item.unordered,
            tuple(fields),
            steps,
            finish,
            prefers,
            tuple(offer),
            self.check_cites(item.name, item.cites),
            item.span,
            cheapest,
            ending=self.expressions.check_template(item.ending, offer_env),
        )

    def _check_step(
        self,
        node: s.DraftOptionDecl,
        draft: s.DraftDecl,
        env: Env,
        fields: Sequence[DraftField],
        statements: StatementChecker,
    ) -> CheckedStep:
        address = f"{draft.name}.{node.name}"
        inner = env.create_nested()
        params = statements.check_params(node.parameters, inner)
        names = [field.name for field in fields]
        now: list[tuple[int, c.Core]] = []
        for binding in node.now:
            if binding.name not in names:
                self.sink.add_error(
                    "unknown-name",
                    _("the draft has no field `{name}`", name=binding.name),
                    binding.span,
                    help=did_you_mean(binding.name, names),
                )
                continue
            index = names.index(binding.name)
            types = env.types[binding.name]
            value = self.expressions.require_present(
                self.expressions.check(binding.value, inner, types), _("the new `{name}`", name=binding.name)
            )
            joined = t.join_types(types, value.type)
            if joined is None:
                value = self.expressions.expect(value, types, _("the new `{name}`", name=binding.name))
            else:
                env.types[binding.name] = joined
            now.append((index, value))
        stops_if = self.expressions.check_flag_if_any(node.stops_if, inner, _("the condition to stop"))
        return CheckedStep(
            node.name,
            address,
            params,
            tuple(now),
            node.stops,
            stops_if,
            self.expressions.check_template(node.label, inner),
            self.check_cites(address, node.cites),
            statements.requirements.check_all(node.requires, inner, address),
            tuple(statements.requirements.check_preference(p, inner) for p in node.prefers),
            node.span,
            self.expressions.check_template(node.because, inner),
            self.check_cites(address, node.because_cites),
        )

    # --- watchers and embedded expressions ---------------------------------------------------------

    def _check_watchers(self) -> tuple[CheckedWatcher, ...]:
        out = []
        for item in self.items:
            if not isinstance(item, s.WatcherDecl):
                continue
            signature = self.names.events.get(item.event)
            if signature is None:
                self.sink.add_error(
                    "unknown-event",
                    _("unknown event `{event}`", event=item.event),
                    item.span,
                    help=did_you_mean(item.event, self.names.events),
                )
                continue
            if len(item.names) != len(signature.params):
                self.sink.add_error(
                    "wrong-number-of-arguments",
                    _(
                        "`{event}` has {number} values, found {number2} names",
                        event=item.event,
                        number=len(signature.params),
                        number2=len(item.names),
                    ),
                    item.span,
                )
                continue
            params = tuple((n, p[1]) for n, p in zip(item.names, signature.params, strict=True))
            env = Env(dict(params))
            where = self.expressions.check_flag_if_any(item.where, env, _("the condition after `where`"))
            body = self._create_statement_checker(f"whenever {item.event}", None, True).check_block(item.body, env)
            out.append(
                CheckedWatcher(
                    item.event, params, where, self.check_cites(f"whenever {item.event}", item.cites), body, item.span
                )
            )
        return sort_watchers(out, self.ruleset)

    def check_embedded(
        self, embedded: Embedded | None, env: Env, expected: t.Type | None = None, description: str = ""
    ) -> c.Core | None:
        """Check an expression embedded in a document; return None if it is omitted or has a syntax error.

        `expected`: the type that it must have, None for any; `description` names it in messages.
        """
        if embedded is None:
            return None
        node = parse_expression(embedded.span.source, embedded.span.start, embedded.span.end, self.sink)
        if node is None:
            return None
        return (
            self.expressions.check(node, env)
            if expected is None
            else self.expressions.check_type(node, env, expected, description)
        )

    def _check_conditions(self) -> dict[str, c.Core]:
        conditions = self.ruleset.victory.conditions.items()
        return _drop_missing(
            (name, self.check_embedded(condition, Env({}), t.FLAG, _("the condition `{name}`", name=name)))
            for name, condition in conditions
        )

    def _check_levels(self) -> tuple[c.Core | None, ...]:
        return tuple(
            self.check_embedded(level.when, Env({}), t.FLAG, _("the condition of level `{level}`", level=level.id))
            for level in self.ruleset.victory.levels
        )

    def _check_rulebook(self) -> None:
        """Check the conditions under which a paragraph of the rulebook is not in force."""
        for p in self.ruleset.rulebook.values():
            self.check_embedded(p.replaced_when, Env({}), t.FLAG, _("the condition that replaces `{p}`", p=p.id))

    def _check_seat_expression(self, embedded: Embedded | None) -> c.Core | None:
        return self.check_embedded(
            embedded, Env({self.ruleset.victory.score_word or "s": t.SEAT}), t.NUMBER, _("a score")
        )

    def _check_views(self) -> dict[str, c.Core]:
        """Check and return the expressions of all views, by id; they may be of any type."""
        return _drop_missing(
            (name, self.check_embedded(view.value, Env({view.word: view.of} if view.of else {})))
            for name, view in self.ruleset.views.items()
        )

    def _check_setup_checks(self) -> dict[str, c.Core]:
        """Check and return the invariants that each scenario's setup must satisfy, by id."""
        return _drop_missing(
            (
                name,
                self.check_embedded(check.holds, Env({check.word: check.of} if check.of else {}), t.FLAG, f"`{name}`"),
            )
            for name, check in self.ruleset.setup_checks.items()
        )

    def _check_lifetimes(self, model: CheckedModel) -> None:
        """Report attributes that last until the end of a phase or procedure that does not exist."""
        scopes = {"turn", "game", *self.names.phases, *model.procedures}
        places = [a for k in self.ruleset.kinds.values() for a in k.attributes.values()]
        for attribute in [*places, *self.ruleset.game.values()]:
            if attribute.lasts is not None and attribute.lasts not in scopes:
                self.sink.add_error(
                    "unknown-scope",
                    _(
                        "`{name}` lasts `{lasts}`, but no phase or procedure has that name",
                        name=attribute.name,
                        lasts=attribute.lasts,
                    ),
                    attribute.origin.span,
                    help=did_you_mean(attribute.lasts, scopes),
                )


def _drop_missing(cores: Iterable[tuple[str, c.Core | None]]) -> dict[str, c.Core]:
    return {name: core for name, core in cores if core is not None}


def _list_names(node: object) -> set[str]:
    """Return every word used in an expression as a name or a call."""
    inside = [*iter_records(node)]
    return {x.id for x in inside if isinstance(x, s.NameExpr)} | {x.name for x in inside if isinstance(x, s.CallExpr)}


def _is_always_returning(body: c.Body) -> bool:
    if not body:
        return False
    last = body[-1]
    match last:
        case c.ReturnValue() | c.CheckedEndGame() | c.CheckedSkipTo():
            return True
        case c.CheckedIf(branches=branches, otherwise=otherwise):
            every = all(_is_always_returning(b) for _, b in branches)
            return every and otherwise is not None and _is_always_returning(otherwise)
        case c.MatchPart(arms=arms, otherwise=otherwise):
            return all(_is_always_returning(b) for _, _, b in arms) and (
                otherwise is None or _is_always_returning(otherwise)
            )
        case c.Decide(until_done=False, choices=choices, otherwise=otherwise):
            every = all(_is_always_returning(x.body) for x in choices)
            return every and (otherwise is None or _is_always_returning(otherwise))
    return False
