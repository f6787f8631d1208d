"""One served game: applies choices, builds scenes, saves after each change, and runs its bots.

Thread-safe.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from interpreter.api.autosave import MOST_NOTE_BYTES, Autosave, NoRoomError
from interpreter.i18n.translator import get_error_message, mark as _
from interpreter.play.game import Game
from interpreter.players.bots.registry import HUMAN, Bot
from interpreter.players.narration.position_lines import describe_moment
from interpreter.players.narration.why_lines import render_reasons
from interpreter.players.orders.confirmations import AskedSeries, find_confirmation, find_pieces_without_orders
from interpreter.players.orders.group_orders import GroupResult
from interpreter.players.ownership import list_seats
from interpreter.runtime.errors import IllegalAction, RuleFault
from interpreter.runtime.localizer import Localizer
from interpreter.saves.entries import NoteEntry
from interpreter.saves.journal import measure_line
from interpreter.saves.storage import format_game_name
from interpreter.tools.lessons.errors import LessonError, OtherOrderError
from interpreter.ui.web.access_tokens import HOST, ONLOOKER, Requester
from interpreter.ui.web.api_errors import ApiError
from interpreter.ui.web.background_work import BackgroundWorker, build_sent_position
from interpreter.ui.web.error_messages import format_fault
from interpreter.ui.web.game_views import GameViews
from interpreter.ui.web.group_orders import GroupCommand, OrderReport, UndoGroups, build_group_refusal, order_group
from interpreter.ui.web.participants import ChatMessage, Participants, describe_opponents
from interpreter.view_model.dynamic_view import Viewer
from interpreter.view_model.encoded_content import EncodedContent
from interpreter.view_model.records import DynamicView
from interpreter.view_model.to_json import format_json, to_json
from interpreter.view_model.undo_info import find_last_undoable, list_others_since

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.tools.lessons.course import LessonCourse
    from interpreter.view_model.lesson_view import ShownLesson

OPPONENT = "greedy"  # the bot that a beginner meets
_MOST_KEYS = 20  # choices per request
_MOST_NOTES, _MOST_NOTE_BYTES = 1_000, MOST_NOTE_BYTES // 4  # of one asker
_MOST_STEPS = 1_000  # steps of one choice that is built in steps


@dataclass(frozen=True, slots=True)
class _SeatName:
    """The name of a seat as text in any language."""

    rules: Rules
    seat: str

    def text_in(self, language: str) -> str:
        """Return the name in a language."""
        return Localizer(self.rules.program, language).get_thing_name("seat", self.seat)

    def __str__(self) -> str:
        return self.text_in("")


@dataclass(frozen=True, slots=True)
class BotTurn:
    """A bot's turn: its seat, the version of the game, and a copy of the game to compute the choice on."""

    seat: str
    version: str
    game: Game


def create_process_worker(target: str) -> BackgroundWorker:
    """Return a worker in a separate process, for games of the ruleset `target`."""
    from interpreter.ui.web.worker_process import Worker

    return Worker(target)


