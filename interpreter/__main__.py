"""The program's door, for `grognard` and for `python -m interpreter`. Must not do anything when it is imported.

Imports nothing of its own before an interrupt from the keyboard can be told.
"""

from __future__ import annotations

import gc
import sys

INTERRUPTED = 130  # as a shell expects of whoever was stopped from the keyboard


def run() -> int:
    """Run the command line; its exit code."""
    try:
        from interpreter.cli.main import main

        return main()
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("\ngrognard: stopped\n")
        return INTERRUPTED
    finally:
        gc.freeze()  # Python's own end would look through all that is held, several times, for what goes away anyway


if __name__ == "__main__":
    sys.exit(run())
