"""The pipeline: documents and rules -> checked model -> program. See docs/architecture.md."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import CodeType
from typing import TYPE_CHECKING, Any

from interpreter.source.diagnostic import Diagnostic, Related, Sink
from interpreter.source.text import NOWHERE, Span
from interpreter.words.speech import mark as _

if TYPE_CHECKING:
    from interpreter.compiler.assembling import Compiled
    from interpreter.documents.trees import Trees
    from interpreter.language.syntax import Module
    from interpreter.model.core import CheckedModel
    from interpreter.model.ruleset import Ruleset
    from interpreter.runtime.program import Program


def read_rules(target: str, sink: Sink) -> tuple[Ruleset, list[Module]] | None:
    """The documents, and the rules as written with a variant's changes made; None when something cannot be read."""
    from interpreter.documents.ruleset_reading import load_documents

    ruleset = load_documents(target, sink)
    if ruleset is None:
        _check_rules_alone(target, sink)
        return None
    modules = rules_as_written(ruleset, sink)
    return None if modules is None else (ruleset, modules)


def rules_as_written(ruleset: Ruleset | Trees, sink: Sink, is_whole: bool = True) -> list[Module] | None:
    """The rules of a ruleset with a variant's changes made; None when a file of theirs cannot be read, or could not."""
    from interpreter.checker.variants.variant_changes import apply_changes
    from interpreter.language.parsing import parse_module

    modules = [parse_module(source, sink) for source in ruleset.rules]
    changes = [parse_module(source, sink) for source in ruleset.changes]
    if not is_whole or any(m is None for m in [*modules, *changes]):
        # the names of an unreadable file are unknown: checking on would only bring noise
        return None
    return apply_changes([m for m in modules if m is not None], [m for m in changes if m is not None], sink)


def load_model(target: str, sink: Sink, odd: bool = False) -> CheckedModel | None:
    """Read and check everything; None when there is nothing that could be checked. `odd`: tell oddities too."""
    from interpreter.documents.followups import blame_passed_over

    model = _checked_model(target, sink, odd)
    blame_passed_over(sink)
    return model


def _checked_model(target: str, sink: Sink, odd: bool) -> CheckedModel | None:
    from interpreter.checker.loose_ends.findings import find_loose_ends
    from interpreter.checker.rules_check import check_rules

    read = read_rules(target, sink)
    if read is None:
        return None
    model = check_rules(*read, sink)
    if not sink.has_errors:
        find_loose_ends(model, sink)
        if odd:
            from interpreter.checker.oddities.odd_findings import find_oddities

            find_oddities(model, sink)
    return model


def _check_rules_alone(target: str, sink: Sink) -> None:
    """Where the documents are at fault: what can be told of the rules without them, their form and their addresses."""
    from interpreter.documents.trees import read_trees

    trees = read_trees(target, Sink())
    if trees is not None:
        rules_as_written(trees, sink, "rules" not in trees.broken)


