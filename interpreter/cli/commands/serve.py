"""Implement `grognard serve`: a game in the browser for people on this machine or a network, and bots."""

from __future__ import annotations

import argparse
import gc
import os
import shlex
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_flag, add_sides, add_start, add_target, parse_seat_players
from interpreter.cli.errors import GOOD, UsageError
from interpreter.cli.output import log, print_line
from interpreter.cli.saves import find_game
from interpreter.files.assets import list_shipped_rulesets
from interpreter.files.installing import get_install_command
from interpreter.files.os_errors import format_os_error
from interpreter.i18n.translator import get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.i18n.translator import Translator
    from interpreter.ui.web.lobby import Lobby
    from interpreter.ui.web.network.addresses import BoardAddress
    from interpreter.ui.web.network.public_url import PublicUrl
    from interpreter.ui.web.served_game import ServedGame

HELP = _("play a game on a board in the browser")
_PORTS = 65_535
_LOCAL = "127.0.0.1"
_MAX_REPORTS = 5  # distinct unknown host names reported
_GRACE = 0.3  # seconds that running work gets to finish


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_target(
        parser,
        "target",
        _("RULESET | GAME"),
        _("ruleset for a new game, or a saved game by its name or file (default: a list of your games)"),
        nargs="?",
    )
    add_sides(parser)
    add_start(parser)
    parser.add_argument(
        "--port",
        metavar=_("N"),
        type=parse_port,
        help=_("port, or 0 for any free one (default: the last port of the game, otherwise a free one)"),
    )
    parser.add_argument(
        "--host",
        metavar=_("H"),
        default=_LOCAL,
        help=_("address to listen on; 0.0.0.0 lets others on the network play (default: this computer only)"),
    )
    parser.add_argument(
        "--public-url",
        metavar=_("URL"),
        type=parse_public_url_argument,
        help=_("public address of the board behind a proxy or tunnel, such as https://game.example.org/board"),
    )
    add_flag(parser, "--open", _("open the page in the browser"))


def parse_port(text: str) -> int:
    """Parse a port number; 0 selects a free one."""
    if not text.isascii() or not text.isdigit() or len(text) > 5 or int(text) > _PORTS:
        raise argparse.ArgumentTypeError(
            _("expected a port from 0 to {most}, found {found!r}", most=_PORTS, found=text[:40])
        )
    return int(text)


def parse_public_url_argument(text: str) -> PublicUrl:
    """Parse the address of a proxy."""
    from interpreter.ui.web.network.public_url import PublicUrl, parse_public_url

    url = parse_public_url(text)
    if not isinstance(url, PublicUrl):
        raise argparse.ArgumentTypeError(url)
    return url


def run(arguments: argparse.Namespace) -> int:
    """Serve a game, or the list of games, in the browser until the server is stopped."""
    try:
        import starlette  # noqa: F401 - an extra
        import uvicorn  # noqa: F401
    except ImportError:
        raise UsageError(
            "the board needs two more packages; to install them: {command}", command=get_install_command("board")
        ) from None
    say = get_translator(arguments.lang)
    path = None if arguments.target is None else _find_saved_game(arguments.target)
    ports = _list_former_ports(arguments, path)
    with _open_socket(arguments, ports) as listening:
        number = listening.getsockname()[1]
        if arguments.port is None and ports and number != ports[0]:
            log(
                say(
                    "another program uses port {port}, the last port of this board, so the board uses port "
                    "{number}; earlier links work again after a restart while port {port} is free",
                    port=ports[0],
                    number=number,
                )
            )
        return _serve(arguments, listening, path, ports)


def _list_former_ports(arguments: argparse.Namespace, path: Path | None) -> tuple[int, ...]:
    """Return the ports at which the game in the file `path`, or the list of games, was served before; () if unknown."""
    from interpreter.ui.web.network.game_records import recall_game, recall_list_ports

    if arguments.target is None:
        return recall_list_ports()
    record = None if path is None else recall_game(path)
    return () if record is None else record.ports


