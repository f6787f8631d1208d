"""How long a test waits for what must come: far longer than it takes anywhere, so that a busy machine fails none.

What must not come is waited for by no clock. Tests nothing.
"""

from __future__ import annotations

import time
from subprocess import Popen
from typing import Any

PATIENCE = 600.0  # seconds


def at_work(process: Popen[Any], seconds: float) -> None:
    """Until a process has worked for so long by its own clock, however little of the machine it is given."""
    import psutil

    until = time.monotonic() + PATIENCE
    try:
        its = psutil.Process(process.pid)
        while process.poll() is None and time.monotonic() < until and sum(its.cpu_times()[:2]) < seconds:
            time.sleep(0.02)
    except psutil.NoSuchProcess:
        return
