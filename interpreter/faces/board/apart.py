"""Work in a process of its own: programs that think, and odds that take long, so that the server goes on answering.

What is asked and what is answered are plain data; a process is ended at any moment without harm. Must not hold a game.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from threading import Lock
from typing import TYPE_CHECKING, Any

from interpreter.files.safe_processes import begin_worker, spawn_context
from interpreter.runtime.faults import RuleFault, SetupError
from interpreter.simulation.interrupts import interrupts_held_back
from interpreter.source.diagnostic import RulesetError
from interpreter.words.speech import Sentence, mark as _

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

    from interpreter.facade.rules import Rules
    from interpreter.play.session import Game
    from interpreter.players.bots.roster import Bot

_ENDING = 0.5  # seconds in which a process may end by itself


class WorkerError(Exception):
    """An unexpected error in the other process: a fault of this program."""


@dataclass(frozen=True, slots=True)
class Position:
    """A game as it stands, to be sent: its ruleset's content hash, what it was started from, its state as JSON data."""

    content_hash: str
    scenario: str
    seed: int
    state: Mapping[str, Any]


def position_of(game: Game) -> Position:
    """Return a game's position."""
    return Position(game.program.content_hash, game.scenario or "", game.seed or 0, game.data())


class Apart:
    """A process that has loaded one ruleset; it starts with the first question and answers one at a time."""

    def __init__(self, target: str) -> None:
        self.target = target
        self._asking = Lock()
        self._changing = Lock()  # held by whoever starts or ends the process
        self._is_ended = False
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    def ask(self, what: str, *given: Any) -> Any:
        """Return the answer of the desk's method `what`.

        Raise RuleFault and SetupError as it does, WorkerError for its other errors, EOFError where it was ended.
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
        """End the process for good, whatever it does; nothing starts afterwards, and who waits gets EOFError."""
        with self._changing:
            self._is_ended = True
            process, connection = self._process, self._connection
            self._process = self._connection = None
        if process is None or connection is None:
            return
        process.kill()
        process.join(_ENDING)
        if self._asking.acquire(blocking=False):  # else whoever asks sees its end, and closes it
            connection.close()
            self._asking.release()

    def _started(self) -> Connection:
        with self._changing:
            if self._is_ended:
                raise EOFError("ended")
            if self._process is None or not self._process.is_alive() or self._connection is None:
                context = spawn_context()
                ours, theirs = context.Pipe()
                self._process = context.Process(target=_answer_all, args=(theirs, self.target), daemon=True)
                with interrupts_held_back():
                    self._process.start()
                theirs.close()
                self._connection = ours
            return self._connection


@dataclass(slots=True)
class Desk:
    """What is answered in the other process."""

    target: str
    rules: Rules | None = None
    bots: dict[str, Bot] = field(default_factory=dict)

    def choose(self, position: Position, seat: str, players: Mapping[str, str], decisions: int) -> int:
        """The number of the option that a seat's program takes; it remembers what it has seen before."""
        from interpreter.players.bots.roster import make_bots

        if not self.bots:
            self.bots = make_bots(players, position.seed, decisions)
        return self.bots[seat].choose(self._game(position))

    def odds(self, position: Position, key: str, lang: str, most: int, throws: int) -> Any:
        """The chances of what an option leads to, as plain data."""
        from interpreter.scene.plain import plain
        from interpreter.scene.questions.accounts import odds_answer
        from interpreter.scene.stage import stage_of

        game = self._game(position)
        rules = self._rules(position.content_hash).as_played(game)
        return plain(odds_answer(stage_of(rules, lang), game, key, most, throws))

    def _rules(self, content_hash: str) -> Rules:
        """The ruleset; SetupError where its files are no longer those that the game was begun with."""
        from interpreter.facade.rules import load

        if self.rules is None:
            try:
                self.rules = load(self.target)
            except RulesetError as fault:
                raise SetupError(_changed(self.target)) from fault
        if self.rules.program.content_hash != content_hash:
            raise SetupError(_changed(self.target))
        return self.rules

    def _game(self, position: Position) -> Game:
        from interpreter.runtime.state import restore

        rules = self._rules(position.content_hash)
        game = rules.start(scenario=position.scenario or None, seed=position.seed, record=False)
        restore(game.state, dict(position.state))
        game.program = game.state.program
        return game


def _changed(target: str) -> Sentence:
    return _("the files of {target} have changed since this game was opened: start the server again", target=target)


def _sendable(fault: SetupError) -> SetupError:
    """Return the error as it can be sent: its sentence, in English where something in its holes cannot be pickled."""
    try:
        pickle.dumps(fault.message)
    except Exception:  # whatever an object's own pickling may raise
        return SetupError(str(fault))
    return SetupError(fault.message)


def _answer_all(connection: Connection, target: str) -> None:
    """Answer until nobody asks any more."""
    begin_worker()
    desk = Desk(target)
    while True:
        try:
            what, given = connection.recv()
        except (EOFError, OSError):
            return
        answer: tuple[bool, Any]
        try:
            answer = True, getattr(desk, what)(*given)
        except SetupError as fault:
            answer = False, _sendable(fault)
        except RuleFault as fault:
            where = fault.file, fault.line, fault.column, fault.stack
            answer = False, RuleFault(fault.message, *where, is_exhausted=fault.is_exhausted)
        except Exception as fault:
            answer = False, WorkerError(f"{type(fault).__name__}: {fault}")
        try:
            connection.send(answer)
        except OSError:
            return
