"""Textual application of the full screen: keys, clicks and lines in, map and panels out.

Typed or chosen text goes to the session through the UiChannel.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.driver import Driver
from textual.scrollbar import ScrollBar
from textual.timer import Timer
from textual.widgets import Input

from interpreter.ui.tui import panel_texts
from interpreter.ui.tui.background_tasks import BackgroundTasks, OverlayMade, ReasonsFound, SheetMade
from interpreter.ui.tui.command_input import CommandInput
from interpreter.ui.tui.layout import CSS
from interpreter.ui.tui.map.background_layer import BackgroundLayer
from interpreter.ui.tui.map.rendering import OVER, Highlights
from interpreter.ui.tui.map_cursor import MapCursor
from interpreter.ui.tui.map_view import MapView
from interpreter.ui.tui.messages import (
    BusyMessage,
    Cleared,
    MessagePort,
    NewsMessage,
    QuestionMessage,
    SceneMessage,
    ignore_while_closing,
)
from interpreter.ui.tui.order_entry import OrderEntry
from interpreter.ui.tui.panels import Panels
from interpreter.ui.tui.recap_player import RecapPlayer, RecapShown
from interpreter.ui.tui.selection import NOTHING, Selection, find_done_key, should_focus_list
from interpreter.ui.tui.status_rows import StatusRows
from interpreter.ui.tui.ui_channel import UiChannel
from interpreter.ui.tui.widgets import EndMarks, OptionList, TextRow, TextView
from interpreter.view_model.answer_records import Overlay
from interpreter.view_model.records import DynamicView

_NO_BACKDROP = BackgroundLayer({}, (), ())
_REST = 0.15  # seconds of rest before the cursor's place is looked up


def has_light_background() -> bool:
    """Return whether the terminal says, in COLORFGBG, that its background is light; False if it says nothing."""
    return os.environ.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15")


class Application(App[None]):
    """Full-screen application for one game."""

    CSS = CSS
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = [
        *(Binding(key, f"panel('{name}')", name, priority=True) for key, _, name in panel_texts.KEYS),
        Binding("f9", "alone", "map", priority=True),
        Binding("ctrl+o,f10", "overlay", "overlay", priority=True),
        Binding("ctrl+r", "recap", "recap", priority=True),
        Binding("ctrl+z", "say('undo')", "undo", priority=True),
        Binding("ctrl+y", "say('redo')", "redo", priority=True),
        Binding("ctrl+l", "say('clear')", "clear", priority=True),
        Binding("ctrl+q,ctrl+c", "quit", "quit", priority=True),
    ]

    def __init__(self, port: MessagePort, channel: UiChannel) -> None:
        # with NO_COLOR use the terminal's own two colours; Textual would use greys
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)
        ScrollBar.renderer = EndMarks
        self.theme = f"textual-{'light' if has_light_background() else 'dark'}"
        self.port, self.channel = port, channel
        self.say = port.context.localizer.say
        self.game_view: DynamicView | None = None
        self.background = _NO_BACKDROP
        self.prompt = self.waiting = ""
        self.is_suspended = True  # the game is suspended and accepts a choice
        self.title = port.static_view.title
        self.start_session: Callable[[], None] = lambda: None
        self.map = MapView("map")
        self.map_cursor = MapCursor(port, self.map)
        self.panels = Panels(self, port, self.map_cursor.legend)
        self.background_tasks = BackgroundTasks(self, port, channel)
        self.recap = RecapPlayer(self.background_tasks)
        self.order_entry = OrderEntry(self)
        self._cursor_before_recap = ""
        self._lookup_timer: Timer | None = None
        self._is_setup = self._has_asked_end = False
        self.rows = StatusRows(self)
        self._card_address: tuple[int, ...] = ()  # address of the card that Ctrl+B shows next, () for the last roll

    def get_driver_class(self) -> type[Driver]:
        """Return Textual's driver, or on POSIX one that drops bytes that are not UTF-8."""
        if sys.platform != "win32" and "TEXTUAL_DRIVER" not in os.environ:
            from interpreter.ui.tui.key_driver import LenientDriver

            return LenientDriver
        return super().get_driver_class()

    # --- widgets --------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Yield all widgets; the layout shows those that fit."""
        yield TextRow(self.port.static_view.title, id="top")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield self.map
                yield TextRow(id="place")
                yield TextRow(id="news", more="... F4")
            with Vertical(id="right"):
                yield OptionList("orders")
                yield TextRow(id="tabs", markup=True)
                yield TextView("sheet")
                yield TextView("talk", follows=True)
        with Horizontal(id="bottom"):
            yield TextRow(id="prompt", fits=True)
            yield CommandInput("line")
        yield TextRow(id="keys")

    def on_mount(self) -> None:
        """Focus the command line and start the session once the screen is drawn."""
        self.screen.set_class(self.port.is_plain, "plain")
        self.line.focus()
        self._arrange()
        self.call_after_refresh(lambda: self.start_session())

    @property
    def line(self) -> CommandInput:
        """Return the command line."""
        return self.query_one("#line", CommandInput)

    @property
    def talk(self) -> TextView:
        """Return the view of the session's output."""
        return self.query_one("#talk", TextView)

    # --- messages from the session ----------------------------------------------------------------

    @ignore_while_closing
    def on_news_message(self, event: NewsMessage) -> None:
        """Show lines of the session's output."""
        self.talk.add_lines(event.lines)

    @ignore_while_closing
    def on_cleared(self, event: Cleared) -> None:
        """Clear the session's output."""
        self.talk.set_lines(())

    @ignore_while_closing
    def on_busy_message(self, event: BusyMessage) -> None:
        """Show the bot that is thinking."""
        self.waiting, self.prompt = event.text, ""
        self.rows.show_prompt()

    @ignore_while_closing
    def on_scene_message(self, event: SceneMessage) -> None:
        """Show a new view of the game, at a decision or in between."""
        is_new = self.game_view is None or self.game_view.version != event.game_view.version
        self.game_view, self.background = event.game_view, event.background
        if is_new:
            self.recap.close()
        self.prompt, self.waiting, self.is_suspended = event.prompt, event.waiting, True
        self._is_setup, self._has_asked_end = event.is_setup, False
        self.line.known = event.known
        if is_new:
            self.order_entry.select(Selection(row=0) if should_focus_list(event.game_view) else NOTHING)
            self.rows.mark_news_start(event.game_view)
            self._place_cursor()
            self.order_entry.start_overlay()
            self._show_briefing(event.game_view)
            self.rows.show_heading()
            self.rows.show_news()
        self.rows.show_prompt()
        self.redraw()
        # the text of a lesson, a question, and the answer to what was no choice are among the messages
        is_announced = not is_new or bool(self.port.lesson()) or not self.prompt.endswith("> ")
        if self.prompt and is_announced:
            self.panels.show_beside_map()
        if self.prompt and is_announced and self.panels.is_small:
            self.action_panel("talk")
        elif is_new:
            self._show_sheet()

    def _show_briefing(self, view: DynamicView) -> None:
        """Show the briefing before the first choice, later the card of a roll beside a large map.

        Afterwards the cursor's place is shown again.
        """
        before, is_taught = self.panels.sheet, bool(self.port.lesson())
        if view.choices == 0 and view.may_choose and not is_taught:
            self.panels.show_panel("briefing")
        elif before in ("here", "card") and not self.panels.is_small and self.rows.has_rolled:
            self._card_address = ()
            self.panels.show_panel("card")
        elif before in ("briefing", "card"):
            self.panels.show_panel("here")
            self.panels.show_panel("orders")
        else:
            return
        self._arrange()

    @ignore_while_closing
    def on_question_message(self, event: QuestionMessage) -> None:
        """Show a question asked in the middle of a choice; only the command line can answer it."""
        self.prompt, self.is_suspended, self.line.known = event.prompt, False, ()
        self.order_entry.select(NOTHING)
        self.rows.show_prompt()
        self.panels.show_beside_map()
        if self.panels.is_small:
            self.action_panel("talk")

    # --- results of background tasks --------------------------------------------------------------

    @ignore_while_closing
    def on_sheet_made(self, event: SheetMade) -> None:
        """Show a sheet that a background task has computed."""
        if event.sheet == self.panels.sheet:
            self.panels.reading.set_lines(event.lines)
            self._card_address = event.previous
            self.rows.show_keys()

    @ignore_while_closing
    def on_reasons_found(self, event: ReasonsFound) -> None:
        """Show why the cursor's place cannot be reached, or which pieces can reach it."""
        if event.place == self.map_cursor.cursor and event.lines:
            self.rows.show_place(event.lines, self.order_entry.is_asking_destination())

    @ignore_while_closing
    def on_overlay_made(self, event: OverlayMade) -> None:
        """Show an overlay that a background task has computed."""
        self.set_overlay(event.overlay)

    def set_overlay(self, overlay: Overlay | None) -> None:
        """Show an overlay on the map, with its title if it is a new one; None removes it."""
        before, self.order_entry.overlay = self.order_entry.overlay, overlay
        if overlay is not None and (before is None or before.id != overlay.id):
            asks = self.say("point at a counter to see what it can do from there")
            text = asks if overlay.asks_piece else overlay.title
            if not (overlay.asks_piece or overlay.marks or overlay.lines):
                text = self.say("{what}: {values}", what=text, values=self.say("nothing to show now"))
            self.rows.set_text("news", f"{OVER} {text}")
        self.redraw()

    @ignore_while_closing
    def on_recap_shown(self, event: RecapShown) -> None:
        """Show a step of the recap, with the position after it."""
        frame = event.frame
        if frame is None:
            self.rows.set_text("news", self.say("no other player has acted since your last choice"))
            return
        if not self.recap.is_open:
            self._cursor_before_recap = self.map_cursor.cursor
        self.recap.shown = frame
        self.panels.show_panel("log")
        self._arrange()
        self.panels.reading.set_lines(frame.lines)
        places = [place for place in frame.places if place in self.map_cursor.order]
        self.map_cursor.draw(frame.game_view, frame.background, Highlights(went=frozenset(places)))
        if places:
            self.map_cursor.move_to(places[-1])
            self.rows.show_place()
        text = self.say("{number} of {total}: {what}", number=frame.number + 1, total=frame.total, what=frame.item.text)
        self.rows.set_text("news", text)
        self.rows.show_heading()
        self.rows.show_keys()

    def action_recap(self) -> None:
        """Open the recap of the other seats' moves, or return to the present position."""
        if not self.recap.is_open:
            self.recap.open()
            return
        self.recap.close()
        self.rows.show_heading()
        self.rows.show_news()
        self.redraw()
        self.move_cursor(self._cursor_before_recap)
        self._show_sheet()

    # --- keys and clicks --------------------------------------------------------------------------

    def on_command_input_steered(self, event: CommandInput.Steered) -> None:
        """Handle a navigation key."""
        match event.what:
            case "left" | "up" | "right" | "down" if self.recap.is_open:
                self.recap.show_step(-1 if event.what in ("left", "up") else 1)
            case "back" | "take" if self.recap.is_open:
                self.action_recap()
            case "take" if self.port.lesson() not in ("", "order") and self.prompt and self.is_suspended:
                self.action_say(self._get_lesson_answer())
            case "up" | "down" if self.order_entry.selection.row >= 0:
                self.order_entry.move_row(-1 if event.what == "up" else 1)
            case "up" | "down" | "left" | "right":
                self.map_cursor.walk(event.what)
                self.show_place()
            case "take":
                self.order_entry.confirm()
            case "back" if (self.panels.is_small or not self.order_entry.selection.piece) and self.panels.close_sheet():
                self._arrange()
                self._show_sheet()
                self.redraw()
            case "back":
                self.order_entry.deselect_step()
                self.redraw()
            case "next" | "previous":
                self.order_entry.move_to_next_place(1 if event.what == "next" else -1)
            case "again":
                self.order_entry.repeat()
            case "end" if key := find_done_key(self.game_view):
                self._end_series(key)
            case "forward":
                self.action_say("all forward")
            case "nearer" | "farther":
                self.map_cursor.set_zoom(self.map_cursor.zoom + (1 if event.what == "nearer" else -1))
                self.redraw()
                self.map_cursor.move_to(self.map_cursor.cursor)
            case "page_up" | "page_down":
                self.panels.scroll_page(event.what == "page_down", self.order_entry.selection.row >= 0)
                self.rows.show_keys()
            case "middle":
                self.map.bring_into_sight()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Submit the typed line; while nothing is asked it stays in the input."""
        text = event.value
        if not self.prompt:
            return
        self.line.remember(text)
        self.line.value = ""
        self.action_say(text)

    def on_map_view_pointed(self, event: MapView.Pointed) -> None:
        """Move the cursor to the clicked place; take it on a second click or if the picked piece can reach it."""
        is_goal = bool(self.order_entry.selection.piece) and event.place in self.order_entry.build_highlights().reach
        is_again = event.place == self.map_cursor.cursor
        self.move_cursor(event.place)
        if is_again or is_goal:
            self.order_entry.confirm(by_map=True)

    def on_option_list_chosen(self, event: OptionList.Chosen) -> None:
        """Choose the clicked option."""
        options = self.order_entry.list_options()
        if event.number < len(options):
            self.order_entry.choose(options[event.number].key)

    def action_panel(self, name: str) -> None:
        """Show a panel; in the list of orders the arrow keys then select an option."""
        if name == "card" and not self.panels.is_sheet("card"):
            self._card_address = ()
        self.panels.show_panel(name)
        self.panels.show_beside_map()
        if name == "orders":
            self.order_entry.select_row(max(0, self.order_entry.selection.row))
            self.redraw()
        self._arrange()
        self._show_sheet()

    def action_overlay(self) -> None:
        """Show the next overlay on the map, or none after the last."""
        self.order_entry.show_next_overlay()

    def action_alone(self) -> None:
        """Toggle between the map alone and the map with panels."""
        self.screen.toggle_class("alone")

    def action_say(self, text: str) -> None:
        """Send a line to the session if it waits for one."""
        if self.prompt:
            self.talk.begin_answer()
            self.talk.add_lines([f"{self.prompt}{text}"])
            self.prompt = ""
            self.channel.type(text)
            if self.panels.is_small:
                self.action_panel("talk")

    async def action_quit(self) -> None:
        """Exit the application."""
        self.exit()

    def on_resize(self) -> None:
        """Lay the panels out for the new size."""
        self._arrange()
        if self.map_cursor.zoom < 0 and self.map.size.width:
            self.map_cursor.set_zoom(self.map_cursor.find_fitting_zoom())
            self.redraw()

    # --- moving and choosing ------------------------------------------------------------------------

    def _get_lesson_answer(self) -> str:
        """Return the command with which Enter answers a step of a lesson that asks for no order."""
        here, lesson_kind = self.map_cursor.cursor, self.port.lesson()
        piece = (
            next((p for p in self.game_view.pieces if p.place == here), None) if self.game_view is not None else None
        )
        if lesson_kind == "piece" and piece is not None:
            return f"what {piece.name}"
        name = next((p.name for p in self.port.static_view.places if p.id == here), here)
        return f"look {name}" if lesson_kind == "place" else "next"

    def open_panel(self, name: str) -> None:
        """Show a panel by name with its contents."""
        self.panels.show_panel(name)
        self._arrange()
        self._show_sheet()

    def _end_series(self, key: str) -> None:
        """End a series of orders; a set-up, which the session ends without a question, only on the second call."""
        if self._is_setup and not self._has_asked_end:
            self._has_asked_end = True
            self.rows.set_text("news", self.say("press End again to keep the set-up as it is"))
            return
        self.order_entry.choose(key)

    def move_cursor(self, place: str) -> None:
        """Move the cursor to a place and show the place."""
        self.map_cursor.move_to(place)
        self.show_place()

    def _place_cursor(self) -> None:
        """Move the cursor to the place where the present position asks for it, see `MapCursor.choose_place_to_show`."""
        if self.game_view is not None:
            place = self.map_cursor.choose_place_to_show(self.game_view, self.rows.has_rolled)
            if place is not None:
                self.move_cursor(place)
            self.order_entry.tab_origin = self.map_cursor.cursor

    # --- showing --------------------------------------------------------------------------------------

    def redraw(self) -> None:
        """Redraw the map, the list of orders, the place and the keys; not while the recap shows another position."""
        if self.game_view is None or self.recap.is_open:
            return
        self.map_cursor.draw(self.game_view, self.background, self.order_entry.build_highlights())
        entry = self.order_entry
        self.panels.show_orders(self.game_view, entry.list_options(), entry.selection, entry.count_unlisted())
        self.show_place()
        self.rows.show_keys()

    def show_place(self) -> None:
        """Show the cursor's place at once, and look up more about it after a short rest."""
        self.rows.show_place()
        if self._lookup_timer is not None:
            self._lookup_timer.stop()
        self._lookup_timer = self.set_timer(_REST, self._look_up_place)

    def _look_up_place(self) -> None:
        """Look up why the cursor's place cannot be reached or, if no piece is picked, which pieces can reach it."""
        place, entry = self.map_cursor.cursor, self.order_entry
        is_barred = place not in entry.build_highlights().reach and place != entry.get_place_of_piece()
        is_explained = entry.overlay is not None and entry.overlay.explains
        if self.is_suspended and self.prompt and place and (is_barred or is_explained):
            is_asked = entry.is_asking_destination()
            self.background_tasks.explain_place(place, entry.selection.piece, is_asked, entry.overlay)

    def _arrange(self) -> None:
        self.panels.arrange()
        self.call_after_refresh(self.rows.show_keys)  # the panels have their new sizes then

    def _show_sheet(self) -> None:
        """Show the contents of the chosen sheet, at once or when a background task has computed them."""
        panels, option = self.panels, self.order_entry.get_selected_option()
        if panels.show_sheet(option, self.game_view, self.background):
            return
        if panels.sheet == "here":
            self.show_place()
        else:
            chart = max(0, panels.chart)
            self.background_tasks.compute_sheet(panels.sheet, chart, option, self.game_view, self._card_address)
