"""Redirect file that opens a page in the browser without a token on a command line, which any user can read.

The browser opens a file that only its owner can read and that redirects to the page.
"""

from __future__ import annotations

import os
import secrets
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from interpreter.diagnostics.html_markup import build_tag

_SECONDS = 60.0  # enough for a slow browser start


class RedirectFile:
    """A file that redirects a browser to an address; it is deleted after a minute or when the server ends."""

    def __init__(self, address: str, failed: Callable[[], None]) -> None:
        """Open the address in the system's browser; call `failed`, perhaps from another thread, if that fails."""
        self.path = write_redirect(address)
        if self.path is None:
            failed()
            return
        self._timer = threading.Timer(_SECONDS, self.delete)
        self._timer.daemon = True
        self._timer.start()
        threading.Thread(target=_open, args=(self.path.as_uri(), failed), daemon=True).start()

    def delete(self) -> None:
        """Delete the file, if it still exists."""
        if self.path is not None:
            self._timer.cancel()
            with suppress(OSError):
                self.path.unlink(missing_ok=True)


def _open(uri: str, failed: Callable[[], None]) -> None:
    """Open `uri` in the browser and call `failed` if that fails; blocks while a browser runs in the terminal."""
    try:
        if webbrowser.open(uri):
            return
    except (webbrowser.Error, OSError):
        pass
    failed()


def write_redirect(address: str) -> Path | None:
    """Write a redirect to an address, readable by its owner alone; return None if it cannot be written.

    The file lies in the user's home: a browser installed as a snap can read there, but not in hidden folders or
    `/tmp`.
    """
    head = build_tag(
        "head",
        build_tag("meta", charset="utf-8"),
        build_tag("title", "Grognard"),
        build_tag("meta", name="referrer", content="no-referrer"),
        build_tag("meta", http_equiv="refresh", content=f"0; url={address}"),
    )
    link = build_tag("a", "Grognard", href=address)
    page = f"<!doctype html>\n{build_tag('html', head, build_tag('body', link), lang='en')}\n"
    try:
        path = Path.home() / f"grognard-open-{secrets.token_hex(4)}.html"
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(page.encode("utf-8"))
    except (OSError, RuntimeError):
        return None
    return path
