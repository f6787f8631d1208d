"""Bots of a served game: their choices are computed without its lock, in a background worker, and then made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.i18n.translator import mark as _
from interpreter.runtime.localizer import Localizer
from interpreter.ui.web.background_work import SentPosition, build_sent_position
from interpreter.ui.web.error_messages import format_fault

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.play.game import Game
    from interpreter.ui.web.background_work import BackgroundWorker
    from interpreter.ui.web.served_game import ServedGame

_INSTANT_BOT = "random"  # chooses in the calling thread: a worker would only cost time


@dataclass(frozen=True, slots=True)
class _SeatName:
    """The name of a seat as text in any language."""

    rules: Rules
    seat: str

    def text_in(self, language: str) -> str:
        """Return the name in a language."""
        return Localizer(self.rules.program, language).get_thing_name("seat", self.seat)

    def __str__(self) -> str:
        return self.text_in("")


@dataclass(frozen=True, slots=True)
class BotTurn:
    """A bot's turn: its seat, the version of the game, and a copy of the game to compute the choice on."""

    seat: str
    version: str
    game: Game


class BotRunner:
    """Runner of the bots of a served game. Thread-safe: queries and undo stay possible while a bot thinks.

    `worker` computes the choices of all bots but the random one; without a worker, the calling thread does.
    """

    def __init__(self, served: ServedGame, worker: BackgroundWorker | None = None) -> None:
        self._served = served
        self._worker = worker
        self._decisions_at_start = len(served.game.keys)  # of the bots in the worker
        self._is_stopped = False

    def run_turn(self) -> bool:
        """Make one choice of the bot whose turn it is; return False if the game changed while it thought.

        If the bot fails for any reason, its seat passes to humans.
        """
        turn = self.find_turn()
        if turn is None:
            return False
        try:
            number = self._compute_choice(turn)
        except Exception as fault:
            self.replace_bot(turn.seat, fault)
            return False
        return self.make_choice(turn, number)

    def find_turn(self) -> BotTurn | None:
        """Return the turn of the bot that is to choose now, or None."""
        with self._served.lock:
            decision = self._served.game.decision if self._served.is_bots_turn() else None
            if decision is None:
                return None
            return BotTurn(decision.seat, self._served.version, self._served.game.clone())

    def make_choice(self, turn: BotTurn, number: int) -> bool:
        """Make the choice of a bot, an option by its number.

        Return False if the game changed while the bot thought, or if the choice cannot be made.
        """
        if self._is_stopped:
            return False
        try:
            return self._served.pick(number, turn.version)
        except Exception as fault:
            self.replace_bot(turn.seat, fault)
            return False

    def replace_bot(self, seat: str, fault: Exception) -> None:
        """Pass the seat of a bot that failed to humans, with a notice; `fault`: the error of the bot."""
        notice = _(
            "the bot of {player} has stopped: {problem}; the host plays this seat now, and its link "
            "is shown under Players",
            player=_SeatName(self._served.rules, seat),
            problem=format_fault(fault),
        )
        self._served.pass_to_humans(seat, notice)

    def needs_worker(self, seat: str) -> bool:
        """Return whether the choices of a seat's bot take so long that a worker computes them."""
        return self._served.players[seat] != _INSTANT_BOT

    def list_worker_arguments(self, turn: BotTurn) -> tuple[SentPosition, str, Mapping[str, str], int]:
        """Return the arguments of `WorkerService.choose` for a turn."""
        return build_sent_position(turn.game), turn.seat, self._served.players, self._decisions_at_start

    def restart_bots(self) -> None:
        """Let the bots of the next worker continue with the random numbers for the present decision."""
        self._decisions_at_start = len(self._served.game.keys)

    def stop(self) -> None:
        """End the worker; no bot chooses from now on."""
        self._is_stopped = True
        if self._worker is not None:
            self._worker.end()

    def _compute_choice(self, turn: BotTurn) -> int:
        """Return the number of the option that a bot chooses."""
        bot = self._served.bots[turn.seat]
        if self._worker is None or not self.needs_worker(turn.seat):
            return bot.choose(turn.game)
        try:
            return self._worker.choose(*self.list_worker_arguments(turn))
        except EOFError:  # the worker was ended, or none can be started here
            return 0 if self._is_stopped else bot.choose(turn.game)
