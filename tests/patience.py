"""Waiting for states: a condition is polled until it holds, however busy the machine is.

Tests of events that must not happen use no clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 120.0  # seconds; far longer than any awaited event takes, even on a busy machine
_PAUSE = 0.02  # seconds between two looks

_T = TypeVar("_T")


def wait_until(condition: Callable[[], _T], expected: str = "") -> _T:
    """Poll a condition until its value is true and return that value; fail after PATIENCE with what was `expected`."""
    end = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < end, f"not within {PATIENCE:.0f} seconds: {expected or condition}"
        time.sleep(_PAUSE)
    return value
