"""Processes that a test watches, which may end between two looks."""

from __future__ import annotations

import time
from subprocess import Popen
from typing import Any

import psutil

from tests.patience import PATIENCE


def cpu_seconds(process: psutil.Process) -> float:
    """Return the CPU time that a process has used in user mode, in seconds, or 0.0 if it has ended."""
    try:
        return process.cpu_times().user
    except psutil.NoSuchProcess:
        return 0.0


def is_ended(process: psutil.Process) -> bool:
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def list_descendants(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def wait_for_cpu_time(process: Popen[Any], seconds: float) -> None:
    """Wait until a process and its descendants have used `seconds` of CPU time, however slowly they are scheduled."""
    until = time.monotonic() + PATIENCE
    own = psutil.Process(process.pid)
    while process.poll() is None and time.monotonic() < until:
        if sum(map(cpu_seconds, (own, *list_descendants(own)))) >= seconds:
            return
        time.sleep(0.05)
