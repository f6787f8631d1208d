"""Time limit for events that a test waits for: far longer than any of them takes, even on a busy machine.

Tests of events that must not happen use no clock.
"""

from __future__ import annotations

import time
from subprocess import Popen
from typing import Any

PATIENCE = 120.0  # seconds


def at_work(process: Popen[Any], seconds: float) -> None:
    """Wait until a process and its children have used `seconds` of CPU time, however slowly they are scheduled."""
    import psutil

    until = time.monotonic() + PATIENCE
    try:
        its = psutil.Process(process.pid)
        while process.poll() is None and time.monotonic() < until:
            if sum(sum(one.cpu_times()[:2]) for one in (its, *its.children(recursive=True))) >= seconds:
                return
            time.sleep(0.05)
    except psutil.NoSuchProcess:
        return
