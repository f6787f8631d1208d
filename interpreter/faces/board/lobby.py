"""Where a host chooses what is served: his saved games, and the rulesets that ship. Must not play."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anyio import Lock, to_thread

from interpreter.facade.resuming import rules_of
from interpreter.facade.rules import Rules, load
from interpreter.faces.board.declined import Declined
from interpreter.faces.board.doors import Doors
from interpreter.faces.board.network.game_records import GameRecord, new_record, ports_with, recall_game, remember_game
from interpreter.faces.board.opening import new_game, resumed_game
from interpreter.faces.board.room import Room
from interpreter.faces.board.seat_links import HOST, digest_of, fresh_secret
from interpreter.faces.board.served_game import ServedGame
from interpreter.files.assets import shipped_rulesets
from interpreter.players.belonging import seats_of
from interpreter.players.bots.roster import BOTS, HUMAN
from interpreter.players.overview.saved_standing import standing_of
from interpreter.players.telling.vocabulary import Words
from interpreter.runtime.faults import SetupError
from interpreter.saves.saved_games import SavedGame, saved_games
from interpreter.source.diagnostic import RulesetError
from interpreter.words.speech import Say, mark as _, speaker

_PLAYERS = (HUMAN, *BOTS)


class Lobby:
    """The host's list. Games are opened when the host asks for them, each once, behind the same doors.

    Its link opens all saved games, so it has a new secret at each start. `port`: where the games are served, 0 where
    that is not remembered; `is_wanted` where the user asked for it.
    """

    def __init__(self, doors: Doors, port: int = 0, is_wanted: bool = False) -> None:
        self.doors = doors
        self.port = port
        self.is_wanted = is_wanted
        self.secret = fresh_secret()
        self._digest = digest_of(self.secret)
        self._opening = Lock()

    def is_host(self, secret: str) -> bool:
        """True for the secret of whoever serves."""
        return digest_of(secret) == self._digest

    def listed(self, lang: str) -> dict[str, Any]:
        """What can be opened, with words for the page."""
        say = speaker(lang)
        rulesets = [_offered(ruleset, lang) for ruleset in shipped_rulesets()]
        return {
            "title": say("Grognard"),
            "saved": say("your games"),
            "fresh": say("a new game"),
            "begin": say("begin"),
            "games": [_row(game, say, lang) for game in saved_games()],
            "rulesets": rulesets,
        }

    async def opened(self, game: str, ruleset: str, players: Mapping[str, str], lang: str) -> str:
        """The host's secret of a saved game, or of a new one of a ruleset; `players`: by seat, else people."""
        async with self._opening:
            say = speaker(lang)
            served = await to_thread.run_sync(lambda: _begun(ruleset, players, say) if ruleset else None)
            if served is None:
                found = next((one for one in saved_games() if one.name == game), None)
                if found is None:
                    raise Declined(
                        404, "not-found", _("there is no file {given} and no game of this name", given=game[:80])
                    )
                known = next((room for room in self.doors.rooms.values() if _is_at(room, found.path)), None)
                if known is not None:
                    return self._host_secret(known)
                served = await to_thread.run_sync(lambda: resumed_game(found.path, say))
            return self._host_secret(self.let_in(served, is_new=bool(ruleset)))

    def let_in(self, served: ServedGame, is_new: bool = False) -> Room:
        """Open a room for a game. A new one has links of its own, whatever its file was before."""
        path = served.keeper.path
        record = (recall_game(path) if path is not None and not is_new else None) or new_record()
        room = Room(served, record.identity)
        self.doors.open(room)
        self._remember(room, record.ports)
        return room

    def close(self) -> None:
        """Let others play the games on, and remember how far each of them went."""
        for room in self.doors.rooms.values():
            room.served.close()
            record = recall_game(room.served.keeper.path) if room.served.keeper.path is not None else None
            self._remember(room, record.ports if record is not None else ())

    def _remember(self, room: Room, ports: tuple[int, ...]) -> None:
        """Keep a game's record, unless another program plays it: that one keeps its own."""
        keeper = room.served.keeper
        if keeper.path is not None and not keeper.looking:
            known = ports_with(ports, self.port, self.is_wanted) if self.port else ports
            remember_game(keeper.path, GameRecord(room.key, known))

    def _host_secret(self, room: Room) -> str:
        return next(link.secret for link in self.doors.links(room) if link.role == HOST)


def _is_at(room: Room, path: Path) -> bool:
    """Return True for the room of the game in a file."""
    known = room.served.keeper.path
    return known is not None and known.resolve() == path.resolve()


def _shipped(ruleset: str) -> Rules:
    if ruleset not in shipped_rulesets():
        raise Declined(404, "not-found", _("there is no ruleset `{ruleset}` here", ruleset=ruleset[:80]))
    return load(ruleset)


def _begun(ruleset: str, players: Mapping[str, str], say: Say) -> ServedGame:
    strange = next((player for player in players.values() if player not in _PLAYERS), None)
    if strange is not None:
        raise Declined(400, "no-player", _("nobody who plays is called `{player}`", player=strange[:40]))
    return new_game(_shipped(ruleset), say, players)


def _offered(ruleset: str, lang: str) -> dict[str, Any]:
    """A ruleset of which a game can be begun: its seats, and who may sit there."""
    rules = load(ruleset)
    words = Words(rules.program, lang)
    seats = [{"id": seat, "name": words.thing("seat", seat)} for seat in seats_of(rules.start(empty=True))]
    players = [{"id": player, "name": words.player(player)} for player in _PLAYERS]
    about = words.label(words.data["about"])
    return {"id": ruleset, "title": rules.title(lang), "about": about, "seats": seats, "players": players}


def _row(game: SavedGame, say: Say, lang: str) -> dict[str, Any]:
    """Return a saved game with where it stands; `moved` is when, in seconds since 1970."""
    if game.problem:
        return {"name": game.name, "told": say(game.problem), "problem": say(game.problem), "moved": game.moved}
    told = standing_of(game, say, _words_of(game, lang))
    return {"name": game.name, "told": told, "problem": "", "moved": game.moved}


def _words_of(game: SavedGame, lang: str) -> Words | None:
    """Return the words of a saved game's ruleset, or None where it cannot be loaded any more."""
    try:
        return None if game.header is None else Words(rules_of(game.header).program, lang)
    except (RulesetError, SetupError, OSError):
        return None
