"""Bundles: a ruleset as bytes by name, for environments without files, such as a browser.

A bundle contains the checked rules in a form that every version of Python reads, and compiled forms for the versions
that have compiled it. Its code is executed: load only a bundle that this program or its user has made.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from interpreter.api.loading import compile_form, compile_play, disable_gc, join_form, load
from interpreter.api.rules import Rules, RulesetCacheEntry
from interpreter.diagnostics.source_text import Source, Span
from interpreter.files.picture_files import MAX_BYTES, build_content_name
from interpreter.files.safe_read import read_regular_file
from interpreter.model.answers import CaseAnswer
from interpreter.model.drawing import MapDrawing, PictureFile
from interpreter.model.learning import NO_TERMS, Glossary, Lesson
from interpreter.programs.model_cache import decode_glossary, decode_lesson, decode_model, encode_model
from interpreter.programs.program_cache import decode_compiled, encode_compiled
from interpreter.runtime.errors import SetupError
from interpreter.runtime.program import Program

if TYPE_CHECKING:
    from interpreter.model.checked_model import CheckedModel
    from interpreter.model.ruleset import Ruleset

CHECKED, GLOSSARY, LESSON = "checked.json", "glossary.json", "lesson.json"
PICTURE = "picture-"  # begins the names of pictures
PLAY = "play"
FORMS = (PLAY, "ledger", "odds", "covered")  # compiled forms that a page needs, for play and for its questions

Bundle = Mapping[str, bytes]


class BundleSource:
    """A bundle in memory, as a source of rules.

    `new_forms` holds compiled forms that the bundle lacked, by name; a caller can add them to the bundle to avoid
    compiling them again.
    """

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self.new_forms: dict[str, bytes] = {}

    @property
    def location(self) -> str:
        """Return '': a bundle is not a file."""
        return ""

    def get_cache_key(self) -> str | None:
        """Return None: nothing is cached when a bundle is played."""
        return None

    @cached_property
    def model(self) -> CheckedModel:
        """Return the checked rules. Raises SetupError if the bundle lacks them or they are damaged."""
        with disable_gc():
            model = decode_model(self._bundle.get(CHECKED, b""))
        if model is None:
            raise SetupError("the rules of this page are damaged or incomplete; load it again")
        drawing = model.ruleset.drawing.with_pictures(self._with_content)
        return replace(model, ruleset=replace(model.ruleset, drawing=drawing))

    def _with_content(self, picture: PictureFile) -> PictureFile:
        return replace(picture, content=self._bundle.get(picture.path, b""))

    def load_documents(self, loaded: RulesetCacheEntry) -> Ruleset:
        """Return the typed documents; `loaded` is ignored, because the checked rules of the bundle hold them."""
        return self.model.ruleset

    def load_glossary(self, languages: Sequence[str]) -> Glossary:
        """Return the terms that the ruleset explains to newcomers; none if the bundle lacks them.

        `languages` is ignored: the bundle has the terms in all of them.
        """
        return decode_glossary(self._bundle.get(GLOSSARY, b"")) or NO_TERMS

    def load_lesson(self, languages: Sequence[str]) -> Lesson | None:
        """Return the tutorial, or None if the bundle has none.

        `languages` is ignored: the bundle has the tutorial in all of them.
        """
        return decode_lesson(self._bundle.get(LESSON, b""))

    def play(self) -> Program:
        """Return the program for play, compiled if the bundle has none for this version of Python."""
        compiled = decode_compiled(self._bundle.get(format_compiled_name(PLAY), b""))
        if compiled is not None:
            return Program(*compiled)
        with disable_gc():
            program = compile_play(self.model)
        self.new_forms[format_compiled_name(PLAY)] = encode_compiled(program.codes, program.data)
        return program

    def load_form(self, name: str, model: CheckedModel | None, play: Program) -> Program:
        """Return the form `name` of the rules, compiled if the bundle has none for this version of Python.

        `play`: the form for play, which it extends. `model` is ignored: the bundle has the checked rules.
        """
        bundled = self.find_cached_form(name, play)
        if bundled is not None:
            return bundled
        with disable_gc():
            own = compile_form(self.model, name, play)
        self.new_forms[format_compiled_name(name)] = encode_compiled(own.codes, own.data)
        return join_form(own.codes, own.data, play)

    def find_cached_form(self, name: str, play: Program) -> Program | None:
        """Return the form `name` of the rules if the bundle has it compiled, else None.

        `play`: the form for play, which it extends and whose content hash it must have.
        """
        compiled = decode_compiled(self._bundle.get(format_compiled_name(name), b""))
        if compiled is None or compiled[1]["content_hash"] != play.content_hash:
            return None
        return join_form(*compiled, play)


def format_compiled_name(form: str) -> str:
    """Return the name of a compiled form in a bundle, for the running version of Python.

    >>> format_compiled_name("play").startswith("play.")
    True
    """
    return f"{form}.{sys.implementation.cache_tag}"


def pack_rules(target: str, forms: Sequence[str] = ()) -> dict[str, bytes]:
    """Return a ruleset, or the variant or scenario that `target` names, as a bundle: file name -> content.

    Raises RulesetError with every finding, SetupError for rules nested too deeply. `forms`: the compiled forms to add,
    beginning with PLAY; only this minor version of Python can use them.
    """
    rules = load(target, checked=True)
    assert rules.model is not None
    pictures = pack_pictures(rules.model.ruleset.drawing)
    body = encode_model(_strip_paths(rules.model, pictures))
    if body is None:
        raise SetupError("something in this ruleset is nested too deeply to be exported")
    bundle = {CHECKED: body, **{picture.path: picture.content or b"" for picture in pictures.values()}}
    lesson, languages = rules.source.load_lesson(rules.program.languages), rules.program.languages
    learning = {GLOSSARY: rules.source.load_glossary(languages), LESSON: lesson and _strip_lesson_spans(lesson)}
    for name, record in learning.items():
        encoded = encode_model(record) if record is not None else None
        bundle |= {name: encoded} if encoded is not None else {}
    if forms:
        source = BundleSource(bundle)
        program = source.play()
        for form in forms[1:]:
            source.load_form(form, None, program)
        bundle |= source.new_forms
    return bundle


def pack_pictures(drawing: MapDrawing) -> dict[str, PictureFile]:
    """Return the pictures of a drawing by their paths, with their contents and the paths that they have in a bundle.

    Raises SetupError for a file that cannot be read.
    """
    packed = {}
    for picture in drawing.iter_pictures():
        try:
            content = picture.content or read_regular_file(picture.path, MAX_BYTES, follow=False)
        except (OSError, ValueError):
            raise SetupError("the picture {file} cannot be read", file=picture.name) from None
        path = PICTURE + build_content_name(content, picture.kind)
        packed[picture.path] = replace(picture, path=path, content=content)
    return packed


def _strip_paths(model: CheckedModel, pictures: Mapping[str, PictureFile]) -> CheckedModel:
    """Return checked rules whose pictures lie in the bundle instead of the author's folders.

    `pictures`: the bundled picture that replaces each one, by the path of the original file.
    """
    if not pictures:
        return model
    drawing = model.ruleset.drawing.with_pictures(lambda picture: replace(pictures[picture.path], content=None))
    return replace(model, ruleset=replace(model.ruleset, drawing=drawing))


def _strip_lesson_spans(lesson: Lesson) -> Lesson:
    """Return a copy of a lesson that does not refer to the text of its document."""
    nowhere = Span(Source("", ""), 0, 0)

    def strip_spans(answers: tuple[CaseAnswer, ...]) -> tuple[CaseAnswer, ...]:
        return tuple(replace(answer, span=nowhere) for answer in answers)

    steps = tuple(
        replace(
            step,
            highlights=tuple(replace(highlight, span=nowhere) for highlight in step.highlights),
            look=step.look and replace(step.look, span=nowhere),
            orders=strip_spans(step.orders),
            meanwhile=strip_spans(step.meanwhile),
            span=nowhere,
        )
        for step in lesson.steps
    )
    return replace(lesson, before=strip_spans(lesson.before), steps=steps, begin_span=nowhere, span=nowhere)


def load_bundle(bundle: Bundle, name: str) -> Rules:
    """Load the ruleset of a bundle; `name` is what messages call it. Raises SetupError if the bundle is damaged."""
    source = BundleSource(bundle)
    program = source.play()
    return Rules(program, None, name, source, RulesetCacheEntry(None, program, None))
