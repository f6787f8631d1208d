"""Child processes that never import from the working directory.

A ruleset folder is data from strangers, and a user may stand in it. A spawned interpreter puts the working
directory first on its import path, so a file named `pickle.py` there would be executed. `PYTHONSAFEPATH`
(the environment form of `python -P`) turns that off. `interpreter.__main__` does the same for its own process.
"""

from __future__ import annotations

import os
from multiprocessing import get_context
from multiprocessing.context import SpawnContext


def protect_children() -> None:
    """Make every interpreter that this process starts from now on ignore the working directory."""
    os.environ["PYTHONSAFEPATH"] = "1"


def spawn_context() -> SpawnContext:
    """Return the multiprocessing context for workers: spawned, and safe in a folder of strangers' files."""
    protect_children()
    return get_context("spawn")
