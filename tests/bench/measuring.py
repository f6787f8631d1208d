"""Command line of the benchmarks that have several measures, each a function of the number of rounds."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping


def measure(measures: Mapping[str, Callable[[int], None]], description: str | None) -> None:
    """Run the measures that the command line names, by default the first one, and print their results."""
    arguments = argparse.ArgumentParser(description=description)
    arguments.add_argument("what", nargs="*", choices=[*measures, []], default=[next(iter(measures))])
    arguments.add_argument("--rounds", type=int, default=3)
    given = arguments.parse_args()
    for what in given.what:
        measures[what](given.rounds)
