"""Lowering of explanations of the rules: texts, single requirements, and values that documents display."""

from __future__ import annotations

from interpreter.diagnostics.source_text import Span
from interpreter.ir import explanation_records as x, expression_records as e
from interpreter.lowering.lowering_context import Context, Names
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.expressions import local_names


def explain_requirement(cx: Context, source: c.CheckedRequirement, names: Names) -> x.Requirement:
    """Lower a requirement for explanations: its conjuncts, to be evaluated one by one, and its words."""
    tests: tuple[n.Core, ...] = (source.test,)
    if isinstance(source.test, n.Operation) and source.test.name == "and":
        tests = source.test.operands
    conjuncts = cx.lower_all(tests, names)
    witness, inner = None, names
    if source.witness is not None and source.words is not None:
        domain = cx.lower(source.witness.domain, names)
        held = domain.type.item if isinstance(domain.type, t.MaybeType) else domain.type
        item = held.item if isinstance(held, t.SetType | t.ListType) else None
        var = cx.names.fresh(source.witness.var or "unused")
        inner = {**names, source.witness.var: e.Local(var, item or t.NEVER, source.span)}
        where = None if source.witness.where is None else cx.lower(source.witness.where, inner)
        witness = x.Witness(var, domain, where)
    return x.Requirement(source, conjuncts, cx.words(source.words, inner), witness)


def explain_option(cx: Context, source: c.CheckedOption | c.CheckedStep, names: Names) -> x.ExplainedOption:
    """Lower the texts of an option or step; `names` holds its parameters."""
    prefers = tuple(
        x.ExplainedPreference(p, cx.lower(p.value, names), cx.words(p.words, names)) for p in source.prefers
    )
    requires = tuple(explain_requirement(cx, r, names) for r in source.requires)
    because = cx.words(source.because, names) if isinstance(source, c.CheckedStep) else None
    return x.ExplainedOption(source, requires, prefers, cx.words(source.label, names), because)


def explain_decision(cx: Context, source: c.Decide, names: Names, inside: list[Names]) -> x.ExplainedDecision:
    """Lower the texts of a decision; `inside` holds for each option the names with its parameters.

    A form beside play has only the variables that the decision reads.
    """
    given = _given(source.names, _expressions_of(source), names)
    if cx.form.is_beside_play:
        return x.ExplainedDecision(source, given, None)
    options = tuple(explain_option(cx, o, inner) for o, inner in zip(source.choices, inside, strict=True))
    finish = tuple(explain_requirement(cx, r, names) for r in source.finish)
    return x.ExplainedDecision(source, given, cx.words(source.prompt, names), options, finish)


def explain_draft_decision(cx: Context, source: c.DecideDraft, names: Names) -> x.ExplainedDecision:
    """Lower the texts of a decision that a draft answers."""
    given = _given(source.names, [source.decider, *_parts(source.prompt)], names)
    return x.ExplainedDecision(source, given, cx.words(source.prompt, names))


def explain_draft(cx: Context, draft: c.CheckedDraft, names: Names, steps: list[x.ExplainedOption]) -> None:
    """Lower the texts of a draft and store them among the explanations.

    `names`: the variables of its parameters and fields. `steps`: the lowered texts of its steps.
    """
    finish = tuple(explain_requirement(cx, r, names) for r in draft.finish)
    told: dict[str, e.Local] = {}
    for name, value in draft.offer:
        if name not in names:
            told[name] = e.Local(cx.names.fresh(name), value.type, draft.span)
    ending = cx.words(draft.ending, {**names, **told})
    cx.explanations.drafts.append(x.ExplainedDraft(draft, tuple(steps), finish, ending, tuple(told.values())))


