"""Implement `grognard export`: write a game as a web page that opens without an installation."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_list, add_ruleset, parse_seat_players
from interpreter.cli.errors import GOOD, prepare_output
from interpreter.cli.output import log, print_line
from interpreter.i18n.translator import get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.i18n.translator import Translator

HELP = _("export a game as a page that anybody can open")
_MEGABYTE = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_ruleset(parser)
    parser.add_argument(
        "--out",
        metavar=_("DIR | FILE.html | FILE.zip"),
        type=Path,
        required=True,
        help=_("a folder for a web server, one file to send, or an archive to upload"),
    )
    add_list(
        parser,
        "--side",
        _("SIDE=PLAYER"),
        _(
            "player of a side or seat in a visitor's first game: human, random, greedy, search:50 (at most 50 playouts "
            "per decision) (default: human for the first seat, greedy for the others)"
        ),
    )
    parser.add_argument(
        "--scenario", metavar=_("S"), help=_("scenario of a visitor's first game (default: the ruleset's default)")
    )
    add_list(parser, "--option", _("O"), _("optional rule: its id, or id=value; may be repeated"))


def run(arguments: argparse.Namespace) -> int:
    """Export a ruleset."""
    from interpreter.api.bundle import FORMS, PLAY, format_compiled_name, pack_rules
    from interpreter.api.loading import load
    from interpreter.ui.web.export.kit import load_kit
    from interpreter.ui.web.export.site import ExportedGame, build_site
    from interpreter.ui.web.export.sources import pack_sources
    from interpreter.ui.web.export.writing import write_export

    say, kit = get_translator(arguments.lang), load_kit()
    rules = load(arguments.ruleset, checked=True)
    players = _choose_players(rules, arguments)
    bundle = pack_rules(arguments.ruleset, FORMS if format_compiled_name(PLAY) == f"{PLAY}.{kit.tag}" else ())
    sources = pack_sources(arguments.ruleset, rules)
    game = ExportedGame(rules, bundle, sources, players, arguments.scenario or "", arguments.option, arguments.lang)
    files = build_site(game, kit)
    with prepare_output(arguments.out):
        size = write_export(files, arguments.out)
    _print_instructions(arguments.out, size, rules, say)
    return GOOD


def _choose_players(rules: Rules, arguments: argparse.Namespace) -> Mapping[str, str]:
    """Return the player (human or bot) of each seat in a visitor's first game."""
    from interpreter.players.bots.registry import BOTS, HUMAN
    from interpreter.players.ownership import list_seats, map_sides_to_seats

    table = rules.start(scenario=arguments.scenario, options=arguments.option, seed=0)
    seats = list_seats(table)
    if not arguments.side:
        return {seat: "greedy" if number else HUMAN for number, seat in enumerate(seats)}
    return parse_seat_players(arguments.side, seats, map_sides_to_seats(table), (HUMAN, *BOTS), HUMAN)


def _print_instructions(out: Path, size: int, rules: Rules, say: Translator) -> None:
    """Print the file written, how to use it, and the publisher's responsibilities; `size` is in bytes."""
    title, megabytes = rules.title(), size / _MEGABYTE
    print_line(say("{file}: {title}, {size:.1f} MB", file=out, title=title, size=megabytes))
    match out.suffix.lower():
        case ".html" | ".htm":
            log(say("Send this file or copy it to a USB stick: it opens in a browser, also without a network."))
        case ".zip":
            log(say("Upload this archive to itch.io as a game that is played in the browser."))
        case _:
            log(say("Upload this folder to a web server such as GitHub Pages; from a disk it does not open."))
            folder = shlex.quote(str(out))
            log(say("To try it on this computer: python -m http.server --directory {folder}", folder=folder))
    log(
        say(
            "The page contains the rules and charts of the ruleset, also as files. You are responsible for publishing "
            "them: make sure that you have the right to."
        )
    )
