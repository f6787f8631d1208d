"""Exported pages in Firefox, driven through its own remote protocol (package `marionette_driver`)."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.export.test_exported_pages import replayed, serve as serve
from tests.patience import PATIENCE

marionette = pytest.importorskip("marionette_driver.marionette", reason="needs the package marionette_driver")
FIREFOX = shutil.which("firefox") or shutil.which("firefox-esr")
pytestmark = [pytest.mark.soak, pytest.mark.skipif(FIREFOX is None, reason="needs Firefox")]
CHOICES = 5


class FirefoxPage:
    """A page in Firefox; `js` evaluates an expression there."""

    def __init__(self, client) -> None:
        self.client = client

    def js(self, expression: str):
        return self.client.execute_script(f"return {expression}", sandbox=None)

    def wait(self, condition: str) -> None:
        end = time.monotonic() + PATIENCE
        while not self.js(condition):
            assert time.monotonic() < end, condition
            time.sleep(0.1)

    def saved(self) -> dict:
        return self.client.execute_async_script(
            "const [done] = arguments; grognard.request('GET', '/api/saved').then((a) => done(JSON.parse(a.body)));",
            sandbox=None,
        )


@pytest.fixture
def open_firefox(tmp_path: Path) -> Iterator[Callable[[str], FirefoxPage]]:
    """Return a function that opens an address in a Firefox with a new profile."""
    words = [FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", str(tmp_path / "profile")]
    (tmp_path / "profile").mkdir()
    (tmp_path / "profile" / "user.js").write_text('user_pref("marionette.port", 0);\n')
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    port_file = tmp_path / "profile" / "MarionetteActivePort"
    end = time.monotonic() + PATIENCE
    while not port_file.exists() or not port_file.read_text().strip():
        assert time.monotonic() < end, "Firefox does not start"
        time.sleep(0.1)
    client = marionette.Marionette(host="127.0.0.1", port=int(port_file.read_text()))
    client.start_session()
    client.timeout.script = client.timeout.page_load = PATIENCE

    def opened(address: str) -> FirefoxPage:
        client.navigate(address)
        page = FirefoxPage(client)
        page.wait("Boolean(globalThis.grognard?.marks && document.querySelector('[data-option]'))")
        return page

    yield opened
    process.kill()
    process.wait()


@pytest.mark.parametrize("form", ["napoleon.html", "napoleon"])
def test_page_plays_saves_and_reloads_in_firefox(exported, open_firefox, serve, form: str) -> None:
    """As one file from a disk and as a folder of a web server; the journal replays here to the same hashes."""
    path = exported("napoleon", form)
    page = open_firefox(path.as_uri() if path.is_file() else serve(path))
    for _ in range(CHOICES):
        before = page.js("document.body.dataset.version")
        page.js("[...document.querySelectorAll('[data-option]')].find((b) => b.offsetParent).click()")
        page.wait(f"document.body.dataset.version !== '{before}' || document.querySelector('#alert .anyway')")
        page.js("document.querySelector('#alert .anyway')?.click()")
        page.wait("document.querySelector('#prompt').classList.contains('yours') && grognard.isSaved")
    before = page.saved()
    page.client.refresh()
    page.wait("Boolean(globalThis.grognard?.marks && document.querySelector('[data-option]'))")
    assert page.saved()["journal"] == before["journal"]
    assert len(replayed(before["journal"]).keys) == before["choices"] >= CHOICES
