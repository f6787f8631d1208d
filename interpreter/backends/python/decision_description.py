"""Descriptions of decisions, drafts, events and procedures as plain data for the linker; see `runtime/program_info`."""

from __future__ import annotations

from typing import TypeAlias

from interpreter.backends.python.decision_printer import DecisionPrinter
from interpreter.backends.python.python_names import format_variable
from interpreter.checker.suspension import walk
from interpreter.ir import explanation_records as x, expression_records as e, program_records as ir
from interpreter.ir.traversal import iter_expressions
from interpreter.model import expressions as n, statements as c
from interpreter.model.checked_model import CheckedModel, CheckedStep
from interpreter.model.types import to_display_type

Data: TypeAlias = dict[str, object]


def describe_decision(
    printer: DecisionPrinter, decision: ir.LoweredDecision, explained: x.ExplainedDecision, numbers: list[list[int]]
) -> Data:
    """Describe a decision as JSON-like data; its prompt becomes a function.

    `explained`: its lowered texts. `numbers`: the numbers of the requirements of each option, then of its end.
    """
    source, number = explained.source, decision.number
    params = [printer.expressions.get_name(local.name) for _, local in explained.given]
    decider = source.decider.name if isinstance(source.decider, n.CheckedLocal) else ""
    names = [name for name, _ in explained.given]
    is_draft = isinstance(source, c.DecideDraft)
    data: Data = {
        "name": source.draft if isinstance(source, c.DecideDraft) else source.name,
        "address": source.draft if isinstance(source, c.DecideDraft) else source.address,
        "cites": source.cites,
        "alone": source.alone,
        "until_done": decision.until_done,
        "draft": decision.draft,
        "given": [[name, to_display_type(local.type)] for name, local in explained.given],
        "file": source.span.file,
        "line": source.span.line,
        "choices": [],
        "finish": numbers[-1] if decision.until_done else [],
        "decider": names.index(decider) if decider in names else None,
        "prompt": printer.add_text(f"prompt_{number}", params, explained.prompt, source.span),
    }
    if not is_draft:
        data["choices"] = [
            describe_option(printer, f"{number}_{index}", option, texts, params, numbers[index])
            for index, (option, texts) in enumerate(zip(decision.options, explained.options, strict=True))
        ]
    return data


def describe_option(
    printer: DecisionPrinter,
    key: str,
    option: ir.LoweredOption,
    explained: x.ExplainedOption,
    params: list[str],
    requires: list[int],
) -> Data:
    """Describe an option or step as JSON-like data; its texts become functions.

    `key`: the suffix of their names. `explained`: its lowered texts. `params`: their parameters besides its own.
    `requires`: the numbers of its requirements.
    """
    source = explained.source
    around = [*params, *(printer.expressions.get_name(p.name) for p in option.params)]
    holes = [part for part in (source.label.parts if source.label else ()) if not isinstance(part, str)]
    worded = frozenset[str]().union(*map(n.find_free_names, holes))
    prefers = []
    for number, preference in enumerate(explained.prefers):
        text = printer.add_text(f"better_{key}_{number}", around, preference.words, preference.source.span)
        prefers.append(
            {
                "sort": preference.source.sort,
                "words": text,
                "cites": preference.source.cites,
                "line": preference.source.span.line,
            }
        )
    return {
        "name": source.name,
        "address": source.address,
        "params": [
            {
                "name": param.name,
                "show": to_display_type(param.type),
                "alike": param.alike and not lowered.apart,
                "within": _find_bounds(param.domain),
                "worded": param.name in worded,
            }
            for param, lowered in zip(source.params, option.params, strict=True)
        ],
        "cites": source.cites,
        "requires": requires,
        "prefers": prefers,
        "line": source.span.line,
        "file": source.span.file,
        "label": printer.add_text(f"label_{key}", around, explained.label, source.span),
    }


