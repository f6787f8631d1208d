"""The application on the screen: keys, clicks and lines in, map and panels out.

What is typed or chosen goes to the sitting through the conversation. Must not change the game, nor judge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input, Static

from interpreter.faces.screen import panel_texts
from interpreter.faces.screen.area_plan import AREA_ZOOMS
from interpreter.faces.screen.arrangement import CSS, WIDE
from interpreter.faces.screen.backdrop import Backdrop, plan_of
from interpreter.faces.screen.choosing import NOTHING, Picked, goal, next_able, options_for, pick_at, pointed_out
from interpreter.faces.screen.conversation import Conversation
from interpreter.faces.screen.ground_plan import Plan, toward
from interpreter.faces.screen.lists import Choices, Lines
from interpreter.faces.screen.map_drawing import Legend, Pointed, drawn_map
from interpreter.faces.screen.map_view import MapView
from interpreter.faces.screen.typed_line import TypedLine
from interpreter.play.session import Game
from interpreter.scene.records import Moment, ShownOption, ShownPiece, Still
from interpreter.scene.stage import Stage

_FIRST_ZOOM = 1
_PANEL = 8  # rows of the panels below a map
_NEAREST = 3  # zooms from which the first one is chosen
_NO_BACKDROP = Backdrop({}, (), ())


@dataclass(frozen=True, slots=True)
class Theatre:
    """What a screen shows: the stage and the still scene of its game, the game as it is now, sheets of others."""

    stage: Stage
    still: Still
    game: Callable[[], Game]
    sheets: panel_texts.Sheets
    is_plain: bool = False


class News(Message):
    """The sitting has written lines."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self.lines = tuple(lines)


class Scene(Message):
    """The game stands like this now; `prompt` is '' while nothing can be typed, then `waiting` says why."""

    def __init__(
        self, moment: Moment, backdrop: Backdrop, prompt: str = "", known: Sequence[str] = (), waiting: str = ""
    ) -> None:
        super().__init__()
        self.moment, self.backdrop, self.prompt, self.known, self.waiting = moment, backdrop, prompt, known, waiting


