"""Work in the background of a served game: choices of bots that search, and slow odds.

`WorkerService` does the work. A `BackgroundWorker` has the same methods, but calls the service elsewhere: in a process
of the server, or in another web worker of a browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.i18n.translator import Message, mark as _
from interpreter.runtime.errors import SetupError

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.play.bot import Bot
    from interpreter.play.game import Game


class BackgroundWorker(Protocol):
    """Protocol of a client that calls the `WorkerService` in another process or web worker.

    Its methods raise what those of the service raise, WorkerError for unexpected errors, and EOFError if the worker was
    ended or cannot be started.
    """

    def choose(self, position: SentPosition, seat: str, players: Mapping[str, str], decisions: int) -> int:
        """Return the number of the option that a seat's bot chooses; see `WorkerService.choose`."""

    def compute_odds(self, position: SentPosition, key: str, lang: str, most: int, throws: int) -> object:
        """Return the odds of an option's outcomes as JSON data; see `WorkerService.compute_odds`."""

    def end(self) -> None:
        """End the worker for good; waiting callers get EOFError."""


class WorkerError(Exception):
    """Raised for an unexpected error in the worker process: a bug of this program."""


@dataclass(frozen=True, slots=True)
class SentPosition:
    """A position to send to a worker: its ruleset's content hash, the start of the game, and its state as JSON data."""

    content_hash: str
    scenario: str
    seed: int
    state: Mapping[str, Any]


def build_sent_position(game: Game) -> SentPosition:
    """Return the position of a game in the form in which a worker receives it."""
    return SentPosition(game.program.content_hash, game.scenario or "", game.seed or 0, game.data())


@dataclass(slots=True)
class WorkerService:
    """The methods that a worker process runs, for games of one ruleset.

    `target`: the ruleset, as given to `api.loading.load`; `rules`: that ruleset once it is loaded; `bots`: the bots by
    seat, made at the first call of `choose`.
    """

    target: str
    rules: Rules | None = None
    bots: dict[str, Bot] = field(default_factory=dict)

    def choose(self, position: SentPosition, seat: str, players: Mapping[str, str], decisions: int) -> int:
        """Return the number of the option that a seat's bot chooses; the bot keeps its memory between calls.

        `players`: the players by seat; `decisions`: the number of decisions taken when the bots were first needed.
        """
        from interpreter.players.bots.registry import make_bots

        if not self.bots:
            self.bots = make_bots(players, position.seed, decisions)
        return self.bots[seat].choose(self._restore_game(position))

    def compute_odds(self, position: SentPosition, key: str, lang: str, most: int, throws: int) -> object:
        """Return the odds of an option's outcomes, as JSON data with texts in the language `lang`.

        `key`: the key of the option. `most`: the most positions to explore exactly; beyond that, the odds are sampled
        from `throws` throws of the dice. Raises SetupError if the option cannot be taken or the files of the ruleset
        have changed.
        """
        from interpreter.view_model.queries.analysis_queries import answer_odds
        from interpreter.view_model.to_json import to_json
        from interpreter.view_model.view_context import build_view_context

        game = self._restore_game(position)
        rules = self._get_rules(position.content_hash).as_played(game)
        return to_json(answer_odds(build_view_context(rules, lang), game, key, most, throws))

    def _get_rules(self, content_hash: str) -> Rules:
        """Return the ruleset. Raises SetupError if its files have changed since the game was opened."""
        from interpreter.api.loading import load

        if self.rules is None:
            try:
                self.rules = load(self.target)
            except RulesetError as fault:
                raise SetupError(_format_files_changed(self.target)) from fault
        if self.rules.program.content_hash != content_hash:
            raise SetupError(_format_files_changed(self.target))
        return self.rules

    def _restore_game(self, position: SentPosition) -> Game:
        """Return a game in the position that the server sent."""
        from interpreter.runtime.state import restore

        rules = self._get_rules(position.content_hash)
        game = rules.start(scenario=position.scenario or None, seed=position.seed, record=False)
        restore(game.state, dict(position.state))
        game.program = game.state.program
        return game


def _format_files_changed(target: str) -> Message:
    return _("the files of {target} have changed since this game was opened; start the server again", target=target)
