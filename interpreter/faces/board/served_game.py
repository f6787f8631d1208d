"""One game as it is served: choices in, scenes out, kept on disk after each, bots at their seats.

May be called from several threads. Must not know the web, nor judge what is legal.
"""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from gzip import compress
from threading import Lock
from typing import TYPE_CHECKING

from interpreter.facade.keeping import MOST_NOTE_BYTES, Keeper, NoRoomError
from interpreter.faces.board.apart import Apart, position_of
from interpreter.faces.board.declined import Declined
from interpreter.faces.board.seat_links import HOST, ONLOOKER
from interpreter.faces.board.whose_fault import fault_sentence
from interpreter.play.session import Game
from interpreter.players.belonging import seats_of
from interpreter.players.bots.roster import HUMAN, Bot
from interpreter.players.orders.confirming import confirmation_of
from interpreter.players.telling.position import heading
from interpreter.players.telling.reasons import reason_lines
from interpreter.players.telling.vocabulary import Words
from interpreter.runtime.faults import IllegalAction, RuleFault
from interpreter.saves.entries import Note
from interpreter.saves.journal import line_size
from interpreter.saves.storage import game_name
from interpreter.scene.horizon import others_since, taking_back
from interpreter.scene.moving_scene import Scenery, Watcher
from interpreter.scene.plain import plain
from interpreter.scene.records import Moment
from interpreter.scene.stage import Stage, stage_of
from interpreter.scene.still_scene import still_of
from interpreter.words.speech import mark as _, message_of

if TYPE_CHECKING:
    from interpreter.facade.rules import Rules

_PACKED = 4  # how hard scenes are packed: quickly
_MOST_KEYS = 20  # choices that are sent together
_MOST_NOTES, _MOST_NOTE_BYTES = 1_000, MOST_NOTE_BYTES // 4  # of one asker
_MOST_STEPS = 1_000  # steps of one choice that is built in steps


