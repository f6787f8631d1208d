"""Keyboard interrupts while worker processes run: only the main process handles them."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread

from interpreter.files.safe_processes import protect_children


@contextmanager
def block_interrupts() -> Iterator[None]:
    """Block SIGINT while worker processes start, so that they inherit the block; deliver it to this process afterwards.

    On systems without signal masks (Windows) a worker may print a message if it is interrupted while it starts.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker  # needed only where processes are started

    protect_children()  # the tracker is a process too
    resource_tracker.ensure_running()  # starting it with the workers would let interrupts through to them
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def ignore_interrupts() -> Iterator[None]:
    """Ignore SIGINT during clean-up, which a second interrupt would only break off."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
