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


def open_worker(given: str) -> BrowserSession | BrowserThinker | Workshop:
    """Return the object of a worker's role ("board", "thinker" or "workshop"); `given`: its settings as JSON.

    Files are read from the worker's own file system.
    """
    wanted = json.loads(given)
    if wanted["role"] == "workshop":
        from interpreter.ui.web.browser.workshop import Workshop

        return Workshop(SOURCES / wanted["target"], wanted["extends"], wanted["lang"])
    return open_on_bundle({path.name: path.read_bytes() for path in BUNDLE.iterdir()}, wanted)


def open_on_bundle(bundle: Mapping[str, bytes], wanted: Mapping[str, Any]) -> BrowserSession | BrowserThinker:
    """Return the session of the board or, for the role "thinker", a worker beside it.

    `bundle`: the files of the compiled rules by name; `wanted`: the settings.
    """
    rules = load_bundle(bundle, wanted["name"])
    if wanted["role"] == "thinker":
        return BrowserThinker(rules)
    start = wanted["defaults"]
    defaults = StartDefaults(start["players"], start["scenario"], tuple(start["options"]))
    return BrowserSession(rules, defaults, wanted["lang"], wanted["code"], wanted["journal"], wanted["lesson"])
