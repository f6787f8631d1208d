"""Work in a process of its own: programs that think, and odds that take long, so that the server goes on answering.

What is asked and what is answered are plain data; a process is ended at any moment without harm. Must not hold a game.
"""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from threading import Lock
from typing import TYPE_CHECKING, Any

from interpreter.files.safe_processes import spawn_context
from interpreter.runtime.faults import RuleFault, SetupError

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

    from interpreter.facade.rules import Rules
    from interpreter.play.session import Game
    from interpreter.players.bots.roster import Bot

_ENDING = 0.5  # seconds in which a process may end by itself


@dataclass(frozen=True, slots=True)
class Position:
    """A game as it stands, to be sent: what it was started from, and its state as JSON data."""

    scenario: str
    seed: int
    state: Mapping[str, Any]


def position_of(game: Game) -> Position:
    """A game's position."""
    return Position(game.scenario or "", game.seed or 0, game.data())


class Apart:
    """A process that has loaded one ruleset; it is started when it is first asked. One question at a time."""

    def __init__(self, target: str) -> None:
        self.target = target
        self._lock = Lock()
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    def ask(self, what: str, *given: Any) -> Any:
        """The answer of the desk's method `what`. RuleFault or SetupError as there; EOFError where it was ended."""
        with self._lock:
            connection = self._started()
            try:
                connection.send((what, given))
                is_good, answer = connection.recv()
            except OSError as fault:
                raise EOFError(str(fault)) from fault
        if is_good:
            return answer
        raise SetupError(answer)

    def end(self) -> None:
        """End the process, whatever it does; whoever waits for it gets EOFError."""
        process, connection = self._process, self._connection
        self._process = self._connection = None
        if process is not None and connection is not None:
            process.kill()
            process.join(_ENDING)
            connection.close()

    def _started(self) -> Connection:
        if self._process is None or not self._process.is_alive() or self._connection is None:
            context = spawn_context()
            ours, theirs = context.Pipe()
            self._process = context.Process(target=_answer_all, args=(theirs, self.target), daemon=True)
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
        return plain(odds_answer(stage_of(self._rules().as_played(game), lang), game, key, most, throws))

    def _rules(self) -> Rules:
        from interpreter.facade.rules import load

        self.rules = self.rules or load(self.target)
        return self.rules

    def _game(self, position: Position) -> Game:
        from interpreter.runtime.state import restore

        game = self._rules().start(scenario=position.scenario or None, seed=position.seed, record=False)
        restore(game.state, dict(position.state))
        game.program = game.state.program
        return game


def _answer_all(connection: Connection, target: str) -> None:
    """Answer until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server that started it ends it
    desk = Desk(target)
    while True:
        try:
            what, given = connection.recv()
        except (EOFError, OSError):
            return
        try:
            answer = True, getattr(desk, what)(*given)
        except (SetupError, RuleFault) as fault:
            answer = False, str(fault)
        except Exception as fault:
            answer = False, f"{type(fault).__name__}: {fault}"
        connection.send(answer)
