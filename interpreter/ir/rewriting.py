"""Rewriting: a program with a function applied to every outermost expression."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache
from typing import TypeVar

from interpreter.ir import expression_records as e, program_records as ir, statement_records as s

Change = Callable[[e.Expr], e.Expr]
Node = TypeVar("Node", ir.Function, ir.Procedure, ir.Watcher)


@cache
def _expression_fields(shape: type) -> tuple[tuple[str, str], ...]:
    """Return the fields of a statement or terminator that hold expressions ("one", "many") or bodies ("body")."""
    found = []
    for field in fields(shape):
        text = str(field.type)
        if text == "Body":
            found.append((field.name, "body"))
        elif text.startswith("tuple[Expr"):
            found.append((field.name, "many"))
        elif text.startswith("Expr"):
            found.append((field.name, "one"))
    return tuple(found)


def map_body(body: s.Body, change: Change) -> s.Body:
    """Return statements with every expression changed."""
    return tuple(_mapped(stmt, change) for stmt in body)


def _mapped(stmt: s.Stmt, change: Change) -> s.Stmt:
    new: dict[str, object] = {}
    shape: type = type(stmt)
    for name, sort in _expression_fields(shape):
        held = getattr(stmt, name)
        if sort == "body":
            new[name] = map_body(held, change)
        elif sort == "many":
            new[name] = tuple(change(x) for x in held)
        elif held is not None:
            new[name] = change(held)
    return replace(stmt, **new) if new else stmt  # type: ignore[arg-type]


def map_terminator(end: s.Terminator, change: Change) -> s.Terminator:
    """Return a terminator with every expression changed."""
    match end:
        case s.Test(test, yes, no):
            return s.Test(change(test), yes, no)
        case s.CallThen(procedure, args, var, resume):
            return s.CallThen(procedure, tuple(change(x) for x in args), var, resume)
        case s.AskChance(_, source, count):
            source, count = (None if x is None else change(x) for x in (source, count))
            return replace(end, source=source, count=count)
        case s.AskDraft(decision, args, alone, resume):
            return s.AskDraft(decision, tuple(change(x) for x in args), alone, resume)
    return end


def map_option(option: ir.LoweredOption, change: Change, test: Change) -> ir.LoweredOption:
    """Return an option with every expression changed, its tests by a function of their own."""
    return replace(
        option,
        params=tuple(replace(p, domain=change(p.domain)) for p in option.params),
        tests=tuple(test(x) for x in option.tests),
        prefers=tuple(replace(p, value=change(p.value)) for p in option.prefers),
        narrowed={number: change(x) for number, x in option.narrowed.items()},
    )


def map_expressions(program: ir.LoweredProgram, change: Change, test: Change | None = None) -> ir.LoweredProgram:
    """Return a program with every outermost expression changed; tests of options by a function of their own."""
    tested = test or change
    functions = {name: replace(f, body=map_body(f.body, change)) for name, f in program.functions.items()}
    procedures = {
        name: replace(
            p,
            body=map_body(p.body, change),
            ending=map_body(p.ending, change),
            blocks=tuple(
                replace(b, body=map_body(b.body, change), end=map_terminator(b.end, change)) for b in p.blocks
            ),
        )
        for name, p in program.procedures.items()
    }
    watchers = tuple(
        replace(w, body=map_body(w.body, change), where=None if w.where is None else change(w.where))
        for w in program.watchers
    )
    decisions = tuple(
        replace(
            d,
            options=tuple(map_option(o, change, tested) for o in d.options),
            finish=tuple(change(x) for x in d.finish),
            decider=change(d.decider),
        )
        for d in program.decisions
    )
    drafts = {name: map_draft(d, change, tested) for name, d in program.drafts.items()}
    return replace(
        program, functions=functions, procedures=procedures, watchers=watchers, decisions=decisions, drafts=drafts
    )


def map_draft(draft: ir.Draft, change: Change, test: Change) -> ir.Draft:
    """Return a draft with every expression changed, its requirements by a function of their own."""
    steps = tuple(
        replace(
            step,
            option=map_option(step.option, change, test),
            now=tuple((index, change(value)) for index, value in step.now),
            stops=change(step.stops),
        )
        for step in draft.steps
    )
    return replace(
        draft,
        start=tuple(change(x) for x in draft.start),
        steps=steps,
        finish=tuple(test(x) for x in draft.finish),
        offer=tuple(change(x) for x in draft.offer),
        price=None if draft.price is None else change(draft.price),
        prefers=tuple(replace(p, value=change(p.value)) for p in draft.prefers),
    )
