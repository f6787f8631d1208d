"""Entry point of `grognard` and of `python -m interpreter`.

Imports no other module of the package until a keyboard interrupt can be reported.
"""

from __future__ import annotations

import gc
import os
import sys

INTERRUPTED = 130  # the exit code that shells expect after an interrupt


def drop_working_directory() -> None:
    """Remove the working directory from the import path, where `python -m` puts it.

    Python files in a ruleset's folder must not be imported. The entry stays when this package itself lies
    in it, which means that the user runs a checkout of this project.
    """
    here = os.getcwd()
    package_parent = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if not sys.flags.safe_path and sys.path and sys.path[0] in ("", here) and here != package_parent:
        del sys.path[0]


def run() -> int:
    """Run the command line and return its exit code."""
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
    drop_working_directory()
    sys.exit(run())
