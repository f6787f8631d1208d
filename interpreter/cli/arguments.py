"""Arguments that several commands share, and how their words are read.

Must not know what a ruleset holds; whether a named side or option exists is judged later.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from interpreter.cli.failures import UsageError
from interpreter.source.suggestion import did_you_mean

_MOST_DIGITS = 150  # a seed must fit the dice


def add_format(parser: argparse.ArgumentParser) -> None:
    """--format text|json."""
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="how results are written; JSON goes alone to the output (default: text)",
    )


def add_start(parser: argparse.ArgumentParser) -> None:
    """--scenario, --option and --seed: how a game starts."""
    parser.add_argument(
        "--scenario", metavar="S", help="the scenario's id (default: the ruleset's own default)"
    )
    parser.add_argument(
        "--option",
        metavar="O",
        action="append",
        default=[],
        help="an optional rule: its id, or id=value; may be repeated",
    )
    parser.add_argument(
        "--seed",
        metavar="N",
        type=seed,
        default=None,
        help="the number the dice come from; the same seed gives the same dice",
    )


def add_language(parser: argparse.ArgumentParser) -> None:
    """--lang: in which language the ruleset's words are shown."""
    parser.add_argument(
        "--lang",
        metavar="L",
        default="",
        help="language of the ruleset's words, such as en or ja (default: its own first)",
    )


def seed(text: str) -> int:
    """A whole number, not absurdly long."""
    try:
        if len(text) > _MOST_DIGITS:
            raise ValueError
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expected a whole number of at most {_MOST_DIGITS} digits, found {text[:40]!r}"
        ) from None


def count(text: str) -> int:
    """A whole number from 1."""
    if not text.isascii() or not text.isdigit() or len(text) > 12 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1, found {text[:40]!r}")
    return int(text)


def seats_by_player(
    given: Sequence[str],
    seats: Sequence[str],
    seat_of_side: dict[str, str],
    players: Sequence[str],
    default: str,
) -> dict[str, str]:
    """Who plays each seat, from words like "reds=random" or "reds=search:50".

    A seat may be named by itself or by one of its sides; UsageError for anything unknown, and for
    a seat given to two players.
    """
    from interpreter.players.roster import player_fault

    chosen: dict[str, str] = {}
    for word in given:
        name, parted, player = word.partition("=")
        if not parted or not name or not player:
            raise UsageError(f"--side {word}: expected SIDE=PLAYER, such as {seats[0]}={players[0]}")
        if fault := player_fault(player, players):
            raise UsageError(f"--side {word}: {fault}")
        seat = name if name in seats else seat_of_side.get(name)
        if seat is None:
            known = [*seats, *(s for s in seat_of_side if s not in seats)]
            raise UsageError(f"--side {word}: there is no side or seat `{name}`; {_known(name, known)}")
        if chosen.setdefault(seat, player) != player:
            raise UsageError(f"--side {word}: {seat} is played by {chosen[seat]} already")
    return {s: chosen.get(s, default) for s in seats}


def _known(word: str, known: Sequence[str]) -> str:
    return did_you_mean(word, known) or "known here: " + ", ".join(known)
