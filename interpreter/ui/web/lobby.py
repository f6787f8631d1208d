"""Lobby where the host chooses a game to serve: saved games and the shipped rulesets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anyio import Lock, to_thread

from interpreter.api.loading import load
from interpreter.api.resume import load_journal_rules
from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.documents.learning import read_first_game, read_lesson
from interpreter.files.assets import list_shipped_rulesets
from interpreter.i18n.translator import Translator, get_translator, mark as _
from interpreter.players.bots.registry import BOTS, HUMAN
from interpreter.players.ownership import list_seats
from interpreter.players.summaries.saved_position import describe_saved_position
from interpreter.runtime.errors import SetupError
from interpreter.runtime.localizer import Localizer
from interpreter.saves.saved_games import SavedGame, list_saved_games
from interpreter.tools.lessons.lesson_list import list_lessons
from interpreter.ui.web.access_tokens import HOST, hash_token, random_token
from interpreter.ui.web.api_errors import ApiError
from interpreter.ui.web.game_channel import GameChannel
from interpreter.ui.web.game_factory import create_game, create_game_like, create_lesson, resume_game
from interpreter.ui.web.network.game_records import GameRecord, add_port, create_record, recall_game, save_game_record
from interpreter.ui.web.seat_registry import SeatRegistry
from interpreter.ui.web.served_game import ServedGame

_PLAYERS = (HUMAN, *BOTS)
_MAX_LESSONS = 8  # open at the same time


class Lobby:
    """The host's list of games. A game is opened on request, at most once, in the shared seat registry.

    The lobby's link opens all saved games, so its token changes at each start. `port` is where the games are served, 0
    if their records are to name none; `is_wanted` is True if the user asked for this port.
    """

    def __init__(self, registry: SeatRegistry, port: int = 0, is_wanted: bool = False) -> None:
        self.registry = registry
        self.port = port
        self.is_wanted = is_wanted
        self.secret = random_token()
        self._digest = hash_token(self.secret)
        self._opening = Lock()

    def is_host(self, secret: str) -> bool:
        """Return True for the host's token."""
        return hash_token(secret) == self._digest

    def list_games(self, lang: str) -> dict[str, Any]:
        """Return the games and rulesets that can be opened, with strings for the page."""
        say = get_translator(lang)
        order = {
            lesson.ruleset: number for number, lesson in enumerate(list_lessons(lang))
        }  # the shortest lesson first
        names = sorted(list_shipped_rulesets(), key=lambda name: order.get(name, len(order)))
        rulesets = [_describe_ruleset(ruleset, lang) for ruleset in names]
        return {
            "title": say("Grognard"),
            "games": [_describe_saved_game(game, say, lang) for game in list_saved_games()],
            "rulesets": rulesets,
        }

    async def open_game(self, game: str, ruleset: str, players: Mapping[str, str], lang: str, scenario: str) -> str:
        """Open a saved game, or a new one of a ruleset, and return its host's token.

        `game`: the name of the saved game, '' for a new one; `players` maps seats to players, and a missing seat is
        played by a human.
        """
        async with self._opening:
            say = get_translator(lang)
            served = await to_thread.run_sync(lambda: _start_new(ruleset, players, say, scenario) if ruleset else None)
            if served is None:
                saved = next((saved_game for saved_game in list_saved_games() if saved_game.name == game), None)
                if saved is None:
                    raise ApiError(404, "not-found", _("{given} is not a file or a saved game", given=game[:80]))
                channel = next(
                    (channel for channel in self.registry.channels.values() if _is_at(channel, saved.path)), None
                )
                if channel is not None:
                    return self._get_host_secret(channel)
                served = await to_thread.run_sync(lambda: resume_game(saved.path, say))
            return self._get_host_secret(self.open_channel(served, is_new=bool(ruleset)))

    async def start_again(self, served: ServedGame, lang: str) -> str:
        """Start a new game with the ruleset, scenario, options and players of one, and return its host's token."""
        async with self._opening:
            new_game = await to_thread.run_sync(lambda: create_game_like(served, get_translator(lang)))
            return self._get_host_secret(self.open_channel(new_game, is_new=True))

    async def begin_lesson(self, target: str, lang: str) -> str:
        """Begin the lesson of a ruleset and return its host's token; the oldest lesson is closed if there are many."""
        async with self._opening:
            served = await to_thread.run_sync(lambda: create_lesson(load(target, checked=True), get_translator(lang)))
            if served is None:
                raise ApiError(404, "not-found", _("this game has no lesson"))
            lessons = [channel for channel in self.registry.channels.values() if channel.served.lesson is not None]
            for channel in lessons[: max(0, len(lessons) - _MAX_LESSONS + 1)]:
                self.registry.close(channel)
            return self._get_host_secret(self.open_channel(served, is_new=True))

    def open_channel(self, served: ServedGame, is_new: bool = False) -> GameChannel:
        """Open a channel for a game and return it.

        With `is_new` the game gets new links, even if a game with the same file name was served before.
        """
        path = served.autosave.path
        record = (recall_game(path) if path is not None and not is_new else None) or create_record()
        channel = GameChannel(served, record.identity)
        self.registry.open(channel)
        self._remember(channel, record.ports)
        return channel

    def close(self) -> None:
        """Close all games so that other processes can play them, and save their records."""
        for channel in self.registry.channels.values():
            channel.close()
            channel.served.close()
            record = recall_game(channel.served.autosave.path) if channel.served.autosave.path is not None else None
            self._remember(channel, record.ports if record is not None else ())

    def _remember(self, channel: GameChannel, ports: tuple[int, ...]) -> None:
        """Save a game's record with these ports, unless another process plays the game and saves its own."""
        autosave = channel.served.autosave
        if autosave.path is not None and not autosave.read_only_reason:
            all_ports = add_port(ports, self.port, self.is_wanted) if self.port else ports
            save_game_record(autosave.path, GameRecord(channel.key, all_ports))

    def _get_host_secret(self, channel: GameChannel) -> str:
        return next(link.secret for link in self.registry.list_links(channel) if link.role == HOST)


