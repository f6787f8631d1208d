"""The kit and the pages that tests export, and a browser that opens them with the network cut off."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.runtime.errors import SetupError
from interpreter.ui.web.export.kit import Kit, load_kit
from tests.browsers import BROWSER, NO_BROWSER
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


def build_module():
    """Return the script that builds the kit, as a module."""
    sys.path.insert(0, str(ROOT / ".ci" / "kit"))
    spec = importlib.util.spec_from_file_location("kit_build", ROOT / ".ci" / "kit" / "build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def kit() -> Kit:
    """Return the kit of these sources, built unless it exists; skip where it cannot be built, with the reason."""
    try:
        return load_kit()
    except SetupError:
        build = build_module()
    from filelock import FileLock

    with FileLock(ROOT / ".ci" / "kit" / ".building", timeout=PATIENCE):
        try:
            build.build(build.OUT, if_changed=True)
        except build.BuildError as problem:
            pytest.skip(f"the kit of exported pages cannot be built here: {problem}")
    return load_kit()


@pytest.fixture(scope="session")
def exported(kit: Kit, tmp_path_factory) -> Callable[..., Path]:
    """Return a function that exports a game, once for all tests: `exported("napoleon", "napoleon.html", ...)`."""
    made: dict[tuple[str, ...], Path] = {}

    def export(*words: str) -> Path:
        if words not in made:
            target, out, *more = words
            path = tmp_path_factory.mktemp("exported") / out
            assert main(["export", target, "--out", str(path), *more]) == 0
            made[words] = path
        return made[words]

    return export


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    """Yield the system's browser, headless."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra `dev`)")
    if BROWSER is None:
        pytest.skip(NO_BROWSER)
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=BROWSER, timeout=PATIENCE * 1000)
        yield found
        found.close()


@pytest.fixture
def open_page(browser) -> Iterator[Callable[..., object]]:
    """Yield a function that opens a page in a browser of its own: `open_page(address, near="http://...")`.

    `near` is the address that the page may request. At the end, check that nothing else was requested
    and that no page failed.
    """
    contexts, asked, wrong = [], [], []

    def opening(address: str, near: str = "file:", context=None, there="[data-option]:visible", **look):
        own = context or browser.new_context(**look)
        if context is None:
            contexts.append(own)
            own.route("**/*", lambda route: allow(route, near))
        page = own.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.on("console", lambda told: wrong.append(told.text) if told.type in ("error", "warning") else None)
        page.on("pageerror", lambda fault: wrong.append(str(fault)))
        page.goto(address)
        page.wait_for_selector(there)
        return page

    def allow(route, near: str) -> None:
        if route.request.url.startswith((near, "data:", "blob:")):
            route.continue_()
        else:
            asked.append(route.request.url)
            route.abort()

    yield opening
    for context in contexts:
        context.close()
    assert (asked, wrong) == ([], [])
