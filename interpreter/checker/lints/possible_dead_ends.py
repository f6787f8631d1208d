"""Lint decisions that may have no legal option: a piece must move, and the decision has no `otherwise`.

Reports a decision if each of its options moves a piece that is a parameter of the procedure. Findings are warnings;
the model is read only.
"""

from __future__ import annotations

from interpreter.checker.suspension import walk
from interpreter.diagnostics.diagnostic import Sink
from interpreter.i18n.translator import mark as _
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.checked_model import CheckedModel


def check_dead_ends(model: CheckedModel, sink: Sink) -> None:
    """Report decisions without `otherwise` whose options all move a piece that is a parameter of the procedure."""
    for procedure in model.procedures.values():
        subjects = {name for name, type_ in procedure.params if _is_of_pieces(type_)}
        for stmt in walk(procedure.body) if subjects else ():
            if isinstance(stmt, c.Decide) and _may_be_stuck(stmt, subjects):
                sink.add_warning(
                    "missing-otherwise",
                    _(
                        "every option of `{name}` moves the subject of the procedure, and nothing covers the "
                        "case that it cannot move",
                        name=stmt.name,
                    ),
                    stmt.span,
                    help=_("end it with `otherwise:` and what happens then"),
                )


def _is_of_pieces(type_: t.Type) -> bool:
    inner = t.get_member_type(type_) or type_
    return isinstance(inner, t.ThingType) and inner.kind == "piece"


def _may_be_stuck(decision: c.Decide, subjects: set[str]) -> bool:
    """Return whether a decision that cannot be ended only offers moves of pieces, all of which may be impossible.

    `subjects`: the names of the locals that hold the pieces to be moved.
    """
    if decision.otherwise is not None or decision.until_done:
        return False
    return all(
        choice.params
        and (choice.requires or not _is_range(choice.params[0].domain))
        and any(isinstance(stmt, c.MovePieces) and _is_local_in(stmt.what, subjects) for stmt in choice.body)
        for choice in decision.choices
    )


def _is_local_in(expression: c.Core, names: set[str]) -> bool:
    return isinstance(expression, n.CheckedLocal) and expression.name in names


def _is_range(domain: c.Core) -> bool:
    return isinstance(domain, n.Operation) and domain.name == "range"
