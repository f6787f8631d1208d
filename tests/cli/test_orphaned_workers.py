"""Worker processes end with the process that started them, also where that is killed and can tell them nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil

from tests.patience import PATIENCE, wait_until
from tests.processes import cpu_seconds, is_ended, list_descendants

ROOT = Path(__file__).resolve().parents[2]
WITHOUT_DASK = (
    "import sys; sys.modules['distributed'] = None; sys.argv[0] = 'grognard'; "
    "from interpreter.__main__ import run; sys.exit(run())"
)


def test_workers_end_when_their_parent_is_killed(tmp_path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WITHOUT_DASK, "simulate", "napoleon", "-n", "100000", "--jobs", "2"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(tmp_path)},
    ) as parent:
        watched = psutil.Process(parent.pid)

        def find_busy_workers() -> list[psutil.Process]:
            assert parent.poll() is None
            workers = list_descendants(watched)
            return workers if sum(cpu_seconds(worker) > 0.5 for worker in workers) >= 2 else []

        workers = wait_until(find_busy_workers, "two workers play")
        parent.kill()
        parent.wait(PATIENCE)
        wait_until(lambda: all(map(is_ended, workers)), "the workers end")


def test_every_module_that_starts_workers_makes_them_end_with_it() -> None:
    starting = [
        path
        for path in (ROOT / "interpreter").rglob("*.py")
        if "spawn_context()" in path.read_text(encoding="utf-8") and path.name != "safe_processes.py"
    ]
    assert starting
    assert [path for path in starting if "begin_worker" not in path.read_text(encoding="utf-8")] == []