class ServedGame:
    """A game with its file, bots and scenes.

    `players` maps seats to players; `name` is the game's display name; `version` changes whenever the game does.
    `course` is the lesson that guides the player, or None; `has_lesson` says that the ruleset has one.
    """

    def __init__(
        self,
        name: str,
        rules: Rules,
        game: Game,
        autosave: Autosave,
        players: Mapping[str, str],
        bots: Mapping[str, Bot],
        course: LessonCourse | None = None,
        has_lesson: bool = False,
        make_worker: Callable[[str], BackgroundWorker] = create_process_worker,
    ) -> None:
        self._name, self._named_after = name, autosave.path
        self.rules = rules.as_played(game)
        self.game = game
        self.autosave = autosave
        self.players = dict(players)
        self.course = course
        self.has_lesson = has_lesson
        self.bots = dict(bots)
        self.notices: list[str] = []  # translated for each reader
        self.lock = Lock()
        self._noted: dict[str, list[int]] = {}  # by asker: bytes and number of notes
        self.participants = Participants()
        self._undo_groups = UndoGroups()
        self._asked_series = AskedSeries()
        self._report: OrderReport | None = None  # of the last orders given together
        self.make_worker = make_worker
        self._thinking, self.begun_at = make_worker(rules.target), len(game.keys)
        self._is_closed = self._is_put_away = False
        self._started, self._changes = secrets.token_urlsafe(6), 0
        self.views = GameViews(self.rules)
        self._scenes: dict[tuple[str, Requester], EncodedContent] = {}
        autosave.say = _  # translated for each reader

    # --- queries ------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Return the displayed name of the game: that of its file, which may be another after a failure to save."""
        path = self.autosave.path
        if path is not None and path != self._named_after:
            self._name, self._named_after = format_game_name(path), path
        return self._name

    @property
    def is_saved(self) -> bool:
        """Return whether everything played is in a file."""
        return self.autosave.path is not None and not self.autosave.is_lost

    @property
    def version(self) -> str:
        """Return an id of the game's state, which differs after every change, also of notes and names."""
        return f"{self._started}-{self._changes}"

    @property
    def seats(self) -> tuple[str, ...]:
        """Return the seats of the game, in the order of their sides."""
        return tuple(list_seats(self.game))

    @property
    def people(self) -> tuple[str, ...]:
        """Return the seats that humans play."""
        return tuple(seat for seat in self.seats if seat not in self.bots)

    def get_viewer(self, by: Requester) -> Viewer:
        """Return the viewer of a role: the host has all human seats; in a read-only game no viewer has a seat."""
        bots = () if self._is_taught else tuple(self.bots)  # the lesson chooses for the others
        if by.role == ONLOOKER or self.autosave.read_only_reason:
            return Viewer((), bots)
        return Viewer(self.people if by.role == HOST else (by.seat,), bots)

    def get_cached_scene(self, by: Requester) -> EncodedContent | None:
        """Return the current scene if it is cached, else None."""
        return self._scenes.get((self.version, by))

    def scene(self, by: Requester) -> EncodedContent:
        """Return the current scene as JSON, cached by version and requester."""
        with self.lock:
            version = self.version
            encoded = self._scenes.get((version, by))
            if encoded is None:
                self._scenes = {key: scene for key, scene in self._scenes.items() if key[0] == version}
                encoded = self._scenes[version, by] = EncodedContent(self._build_scene_json(by, version))
            return encoded

    def _build_scene_json(self, by: Requester, version: str) -> bytes:
        """Return the current scene as JSON: the view of the position, and what the server adds to it."""
        viewer, words = self.get_viewer(by), self.views.words(by.lang)
        view = self._build_view(by.lang, viewer, version)
        trouble = [self.autosave.trouble] if self.autosave.trouble else []
        notices = [*(words.say(notice) for notice in (*trouble, *self.notices)), *view.notices]
        notes = self.autosave.notes
        bots = {seat: self.players[seat] if seat in self.bots else "" for seat in self.seats}
        people = self.participants.list_people(self.game, bots, viewer.seats, words)
        report = self._report if self._report and self._report.is_for(version, viewer.seats) else None
        data = {
            **to_json(view),
            "notices": notices,
            "role": by.role,
            "name": self.name,
            "people": to_json(people),
            "against": describe_opponents(people, words),
            "notes": len(notes),
            "last_note": notes[-1] if notes else "",
            "order_report": None if report is None else report.to_data(words),
            "lesson": to_json(self._build_lesson_view(by.lang)),
            "has_lesson": self.has_lesson,
        }
        if self.autosave.read_only_reason:
            data |= self._read_only_texts(by.lang, notices)
        return format_json(data).encode("utf-8", "replace")

    def _build_view(self, lang: str, viewer: Viewer, version: str) -> DynamicView:
        """Return the current view or, if it cannot be built, a minimal one with the fault and what can be undone.

        `version`: the version of the game, which the view contains.
        """
        builder = self.views.get_builder(lang)
        try:
            return builder.build_view(self.game, viewer, version)
        except Exception as fault:
            message = self.views.words(lang).say(format_fault(fault))
            if not isinstance(fault, RuleFault):
                print(f"grognard: {message}", file=sys.stderr)
            return builder.build_minimal_view(self.game, viewer, version, message)

    def list_messages(self, lang: str) -> list[ChatMessage]:
        """Return the notes of the game, each with its author if known."""
        return self.participants.list_messages(self.autosave.notes, self.game, self.views.words(lang))

    def rename_player(self, viewer: Viewer, seat: str, name: str) -> None:
        """Set the display name of a seat's player on every page. Raises ApiError for another player's seat."""
        if seat not in viewer.seats:
            raise ApiError(403, "onlooker", _("this decision belongs to another seat"))
        with self.lock:
            self.participants.rename(seat, name)
            self._changes += 1

    def order_group(self, viewer: Viewer, command: GroupCommand, version: str, lang: str) -> None:
        """Order several pieces to move forward, or to a place.

        `version`: the version of the game that the viewer has seen. Raises ApiError if none can move.
        """
        with self.lock:
            self._expect(viewer, version)
            if self._is_taught:
                raise self._build_other_order_error(lang)
            before = len(self.game.keys)
            try:
                result = order_group(self.game, command)
            except RuleFault as fault:
                raise ApiError(500, "fault-in-the-rules", format_fault(fault)) from None
            finally:
                if len(self.game.keys) != before:
                    self._save()
                    self._undo_groups.add(self.game, before)
            if not result.sent:
                raise build_group_refusal(result, self.views.words(lang), command.place)
            self._report = OrderReport(self.version, viewer.seats, command, result)

    def copy(self) -> Game:
        """Return a copy of the game with its whole history, to be queried while play continues."""
        with self.lock:
            return self.game.copy_with_history()

    # --- changes --------------------------------------------------------------------------------

    def choose(self, viewer: Viewer, keys: Sequence[str], version: str, lang: str, careful: bool = False) -> None:
        """Choose options by key, in order. Stop at the first one that is no longer legal or belongs to another seat.

        `version`: the version of the game that the viewer has seen. Raises ApiError if the first choice is illegal or
        not this viewer's to make; if `careful`, also if it needs a confirmation.
        """
        if not 0 < len(keys) <= _MOST_KEYS:
            raise ApiError(400, "too-many", _("at most {most} choices can be sent together", most=_MOST_KEYS))
        if any(key.count(">") >= _MOST_STEPS for key in keys):
            raise ApiError(
                400, "too-many", _("at most {most} steps of an answer can be sent together", most=_MOST_STEPS)
            )
        with self.lock:
            self._expect(viewer, version)
            if careful and not self._is_taught:
                self._expect_no_confirmation(keys, lang)
            start, carried_out, is_taught = len(self.game.keys), 0, self._is_taught
            is_ending = careful and not is_taught and list(keys) == ["done"]
            idle = find_pieces_without_orders(self.game) if is_ending else ()
            for number, key in enumerate(keys):
                decision = self.game.decision
                if number and (decision is None or decision.seat not in viewer.seats or decision.find(key) is None):
                    break
                try:
                    self._choose(key, lang)
                except OtherOrderError:
                    if number:
                        break
                    raise self._build_other_order_error(lang) from None
                carried_out += 1
            self._undo_groups.add(self.game, start)
            unmade = 0 if is_taught else len(keys) - carried_out  # a lesson asks for the rest in its next steps
            self._report = OrderReport(self.version, viewer.seats, None, GroupResult(carried_out), unmade, idle)

    def undo(self, viewer: Viewer, anyway: bool, lang: str) -> None:
        """Undo the viewer's last choice, the choices made together with it, and the bots' choices since.

        `anyway`: even if something was revealed since. Raises ApiError if nothing can be undone.
        """
        with self.lock:
            self._expect_playable()
            if self._is_taught:
                self._return_to_previous_step(viewer)
                return
            undoable = find_last_undoable(self.game, viewer.seats, self.views.words(lang)) if viewer.seats else None
            if undoable is None:
                raise ApiError(409, "nothing-to-undo", _("nothing to undo"))
            other_seats = [s for s in list_others_since(self.game, viewer.seats) if s not in self.bots]
            if other_seats:
                raise ApiError(
                    409, "others-chose", _("the other side has chosen since then; ask for an undo of that choice first")
                )
            if undoable.horizon and not anyway:
                say = self.views.words(lang).say
                answers = (say("Undo anyway"), say("Go back"))
                raise ApiError(409, "come-out", _("revealed since your last choice:"), undoable.horizon, answers)
            try:
                self.autosave.require_room_to_take_back()
            except NoRoomError as problem:
                raise ApiError(409, "no-room", get_error_message(problem)) from None
            choice_count = len(self.game.keys)
            group_start = self._undo_groups.start_of(choice_count)
            self.game.undo()
            while (self._is_bots_turn() or len(self.game.keys) > group_start) and self.game.get_history():
                self.game.undo()
            self._undo_groups.truncate(len(self.game.keys))
            self._save()

    def follow_lesson(self, viewer: Viewer, what: str, kind: str, ids: Sequence[str]) -> None:
        """Advance the lesson as `what` says: "next", "back", "leave", or "look" at the things `ids` of a kind."""
        with self.lock:
            if self.course is None or not viewer.seats:
                raise ApiError(409, "no-lesson", _("this game is not a lesson"))
            if what == "back":
                self._return_to_previous_step(viewer)
                return
            if what == "leave":
                self.course.leave()
            elif what == "next":
                if not self.course.is_read_only:
                    raise ApiError(409, "order-expected", _("This step needs an order."))
                try:
                    self.course.read()
                except LessonError as fault:
                    self._end_lesson(fault)
            elif what != "look" or not self.course.finish_look_step(kind, ids):
                return
            self._changes += 1

    def _return_to_previous_step(self, viewer: Viewer) -> None:
        if self.course is None or not viewer.seats or not self.course.go_back():
            raise ApiError(409, "nothing-to-undo", _("This is the first step."))
        self._save()

    def _build_lesson_view(self, lang: str) -> ShownLesson | None:
        if self.course is None:
            return None
        from interpreter.view_model.lesson_view import build_lesson_view

        return build_lesson_view(self.course, self.views.words(lang))

    @property
    def _is_taught(self) -> bool:
        return self.course is not None and self.course.is_on

    def _build_other_order_error(self, lang: str) -> ApiError:
        """Return the refusal of an order that the lesson's step does not expect."""
        from interpreter.view_model.lesson_view import format_other_order

        step = None if self.course is None else self.course.step
        text = format_other_order({} if step is None else step.advice, self.views.words(lang))
        return ApiError(409, "other-order", text)

    def redo(self, viewer: Viewer) -> None:
        """Redo the last undone choice, with the bots' choices after it."""
        with self.lock:
            self._expect_playable()
            decision = self.game.decision
            if not self.game.can_redo or decision is not None and decision.seat not in viewer.seats:
                raise ApiError(409, "nothing-to-redo", _("nothing to redo"))
            self.game.redo()
            while self._is_bots_turn() and self.game.can_redo:
                self.game.redo()
            self._save()

    def add_note(self, asker: str, text: str, lang: str, seat: str = "") -> None:
        """Store a remark, with the turn and phase it belongs to and the seat that makes it ('' for the host).

        Each asker has a share of the room for notes.
        """
        with self.lock:
            self._expect_playable()
            words, people = self.views.words(lang), self.people
            whose = seat or (people[0] if len(people) == 1 else "")
            by = words.get_thing_name("seat", whose) if whose else words.say("host")
            where = self._format_heading(lang)
            note = self.autosave.format_note(text, where, by)
            used = self._noted.setdefault(asker, [0, 0])
            used_bytes, number = used[0] + measure_line(NoteEntry(note)), used[1] + 1
            try:
                if used_bytes > _MOST_NOTE_BYTES or number > _MOST_NOTES:
                    raise NoRoomError(_("the space for notes of one seat in a game is full"))
                self.autosave.save_note(text, where, by)
                self.participants.record_author(len(self.autosave.notes) - 1, text, whose, where)
            except NoRoomError as problem:
                raise ApiError(409, "no-room", get_error_message(problem)) from None
            self._noted[asker] = [used_bytes, number]
            self._changes += 1

    def _format_heading(self, lang: str) -> str:
        words = self.views.words(lang)
        try:
            return describe_moment(self.game.view(), words)
        except RuleFault:
            return words.say("turn {number}", number=self.game.turn)

    def is_bots_turn(self) -> bool:
        """Return True if a bot is to choose and this process may change the game."""
        return self._is_bots_turn() and not self.autosave.read_only_reason

    def let_bot_choose(self) -> bool:
        """Make one choice of the bot whose turn it is; return False if the game changed while it thought.

        If the bot fails for any reason, its seat passes to humans.
        """
        turn = self.get_bot_turn()
        if turn is None:
            return False
        try:
            number = self._compute_choice(turn)  # without the lock, so queries and undo stay possible
        except Exception as fault:
            self.fail_bot(turn.seat, fault)
            return False
        return self.take_bot_choice(turn, number)

    def get_bot_turn(self) -> BotTurn | None:
        """Return the turn of the bot that is to choose now, or None."""
        with self.lock:
            decision = self.game.decision
            if decision is None or not self._is_bots_turn():
                return None
            return BotTurn(decision.seat, self.version, self.game.clone())

    def take_bot_choice(self, turn: BotTurn, number: int) -> bool:
        """Make the choice of a bot; return False if the game changed while it thought, or if it cannot be made."""
        try:
            with self.lock:
                if self.version != turn.version or self._is_closed:
                    return False
                self.game.pick(number)
        except Exception as fault:
            self.fail_bot(turn.seat, fault)
            return False
        with self.lock:
            self._save()
        return True

    def leave(self) -> None:
        """Stop the process of the bots; no bot chooses from now on."""
        self._is_closed = True
        self._thinking.end()

    def close(self) -> None:
        """Close the game's file so that others can play it; idempotent."""
        self.leave()
        with self.lock:
            if self._is_put_away:
                return
            self._is_put_away = True
            self.autosave.save_progress(self.game)
            self.autosave.save_at_last(self.game)
            self.autosave.close()

    # --- internals --------------------------------------------------------------------------------

    def notify(self, notice: str) -> None:
        """Show a notice to all clients from now on."""
        if notice not in self.notices:
            self.notices.append(notice)
        self._changes += 1

    def _read_only_texts(self, lang: str, notices: list[str]) -> dict[str, object]:
        """Return the notices of a read-only game, such as one that another program plays.

        `notices`: the notices of the game; `waiting` in the result says why nothing can be chosen.
        """
        say = self.views.words(lang).say
        why = say("you are only viewing this game: {problem}", problem=self.autosave.read_only_reason)
        waiting = ""
        if self.game.decision is not None and not self.autosave.is_full:
            waiting = say("this is the game as this server opened it")
        return {"notices": [why, *notices], "waiting": waiting}

    def fail_bot(self, seat: str, fault: Exception) -> None:
        """Pass the seat of a bot that failed to humans, with a notice; `fault`: the error of the bot."""
        with self.lock:
            self.bots.pop(seat, None)
            self.players[seat] = HUMAN
            self.notify(
                _(
                    "the bot of {player} has stopped: {problem}; the host plays this seat now, and its link "
                    "is shown under Players",
                    player=_SeatName(self.rules, seat),
                    problem=format_fault(fault),
                )
            )

    def _compute_choice(self, turn: BotTurn) -> int:
        """Return the number of the option that a bot chooses.

        It is computed in the background worker, except for the random bot or if the worker has ended.
        """
        seat, bot = turn.seat, self.bots[turn.seat]
        if self.players[seat] == "random":
            return bot.choose(turn.game)
        try:
            number: int = self._thinking.ask(
                "choose", build_sent_position(turn.game), seat, self.players, self.begun_at
            )
        except EOFError:  # the worker was ended, or none can be started here
            return 0 if self._is_closed else bot.choose(turn.game)
        return number

    def _is_bots_turn(self) -> bool:
        """Return whether a bot is to choose; during a lesson, the lesson chooses for all other seats."""
        try:
            decision = self.game.decision
            return decision is not None and decision.seat in self.bots and not self._is_taught
        except RuleFault:  # the next decision is unknown; the scene shows the fault
            return False

    def _expect_playable(self) -> None:
        if self.autosave.read_only_reason:
            raise ApiError(
                409,
                "only-looking",
                _("you are only viewing this game: {problem}", problem=self.autosave.read_only_reason),
            )

    def _expect(self, viewer: Viewer, version: str) -> None:
        """Raise ApiError unless the viewer is to choose now and has seen the current version ('' for any)."""
        self._expect_playable()
        decision = self.game.decision
        if decision is None:
            raise ApiError(409, "over", _("the game is over"))
        if version and version != self.version:
            raise ApiError(409, "changed", _("the game has continued since then; look at it again"))
        if decision.seat not in viewer.seats:
            raise ApiError(
                403, "not-your-turn" if viewer.seats else "onlooker", _("this decision belongs to another seat")
            )

    def _expect_no_confirmation(self, keys: Sequence[str], lang: str) -> None:
        """Raise ApiError if the choices need a confirmation before they are made; illegal ones need none.

        Whether to end a series of decisions is asked only once in the series.
        """
        decision = self.game.decision
        if decision is None or decision.find(keys[0]) is None:
            return
        needed = find_confirmation(self.game, keys, self.views.words(lang))
        if needed is not None and self._asked_series.is_first(self.game, needed):
            raise ApiError(409, "confirm", needed.question, needed.reasons, needed.answers)

    def _choose(self, key: str, lang: str) -> None:
        """Choose one option and save the game. Raises ApiError if the option is illegal or the rules fault."""
        try:
            if self.course is None:
                self.game.choose(key)
            else:
                self.course.choose(key)
        except LessonError as fault:
            self._end_lesson(fault)
        except IllegalAction as refused:
            words = self.views.words(lang)
            lines = [str(line).strip() for line in render_reasons(refused.reasons, words)]
            raise ApiError(422, "illegal", get_error_message(refused), lines) from None
        except RuleFault as fault:
            raise ApiError(500, "fault-in-the-rules", format_fault(fault)) from None
        self._save()

    def _end_lesson(self, fault: LessonError) -> None:
        """End the lesson because a choice that it fixes is not possible."""
        assert self.course is not None
        self.course.leave()
        self.notify(_("the lesson cannot go on: {problem}", problem=fault.message))

    def _save(self) -> None:
        self.autosave.save_progress(self.game)
        self._changes += 1
