"""Commands for the course of the game and its file: undo, redo, note and save."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.api.autosave import NoRoomError
from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.i18n.translator import get_error_message
from interpreter.play.lines import begin_sentence
from interpreter.players.narration.event_lines import render_revealed
from interpreter.players.narration.position_lines import describe_moment
from interpreter.runtime.decisions import Decision
from interpreter.runtime.errors import IllegalAction
from interpreter.runtime.log_entries import LogEntry, LoggedChoice
from interpreter.saves.journal import JournalError
from interpreter.ui.repl.option_menu import OptionMenu
from interpreter.ui.repl.order_taker import OrderTaker
from interpreter.ui.repl.play_context import CommandResult, PlayContext
from interpreter.ui.repl.reporter import Reporter


@dataclass(slots=True)
class HistoryCommands:
    """Service for the commands that undo and redo choices and write into the game's file."""

    context: PlayContext
    menu: OptionMenu
    reporter: Reporter
    orders: OrderTaker

    def undo_or_redo(self, word: str, rest: str) -> CommandResult:
        """Undo or redo the player's last choice, along with the bots' choices since.

        `word`: "undo" or "redo"; `rest`: the words typed after it.
        """
        context, game, say = self.context, self.context.game, self.context.say
        if context.autosave.read_only_reason:
            return context.refuse_viewer()
        if rest and (word == "redo" or rest.strip().casefold() not in ("anyway", say("anyway").casefold())):
            return context.refuse(
                say(
                    "`undo` takes back one choice; repeat it for the choices before (`{rest}` is unknown)",
                    rest=quote_typed(rest),
                )
            )
        revealed = () if word == "redo" or game.state.draft or not game.keys else self._find_revealed()
        if revealed and not rest:
            return context.refuse(
                say("revealed since your last choice:"),
                *(f"  {line}" for line in revealed),
                say("to undo it anyway: undo anyway"),
            )
        if word == "undo":
            try:
                context.autosave.require_room_to_take_back()
            except NoRoomError as problem:
                return context.refuse(say(get_error_message(problem)))
        description = say("the last step") if game.state.draft else self._describe_last_choice()
        route, since = self.orders.route_taken, self._count_forced_choices()
        whole = (
            word == "undo" and route.choices > 0 and route.end == len(game.keys) - since and not game.state.draft
        )  # a route is undone as a whole
        description = route.text if whole else description
        step = game.undo if word == "undo" else game.redo
        try:
            for _ in range(route.choices + since if whole else 1):
                step()
            while not game.over and (context.is_bots_turn() or game.count() == 1):
                step()
        except IllegalAction as refused:
            context.write(say(refused.message))
            if not context.is_bots_turn():
                return CommandResult.ASK
        decision = game.decision
        self.menu.builds_draft = self.menu.builds_draft and decision is not None and decision.is_draft
        is_other_moment = self.reporter.mark_shown()
        self.reporter.skip_news()
        self.orders.forget_route()
        context.autosave.save_progress(game)
        if word == "redo":
            description = say("the last step") if game.state.draft else self._describe_last_choice()
        here = describe_moment(game.view(), context.localizer)
        now = description or here
        context.write(say("undone: {now}", now=now) if word == "undo" else say("redone: {now}", now=now))
        if is_other_moment and now != here:
            context.write("", begin_sentence(here))
        return CommandResult.MOVED

    def _count_forced_choices(self) -> int:
        """Count the most recent consecutive choices of people that had only one option."""
        number = 0
        for before, _length, key in reversed(self.context.game.get_history()):
            if not key or before.pending is None or before.draft:
                break
            decision = Decision(before)
            if decision.seat in self.context.bots or len(decision.list_raw_options()) != 1:
                break
            number += 1
        return number

    def _describe_last_choice(self) -> str:
        """Return the player's last unforced choice in words, or '' at the beginning."""
        choice, _later = self._find_last_free_choice()
        return "" if choice is None else self.context.localizer.format_telling(choice.words)

    def _find_revealed(self) -> tuple[str, ...]:
        """Return lines about dice rolled and choices of bots since a person's last unforced choice."""
        _choice, later = self._find_last_free_choice()
        return render_revealed(reversed(later), self.context.localizer)

    def _find_last_free_choice(self) -> tuple[LoggedChoice | None, list[LogEntry]]:
        """Return a person's last unforced choice, or None, and the later log entries, latest first.

        Forced choices of people are left out.
        """
        forced, later = self._count_forced_choices(), list[LogEntry]()
        for raw in reversed(self.context.game.get_raw_log()):
            if not isinstance(raw, LoggedChoice) or raw.seat in self.context.bots:
                later.append(raw)
            elif forced:
                forced -= 1
            else:
                return raw, later
        return None, later

    def write_note(self, text: str) -> CommandResult:
        """Write a remark into the game's file, with its turn and phase, author and time."""
        context, localizer = self.context, self.context.localizer
        if not text.strip():
            return context.refuse(localizer.say("note what? Write: note TEXT"))
        if context.autosave.read_only_reason:
            return context.refuse_viewer()
        decision = context.game.decision
        by = localizer.get_thing_name("seat", decision.seat) if decision is not None else ""
        try:
            context.autosave.save_note(text.strip(), describe_moment(context.game.view(), localizer), by)
        except NoRoomError as problem:
            return context.refuse(localizer.say(get_error_message(problem)))
        context.write(localizer.say("noted"))
        return CommandResult.ASK

    def save_copy(self, name: str) -> CommandResult:
        """Report where the game is saved, or write a copy to another file."""
        context, say = self.context, self.context.say
        if not name:
            context.autosave.save_progress(context.game)
            context.write(context.autosave.describe_location())
            return CommandResult.ASK
        try:
            context.autosave.copy(context.game, name)
            context.write(say("saved in {file}", file=name))
            if context.autosave.read_only_reason:
                command = f"grognard play --resume {name}"
                context.write(say("to play on in the copy: {command}", command=command))
        except JournalError as problem:
            context.write(say("not saved: {problem}", problem=problem))
        return CommandResult.ASK
