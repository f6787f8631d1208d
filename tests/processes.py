"""Processes that a test watches, which may end between two looks, and ports that no other test takes."""

from __future__ import annotations

import os
import secrets
import socket
from subprocess import Popen
from typing import Any

import psutil

from tests.patience import wait_until

# Below the ports that boards choose (from 20000) and those of outgoing connections: nobody takes one by chance.
_FIRST_PORT, _PORTS_OF_WORKER = 10_000, 500


def cpu_seconds(process: psutil.Process) -> float:
    """Return the CPU time that a process has used in user mode, in seconds, or 0.0 if it has ended."""
    try:
        return process.cpu_times().user
    except psutil.NoSuchProcess:
        return 0.0


def is_ended(process: psutil.Process) -> bool:
    """Return True if a process has ended, also if its number has been given to another or nobody has waited for it."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def is_resource_tracker(process: psutil.Process) -> bool:
    """Return True for the helper of `multiprocessing`, which lives as long as the process that started it."""
    try:
        return "resource_tracker" in str(process.cmdline())
    except psutil.NoSuchProcess:
        return False


def list_descendants(process: psutil.Process) -> list[psutil.Process]:
    """Return the processes that a process and its descendants have started, without those that have ended."""
    try:
        return [one for one in process.children(recursive=True) if not is_ended(one)]
    except psutil.NoSuchProcess:
        return []


def wait_for_cpu_time(process: Popen[Any], seconds: float) -> None:
    """Wait until a process and its descendants have used `seconds` of CPU time, however slowly they are scheduled."""
    own = psutil.Process(process.pid)

    def is_reached() -> bool:
        assert process.poll() is None, f"the process ended before it had used {seconds} s of CPU time"
        return sum(map(cpu_seconds, (own, *list_descendants(own)))) >= seconds

    wait_until(is_reached, f"{seconds} s of CPU time")


def find_free_port() -> int:
    """Return a port of this machine that is free, and that no other worker of the test run is given."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    first = _FIRST_PORT + worker % 20 * _PORTS_OF_WORKER
    while True:
        port = first + secrets.randbelow(_PORTS_OF_WORKER)
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) != 0:
                return port
