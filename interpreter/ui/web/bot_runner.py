"""Bots of a served game: which one is to choose, and its choice, computed in a background worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interpreter.play.bot import Bot
from interpreter.play.game import Game
from interpreter.ui.web.background_work import BackgroundWorker, build_sent_position


@dataclass(frozen=True, slots=True)
class BotTurn:
    """A bot's turn: its seat, the version of the game, and a copy of the game to compute the choice on."""

    seat: str
    version: str
    game: Game


def create_process_worker(target: str) -> BackgroundWorker:
    """Return a worker in a separate process, for games of the ruleset `target`."""
    from interpreter.ui.web.worker_process import Worker

    return Worker(target)


class BotRunner:
    """Runner of the bots of one game.

    `players` and `bots`, by seat, are those of the game and change with it. `first_decision`: the number of decisions
    taken when the bots began, from which their random numbers are derived. `is_stopped`: no bot chooses any more.
    """

    def __init__(
        self, worker: BackgroundWorker, players: Mapping[str, str], bots: Mapping[str, Bot], first_decision: int
    ) -> None:
        self.players = players
        self.bots = bots
        self.first_decision = first_decision
        self.is_stopped = False
        self._worker = worker

    def choose(self, turn: BotTurn) -> int:
        """Return the number of the option that a bot chooses.

        It is computed in the background worker, except for the random bot or if the worker has ended.
        """
        bot = self.bots[turn.seat]
        if self.players[turn.seat] == "random":
            return bot.choose(turn.game)
        position = build_sent_position(turn.game)
        try:
            return self._worker.choose(position, turn.seat, self.players, self.first_decision)
        except EOFError:  # the worker was ended, or none can be started here
            return 0 if self.is_stopped else bot.choose(turn.game)

    def stop(self) -> None:
        """End the worker; no bot chooses from now on."""
        self.is_stopped = True
        self._worker.end()