def _open_socket(arguments: argparse.Namespace, ports: Sequence[int]) -> socket.socket:
    from interpreter.ui.web.network.ports import bind_first_free, bind_socket

    try:
        if arguments.port is not None:
            return bind_socket(arguments.host, arguments.port)
        return bind_first_free(arguments.host, ports)
    except OSError as problem:
        raise UsageError(
            "cannot listen on {host}, port {port}: {problem}",
            host=arguments.host,
            port=arguments.port or 0,
            problem=format_os_error(problem),
        ) from None


def _serve(arguments: argparse.Namespace, listening: socket.socket, path: Path | None, ports: tuple[int, ...]) -> int:
    """Serve the requested game, or the list of games, on an open socket until the server is stopped.

    `path`: the file of the saved game, or None; `ports`: the ports at which the game or the list was served before.
    """
    import asyncio  # late: `grognard --help` imports this module

    from interpreter.api.loading import disable_gc

    with disable_gc():
        from interpreter.ui.web.access_tokens import HOST, load_keyring
        from interpreter.ui.web.application import create_application
        from interpreter.ui.web.error_messages import print_unhandled
        from interpreter.ui.web.lobby import Lobby
        from interpreter.ui.web.network.addresses import build_board_address
        from interpreter.ui.web.network.game_records import add_port, remember_list_ports
        from interpreter.ui.web.network.redirect_file import RedirectFile
        from interpreter.ui.web.seat_registry import SeatRegistry
        from interpreter.ui.web.server import run_server

        say = get_translator(arguments.lang)
        host, number = listening.getsockname()[:2]
        address = build_board_address(host, number, arguments.public_url)
        registry = SeatRegistry(load_keyring())
        lobby = Lobby(registry, number, is_wanted=bool(arguments.port))
        secret = lobby.secret
        if arguments.target is None:
            remember_list_ports(add_port(ports, number, bool(arguments.port)))
        else:
            channel = lobby.open_channel(_open_game(arguments, path), is_new=path is None)
            secret = next(link.secret for link in registry.list_links(channel) if link.role == HOST)
        open_lobby = lobby if arguments.target is None else None
        app = create_application(registry, arguments.lang, open_lobby, address, _build_reporter(say), lobby)
    gc.freeze()  # modules and rules live as long as the server: the collector need not visit them

    redirects: list[RedirectFile] = []

    def start_channels() -> None:
        asyncio.get_running_loop().set_exception_handler(print_unhandled)
        for link in address.list_links(secret):
            print_line(link)
        if sys.stdout is not None:
            sys.stdout.flush()
        _print_instructions(address, lobby, secret, say)
        for channel in registry.channels.values():
            channel.wake_bots()
            channel.prepare_map()
        if arguments.open:
            failed = say("cannot open the browser; open the printed address yourself")
            redirects.append(RedirectFile(f"{address.local}?seat={secret}", lambda: log(failed)))

    def close_channels() -> None:
        for channel in registry.channels.values():
            channel.close()

    try:
        run_server(app, listening, start_channels, close_channels)
    finally:
        for redirect in redirects:
            redirect.delete()
        lobby.close()
    _print_restart_command(lobby, arguments.target is None, say)
    _exit_after_grace()
    return GOOD


def _print_instructions(address: BoardAddress, lobby: Lobby, secret: str, say: Translator) -> None:
    """Print what the address is for and how to stop the server; `secret`: the access token of the host."""
    from interpreter.ui.web.network.qr_code import render_qr_code

    code = render_qr_code(address.list_links(secret)[0], sys.stderr) if address.is_shared else ""
    if code:
        print(code, file=sys.stderr)
    log(
        say("This is the host's link: open it in a browser. It plays every seat that no bot plays.")
        if lobby.registry.channels
        else say("This is the host's link: open it in a browser. It shows your saved games and starts new ones.")
    )
    if address.names.public is not None:
        log(say("The proxy or tunnel must forward to {address}", address=address.local))
    elif address.is_shared:
        log(say("Phones and other computers on your network can open it too."))
    if code:
        log(say("To open it on a phone, scan the code above."))
    for channel in lobby.registry.channels.values():
        if channel.served.autosave.read_only_reason:
            log(say("you are only viewing this game: {problem}", problem=channel.served.autosave.read_only_reason))
        if channel.served.autosave.trouble:
            log(say(channel.served.autosave.trouble))
    if all(channel.served.autosave.is_saved for channel in lobby.registry.channels.values()):
        log(say("Every choice is saved at once."))
    log(say("To stop the board, press Ctrl-C in this window."))


