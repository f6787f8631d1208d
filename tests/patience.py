"""How long a test waits for what must come: far longer than it takes anywhere, so that a busy machine fails none.

What must not come is waited for by no clock. Tests nothing.
"""

from __future__ import annotations

import time
from subprocess import Popen
from typing import Any

PATIENCE = 120.0  # seconds


def at_work(process: Popen[Any], seconds: float) -> None:
    """Until a process and those it began have worked for so long by their own clocks, however little they are given."""
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
