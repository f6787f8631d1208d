"""Printer: a program of the intermediate representation as text, each item beside the author's line it comes from.

The text is for people; nothing parses it. Most records have a form in `_FORMS`, in which `{field}` is a
field of the record, and `<field|text|other>` the text if the field holds something, else the other one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from interpreter.diagnostics.source_text import Span
from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.primitives import PRIMITIVES
from interpreter.ir.record_fields import list_fields_holding
from interpreter.ir.traversal import list_bodies

_MAX_VALUES = 6
_SLOT = "{slot}<owner|[{owner}]>"
_FORMS: Mapping[type, str] = {
    e.Const: "{value}",
    e.Local: "{name}",
    e.Read: f"read {_SLOT}",
    e.PiecesAt: "<cls|{cls}|pieces> at {place}",
    e.StaticItem: "{table}[{indices}]",
    e.IndexOf: "index of {value} among {among}",
    e.Conditional: "({yes} if {test} else {no})",
    e.OrElse: "({value} else {fallback})",
    e.IfPresent: "(with {name} = {value}, if present: {body})",
    e.Let: "(with {name} = {value}: {body})",
    e.Bounded: "<clamps|clamp|within>({value}, {low}, {high})",
    e.Call: "{function}({args})",
    e.Fold: "{sort}(<result|{result} for >{var} in {domain}"
    "<where| where {where}><measure| having {extreme} {measure}>)",
    e.Search: "({sort} from {start}<goal| to {goal}><within| within {within}> through {var} after {previous}"
    "<where| where {where}><cost| cost {cost}>)",
    e.Closure: "(closure of {start} over {first}, {second} in {everything} where {where})",
    e.Possible: "possible {draft}({args})",
    e.MakeRecord: "{type}({items})",
    e.GetField: "{record}.{index}",
    e.CountedTest: "counted {requirement}({test})",
    e.CitedTest: "cited {cites}({test})",
    e.CoveredLookUp: "noted({look})",
    e.Terms: "terms({values})",
    e.NotedLookUp: "noted({look})",
    e.NotedTest: "noted({left} {symbol} {right})",
    e.NotedEach: "noted each({value})",
    e.NotedValue: "noted as {name}({value})",
    e.NotedTally: "noted {tally}({args})",
    s.Assign: "{name} := {value}",
    s.Store: f"write {_SLOT} = {{value}}",
    s.Note: f"note {_SLOT} <is_amount|by|=> {{value}}",
    s.Reset: "reset {slot} to {value}",
    s.Move: "move {piece} to {place}",
    s.While: "while {test}:",
    s.ForEach: "for {var} in {domain}:",
    s.Repeat: "repeat {count} times:",
    s.Together: "together:",
    s.Roll: "{var} := roll <count|{count}|1> of ({faces})",
    s.Draw: "{var} := draw <count|{count}|1> from {source}",
    s.Run: "<var|{var} := >run {procedure}({args})",
    s.Watch: "watch {event}({args})",
    s.Later: "later {procedure}({args})",
    s.TakeArgument: "{name} := argument {index}",
    s.Perform: "evaluate {value}",
    s.Report: "report {event}({args})",
    s.Charge: "charge {steps} steps<times| times {times}>",
    s.Return: "return<value| {value}>",
    s.EndGame: "end game <winner|won by {winner}|drawn><level| at {level}>",
    s.SkipTo: "skip to {phase}",
    s.Fail: "fault '{sort}'",
    s.SetPhase: "phase := <variable|{variable}|{phase}>",
    s.KeepPhase: "{name} := phase",
    s.EnterRecursion: "deeper {procedure}, at most {most}",
    s.LeaveRecursion: "shallower {procedure}",
    s.NoteParagraphs: "cite {cites}",
    s.TakeChance: "{var} := what fell",
    s.Goto: "goto {block}",
    s.Test: "if {test} goto {yes} else {no}",
    s.Next: "<var|{var}|_> := next of {items} at {index}, goto {block}, or at its end {done}",
    s.Countdown: "goto {block} while {left} counts down, then {done}",
    s.Ask: "ask decision {decision}<alone| alone>, then {resume}; without options {nobody}, done {out}",
    s.Answer: "answer decision {decision}: goto one of {blocks}; done {out}",
    s.AskDraft: "ask draft of decision {decision}({args})<alone| alone>, then {resume}",
    s.TakeDraft: "<var|{var}|_> := the chosen end, goto {block}",
    s.AskChance: "suspend for <source|a draw from {source}|dice>, then {resume}",
    s.Close: "suspend after an option of decision {decision}, then {resume}",
    s.CallThen: "<var|{var} := >call {procedure}({args}), then {resume}",
    s.Settle: "settle, then {done}",
    s.Leave: "leave",
}
_CHOICE = re.compile(r"<(\w+)\|([^<>|]*)(?:\|([^<>|]*))?>")
_FIELD = re.compile(r"\{(\w+)\}")


def format_program(program: ir.LoweredProgram, name: str = "") -> str:
    """Return a program as text. `name`: print only items with this name, or whose name ends in `_` and this name."""
    lines: list[str] = []
    for item, item_lines in _iter_items(program):
        if not name or item == name or item.endswith("_" + name):
            lines += [*item_lines, ""]
    return "\n".join(lines)


def _iter_items(program: ir.LoweredProgram) -> Iterator[tuple[str, list[str]]]:
    for function in program.functions.values():
        yield function.name, format_function(function)
    for procedure in program.procedures.values():
        yield procedure.name, format_procedure(procedure)
    for watcher in program.watchers:
        params = _format_params(watcher.params)
        where = "" if watcher.where is None else f" where {format_expression(watcher.where)}"
        head = _add_location(f"watcher {watcher.event}({params}){where}:", watcher.span)
        yield watcher.event, [head, *_format_body(watcher.body, 1)]
    for decision in program.decisions:
        yield decision.name, format_decision(decision)
    for draft in program.drafts.values():
        yield draft.name, format_draft(draft)


def _add_location(text: str, span: Span) -> str:
    return text if not span.source.text else f"{text:<70}  # {span.file}:{span.line}"


def _format_params(params: Iterable[tuple[str, object]]) -> str:
    return ", ".join(f"{name}: {type_}" for name, type_ in params)


def format_function(function: ir.Function) -> list[str]:
    """Return the lines of a function."""
    suffix = ", memoized" if function.is_memoized else ""
    head = f"function {function.name}({_format_params(function.params)}) -> {function.result}{suffix}:"
    return [_add_location(head, function.span), *_format_body(function.body, 1)]


def format_procedure(procedure: ir.Procedure) -> list[str]:
    """Return the lines of a procedure: its body, or its frame and blocks."""
    result = "" if procedure.result is None else f" -> {procedure.result}"
    out = [_add_location(f"procedure {procedure.name}({_format_params(procedure.params)}){result}:", procedure.span)]
    if not procedure.blocks:
        return [*out, *_format_body(procedure.body, 1)]
    out.append(
        "    frame " + (_format_params((n, procedure.locals[n]) for n in procedure.frame) or "without variables")
    )
    for entry in procedure.phases:
        out.append(f"    phase {entry.name}: blocks {entry.first} to {entry.last}")
    for number, block in enumerate(procedure.blocks):
        out += [f"  block {number}:", *_format_body(block.body, 1), "    " + _format_record(block.end)]
    return out


def format_decision(decision: ir.LoweredDecision) -> list[str]:
    """Return the lines of a decision."""
    until = " until done" if decision.until_done else ""
    by = format_expression(decision.decider)
    head = f"decision {decision.number} {decision.name} of {decision.procedure}{until}, by {by}:"
    out = [_add_location(head, decision.span)]
    if decision.draft is not None:
        return [*out, f"    draft {decision.draft}"]
    for option in decision.options:
        out += _format_option(option)
    return [*out, *(f"    finish if {format_expression(test)}" for test in decision.finish)]


def _format_option(option: ir.LoweredOption) -> list[str]:
    """Return the lines of an option: its loops, each test where it is evaluated."""
    out = [_add_location(f"  option {option.name}:", option.span)]
    levels = option.pushed or (len(option.params),) * len(option.tests)
    for number in range(len(option.params) + 1):
        indent = "    " * (number + 1)
        out += [
            f"{indent}require {format_expression(test)}"
            for test, at in zip(option.tests, levels, strict=True)
            if at == number
        ]
        if number < len(option.params):
            param = option.params[number]
            domain = option.narrowed.get(number)
            inside = "" if domain is None else f"{format_expression(domain)}, narrowed from "
            alike = " alike" if param.alike else ""
            out.append(f"{indent}for {param.name} in {inside}{format_expression(param.domain)}{alike}:")
    indent = "    " * (len(option.params) + 1)
    return [*out, *(f"{indent}prefer {p.sort} {format_expression(p.value)}" for p in option.prefers), f"{indent}offer"]


def format_draft(draft: ir.Draft) -> list[str]:
    """Return the lines of a draft."""
    out = [
        _add_location(
            f"draft {draft.name}({_format_params(draft.params)}), fields {_format_params(draft.fields)}:", draft.span
        )
    ]
    out.append("    start " + ", ".join(format_expression(x) for x in draft.start))
    for step in draft.steps:
        now = ", ".join(f"{draft.fields[k][0]} = {format_expression(v)}" for k, v in step.now)
        out += [*_format_option(step.option), f"    now {now}; stops if {format_expression(step.stops)}"]
    out += [f"    finish if {format_expression(test)}" for test in draft.finish]
    out.append("    distinct by " + ", ".join(format_expression(x) for x in draft.offer))
    if draft.price is not None:
        out.append("    cheapest by " + format_expression(draft.price))
    return [*out, *(f"    prefer {p.sort} {format_expression(p.value)}" for p in draft.prefers)]


# --- records ---------------------------------------------------------------------------------------------


def _format_body(body: s.Body, depth: int) -> list[str]:
    indent = "    " * depth
    out: list[str] = []
    for stmt in body:
        if isinstance(stmt, s.If):
            if stmt.yes:
                out += [f"{indent}if {format_expression(stmt.test)}:", *_format_body(stmt.yes, depth + 1)]
            if stmt.no or not stmt.yes:
                head = "else" if stmt.yes else f"unless {format_expression(stmt.test)}"
                out += [f"{indent}{head}:", *_format_body(stmt.no, depth + 1)]
            continue
        out.append(indent + _format_record(stmt))
        for inner in list_bodies(stmt):
            out += _format_body(inner, depth + 1)
    return out


def _format_record(record: e.Expr | s.Stmt | s.Terminator) -> str:
    """Return a record on one line, formatted by its entry in `_FORMS`."""

    def choice(match: re.Match[str]) -> str:
        content = getattr(record, match[1])
        return str(match[2]) if content is not None and content is not False else match[3] or ""

    def field(match: re.Match[str]) -> str:
        return _format_field(record, match[1])

    shape: type = type(record)
    return _FIELD.sub(field, _CHOICE.sub(choice, _FORMS[shape]))


def _format_field(record: object, name: str) -> str:
    value = getattr(record, name)
    shape: type = type(record)
    if isinstance(value, e.StaticTable):
        return value.name
    if isinstance(value, e.Slot):
        return f"{value.kind}.{value.name}"
    if name in list_fields_holding(shape, "expression") and value is not None:
        return ", ".join(map(format_expression, value if isinstance(value, tuple) else (value,)))
    if name in ("value", "among") or value is None:
        return _format_value(value)
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def format_expression(expr: e.Expr) -> str:
    """Return an expression as one line.

    >>> from interpreter.model import types as t
    >>> from interpreter.diagnostics.source_text import NOWHERE
    >>> two = e.Const(2, t.INT, NOWHERE)
    >>> format_expression(e.Apply("add", (e.Local("n", t.INT, NOWHERE), two), t.INT, NOWHERE))
    '(n + 2)'
    """
    text = format_expression
    match expr:
        case e.Logic(op, operands):
            return "(" + f" {op} ".join(map(text, operands)) + ")"
        case e.Apply(op, operands) if PRIMITIVES[op].symbol:
            return "(" + f" {PRIMITIVES[op].symbol} ".join(map(text, operands)) + ")"
        case e.Apply("not", (operand,)):
            return f"not {text(operand)}"
        case e.Apply(op, operands):
            begin, end = {"set": ("{", "}"), "list": ("[", "]")}.get(op, (op + "(", ")"))
            return begin + ", ".join(map(text, operands)) + end
        case e.WithFields(record, indices, values):
            changes = ", ".join(f"{k} = {text(v)}" for k, v in zip(indices, values, strict=True))
            return f"({text(record)} with {changes})"
    return _format_record(expr)


def _format_value(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, tuple):
        texts = [_format_value(v) for v in value[:_MAX_VALUES]]
        more = [f"... {len(value)} members"] if len(value) > _MAX_VALUES else []
        return "{" + ", ".join([*texts, *more]) + "}"
    return str(value)