class Waiting(Message):
    """Somebody thinks; '' when he has done."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class Question(Message):
    """Something is asked in the midst of a choice."""

    def __init__(self, prompt: str) -> None:
        super().__init__()
        self.prompt = prompt


class SheetMade(Message):
    """A sheet that took its time."""

    def __init__(self, sheet: str, lines: Sequence[str]) -> None:
        super().__init__()
        self.sheet, self.lines = sheet, tuple(lines)


class Application(App[None]):
    """One game on the whole screen."""

    CSS = CSS
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = [
        *(Binding(key, f"panel('{name}')", name, priority=True) for key, _, name in panel_texts.KEYS),
        Binding("f9", "alone", "map", priority=True),
        Binding("ctrl+z", "say('undo')", "undo", priority=True),
        Binding("ctrl+y", "say('redo')", "redo", priority=True),
        Binding("ctrl+q,ctrl+c", "quit", "quit", priority=True),
    ]

    def __init__(self, theatre: Theatre, conversation: Conversation) -> None:
        super().__init__()
        self.theatre, self.conversation = theatre, conversation
        self.say = theatre.stage.words.say
        self.moment: Moment | None = None
        self.backdrop = _NO_BACKDROP
        self.picked: Picked = NOTHING
        self.zoom, self.cursor, self.row = -1, "", 0.0
        self.shown, self.sheet, self.chart = "orders", "here", -1
        self.prompt = self.waiting = ""
        self.stands = True  # the game can be looked at, and chosen in
        still = theatre.still
        labels = {p.id: p.id if p.kind == "space" else p.name for p in still.places}
        sides = {s.id: (s.letter, s.colour) for s in still.sides}
        self.legend = Legend(sides, labels, theatre.is_plain)
        self.neighbours = {p.id: frozenset(p.neighbours.values()) for p in still.places}
        self.order = {p.id: p.order for p in still.places}
        self._plans: dict[int, Plan] = {}
        self._drawn: tuple[object, ...] = ()
        self.title = theatre.still.title
        self.opened: Callable[[], None] = lambda: None

    # --- what there is --------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """All widgets; the arrangement shows those that fit."""
        yield Static(self.theatre.still.title, id="top", markup=False)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield MapView("map")
                yield Static(id="place", markup=False)
                yield Static(id="news", markup=False)
            with Vertical(id="right"):
                yield Choices("orders")
                yield Static(id="tabs")
                yield Lines("sheet")
                yield Lines("talk", follows=True)
        with Horizontal(id="bottom"):
            yield Static(id="prompt", markup=False)
            yield TypedLine("line")
        yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        """Begin to play, once the screen is there."""
        self.line.focus()
        self._arrange()
        self.call_after_refresh(lambda: self.opened())

    @property
    def map(self) -> MapView:
        """The map."""
        return self.query_one("#map", MapView)

    @property
    def line(self) -> TypedLine:
        """The line in which is typed."""
        return self.query_one("#line", TypedLine)

    @property
    def talk(self) -> Lines:
        """What the sitting has said."""
        return self.query_one("#talk", Lines)

    @property
    def is_small(self) -> bool:
        """True where panels do not fit beside the map."""
        return self.size.width < WIDE[0] or self.size.height < WIDE[1]

    # --- what comes from the sitting --------------------------------------------------------------

    def on_news(self, event: News) -> None:
        """Show what was said."""
        self.talk.add_lines(event.lines)

    def on_waiting(self, event: Waiting) -> None:
        """Show who thinks."""
        self.waiting, self.prompt = event.text, ""
        self._show_prompt()

    def on_scene(self, event: Scene) -> None:
        """The game has come to a question, or goes on."""
        is_new = self.moment is None or self.moment.version != event.moment.version
        self.moment, self.backdrop = event.moment, event.backdrop
        self.prompt, self.waiting, self.stands = event.prompt, event.waiting, True
        self.line.known = event.known
        if is_new:
            self.picked = self._opening()
            self._find_cursor()
            self.query_one("#top", Static).update(self._heading())
            self.query_one("#news", Static).update(panel_texts.news_line(event.moment))
        self._show_prompt()
        self.redraw()
        if self.prompt and not self.prompt.endswith("> ") and self.is_small:
            self.action_panel("talk")
        elif is_new:
            self._show_sheet()

    def on_question(self, event: Question) -> None:
        """Something is asked in the midst of a choice: only the line can answer."""
        self.prompt, self.stands, self.picked, self.line.known = event.prompt, False, NOTHING, ()
        self._show_prompt()
        if self.is_small:
            self.action_panel("talk")

    def on_sheet_made(self, event: SheetMade) -> None:
        """Show a sheet that was worked out."""
        if event.sheet == self.sheet:
            self.query_one("#sheet", Lines).set_lines(event.lines)

    # --- keys and clicks --------------------------------------------------------------------------

    def on_typed_line_steered(self, event: TypedLine.Steered) -> None:
        """A key that steers."""
        match event.what:
            case "up" | "down" if self.picked.row >= 0:
                self._point_at_row(-1 if event.what == "up" else 1)
            case "up" | "down" | "left" | "right":
                self._walk(event.what)
            case "take":
                self._take()
            case "back":
                self.picked = replace(self.picked, row=-1) if self.picked.row > 0 and self._leads() else NOTHING
                self.redraw()
            case "next" | "previous":
                if self.moment is not None:
                    self.picked = NOTHING
                    self.redraw()
                    self._move_to(next_able(self.moment, self.cursor, self.order, 1 if event.what == "next" else -1))
            case "nearer" | "farther":
                self._zoom_to(self.zoom + (1 if event.what == "nearer" else -1))
            case "page_up" | "page_down":
                self._page(event.what == "page_down")
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
        is_goal = bool(self.picked.piece) and event.place in self._pointed().reach
        is_again = event.place == self.cursor
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
        if name == "orders":
            self.shown = name
            self.picked = replace(self.picked, row=0 if self.picked.row < 0 else self.picked.row)
            self.redraw()
        elif name == "talk":
            self.shown = name
        else:
            if name == "charts":
                self.chart += 1
            self.shown, self.sheet = "sheet", name
        self.remove_class("alone")
        self._arrange()
        self._show_sheet()

    def action_alone(self) -> None:
        """The map alone, and back."""
        self.screen.toggle_class("alone")

    def action_say(self, text: str) -> None:
        """Send a typed line to the sitting, where it waits for one."""
        if self.prompt:
            self.talk.add_lines([f"{self.prompt}{text}"])
            self.prompt = ""
            self.conversation.type(text)
            if self.is_small:
                self.action_panel("talk")

    async def action_quit(self) -> None:
        """Leave."""
        self.exit()

    def on_resize(self) -> None:
        """Arrange anew for another size."""
        self._arrange()
        if self.zoom < 0 and self.map.size.width:
            self._zoom_to(self._fitting_zoom())

    def plan(self, zoom: int) -> Plan:
        """The plan of the map at a zoom."""
        zoom = max(0, zoom)
        if zoom not in self._plans:
            self._plans[zoom] = plan_of(self.theatre.stage, zoom)
        return self._plans[zoom]

    # --- moving and choosing ------------------------------------------------------------------------

    def options(self) -> tuple[ShownOption, ...]:
        """What may be chosen, as far as what is picked leaves it."""
        return options_for(self.moment, self.picked)

    def option_at(self) -> ShownOption | None:
        """The option pointed at."""
        options = self.options()
        return options[self.picked.row] if 0 <= self.picked.row < len(options) else None

    def _take(self, by_map: bool = False) -> None:
        """Enter: the order pointed at, else what the cursor's place offers."""
        option = self.option_at()
        if option is not None and not by_map:
            self._choose(option.key)
            return
        if self.moment is None:
            return
        self.picked, key = pick_at(self.moment, self.cursor, self.picked)
        if key:
            self._choose(key)
            return
        self.shown = "orders"
        if self.picked == NOTHING:
            self.action_panel("here")
        self._arrange()
        self.redraw()

    def _choose(self, key: str) -> None:
        if self.prompt and self.stands:
            self.picked, self.prompt = NOTHING, ""
            self.conversation.type(key)

    def _leads(self) -> bool:
        return bool(self.picked.piece)

    def _opening(self) -> Picked:
        """Where the map has nothing to choose from, the list is pointed at from the beginning."""
        options = options_for(self.moment, NOTHING)
        named = {piece for o in options for piece in o.pieces} | {goal(o) for o in options} - {""}
        return Picked(row=0) if options and len(named) <= 1 else NOTHING

    def _point_at_row(self, step: int) -> None:
        number = len(self.options())
        if number:
            self.picked = replace(self.picked, row=(self.picked.row + step) % number)
            self.redraw()

    def _walk(self, direction: str) -> None:
        plan = self.plan(self.zoom)
        if self.cursor in plan.spots:
            if direction in ("up", "down"):
                there = toward(plan, self.cursor, direction, self.neighbours, self.row)
                self.row = plan.spots[there].middle[1]
            else:
                there = toward(plan, self.cursor, direction, self.neighbours, self.row)
            self._move_to(there, keeps_row=True)

    def _move_to(self, place: str, keeps_row: bool = False) -> None:
        self.cursor = place
        plan = self.plan(self.zoom)
        if not keeps_row and place in plan.spots:
            self.row = plan.spots[place].middle[1]
        self.map.point_at(place)
        self._show_place()

    def _find_cursor(self) -> None:
        """At the beginning the cursor stands where something can be done."""
        if self.moment is not None and not self.cursor:
            first = min(self.order, key=lambda p: self.order[p], default="")
            standing = next((p.place for p in self.moment.pieces), first)
            able = next_able(self.moment, "", self.order, 1)
            self._move_to(able or standing or first)

    # --- showing --------------------------------------------------------------------------------------

    def redraw(self) -> None:
        """Map and list as they are now."""
        if self.moment is None:
            return
        if self.zoom < 0:
            self.zoom = self._fitting_zoom()
        counters: dict[str, list[ShownPiece]] = {}
        for piece in self.moment.pieces:
            counters.setdefault(piece.place, []).append(piece)
        plan, pointed = self.plan(self.zoom), self._pointed()
        drawn = (self.zoom, self.moment.version, pointed)
        if drawn != self._drawn:
            self._drawn = drawn
            self.map.show(plan, drawn_map(plan, self.backdrop, counters, self.legend, pointed))
        self._show_orders()
        self._show_place()
        self._show_keys()

    def _pointed(self) -> Pointed:
        return pointed_out(self.moment, self.picked)

    def _fitting_zoom(self) -> int:
        """The nearest zoom at which the whole map is seen, else the first with borders."""
        room = self.map.size
        plans = [self.plan(zoom) for zoom in range(_NEAREST)]
        fitting = [z for z, p in enumerate(plans) if p.width <= room.width and p.height <= room.height]
        is_grid = any(place.kind == "space" for place in self.theatre.still.places)
        return max([*fitting, _FIRST_ZOOM if is_grid else 0])

    def _zoom_to(self, zoom: int) -> None:
        self.zoom = max(0, min(AREA_ZOOMS - 1, zoom))
        self.redraw()
        self._move_to(self.cursor)

    def _show_orders(self) -> None:
        rows: list[tuple[str, int]] = []
        moment, decision = self.moment, self.moment.decision if self.moment is not None else None
        options = self.options()
        if moment is not None and decision is not None and moment.may_choose:
            rows.append((decision.prompt, -1))
            if self.picked.piece:
                piece = next((p for p in moment.pieces if p.id == self.picked.piece), None)
                rows.append((panel_texts.picked_words(piece.spoken if piece else self.picked.piece), -1))
            heading = -1
            for number, option in enumerate(options):
                if option.heading != heading and not self.picked.piece:
                    heading = option.heading
                    title = decision.headings[heading].title
                    rows += [(title, -1)] if title else []
                rows.append((option.label, number))
        elif moment is not None:
            rows = [(line, -1) for line in (*moment.outcome, moment.waiting) if line]
        self.query_one("#orders", Choices).set_rows(rows, self.picked.row)

    def _show_place(self) -> None:
        lines = panel_texts.here_lines(self.cursor, self.moment, self.backdrop, self.theatre.still, self.say)
        self.query_one("#place", Static).update("; ".join(line.strip() for line in lines))
        if self.sheet == "here":
            self.query_one("#sheet", Lines).set_lines(lines)

    def _show_prompt(self) -> None:
        told = self.prompt or self.waiting
        self.query_one("#prompt", Static).update(told if told.endswith(" ") or not told else told + " ")

    def _show_keys(self) -> None:
        row = panel_texts.key_row(self.size.width, self.picked.row >= 0, self.say)
        self.query_one("#keys", Static).update(row)

    def _heading(self) -> str:
        moment = self.moment
        return " - ".join(t for t in (self.theatre.still.title, moment.heading if moment else "") if t)

    def _page(self, is_down: bool) -> None:
        name = self.shown if self.is_small else ("orders" if self.picked.row >= 0 else "sheet")
        found = self.query_one(f"#{name}")
        (found.scroll_page_down if is_down else found.scroll_page_up)(animate=False)

    def _arrange(self) -> None:
        screen = self.screen
        screen.set_class(self.is_small, "small")
        low = max(2, min(_PANEL, self.size.height // 3))
        self.query_one("#right").styles.height = low if self.is_small else "100%"
        for name in ("orders", "sheet", "talk"):
            screen.set_class(self.shown == name, f"-{name}")
        names = (*(("orders", "talk") if self.is_small else ()), *panel_texts.SHEETS)
        present = self.shown if self.shown in ("orders", "talk") and self.is_small else self.sheet
        parts = [
            f"[@click=app.panel('{n}')]{'[reverse]' if n == present else ''} {self.say(panel_texts.TITLES[n])} "
            f"{'[/reverse]' if n == present else ''}[/]"
            for n in names
        ]
        self.query_one("#tabs", Static).update("".join(parts))
        self._show_keys()

    # --- sheets -----------------------------------------------------------------------------------------

    def _show_sheet(self) -> None:
        theatre, words = self.theatre, self.theatre.stage.words
        option, sheet = self.option_at(), self.query_one("#sheet", Lines)
        match self.sheet:
            case "log":
                sheet.set_lines(panel_texts.log_lines(self.moment))
            case "rules":
                sheet.set_lines(panel_texts.rule_sheet(option, self.moment, theatre.still, words))
            case "help":
                sides = [(s.letter, s.name) for s in theatre.still.sides]
                legend = panel_texts.legend_lines(self.backdrop, self.legend, sides, self.say)
                sheet.set_lines([*panel_texts.help_lines(self.say), *legend])
            case "here":
                self._show_place()
            case name if self.shown == "sheet" or not self.is_small:
                self.run_worker(lambda: self._work_out(name, option), thread=True, group="sheet", exclusive=True)

    def _work_out(self, name: str, option: ShownOption | None) -> None:
        """Make a sheet that needs the game, while that stands still."""
        theatre, words = self.theatre, self.theatre.stage.words
        with self.conversation.standing_still() as is_still:
            game = theatre.game()
            if name == "score":
                lines = panel_texts.score_sheet(self.moment, game if is_still else None, words)
            elif not is_still:
                return
            elif name == "odds":
                self.post_message(SheetMade(name, [self.say("working out the odds ...")]))
                lines = panel_texts.odds_sheet(option, theatre.sheets, game, self.say)
            else:
                lines = panel_texts.chart_sheet(
                    max(0, self.chart), option, theatre.sheets, game, theatre.still, self.say
                )
        self.post_message(SheetMade(name, lines))
