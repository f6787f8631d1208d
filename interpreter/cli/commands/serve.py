"""`grognard serve`: a game on a board in the browser, for people on this machine or a network, and bots."""

from __future__ import annotations

import argparse
import os
import socket
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_flag, add_sides, add_start, seats_by_player
from interpreter.cli.failures import GOOD, UsageError
from interpreter.cli.output import say
from interpreter.cli.saves import found_game
from interpreter.files.assets import named_target, shipped_rulesets
from interpreter.files.installing import install_command
from interpreter.files.system_words import said_by_system
from interpreter.words.speech import mark as _, speaker

if TYPE_CHECKING:
    from interpreter.faces.board.served_game import ServedGame

HELP = _("play a game on a board in the browser")
_PORTS = 65_535
_LOCAL = "127.0.0.1"
_ANY = ("0.0.0.0", "::")  # all addresses of this machine
_LAST = 0.3  # seconds in which work under way may still end


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "target",
        metavar=_("RULESET | GAME"),
        nargs="?",
        type=named_target,
        help=_("a ruleset for a new game, or a saved game by its name or its file (default: a list of your games)"),
    )
    add_sides(parser)
    add_start(parser)
    parser.add_argument("--port", metavar=_("N"), type=port, default=0, help=_("the port (default: any free one)"))
    parser.add_argument(
        "--host",
        metavar=_("H"),
        default=_LOCAL,
        help=_("the address to listen at; 0.0.0.0 lets others on the network play (default: this machine alone)"),
    )
    add_flag(parser, "--open", _("open the page in the browser"))


def port(text: str) -> int:
    """A port's number; 0 takes a free one."""
    if not text.isascii() or not text.isdigit() or len(text) > 5 or int(text) > _PORTS:
        raise argparse.ArgumentTypeError(
            _("expected a port from 0 to {most}, found {found!r}", most=_PORTS, found=text[:40])
        )
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    """Serve until stopped."""
    try:
        import starlette  # noqa: F401 - an extra
        import uvicorn  # noqa: F401
    except ImportError:
        raise UsageError(
            "the board needs two packages more; install them with: {command}", command=install_command("board")
        ) from None
    from interpreter.faces.board.running import bound_socket

    try:
        listening = bound_socket(arguments.host, arguments.port)
    except OSError as problem:
        raise UsageError(
            "cannot listen at {host}, port {port}: {problem}",
            host=arguments.host,
            port=arguments.port,
            problem=said_by_system(problem),
        ) from None
    with listening:
        return _serve(arguments, listening)


def _serve(arguments: argparse.Namespace, listening: socket.socket) -> int:
    from interpreter.faces.board.application import application
    from interpreter.faces.board.doors import Doors
    from interpreter.faces.board.lobby import Lobby
    from interpreter.faces.board.running import run_server
    from interpreter.faces.board.seat_links import HOST, keyring

    keys = keyring()
    doors = Doors(keys)
    lobby = Lobby(doors, keys)
    secret = lobby.secret
    if arguments.target is not None:
        room = lobby.let_in(_opened(arguments))
        secret = next(link.secret for link in doors.links(room) if link.role == HOST)
    host, number = listening.getsockname()[:2]
    names = () if host in ("127.0.0.1", "::1") else (socket.gethostname(),)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{names[0] if names and host in _ANY else shown}:{number}/?seat={secret}"

    def begin() -> None:
        say(address)
        if sys.stdout is not None:
            sys.stdout.flush()
        for room in doors.rooms.values():
            room.wake_bots()
            room.warm()
        if arguments.open:
            import webbrowser

            webbrowser.open(address)

    def leave() -> None:
        for room in doors.rooms.values():
            room.close()

    try:
        chosen = lobby if arguments.target is None else None
        run_server(application(doors, arguments.lang, names, chosen), listening, begin, leave)
    finally:
        for room in doors.rooms.values():
            room.served.close()
    _end()
    return GOOD


def _end() -> None:
    """End now: a program that still thinks, or odds that are still worked out, are not waited for."""
    waiting = [t for t in threading.enumerate() if t is not threading.main_thread() and not t.daemon]
    for thread in waiting:
        thread.join(_LAST / len(waiting))
    if any(thread.is_alive() for thread in waiting):
        if sys.stdout is not None:
            sys.stdout.flush()
        os._exit(GOOD)


def _opened(arguments: argparse.Namespace) -> ServedGame:
    """The game that is named: a ruleset's new one, or a saved one."""
    from interpreter.facade.rules import load
    from interpreter.faces.board.opening import new_game
    from interpreter.players.belonging import seats_of, side_seats
    from interpreter.players.bots.roster import BOTS, HUMAN

    said = speaker(arguments.lang)
    path = _saved(arguments.target)
    if path is not None:
        return _resumed(arguments, path)
    rules = load(arguments.target)
    table = rules.start(scenario=arguments.scenario, options=arguments.option, seed=0)
    players = seats_by_player(arguments.side, seats_of(table), side_seats(table), (HUMAN, *BOTS), "")
    return new_game(rules, said, players, arguments.scenario, arguments.option, arguments.seed)


def _resumed(arguments: argparse.Namespace, path: Path) -> ServedGame:
    """A saved game, with the players that are named now."""
    from interpreter.faces.board.opening import resumed_game
    from interpreter.players.bots.roster import BOTS, HUMAN

    if arguments.scenario or arguments.option or arguments.seed is not None:
        raise UsageError("a saved game goes on as it was started; leave out --scenario, --option, --seed")

    def players(seats: Sequence[str], seat_of_side: dict[str, str]) -> dict[str, str]:
        return seats_by_player(arguments.side, seats, seat_of_side, (HUMAN, *BOTS), "")

    return resumed_game(path, speaker(arguments.lang), players)


def _saved(target: str) -> Path | None:
    """The file of a saved game that is called like this; None for what is a ruleset."""
    from interpreter.saves.storage import ENDING, name_fault, named_journal

    if target in shipped_rulesets():
        return None
    if target.endswith(ENDING):
        return found_game(target)
    own = named_journal(target) if not name_fault(target) else None
    return own if own is not None and own.exists() and not Path(target).exists() else None
