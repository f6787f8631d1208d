"""Functions that only a ledger has: tallies with trace notes for their lines, and the values that depend on them."""

from __future__ import annotations

from interpreter.backends.python.decision_printer import DecisionPrinter
from interpreter.backends.python.python_names import variable
from interpreter.backends.python.source_module import SourceBlock
from interpreter.i18n.translator import mark as _
from interpreter.ir import explanation_records as x, expression_records as e

AT_LEAST, AT_MOST = _("at least"), _("at most")


def print_notes(printer: DecisionPrinter) -> None:
    """Add `nt_name` of each tally, and `tallied_name` of each value that depends on tallies."""
    told = printer.x.program.explanations
    for notes in told.tally_notes:
        _tally(printer, notes)
    for question in told.tallied:
        printer.question(question)


def _tally(printer: DecisionPrinter, notes: x.TallyNotes) -> None:
    """Add the function that sums a tally and records a trace note for every line that applies."""
    printer.x.begin()
    out, tally = SourceBlock(), notes.source
    for text in ("_m = _mark(G)", "_n = 0", "_l = []"):
        out.add(text, tally.span)
    for line in notes.lines:
        span, expr = line.source.span, printer.x.expr
        if line.condition is not None:
            out.add(f"if {expr(line.condition)}:", span)
            out.depth += 1
        number, values = printer.texts.number(line.words.template), printer.x.words(line.words)
        sign = "" if line.source.sign > 0 else "-"
        always = isinstance(line.amount, e.Local)  # a value with a name in the rules is noted even if it is 0
        out.add("_k = _mark(G)", span)
        out.add(f"_v = {sign}{expr(line.amount)}", span)
        out.add("_n += _v", span)
        out.add("_i = _taken_notes(G, _k)", span)
        made = f"_l.append(_TallyLine({number}, {values}, _v, {line.source.cites!r}, _i))"
        out.add(made if always else f"if _v: {made}", span)
        out.depth = 0
    for bound in notes.bounds:
        span = tally.span
        out.add(f"_v = {'max' if bound.is_least else 'min'}(_n, {printer.x.expr(bound.value)})", span)
        words = (str(AT_LEAST if bound.is_least else AT_MOST), " ", ("number",))
        out.add(f"if _v != _n: _l.append(_TallyLine({words!r}, (_v,), _v - _n, {bound.cites!r}, ()))", span)
        out.add("_n = _v", span)
    out.add(f"return _noted_tally(G, _m, {tally.name!r}, {tally.cites!r}, _normal(_n), _l)", tally.span)
    printer.module.function("nt_" + tally.name, ["G", *(variable(name) for name, _ in notes.params)], out, tally.span)