def _is_at(channel: GameChannel, path: Path) -> bool:
    """Return whether a channel serves the game in a file."""
    own_path = channel.served.autosave.path
    return own_path is not None and own_path.resolve() == path.resolve()


def _start_new(ruleset: str, players: Mapping[str, str], say: Translator, scenario: str) -> ServedGame:
    """Start a game of a shipped ruleset. Raises ApiError for an unknown player or ruleset."""
    unknown = next((player for player in players.values() if player not in _PLAYERS), None)
    if unknown is not None:
        raise ApiError(400, "no-player", _("unknown player `{player}`", player=quote_typed(unknown)))
    if ruleset not in list_shipped_rulesets():
        raise ApiError(404, "not-found", _("unknown ruleset `{ruleset}`", ruleset=ruleset[:80]))
    return create_game(load(ruleset), say, players, scenario or None)


def _describe_ruleset(ruleset: str, lang: str) -> dict[str, Any]:
    """Return a ruleset that can be started: its seats, scenarios and players, its lesson, and a beginner's start."""
    rules = load(ruleset)
    localizer, languages = Localizer(rules.program, lang), rules.program.languages
    seats = [
        {"id": seat, "name": localizer.get_thing_name("seat", seat)} for seat in list_seats(rules.start(empty=True))
    ]
    players = [{"id": player, "name": localizer.format_player(player)} for player in _PLAYERS]
    lesson, first = read_lesson(ruleset, languages), read_first_game(ruleset, languages)
    scenarios = [
        {
            "id": scenario["id"],
            "title": localizer.translate_label(scenario["title"], scenario["id"]),
            "about": localizer.translate_label(scenario["about"]),
        }
        for scenario in localizer.data["scenarios"]
    ]
    default = rules.start(empty=False, seed=0, record=False).scenario or ""
    return {
        "id": ruleset,
        "title": rules.title(lang),
        "about": localizer.translate_label(localizer.data["about"]),
        "seats": seats,
        "players": players,
        "scenarios": scenarios,
        "scenario": default,
        "lesson": None
        if lesson is None
        else {
            "title": localizer.translate_label(lesson.title),
            "about": localizer.translate_label(lesson.about),
            "steps": len(lesson.steps),
            "minutes": lesson.minutes,
        },
        "first": None
        if first is None
        else {
            "scenario": first.scenario or default,
            "seat": first.seat,
            "opponent": first.opponent,
            "why": localizer.translate_label(first.why),
        },
    }


def _describe_saved_game(game: SavedGame, say: Translator, lang: str) -> dict[str, Any]:
    """Describe a saved game and its position; `moved` is the time of the last choice in seconds since 1970."""
    if game.problem:
        return {"name": game.name, "told": say(game.problem), "problem": say(game.problem), "moved": game.last_written}
    description = describe_saved_position(game, say, _get_localizer(game, lang))
    return {"name": game.name, "told": description, "problem": "", "moved": game.last_written}


def _get_localizer(game: SavedGame, lang: str) -> Localizer | None:
    """Return the localizer of a saved game's ruleset, or None if the ruleset cannot be loaded any more."""
    try:
        return None if game.header is None else Localizer(load_journal_rules(game.header).program, lang)
    except (RulesetError, SetupError, OSError):
        return None
