"""A loaded ruleset: the door from a target's name to games that can be played."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from os import PathLike
from threading import RLock
from typing import TYPE_CHECKING, Any

from interpreter.facade.loaded import Loaded, find_loaded, keep_loaded
from interpreter.files.assets import named_target, shipped_rulesets
from interpreter.play.outset.beginnings import new_game
from interpreter.play.session import Game
from interpreter.runtime.faults import SetupError
from interpreter.source.diagnostic import RulesetError, Sink

if TYPE_CHECKING:
    from interpreter.model.core import CheckedModel
    from interpreter.model.ruleset import Ruleset
    from interpreter.runtime.program import Program

_MAKING = RLock()  # one ruleset is read and compiled at a time, whoever asks


class Rules:
    """A loaded ruleset, ready to be played.

    `program` is its compiled form; `model` the checked rules (None when the compiled form was at hand
    already and nobody asked for more); `target` what was named to load it.
    """

    def __init__(
        self,
        program: Program,
        model: CheckedModel | None,
        target: str,
        loaded: Loaded | None = None,
        plain: Rules | None = None,
    ) -> None:
        self.program = program
        self.model = model
        self.target = target
        self._loaded = loaded or Loaded(None, program, model)
        self._listening: dict[str, Program] = {}  # forms that are listened to while they run, by one alone
        self._plain = plain  # the same with the names that stand in the documents, where a game has others
        self._shown: tuple[Ruleset, Ruleset] | None = None  # the documents as they are written, and with those names

    def __repr__(self) -> str:
        return f"<Rules {self.id} ({self.title()}), version {self.program.data['version']}, from {self.target}>"

    def form(self, name: str) -> Program:
        """The ruleset compiled for another purpose, "odds", "ledger", "covered" or "asked"; made when first asked for.

        It takes over states of `program`. SetupError when the ruleset has changed on disk since.
        """
        if self._plain is not None:
            return self._plain.form(name).with_exchanges(self.program.exchanged)
        with _MAKING:
            forms = self._forms(name)
            if name not in forms:
                from interpreter.facade.loading import load_form

                forms[name] = load_form(self.target, name, self.model, self.program)
            return forms[name]

    def kept_form(self, name: str) -> Program | None:
        """The same where it need not be made first; else None."""
        if self._plain is not None:
            kept = self._plain.kept_form(name)
            return None if kept is None else kept.with_exchanges(self.program.exchanged)
        forms = self._forms(name)
        if name not in forms:
            from interpreter.facade.loading import kept_form

            found = kept_form(self.target, name, self.program)
            if found is None:
                return None
            forms[name] = found
        return forms[name]

    def _forms(self, name: str) -> dict[str, Program]:
        return self._listening if name == "covered" else self._loaded.forms

    @property
    def id(self) -> str:
        """The ruleset's id."""
        return self.program.id

    @property
    def location(self) -> str:
        """The folder or file it was loaded from, as a whole path; '' for a shipped id."""
        return "" if self.target in shipped_rulesets() else os.path.abspath(self.target)

    def as_played(self, game: Game) -> Rules:
        """Return the ruleset with the names that its things have in a game: optional rules may exchange them."""
        if game.program is self.program:
            return self
        plain = self._plain or self
        return Rules(game.program, self.model, self.target, self._loaded, plain)

    def title(self, language: str = "") -> str:
        """The ruleset's title."""
        return self.program.naming(language).label(self.program.data["title"], self.program.id)

    def documents(self) -> Ruleset:
        """The typed documents it was made from; SetupError when they have changed on disk since."""
        from interpreter.compiler.cache import key_of
        from interpreter.documents.ruleset_reading import load_documents
        from interpreter.facade.loading import uncollected

        if self._plain is not None:
            return self._with_names(self._plain.documents())
        loaded = self._loaded
        if loaded.documents is not None and loaded.key is not None and key_of(self.target) == loaded.key:
            return loaded.documents
        with uncollected():
            found = load_documents(self.target, Sink())
        if found is None or found.content_hash != self.program.content_hash:
            raise SetupError("{target} has changed since it was loaded: load it again", target=self.target)
        loaded.documents = found
        return found

    def _with_names(self, documents: Ruleset) -> Ruleset:
        """Return documents with the names and looks that the game's options give."""
        from interpreter.model.exchange import under_exchanges

        if self._shown is None or self._shown[0] is not documents:
            self._shown = documents, under_exchanges(documents, self.program.exchanged)
        return self._shown[1]

    def start(
        self,
        scenario: str | None = None,
        options: Iterable[str] | Mapping[str, Any] = (),
        seed: int | None = 0,
        dice: Any = None,
        record: bool = True,
        empty: bool = False,
        ready: bool = False,
    ) -> Game:
        """A new game at its first decision; raises SetupError for an unknown scenario or option.

        `dice`: a list of faces, a mapping roll name -> faces, or a dice source; else seeded by `seed`. `empty`: no
        scenario and no set-up, and nothing runs. `ready`: the first turn has not begun; `Game.play_on` begins it.
        """
        return new_game(self.program, scenario, options, seed, dice, record, empty, ready)

    def ask(self, game: Game, text: str) -> Any:
        """The value of an expression of the rules language in the present position, as ids and numbers."""
        from interpreter.facade.asking import ask

        return ask(self.model, game, text).value


def load(target: str | PathLike[str], checked: bool = False, instrument: bool = False) -> Rules:
    """Load a shipped id, a part of one as ID/NAME, a folder or a file; raises RulesetError with every finding.

    `checked`: keep the checked model for tools; `instrument`: note what is covered while playing.
    """
    from interpreter.compiler.cache import key_of
    from interpreter.facade.loading import load_rules

    sink, target = Sink(), named_target(str(target))
    with _MAKING:
        key = key_of(target)
        known = None if instrument else find_loaded(key)
        if known is None or checked and known.model is None:
            made = load_rules(target, key, sink, checked, instrument)
            if made is None or sink.has_errors:
                raise RulesetError(sink.errors())
            program, model, shared = made
            known = Loaded(key if shared and not instrument else None, program, model)
            keep_loaded(known)
    return Rules(known.program, known.model if checked else None, target, known)
