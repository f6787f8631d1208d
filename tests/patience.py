"""Time limit for events that a test waits for: far longer than any of them takes, even on a busy machine.

Tests of events that must not happen use no clock.
"""

from __future__ import annotations

PATIENCE = 120.0  # seconds
