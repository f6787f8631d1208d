"""`grognard serve`: a game on a board in the browser, for people on this machine or a network, and bots."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_language, add_start, seats_by_player
from interpreter.cli.failures import GOOD, UsageError
from interpreter.cli.output import say, tell
from interpreter.files.system_words import said_by_system
from interpreter.words.speech import mark as _
from interpreter.words.speech import speaker

if TYPE_CHECKING:
    from interpreter.faces.board.served_game import ServedGame

HELP = _("play a game on a board in the browser")
_PORTS = 65_535
_LOCAL = "127.0.0.1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "target",
        metavar=_("RULESET | GAME"),
        help=_("a ruleset for a new game, or a saved game by its name or its file"),
    )
    parser.add_argument(
        "--side",
        metavar=_("SIDE=PLAYER"),
        action="append",
        default=[],
        help=_(
            "who plays a side or seat: human, random, greedy, search, search:200 (playouts a decision), search:2s"
            " (time a decision) (default: human for all)"
        ),
    )
    add_start(parser)
    parser.add_argument("--port", metavar=_("N"), type=port, default=0, help=_("the port (default: any free one)"))
    parser.add_argument(
        "--host",
        metavar=_("H"),
        default=_LOCAL,
        help=_("the address to listen at; 0.0.0.0 lets others on the network play (default: this machine alone)"),
    )
    parser.add_argument("--open", action="store_true", help=_("open the page in the browser"))
    add_language(parser)


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
            _(
                "the board needs two packages more; install them with: {command}",
                command="pip install 'grognard[board]'",
            )
        ) from None
    from interpreter.faces.board.running import bound_socket

    try:
        listening = bound_socket(arguments.host, arguments.port)
    except OSError as problem:
        raise UsageError(
            _(
                "cannot listen at {host}, port {port}: {problem}",
                host=arguments.host,
                port=arguments.port,
                problem=said_by_system(problem),
            )
        ) from None
    with listening:
        return _serve(arguments, listening)


def _serve(arguments: argparse.Namespace, listening: object) -> int:
    import socket

    from interpreter.faces.board.application import application
    from interpreter.faces.board.doors import Doors
    from interpreter.faces.board.room import Room
    from interpreter.faces.board.running import run_server
    from interpreter.faces.board.seat_links import HOST, keyring

    assert isinstance(listening, socket.socket)
    served = _opened(arguments)
    doors = Doors(keyring())
    room = Room(served, str(served.keeper.path.resolve()) if served.keeper.path else served.version)
    doors.open(room)
    host, number = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host if host not in ("0.0.0.0", "::") else socket.gethostname()
    secret = next(link.secret for link in doors.links(room) if link.role == HOST)
    address = f"http://{shown}:{number}/?seat={secret}"

    def begin() -> None:
        say(address)
        _flush()
        room.wake_bots()
        if arguments.open:
            import webbrowser

            webbrowser.open(address)

    try:
        run_server(application(doors, arguments.lang, (socket.gethostname(),)), listening, begin, room.close)
    finally:
        served.close()
    tell(speaker(arguments.lang)("stopped"))
    return GOOD


def _opened(arguments: argparse.Namespace) -> ServedGame:
    """The game that is named: a ruleset's new one, or a saved one."""
    from interpreter.facade.rules import load
    from interpreter.faces.board.opening import new_game
    from interpreter.players.bots.roster import BOTS, HUMAN
    from interpreter.players.bots.seating import seats_of, side_seats

    said = speaker(arguments.lang)
    rules = load(arguments.target)
    table = rules.start(scenario=arguments.scenario, options=arguments.option, seed=0)
    players = seats_by_player(arguments.side, seats_of(table), side_seats(table), (HUMAN, *BOTS), "")
    return new_game(rules, said, players, arguments.scenario, arguments.option, arguments.seed)


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()
