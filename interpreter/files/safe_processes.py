"""Child processes that never import from the working directory, and never outlive the process that started them.

A ruleset folder is data from strangers, and a user may stand in it. A spawned interpreter puts the working
directory first on its import path, so a file named `pickle.py` there would be executed. `PYTHONSAFEPATH`
(the environment form of `python -P`) turns that off. `interpreter.__main__` does the same for its own process.

A parent that is killed cannot end its children, so each child watches its parent itself.
"""

from __future__ import annotations

import os
import signal
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.context import SpawnContext


def protect_children() -> None:
    """Make every interpreter that this process starts from now on ignore the working directory."""
    os.environ["PYTHONSAFEPATH"] = "1"


def spawn_context() -> SpawnContext:
    """Return the multiprocessing context for workers: spawned, and safe in a folder of strangers' files."""
    from multiprocessing import get_context

    protect_children()
    return get_context("spawn")


def begin_worker() -> None:
    """Prepare a worker process: ignore keyboard interrupts, which are for its parent, and end with the parent."""
    from multiprocessing import parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is None:
        return

    def end_with_parent() -> None:
        parent.join()  # returns when the parent has ended, however it ended
        os._exit(1)

    Thread(target=end_with_parent, daemon=True).start()
