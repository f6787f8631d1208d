"""Lint requirements that always hold: by the bounds of their numbers, or by the domain of the option.

Cases that need no bounds are reported elsewhere (`vacuous_requirements`). Played games are not consulted: a rare
refusal is not a mistake.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.checker.wargame_lints.interval_analysis import is_always_true
from interpreter.diagnostics.diagnostic import Sink
from interpreter.i18n.translator import mark as _
from interpreter.model import expressions as n, statements as c
from interpreter.model.checked_model import CheckedModel, CheckedStep, iter_model_records


def report_tautologies(model: CheckedModel, sink: Sink) -> None:
    """Report requirements that can never refuse a choice."""
    for record in iter_model_records(model):
        if isinstance(record, c.CheckedRequirement) and is_always_true(model, record.test):
            sink.add_warning(
                "idle-requirement",
                _("`{name}` never fails: its numbers always satisfy it", name=_format_name(record)),
                record.test.span,
                help=_("check the comparison and the limits of its values, or remove the requirement"),
            )
        if isinstance(record, c.CheckedOption | CheckedStep):
            _report_repeated_requirements(record, sink)


def _report_repeated_requirements(choice: c.CheckedOption | CheckedStep, sink: Sink) -> None:
    domain_conditions = {condition for param in choice.params for condition in _iter_domain_conditions(param)}
    for requirement in choice.requires:
        if domain_conditions and n.build_canonical_form(requirement.test, {"": 0}) in domain_conditions:
            sink.add_warning(
                "idle-requirement",
                _("`{name}` never fails: the set of the option already tests the same", name=_format_name(requirement)),
                requirement.test.span,
                help=_("test it once: a requirement shows players the reason, a set does not"),
            )


def _iter_domain_conditions(param: c.Param) -> Iterator[object]:
    """Yield the filter conditions of a parameter's domain in canonical form, in terms of the parameter."""
    domain = param.domain
    if (
        isinstance(domain, n.Comprehension)
        and domain.where is not None
        and domain.sort == "set"
        and domain.result is None
    ):
        for part in _iter_parts(domain.where):
            yield n.build_canonical_form(part, {domain.var: param.name})  # type: ignore[dict-item]


def _iter_parts(core: n.Core) -> Iterator[n.Core]:
    if isinstance(core, n.Operation) and core.name == "and":
        for part in core.operands:
            yield from _iter_parts(part)
    else:
        yield core


def _format_name(requirement: c.CheckedRequirement) -> str:
    return requirement.address.rpartition(".")[2] or requirement.address
