"""One served game: applies commands, builds scenes, and saves after each change.

Thread-safe.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING

from interpreter.api.autosave import Autosave
from interpreter.i18n.translator import get_error_message, mark as _
from interpreter.play.bot import Bot
from interpreter.play.game import Game
from interpreter.players.bots.registry import HUMAN
from interpreter.players.narration.position_lines import describe_moment
from interpreter.players.narration.why_lines import render_reasons
from interpreter.players.orders.confirmations import AskedSeries, find_confirmation, find_pieces_without_orders
from interpreter.players.orders.group_orders import GroupResult
from interpreter.players.orders.route_planning import limit_trials
from interpreter.players.ownership import list_seats
from interpreter.runtime.errors import IllegalAction, RuleFault
from interpreter.saves.storage import format_game_name
from interpreter.ui.web.access_tokens import HOST, ONLOOKER, Requester
from interpreter.ui.web.commands import (
    ChooseCommand,
    CommandRefusedError,
    GameCommand,
    GroupCommand,
    LessonCommand,
    NameCommand,
    NoteCommand,
    RedoCommand,
    UndoCommand,
)
from interpreter.ui.web.error_messages import format_fault
from interpreter.ui.web.game_views import GameViews
from interpreter.ui.web.group_orders import OrderReport, UndoGroups, build_group_refusal, order_group
from interpreter.ui.web.lesson_session import LessonSession
from interpreter.ui.web.note_book import ChatMessage, NoteBook
from interpreter.ui.web.participants import Participants, SeatRow, describe_opponents
from interpreter.view_model.dynamic_view import Viewer
from interpreter.view_model.encoded_content import EncodedContent
from interpreter.view_model.records import DynamicView
from interpreter.view_model.to_json import format_json, to_json
from interpreter.view_model.undo_info import find_last_undoable, list_others_since

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.tools.lessons.course import LessonCourse

OPPONENT = "greedy"  # the bot that a beginner meets


class ServedGame:
    """A game with its file, players, lesson and scenes.

    `players` maps seats to players, as `autosave` does at first; `bots` maps those of bots to the bot; `name` is the
    game's display name; `version` changes whenever the game does. `lesson` guides the player, or is None; `has_lesson`
    says that the ruleset has one.
    """

    def __init__(
        self,
        name: str,
        rules: Rules,
        game: Game,
        autosave: Autosave,
        bots: Mapping[str, Bot],
        course: LessonCourse | None = None,
        has_lesson: bool = False,
    ) -> None:
        self._name, self._named_after = name, autosave.path
        self.rules = rules.as_played(game)
        self.game = game
        self.autosave = autosave
        self.players = dict(autosave.seats)
        self.lesson = None if course is None else LessonSession(course, self.notify)
        self.has_lesson = has_lesson
        self.bots = dict(bots)
        self.notices: list[str] = []  # translated for each reader
        self.lock = Lock()
        self.participants = Participants()
        self._note_book = NoteBook(autosave)
        self._undo_groups = UndoGroups()
        self._asked_series = AskedSeries()
        self._report: OrderReport | None = None  # of the last orders given together
        self._is_closed = False
        self._started, self._change_count = secrets.token_urlsafe(6), 0
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
        return f"{self._started}-{self._change_count}"

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
        bots = () if self._current_lesson is not None else tuple(self.bots)  # the lesson chooses for the others
        if by.role == ONLOOKER or self.autosave.read_only_reason:
            return Viewer((), bots)
        return Viewer(self.people if by.role == HOST else (by.seat,), bots)

    def get_cached_scene(self, by: Requester) -> EncodedContent | None:
        """Return the current scene if it is cached, else None."""
        return self._scenes.get((self.version, by))

    def get_scene(self, by: Requester) -> EncodedContent:
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
        viewer, localizer = self.get_viewer(by), self.views.get_localizer(by.lang)
        view = self._build_view(by.lang, viewer, version)
        trouble = [self.autosave.trouble] if self.autosave.trouble else []
        notices = [*(localizer.say(notice) for notice in (*trouble, *self.notices)), *view.notices]
        notes = self.autosave.notes
        bots = {seat: self.players[seat] if seat in self.bots else "" for seat in self.seats}
        people = self.participants.list_people(self.game, bots, viewer.seats, localizer)
        report = self._report if self._report and self._report.is_for(version, viewer.seats) else None
        data = {
            **to_json(view),
            "notices": notices,
            "role": by.role,
            "name": self.name,
            "people": to_json(people),
            "against": describe_opponents(people, localizer),
            "notes": len(notes),
            "last_note": notes[-1] if notes else "",
            "order_report": None if report is None else report.serialize(localizer),
            "lesson": to_json(None if self.lesson is None else self.lesson.build_view(localizer)),
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
            message = self.views.get_localizer(lang).say(format_fault(fault))
            if not isinstance(fault, RuleFault):
                print(f"grognard: {message}", file=sys.stderr)
            return builder.build_minimal_view(self.game, viewer, version, message)

    def list_messages(self, lang: str) -> list[ChatMessage]:
        """Return the notes of the game, each with its author if known."""
        return self._note_book.list_messages(self.participants.names, self.game, self.views.get_localizer(lang))

    def list_seat_rows(self, by: Requester) -> list[SeatRow]:
        """Return the seats of the game with their players, as the page of the requester `by` lists them."""
        localizer, own = self.views.get_localizer(by.lang), self.get_viewer(by).seats
        return self.participants.list_seat_rows(self.game, self.players, self.bots, own, localizer)

    def is_bots_turn(self) -> bool:
        """Return whether a bot is to choose and this process may change the game.

        During a lesson, the lesson chooses for all other seats.
        """
        if self.autosave.read_only_reason or self._current_lesson is not None:
            return False
        try:
            decision = self.game.decision
            return decision is not None and decision.seat in self.bots
        except RuleFault:  # the next decision is unknown; the scene shows the fault
            return False

    def copy_game(self) -> Game:
        """Return a copy of the game with its whole history, to be queried while play continues."""
        with self.lock:
            return self.game.copy_with_history()

    # --- changes --------------------------------------------------------------------------------

    def apply(self, command: GameCommand, by: Requester) -> None:
        """Carry out the command of a requester.

        Raises CommandRefusedError or NoRoomError if the game refuses the command, RuleFault for an error in the rules.
        """
        with self.lock:
            viewer = self.get_viewer(by)
            match command:
                case ChooseCommand():
                    self._choose(command, viewer, by.lang)
                case GroupCommand():
                    self._order_group(command, viewer, by.lang)
                case UndoCommand():
                    self._undo(command, viewer, by.lang)
                case RedoCommand():
                    self._redo(viewer)
                case NoteCommand():
                    self._add_note(command, by)
                case NameCommand():
                    self._rename_player(command, viewer)
                case LessonCommand():
                    self._advance_lesson(command, viewer)

    def pick(self, number: int, version: str) -> bool:
        """Choose an option by its number; return False if the game is closed or no longer at this version."""
        with self.lock:
            if self._is_closed or version != self.version:
                return False
            self.game.pick(number)
            self._save()
            return True

    def pass_to_humans(self, seat: str, notice: str) -> None:
        """Let humans play the seat of a bot from now on, and show a notice to all clients."""
        with self.lock:
            self.bots.pop(seat, None)
            self.players[seat] = HUMAN
            self.notify(notice)

    def notify(self, notice: str) -> None:
        """Show a notice to all clients from now on."""
        if notice not in self.notices:
            self.notices.append(notice)
        self._change_count += 1

    def close(self) -> None:
        """Close the game's file so that others can play it; idempotent. Choices of bots are ignored from now on."""
        with self.lock:
            if self._is_closed:
                return
            self._is_closed = True
            self.autosave.save_progress(self.game)
            self.autosave.retry_lost_save(self.game)
            self.autosave.close()

    # --- commands -------------------------------------------------------------------------------

    def _choose(self, command: ChooseCommand, viewer: Viewer, lang: str) -> None:
        """Choose options in order. Stop at the first one that is no longer legal or belongs to another seat.

        Raises CommandRefusedError if the first choice is illegal, not this viewer's to make or, for a careful command,
        in need of a confirmation.
        """
        self._require_turn(viewer, command.version)
        keys, is_taught = command.keys, self._current_lesson is not None
        if command.is_careful and not is_taught:
            self._require_confirmed(keys, lang)
        start, carried_out = len(self.game.keys), 0
        is_ending = command.is_careful and not is_taught and list(keys) == ["done"]
        idle = find_pieces_without_orders(self.game) if is_ending else ()
        for number, key in enumerate(keys):
            decision = self.game.decision
            if number and (decision is None or decision.seat not in viewer.seats or decision.find(key) is None):
                break
            try:
                self._choose_option(key, lang)
            except CommandRefusedError:
                if number:
                    break
                raise
            carried_out += 1
        self._undo_groups.add(self.game, start)
        unmade = 0 if is_taught else len(keys) - carried_out  # a lesson asks for the rest in its next steps
        self._report = OrderReport(self.version, viewer.seats, None, GroupResult(carried_out), unmade, idle)

    def _choose_option(self, key: str, lang: str) -> None:
        """Choose one option and save the game.

        Raises CommandRefusedError if it is illegal, or if the lesson expects another one.
        """
        try:
            if self.lesson is None:
                self.game.choose(key)
            else:
                self.lesson.choose(key, self.views.get_localizer(lang))
        except IllegalAction as refused:
            localizer = self.views.get_localizer(lang)
            lines = [str(line).strip() for line in render_reasons(refused.reasons, localizer)]
            raise CommandRefusedError("illegal", get_error_message(refused), lines) from None
        self._save()

    def _order_group(self, command: GroupCommand, viewer: Viewer, lang: str) -> None:
        """Order several pieces to move forward, or to a place. Raises CommandRefusedError if none can move."""
        self._require_turn(viewer, command.version)
        if (lesson := self._current_lesson) is not None:
            raise lesson.build_other_order_refusal(self.views.get_localizer(lang))
        before = len(self.game.keys)
        try:
            with limit_trials():
                result = order_group(self.game, command)
        finally:
            if len(self.game.keys) != before:
                self._save()
                self._undo_groups.add(self.game, before)
        if not result.sent:
            raise build_group_refusal(result, self.views.get_localizer(lang), command.place)
        self._report = OrderReport(self.version, viewer.seats, command, result)

    def _undo(self, command: UndoCommand, viewer: Viewer, lang: str) -> None:
        """Undo the viewer's last choice, the choices made together with it, and the bots' choices since.

        Raises CommandRefusedError if nothing can be undone, NoRoomError if the file has no room for undone choices.
        """
        self._require_writable()
        if (lesson := self._current_lesson) is not None:
            self._return_to_previous_step(lesson, viewer)
            return
        undoable = find_last_undoable(self.game, viewer.seats, self.views.get_localizer(lang)) if viewer.seats else None
        if undoable is None:
            raise CommandRefusedError("nothing-to-undo", _("nothing to undo"))
        other_seats = [s for s in list_others_since(self.game, viewer.seats) if s not in self.bots]
        if other_seats:
            raise CommandRefusedError(
                "others-chose", _("the other side has chosen since then; ask it to undo that choice first")
            )
        if undoable.horizon and not command.anyway:
            say = self.views.get_localizer(lang).say
            answers = (say("Undo anyway"), say("Go back"))
            raise CommandRefusedError("come-out", _("revealed since your last choice:"), undoable.horizon, answers)
        self.autosave.require_room_to_take_back()
        group_start = self._undo_groups.find_start(len(self.game.keys))
        self.game.undo()
        while (self.is_bots_turn() or len(self.game.keys) > group_start) and self.game.get_history():
            self.game.undo()
        self._undo_groups.truncate(len(self.game.keys))
        self._save()

    def _redo(self, viewer: Viewer) -> None:
        """Redo the last undone choice, with the bots' choices after it."""
        self._require_writable()
        decision = self.game.decision
        if not self.game.can_redo or decision is not None and decision.seat not in viewer.seats:
            raise CommandRefusedError("nothing-to-redo", _("nothing to redo"))
        self.game.redo()
        while self.is_bots_turn() and self.game.can_redo:
            self.game.redo()
        self._save()

    def _add_note(self, command: NoteCommand, by: Requester) -> None:
        """Save a note with its author and the moment of the game. Raises CommandRefusedError for an onlooker."""
        if by.role == ONLOOKER:
            raise CommandRefusedError("onlooker", _("Onlookers cannot write notes"))
        self._require_writable()
        people = self.people
        author = by.seat or (people[0] if len(people) == 1 else "")
        self._note_book.add(
            by.asker, command.text, author, self._format_heading(by.lang), self.views.get_localizer(by.lang)
        )
        self._change_count += 1

    def _rename_player(self, command: NameCommand, viewer: Viewer) -> None:
        """Set the display name of a seat's player on every page. Raises CommandRefusedError for another's seat."""
        if command.seat not in viewer.seats:
            raise CommandRefusedError("onlooker", _("Only the player of a seat can set the name of its player"))
        self.participants.rename(command.seat, command.name)
        self._change_count += 1

    def _advance_lesson(self, command: LessonCommand, viewer: Viewer) -> None:
        """Advance the lesson, go back a step or leave it. Raises CommandRefusedError if that is not possible."""
        if self.lesson is None or not viewer.seats:
            raise CommandRefusedError("no-lesson", _("this game is not a lesson"))
        if command.action == "back":
            self._return_to_previous_step(self.lesson, viewer)
        elif self.lesson.advance(command):
            self._change_count += 1

    def _return_to_previous_step(self, lesson: LessonSession, viewer: Viewer) -> None:
        if not viewer.seats or not lesson.course.go_back():
            raise CommandRefusedError("nothing-to-undo", _("This is the first step."))
        self._save()

    # --- internals --------------------------------------------------------------------------------

    @property
    def _current_lesson(self) -> LessonSession | None:
        """Return the lesson until its last step is done or the player leaves it, else None."""
        return self.lesson if self.lesson is not None and self.lesson.is_on else None

    def _format_heading(self, lang: str) -> str:
        localizer = self.views.get_localizer(lang)
        try:
            return describe_moment(self.game.view(), localizer)
        except RuleFault:
            return localizer.say("turn {number}", number=self.game.turn)

    def _read_only_texts(self, lang: str, notices: list[str]) -> dict[str, object]:
        """Return the notices of a read-only game, such as one that another program plays.

        `notices`: the notices of the game; `waiting` in the result says why nothing can be chosen.
        """
        say = self.views.get_localizer(lang).say
        why = say("you are only viewing this game: {problem}", problem=self.autosave.read_only_reason)
        waiting = ""
        if self.game.decision is not None and not self.autosave.is_full:
            waiting = say("this is the position in which this server opened the game")
        return {"notices": [why, *notices], "waiting": waiting}

    def _require_writable(self) -> None:
        if self.autosave.read_only_reason:
            raise CommandRefusedError(
                "only-looking",
                _("you are only viewing this game: {problem}", problem=self.autosave.read_only_reason),
            )

    def _require_turn(self, viewer: Viewer, version: str) -> None:
        """Raise CommandRefusedError unless the viewer is to choose now and has seen this version of the game.

        `version`: '' for any.
        """
        self._require_writable()
        decision = self.game.decision
        if decision is None:
            raise CommandRefusedError("over", _("the game is over"))
        if version and version != self.version:
            raise CommandRefusedError("changed", _("the game has continued since then; look at it again"))
        if decision.seat not in viewer.seats:
            raise CommandRefusedError(
                "not-your-turn" if viewer.seats else "onlooker", _("this decision belongs to another seat")
            )

    def _require_confirmed(self, keys: Sequence[str], lang: str) -> None:
        """Raise CommandRefusedError if the choices need a confirmation before they are made; illegal ones need none.

        Whether to end a series of decisions is asked only once in the series.
        """
        decision = self.game.decision
        if decision is None or decision.find(keys[0]) is None:
            return
        needed = find_confirmation(self.game, keys, self.views.get_localizer(lang))
        if needed is not None and self._asked_series.is_first(self.game, needed):
            raise CommandRefusedError("confirm", needed.question, needed.reasons, needed.answers)

    def _save(self) -> None:
        self.autosave.save_progress(self.game)
        self._change_count += 1
