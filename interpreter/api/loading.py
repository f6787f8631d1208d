"""Loading of rulesets: the pipeline from documents and rules to a checked model and a program.

See docs/architecture.md.
"""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.api.rules import COMPILING, Rules, RulesetCacheEntry, find_loaded, store_loaded
from interpreter.diagnostics.diagnostic import Diagnostic, Related, RulesetError, Sink
from interpreter.diagnostics.source_text import NOWHERE, Span
from interpreter.files.assets import list_shipped_rulesets, resolve_target
from interpreter.i18n.translator import mark as _
from interpreter.play.setup import find_broken_setups
from interpreter.programs import program_cache
from interpreter.runtime.errors import SetupError
from interpreter.runtime.program import Program

if TYPE_CHECKING:
    from interpreter.backends.python.compiled_program import CompiledProgram
    from interpreter.documents.pipeline import MergedDocuments
    from interpreter.language.syntax import RulesModule
    from interpreter.model.checked_model import CheckedModel
    from interpreter.model.learning import Glossary, Lesson
    from interpreter.model.ruleset import Ruleset


@contextmanager
def disable_gc() -> Iterator[None]:
    """Disable Python's cyclic garbage collector in a `with` block and restore its state afterwards.

    Reading, checking and compiling create hundreds of thousands of long-lived objects, which are costly to scan.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def load(target: str | PathLike[str], checked: bool = False, instrument: bool = False) -> Rules:
    """Load a ruleset by its target: a shipped id, a variant or scenario as ID/NAME, a folder or a file.

    Raises RulesetError with every finding. `checked`: keep the checked model for tools; `instrument`: record coverage
    while playing.
    """
    sink, target = Sink(), resolve_target(str(target))
    with COMPILING:
        key = program_cache.compute_key(target)
        cached = None if instrument else find_loaded(key)
        if cached is None or checked and cached.model is None:
            loaded = _load_or_compile(target, key, sink, checked, instrument)
            if loaded is None or sink.has_errors:
                raise RulesetError(sink.list_errors())
            is_shared = loaded.matches_key and not instrument
            cached = RulesetCacheEntry(key if is_shared else None, loaded.program, loaded.model)
            store_loaded(cached)
    return Rules(cached.program, cached.model if checked else None, target, FileSource(target), cached)


def _find_cached_documents(loaded: RulesetCacheEntry) -> Ruleset | None:
    """Return the typed documents of a loaded ruleset from the cache of this process or the disk; None if not cached.

    The checked rules contain them; these are stored in `loaded`, because compiling further forms needs them again.
    """
    if loaded.documents is None:
        from interpreter.programs import model_cache

        if loaded.model is None:
            with disable_gc():
                loaded.model = model_cache.find(loaded.key)
        loaded.documents = None if loaded.model is None else loaded.model.ruleset
    return loaded.documents


class FileSource:
    """The files of a ruleset as a source of rules; they are read again when they are needed."""

    def __init__(self, target: str) -> None:
        self.target = target

    @property
    def location(self) -> str:
        """Return the absolute path of the folder or file; '' for a shipped id."""
        return "" if self.target in list_shipped_rulesets() else os.path.abspath(self.target)

    def get_cache_key(self) -> str | None:
        """Return a digest of the files and of this program, or None if checking the files has findings."""
        return program_cache.compute_key(self.target)

    def load_documents(self, loaded: RulesetCacheEntry) -> Ruleset:
        """Return the typed documents; raise SetupError if the files have changed since the ruleset was loaded.

        `loaded`: the cache entry of the ruleset, in which the documents are stored.
        """
        if loaded.key is not None and program_cache.compute_key(self.target) == loaded.key:
            cached = _find_cached_documents(loaded)
            # a copy of the folder with the same documents may hold other pictures
            if cached is not None and not cached.drawing.has_pictures:
                return cached
        from interpreter.documents.building.ruleset_builder import read_documents  # late: imports the YAML reader

        with disable_gc():
            documents = read_documents(self.target, Sink())
        if documents is None or documents.content_hash != loaded.program.content_hash:
            raise SetupError("{target} has changed since it was loaded; load it again", target=self.target)
        loaded.documents = documents
        return documents

    def load_glossary(self, languages: Sequence[str]) -> Glossary:
        """Return the terms of the documents under `learn/`."""
        from interpreter.documents.learning import read_glossary

        return read_glossary(self.target, languages)

    def load_lesson(self, languages: Sequence[str]) -> Lesson | None:
        """Return the tutorial under `learn/`."""
        from interpreter.documents.learning import read_lesson

        return read_lesson(self.target, languages)

    @disable_gc()
    def load_form(self, name: str, model: CheckedModel | None, play: Program) -> Program:
        """Return the form `name` of the program `play` from the cache, or compile it.

        `model`: the checked rules if they are known. Only what differs from the form for play is compiled and cached.
        Raises SetupError if the files have changed since `play` was loaded.
        """
        cached_form = self.find_cached_form(name, play)
        if cached_form is not None:
            return cached_form
        from interpreter.programs import model_cache

        target = self.target
        key = program_cache.compute_key(target)
        cached_model = None if model is not None else model_cache.find(key)
        model = model or cached_model or read_model(target, Sink(), lints=False)
        if model is None or model.ruleset.content_hash != play.content_hash:
            raise SetupError("{target} has changed since it was loaded; load it again", target=target)
        try:
            if play.data["form"] != "play":
                play = compile_play(model)
            compiled = compile_form(model, name, play)
        except RecursionError:
            raise SetupError(
                "the rules of {target} call one another in a chain too long for this question; shorten the chain",
                target=target,
            ) from None
        if program_cache.compute_key(target) == key if cached_model is not None else _is_unchanged(target, key, model):
            program_cache.store(f"{key}.{name}", compiled)
        return join_form(compiled.codes, compiled.data, play)

    def find_cached_form(self, name: str, play: Program) -> Program | None:
        """Return the form `name` of the program `play` from the cache, or None if it is missing there."""
        key = program_cache.compute_key(self.target)
        cached_form = program_cache.find(None if key is None else f"{key}.{name}")
        if cached_form is None or cached_form[1]["content_hash"] != play.content_hash or play.data["form"] != "play":
            return None
        return join_form(*cached_form, play)


def read_rules(target: str, sink: Sink) -> tuple[Ruleset, list[RulesModule]] | None:
    """Return (documents, rules with a variant's changes applied) of a target; None if a file cannot be read."""
    from interpreter.documents.building.ruleset_builder import read_documents

    ruleset = read_documents(target, sink)
    if ruleset is None:
        _check_rules_alone(target, sink)
        return None
    modules = parse_rules(ruleset, sink)
    return None if modules is None else (ruleset, modules)


def parse_rules(ruleset: Ruleset | MergedDocuments, sink: Sink, is_whole: bool = True) -> list[RulesModule] | None:
    """Parse the rules of a ruleset and apply a variant's changes.

    Returns None if one of the files cannot be parsed, or if `is_whole` is false because one could not be read.
    """
    from interpreter.checker.variants.variant_changes import apply_changes
    from interpreter.language.parsing import parse_module

    modules = [parse_module(source, sink) for source in ruleset.rules]
    changes = [parse_module(source, sink) for source in ruleset.changes]
    if not is_whole or any(m is None for m in [*modules, *changes]):
        # the names in an unreadable file are unknown, so further checks would report follow-up errors
        return None
    return apply_changes([m for m in modules if m is not None], [m for m in changes if m is not None], sink)


def read_model(target: str, sink: Sink, odd: bool = False, lints: bool = True) -> CheckedModel | None:
    """Read and check all documents and rules of a target; return None if one of the files cannot be read.

    `lints`: report valid but suspicious constructs; `odd`: run the wargame lints too.
    """
    from interpreter.documents.cascading_errors import escalate_skipped_files

    model = _read_checked_model(target, sink, odd, lints)
    escalate_skipped_files(sink)
    if sink.has_errors:
        from interpreter.documents.wrong_definitions import blame_definitions

        blame_definitions(target, sink)
    return model


def _read_checked_model(target: str, sink: Sink, odd: bool, lints: bool) -> CheckedModel | None:
    """Return what `read_model` does, without its notes on causes."""
    from interpreter.checker.module_checker import check_rules
    from interpreter.checker.whole_ruleset import check_whole

    read = read_rules(target, sink)
    if read is None:
        return None
    model = check_rules(*read, sink)
    if not sink.has_errors:
        check_whole(model, sink)
        if lints:
            from interpreter.checker.lints.run_lints import run_lints

            run_lints(model, sink)
        if odd or lints:
            from interpreter.checker.wargame_lints.run_wargame_lints import run_wargame_lints

            run_wargame_lints(model, sink, always_only=not odd)
    return model


def _check_rules_alone(target: str, sink: Sink) -> None:
    """Report syntax and address errors of the rules alone, after the documents failed to load."""
    from interpreter.documents.pipeline import read_trees

    trees = read_trees(target, Sink())
    if trees is not None:
        parse_rules(trees, sink, "rules" not in trees.broken)


class _LoadedRuleset(NamedTuple):
    """A program and its checked rules, None if they were neither needed nor read.

    `matches_key`: both belong to the cache key that was computed before the files were read.
    """

    program: Program
    model: CheckedModel | None
    matches_key: bool


@disable_gc()
def _load_or_compile(
    target: str, key: str | None, sink: Sink, checked: bool, instrument: bool
) -> _LoadedRuleset | None:
    """Load the program of a target from the cache, or compile it; return None after an error.

    `key` is what `program_cache.compute_key` returns for the target. `checked`: the checked rules are needed;
    `instrument`: add code that records coverage.
    """
    cached_program = None if instrument else program_cache.find(key)
    if cached_program is not None and not checked:
        return _LoadedRuleset(Program(*cached_program), None, matches_key=True)
    from interpreter.programs import model_cache

    cached_model = model_cache.find(key)
    if cached_program is not None and cached_model is not None:
        return _LoadedRuleset(Program(*cached_program), cached_model, matches_key=True)
    model, compiled = cached_model, None
    try:
        model = model or read_model(target, sink, lints=False)
        if model is not None and not sink.has_errors:
            compiled = _compile(model, sink, instrument)
    except RecursionError:
        sink.add_error("nested-too-deep", _("something in this ruleset is nested too deeply to read"), NOWHERE)
    if model is None or compiled is None:
        return None
    unchanged = (
        program_cache.compute_key(target) == key if cached_model is not None else _is_unchanged(target, key, model)
    )
    if unchanged and not instrument:
        program_cache.store(key, compiled)
        model_cache.store(key, model)
    return _LoadedRuleset(_link_program(compiled.codes, compiled.data), model, unchanged)


def _compile(model: CheckedModel, sink: Sink, instrument: bool = False) -> CompiledProgram | None:
    """Compile a model without errors and add its identity; return None if it is nested too deeply to compile.

    `instrument`: add code that records coverage. The nesting error is reported to `sink`.
    """
    from interpreter.backends.python.program_printer import print_model
    from interpreter.backends.python.source_module import NestingTooDeepError
    from interpreter.ir.program_records import ProgramForm
    from interpreter.lowering.model_lowering import lower_model

    form = ProgramForm.COVERED if instrument else ProgramForm.PLAY
    try:
        return with_identity(print_model(lower_model(model, explained=True, form=form), model), model)
    except NestingTooDeepError as fault:
        source = next((x for x in (*model.ruleset.rules, *model.ruleset.changes) if x.name == fault.file), None)
        start = 0 if source is None else source.get_line_starts()[max(fault.line, 1) - 1]
        sink.add_error(
            "nested-too-deep",
            _("something here is nested too deeply to compile"),
            NOWHERE if source is None else Span(source, start, start + len(source.get_line(max(fault.line, 1)))),
            help=_("move parts of it into a `define` or a procedure"),
        )
        return None


def with_identity(compiled: CompiledProgram, model: CheckedModel) -> CompiledProgram:
    """Return a compiled form with the identity of its rules, which saved games refer to."""
    from interpreter.model.meaning import compute_identity

    return replace(compiled, data={**compiled.data, "identity": compute_identity(model)})


def _is_unchanged(target: str, key: str | None, model: CheckedModel) -> bool:
    """Return whether the files of a target still match `key`: one may have been saved while they were read.

    `key`: the cache key from before the reading, or None; `model`: the checked rules that were read.
    """
    from interpreter.documents.pipeline import compute_content_hash

    return (
        key is not None
        and compute_content_hash(target) == model.ruleset.content_hash
        and program_cache.compute_key(target) == key
    )


def compile_play(model: CheckedModel) -> Program:
    """Compile checked rules for play."""
    from interpreter.backends.python.program_printer import print_model
    from interpreter.lowering.model_lowering import lower_model

    compiled = with_identity(print_model(lower_model(model, explained=True), model), model)
    return _link_program(compiled.codes, compiled.data)


def compile_form(model: CheckedModel, form: str, play: Program) -> CompiledProgram:
    """Compile another form of the ruleset whose form for play is `play`: only what differs from it."""
    from interpreter.backends.python.program_printer import print_beside, print_model
    from interpreter.ir.program_records import ProgramForm
    from interpreter.lowering.model_lowering import lower_model

    program_form = ProgramForm(form)
    lowered = lower_model(model, explained=True, form=program_form)
    if program_form.is_beside_play:
        compiled = print_beside(lowered, model, play.data)
    else:
        compiled = print_model(lowered, model, described=False)
    data = json.loads(json.dumps(compiled.data))
    if not program_form.is_beside_play:
        data = {name: value for name, value in data.items() if play.data.get(name) != value}
    return replace(compiled, data={**data, "content_hash": play.content_hash, "beside": program_form.is_beside_play})


def join_form(codes: tuple[CodeType, ...], own_data: dict[str, Any], play: Program) -> Program:
    """Return the program of another form, combined with what it shares with the form for play.

    `codes` and `own_data` are the code and the data specific to the other form; `play` is the program for play.
    """
    return Program((*play.codes, *codes) if own_data["beside"] else codes, {**play.data, **own_data}, play)


def _link_program(codes: tuple[CodeType, ...], data: dict[str, Any]) -> Program:
    """Return a program whose data is independent of `data` and as it is after reading it from JSON."""
    return Program(codes, json.loads(json.dumps(data)))


def check_target(target: str, variants: bool = False, odd: bool = False) -> tuple[Diagnostic, ...]:
    """Return all findings about a target.

    `variants`: include findings about the variants of an error-free folder; `odd`: include the wargame lints.
    """
    sink = Sink()
    check_model(target, sink, odd)
    if variants and not sink.has_errors:
        from interpreter.documents.target import list_variants

        for path in list_variants(target):
            check_model(path, sink, odd)
    return sink.list_sorted()


@disable_gc()
def check_model(target: str, sink: Sink, odd: bool = False) -> CheckedModel | None:
    """Read and check one target; return the checked rules, or None after an error.

    `odd`: run the wargame lints too. Findings already in the sink are not repeated. The rules are compiled only if
    that can reveal errors: for deep nesting, and for setups that must satisfy checks.
    """
    from interpreter.programs.nesting import is_surely_shallow

    own_sink, model = Sink(), None
    try:
        model = read_model(target, own_sink, odd)
        if model is not None and not own_sink.has_errors and (model.setup_checks or not is_surely_shallow(model)):
            compiled = _compile(model, own_sink)
            if compiled is not None:
                _check_setups(model, compiled, own_sink)
    except RecursionError:
        own_sink.add_error("nested-too-deep", _("something in this ruleset is nested too deeply to read"), NOWHERE)
    for diagnostic in own_sink.items:
        sink.add(diagnostic)
    return None if own_sink.has_errors else model


def _check_setups(model: CheckedModel, compiled: CompiledProgram, sink: Sink) -> None:
    """Report setups that violate a check of the ruleset."""
    if not model.setup_checks:
        return
    program = _link_program(compiled.codes, compiled.data)
    for scenario, check, words in find_broken_setups(program):
        sink.add_warning(
            "setup-check",
            _("the set-up of `{scenario}`: {words}", scenario=scenario, words=words),
            model.ruleset.scenarios[scenario].origin.span,
            help=_("change the set-up or the requirement in `{check}`", check=check),
            related=(Related(_("demanded here"), model.ruleset.setup_checks[check].origin.span),),
        )
