"""A loaded ruleset: games that can be played, its forms, and the source of its documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol

from interpreter.files.memory_cache import MemoryCache
from interpreter.play.game import Game
from interpreter.play.setup import create_game
from interpreter.runtime.dice import Dice

if TYPE_CHECKING:
    from interpreter.model.checked_model import CheckedModel
    from interpreter.model.learning import Glossary, Lesson
    from interpreter.model.ruleset import Ruleset
    from interpreter.runtime.program import Program

_MAX_CACHED_RULESETS = 8  # the least recently used are evicted


class RulesSource(Protocol):
    """Protocol of a source of rules: the files of a ruleset, or a bundle in memory."""

    @property
    def location(self) -> str:
        """Return the absolute path of the folder or file; '' for a shipped id or a bundle."""

    def get_cache_key(self) -> str | None:
        """Return the key under which results are cached on disk, or None if nothing may be cached."""

    def load_documents(self, loaded: RulesetCacheEntry) -> Ruleset:
        """Return the typed documents; raise SetupError if they have changed since the ruleset was loaded.

        `loaded`: the cache entry of the ruleset, in which they are stored.
        """

    def load_glossary(self, languages: Sequence[str]) -> Glossary:
        """Return the terms that the ruleset explains to newcomers; none if its documents cannot be read."""

    def load_lesson(self, languages: Sequence[str]) -> Lesson | None:
        """Return the tutorial, or None if the ruleset has none or its document cannot be read."""

    def load_form(self, name: str, model: CheckedModel | None, play: Program) -> Program:
        """Return the form `name` of the program `play`; raise SetupError if the ruleset has changed since loading.

        `model`: the checked rules if they are known, which saves reading them again.
        """

    def find_cached_form(self, name: str, play: Program) -> Program | None:
        """Return the form `name` of the program `play` if it is available without compiling, else None."""


COMPILING = RLock()  # serializes loading and compiling


class Rules:
    """A loaded ruleset, ready to be played.

    `program` is its compiled form; `model` the checked rules (None if the compiled form was cached and the checked
    rules were not requested); `target` the name it was loaded by; `source` where its documents are read from.
    """

    def __init__(
        self,
        program: Program,
        model: CheckedModel | None,
        target: str,
        source: RulesSource,
        loaded: RulesetCacheEntry | None = None,
        without_exchanges: Rules | None = None,
    ) -> None:
        self.program = program
        self.model = model
        self.target = target
        self.source = source
        self._loaded = loaded or RulesetCacheEntry(None, program, model)
        self._coverage_forms: dict[str, Program] = {}  # instrumented forms, each with a single listener
        self._without_exchanges = without_exchanges  # the rules with the original names, if a game has others
        self._renamed_documents: tuple[Ruleset, Ruleset] | None = None  # the original documents and the renamed ones

    def __repr__(self) -> str:
        return f"<Rules {self.id} ({self.title()}), version {self.program.data['version']}, from {self.target}>"

    def form(self, name: str) -> Program:
        """Return the ruleset compiled for another purpose ("odds", "ledger", "covered" or "asked"), on first use.

        The program accepts states of `program`. Raises SetupError if the files have changed since the ruleset was
        loaded.
        """
        if self._without_exchanges is not None:
            return self._without_exchanges.form(name).with_exchanges(self.program.exchanged)
        with COMPILING:
            forms = self._get_form_cache(name)
            if name not in forms:
                forms[name] = self.source.load_form(name, self.model, self.program)
            return forms[name]

    def find_available_form(self, name: str) -> Program | None:
        """Return the ruleset compiled for another purpose if it is already built or cached, else None."""
        if self._without_exchanges is not None:
            original_form = self._without_exchanges.find_available_form(name)
            return None if original_form is None else original_form.with_exchanges(self.program.exchanged)
        forms = self._get_form_cache(name)
        if name not in forms:
            program = self.source.find_cached_form(name, self.program)
            if program is None:
                return None
            forms[name] = program
        return forms[name]

    def _get_form_cache(self, name: str) -> dict[str, Program]:
        return self._coverage_forms if name == "covered" else self._loaded.forms

    @property
    def id(self) -> str:
        """Return the ruleset's id."""
        return self.program.id

    @property
    def location(self) -> str:
        """Return the absolute path of the folder or file it was loaded from; '' for a shipped id or a bundle."""
        return self.source.location

    def as_played(self, game: Game) -> Rules:
        """Return the ruleset with the names that its things have in a game, where optional rules may exchange them."""
        if game.program is self.program:
            return self
        original = self._without_exchanges or self
        return Rules(game.program, self.model, self.target, self.source, self._loaded, original)

    def title(self, language: str = "") -> str:
        """Return the ruleset's title."""
        return self.program.get_localizer(language).translate_label(self.program.data["title"], self.program.id)

    def documents(self) -> Ruleset:
        """Return the typed documents of the ruleset; raise SetupError if the files have changed since loading."""
        if self._without_exchanges is not None:
            return self._rename_documents(self._without_exchanges.documents())
        return self.source.load_documents(self._loaded)

    def _rename_documents(self, documents: Ruleset) -> Ruleset:
        """Return documents with the names and appearance that the game's options give to things."""
        from interpreter.model.exchange import apply_exchanges

        if self._renamed_documents is None or self._renamed_documents[0] is not documents:
            self._renamed_documents = documents, apply_exchanges(documents, self.program.exchanged)
        return self._renamed_documents[1]

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
        return create_game(self.program, scenario, options, seed, dice, record, empty, ready)

    def ask(self, game: Game, text: str) -> Any:  # noqa: ANN401 - of the type of the expression
        """Evaluate an expression of the rules language in the current position; return ids and numbers."""
        from interpreter.api.evaluate import evaluate_expression

        return evaluate_expression(self.model, game, text).value


@dataclass(slots=True)
class RulesetCacheEntry:
    """A loaded ruleset in the cache; each part is None until it is requested.

    `key` identifies the contents, as `program_cache.compute_key` does; None if the entry cannot be shared.
    """

    key: str | None
    program: Program
    model: CheckedModel | None
    documents: Ruleset | None = None
    forms: dict[str, Program] = field(default_factory=dict)


_newest: MemoryCache[str, RulesetCacheEntry] = MemoryCache(_MAX_CACHED_RULESETS)


def find_loaded(key: str | None) -> RulesetCacheEntry | None:
    """Return the cached entry of a key, or None."""
    return None if key is None else _newest.find(key)


def store_loaded(loaded: RulesetCacheEntry) -> None:
    """Cache an entry for later loads of the same contents."""
    if loaded.key is not None:
        _newest.store(loaded.key, loaded)
