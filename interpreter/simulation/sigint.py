"""Interrupts from the keyboard while other processes work: they are for the process that was started, and for no other.

Must not know what is worked at.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread

from interpreter.files.safe_processes import protect_children


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Processes that are started meanwhile hear of no interrupt, not even while they import; this one hears it after.

    Where the system knows no such thing (Windows) a worker may still say something when it is stopped at its start.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker  # wanted by whoever starts processes, and by nobody else

    protect_children()  # the tracker is a process too
    resource_tracker.ensure_running()  # to start it among the others would let interrupts through to them
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """A second interrupt would only break off the clearing up."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
