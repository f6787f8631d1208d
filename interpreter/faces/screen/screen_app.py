"""The application on the screen: keys, clicks and lines in, map and panels out.

What is typed or chosen goes to the sitting through the conversation. Must not change the game, nor judge.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace

from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.driver import Driver
from textual.timer import Timer
from textual.widgets import Input

from interpreter.faces.screen import panel_texts
from interpreter.faces.screen.arrangement import CSS
from interpreter.faces.screen.cells.backdrop import Backdrop
from interpreter.faces.screen.cells.map_drawing import OVER, Pointed
from interpreter.faces.screen.choosing import (
    NOTHING,
    Habit,
    Picked,
    again,
    asked_about,
    asks_place,
    begins_in_list,
    end_of_row,
    habit_of,
    leads_nowhere,
    listed_number,
    next_able,
    options_for,
    pick_at,
    pointed_out,
)
from interpreter.faces.screen.conversation import Conversation
from interpreter.faces.screen.lists import Choices, Lines, Row
from interpreter.faces.screen.map_pointer import MapPointer
from interpreter.faces.screen.map_view import MapView
from interpreter.faces.screen.panel_set import PanelSet
from interpreter.faces.screen.screen_messages import Cleared, News, Question, Scene, Theatre, Waiting, while_shown
from interpreter.faces.screen.typed_line import TypedLine
from interpreter.faces.screen.worked_out import OverlayMade, ReasonsFound, SheetMade, Workshop
from interpreter.scene.questions.overlays import overlay_names
from interpreter.scene.records import Moment, Overlay, ShownOption

_NO_BACKDROP = Backdrop({}, (), ())
_REST = 0.15  # seconds that the cursor stands before more is found out about its place


class Application(App[None]):
    """One game on the whole screen."""

    CSS = CSS
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = [
        *(Binding(key, f"panel('{name}')", name, priority=True) for key, _, name in panel_texts.KEYS),
        Binding("f9", "alone", "map", priority=True),
        Binding("ctrl+o,f10", "overlay", "overlay", priority=True),
        Binding("ctrl+z", "say('undo')", "undo", priority=True),
        Binding("ctrl+y", "say('redo')", "redo", priority=True),
        Binding("ctrl+l", "say('clear')", "clear", priority=True),
        Binding("ctrl+q,ctrl+c", "quit", "quit", priority=True),
    ]

    def __init__(self, theatre: Theatre, conversation: Conversation) -> None:
        # with NO_COLOR the terminal's own two colours; Textual would draw in shades of grey
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)
        self.theatre, self.conversation = theatre, conversation
        self.say = theatre.stage.words.say
        self.moment: Moment | None = None
        self.backdrop = _NO_BACKDROP
        self.picked: Picked = NOTHING
        self.reach: Mapping[str, str] = {}  # where whoever is picked can go, where no option names it
        self.habit: Habit | None = None
        self.overlay: Overlay | None = None
        self.prompt = self.waiting = ""
        self.stands = True  # the game can be looked at, and chosen in
        self.title = theatre.still.title
        self.opened: Callable[[], None] = lambda: None
        self.map = MapView("map")
        self.pointer = MapPointer(theatre, self.map)
        self.panels = PanelSet(self, theatre, self.pointer.legend)
        self.workshop = Workshop(self, theatre, conversation)
        self._origin = ""  # where the way to the next place in reach begins
        self._resting: Timer | None = None
        self._laid = 0  # the number of the overlay, 0 for none

    def get_driver_class(self) -> type[Driver]:
        """Return Textual's driver, or on POSIX one that leaves out keys that are not UTF-8."""
        if sys.platform != "win32" and "TEXTUAL_DRIVER" not in os.environ:
            from interpreter.faces.screen.key_driver import LenientDriver

            return LenientDriver
        return super().get_driver_class()

    # --- what there is --------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """All widgets; the arrangement shows those that fit."""
        yield Row(self.theatre.still.title, id="top")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield self.map
                yield Row(id="place")
                yield Row(id="news")
            with Vertical(id="right"):
                yield Choices("orders")
                yield Row(id="tabs", markup=True)
                yield Lines("sheet")
                yield Lines("talk", follows=True)
        with Horizontal(id="bottom"):
            yield Row(id="prompt", fits=True)
            yield TypedLine("line")
        yield Row(id="keys")

    def on_mount(self) -> None:
        """Begin to play, once the screen is there."""
        self.line.focus()
        self._arrange()
        self.call_after_refresh(lambda: self.opened())

    @property
    def line(self) -> TypedLine:
        """The line in which is typed."""
        return self.query_one("#line", TypedLine)

    @property
    def talk(self) -> Lines:
        """What the sitting has said."""
        return self.query_one("#talk", Lines)

    # --- what comes from the sitting --------------------------------------------------------------

    @while_shown
    def on_news(self, event: News) -> None:
        """Show what was said."""
        self.talk.add_lines(event.lines)

    @while_shown
    def on_cleared(self, event: Cleared) -> None:
        """Take away what was said."""
        self.talk.set_lines(())

    @while_shown
    def on_waiting(self, event: Waiting) -> None:
        """Show who thinks."""
        self.waiting, self.prompt = event.text, ""
        self._show_prompt()

    @while_shown
    def on_scene(self, event: Scene) -> None:
        """The game has come to a question, or goes on."""
        is_new = self.moment is None or self.moment.version != event.moment.version
        self.moment, self.backdrop = event.moment, event.backdrop
        self.prompt, self.waiting, self.stands = event.prompt, event.waiting, True
        self.line.known = event.known
        if is_new:
            self._pick(Picked(row=0) if begins_in_list(event.moment) else NOTHING)
            self._find_cursor()
            self._lay()
            self._brief(event.moment)
            self.query_one("#top", Row).tell(self._heading())
            self.query_one("#news", Row).tell(panel_texts.news_line(event.moment))
        self._show_prompt()
        self.redraw()
        if self.prompt and not self.prompt.endswith("> ") and self.panels.is_small:
            self.action_panel("talk")
        elif is_new:
            self._show_sheet()

    def _brief(self, moment: Moment) -> None:
        """Before the first choice the briefing is shown; afterwards what is at hand."""
        if moment.choices == 0 and moment.may_choose:
            self.panels.choose("briefing")
        elif self.panels.sheet == "briefing":
            self.panels.choose("here")
            self.panels.choose("orders")
        else:
            return
        self._arrange()

    @while_shown
    def on_question(self, event: Question) -> None:
        """Something is asked in the midst of a choice: only the line can answer."""
        self.prompt, self.stands, self.line.known = event.prompt, False, ()
        self._pick(NOTHING)
        self._show_prompt()
        if self.panels.is_small:
            self.action_panel("talk")

    # --- what was worked out ----------------------------------------------------------------------

    @while_shown
    def on_sheet_made(self, event: SheetMade) -> None:
        """Show a sheet that was worked out."""
        if event.sheet == self.panels.sheet:
            self.panels.reading.set_lines(event.lines)

    @while_shown
    def on_reasons_found(self, event: ReasonsFound) -> None:
        """Show what bars the way to the cursor's place, or who can come there."""
        if event.place == self.pointer.cursor and event.lines:
            self.panels.show_place(self._here(), event.lines)

    @while_shown
    def on_overlay_made(self, event: OverlayMade) -> None:
        """Lay something over the map."""
        self.overlay = event.overlay
        if event.overlay is not None:
            asks = self.say("point out a counter, then this shows what it can do from there")
            told = asks if event.overlay.asks_piece else event.overlay.title
            if not (event.overlay.asks_piece or event.overlay.marks or event.overlay.lines):
                told = self.say("{what}: {values}", what=told, values=self.say("there is nothing of it to show now"))
            self.query_one("#news", Row).tell(f"{OVER} {told}")
        self.redraw()

    # --- keys and clicks --------------------------------------------------------------------------

    def on_typed_line_steered(self, event: TypedLine.Steered) -> None:
        """A key that steers."""
        match event.what:
            case "up" | "down" if self.picked.row >= 0:
                self._point_at_row(-1 if event.what == "up" else 1)
            case "up" | "down" | "left" | "right":
                self.pointer.walk(event.what)
                self.show_place()
            case "take":
                self._take()
            case "back":
                self._pick(replace(self.picked, row=-1) if self.picked.row > 0 and self.picked.piece else NOTHING)
                self.redraw()
            case "next" | "previous":
                self._go_on(1 if event.what == "next" else -1)
            case "again":
                self._order_again()
            case "end" if key := end_of_row(self.moment):
                self._choose(key)
            case "forward":
                self.action_say("all forward")
            case "nearer" | "farther":
                self.pointer.set_zoom(self.pointer.zoom + (1 if event.what == "nearer" else -1))
                self.redraw()
                self.pointer.move_to(self.pointer.cursor)
            case "page_up" | "page_down":
                self.panels.page(event.what == "page_down", self.picked.row >= 0)
            case "middle":
                self.map.bring_into_sight()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A line was typed; while nothing is asked it stays where it is."""
        text = event.value
        if not self.prompt:
            return
        self.line.remember(text)
        self.line.value = ""
        self.action_say(text)

    def on_map_view_pointed(self, event: MapView.Pointed) -> None:
        """A click points; a second one on the same place takes, and so does one on a place that can be reached."""
        is_goal = bool(self.picked.piece) and event.place in self.pointed().reach
        is_again = event.place == self.pointer.cursor
        self._move_to(event.place)
        if is_again or is_goal:
            self._take(by_map=True)

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        """A click on an order chooses it."""
        options = self.options()
        if event.number < len(options):
            self._choose(options[event.number].key)

    def action_panel(self, name: str) -> None:
        """Show a panel; orders are then pointed at with the arrow keys."""
        self.panels.choose(name)
        if name == "orders":
            self.picked = replace(self.picked, row=max(0, self.picked.row))
            self.redraw()
        self._arrange()
        self._show_sheet()

    def action_alone(self) -> None:
        """The map alone, and back."""
        self.screen.toggle_class("alone")

    def action_overlay(self) -> None:
        """Lay the next thing that the rules know over the map; after the last one nothing."""
        names = overlay_names(self.theatre.stage)
        self._laid = (self._laid + 1) % (len(names) + 1)
        if not self._laid and self.moment is not None:
            self.query_one("#news", Row).tell(panel_texts.news_line(self.moment))
        self._lay()

    def action_say(self, text: str) -> None:
        """Send a typed line to the sitting, where it waits for one."""
        if self.prompt:
            self.talk.add_lines([f"{self.prompt}{text}"])
            self.prompt = ""
            self.conversation.type(text)
            if self.panels.is_small:
                self.action_panel("talk")

    async def action_quit(self) -> None:
        """Leave."""
        self.exit()

    def on_resize(self) -> None:
        """Arrange anew for another size."""
        self._arrange()
        if self.pointer.zoom < 0 and self.map.size.width:
            self.pointer.set_zoom(self.pointer.fitting_zoom())
            self.redraw()

    # --- moving and choosing ------------------------------------------------------------------------

    def options(self) -> tuple[ShownOption, ...]:
        """What may be chosen, as far as what is picked leaves it."""
        options = options_for(self.moment, self.picked)
        return options[: listed_number(self.moment, options)]

    def option_at(self) -> ShownOption | None:
        """The option pointed at."""
        options = self.options()
        return options[self.picked.row] if 0 <= self.picked.row < len(options) else None

    def pointed(self) -> Pointed:
        """What the map points out."""
        return pointed_out(self.moment, self.picked, self.reach, self._overlaid())

    def _pick(self, picked: Picked) -> None:
        """Pick up a counter or a place, or nothing; where a counter can go is found out at once."""
        is_other = picked.piece != self.picked.piece
        self.picked = picked
        if is_other:
            is_far = leads_nowhere(self.moment, picked.piece)
            self.reach = self.workshop.reach(picked.piece) if is_far else {}
            if is_far and not self.reach:
                self.picked = replace(picked, row=0)
            self._origin = self.pointer.cursor
            self._lay()

    def _take(self, by_map: bool = False) -> None:
        """Enter: the order pointed at, else what the cursor's place offers."""
        option = self.option_at()
        if option is not None and not by_map:
            self._choose(option.key)
            return
        if self.moment is None:
            return
        before, place = self.picked, self.pointer.cursor
        picked, text = pick_at(self.moment, place, before, self.reach)
        if text:
            named = next((o.name for o in options_for(self.moment, before) if o.key == text), "")
            self.habit = habit_of(self.moment, before, place, named) or self.habit
            self._choose(text)
            return
        self._pick(picked)
        self.panels.choose("here" if picked == NOTHING else "orders")
        self._arrange()
        self._show_sheet()
        self.redraw()

    def _choose(self, text: str) -> None:
        """Send an option's key, or words that lead somewhere, to the sitting."""
        if self.prompt and self.stands:
            self.prompt = ""
            self._pick(NOTHING)
            self.conversation.type(text)

    def _go_on(self, step: int) -> None:
        """The next place where somebody can act; where somebody is picked, the next one that he reaches."""
        if self.moment is None:
            return
        goals = [place for place in self.pointed().reach if place in self.pointer.order]
        if goals and (self.picked.piece or asks_place(self.moment)):
            near = self.pointer.nearest(goals, self._origin or self.pointer.cursor)
            at = near.index(self.pointer.cursor) + step if self.pointer.cursor in near else min(0, step)
            self.picked = replace(self.picked, row=-1)
            self.redraw()
            self._move_to(near[at % len(near)])
            return
        self._pick(NOTHING)
        self.redraw()
        self._move_to(next_able(self.moment, self.pointer.cursor, self.pointer.order, step))

    def _order_again(self) -> None:
        """The last order once more: for whoever is picked, else for whoever stands at the cursor or next in line."""
        if self.moment is None or self.habit is None:
            return
        here = self.pointer.cursor
        able = [p for p in self.moment.pieces if p.orderable and p.place == here]
        if not able and not self.picked.piece:
            self._move_to(next_able(self.moment, here, self.pointer.order, 1))
            able = [p for p in self.moment.pieces if p.orderable and p.place == self.pointer.cursor]
        piece = self.picked.piece or (able[0].id if able else "")
        if not piece:
            return
        self._pick(Picked(piece))
        text = again(self.moment, self.habit, piece, self.pointer.middles, self.reach)
        if text:
            self._choose(text)
            return
        self.query_one("#news", Row).tell(self.say("the last order cannot be given here again"))
        self.redraw()

    def _point_at_row(self, step: int) -> None:
        number = len(self.options())
        if number:
            self.picked = replace(self.picked, row=(self.picked.row + step) % number)
            self.redraw()

    def _move_to(self, place: str) -> None:
        self.pointer.move_to(place)
        self.show_place()

    def _find_cursor(self) -> None:
        """The cursor stands where something can be done: where it was, else at the next such place."""
        moment, here = self.moment, self.pointer.cursor
        if moment is None:
            return
        able = {p.place for p in moment.pieces if p.orderable and p.place in self.pointer.order}
        if about := asked_about(moment):
            self._move_to(about)
        elif not here or (able and here not in able):
            first = min(self.pointer.order, key=lambda p: self.pointer.order[p], default="")
            standing = next((p.place for p in moment.pieces), first)
            self._move_to(next_able(moment, here, self.pointer.order, 1) or standing or first)
        self._origin = self.pointer.cursor

    # --- showing --------------------------------------------------------------------------------------

    def redraw(self) -> None:
        """Map and list as they are now."""
        if self.moment is None:
            return
        self.pointer.draw(self.moment, self.backdrop, self.pointed())
        options = self.options()
        more = len(options_for(self.moment, self.picked)) - len(options)
        self.panels.show_orders(self.moment, options, self.picked, more)
        self.show_place()
        self._show_keys()

    def show_place(self) -> None:
        """What stands at the cursor; after a moment more of it."""
        self.panels.show_place(self._here())
        if self._resting is not None:
            self._resting.stop()
        self._resting = self.set_timer(_REST, self._find_out)

    def _find_out(self) -> None:
        """Why whoever is picked cannot go to the cursor's place; where nobody is, who can come."""
        place = self.pointer.cursor
        is_barred = place not in self.pointed().reach
        is_asked = bool(self.picked.piece) or self.moment is not None and asks_place(self.moment)
        is_explained = self.overlay is not None and self.overlay.explains
        if self.stands and self.prompt and place and (is_barred or is_explained):
            self.workshop.place(place, self.picked.piece, is_asked, self.overlay)

    def _here(self) -> list[str]:
        theatre = self.theatre
        return panel_texts.here_lines(
            self.pointer.cursor, self.moment, self.backdrop, theatre.still, theatre.stage.words
        )

    def _lay(self) -> None:
        """Work out what is laid over the map."""
        if not self._laid:
            if self.overlay is not None:
                self.on_overlay_made(OverlayMade(None))
            return
        self.workshop.overlay(overlay_names(self.theatre.stage)[self._laid - 1][0], self.picked.piece)

    def _overlaid(self) -> dict[str, str]:
        """By place what the overlay writes there: a sign with the letters of sides."""
        if self.overlay is None:
            return {}
        letters = {side.id: side.letter for side in self.theatre.still.sides}
        ends = {end: OVER for line in self.overlay.lines for end in line[1:]}
        return ends | {
            place: OVER + "".join(letters.get(side, "") for side in sides) for place, _, sides in self.overlay.marks
        }

    def _show_prompt(self) -> None:
        told = self.prompt or self.waiting
        self.query_one("#prompt", Row).tell(told if told.endswith(" ") or not told else told + " ")

    def _show_keys(self) -> None:
        row = panel_texts.key_row(self.size.width, self.picked.row >= 0, bool(self.picked.piece), self.say)
        self.query_one("#keys", Row).tell(row)

    def _heading(self) -> str:
        """The game, where it stands, and what is asked; on a small window without the game's name."""
        moment = self.moment
        title = "" if moment is not None and self.panels.is_small else self.theatre.still.title
        asked = moment.decision.prompt if moment is not None and moment.decision is not None else ""
        return " - ".join(t for t in (title, moment.heading if moment else "", asked) if t)

    def _arrange(self) -> None:
        self.panels.arrange()
        self._show_keys()

    def _show_sheet(self) -> None:
        if self.panels.show_sheet(self.option_at(), self.moment, self.backdrop):
            return
        if self.panels.sheet == "here":
            self.show_place()
        else:
            self.workshop.sheet(self.panels.sheet, max(0, self.panels.chart), self.option_at(), self.moment)
