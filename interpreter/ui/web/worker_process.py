"""Worker process for bots and slow odds, so that the server stays responsive.

Requests and answers are plain data; the process can be killed at any moment.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from threading import Lock
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.files.safe_processes import begin_worker, spawn_context
from interpreter.i18n.translator import Message, mark as _
from interpreter.runtime.errors import RuleFault, SetupError
from interpreter.simulation.sigint import interrupts_held_back

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

    from interpreter.api.rules import Rules
    from interpreter.play.game import Game
    from interpreter.players.bots.registry import Bot

_ENDING = 0.5  # seconds to wait for a killed process


class WorkerError(Exception):
    """Raised for an unexpected error in the worker process: a bug of this program."""


@dataclass(frozen=True, slots=True)
class SentPosition:
    """A position to send: its ruleset's content hash, what the game was started from, and its state as JSON data."""

    content_hash: str
    scenario: str
    seed: int
    state: Mapping[str, Any]


def position_of(game: Game) -> SentPosition:
    """Return a game's position."""
    return SentPosition(game.program.content_hash, game.scenario or "", game.seed or 0, game.data())


class Worker:
    """Handle of a process that has loaded one ruleset; it starts at the first call and answers one at a time."""

    def __init__(self, target: str) -> None:
        self.target = target
        self._asking = Lock()
        self._changing = Lock()  # held while the process is started or ended
        self._is_ended = False
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    def ask(self, what: str, *given: object) -> Any:
        """Call the method `what` of the WorkerService and return its answer.

        Re-raises its RuleFault and SetupError; raises WorkerError for other errors, EOFError if the process was ended.
        """
        with self._asking:
            connection = self._started()
            try:
                connection.send((what, given))
                is_good, answer = connection.recv()
            except (EOFError, OSError) as fault:
                connection.close()
                raise EOFError(str(fault)) from fault
        if is_good:
            return answer
        raise answer

    def end(self) -> None:
        """Kill the process for good; waiting callers get EOFError, and no new process starts."""
        with self._changing:
            self._is_ended = True
            process, connection = self._process, self._connection
            self._process = self._connection = None
        if process is None or connection is None:
            return
        process.kill()
        process.join(_ENDING)
        if self._asking.acquire(blocking=False):  # else the waiting `ask` sees the end and closes it
            connection.close()
            self._asking.release()

    def _started(self) -> Connection:
        with self._changing:
            if self._is_ended:
                raise EOFError("ended")
            if self._process is None or not self._process.is_alive() or self._connection is None:
                context = spawn_context()
                ours, theirs = context.Pipe()
                self._process = context.Process(target=_serve, args=(theirs, self.target), daemon=True)
                with interrupts_held_back():
                    self._process.start()
                theirs.close()
                self._connection = ours
            return self._connection


@dataclass(slots=True)
class WorkerService:
    """The methods that run in the worker process."""

    target: str
    rules: Rules | None = None
    bots: dict[str, Bot] = field(default_factory=dict)

    def choose(self, position: SentPosition, seat: str, players: Mapping[str, str], decisions: int) -> int:
        """Return the number of the option that a seat's bot chooses; the bot keeps its memory between calls."""
        from interpreter.players.bots.registry import make_bots

        if not self.bots:
            self.bots = make_bots(players, position.seed, decisions)
        return self.bots[seat].choose(self._game(position))

    def odds(self, position: SentPosition, key: str, lang: str, most: int, throws: int) -> Any:
        """Return the odds of an option's outcomes, as plain data."""
        from interpreter.view_model.queries.analysis_queries import odds_answer
        from interpreter.view_model.to_json import plain
        from interpreter.view_model.view_context import build_view_context

        game = self._game(position)
        rules = self._rules(position.content_hash).as_played(game)
        return plain(odds_answer(build_view_context(rules, lang), game, key, most, throws))

    def _rules(self, content_hash: str) -> Rules:
        """Return the ruleset. Raises SetupError if its files have changed since the game was opened."""
        from interpreter.api.rules import load

        if self.rules is None:
            try:
                self.rules = load(self.target)
            except RulesetError as fault:
                raise SetupError(_files_changed_message(self.target)) from fault
        if self.rules.program.content_hash != content_hash:
            raise SetupError(_files_changed_message(self.target))
        return self.rules

    def _game(self, position: SentPosition) -> Game:
        from interpreter.runtime.state import restore

        rules = self._rules(position.content_hash)
        game = rules.start(scenario=position.scenario or None, seed=position.seed, record=False)
        restore(game.state, dict(position.state))
        game.program = game.state.program
        return game


def _files_changed_message(target: str) -> Message:
    return _("the files of {target} have changed since this game was opened; start the server again", target=target)


def _picklable(fault: SetupError) -> SetupError:
    """Return a picklable form of an error, in English if its arguments cannot be pickled."""
    try:
        pickle.dumps(fault.message)
    except Exception:  # pickling may raise anything
        return SetupError(str(fault))
    return SetupError(fault.message)


def _serve(connection: Connection, target: str) -> None:
    """Answer calls until the connection closes."""
    begin_worker()
    desk = WorkerService(target)
    while True:
        try:
            what, given = connection.recv()
        except (EOFError, OSError):
            return
        answer: tuple[bool, Any]
        try:
            answer = True, getattr(desk, what)(*given)
        except SetupError as fault:
            answer = False, _picklable(fault)
        except RuleFault as fault:
            where = fault.file, fault.line, fault.column, fault.stack
            answer = False, RuleFault(fault.message, *where, is_exhausted=fault.is_exhausted)
        except Exception as fault:
            answer = False, WorkerError(f"{type(fault).__name__}: {fault}")
        try:
            connection.send(answer)
        except OSError:
            return