def explain_model(cx: Context) -> None:
    """Lower the explanations of rules, tallies, events and documents; decisions and drafts are lowered elsewhere."""
    model, rs = cx.model, cx.ruleset
    for rule in model.rules.values():
        params, names = cx.parameters(rule.params, rule.span)
        requires = tuple(explain_requirement(cx, r, names) for r in rule.requires)
        cx.explanations.rules.append(x.ExplainedRule(rule, params, requires))
    for tally in model.tallies.values():
        params, names = cx.parameters(tally.params, tally.span)
        cx.explanations.tallies.append(
            x.ExplainedTally(tally, params, tuple(_line(cx, line, names) for line in tally.lines))
        )
    for event in model.events.values():
        params, names = cx.parameters(event.params, event.span)
        words = cx.words(event.words, names)
        if words is not None:
            _ask(cx, "say_" + event.name, params, words, event.span)
    for number, level in enumerate(model.levels):
        if level is not None:
            _value(cx, f"level_{number}", None, level)
    seat = rs.victory.score_word or "s"
    for name, core in (("score_of", model.score), ("evaluation_of", model.evaluation)):
        if core is not None:
            _value(cx, name, (seat, t.SEAT), core)
    for name, core in model.setup_checks.items():
        check = rs.setup_checks[name]
        _value(cx, "setup_check_" + name, (check.word, check.of) if check.of else None, core)
    for name, core in model.views.items():
        view = rs.views[name]
        _value(cx, "view_" + name, (view.word, view.of) if view.of else None, core)
    _texts_of_documents(cx)


def _texts_of_documents(cx: Context) -> None:
    """Lower the text templates of documents, in the order of their numbers."""
    of = {w.key: (w.word, w.of) if w.of else None for w in cx.ruleset.worded}
    number = 0
    for key, by_language in cx.model.worded.items():
        for template in by_language.values():
            asked = of[key]
            params, names = cx.parameters(() if asked is None else (asked,), template.span)
            words = cx.words(template, names)
            assert words is not None
            _ask(cx, f"worded_{number}", params, words, template.span)
            number += 1


def _value(cx: Context, name: str, param: tuple[str, t.Type] | None, core: n.Core) -> None:
    params, names = cx.parameters(() if param is None else (param,), core.span)
    _ask(cx, name, params, cx.lower(core, names), core.span)


def _ask(cx: Context, name: str, params: tuple[tuple[str, t.Type], ...], value: e.Expr | x.Words, span: Span) -> None:
    cx.explanations.questions.append(x.Question(name, params, value, span))


def _line(cx: Context, line: c.CheckedLine, names: Names) -> x.ExplainedLine:
    condition = None if line.condition is None else cx.lower(line.condition, names)
    words = cx.words(line.words, names)
    assert words is not None
    return x.ExplainedLine(line, cx.lower(line.amount, names), condition, words)


def _parts(words: c.TextTemplate | None) -> list[n.Core]:
    return [part for part in words.parts if not isinstance(part, str)] if words is not None else []


def _expressions_of(source: c.Decide) -> list[n.Core]:
    """Return every expression of a decision and its options."""
    found = [source.decider, *_parts(source.prompt)]
    for requirement in (*source.finish, *(r for choice in source.choices for r in choice.requires)):
        found += [requirement.test, *_parts(requirement.words)]
    for choice in source.choices:
        found += [param.domain for param in choice.params] + _parts(choice.label)
        for preference in choice.prefers:
            found += [preference.value, *_parts(preference.words)]
    return found


def _given(around: tuple[str, ...], cores: list[n.Core], names: Names) -> tuple[tuple[str, e.Local], ...]:
    """Return (name in the rules, variable) for the variables around a decision that its expressions read, in order.

    `around`: the names in scope around the decision. `cores`: its expressions.
    """
    used = frozenset[str]().union(*(local_names(core) for core in cores))
    types = {x.name: x.type for core in cores for x in n.descendants(core) if isinstance(x, n.CheckedLocal)}
    return tuple((name, e.Local(names[name].name, types[name], names[name].span)) for name in around if name in used)
