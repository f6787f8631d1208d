"""Test cancelled work: dropped from its queue, ended with its process, and blocking no other work."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import closing, suppress
from pathlib import Path

import psutil
import pytest

pytest.importorskip("starlette", reason="the extra `board` is not installed")

from interpreter.api.game import load
from interpreter.ui.web.access_tokens import Requester
from interpreter.ui.web.api_errors import ApiError
from interpreter.ui.web.background_work import build_sent_position
from interpreter.ui.web.work_queue import WorkQueue
from interpreter.ui.web.worker_process import Worker
from tests.patience import PATIENCE, wait_until
from tests.processes import cpu_seconds, is_ended, is_resource_tracker, list_descendants
from tests.tiny import write

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).resolve().parents[2]
SEARCHING = ("--side", "allies=search:3600s", "--side", "france=search:3600s")
RULES = """
turn:
    phase only:
        choose gamble by reds "now?":
            option dare: nothing
            option wait: nothing
        end game drawn
"""


class Gate:
    """Jobs that note when they begin, and end when the gate is opened."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.opened = threading.Event()

    def job(self, name: str):
        def run() -> str:
            self.begun.append(name)
            assert self.opened.wait(PATIENCE)
            return name

        return run


async def begun(gate: Gate, *names: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while sorted(gate.begun) != sorted(names):
            await asyncio.sleep(0.01)


async def test_queue_drops_waiting_job_when_its_caller_is_cancelled():
    queue, gate = WorkQueue(1, 9, 9), Gate()
    first, second, third = (asyncio.ensure_future(queue.run(n, gate.job(n))) for n in "abc")
    await begun(gate, "a")
    second.cancel()
    with suppress(asyncio.CancelledError):
        await second
    gate.opened.set()
    assert [await first, await third] == ["a", "c"]
    assert gate.begun == ["a", "c"]


async def test_queue_keeps_thread_of_abandoned_job_until_it_ends():
    queue, gate = WorkQueue(1, 9, 9), Gate()
    first = asyncio.ensure_future(queue.run("a", gate.job("a")))
    await begun(gate, "a")
    first.cancel()
    second = asyncio.ensure_future(queue.run("b", gate.job("b")))
    await asyncio.sleep(0)
    assert gate.begun == ["a"], "two jobs would run in a queue of one"
    gate.opened.set()
    assert await second == "b"


async def test_queue_runs_one_job_of_asker_and_lets_others_in_between():
    queue, gate = WorkQueue(2, 9, 99), Gate()
    flood = [asyncio.ensure_future(queue.run("flood", gate.job("flood"))) for _ in range(9)]
    await begun(gate, "flood")
    assert await queue.run("other", lambda: "answered") == "answered"
    assert gate.begun == ["flood"]
    gate.opened.set()
    assert await asyncio.gather(*flood) == ["flood"] * 9


async def test_queue_refuses_more_than_its_bounds():
    queue, gate = WorkQueue(1, 3, 4), Gate()
    taken = [asyncio.ensure_future(queue.run(n, gate.job(n))) for n in "aaabb"]
    await begun(gate, "a")
    with pytest.raises(ApiError) as too_many:
        await queue.run("a", gate.job("a"))
    with pytest.raises(ApiError) as busy:
        await queue.run("c", gate.job("c"))
    assert (too_many.value.status, busy.value.status) == (429, 503)
    gate.opened.set()
    await asyncio.gather(*taken)


async def test_queue_begins_nothing_after_it_was_closed():
    queue, gate = WorkQueue(1, 9, 9), Gate()
    first, second = (asyncio.ensure_future(queue.run(n, gate.job(n))) for n in "ab")
    await begun(gate, "a")
    queue.close()
    gate.opened.set()
    assert await first == "a"
    for job in (second, queue.run("c", gate.job("c"))):
        with pytest.raises(ApiError):
            await job
    assert gate.begun == ["a"]


async def test_queue_propagates_exception_of_job():
    queue = WorkQueue(1, 9, 9)
    with pytest.raises(ZeroDivisionError):
        await queue.run("a", lambda: 1 // 0)
    assert await queue.run("a", lambda: 1) == 1


def test_scene_is_built_once_for_simultaneous_requests(serve, monkeypatch):
    table = serve("napoleon")
    made, scene = [], table.served.get_scene

    def counted(*given):
        made.append(given)
        return scene(*given)

    monkeypatch.setattr(table.served, "get_scene", counted)

    async def play() -> None:
        asking = [asyncio.ensure_future(table.room.get_scene(Requester("onlooker", "", ""))) for _ in range(300)]
        await asyncio.sleep(0)
        for one in asking[:200]:
            one.cancel()
        bodies = await asyncio.gather(*asking[200:], table.room.get_scene(Requester("host", "", "")))
        assert len({body.plain for body in bodies}) == 2
        await asyncio.gather(*asking, return_exceptions=True)

    asyncio.run(play())
    assert sorted(by.role for (by,) in made) == ["host", "onlooker"]


def ask(lobby_server, address: str, path: str) -> socket.socket:
    """Send a question over a connection of its own, and wait for no answer."""
    host, _, secret = address.removeprefix("http://").partition("/?seat=")
    asking = socket.create_connection(lobby_server.listening.getsockname(), PATIENCE)
    asking.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {secret}\r\n\r\n".encode())
    return asking


def answer(lobby_server, address: str, path: str) -> bytes:
    """Return the first bytes of the answer to a request."""
    with closing(ask(lobby_server, address, path)) as asking:
        return asking.recv(100)


def test_board_answers_others_while_onlooker_floods_and_leaves(lobby_server, monkeypatch):
    addresses = lobby_server.addresses("napoleon")
    room = lobby_server.registry.find_access(addresses["host"].partition("seat=")[2]).channel
    gate, answered = Gate(), room.queries.answer
    report = gate.job("report")
    monkeypatch.setattr(
        room.queries, "answer", lambda what, *rest: report() if what == "report" else answered(what, *rest)
    )
    flood = [ask(lobby_server, addresses["onlooker"], "/api/ask/report") for _ in range(100)]
    wait_until(lambda: gate.begun)
    assert answer(lobby_server, addresses["host"], "/api/ask/briefing").startswith(b"HTTP/1.1 200")
    for asking in flood:
        asking.close()
    wait_until(lambda: not room._query_queue._waiting)
    gate.opened.set()
    assert answer(lobby_server, addresses["onlooker"], "/api/ask/briefing").startswith(b"HTTP/1.1 200")
    assert gate.begun == ["report"], "what nobody waited for was begun"


def test_odds_end_their_process_when_their_asker_leaves(lobby_server, tmp_path, monkeypatch):
    addresses = lobby_server.addresses(str(write(tmp_path, RULES)))
    room = lobby_server.registry.find_access(addresses["host"].partition("seat=")[2]).channel
    position = build_sent_position(room.served.copy_game())
    hour = {"red_seat": "search:3600s"}
    monkeypatch.setattr(room.queries, "compute_quick_odds", lambda key, lang: (None, position))
    monkeypatch.setattr(
        room.queries,
        "compute_slow_odds",
        lambda position, key, lang, apart: apart.choose(position, "red_seat", hour, 0),
    )
    began = set(psutil.Process().children())
    asking = [ask(lobby_server, addresses["onlooker"], "/api/ask/odds?key=dare") for _ in range(4)]
    wait_until(lambda: len(room._odds_queue._running) == 1 and len(room._odds_queue._waiting) == 3)
    pid = wait_until(lambda: next((one._process.pid for one in list(room._workers) if one._connection), None))
    process = psutil.Process(pid)
    for one in asking:
        one.close()
    wait_until(lambda: is_ended(process))
    wait_until(lambda: not (room._odds_queue._running or room._odds_queue._waiting or room._workers), "no work is left")
    started = [one for one in psutil.Process().children() if one not in began and not is_resource_tracker(one)]
    wait_until(lambda: all(map(is_ended, started)), "no process is left")


def test_worker_starts_no_process_after_shutdown():
    apart = Worker("napoleon")
    apart.end()
    with pytest.raises(EOFError):
        apart.compute_odds(build_sent_position(load("napoleon").start(seed=1)), "pass", "", 10, 10)
    assert apart._process is None


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_processes_of_server_end_with_it_however_it_ends(tmp_path, how):
    with subprocess.Popen(
        [sys.executable, "-m", "interpreter", "serve", "napoleon", *SEARCHING],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(tmp_path)},
    ) as server:
        server.stdout.readline()
        watched = psutil.Process(server.pid)
        wait_until(lambda: any(cpu_seconds(child) > 0.5 for child in list_descendants(watched)))
        children = list_descendants(watched)
        server.send_signal(how)
        server.wait(PATIENCE)
        wait_until(lambda: all(map(is_ended, children)))
        own = (
            b"This is the host's link",
            b"Each choice is saved",
            b"Every choice is saved",
            b"To stop the board",
            b"Stopped; continue with",
        )
        assert [line for line in server.stderr.read().splitlines() if not line.startswith(own)] == []
