"""Worker process for bots and slow odds, so that the server stays responsive.

Requests and answers are plain data; the process can be killed at any moment.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from multiprocessing.connection import Connection
from threading import Lock
from typing import TYPE_CHECKING, Any

from interpreter.files.safe_processes import begin_worker, get_spawn_context
from interpreter.runtime.errors import RuleFault, SetupError
from interpreter.simulation.sigint import block_interrupts
from interpreter.ui.web.background_work import SentPosition, WorkerError, WorkerService

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

_ENDING = 0.5  # seconds to wait for a killed process


class Worker:
    """Handle of a process that has loaded one ruleset; it starts at the first call and answers one at a time."""

    def __init__(self, target: str) -> None:
        self.target = target
        self._calling = Lock()
        self._changing = Lock()  # held while the process is started or ended
        self._is_ended = False
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    def choose(self, position: SentPosition, seat: str, players: Mapping[str, str], decisions: int) -> int:
        """Return the number of the option that a seat's bot chooses; see `WorkerService.choose`."""
        number: int = self._call("choose", position, seat, players, decisions)
        return number

    def compute_odds(self, position: SentPosition, key: str, lang: str, most: int, throws: int) -> object:
        """Return the odds of an option's outcomes as JSON data; see `WorkerService.compute_odds`."""
        return self._call("compute_odds", position, key, lang, most, throws)

    def _call(self, method: str, *arguments: object) -> Any:  # noqa: ANN401 - what the method returns
        """Call a method of the process's WorkerService and return its answer.

        Re-raises its RuleFault and SetupError; raises WorkerError for other errors, EOFError if the process was ended.
        """
        with self._calling:
            connection = self._ensure_started()
            try:
                connection.send((method, arguments))
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
        if self._calling.acquire(blocking=False):  # else the waiting call sees the end and closes it
            connection.close()
            self._calling.release()

    def _ensure_started(self) -> Connection:
        """Return the connection to the process, which is started if it is not alive. Raises EOFError after `end`."""
        with self._changing:
            if self._is_ended:
                raise EOFError("ended")
            if self._process is None or not self._process.is_alive() or self._connection is None:
                context = get_spawn_context()
                ours, theirs = context.Pipe()
                self._process = context.Process(target=_serve, args=(theirs, self.target), daemon=True)
                with block_interrupts():
                    self._process.start()
                theirs.close()
                self._connection = ours
            return self._connection


def _to_picklable(fault: SetupError) -> SetupError:
    """Return a picklable form of an error, in English if its arguments cannot be pickled."""
    try:
        pickle.dumps(fault.message)
    except Exception:  # pickling may raise anything
        return SetupError(str(fault))
    return SetupError(fault.message)


def _serve(connection: Connection, target: str) -> None:
    """Answer calls about games of the ruleset `target` until the connection closes."""
    begin_worker()
    service = WorkerService(target)
    while True:
        try:
            method, arguments = connection.recv()
        except (EOFError, OSError):
            return
        answer: tuple[bool, Any]
        try:
            answer = True, getattr(service, method)(*arguments)
        except SetupError as fault:
            answer = False, _to_picklable(fault)
        except RuleFault as fault:
            position = fault.file, fault.line, fault.column, fault.stack
            answer = False, RuleFault(fault.message, *position, is_exhausted=fault.is_exhausted)
        except Exception as fault:
            answer = False, WorkerError(f"{type(fault).__name__}: {fault}")
        try:
            connection.send(answer)
        except OSError:
            return
