"""Sources of a loaded ruleset: where its documents and the other forms of its program come from."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from interpreter.api.ruleset_cache import RulesetCacheEntry
from interpreter.diagnostics.diagnostic import Sink
from interpreter.files.assets import shipped_rulesets
from interpreter.runtime.errors import SetupError

if TYPE_CHECKING:
    from interpreter.model.learning import Glossary, Lesson
    from interpreter.model.ruleset import Ruleset
    from interpreter.model.statements import CheckedModel
    from interpreter.runtime.program import Program


class RulesSource(Protocol):
    """Protocol of a source: the files of a target, or a bundle in memory."""

    @property
    def location(self) -> str:
        """Return the absolute path of the folder or file; '' for a shipped id or a bundle."""

    def documents(self, loaded: RulesetCacheEntry) -> Ruleset:
        """Return the typed documents; raises SetupError if they have changed since the ruleset was loaded."""

    def glossary(self, languages: Sequence[str]) -> Glossary:
        """Return the terms that the ruleset explains to newcomers; none if its documents cannot be read."""

    def lesson(self, languages: Sequence[str]) -> Lesson | None:
        """Return the tutorial, or None if there is none or its document cannot be read."""

    def form(self, name: str, model: CheckedModel | None, play: Program) -> Program:
        """Return the form `name` of the program `play`; raises SetupError if the ruleset has changed since."""

    def kept_form(self, name: str, play: Program) -> Program | None:
        """Return the form if it need not be compiled, else None."""


class FileSource:
    """The files of a target, read again when they are needed."""

    def __init__(self, target: str) -> None:
        self.target = target

    @property
    def location(self) -> str:
        """Return the absolute path of the folder or file; '' for a shipped id."""
        return "" if self.target in shipped_rulesets() else os.path.abspath(self.target)

    def documents(self, loaded: RulesetCacheEntry) -> Ruleset:
        """Return the typed documents; raises SetupError if they have changed on disk since."""
        from interpreter.api.loading import without_gc
        from interpreter.compiler.cache import key_of
        from interpreter.documents.ruleset_reading import load_documents

        known = loaded.documents
        # a copy of the folder with the same documents may hold other pictures
        if known is not None and not known.drawing.has_pictures:
            if loaded.key is not None and key_of(self.target) == loaded.key:
                return known
        with without_gc():
            found = load_documents(self.target, Sink())
        if found is None or found.content_hash != loaded.program.content_hash:
            raise SetupError("{target} has changed since it was loaded; load it again", target=self.target)
        loaded.documents = found
        return found

    def glossary(self, languages: Sequence[str]) -> Glossary:
        """Return the terms of the documents under `learn/`."""
        from interpreter.documents.learning import read_glossary

        return read_glossary(self.target, languages)

    def lesson(self, languages: Sequence[str]) -> Lesson | None:
        """Return the tutorial under `learn/`."""
        from interpreter.documents.learning import read_lesson

        return read_lesson(self.target, languages)

    def form(self, name: str, model: CheckedModel | None, play: Program) -> Program:
        """Return a form from the cache, or compile it."""
        from interpreter.api.loading import load_form

        return load_form(self.target, name, model, play)

    def kept_form(self, name: str, play: Program) -> Program | None:
        """Return a form from the cache only."""
        from interpreter.api.loading import load_cached_form

        return load_cached_form(self.target, name, play)
