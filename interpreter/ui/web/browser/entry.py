"""Entry point of the web workers: creates the object that a JSON request names, on the bundle in the worker's files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.api.bundle import load_bundle
from interpreter.ui.web.browser.local_game import StartDefaults
from interpreter.ui.web.browser.session import BrowserSession, BrowserThinker

if TYPE_CHECKING:
    from interpreter.ui.web.browser.workshop import Workshop

BUNDLE = Path("/bundle")
SOURCES = Path("/engine")


def open_worker(start_json: str) -> BrowserSession | BrowserThinker | Workshop:
    """Return the object of a worker's role ("board", "thinker" or "workshop"); `start_json`: its settings as JSON.

    Files are read from the worker's own file system.
    """
    start = json.loads(start_json)
    if start["role"] == "workshop":
        from interpreter.ui.web.browser.workshop import Workshop

        return Workshop(SOURCES / start["target"], start["extends"], start["lang"])
    return open_on_bundle({path.name: path.read_bytes() for path in BUNDLE.iterdir()}, start)


def open_on_bundle(bundle: Mapping[str, bytes], settings: Mapping[str, Any]) -> BrowserSession | BrowserThinker:
    """Return the session of the board or, for the role "thinker", a worker beside it.

    `bundle`: the files of the compiled rules by name; `settings`: the settings.
    """
    rules = load_bundle(bundle, settings["name"])
    if settings["role"] == "thinker":
        return BrowserThinker(rules)
    start = settings["defaults"]
    defaults = StartDefaults(start["players"], start["scenario"], tuple(start["options"]))
    return BrowserSession(rules, defaults, settings["lang"], settings["code"], settings["journal"], settings["lesson"])
