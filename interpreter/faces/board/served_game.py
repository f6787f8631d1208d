"""One game as it is served: choices in, scenes out, kept on disk after each, bots at their seats.

May be called from several threads. Must not know the web, nor judge what is legal.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from gzip import compress
from threading import Lock
from typing import TYPE_CHECKING

from interpreter.faces.board.apart import Apart, position_of
from interpreter.faces.board.declined import Declined
from interpreter.faces.board.seat_links import HOST, ONLOOKER
from interpreter.play.session import Game
from interpreter.players.belonging import seats_of
from interpreter.players.bots.roster import Bot
from interpreter.players.orders.confirming import confirmation_of
from interpreter.players.telling.position import heading
from interpreter.players.telling.reasons import reason_lines
from interpreter.players.telling.vocabulary import Words
from interpreter.runtime.faults import IllegalAction, RuleFault
from interpreter.scene.horizon import others_since, taking_back
from interpreter.scene.moving_scene import Scenery, Watcher
from interpreter.scene.plain import plain
from interpreter.scene.stage import Stage, stage_of
from interpreter.scene.still_scene import still_of
from interpreter.words.speech import mark as _, message_of

if TYPE_CHECKING:
    from interpreter.facade.keeping import Keeper
    from interpreter.facade.rules import Rules

_PACKED = 4  # how hard scenes are packed: quickly
_MOST_KEYS = 20  # choices that are sent together


@dataclass(frozen=True, slots=True)
class Body:
    """A scene as it is sent: JSON, and the same packed by gzip. Many ask for it, so it is packed once."""

    plain: bytes
    packed: bytes


class ServedGame:
    """A game with its file, its bots and its scenes.

    `players`: by seat who plays it. `name` is what people call it. `version` changes whenever the game does.
    """

    def __init__(
        self, name: str, rules: Rules, game: Game, keeper: Keeper, players: Mapping[str, str], bots: Mapping[str, Bot]
    ) -> None:
        self.name = name
        self.rules = rules.as_played(game)
        self.game = game
        self.keeper = keeper
        self.players = dict(players)
        self.bots = dict(bots)
        self.notices: list[str] = []
        self.lock = Lock()
        self._thinking, self._begun = Apart(rules.target), len(game.keys)
        self._is_stopped = self._is_closed = False
        self._started, self._changes = secrets.token_urlsafe(6), 0
        self._ruleset = self.rules.documents()
        self._sceneries: dict[str, Scenery] = {}
        self._stills: dict[str, bytes] = {}
        self._scenes: dict[tuple[str, str, str, str], Body] = {}
        keeper.complain = self.notices.append

    # --- what is asked ------------------------------------------------------------------------

    @property
    def version(self) -> str:
        """Names the position, until the game goes on or back."""
        return f"{self._started}-{self._changes}"

    @property
    def seats(self) -> list[str]:
        """The seats of the game, in the order of their sides."""
        return seats_of(self.game)

    @property
    def people(self) -> tuple[str, ...]:
        """The seats that people play."""
        return tuple(seat for seat in self.seats if seat not in self.bots)

    def watcher(self, role: str, seat: str) -> Watcher:
        """For whom scenes are made: the host sits wherever people do."""
        if role == ONLOOKER:
            return Watcher((), tuple(self.bots))
        return Watcher(self.people if role == HOST else (seat,), tuple(self.bots))

    def stage(self, lang: str) -> Stage:
        """What scenes in a language are made from."""
        return self.scenery(lang).stage

    def still(self, lang: str) -> bytes:
        """The still part of all scenes, as JSON."""
        if lang not in self._stills:
            with self.lock:
                self._stills[lang] = _json(plain(still_of(self.stage(lang))))
        return self._stills[lang]

    def kept_scene(self, lang: str, role: str, seat: str) -> Body | None:
        """The scene as it stands, where it has been made already."""
        return self._scenes.get((self.version, lang, role, seat))

    def scene(self, lang: str, role: str, seat: str) -> Body:
        """The scene as it stands, as JSON."""
        with self.lock:
            version = self.version
            found = self._scenes.get((version, lang, role, seat))
            if found is None:
                moment = self.scenery(lang).moment(self.game, self.watcher(role, seat), version)
                notes = self.keeper.notes
                data = plain(moment) | {"notices": list(self.notices), "role": role, "name": self.name}
                data |= {"notes": len(notes), "last_note": notes[-1] if notes else ""}
                body = _json(data)
                found = Body(body, compress(body, _PACKED))
                self._scenes = {key: kept for key, kept in self._scenes.items() if key[0] == version}
                self._scenes[version, lang, role, seat] = found
            return found

    def copy(self) -> Game:
        """The game as it stands, with all of its past, to be asked about while others play on."""
        with self.lock:
            return self.game.whole_copy()

    def ground(self, name: str) -> str | None:
        """A drawing of the map that a scene has named."""
        return next((drawn for s in list(self._sceneries.values()) if (drawn := s.ground(name))), None)

    def words(self, lang: str) -> Words:
        """The words of a language."""
        return self.stage(lang).words

    def scenery(self, lang: str) -> Scenery:
        """What draws the scenes in a language."""
        if lang not in self._sceneries:
            self._sceneries[lang] = Scenery(stage_of(self.rules, lang, self._ruleset))
        return self._sceneries[lang]

    # --- what changes it ------------------------------------------------------------------------

    def choose(self, watcher: Watcher, keys: Sequence[str], version: str, lang: str, careful: bool = False) -> None:
        """Make choices in order. Stop at the first one that is no longer legal or belongs to another seat.

        Raises `Declined` if the first choice is not legal, or not for this watcher to make; if `careful`, also if it
        needs a confirmation.
        """
        if not 0 < len(keys) <= _MOST_KEYS:
            raise Declined(400, "too-many", _("at most {most} choices can be sent together", most=_MOST_KEYS))
        with self.lock:
            self._expect(watcher, version)
            if careful:
                self._expect_no_confirmation(keys[0], lang)
            for number, key in enumerate(keys):
                decision = self.game.decision
                if number and (decision is None or decision.seat not in watcher.seats or decision.find(key) is None):
                    break
                self._choose(key, lang)

    def undo(self, watcher: Watcher, anyway: bool, lang: str) -> None:
        """Take the watcher's last choice back, and what programs chose since; Declined where that cannot be."""
        with self.lock:
            self._expect_playable()
            found = taking_back(self.game, watcher.seats, self.words(lang)) if watcher.seats else None
            if found is None:
                raise Declined(409, "nothing-to-undo", _("there is nothing to take back"))
            others = [s for s in others_since(self.game, watcher.seats) if s not in self.bots]
            if others:
                raise Declined(
                    409, "others-chose", _("the other side has chosen since; ask it to take that back first")
                )
            if found.horizon and not anyway:
                raise Declined(409, "come-out", _("since your last choice this has come out:"), found.horizon)
            self.game.undo()
            while self._is_bots_turn() and self.game.past():
                self.game.undo()
            self._keep()

    def redo(self, watcher: Watcher) -> None:
        """Make again what was taken back, with what programs chose then."""
        with self.lock:
            self._expect_playable()
            decision = self.game.decision
            if not self.game.can_redo or decision is not None and decision.seat not in watcher.seats:
                raise Declined(409, "nothing-to-redo", _("there is nothing to make again"))
            self.game.redo()
            while self._is_bots_turn() and self.game.can_redo:
                self.game.redo()
            self._keep()

    def note(self, text: str, lang: str, seat: str = "") -> None:
        """Keep a remark, with the turn and phase it belongs to and the seat that makes it ('' for the host)."""
        with self.lock:
            self._expect_playable()
            words, people = self.words(lang), self.people
            whose = seat or (people[0] if len(people) == 1 else "")
            by = words.thing("seat", whose) if whose else words.say("host")
            self.keeper.note(text, heading(self.game.view(), words), by)
            self._changes += 1

    def is_bots_turn(self) -> bool:
        """True where a program is to choose, and the game is ours to change."""
        return self._is_bots_turn() and not self.keeper.looking and not self._is_stopped

    def let_bot_choose(self) -> bool:
        """One choice of the program whose turn it is; False where the game has changed while it thought."""
        with self.lock:
            decision, version = self.game.decision, self.version
            if decision is None or decision.seat not in self.bots:
                return False
            bot, copy = self.bots[decision.seat], self.game.clone()
        number = self._thought(decision.seat, bot, copy)  # meanwhile others may ask, and take back
        with self.lock:
            if self.version != version or self._is_closed:
                return False
            self.game.pick(number)
            self._keep()
            return True

    def leave(self) -> None:
        """Nobody is waited for any more."""
        self._is_closed = True
        self._thinking.end()

    def close(self) -> None:
        """Let others play on."""
        self.leave()
        with self.lock:
            self.keeper.keep(self.game)
            self.keeper.close()

    # --- inside -----------------------------------------------------------------------------------

    def stop(self, notice: str) -> None:
        """No program chooses any more, because of a fault that is told."""
        self._is_stopped = True
        self.notices.append(notice)
        self._changes += 1

    def _thought(self, seat: str, bot: Bot, game: Game) -> int:
        """What a program chooses; one that thinks does so in a process of its own."""
        if self.players[seat] == "random":
            return bot.choose(game)
        try:
            number: int = self._thinking.ask("choose", position_of(game), seat, self.players, self._begun)
        except EOFError:  # it was ended, or there can be no other process here
            return 0 if self._is_closed else bot.choose(game)
        return number

    def _is_bots_turn(self) -> bool:
        decision = self.game.decision
        return decision is not None and decision.seat in self.bots

    def _expect_playable(self) -> None:
        if self.keeper.looking:
            raise Declined(409, "only-looking", _("you only look at this game: {problem}", problem=self.keeper.looking))

    def _expect(self, watcher: Watcher, version: str) -> None:
        """Declined unless the watcher is to choose now, at the version that he has seen."""
        self._expect_playable()
        decision = self.game.decision
        if decision is None:
            raise Declined(409, "over", _("the game is over"))
        if version and version != self.version:
            raise Declined(409, "changed", _("the game has gone on since; look at it again"))
        if decision.seat not in watcher.seats:
            code = "onlooker" if not watcher.seats else "not-your-turn"
            raise Declined(403, code, _("this is for another seat to decide"))

    def _expect_no_confirmation(self, key: str, lang: str) -> None:
        """Raise `Declined` if a legal choice is to be confirmed before it is made."""
        decision = self.game.decision
        needed = confirmation_of(self.game, key, self.words(lang)) if decision and decision.find(key) else None
        if needed is not None:
            raise Declined(409, "confirm", needed.question, needed.reasons)

    def _choose(self, key: str, lang: str) -> None:
        try:
            self.game.choose(key)
        except IllegalAction as refused:
            words = self.words(lang)
            lines = [line.strip() for line in reason_lines(refused.reasons, words)]
            raise Declined(422, "illegal", message_of(refused), lines) from None
        except RuleFault as fault:
            raise Declined(500, "fault-in-the-rules", _("fault in the rules: {fault}", fault=fault.message)) from None
        self._keep()

    def _keep(self) -> None:
        self.keeper.keep(self.game)
        self._changes += 1


def _json(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
