"""Printer: a program of the intermediate representation as text, each item beside the author's line it comes from.

The text is for people; nothing parses it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.diagnostics.source_text import Span
from interpreter.ir import expression_records as e, program_records as ir, statement_records as s

_INFIX = {
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "/",
    "in": "in",
    "union": "|",
    "minus": "-",
}
_MOST_VALUES = 6


def program_text(program: ir.LoweredProgram, name: str = "") -> str:
    """Return the items of a program, or those whose name is `name` or ends in it behind a `_`."""
    lines: list[str] = []
    for item, made in _items(program):
        if not name or item == name or item.endswith("_" + name):
            lines += [*made, ""]
    return "\n".join(lines)


def _items(program: ir.LoweredProgram) -> Iterator[tuple[str, list[str]]]:
    for function in program.functions.values():
        yield function.name, function_lines(function)
    for procedure in program.procedures.values():
        yield procedure.name, procedure_lines(procedure)
    for watcher in program.watchers:
        params = _params(watcher.params)
        where = "" if watcher.where is None else f" where {expression_text(watcher.where)}"
        head = _placed(f"watcher {watcher.event}({params}){where}:", watcher.span)
        yield watcher.event, [head, *_body(watcher.body, 1)]
    for decision in program.decisions:
        yield decision.name, decision_lines(decision)
    for draft in program.drafts.values():
        yield draft.name, draft_lines(draft)


def _placed(text: str, span: Span) -> str:
    return text if not span.source.text else f"{text:<70}  # {span.file}:{span.line}"


def _params(params: Iterable[tuple[str, object]]) -> str:
    return ", ".join(f"{name}: {type_}" for name, type_ in params)


def function_lines(function: ir.Function) -> list[str]:
    """Return the lines of a function."""
    kept = ", remembered" if function.remembered else ""
    head = f"function {function.name}({_params(function.params)}) -> {function.result}{kept}:"
    return [_placed(head, function.span), *_body(function.body, 1)]


def procedure_lines(procedure: ir.Procedure) -> list[str]:
    """Return the lines of a procedure: its body, or its frame and blocks."""
    result = "" if procedure.result is None else f" -> {procedure.result}"
    out = [_placed(f"procedure {procedure.name}({_params(procedure.params)}){result}:", procedure.span)]
    if not procedure.blocks:
        return [*out, *_body(procedure.body, 1)]
    out.append("    frame " + (_params((n, procedure.locals[n]) for n in procedure.frame) or "without variables"))
    for entry in procedure.phases:
        out.append(f"    phase {entry.name}: blocks {entry.first} to {entry.last}")
    for number, block in enumerate(procedure.blocks):
        out += [f"  block {number}:", *_body(block.body, 1), "    " + terminator_text(block.end)]
    return out


def decision_lines(decision: ir.LoweredDecision) -> list[str]:
    """Return the lines of a decision."""
    until = " until done" if decision.until_done else ""
    by = expression_text(decision.decider)
    head = f"decision {decision.number} {decision.name} of {decision.procedure}{until}, by {by}:"
    out = [_placed(head, decision.span)]
    if decision.draft is not None:
        return [*out, f"    draft {decision.draft}"]
    for option in decision.options:
        out += _option(option)
    return [*out, *(f"    finish if {expression_text(test)}" for test in decision.finish)]


def _option(option: ir.LoweredOption) -> list[str]:
    """Return the lines of an option: its loops, each test where it is evaluated."""
    out = [_placed(f"  option {option.name}:", option.span)]
    levels = option.pushed or (len(option.params),) * len(option.tests)
    for number in range(len(option.params) + 1):
        indent = "    " * (number + 1)
        out += [
            f"{indent}require {expression_text(test)}"
            for test, at in zip(option.tests, levels, strict=True)
            if at == number
        ]
        if number < len(option.params):
            param = option.params[number]
            domain = option.narrowed.get(number)
            inside = "" if domain is None else f"{expression_text(domain)}, narrowed from "
            alike = " alike" if param.alike else ""
            out.append(f"{indent}for {param.name} in {inside}{expression_text(param.domain)}{alike}:")
    indent = "    " * (len(option.params) + 1)
    return [*out, *(f"{indent}prefer {p.sort} {expression_text(p.value)}" for p in option.prefers), f"{indent}offer"]


def draft_lines(draft: ir.Draft) -> list[str]:
    """Return the lines of a draft."""
    out = [_placed(f"draft {draft.name}({_params(draft.params)}), fields {_params(draft.fields)}:", draft.span)]
    out.append("    start " + ", ".join(expression_text(x) for x in draft.start))
    for step in draft.steps:
        now = ", ".join(f"{draft.fields[k][0]} = {expression_text(v)}" for k, v in step.now)
        out += [*_option(step.option), f"    now {now}; stops if {expression_text(step.stops)}"]
    out += [f"    finish if {expression_text(test)}" for test in draft.finish]
    out.append("    distinct by " + ", ".join(expression_text(x) for x in draft.offer))
    if draft.price is not None:
        out.append("    cheapest by " + expression_text(draft.price))
    return [*out, *(f"    prefer {p.sort} {expression_text(p.value)}" for p in draft.prefers)]


# --- statements -----------------------------------------------------------------------------------------


def _body(body: s.Body, depth: int) -> list[str]:
    indent = "    " * depth
    out: list[str] = []
    for stmt in body:
        match stmt:
            case s.If(test, yes, no):
                if yes:
                    out += [f"{indent}if {expression_text(test)}:", *_body(yes, depth + 1)]
                    out += [f"{indent}else:", *_body(no, depth + 1)] if no else []
                else:
                    out += [f"{indent}unless {expression_text(test)}:", *_body(no, depth + 1)]
            case s.While(test, inner):
                out += [f"{indent}while {expression_text(test)}:", *_body(inner, depth + 1)]
            case s.ForEach(var, _, domain, inner):
                out += [f"{indent}for {var} in {expression_text(domain)}:", *_body(inner, depth + 1)]
            case s.Repeat(count, inner):
                out += [f"{indent}repeat {expression_text(count)} times:", *_body(inner, depth + 1)]
            case s.Together(inner):
                out += [f"{indent}together:", *_body(inner, depth + 1)]
            case _:
                out.append(indent + statement_text(stmt))
    return out


def _slot(slot: e.Slot, owner: e.Expr | None) -> str:
    return f"{slot.kind}.{slot.name}" if owner is None else f"{slot.kind}.{slot.name}[{expression_text(owner)}]"


def _given(args: Iterable[e.Expr]) -> str:
    return ", ".join(expression_text(x) for x in args)


def statement_text(stmt: s.Stmt) -> str:
    """Return a statement that holds no other as one line."""
    match stmt:
        case s.Assign(name, value):
            return f"{name} := {expression_text(value)}"
        case s.Store(slot, owner, value):
            return f"write {_slot(slot, owner)} = {expression_text(value)}"
        case s.Note(slot, owner, value, is_amount):
            return f"note {_slot(slot, owner)} {'by' if is_amount else '='} {expression_text(value)}"
        case s.Reset(slot, value):
            return f"reset {slot.kind}.{slot.name} to {value!r}"
        case s.Move(piece, place):
            return f"move {expression_text(piece)} to {expression_text(place)}"
        case s.Roll(var, faces, count):
            return f"{var} := roll {'1' if count is None else expression_text(count)} of {faces}"
        case s.Draw(var, source, count):
            return f"{var} := draw {'1' if count is None else expression_text(count)} from {expression_text(source)}"
        case s.Run(procedure, args, var):
            return ("" if var is None else f"{var} := ") + f"run {procedure}({_given(args)})"
        case s.Watch(event, args):
            return f"watch {event}({_given(args)})"
        case s.Later(procedure, args):
            return f"later {procedure}({_given(args)})"
        case s.TakeArgument(name, index):
            return f"{name} := argument {index}"
        case s.Perform(value):
            return f"evaluate {expression_text(value)}"
        case s.Report(event, args):
            return f"report {event}({_given(args)})"
        case s.Charge(times, steps):
            return f"charge {steps} steps" + ("" if times is None else f" times {expression_text(times)}")
        case s.Return(value):
            return "return" if value is None else f"return {expression_text(value)}"
        case s.EndGame(winner, level):
            won = "drawn" if winner is None else f"won by {expression_text(winner)}"
            return f"end game {won}" + ("" if level is None else f" at {expression_text(level)}")
        case s.SkipTo(phase):
            return f"skip to {phase}"
        case s.Fail(sort):
            return f"fault {sort!r}"
        case s.SetPhase(phase, variable):
            return f"phase := {variable or phase}"
        case s.KeepPhase(name):
            return f"{name} := phase"
        case s.Deepen(procedure, most):
            return f"deeper {procedure}, at most {expression_text(most)}"
        case s.TakeChance(var):
            return f"{var} := what fell"
        case s.NoteParagraphs(cites):
            return f"cite {', '.join(cites)}"
        case s.Shallow(procedure):
            return f"shallower {procedure}"
    return type(stmt).__name__


def terminator_text(end: s.Terminator) -> str:
    """Return a terminator as one line."""
    match end:
        case s.Goto(block):
            return f"goto {block}"
        case s.Test(test, yes, no):
            return f"if {expression_text(test)} goto {yes} else {no}"
        case s.Next(items, index, var, block, done):
            return f"{var or '_'} := next of {items} at {index}, goto {block}, or at its end {done}"
        case s.Countdown(left, block, done):
            return f"goto {block} while {left} counts down, then {done}"
        case s.Ask(decision, alone, resume, nobody, out):
            word = " alone" if alone else ""
            return f"ask decision {decision}{word}, then {resume}; without options {nobody}, done {out}"
        case s.Answer(decision, blocks, out):
            return f"answer decision {decision}: goto one of {', '.join(map(str, blocks))}; done {out}"
        case s.AskDraft(decision, args, alone, resume):
            return f"ask draft of decision {decision}({_given(args)}){' alone' if alone else ''}, then {resume}"
        case s.TakeDraft(_, var, block):
            return f"{var or '_'} := the chosen end, goto {block}"
        case s.AskChance(chance, source, _, _, _, _, resume):
            what = f"dice {chance.die}" if source is None else f"a draw from {expression_text(source)}"
            return f"suspend for {what}, then {resume}"
        case s.Close(decision, resume):
            return f"suspend after an option of decision {decision}, then {resume}"
        case s.CallThen(procedure, args, var, resume):
            return ("" if var is None else f"{var} := ") + f"call {procedure}({_given(args)}), then {resume}"
        case s.Settle(done):
            return f"settle, then {done}"
    return "leave"


# --- expressions ----------------------------------------------------------------------------------------------


def expression_text(expr: e.Expr) -> str:
    """Return an expression as one line.

    >>> from interpreter.model import types as t
    >>> from interpreter.diagnostics.source_text import NOWHERE
    >>> two = e.Const(2, t.INT, NOWHERE)
    >>> expression_text(e.Apply("add", (e.Local("n", t.INT, NOWHERE), two), t.INT, NOWHERE))
    '(n + 2)'
    """
    text = expression_text
    match expr:
        case e.Const(value):
            return _value_text(value)
        case e.Local(name):
            return name
        case e.Read(slot, owner):
            return "read " + _slot(slot, owner)
        case e.PiecesAt(cls, place):
            return f"{cls or 'pieces'} at {text(place)}"
        case e.StaticItem(table, indices):
            return f"{table.name}[{_given(indices)}]"
        case e.IndexOf(value, among):
            return f"index of {text(value)} among {_value_text(among)}"
        case e.Apply(op, operands) if op in _INFIX:
            return "(" + f" {_INFIX[op]} ".join(text(x) for x in operands) + ")"
        case e.Apply("not", (operand,)):
            return f"not {text(operand)}"
        case e.Apply("set", operands):
            return "{" + _given(operands) + "}"
        case e.Apply("list", operands):
            return "[" + _given(operands) + "]"
        case e.Apply(op, operands):
            return f"{op}({_given(operands)})"
        case e.Logic(op, operands):
            return "(" + f" {op} ".join(text(x) for x in operands) + ")"
        case e.Choose(test, yes, no):
            return f"({text(yes)} if {text(test)} else {text(no)})"
        case e.OrElse(value, fallback):
            return f"({text(value)} else {text(fallback)})"
        case e.IfPresent(name, value, body):
            return f"(with {name} = {text(value)}, if present: {text(body)})"
        case e.Let(name, value, body):
            return f"(with {name} = {text(value)}: {text(body)})"
        case e.Bounded(value, low, high, clamps):
            bounds = ", ".join("none" if x is None else text(x) for x in (low, high))
            return f"{'clamp' if clamps else 'within'}({text(value)}, {bounds})"
        case e.Call(function, args):
            return f"{function}({_given(args)})"
        case e.Fold():
            return _fold_text(expr)
        case e.Search(sort, start, goal, within, var, previous, where, cost):
            parts = [f"{sort} from {text(start)}"]
            parts += [f"{word} {text(x)}" for word, x in (("to", goal), ("within", within)) if x is not None]
            parts.append(f"through {var} after {previous}")
            parts += [f"{word} {text(x)}" for word, x in (("where", where), ("cost", cost)) if x is not None]
            return f"({' '.join(parts)})"
        case e.Closure(start, everything, first, second, where):
            return f"(closure of {text(start)} over {first}, {second} in {text(everything)} where {text(where)})"
        case e.Possible(draft, args):
            return f"possible {draft}({_given(args)})"
        case e.MakeRecord(items, type_):
            return f"{type_}({_given(items)})"
        case e.GetField(record, index):
            return f"{text(record)}.{index}"
        case e.WithFields(record, indices, values):
            changes = ", ".join(f"{k} = {text(v)}" for k, v in zip(indices, values, strict=True))
            return f"({text(record)} with {changes})"
        case e.CountedTest(requirement, test):
            return f"counted {requirement}({text(test)})"
        case e.CitedTest(test, cites):
            return f"cited {', '.join(cites)}({text(test)})"
        case e.Terms(values=values):
            return f"terms({_given(values)})"
        case e.CoveredLookUp(look) | e.NotedLookUp(look):
            return f"noted({text(look)})"
        case e.NotedTest(symbol, left, right):
            return f"noted({text(left)} {symbol} {text(right)})"
        case e.NotedEach(value):
            return f"noted each({text(value)})"
        case e.NotedValue(value, name):
            return f"noted as {name}({text(value)})"
        case e.NotedTally(tally, args):
            return f"noted {tally}({_given(args)})"


def _fold_text(expr: e.Fold) -> str:
    text = expression_text
    result = "" if expr.result is None else f"{text(expr.result)} for "
    where = "" if expr.where is None else f" where {text(expr.where)}"
    having = "" if expr.measure is None else f" having {expr.extreme} {text(expr.measure)}"
    return f"{expr.sort}({result}{expr.var} in {text(expr.domain)}{where}{having})"


def _value_text(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, tuple):
        shown = [_value_text(v) for v in value[:_MOST_VALUES]]
        more = [f"... {len(value)} members"] if len(value) > _MOST_VALUES else []
        return "{" + ", ".join([*shown, *more]) + "}"
    return str(value)
