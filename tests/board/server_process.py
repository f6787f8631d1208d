"""`grognard serve` in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def serve_process(folder: Path, *arguments: str, handles: int = 0) -> Iterator[subprocess.Popen[str]]:
    """Run a server in a process of its own; `handles` limits its file handles."""

    def limit_handles() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_NOFILE, (handles, handles))

    process = subprocess.Popen(
        [sys.executable, "-m", "interpreter", "serve", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(folder)},
        preexec_fn=limit_handles if handles else None,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(PATIENCE)