@dataclass(frozen=True, slots=True)
class _SeatName:
    """The name of a seat, in the language of whoever reads it."""

    rules: Rules
    seat: str

    def text_in(self, language: str) -> str:
        """The name in a language."""
        return Words(self.rules.program, language).thing("seat", self.seat)

    def __str__(self) -> str:
        return self.text_in("")


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
        self._name = name
        self.rules = rules.as_played(game)
        self.game = game
        self.keeper = keeper
        self.players = dict(players)
        self.bots = dict(bots)
        self.notices: list[str] = []  # sentences, said in the language of whoever reads them
        self.lock = Lock()
        self._noted: dict[str, list[int]] = {}  # by asker: bytes and number of notes
        self._thinking, self._begun = Apart(rules.target), len(game.keys)
        self._is_closed = self._is_put_away = False
        self._started, self._changes = secrets.token_urlsafe(6), 0
        self._ruleset = self.rules.documents()
        self._sceneries: dict[str, Scenery] = {}
        self._stills: dict[str, bytes] = {}
        self._scenes: dict[tuple[str, str, str, str], Body] = {}
        keeper.say = _  # said in the language of whoever reads it

    # --- what is asked ------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """What people call the game: the name of its file, which may be another after a failure."""
        return self._name if self.keeper.path is None else game_name(self.keeper.path)

    @property
    def is_saved(self) -> bool:
        """True where all that was played stands in a file."""
        return self.keeper.path is not None and not self.keeper.is_lost

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
        """For whom scenes are made: the host sits wherever people do; at a game that others play, nobody does."""
        if role == ONLOOKER or self.keeper.looking:
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
                moment = self._moment(lang, self.watcher(role, seat), version)
                told = [self.keeper.trouble] if self.keeper.trouble else []
                notices = [*(self.words(lang).say(notice) for notice in (*told, *self.notices)), *moment.notices]
                notes = self.keeper.notes
                data = plain(moment) | {"notices": notices, "role": role, "name": self.name}
                data |= {"notes": len(notes), "last_note": notes[-1] if notes else ""}
                if self.keeper.looking:
                    data |= self._looking_on(lang, notices)
                body = _json(data)
                found = Body(body, compress(body, _PACKED))
                self._scenes = {key: kept for key, kept in self._scenes.items() if key[0] == version}
                self._scenes[version, lang, role, seat] = found
            return found

    def _moment(self, lang: str, watcher: Watcher, version: str) -> Moment:
        """The game as it stands; where a fault keeps it from being told, the fault, and what can be taken back."""
        scenery = self.scenery(lang)
        try:
            return scenery.moment(self.game, watcher, version)
        except Exception as fault:
            told = self.words(lang).say(fault_sentence(fault))
            if not isinstance(fault, RuleFault):
                print(f"grognard: {told}", file=sys.stderr)
            return scenery.bare_moment(self.game, watcher, version, told)

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
        if any(key.count(">") >= _MOST_STEPS for key in keys):
            raise Declined(
                400, "too-many", _("at most {most} steps of an answer can be sent together", most=_MOST_STEPS)
            )
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
            try:
                self.keeper.require_room_to_take_back()
            except NoRoomError as problem:
                raise Declined(409, "no-room", message_of(problem)) from None
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

    def note(self, asker: str, text: str, lang: str, seat: str = "") -> None:
        """Keep a remark, with the turn and phase it belongs to and the seat that makes it ('' for the host).

        Each asker has a share of the room for notes.
        """
        with self.lock:
            self._expect_playable()
            words, people = self.words(lang), self.people
            whose = seat or (people[0] if len(people) == 1 else "")
            by = words.thing("seat", whose) if whose else words.say("host")
            where = self._heading(lang)
            note = self.keeper.note_text(text, where, by)
            used = self._noted.setdefault(asker, [0, 0])
            used_bytes, number = used[0] + line_size(Note(note)), used[1] + 1
            try:
                if used_bytes > _MOST_NOTE_BYTES or number > _MOST_NOTES:
                    raise NoRoomError(_("the room that one seat has for notes in a game is used up"))
                self.keeper.note(text, where, by)
            except NoRoomError as problem:
                raise Declined(409, "no-room", message_of(problem)) from None
            self._noted[asker] = [used_bytes, number]
            self._changes += 1

    def _heading(self, lang: str) -> str:
        words = self.words(lang)
        try:
            return heading(self.game.view(), words)
        except RuleFault:
            return words.say("turn {number}", number=self.game.turn)

    def is_bots_turn(self) -> bool:
        """True where a program is to choose, and the game is ours to change."""
        return self._is_bots_turn() and not self.keeper.looking

    def let_bot_choose(self) -> bool:
        """Make one choice of the program whose turn it is; False where the game has changed while it thought.

        Where the program cannot choose, for whatever reason, people take its seat over.
        """
        with self.lock:
            decision, version = self.game.decision, self.version
            if decision is None or decision.seat not in self.bots:
                return False
            seat, bot, copy = decision.seat, self.bots[decision.seat], self.game.clone()
        try:
            number = self._thought(seat, bot, copy)  # meanwhile others may ask, and take back
            with self.lock:
                if self.version != version or self._is_closed:
                    return False
                self.game.pick(number)
        except Exception as fault:
            self._hand_over(seat, fault)
            return False
        with self.lock:
            self._keep()
        return True

    def leave(self) -> None:
        """Nobody is waited for any more."""
        self._is_closed = True
        self._thinking.end()

    def close(self) -> None:
        """Let others play on; closing twice does no harm."""
        self.leave()
        with self.lock:
            if self._is_put_away:
                return
            self._is_put_away = True
            self.keeper.keep(self.game)
            self.keeper.save_at_last(self.game)
            self.keeper.close()

    # --- inside -----------------------------------------------------------------------------------

    def notify(self, notice: str) -> None:
        """Show a notice to everybody from now on."""
        if notice not in self.notices:
            self.notices.append(notice)
        self._changes += 1

    def _looking_on(self, lang: str, notices: list[str]) -> dict[str, object]:
        """Return what a scene says of a game in which nothing can be chosen, such as one that another program plays."""
        say = self.words(lang).say
        why = say("you only look at this game: {problem}", problem=self.keeper.looking)
        waiting = ""
        if self.game.decision is not None and not self.keeper.is_full:
            waiting = say("this is the game as it was when this server opened it")
        return {"notices": [why, *notices], "waiting": waiting}

    def _hand_over(self, seat: str, fault: Exception) -> None:
        """Let people play the seat of a program that cannot go on, and say why."""
        with self.lock:
            self.bots.pop(seat, None)
            self.players[seat] = HUMAN
            self.notify(
                _(
                    "the program that plays {player} has stopped: {problem}; the host plays this seat now, and its "
                    "link is shown under Players",
                    player=_SeatName(self.rules, seat),
                    problem=fault_sentence(fault),
                )
            )

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
        try:
            decision = self.game.decision
            return decision is not None and decision.seat in self.bots
        except RuleFault:  # nobody knows who is to decide; the scene says so
            return False

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
            raise Declined(
                403, "not-your-turn" if watcher.seats else "onlooker", _("this is for another seat to decide")
            )

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
            raise Declined(500, "fault-in-the-rules", fault_sentence(fault)) from None
        self._keep()

    def _keep(self) -> None:
        self.keeper.keep(self.game)
        self._changes += 1


def _json(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
