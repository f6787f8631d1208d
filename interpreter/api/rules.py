"""A loaded ruleset, from the name of a target to games that can be played, and the source of its documents."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol

from interpreter.api.ruleset_cache import RulesetCacheEntry, find_loaded, store_loaded
from interpreter.diagnostics.diagnostic import RulesetError, Sink
from interpreter.files.assets import resolve_target, shipped_rulesets
from interpreter.play.game import Game
from interpreter.play.setup.new_game import new_game
from interpreter.runtime.dice import Dice
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

    def cache_key(self) -> str | None:
        """Return the key under which results are cached on disk, or None if nothing may be cached."""

    def documents(self, loaded: RulesetCacheEntry) -> Ruleset:
        """Return the typed documents; raises SetupError if they have changed since the ruleset was loaded.

        `loaded`: the cached products of loading, where they are stored.
        """

    def glossary(self, languages: Sequence[str]) -> Glossary:
        """Return the terms that the ruleset explains to newcomers; none if its documents cannot be read."""

    def lesson(self, languages: Sequence[str]) -> Lesson | None:
        """Return the tutorial, or None if the ruleset has none or its document cannot be read."""

    def form(self, name: str, model: CheckedModel | None, play: Program) -> Program:
        """Return the form `name` of the program `play`; raises SetupError if the ruleset has changed since.

        `model`: the checked rules if they are known, which saves reading them again.
        """

    def kept_form(self, name: str, play: Program) -> Program | None:
        """Return the form `name` of the program `play` if it is available without compiling, else None."""


def _known_documents(loaded: RulesetCacheEntry) -> Ruleset | None:
    """Return the typed documents of a loaded ruleset as read before, by this process or an earlier one; or None.

    Checked rules contain them. Those are needed again for further forms of the program, so they are kept in `loaded`.
    """
    if loaded.documents is None:
        from interpreter.api.loading import without_gc
        from interpreter.programs import model_cache

        if loaded.model is None:
            with without_gc():
                loaded.model = model_cache.find(loaded.key)
        loaded.documents = None if loaded.model is None else loaded.model.ruleset
    return loaded.documents


class FileSource:
    """The files of a target, read again when they are needed."""

    def __init__(self, target: str) -> None:
        self.target = target

    @property
    def location(self) -> str:
        """Return the absolute path of the folder or file; '' for a shipped id."""
        return "" if self.target in shipped_rulesets() else os.path.abspath(self.target)

    def cache_key(self) -> str | None:
        """Return a digest of the files and of this program, or None if `check` has findings in the files."""
        from interpreter.programs.program_cache import key_of

        return key_of(self.target)

    def documents(self, loaded: RulesetCacheEntry) -> Ruleset:
        """Return the typed documents; raises SetupError if they have changed on disk since the ruleset was loaded.

        `loaded`: the cached products of loading, where they are stored.
        """
        from interpreter.api.loading import without_gc
        from interpreter.programs.program_cache import key_of

        if loaded.key is not None and key_of(self.target) == loaded.key:
            known = _known_documents(loaded)
            # a copy of the folder with the same documents may hold other pictures
            if known is not None and not known.drawing.has_pictures:
                return known
        from interpreter.documents.building.ruleset_builder import load_documents  # late: imports the YAML reader

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
        """Return the form `name` of the program `play` from the cache, or compile it.

        `model`: the checked rules if they are known. Raises SetupError if the files have changed since `play` was
        loaded.
        """
        from interpreter.api.loading import load_form

        return load_form(self.target, name, model, play)

    def kept_form(self, name: str, play: Program) -> Program | None:
        """Return the form `name` of the program `play` from the cache, or None if it is missing there."""
        from interpreter.api.loading import load_cached_form

        return load_cached_form(self.target, name, play)


_MAKING = RLock()  # serializes loading and compiling


class Rules:
    """A loaded ruleset, ready to be played.

    `program` is its compiled form; `model` the checked rules (None if the compiled form came from the cache and the
    rules were not requested); `target` the name it was loaded by; `source` where its documents come from.
    """

    def __init__(
        self,
        program: Program,
        model: CheckedModel | None,
        target: str,
        loaded: RulesetCacheEntry | None = None,
        plain: Rules | None = None,
        source: RulesSource | None = None,
    ) -> None:
        self.program = program
        self.model = model
        self.target = target
        self.source: RulesSource = source or FileSource(target)
        self._loaded = loaded or RulesetCacheEntry(None, program, model)
        self._listening: dict[str, Program] = {}  # instrumented forms, each with a single listener
        self._plain = plain  # these rules with the names of the documents, where a game has others
        self._shown: tuple[Ruleset, Ruleset] | None = None  # the original documents, and those with the names

    def __repr__(self) -> str:
        return f"<Rules {self.id} ({self.title()}), version {self.program.data['version']}, from {self.target}>"

    def form(self, name: str) -> Program:
        """Return the ruleset compiled for "odds", "ledger", "covered" or "asked"; built on first use.

        It accepts states of `program`. Raises SetupError if the ruleset has changed on disk since.
        """
        if self._plain is not None:
            return self._plain.form(name).with_exchanges(self.program.exchanged)
        with _MAKING:
            forms = self._forms(name)
            if name not in forms:
                forms[name] = self.source.form(name, self.model, self.program)
            return forms[name]

    def kept_form(self, name: str) -> Program | None:
        """Return the ruleset compiled for another purpose if it is already built or cached, else None."""
        if self._plain is not None:
            kept = self._plain.kept_form(name)
            return None if kept is None else kept.with_exchanges(self.program.exchanged)
        forms = self._forms(name)
        if name not in forms:
            found = self.source.kept_form(name, self.program)
            if found is None:
                return None
            forms[name] = found
        return forms[name]

    def _forms(self, name: str) -> dict[str, Program]:
        return self._listening if name == "covered" else self._loaded.forms

    @property
    def id(self) -> str:
        """Return the ruleset's id."""
        return self.program.id

    @property
    def location(self) -> str:
        """Return the absolute path of the folder or file it was loaded from; '' for a shipped id or a bundle."""
        return self.source.location

    def as_played(self, game: Game) -> Rules:
        """Return the ruleset with the names that its things have in a game: optional rules may exchange them."""
        if game.program is self.program:
            return self
        plain = self._plain or self
        return Rules(game.program, self.model, self.target, self._loaded, plain, self.source)

    def title(self, language: str = "") -> str:
        """Return the ruleset's title."""
        return self.program.localizer(language).label(self.program.data["title"], self.program.id)

    def documents(self) -> Ruleset:
        """Return its typed documents; raises SetupError if they have changed on disk since."""
        if self._plain is not None:
            return self._with_names(self._plain.documents())
        return self.source.documents(self._loaded)

    def _with_names(self, documents: Ruleset) -> Ruleset:
        """Return documents with the names and appearance that the game's options give to things."""
        from interpreter.model.exchange import under_exchanges

        if self._shown is None or self._shown[0] is not documents:
            self._shown = documents, under_exchanges(documents, self.program.exchanged)
        return self._shown[1]

    def start(
        self,
        scenario: str | None = None,
        options: Iterable[str] | Mapping[str, Any] = (),
        seed: int | None = 0,
        dice: Dice = None,
        record: bool = True,
        empty: bool = False,
        ready: bool = False,
    ) -> Game:
        """Start a new game, at its first decision; raises SetupError for an unknown scenario or option.

        `dice`: a list of faces, a mapping roll name -> faces, or a dice source; else seeded by `seed`. `record`: keep
        a log and the undo history. `empty`: no scenario and no setup, and nothing runs. `ready`: the first turn has
        not begun; `Game.play_on` begins it.
        """
        return new_game(self.program, scenario, options, seed, dice, record, empty, ready)

    def ask(self, game: Game, text: str) -> Any:  # noqa: ANN401 - of the type of the expression
        """Evaluate an expression of the rules language in the current position; return ids and numbers."""
        from interpreter.api.evaluate import evaluate_expression

        return evaluate_expression(self.model, game, text).value


def load(target: str | PathLike[str], checked: bool = False, instrument: bool = False) -> Rules:
    """Load a shipped id, a part of one as ID/NAME, a folder or a file; raises RulesetError with every finding.

    `checked`: keep the checked model for tools; `instrument`: record coverage while playing.
    """
    from interpreter.api.loading import load_rules
    from interpreter.programs.program_cache import key_of

    sink, target = Sink(), resolve_target(str(target))
    with _MAKING:
        key = key_of(target)
        known = None if instrument else find_loaded(key)
        if known is None or checked and known.model is None:
            made = load_rules(target, key, sink, checked, instrument)
            if made is None or sink.has_errors:
                raise RulesetError(sink.errors())
            program, model, shared = made
            known = RulesetCacheEntry(key if shared and not instrument else None, program, model)
            store_loaded(known)
    return Rules(known.program, known.model if checked else None, target, known)
