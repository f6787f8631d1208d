"""Load test of a served game with many spectators: the latency of their polls, and of the player's choices.

    python -m tests.soak.spectators [RULESET [SPECTATORS [SECONDS]]]

Each spectator has a connection of its own and polls once a second for a newer scene. Meanwhile a player makes one
choice after another; the player's times are first measured without spectators.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
_CHOICES = 40


@dataclass
class Asker:
    """A kept-alive connection of one player or spectator."""

    host: str
    port: int
    secret: str
    tag: str = ""
    times: list[float] = field(default_factory=list)
    wrong: int = 0
    fresh: int = 0

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)

    async def ask(self, method: str, path: str, body: object = None, headers: str = "") -> tuple[int, bytes]:
        sent = b"" if body is None else json.dumps(body).encode()
        kind = "Content-Type: application/json\r\n" if body is not None else ""
        self.writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nAuthorization: Bearer {self.secret}\r\n"
            f"Accept-Encoding: gzip\r\n{kind}{headers}Content-Length: {len(sent)}\r\n\r\n".encode()
            + sent
        )
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status, length = int(head.split(" ", 2)[1]), 0
        for line in head.split("\r\n")[1:]:
            name, _, value = line.partition(":")
            if name.lower() == "content-length":
                length = int(value)
            if name.lower() == "etag":
                self.tag = value.strip()
        return status, await self.reader.readexactly(length) if status != 304 else b""

    async def poll(self) -> None:
        """Request the scene if it has changed."""
        start = perf_counter()
        status, _body = await self.ask("GET", "/api/scene", headers=f"If-None-Match: {self.tag}\r\n")
        self.times.append(perf_counter() - start)
        self.wrong += status not in (200, 304)
        self.fresh += status == 200


async def look_on(asker: Asker, begin: float, end: float) -> None:
    """Poll once a second."""
    await asyncio.sleep(max(0.0, begin - perf_counter()))
    number = 0
    while perf_counter() < end:
        await asker.poll()
        number += 1
        await asyncio.sleep(max(0.0, begin + number - perf_counter()))


async def play(player: Asker, pause: float) -> list[float]:
    """Make choices one after another, waiting until bots have chosen; return how long each choice took."""
    times = []
    for number in range(_CHOICES):
        while True:
            _status, body = await player.ask("GET", "/api/scene", headers="Accept-Encoding: identity\r\n")
            scene = json.loads(_unpacked(body))
            if scene["may_choose"]:
                break
            await asyncio.sleep(0.05)
        options = scene["decision"]["options"]
        start = perf_counter()
        status, _body = await player.ask("POST", "/api/choose", {"key": options[number * 7 % len(options)]["key"]})
        times.append(perf_counter() - start)
        assert status == 200, _body
        await asyncio.sleep(pause)
    return times


def _unpacked(body: bytes) -> bytes:
    import gzip

    return gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body


def share(times: list[float], part: float) -> float:
    """Return the time, in milliseconds, below which this share of all times lies."""
    return 1000 * sorted(times)[min(len(times) - 1, int(part * len(times)))] if times else 0.0


def memory(pid: int) -> int:
    """Return the resident memory of a process in megabytes, or 0 if it is unknown."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) // 1024
    return 0


@dataclass
class Measured:
    """Polls of spectators and choices of a player; times in milliseconds, memory in megabytes."""

    polls: int
    per_second: float
    wrong: int
    fresh: int
    poll_median: float
    poll_p99: float
    alone_median: float
    alone_worst: float
    watched_median: float
    watched_worst: float
    memory_begun: int
    memory_ended: int


async def _measure(address: str, pid: int, spectators: int, seconds: float) -> Measured:
    parts, secret = urlsplit(address), address.partition("seat=")[2]
    host, port = parts.hostname or "", parts.port or 0
    player = Asker(host, port, secret)
    await player.open()
    _status, body = await player.ask("GET", "/api/seats")
    onlooker = json.loads(_unpacked(body))["links"][-1]["path"].partition("seat=")[2]
    begun = memory(pid)
    alone = await play(player, 0.02)
    askers = [Asker(host, port, onlooker) for _ in range(spectators)]
    for asker in askers:
        await asker.open()
    start = perf_counter() + 0.2
    looking = [
        asyncio.create_task(look_on(asker, start + number / spectators, start + seconds))
        for number, asker in enumerate(askers)
    ]
    watched: list[float] = []
    while perf_counter() < start + seconds - 2:
        watched += await play(player, 0.02)
    await asyncio.gather(*looking)
    times = [time for asker in askers for time in asker.times]
    for asker in [player, *askers]:
        asker.writer.close()
    return Measured(
        len(times), len(times) / seconds, sum(a.wrong for a in askers), sum(a.fresh for a in askers),
        share(times, 0.5), share(times, 0.99), share(alone, 0.5), share(alone, 1), share(watched, 0.5),
        share(watched, 1), begun, memory(pid),
    )  # fmt: skip


def measured(ruleset: str, spectators: int, seconds: float) -> Measured:
    """Measure a new game that is served by a process of its own and in which only the player plays."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "interpreter", "serve", ruleset, "--seed", "3"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": folder},
        )
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            return asyncio.run(_measure(address, process.pid, spectators, seconds))
        finally:
            process.terminate()
            process.wait(20)


def main() -> None:
    ruleset, spectators, seconds = [*sys.argv[1:], *["denain-1712", "500", "12"][len(sys.argv) - 1 :]]
    found = measured(ruleset, int(spectators), float(seconds))
    print(
        f"{ruleset}, {spectators} look on: {found.polls} polls, {found.per_second:.0f} a second, {found.wrong} wrong,"
    )
    print(f"  {found.fresh} of them with a new scene; median {found.poll_median:.1f} ms, p99 {found.poll_p99:.1f} ms")
    print(f"  a choice, alone: median {found.alone_median:.0f} ms, worst {found.alone_worst:.0f} ms")
    print(f"  a choice, looked on at: median {found.watched_median:.0f} ms, worst {found.watched_worst:.0f} ms")
    print(f"  memory of the server: {found.memory_begun} MB, afterwards {found.memory_ended} MB")


if __name__ == "__main__":
    main()
