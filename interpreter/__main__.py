"""`python -m interpreter` is `grognard`. Must not do anything when it is imported."""

from __future__ import annotations

import sys

from interpreter.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
