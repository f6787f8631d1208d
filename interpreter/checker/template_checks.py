"""Checks of text templates in documents: what each hole prints, and what it may read.

Independent of where the templates are shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from interpreter.checker.expressions.dispatch import build_expression_checker
from interpreter.checker.expressions.name_resolution import is_own_word
from interpreter.checker.operations import TURN, SlotMemo, find_slots_read
from interpreter.checker.scope import Env, RulesScope
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.message_nouns import report_unknown_name
from interpreter.diagnostics.source_text import Source, Span
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.documents.values.typed_values import HAVE_CODES
from interpreter.i18n.number_format import format_plain_value
from interpreter.i18n.translator import mark as _
from interpreter.language import syntax as s
from interpreter.language.ast_builder import read_template
from interpreter.language.parsing import parse_expression
from interpreter.model import statements as c, types as t
from interpreter.model.checked_model import CheckedModel
from interpreter.model.ruleset import Embedded, Ruleset, Worded

_SIMPLE = (t.ThingType, t.OneOfType, t.RungType, t.FlagType, t.IntType, t.NumberType, t.DirectionType, t.TextType)
Wordings = dict[str, dict[str, c.TextTemplate]]


def check_wordings(names: RulesScope, sink: Sink) -> Wordings:
    """Return the checked templates by key and language, without those that have a (reported) error."""
    checker, wordings = _TemplateChecker(names, sink), Wordings()
    for worded in names.ruleset.worded:
        for language, embedded in worded.words.items():
            faults = sink.number_reported
            words = checker.check_template(worded, embedded)
            if sink.number_reported == faults and words is not None:
                wordings.setdefault(worded.key, {})[language] = words
    return wordings


def report_changing_titles(model: CheckedModel, sink: Sink) -> None:
    """Report turn titles that read the state.

    A title is also shown for past and future turns, so it may read only the turn number and the documents.
    """
    memo: SlotMemo = {}
    for key, by_language in model.worded.items():
        if key.partition(".")[0] != "turn":
            continue
        for words in by_language.values():
            for part in words.parts:
                if not isinstance(part, str) and find_slots_read(model, part, memo) - {TURN}:
                    sink.add_error(
                        "not-allowed-here",
                        _("the title of a turn cannot depend on what changes in play"),
                        part.span,
                        help=_("use `turn`, tables, constants and the documents"),
                    )


class _TemplateChecker:
    """Checker of the templates in documents, in which a word may refer to the thing that a template is about."""

    def __init__(self, names: RulesScope, sink: Sink) -> None:
        self.names = names
        self.sink = sink
        self.expressions = build_expression_checker(names)

    def check_template(self, template: Worded, embedded: Embedded) -> c.TextTemplate | None:
        """Check the text of a template in one language: a text, a condition, or one expression for its value.

        `template` says which; `embedded` is the text. Returns the checked form, or None after an error.
        """
        if template.is_asked:
            return self.check_condition(template, embedded)
        return self.check_valued(template, embedded) if template.is_valued else self.check_text(template, embedded)

    def check_text(self, worded: Worded, embedded: Embedded) -> c.TextTemplate:
        """Check a text template and return its checked form.

        `worded`: the template and the thing that its holes refer to; `embedded`: its text in one language. The span of
        the result has one character more on each side, as if the text were quoted.
        """
        span = embedded.span
        opened = embedded.text.rfind("{")
        if opened > embedded.text.rfind("}"):
            self.sink.add_error(
                "unclosed-bracket",
                _("the placeholder that begins here is not closed"),
                Span(span.source, span.start + opened, span.start + opened + 1),
                help=_("close it with a closing brace"),
            )
        template = read_template(span.source, span.start - 1, span.end + 1, self._parse_hole)
        parts = tuple(
            p if isinstance(p, str) or worded.of is None else self._resolve_thing_word(p, worded.of, worded.word)
            for p in template.parts
        )
        env = Env({} if worded.of is None else {worded.word: worded.of})
        words = self.expressions.check_template(s.Template(parts, span=template.span), env)
        assert words is not None
        return words

    def check_condition(self, template: Worded, embedded: Embedded) -> c.TextTemplate | None:
        """Check a condition, one expression that is a flag or may be missing; return None after an error.

        `template`: the condition and the thing it is about; `embedded`: its text.
        """
        core = self._check_expression(template, embedded)
        if core is not None and not isinstance(core.type, t.MaybeType):
            core = self.expressions.expect(core, t.FLAG, "`when`")
        return None if core is None else c.TextTemplate((core,), embedded.span)

    def check_valued(self, template: Worded, embedded: Embedded) -> c.TextTemplate | None:
        """Check an expression whose value selects a look, and report looks that its type excludes; None after an error.

        `template`: the expression and the thing it is about; `embedded`: its text. The type is `template.wanted` if
        given, else any simple type. Words without another meaning may be keys of the looks.
        """
        own = tuple(word for word, _ in template.looks if is_own_word(self.names, word))
        core = self._check_expression(template, embedded, template.wanted or (t.OneOfType(own) if own else None))
        if core is None or isinstance(core.type, t.NeverType):
            return None
        if template.wanted is not None:
            core = self.expressions.expect(core, template.wanted, f"`{template.key.split('.')[-1]}`")
            return None if isinstance(core.type, t.NeverType) else c.TextTemplate((core,), embedded.span)
        inner = t.strip_maybe(core.type)
        if not isinstance(inner, _SIMPLE):
            self.sink.add_error(
                "wrong-type",
                _("a look needs a single value, found {what}", what=self.expressions.describe(core.type)),
                core.span,
                help=_("write an expression whose value is a thing, a word, a rung, a direction, a number or yes/no"),
            )
            return None
        for word, span in template.looks:
            check_value(self.names, word, inner, span)
        return c.TextTemplate((core,), embedded.span)

    def _check_expression(self, template: Worded, embedded: Embedded, expected: t.Type | None = None) -> c.Core | None:
        """Check one expression in a document; return None after a syntax error.

        `template`: what the expression is for; `expected`: the type that resolves bare words.
        """
        span = embedded.span
        node = self._parse_hole(span.source, span.start, span.end)
        if node is None:
            return None
        if template.of is not None:
            node = self._resolve_thing_word(node, template.of, template.word)
        if (
            isinstance(node, s.NameExpr)
            and node.id not in (template.word, *self.names.defines)
            and template.of is not None
        ):
            names = [*list_attributes(self.names.ruleset, template.of), *self.names.defines]
            if is_own_word(self.names, node.id) and not self.names.find_kind_by_plural(node.id):
                hint = did_you_mean(node.id, names)
                return self.expressions.error("unknown-name", _("unknown name `{node}`", node=node.id), node.span, hint)
        return self.expressions.check(node, Env({} if template.of is None else {template.word: template.of}), expected)

    def _parse_hole(self, source: Source, start: int, end: int) -> s.Expr | None:
        return parse_expression(source, start, end, self.sink)

    def _resolve_thing_word(self, part: s.Expr, type_: t.ThingType, word: str) -> s.Expr:
        """Resolve a bare word in a hole to an attribute of the thing, or to a call with the thing as argument.

        `part`: the expression in the hole, returned unchanged if it is not such a word; `type_`: the type of the thing;
        `word`: its name in the template. The call is of a define or a tally with one parameter of that type.
        """
        if not isinstance(part, s.NameExpr) or part.id == word:
            return part
        thing = s.NameExpr(word, span=part.span)
        if part.id in list_attributes(self.names.ruleset, type_):
            return s.AttrExpr(thing, part.id, span=part.span)
        for declarations in (self.names.defines, self.names.tallies):
            signature = declarations.get(part.id)
            if signature is not None and len(signature.params) == 1 and t.is_assignable(type_, signature.params[0][1]):
                return s.CallExpr(part.id, (thing,), span=part.span)
        return part


def list_attributes(ruleset: Ruleset, type_: t.ThingType) -> tuple[str, ...]:
    """Return the names of the attributes that things of a type have, for pieces including their place."""
    if type_.kind == "piece":
        cls = ruleset.classes.get(type_.cls or "")
        return (*(cls.attributes if cls else ruleset.kinds["piece"].attributes), "at")
    return tuple(ruleset.kinds[type_.kind].attributes)


_NUMBER = re.compile("-?[0-9]{1,9}(/[1-9][0-9]{0,8})?", re.ASCII)


def check_value(names: RulesScope, word: str, type_: t.Type, span: Span) -> None:
    """Report a word that is not a value of the type: `unknown-...` for names, `wrong-type` for others."""
    match type_:
        case t.OneOfType(values=values):
            _check_name(names, "word", word, values, span)
        case t.RungType(ladder=ladder):
            message = _("the ladder `{ladder}` has no rung `{word}`", ladder=ladder, word=word)
            _check_name(names, "rung", word, names.ruleset.ladders[ladder].rungs, span, message)
        case t.DirectionType():
            grid = names.ruleset.grid
            _check_name(names, "direction", word, grid.directions if grid else (), span)
        case t.ThingType(kind="level"):
            _check_name(names, "level", word, (level.id for level in names.ruleset.victory.levels), span)
        case t.ThingType(kind=kind, cls=cls):
            things = names.ruleset.kinds[kind].things
            _check_name(names, kind, word, (x.id for x in things if cls in (None, x.cls)), span)
        case t.FlagType() if word not in ("true", "false"):
            _report_wrong(names, word, span, _("`true` or `false`"))
        case t.IntType() if not _is_number(word) or "/" in word:
            _report_wrong(names, word, span, _("a whole number"))
        case t.NumberType() if not _is_number(word):
            _report_wrong(names, word, span, _("a number"), _('write a whole number or a fraction like "7/2"'))


def _is_number(word: str) -> bool:
    """Return whether a word is a number in canonical form: 3, -1 or 7/2 in lowest terms."""
    return _NUMBER.fullmatch(word) is not None and format_plain_value(Fraction(word)) == word


def _report_wrong(names: RulesScope, word: str, span: Span, expected: str, help: str = "") -> None:
    message = _("found {found}, expected {words}", found=f"`{word}`", words=expected)
    names.sink.add_error("wrong-type", message, span, help=help)


def _check_name(
    names: RulesScope, kind: str, word: str, candidates: Iterable[str], span: Span, message: str = ""
) -> None:
    """Report a word that is not among the names of a kind."""
    listed = [*candidates]
    if word not in listed:
        cure = _("check the spelling, or add it")
        code = kind if kind in HAVE_CODES else "thing"
        report_unknown_name(names.sink, code, kind, word, span, listed, cure, message=message)
