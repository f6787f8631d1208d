"""Order entry on the map and in the list: the selection, what can be done with it, and the order that is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from interpreter.ui.tui.map.rendering import OVER, Highlights
from interpreter.ui.tui.selection import (
    NOTHING,
    LastOrder,
    Selection,
    apply_enter,
    build_highlights,
    build_last_order,
    count_listed,
    filter_options,
    find_next_orderable_place,
    has_no_destination,
    is_asking_place,
    repeat_order,
)
from interpreter.view_model.answer_records import Overlay
from interpreter.view_model.queries.overlay_queries import list_overlay_names
from interpreter.view_model.records import ShownOption

if TYPE_CHECKING:
    from interpreter.ui.tui.app import Application


class OrderEntry:
    """State of an order that the player is entering: the selection, its reach, the overlay, and the last order.

    `reach`: the costs of the destinations of the selected piece that no option names, by place. `last_order`: the order
    that can be repeated, or None. `overlay`: the overlay on the map, or None.
    """

    def __init__(self, app: Application) -> None:
        self.app = app
        self.selection: Selection = NOTHING
        self.reach: Mapping[str, str] = {}
        self.last_order: LastOrder | None = None
        self.overlay: Overlay | None = None
        self.tab_origin = ""  # the place where the Tab order over places in reach begins
        self._overlay_number = 0  # 0 for none

    # --- queries ------------------------------------------------------------------------------------

    def list_options(self) -> tuple[ShownOption, ...]:
        """Return the listed options that match the selection.

        If an option can take many counters, only the first of the combinations are listed.
        """
        options = filter_options(self.app.game_view, self.selection)
        return options[: count_listed(self.app.game_view, options)]

    def count_unlisted(self) -> int:
        """Return how many options match the selection but are not listed."""
        return len(filter_options(self.app.game_view, self.selection)) - len(self.list_options())

    def get_selected_option(self) -> ShownOption | None:
        """Return the selected option of the list, or None."""
        options = self.list_options()
        return options[self.selection.row] if 0 <= self.selection.row < len(options) else None

    def build_highlights(self) -> Highlights:
        """Return what the map highlights."""
        return build_highlights(self.app.game_view, self.selection, self.reach, self._build_overlay_signs())

    def is_asking_destination(self) -> bool:
        """Return whether a destination is being chosen."""
        view = self.app.game_view
        return bool(self.selection.piece) or view is not None and is_asking_place(view)

    def get_place_of_piece(self) -> str:
        """Return the place of the selected piece, or '' if none is selected."""
        pieces = self.app.game_view.pieces if self.app.game_view is not None else ()
        return next((p.place for p in pieces if p.id == self.selection.piece), "")

    def _build_overlay_signs(self) -> dict[str, str]:
        """Return the overlay's text by place: a sign with the letters of sides."""
        if self.overlay is None:
            return {}
        letters = {side.id: side.letter for side in self.app.port.static_view.sides}
        ends = {end: OVER for line in self.overlay.lines for end in line[1:]}
        return ends | {
            mark.place: OVER + "".join(letters.get(side, "") for side in mark.sides) for mark in self.overlay.marks
        }

    # --- changes of the selection -------------------------------------------------------------------

    def select(self, selection: Selection) -> None:
        """Set the selection, and compute the reach of a newly selected piece whose options name no places."""
        is_other = selection.piece != self.selection.piece
        self.selection = selection
        if is_other:
            is_far = has_no_destination(self.app.game_view, selection.piece)
            self.reach = self.app.background_tasks.compute_reach(selection.piece) if is_far else {}
            if is_far and not self.reach:
                self.selection = replace(selection, row=0)
            self.tab_origin = self.app.map_cursor.cursor
            self.start_overlay()

    def deselect_step(self) -> None:
        """Undo the last step of the selection: from an option of the list to its piece, else to nothing."""
        has_row = self.selection.row > 0 and self.selection.piece
        self.select(replace(self.selection, row=-1) if has_row else NOTHING)

    def select_row(self, row: int) -> None:
        """Point at an option of the list by its row, or at none if `row` is -1."""
        self.selection = replace(self.selection, row=row)

    def move_row(self, step: int) -> None:
        """Point at the option `step` rows further down the list, which is cyclic."""
        number = len(self.list_options())
        if number:
            self.select_row((self.selection.row + step) % number)
            self.app.redraw()

    def move_to_next_place(self, step: int) -> None:
        """Move the cursor to the next place with an orderable piece, or in the reach of the selected piece.

        `step`: 1 for the next, -1 for the previous one.
        """
        app, view, cursor = self.app, self.app.game_view, self.app.map_cursor
        if view is None:
            return
        goals = [place for place in self.build_highlights().reach if place in cursor.order]
        if goals and (self.selection.piece or is_asking_place(view)):
            side = next((p.side for p in view.pieces if p.id == self.selection.piece), "")
            enemies = {p.place for p in view.pieces if side and p.side not in ("", side) and p.at is not None}
            nearest = cursor.list_nearest(goals, self.tab_origin or cursor.cursor, enemies)
            index = nearest.index(cursor.cursor) + step if cursor.cursor in nearest else min(0, step)
            self.select_row(-1)
            app.redraw()
            app.move_cursor(nearest[index % len(nearest)])
            return
        self.select(NOTHING)
        app.redraw()
        app.move_cursor(find_next_orderable_place(view, cursor.cursor, cursor.order, step))

    # --- orders -------------------------------------------------------------------------------------

    def confirm(self, by_map: bool = False) -> None:
        """Handle Enter: choose the selected option, else (or with `by_map`) act on the cursor's place."""
        app, view = self.app, self.app.game_view
        option = self.get_selected_option()
        if option is not None and not by_map:
            self.choose(option.key)
            return
        if view is None:
            return
        before, place = self.selection, app.map_cursor.cursor
        selection, command = apply_enter(view, place, before, self.reach)
        if command:
            option_name = next((o.name for o in filter_options(view, before) if o.key == command), "")
            self.last_order = build_last_order(view, before, place, option_name) or self.last_order
            self.choose(command)
            return
        self.select(selection)
        app.open_panel("here" if selection == NOTHING else "orders")
        app.redraw()

    def repeat(self) -> None:
        """Repeat the last order for the selected piece, else for the piece at the cursor or the next orderable one."""
        app, view, cursor = self.app, self.app.game_view, self.app.map_cursor
        if view is None or self.last_order is None:
            return
        able = [p for p in view.pieces if p.orderable and p.place == cursor.cursor]
        if not able and not self.selection.piece:
            app.move_cursor(find_next_orderable_place(view, cursor.cursor, cursor.order, 1))
            able = [p for p in view.pieces if p.orderable and p.place == cursor.cursor]
        piece = self.selection.piece or (able[0].id if able else "")
        if not piece:
            return
        self.select(Selection(piece))
        text = repeat_order(view, self.last_order, piece, cursor.middles, self.reach)
        if text:
            self.choose(text)
            return
        app.rows.set_text("news", app.say("the last order cannot be repeated here"))
        app.redraw()

    def choose(self, text: str) -> None:
        """Send an option's key or a `go` command to the session."""
        app = self.app
        if app.prompt and app.is_suspended:
            app.prompt = ""
            self.select(NOTHING)
            app.talk.begin_answer()
            app.channel.type(text)

    # --- overlays -----------------------------------------------------------------------------------

    def show_next_overlay(self) -> None:
        """Show the next overlay on the map, or none after the last."""
        self._overlay_number = (self._overlay_number + 1) % (len(list_overlay_names(self.app.port.context)) + 1)
        if not self._overlay_number:
            self.app.rows.show_news()
        self.start_overlay()

    def start_overlay(self) -> None:
        """Start computing the chosen overlay in the background, or remove the one that is shown."""
        if self._overlay_number:
            name, _title = list_overlay_names(self.app.port.context)[self._overlay_number - 1]
            self.app.background_tasks.compute_overlay(name, self.selection.piece)
        elif self.overlay is not None:
            self.app.set_overlay(None)
