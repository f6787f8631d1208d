"""Child processes that never import from the working directory and never outlive their parent.

A ruleset folder is untrusted data, and may be the user's working directory. A spawned interpreter puts the working
directory first on its import path, so a file named `pickle.py` there would be executed. `PYTHONSAFEPATH` (the
environment form of `python -P`) prevents that. `interpreter.__main__` does the same for its own process.

A killed parent cannot end its children, so each child watches its parent itself.
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


def get_spawn_context() -> SpawnContext:
    """Return the multiprocessing context for workers: spawned, and safe in an untrusted working directory."""
    from multiprocessing import get_context

    protect_children()
    return get_context("spawn")


def begin_worker() -> None:
    """Prepare a worker process: ignore keyboard interrupts, which the parent handles, and exit with the parent."""
    from multiprocessing import parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is None:
        return

    def exit_with_parent() -> None:
        parent.join()  # returns when the parent has ended for any reason
        os._exit(1)

    Thread(target=exit_with_parent, daemon=True).start()
