"""Shared settings of the test run: one program cache for all workers, no home, and few garbage collections."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile

import pytest

from tests import recordings

gc.disable()  # collection creates thousands of objects, all of which survive


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew", action="store_true", help="write the recorded texts of the tests that run again")


def pytest_configure(config: pytest.Config) -> None:
    """Give all workers one cache: the one that is named, or one of this run's own."""
    recordings.is_renewing = config.getoption("--renew")
    if recordings.is_renewing and config.getoption("numprocesses", None):
        raise pytest.UsageError("--renew writes one file for each module: leave out -n")
    os.fsync = lambda number: None  # no test cuts the power, so no write waits for the disk
    if "GROGNARD_CACHE" not in os.environ:
        os.environ["GROGNARD_CACHE"] = folder = tempfile.mkdtemp(prefix="grognard-tests.")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    # games that a test saves without a folder of its own lie beside neither the user's nor another worker's
    os.environ["XDG_DATA_HOME"] = saved = tempfile.mkdtemp(prefix="grognard-saved.")
    config.add_cleanup(lambda: shutil.rmtree(saved, ignore_errors=True))
    # each test has a home of its own, but all share one scan of this machine's fonts
    os.environ.setdefault("MPLCONFIGDIR", os.path.join(os.environ["GROGNARD_CACHE"], "fonts"))


@pytest.fixture
def anyio_backend() -> str:
    """Run coroutine tests (`pytest.mark.anyio`) in asyncio, as the board and the full screen do."""
    return "asyncio"


def pytest_collection_finish() -> None:
    """Freeze all objects that exist before the first test: the collector scans only what tests make, and seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 200, 100)  # a small young generation stays in the processor's cache
    gc.enable()


def pytest_sessionfinish() -> None:
    """Skip the final collections: pytest would scan every object five times, and the process ends anyway."""
    gc.disable()
    gc.freeze()
