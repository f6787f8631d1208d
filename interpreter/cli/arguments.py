"""Arguments shared by several commands, and the parsers of their values.

Independent of any ruleset: whether a named side or option exists is checked later.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from interpreter.cli.errors import UsageError
from interpreter.files.assets import resolve_target
from interpreter.i18n.translator import mark as _

WHICH = _("a built-in ruleset, its variant or scenario as ID/NAME, a folder, or a variant or scenario file")
_MAX_DIGITS = 150  # the random generator accepts seeds of this length


def add_flag(parser: argparse.ArgumentParser, name: str, help: str) -> None:
    """Add a boolean flag."""
    parser.add_argument(name, action="store_true", help=help)


def add_number(
    parser: argparse.ArgumentParser,
    name: str,
    help: str,
    default: object = None,
    dest: str | None = None,
    holds: str = _("N"),
) -> None:
    """Add an option that takes a whole number from 1.

    `dest`: the attribute that holds the number, by default the option's name; `holds`: its placeholder in the help.
    """
    parser.add_argument(name, metavar=holds, type=parse_count, default=default, dest=dest, help=help)


def add_list(parser: argparse.ArgumentParser, name: str, holds: str, help: str) -> None:
    """Add a repeatable option with a value; `holds` is its placeholder in the help."""
    parser.add_argument(name, metavar=holds, action="append", default=[], help=help)


def add_file(parser: argparse.ArgumentParser, name: str, help: str) -> None:
    """Add an option or argument that takes a file name."""
    parser.add_argument(name, metavar=_("FILE"), help=help)


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add --format text|json."""
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help=_("output format; json prints only JSON to standard output (default: text)"),
    )


def add_ruleset(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names the ruleset."""
    add_target(parser, "ruleset", _("RULESET"), WHICH)


def add_target(parser: argparse.ArgumentParser, name: str, metavar: str, help: str, nargs: str | None = None) -> None:
    """Add an argument or option that takes a target, and record that it does in `target_arguments`.

    `metavar`: its placeholder in the help.
    """
    argument = parser.add_argument(name, metavar=metavar, nargs=nargs, type=resolve_target, help=help)
    parser.set_defaults(target_arguments=(*(parser.get_default("target_arguments") or ()), argument.dest))


def list_given_targets(arguments: argparse.Namespace) -> list[str]:
    """Return the targets on the command line without repetitions, in the order of their arguments."""
    values = [getattr(arguments, name) for name in getattr(arguments, "target_arguments", ())]
    return list(dict.fromkeys(t for v in values if v is not None for t in (v if isinstance(v, list) else [v])))


def add_sides(parser: argparse.ArgumentParser) -> None:
    """Add --side, which assigns a player to a side."""
    add_list(
        parser,
        "--side",
        _("SIDE=PLAYER"),
        _(
            "player of a side or seat: human, random, greedy, search, search:200 (at most 200 playouts per "
            "decision), search:2s (at most 2 seconds per decision) (default: human for all)"
        ),
    )


def add_start(parser: argparse.ArgumentParser) -> None:
    """Add --scenario, --option and --seed, which define the start of a game."""
    parser.add_argument("--scenario", metavar=_("S"), help=_("scenario id (default: set by the ruleset)"))
    add_list(parser, "--option", _("O"), _("optional rule: its id, or id=value; may be repeated"))
    parser.add_argument(
        "--seed", metavar=_("N"), type=parse_seed, help=_("seed of the dice; the same seed gives the same rolls")
    )


def add_max_decisions(parser: argparse.ArgumentParser) -> None:
    """Add --max-decisions, the limit after which a game of bots is cut off."""
    add_number(
        parser,
        "--max-decisions",
        _("maximum number of decisions per game (default: 100000)"),
        default=100_000,
        holds=_("M"),
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add --jobs, the number of worker processes."""
    add_number(
        parser,
        "--jobs",
        _("number of processes; the result does not depend on it (default: 1)"),
        default=1,
        holds=_("J"),
    )


def add_scheduler(parser: argparse.ArgumentParser) -> None:
    """Add --scheduler, the address of a Dask scheduler whose workers play."""
    parser.add_argument(
        "--scheduler",
        metavar=_("ADDRESS"),
        default="",
        help=_("run the games on the workers of a Dask scheduler, such as tcp://host:8786 (needs the extra `lab`)"),
    )


def add_batch(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of every batch of games: length limit, workers, start and output format."""
    add_max_decisions(parser)
    add_jobs(parser)
    add_scheduler(parser)
    add_start(parser)
    add_format(parser)


def add_language(parser: argparse.ArgumentParser, of_a_command: bool = True) -> None:
    """Add --lang, the language of messages and of the ruleset's words.

    `of_a_command`: False for the parser before the command, which also accepts the option.
    """
    parser.add_argument(
        "--lang",
        metavar=_("L"),
        default=argparse.SUPPRESS if of_a_command else "",
        help=_(
            "language of the program and the ruleset, such as en or ja (default: English, and the ruleset's "
            "own language)"
        ),
    )


def parse_seed(text: str) -> int:
    """Parse a seed: a whole number of limited length."""
    try:
        if len(text) > _MAX_DIGITS:
            raise ValueError
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            _("expected a whole number of at most {most} digits, found {found!r}", most=_MAX_DIGITS, found=text[:40])
        ) from None


def parse_count(text: str) -> int:
    """Parse a whole number from 1."""
    if not _is_whole_number(text) or int(text) < 1:
        raise argparse.ArgumentTypeError(_("expected a whole number of 1 or more, found {found!r}", found=text[:40]))
    return int(text)


def parse_number_from_0(text: str) -> int:
    """Parse a whole number from 0."""
    if not _is_whole_number(text):
        raise argparse.ArgumentTypeError(_("expected a whole number of 0 or more, found {found!r}", found=text[:40]))
    return int(text)


def _is_whole_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 12


def parse_seat_players(
    words: Sequence[str],
    seats: Sequence[str],
    seat_of_side: dict[str, str],
    players: Sequence[str],
    default: str,
    option: str = "--side",
    strip_settings: Callable[[str], str] = str,
) -> dict[str, str]:
    """Return the player of each seat, parsed from words like "reds=random" or "reds=search:50".

    A seat may be named by itself or by one of its sides. `players`: the allowed players; `default`: the player of seats
    that no word names; `option`: the option that error messages name; `strip_settings`: strips the text after a
    player's name. Raises UsageError for unknown names and for a seat assigned to two players.
    """
    from interpreter.diagnostics.suggestions import suggest_words
    from interpreter.players.bots.registry import check_player_name

    chosen: dict[str, str] = {}
    for word in words:
        name, parted, player = word.partition("=")
        if not parted or not name or not player:
            raise UsageError(
                "{where} {word}: expected SIDE=PLAYER, such as {example}",
                where=option,
                word=word,
                example=f"{seats[0]}={players[0]}",
            )
        if fault := check_player_name(strip_settings(player), players):
            raise UsageError("{where} {word}: {fault}", where=option, word=word, fault=fault)
        seat = name if name in seats else seat_of_side.get(name)
        if seat is None:
            names = [*seats, *(s for s in seat_of_side if s not in seats)]
            raise UsageError(
                "{where} {word}: the side or seat `{name}` does not exist{hint}",
                where=option,
                word=word,
                name=name,
                hint=suggest_words(name, names, all_of_them=True),
            )
        if chosen.setdefault(seat, player) != player:
            raise UsageError(
                "{where} {word}: {player} already plays {seat}", where=option, word=word, seat=seat, player=chosen[seat]
            )
    return {s: chosen.get(s, default) for s in seats}
