"""Errors that only a whole ruleset shows, after each of its parts has been checked."""

from __future__ import annotations

from interpreter.checker.lints.translations import check_translations
from interpreter.checker.suspension import find_suspension, walk
from interpreter.diagnostics.diagnostic import Sink
from interpreter.i18n.translator import mark as _
from interpreter.model import statements as c
from interpreter.model.checked_model import CheckedModel


def check_whole(model: CheckedModel, sink: Sink) -> None:
    """Report dice and decisions in watchers, recursion without a limit, and faulty translations."""
    _check_watchers(model, sink)
    _report_unbounded_recursion(model, sink)
    check_translations(model, sink)


def _check_watchers(model: CheckedModel, sink: Sink) -> None:
    """Report watchers that roll or decide, directly or through procedures they call."""
    suspension = find_suspension(model)
    for watcher in model.watchers:
        for stmt in walk(watcher.body):
            if not isinstance(stmt, c.CallProcedure) or stmt.later:
                continue
            name = stmt.procedure
            if name in suspension.procedures:
                text = _(
                    "`{procedure}` can reach a decision, which is not allowed in a `whenever` block", procedure=name
                )
            elif name in suspension.rolling:
                text = _("`{procedure}` rolls dice, which is not allowed in a `whenever` block", procedure=name)
            else:
                continue
            advice = _("delay it: later {procedure}(...)", procedure=name)
            sink.add_error("not-allowed-here", text, stmt.span, help=advice)


def _report_unbounded_recursion(model: CheckedModel, sink: Sink) -> None:
    """Report the first cycle of procedures that call one another without a limit on their depth."""
    calls = {p.name: sorted(list_immediate_calls(p.body)) for p in model.procedures.values() if p.deep is None}
    for start in calls:
        stack: list[tuple[str, tuple[str, ...]]] = [(start, (start,))]
        visited = {start}
        while stack:
            name, path = stack.pop()
            for called in calls[name]:
                if called == start and start == min(path):
                    sink.add_error(
                        "unbounded-recursion",
                        _(
                            "`{start}` calls itself ({listed}) without a limit",
                            start=start,
                            listed=" -> ".join([*path, start]),
                        ),
                        model.procedures[start].span,
                        help=_("set a limit: procedure {start}(...) at most 10 deep:", start=start),
                    )
                    return
                if called in calls and called not in visited:
                    visited.add(called)
                    stack.append((called, (*path, called)))


def list_immediate_calls(body: c.Body) -> set[str]:
    """Return the procedures that a body calls immediately, without those called with `later`."""
    return {x.procedure for x in walk(body) if isinstance(x, c.CallProcedure) and not x.later}