@contextmanager
def uncollected() -> Iterator[None]:
    """Python's collector of circles is off inside; afterwards it is as it was.

    Reading, checking and compiling make hundreds of thousands of small values that all stay: no use looking for waste.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@uncollected()
def load_rules(
    target: str, key: str | None, sink: Sink, checked: bool, instrument: bool
) -> tuple[Program, CheckedModel | None, bool] | None:
    """A program, with `checked` the rules it was made of, and whether both are what `key` was made of.

    `key`: what `cache.key_of` says of the target. From the cache when what was read is unchanged.
    """
    from interpreter.compiler import cache
    from interpreter.runtime.program import Program

    found = None if instrument else cache.find(key)
    if found is not None and not checked:
        return Program(*found), None, True
    from interpreter.compiler import kept_models

    kept = kept_models.find(key)
    if found is not None and kept is not None:
        return Program(*found), kept, True
    model, compiled = kept, None
    try:
        model = model or load_model(target, sink)
        if model is not None and not sink.has_errors:
            compiled = _compiled(model, sink, instrument)
    except RecursionError:
        sink.error("nested-too-deep", _("something in this ruleset is nested too deeply to be read"), NOWHERE)
    if model is None or compiled is None:
        return None
    unchanged = cache.key_of(target) == key if kept is not None else _is_unchanged(target, key, model)
    if unchanged and not instrument:
        cache.keep(key, compiled)
        kept_models.keep(key, model)
    return _linked(compiled.codes, compiled.data), model, unchanged


def _compiled(model: CheckedModel, sink: Sink, instrument: bool = False) -> Compiled | None:
    """Return a model without errors, compiled, with its identity; None where it is nested too deeply to be compiled."""
    from interpreter.compiler.assembling import COVERED, PLAY, TooDeep, compile_model

    try:
        return identified(compile_model(model, COVERED if instrument else PLAY), model)
    except TooDeep as fault:
        source = next((x for x in (*model.ruleset.rules, *model.ruleset.changes) if x.name == fault.file), None)
        start = 0 if source is None else source.line_starts()[max(fault.line, 1) - 1]
        sink.error(
            "nested-too-deep",
            _("something here is nested too deeply to be compiled"),
            NOWHERE if source is None else Span(source, start, start + len(source.line(max(fault.line, 1)))),
            help=_("give parts a name of their own, with `define` or as a procedure"),
        )
        return None


def identified(compiled: Compiled, model: CheckedModel) -> Compiled:
    """Return a compiled form with the identity of its rules, which saved games are told by."""
    from interpreter.model.meaning import identity_data

    return replace(compiled, data={**compiled.data, "identity": identity_data(model)})


def _is_unchanged(target: str, key: str | None, model: CheckedModel) -> bool:
    """Whether what was compiled is what its key was made of: a file may have been saved while it was read."""
    from interpreter.compiler import cache
    from interpreter.documents.trees import content_hash

    return key is not None and content_hash(target) == model.ruleset.content_hash and cache.key_of(target) == key


@uncollected()
def load_form(target: str, form: str, model: CheckedModel | None, play: Program) -> Program:
    """Another form of a ruleset that is loaded already as `play`; from the cache when it is there.

    Only what is not as in the form for play is made and kept. SetupError when the ruleset has changed on disk since.
    """
    found = kept_form(target, form, play)
    if found is not None:
        return found
    from interpreter.compiler import cache, kept_models
    from interpreter.runtime.faults import SetupError

    key = cache.key_of(target)
    kept = None if model is not None else kept_models.find(key)
    model = model or kept or load_model(target, Sink())
    if model is None or model.ruleset.content_hash != play.content_hash:
        raise SetupError("{target} has changed since it was loaded: load it again", target=target)
    from interpreter.compiler.assembling import Compiled, compile_model
    from interpreter.compiler.beside_play import BESIDE, procedures_beside

    if play.data["form"] != "play":
        compiled = identified(compile_model(model), model)
        play = _linked(compiled.codes, compiled.data)
    if form in BESIDE:
        own = procedures_beside(model, form, play.data)
    else:
        compiled = compile_model(model, form, described=False)
        data = json.loads(json.dumps(compiled.data))
        own = Compiled(compiled.codes, {name: value for name, value in data.items() if play.data.get(name) != value})
    own = Compiled(own.codes, {**own.data, "content_hash": play.content_hash, "beside": form in BESIDE})
    if cache.key_of(target) == key if kept is not None else _is_unchanged(target, key, model):
        cache.keep(f"{key}.{form}", own)
    return _joined(own.codes, own.data, play)


def kept_form(target: str, form: str, play: Program) -> Program | None:
    """The same from the cache; None when it is not there."""
    from interpreter.compiler import cache

    found = cache.find(_place(target, form))
    if found is None or found[1]["content_hash"] != play.content_hash or play.data["form"] != "play":
        return None
    return _joined(*found, play)


def _joined(codes: tuple[CodeType, ...], own: dict[str, Any], play: Program) -> Program:
    """Another form, of what it does not share with the one for play."""
    from interpreter.runtime.program import Program

    return Program((*play.codes, *codes) if own["beside"] else codes, {**play.data, **own}, play)


def _linked(codes: tuple[CodeType, ...], data: dict[str, Any]) -> Program:
    from interpreter.runtime.program import Program

    return Program(codes, json.loads(json.dumps(data)))


def _place(target: str, form: str) -> str | None:
    from interpreter.compiler import cache

    key = cache.key_of(target)
    return None if key is None else f"{key}.{form}"


def check_target(target: str, variants: bool = False, odd: bool = False) -> tuple[Diagnostic, ...]:
    """Every finding about a target; with `variants` also about those of a ruleset folder that is good itself."""
    sink = Sink()
    check_model(target, sink, odd)
    if variants and not sink.has_errors:
        from interpreter.documents.target import variants_of

        for path in variants_of(target):
            check_model(path, sink, odd)
    return sink.sorted()


@uncollected()
def check_model(target: str, sink: Sink, odd: bool = False) -> CheckedModel | None:
    """Read and check one target; the checked rules, or None when something is wrong.

    What has been found before is not told again. The rules are compiled only where that can tell anything: of what
    lies deep, and of set-ups that must be as demanded.
    """
    from interpreter.compiler.nesting import surely_shallow

    own, model = Sink(), None
    try:
        model = load_model(target, own, odd)
        if model is not None and not own.has_errors and (model.setup_checks or not surely_shallow(model)):
            compiled = _compiled(model, own)
            if compiled is not None:
                _check_setups(model, compiled, own)
    except RecursionError:
        own.error("nested-too-deep", _("something in this ruleset is nested too deeply to be read"), NOWHERE)
    for found in own.items:
        sink.add(found)
    return None if own.has_errors else model


def _check_setups(model: CheckedModel, compiled: Compiled, sink: Sink) -> None:
    """Report where a set-up is not as the ruleset demands."""
    if not model.setup_checks:
        return
    from interpreter.play.outset.setups import broken_setups

    program = _linked(compiled.codes, compiled.data)
    for scenario, check, words in broken_setups(program):
        sink.warning(
            "setup-check",
            _("the set-up of `{scenario}`: {words}", scenario=scenario, words=words),
            model.ruleset.scenarios[scenario].origin.span,
            help=_("change the set-up, or what `{check}` demands of it", check=check),
            related=(Related(_("demanded here"), model.ruleset.setup_checks[check].origin.span),),
        )
