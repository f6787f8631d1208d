"""Types of expressions: syntax in, checked expressions out.

Every error is reported once and yields an expression of type `Never`, which fits everywhere, so that one mistake does
not cause follow-up messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any
from unicodedata import normalize

from interpreter.checker.expressions.foreign_names import (
    get_source_text,
    suggest_attribute,
    suggest_conversion,
    suggest_function,
    suggest_set,
)
from interpreter.checker.expressions.name_hints import (
    list_type_origins,
    spell_in_rules,
    suggest_for_id,
    suggest_for_word,
)
from interpreter.checker.expressions.name_resolution import resolve_bare_word, resolve_word_shadowed_by_define
from interpreter.checker.scope import Env, RulesScope
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.message_nouns import add_article, report_unknown_name
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.i18n.translator import mark as _
from interpreter.language import syntax as s
from interpreter.model import expressions as n, types as t
from interpreter.model.statements import Core, TextTemplate


class ExpressionChecker:
    """Checker for expressions, given the names of a ruleset.

    `forms` and `builtins` map each expression form and each builtin function to its check.
    """

    def __init__(
        self, names: RulesScope, forms: Mapping[type, ExpressionCheck], builtins: Mapping[str, ExpressionCheck]
    ) -> None:
        self.names = names
        self.forms = forms
        self.builtins = builtins
        self.sink: Sink = names.sink

    # --- shared helpers ---------------------------------------------------------

    def error(self, code: str, message: str, span: Span, help: str = "", mistyped: tuple[Core, ...] = ()) -> Core:
        """Report an error and return a placeholder expression whose type fits everywhere.

        `mistyped`: the expressions with wrong types; the places in the documents that set these types are quoted too.
        """
        self.sink.add_error(code, message, span, help=help, related=list_type_origins(self.names, mistyped))
        return n.Literal(None, t.NEVER, span)

    def report_unknown(self, code: str, description: str, word: str, span: Span, candidates: Iterable[str]) -> Core:
        """Report a word that names nothing, with code `unknown-<code>`, and return a placeholder expression.

        `description`: what the word should name; `candidates`: the known words of that sort.
        """
        report_unknown_name(self.sink, code, description, word, span, candidates)
        return n.Literal(None, t.NEVER, span)

    def type_name(self, type_: t.Type) -> str:
        """Return a type's name in the words of the ruleset."""
        return self.names.get_type_word(type_)

    def describe(self, type_: t.Type) -> str:
        """Return a type's name in the words of the ruleset, with its article."""
        return add_article(self.names.get_type_word(type_))

    def expect(self, core: Core, expected: t.Type, description: str, help: str = "") -> Core:
        """Return `core` if its type fits; otherwise report the expected type, with `help` or a hint.

        `description`: the expression in words, for the message.
        """
        if t.is_assignable(core.type, expected):
            return core
        if isinstance(core.type, t.MaybeType) and t.is_assignable(core.type.item, expected):
            return self.require_present(core, description)
        return self.error(
            "wrong-type",
            _(
                "{what} must be {what2}, found {what3}",
                what=description,
                what2=self.describe(expected),
                what3=self.describe(core.type),
            ),
            core.span,
            help or suggest_for_id(self.names, core, expected) or suggest_conversion(core, expected),
            (core,),
        )

    def require_present(self, core: Core, description: str) -> Core:
        """Return `core` if it cannot be missing; otherwise report an error.

        `description`: the expression in words, for the message.
        """
        if isinstance(core.type, t.MaybeType):
            return self.error(
                "may-be-missing",
                _("{what} may be missing here, and nothing says what happens then", what=description),
                core.span,
                _("write `... else <value>` after it"),
            )
        return core

    def check_flag(self, node: s.Expr, env: Env, description: str) -> Core:
        """Check an expression that must be of type `flag`; `description` names it in messages."""
        return self.expect(self.check(node, env, t.FLAG), t.FLAG, description)

    def check_flag_if_any(self, node: s.Expr | None, env: Env, description: str) -> Core | None:
        """Check an optional expression of type `flag`; return None if it is omitted.

        `description` names it in messages.
        """
        return None if node is None else self.check_flag(node, env, description)

    def check_type_if_any(self, node: s.Expr | None, env: Env, expected: t.Type, description: str) -> Core | None:
        """Check an optional expression of the type `expected`; return None if it is omitted.

        `description` names it in messages.
        """
        return None if node is None else self.check_type(node, env, expected, description)

    def check_type(self, node: s.Expr | s.ComprehensionExpr, env: Env, expected: t.Type, description: str) -> Core:
        """Check an expression that must be of the type `expected`; `description` names it in messages."""
        return self.expect(self.check(node, env, expected), expected, description)

    def check_template(self, template: s.Template | None, env: Env) -> TextTemplate | None:
        """Check the holes of a text template and return its checked form, or None without a template."""
        if template is None:
            return None
        parts = tuple([part if isinstance(part, str) else self.check(part, env) for part in template.parts])
        return TextTemplate(parts, template.span)

    # --- dispatch ---------------------------------------------------------

    def check(self, node: s.Expr | s.ComprehensionExpr, env: Env, expected: t.Type | None = None) -> Core:
        """Check an expression and return its typed form; `expected` resolves ambiguous bare words."""
        return self.forms[type(node)](self, node, env, expected)

    # --- names and attributes ---------------------------------------------------------

    def _check_name(self, node: s.NameExpr, env: Env, expected: t.Type | None) -> Core:
        local = env.find(node.id)
        if local is not None:
            return n.CheckedLocal(node.id, local, node.span)
        if node.id in self.names.defines:
            signature = self.names.defines[node.id]
            if signature.params and (word := resolve_word_shadowed_by_define(self.names, node.id, node.span, expected)):
                return word
            self.names.used.add(node.id)
            if signature.params:
                return self.error(
                    "missing-argument",
                    _(
                        "`{node}` needs {number} (value|values) in brackets: {node}({listed})",
                        node=node.id,
                        number=len(signature.params),
                        listed=", ".join((p for p, _ in signature.params)),
                    ),
                    node.span,
                )
            return n.CheckedCall("define", node.id, (), signature.result or t.NEVER, node.span)
        resolved = resolve_bare_word(self.names, node.id, node.span, expected)
        if resolved is not None:
            return resolved
        names = chain(
            env.iter_names(),
            self.names.defines,
            self.names.rules,
            self.names.ruleset.regions,
            self.names.index.many,
            self._words_of(expected),
        )
        if node.id in self.names.rules or node.id in self.names.tallies or node.id in self.names.procedures:
            return self.error("missing-argument", _("`{node}` must be called: {node}(...)", node=node.id), node.span)
        if node.id == "none":
            return self.error(
                "unknown-name",
                _("`none` is not a name here, and this value is never missing"),
                node.span,
                _("`none` is for values that may be missing: declare it `maybe`"),
            )
        return self.error(
            "unknown-name",
            _("unknown name `{node}`", node=node.id),
            node.span,
            suggest_for_word(self.names, node.id) or did_you_mean(node.id, names, partial(spell_in_rules, self.names)),
        )

    def _words_of(self, expected: t.Type | None) -> Iterable[str]:
        match expected:
            case t.OneOfType(values=values):
                return values
            case t.RungType(ladder=ladder):
                return self.names.ruleset.ladders[ladder].rungs
            case t.ThingType(kind=kind) if kind in self.names.ruleset.kinds:
                return self.names.index.ids[kind]
            case t.MaybeType(item=item):
                return self._words_of(item)
            case t.SetType(item=item) | t.ListType(item=item):
                return self._words_of(item)
            case None:
                rs = self.names.ruleset
                return chain(
                    (r for ladder in rs.ladders.values() for r in ladder.rungs),
                    (x.id for k in rs.kinds.values() for x in k.things if not x.holding),
                )
        return ()

    def _check_literal(self, node: s.LiteralExpr, env: Env, expected: t.Type | None) -> Core:
        value = node.value
        if isinstance(value, str):
            return n.Literal(normalize("NFC", value), t.TEXT, node.span)
        return n.Literal(value, t.FLAG if isinstance(value, bool) else t.INT, node.span)

    def _check_attribute(self, node: s.AttrExpr, env: Env, expected: t.Type | None) -> Core:
        if isinstance(node.owner, s.NameExpr) and env.find(node.owner.id) is None:
            special = self._check_rooted_name(node.owner.id, node)
            if special is not None:
                return special
        owner = self.check(node.owner, env)
        if isinstance(owner.type, t.NeverType):
            return owner
        if isinstance(present := t.strip_maybe(owner.type), t.RecordType):
            return self._check_record_field(owner, present, node)
        if isinstance(owner.type, t.MaybeType) and isinstance(owner.type.item, t.ThingType):
            attribute_of_present = self.check_attribute_of(replace(owner, type=owner.type.item), node.name, node.span)
            if isinstance(attribute_of_present, n.Operation):
                return self.require_present(owner, _("the owner of `opponent`"))
            if not isinstance(attribute_of_present, n.AttributeOf):
                return attribute_of_present
            missing = (
                attribute_of_present.type
                if isinstance(attribute_of_present.type, t.MaybeType)
                else t.MaybeType(attribute_of_present.type)
            )
            return n.AttributeOf(
                attribute_of_present.kind,
                attribute_of_present.name,
                attribute_of_present.owner,
                True,
                missing,
                node.span,
            )
        owner = self.require_present(owner, _("the owner of an attribute"))
        if isinstance(owner.type, t.NeverType):
            return owner
        if not isinstance(owner.type, t.ThingType):
            return self.error(
                "no-attributes",
                _(
                    "{what} has no attributes, so `.{name}` means nothing",
                    what=self.describe(owner.type),
                    name=node.name,
                ),
                node.span,
                suggest_attribute(owner.type, node.name, get_source_text(owner)),
                (owner,),
            )
        return self.check_attribute_of(owner, node.name, node.span)

    def check_attribute_of(self, owner: Core, name: str, span: Span) -> Core:
        """Check `owner.name`, the attribute `name` of the thing `owner`."""
        assert isinstance(owner.type, t.ThingType)
        if owner.type.kind == "piece" and name == "at":
            return n.AttributeOf("piece", "at", owner, False, t.PLACE, span)
        if owner.type.kind == "side" and name == "seat":
            return n.AttributeOf("side", "seat", owner, False, t.SEAT, span)
        attribute = self.names.find_attribute(owner.type, name)
        if attribute is None and name == "opponent" and owner.type.kind in ("side", "seat"):
            return self._check_opponent(owner, owner.type, span)
        lacking = [c.one for c in self.names.ruleset.classes.values() if name not in c.attributes]
        if attribute is not None and owner.type.kind == "piece" and owner.type.cls is None and lacking:
            return self.error(
                "unknown-attribute",
                _("not every piece has `{name}`: a {more} has none", name=name, more=lacking[0]),
                span,
                _("iterate over the pieces of one class, by its plural word"),
            )
        if attribute is None:
            return self.error(
                "unknown-attribute",
                _("{what} has no attribute `{name}`", what=self.describe(owner.type), name=name),
                span,
                suggest_attribute(owner.type, name, get_source_text(owner))
                or did_you_mean(name, self.names.list_attribute_names(owner.type)),
            )
        return n.AttributeOf(owner.type.kind, name, owner, False, attribute.type, span)

    def _check_opponent(self, owner: Core, kind: t.ThingType, span: Span) -> Core:
        """Return the expression for the opponent of `owner`, a side or seat; `kind` is its type.

        Reports an error unless the game has exactly two things of that kind.
        """
        declared = self.names.ruleset.kinds[kind.kind]
        if len(declared.things) != 2:
            return self.error(
                "unknown-attribute",
                _(
                    "`opponent` needs a game with two {many}; this one has {number}",
                    many=declared.many,
                    number=len(declared.things),
                ),
                span,
                _("say which one: first(x in {many} where ...) else ...", many=declared.many),
            )
        return n.Operation("opponent", (owner,), kind, span)

    def _check_record_field(self, owner: Core, type_: t.RecordType, node: s.AttrExpr) -> Core:
        fields = self.names.records.get(type_.id, ())
        for index, (name, field_type) in enumerate(fields):
            if name == node.name:
                missing = isinstance(owner.type, t.MaybeType) and not isinstance(field_type, t.MaybeType)
                result_type: t.Type = t.MaybeType(field_type) if missing else field_type
                if name == t.STAGES and type_.id.startswith(t.DRAFT):
                    self.names.staged.add(type_.id.removeprefix(t.DRAFT))
                return n.FieldAccess(owner, index, result_type, node.span)
        return self.error(
            "unknown-attribute",
            _("this record has no field `{name}`", name=node.name),
            node.span,
            did_you_mean(node.name, [n for n, _ in fields]),
        )

    def _check_rooted_name(self, root: str, node: s.AttrExpr) -> Core | None:
        """Return what `value.name`, `game.name` or `victory.name` means; None if `root` is another word."""
        rs, name, span = self.names.ruleset, node.name, node.span
        values: Iterable[str]
        match root:
            case "value":
                if name in rs.constants:
                    return n.Literal(rs.constants[name].value, rs.constants[name].type, span, f"value.{name}")
                values, code = rs.constants, "unknown-value"
                message = _("`{name}` is not a value of the tables documents", name=name)
            case "game":
                if name in rs.game:
                    return n.GameValue(name, rs.game[name].type, span)
                values, code = rs.game, "unknown-attribute"
                message = _("the game has no value `{name}`", name=name)
            case "victory":
                if name in rs.victory.conditions:
                    return n.CheckedCall("condition", name, (), t.FLAG, span)
                values, code = rs.victory.conditions, "unknown-condition"
                message = _("victory.yaml has no condition `{name}`", name=name)
            case _other:
                return None
        self.sink.add_error(code, message, span, help=did_you_mean(name, values), known=values)
        return n.Literal(None, t.NEVER, span)

    # --- sets ---------------------------------------------------------

    def require_item_type(self, core: Core, description: str) -> t.Type:
        """Return the type of the members of a set or list; report any other type.

        `description` names the expression in messages.
        """
        if isinstance(core.type, t.SetType | t.ListType):
            return core.type.item or t.NEVER
        if not isinstance(core.type, t.NeverType):
            self.error(
                "not-a-set",
                _("{what} must be a set or a list, found {what2}", what=description, what2=self.describe(core.type)),
                core.span,
                suggest_set(self.names, core),
                (core,),
            )
        return t.NEVER

    def check_members(self, node: s.Expr | s.ComprehensionExpr, env: Env, description: str) -> tuple[Core, t.Type]:
        """Check a set or list that may not be missing, and return it with the type of its members.

        `description` names the expression in messages.
        """
        core = self.require_present(self.check(node, env), description)
        return core, self.require_item_type(core, description)

    # --- calls ---------------------------------------------------------

    def check_arguments(
        self, name: str, params: tuple[tuple[str, t.Type], ...], args: tuple[Any, ...], env: Env, span: Span
    ) -> tuple[Core, ...]:
        """Check arguments against parameters and return them; () if their number is wrong (reported).

        `name`: the callable item, for messages; `params`: the name and type of each parameter.
        """
        if len(args) != len(params):
            param_names = ", ".join(p for p, _ in params) or "nothing"
            self.error(
                "wrong-number-of-arguments",
                _(
                    "`{name}` takes {number} (value|values) ({wanted}), found {number2}",
                    name=name,
                    number=len(params),
                    wanted=param_names,
                    number2=len(args),
                ),
                span,
            )
            return ()
        return tuple(
            self.check_type(arg, env, type_, _("`{param}` of `{name}`", param=param, name=name))
            for (param, type_), arg in zip(params, args, strict=True)
        )

    def _check_call(self, node: s.CallExpr, env: Env, expected: t.Type | None) -> Core:
        name = node.name
        for op, table in (("define", self.names.defines), ("rule", self.names.rules), ("tally", self.names.tallies)):
            if name in table:
                self.names.used.add(name)
                signature = table[name]
                args = self.check_arguments(name, signature.params, node.args, env, node.span)
                result = t.FLAG if op == "rule" else signature.result or t.NEVER
                return n.CheckedCall(op, name, args, result, node.span)
        if name in self.names.records:
            args = self.check_arguments(name, self.names.records[name], node.args, env, node.span)
            return n.CheckedMakeRecord(name, args, t.RecordType(name), node.span)
        kind = self.names.find_kind(name)
        by_id = kind is not None and len(node.args) == 1 and isinstance(node.args[0], s.LiteralExpr)
        if name in self.builtins and not by_id:
            return self.builtins[name](self, node, env, expected)
        if kind is not None or name == "level":
            return self._check_by_id(node, kind or t.LEVEL)
        if name in self.names.index.rungs or name == "direction" and self.names.ruleset.grid is not None:
            return self._check_by_id(node, None)
        holding = self._check_holding(node, env)
        if holding is not None:
            return holding
        if name in self.names.procedures or name in self.names.drafts:
            return self.error(
                "call-in-expression",
                _("`{name}` makes decisions or changes, so it cannot be used in an expression", name=name),
                node.span,
                _("write it as a statement: {name}(...) -> result", name=name),
            )
        names = chain(self.names.defines, self.names.rules, self.names.tallies, self.builtins, self.names.records)
        return self.error(
            "unknown-name",
            _("unknown define, rule or function `{name}`", name=name),
            node.span,
            suggest_for_word(self.names, name) or suggest_function(name) or did_you_mean(name, names),
        )

    def _check_by_id(self, node: s.CallExpr, kind: t.ThingType | None) -> Core:
        """Check a call with an id in quotes: of a thing of `kind`, or, if that is None, of a rung or a direction."""
        only = node.args[0] if len(node.args) == 1 else None
        if not isinstance(only, s.LiteralExpr) or not isinstance(only.value, str):
            return self.error("wrong-type", _('write {name}("id") with the id in quotes', name=node.name), node.span)
        ruleset, rungs = self.names.ruleset, self.names.index.rungs.get(node.name)
        if kind is not None:
            things = ruleset.victory.levels if kind.kind == "level" else ruleset.kinds[kind.kind].things
            ids, code = [x.id for x in things], "unknown-thing"
        elif rungs is not None:
            ids, code = [*rungs], "unknown-rung"
        else:
            ids, code = [*ruleset.grid.directions] if ruleset.grid is not None else [], "unknown-direction"
        if only.value not in ids:
            message = _("unknown {name} `{wanted}`", name=node.name, wanted=only.value)
            return self.error(code, message, only.span, did_you_mean(only.value, ids))
        handle = ids.index(only.value)
        if kind is not None and kind.kind == "piece":
            kind = t.ThingType("piece", ruleset.kinds["piece"].things[handle].cls)
        if kind is not None:
            return n.Literal(handle, kind, node.span)
        if rungs is not None:
            return n.Literal(rungs[only.value], t.RungType(node.name), node.span)
        return n.Literal(only.value, t.DIRECTION, node.span)

    def _check_holding(self, node: s.CallExpr, env: Env) -> Core | None:
        places = self.names.ruleset.kinds["place"].things
        first = next((i for i, p in enumerate(places) if p.holding == node.name and "." in p.id), None)
        if first is None:
            return None
        keys = [p.id.split(".", 1)[1] for p in places if p.holding == node.name]
        kinds = (kind for kind in self.names.ruleset.kinds.values() if kind.id != "place")
        owner = next((kind for kind in kinds if [x.id for x in kind.things] == keys), None)
        param = ("number", t.INT) if owner is None else (owner.one, t.ThingType(owner.id))
        args = self.check_arguments(node.name, (param,), node.args, env, node.span)
        if not args:
            return n.Literal(None, t.NEVER, node.span)
        return n.HoldingPlace(first, len(keys) if owner is None else 0, args[0], node.name, t.PLACE, node.span)

    # --- other forms ---------------------------------------------------------

    def _check_playing(self, node: s.PlayingExpr, env: Env, expected: t.Type | None) -> Core:
        option = self.names.ruleset.options.get(node.option)
        if option is None:
            return self.error(
                "unknown-option",
                _("the ruleset has no option `{option}`", option=node.option),
                node.span,
                did_you_mean(node.option, self.names.ruleset.options),
            )
        return n.Playing(node.option, t.OneOfType(option.values) if option.type == "choice" else t.FLAG, node.span)

    def _check_can_advance(self, node: s.CanAdvanceExpr, env: Env, expected: t.Type | None) -> Core:
        target = self.check(node.target, env)
        if isinstance(target.type, t.NeverType):
            return target
        if not isinstance(target, n.AttributeOf | n.GameValue) or not isinstance(target.type, t.RungType):
            return self.error(
                "not-a-ladder", _("`can advance` needs an attribute that is a rung of a ladder"), node.span
            )
        kind, owner = ("game", None) if isinstance(target, n.GameValue) else (target.kind, target.owner)
        return n.CanAdvance(kind, target.name, owner, t.FLAG, node.span)

    def _check_possible(self, node: s.PossibleExpr, env: Env, expected: t.Type | None) -> Core:
        if node.draft not in self.names.drafts:
            return self.report_unknown("name", "draft", node.draft, node.span, self.names.drafts)
        self.names.used.add(node.draft)
        args = self.check_arguments(node.draft, self.names.drafts[node.draft].params, node.args, env, node.span)
        return n.CheckedCall("draft", node.draft, args, t.FLAG, node.span)

    def _check_with_fields(self, node: s.WithFieldsExpr, env: Env, expected: t.Type | None) -> Core:
        record = self.require_present(self.check(node.record, env), _("the record"))
        if not isinstance(record.type, t.RecordType):
            return self.error(
                "wrong-type",
                _("`with` changes fields of a record, found {what}", what=self.describe(record.type)),
                node.span,
            )
        fields = self.names.records.get(record.type.id, ())
        changes: list[tuple[int, Core]] = []
        for binding in node.bindings:
            if binding.name == t.STAGES and record.type.id.startswith(t.DRAFT):
                self.error(
                    "not-changeable",
                    _("the stages of a draft are a record of past steps and cannot be changed"),
                    binding.span,
                )
                continue
            index = next((i for i, (n, _) in enumerate(fields) if n == binding.name), None)
            if index is None:
                self.error(
                    "unknown-attribute",
                    _("this record has no field `{name}`", name=binding.name),
                    binding.span,
                    did_you_mean(binding.name, [n for n, _ in fields]),
                )
                continue
            changes.append(
                (index, self.check_type(binding.value, env, fields[index][1], _("`{name}`", name=binding.name)))
            )
        return n.RecordUpdate(
            record, tuple(i for i, _value in changes), tuple(value for _i, value in changes), record.type, node.span
        )


ExpressionCheck = Callable[[ExpressionChecker, Any, Env, "t.Type | None"], Core]
