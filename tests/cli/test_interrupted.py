"""Test interrupts while the program is still being imported, and input in an unexpected encoding."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter import __main__ as door
from interpreter.cli import main as module
from tests.patience import PATIENCE
from tests.processes import wait_for_cpu_time

from .conftest import ROOT, Run


def test_interrupt_at_start_is_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "main", interrupted)
    assert door.run() == door.INTERRUPTED
    assert capsys.readouterr().err == "\ngrognard: stopped\n"


WITHOUT_DASK = "import sys; sys.modules['distributed'] = None; from interpreter.__main__ import run; sys.exit(run())"


@pytest.mark.parametrize(("after", "program"), [(0.2, ["-c", WITHOUT_DASK]), (0.9, ["-m", "interpreter"])])
def test_interrupted_at_start_of_workers(tiny: Path, after: float, program: list[str]) -> None:
    started = subprocess.Popen(
        [sys.executable, *program, "simulate", str(tiny), "-n", "200000", "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests in the background ignore interrupts
    )
    wait_for_cpu_time(started, after)
    os.killpg(started.pid, signal.SIGINT)
    _out, err = started.communicate(timeout=PATIENCE)
    assert started.returncode in (130, -signal.SIGINT) and "Traceback" not in err, err


def test_input_in_utf_16_is_reported(run: Run, tiny: Path) -> None:
    done = run("play", tiny, "--seed", "1", fed="r\0e\0s\0t\0\n\ufffd\ufffd\nquit\n")
    assert done.out.count("not valid UTF-8") == 2


def test_undecodable_input_ends_game_without_traceback(tiny: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "interpreter", "play", str(tiny), "--seed", "1"],
        input=b"rest\nquit\n",
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-16"},
    )
    assert done.returncode == 0
    told = done.stdout.decode("utf-16", "replace") + done.stderr.decode("utf-16", "replace")
    assert "Traceback" not in told and "a bug in grognard:" not in told