def _print_restart_command(lobby: Lobby, is_list: bool, say: Translator) -> None:
    """Print which moves were not saved, and the command that serves the game last played or the list of games again.

    `is_list`: the list of games was served; it is named only if no game was opened.
    """
    saved = [channel.served for channel in lobby.registry.channels.values() if channel.served.is_saved]
    for channel in lobby.registry.channels.values():
        autosave = channel.served.autosave
        if autosave.trouble and channel.served in saved:
            log(say("the game is saved in {file}", file=autosave.path))
        elif autosave.trouble:
            log(say("the last moves could not be saved"))
    if is_list or saved:
        last_saved = max(saved, key=_find_last_saved, default=None)
        command = "grognard serve" if last_saved is None else f"grognard serve {shlex.quote(last_saved.name)}"
        log(say("stopped; continue with: {command}", command=command))


def _find_last_saved(served: ServedGame) -> int:
    """Return when a served game was saved last, in nanoseconds since 1970, or 0 without a file."""
    path = served.autosave.path
    try:
        return 0 if path is None else path.stat().st_mtime_ns
    except OSError:
        return 0


def _build_reporter(say: Translator) -> Callable[[str], None]:
    """Return a callback that reports a refused request with an unknown host name, once per name.

    The number of reports is limited.
    """
    reported: set[str] = set()

    def report_status(name: str) -> None:
        if name not in reported and len(reported) < _MAX_REPORTS:
            reported.add(name)
            log(
                say(
                    "refused: someone opened this board under the name `{name}`; if that is your proxy or "
                    "tunnel, start the board with --public-url",
                    name=name,
                )
            )

    return report_status


def _exit_after_grace() -> None:
    """Exit after a short grace period, without waiting for running bots or odds computations."""
    waiting = [t for t in threading.enumerate() if t is not threading.main_thread() and not t.daemon]
    for thread in waiting:
        thread.join(_GRACE / len(waiting))
    if any(thread.is_alive() for thread in waiting):
        if sys.stdout is not None:
            sys.stdout.flush()
        os._exit(GOOD)


def _open_game(arguments: argparse.Namespace, path: Path | None) -> ServedGame:
    """Return the requested game: a saved one if `path` names its file, otherwise a new one of a ruleset."""
    from interpreter.api.loading import load
    from interpreter.players.bots.registry import BOTS, HUMAN
    from interpreter.players.ownership import list_seats, map_sides_to_seats
    from interpreter.ui.web.game_factory import create_game

    say = get_translator(arguments.lang)
    if path is not None:
        return _resume_game(arguments, path)
    rules = load(arguments.target)
    table = rules.start(scenario=arguments.scenario, options=arguments.option, seed=0)
    players = parse_seat_players(arguments.side, list_seats(table), map_sides_to_seats(table), (HUMAN, *BOTS), "")
    return create_game(rules, say, players, arguments.scenario, arguments.option, arguments.seed)


def _resume_game(arguments: argparse.Namespace, path: Path) -> ServedGame:
    """Load a saved game with the players given on the command line.

    Raises UsageError if settings of a new game are given.
    """
    from interpreter.players.bots.registry import BOTS, HUMAN
    from interpreter.ui.web.game_factory import resume_game

    if arguments.scenario or arguments.option or arguments.seed is not None:
        raise UsageError("a saved game keeps its settings; leave out --scenario, --option, --seed")

    def find_players(seats: Sequence[str], seat_of_side: dict[str, str]) -> dict[str, str]:
        return parse_seat_players(arguments.side, seats, seat_of_side, (HUMAN, *BOTS), "")

    return resume_game(path, get_translator(arguments.lang), find_players)


def _find_saved_game(target: str) -> Path | None:
    """Return the file of the saved game with this name, or None if the target is a ruleset."""
    from interpreter.saves.storage import ENDING, check_game_name, find_journal_path

    if target in list_shipped_rulesets():
        return None
    if target.endswith(ENDING):
        return find_game(target)
    path = find_journal_path(target) if not check_game_name(target) else None
    return path if path is not None and path.exists() and not Path(target).exists() else None
