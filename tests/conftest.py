"""How tests are run: what is compiled once serves all, and nobody looks for waste again and again. Tests nothing."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile

import pytest

from tests import recordings

gc.disable()  # thousands of tests are found, and all of them stay


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew", action="store_true", help="write the recorded texts of the tests that run again")


def pytest_configure(config: pytest.Config) -> None:
    """All workers share a cache: the one that is named, or one of this run's own."""
    recordings.is_renewing = config.getoption("--renew")
    if recordings.is_renewing and config.getoption("numprocesses", None):
        raise pytest.UsageError("--renew writes one file for each module: leave out -n")
    os.fsync = lambda number: None  # no test pulls the plug: nobody waits for the disk
    if "GROGNARD_CACHE" not in os.environ:
        os.environ["GROGNARD_CACHE"] = folder = tempfile.mkdtemp(prefix="grognard-tests.")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    # each test has a home of its own, but the fonts of this machine are looked through once for all
    os.environ.setdefault("MPLCONFIGDIR", os.path.join(os.environ["GROGNARD_CACHE"], "fonts"))


@pytest.fixture
def anyio_backend() -> str:
    """Tests that are coroutines (`pytest.mark.anyio`) run in asyncio, as the board and the full screen do."""
    return "asyncio"


def pytest_collection_finish() -> None:
    """What is there before the first test stays to the end; only what tests make is gone through, and seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 200, 100)  # few at a time, which the processor has at hand
    gc.enable()


def pytest_sessionfinish() -> None:
    """What is left goes with the process: nobody looks through all of it, as pytest would do five times."""
    gc.disable()
    gc.freeze()
