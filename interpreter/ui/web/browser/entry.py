"""Entry point for the web workers: opens what a JSON text asks for on the bundle in the worker's own file system."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from interpreter.api.bundle import load_bundle
from interpreter.ui.web.browser.local_game import StartDefaults
from interpreter.ui.web.browser.session import BrowserSession, BrowserThinker

BUNDLE = Path("/bundle")


def opened(given: str) -> BrowserSession | BrowserThinker:
    """Return the board's session or the second worker, on the bundle of the worker's file system."""
    return opened_on({path.name: path.read_bytes() for path in BUNDLE.iterdir()}, json.loads(given))


def opened_on(bundle: Mapping[str, bytes], wanted: Mapping[str, Any]) -> BrowserSession | BrowserThinker:
    """Return the board's session or, for the role "thinker", the second worker, on a bundle."""
    rules = load_bundle(bundle, wanted["name"])
    if wanted["role"] == "thinker":
        return BrowserThinker(rules)
    start = wanted["defaults"]
    defaults = StartDefaults(start["players"], start["scenario"], tuple(start["options"]))
    return BrowserSession(rules, defaults, wanted["lang"], wanted["code"], wanted["journal"])
