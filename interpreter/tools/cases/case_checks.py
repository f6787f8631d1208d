"""Static checks of a ruleset together with its cases, without playing.

`suite` runs the cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from interpreter.api.loading import check_model, disable_gc
from interpreter.checker.adhoc_expressions import check_expression
from interpreter.diagnostics.diagnostic import Diagnostic, Sink
from interpreter.diagnostics.source_text import Source
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.documents.learning import read_learning_documents
from interpreter.documents.reading.tree import Node, ScalarNode, SequenceNode
from interpreter.documents.target import list_variants
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.model.checked_model import CheckedModel
from interpreter.tools.cases.case_documents import Case, CaseStep, collect_cases
from interpreter.tools.cases.case_positions import check_word
from interpreter.tools.cases.name_checks import PlayNames, check_names, check_value, collect_names
from interpreter.tools.lessons.lesson_checks import check_learning


def check_with_cases(target: str, odd: bool = False) -> tuple[Diagnostic, ...]:
    """Return every diagnostic of a target, sorted: its documents, its rules and its cases.

    If these are free of errors, its variants are checked too. `odd`: also report what is valid but unusual for a
    wargame.
    """
    sink = Sink()
    check_target(target, sink, odd)
    if not sink.has_errors:
        for path in list_variants(target):
            check_target(path, sink, odd)
    return sink.list_sorted()


@disable_gc()
def check_target(target: str, sink: Sink, odd: bool = False) -> CheckedModel | None:
    """Report the diagnostics of one target, without its variants, to `sink`, including its cases and lessons.

    Return the checked rules, or None if they have errors. `odd`: also report what is valid but unusual for a wargame.
    """
    model = check_model(target, sink, odd)
    own_sink = Sink()
    cases = collect_cases(target, own_sink)
    if model is not None:
        check_cases(cases, model, own_sink)
        if model.ruleset.extends is None:  # a variant has the lesson of its base
            check_learning(target, model, own_sink)
    else:
        read_learning_documents(target, own_sink)
    for finding in own_sink.items:
        sink.add(finding)
    return model


def check_cases(cases: Iterable[Case], model: CheckedModel, sink: Sink) -> None:
    """Report to `sink` unknown names in cases, and steps and expectations that no game could satisfy."""
    played = collect_names(model)
    for case in cases:
        check_names(case, played, model, sink)
        _check_expectations(case, sink)
        for step in case.steps:
            _check_arguments(step, model, sink)
            if step.sort == "ask":
                _check_expression(step, model, sink)
        _check_fields(case, model, sink)
        _check_options(case, played, sink)


def _check_expectations(case: Case, sink: Sink) -> None:
    """Report to `sink` a case that expects nothing."""
    if not case.then.entries:
        entry = case.tree.entries.get("then")
        sink.add_warning(
            "empty-expectation",
            _("the case `{case}` expects nothing: its `then` is empty", case=case.id),
            case.span if entry is None else entry.key.span,
            help=_(
                "write under `then` what must be true after the steps; now the case fails only if a step is refused"
            ),
        )


def _check_arguments(step: CaseStep, model: CheckedModel, sink: Sink) -> None:
    """Report to `sink` the arguments that a step lacks, and arguments that do not fit the types of the parameters."""
    params = _list_params(step, model)
    if params is None:
        return
    args = step.tree.get_mapping("args")
    missing = [name for name in params if name not in args]
    if missing and all(entry.key.text in params for entry in args):
        sink.add_error(
            "missing-argument",
            _("`{name}` also needs {missing}", name=step.name, missing=", ".join(missing)),
            step.tree.entries[step.sort].value.span,
            help=_("write `{example}`", example="args: {" + ", ".join(f"{name}: ..." for name in missing) + "}"),
        )
    for entry in args:
        if entry.key.text in params:
            _check_argument(entry.value, params[entry.key.text], model, sink)


def _check_argument(node: Node, type: t.Type, model: CheckedModel, sink: Sink) -> None:
    """Check that one argument fits its type and report a fault to `sink`; for a list, check every item."""
    if isinstance(node, ScalarNode):
        check_value(node, type, model, sink)
    elif isinstance(node, SequenceNode) and isinstance(type, t.SetType | t.ListType) and type.item is not None:
        for item in node.items:
            _check_argument(item, type.item, model, sink)


def _list_params(step: CaseStep, model: CheckedModel) -> Mapping[str, t.Type] | None:
    callables_by_sort: Mapping[str, Mapping[str, Any]] = {"call": model.procedures, "try": model.drafts}
    callables = callables_by_sort.get(step.sort, {})
    return dict(callables[step.name].params) if step.name in callables else None


def _check_expression(step: CaseStep, model: CheckedModel, sink: Sink) -> None:
    node = step.tree.get("ask")
    if not isinstance(node, ScalarNode):
        return
    own_sink = Sink()
    check_expression(model, Source("expression", step.name), own_sink)
    for finding in own_sink.list_sorted():
        if finding.severity == "error":
            sink.add_error(
                finding.code,
                _("{what}: {values}", what=f"`{step.name}`", values=finding.message),
                node.span,
                help=finding.help,
            )
            return


def _check_fields(case: Case, model: CheckedModel, sink: Sink) -> None:
    """Report to `sink` each expected field that the draft of the last `try` step does not have.

    Expected fields in a case without a `try` are reported as well.
    """
    tried = [step.name for step in case.steps if step.sort == "try" and step.name in model.drafts]
    entries = case.then.get_mapping("fields")
    if not tried:
        if "fields" in case.then and not any(step.sort == "try" for step in case.steps):
            sink.add_error(
                "not-allowed-here",
                _("the case expects fields of a draft, but has no `try`"),
                case.then.entries["fields"].key.span,
                help=_("add a step `try: ...`, or remove `fields`"),
            )
        return
    draft = model.drafts[tried[-1]]
    names = {*(field.name for field in draft.fields), *(name for name, _value in draft.offer)}
    for entry in entries:
        if entry.key.text not in names:
            sink.add_error(
                "unknown-word",
                _("the draft `{draft}` has no field `{name}`", draft=draft.name, name=entry.key.text),
                entry.key.span,
                help=did_you_mean(entry.key.text, names),
            )


def _check_options(case: Case, played: PlayNames, sink: Sink) -> None:
    """Report to `sink` the expected options that the expected decision does not have.

    If the case names no decision, an option of any decision is accepted. `played`: the rolls and decisions of the
    rules.
    """
    expected = case.then.list_scalars("options")
    if not expected:
        return
    decision_name = case.then.get_text("decision")
    decisions = (
        [played.decisions[decision_name]] if decision_name in played.decisions else list(played.decisions.values())
    )
    names = {"done": None, "finish": None} | {name: None for options in decisions for name in options}
    for node in expected:
        name = node.text.partition("(")[0].partition(" > ")[0].strip()
        check_word(ScalarNode(name, name, node.span), "option", names, sink)