def describe_draft(
    printer: DecisionPrinter, draft: ir.Draft, explained: x.ExplainedDraft, numbers: list[list[int]]
) -> Data:
    """Describe a draft as JSON-like data; its texts become functions.

    `explained`: its lowered texts. `numbers`: the numbers of the requirements of each step, then of its end.
    """
    source, name = explained.source, draft.name
    around = [printer.expressions.get_name(field) for field, _ in (*draft.params, *draft.fields)]
    steps: list[Data] = []
    for index, (step, texts) in enumerate(zip(draft.steps, explained.steps, strict=True)):
        step_source = texts.source
        assert isinstance(step_source, CheckedStep)
        names = [*around, *(printer.expressions.get_name(p.name) for p in step.option.params)]
        steps.append(
            {
                **describe_option(printer, f"{name}_{index}", step.option, texts, around, numbers[index]),
                "because": printer.add_text(f"because_{name}_{index}", names, texts.because, step_source.span),
                "stops": step_source.stops if step_source.stops_if is None else None,
                "because_cites": step_source.because_cites,
            }
        )
    offer = source.offer or tuple((field, n.CheckedLocal(field, ty, source.span)) for field, ty, _ in source.fields)
    offered_names = [format_variable(local.name) for local in explained.offered]
    only_offered = [
        number
        for number, (field, _) in enumerate(source.offer)
        if field not in {word for word, *_ in (*source.params, *source.fields)}
    ]
    return {
        "name": name,
        "fields": [field for field, _, _ in source.fields],
        "shows": [to_display_type(ty) for _, ty, _ in source.fields],
        "params": [{"name": param, "show": to_display_type(ty), "alike": False} for param, ty in source.params],
        "steps": steps,
        "finish": numbers[-1],
        "unordered": source.unordered,
        "cheapest": source.cheapest is not None,
        "ending": printer.add_text(f"ending_{name}", [*around, *offered_names], explained.ending, source.span),
        "told": only_offered,
        "cites": source.cites,
        "staged": source.staged,
        "kept": "",
        "read": find_decisive_fields(draft, bool(source.offer)),
        "prefers": [p.sort for p in source.prefers],
        "offer": [field for field, _ in offer],
        "offer_shows": [to_display_type(value.type) for _, value in offer],
        "file": source.span.file,
        "line": source.span.line,
    }


def find_decisive_fields(draft: ir.Draft, has_offer: bool) -> list[int]:
    """Return the indices of the fields that the steps and ends of a draft depend on, in order.

    The other fields only describe the path. `has_offer`: the rules state the offer of an end; without one the ends
    depend on every field.
    """
    names = [name for name, _ in draft.fields]
    if not has_offer:
        return list(range(len(names)))
    reads = [*draft.finish, *draft.offer, *(p.value for p in draft.prefers)]
    reads += [] if draft.price is None else [draft.price]
    for step in draft.steps:
        reads += [*iter_expressions(step.option), step.stops]
    live = frozenset[str]().union(*(e.find_free_names(expr) for expr in reads))
    while True:
        further = [value for step in draft.steps for index, value in step.now if names[index] in live]
        extended = live.union(*(e.find_free_names(value) for value in further))
        if extended == live:
            return [index for index, name in enumerate(names) if name in live]
        live = extended


def describe_events(model: CheckedModel, texts: dict[str, int | None]) -> Data:
    """Describe the events as JSON-like data by name. `texts`: the number of the text that each function fills."""
    return {
        event.name: {
            "params": [[name, to_display_type(ty)] for name, ty in event.params],
            "words": texts.get("say_" + event.name),
            "cites": event.cites,
        }
        for event in model.events.values()
    }


def describe_procedures(model: CheckedModel) -> Data:
    """Describe the parameters and results of the procedures as JSON-like data by name."""
    return {
        p.name: {
            "params": [[name, to_display_type(ty)] for name, ty in p.params],
            "result": None if p.result is None else to_display_type(p.result),
            "cites": p.cites,
        }
        for p in model.procedures.values()
    }


def describe_phases(printer: DecisionPrinter, model: CheckedModel) -> Data:
    """Describe the phases as JSON-like data by name, in order."""
    phases: Data = {}
    for procedure in model.procedures.values():
        for stmt in walk(procedure.body):
            if isinstance(stmt, c.PhaseBlock):
                parts = stmt.title.parts if stmt.title else (stmt.name,)
                holes = sum(not isinstance(part, str) for part in parts)
                phases[stmt.name] = {
                    "title": stmt.name.replace("_", " ") if holes else "".join(str(part) for part in parts),
                    "holes": holes,
                    "cites": stmt.cites,
                    "procedure": procedure.name,
                    "words": None if stmt.title is None else printer.texts.number_text(stmt.title),
                }
    return {name: phases[name] for name in model.phases if name in phases}


def describe_worded(model: CheckedModel, texts: dict[str, int | None]) -> Data:
    """Describe the texts of documents: by key and language [number of the text, its function, attributes it shows].

    `texts`: the number of the text that each function fills.
    """
    worded: dict[str, dict[str, list[object]]] = {}
    number = 0
    for key, by_language in model.worded.items():
        for language, words in by_language.items():
            attributes = {name for part in words.parts if not isinstance(part, str) for name in _list_attributes(part)}
            function = f"worded_{number}"
            worded.setdefault(key, {})[language] = [texts[function], function, sorted(attributes)]
            number += 1
    return dict(worded)


def _list_attributes(core: n.Core) -> set[str]:
    """Return the names of the attributes that an expression may evaluate to."""
    match core:
        case n.AttributeOf(_, name):
            return {name}
        case n.Operation("cond", (_, yes, no)):
            return _list_attributes(yes) | _list_attributes(no)
    return set()


def _find_bounds(domain: n.Core) -> list[int] | None:
    """Return [least, greatest] value of a parameter whose domain is a range of literals, else None."""
    match domain:
        case n.Operation("range", (n.Literal(int() as low), n.Literal(int() as high))):
            return [low, high]
    return None
