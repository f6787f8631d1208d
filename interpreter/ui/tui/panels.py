"""Panels beside or below the map: which one is shown, and its contents."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import App

from interpreter.ui.tui import panel_texts
from interpreter.ui.tui.layout import WIDE
from interpreter.ui.tui.map.background_layer import BackgroundLayer
from interpreter.ui.tui.map.rendering import Legend
from interpreter.ui.tui.messages import MessagePort
from interpreter.ui.tui.selection import Selection
from interpreter.ui.tui.widgets import OptionList, TextRow, TextView
from interpreter.view_model.records import DynamicView, ShownOption

_PANEL = 12  # most rows of the panels below a small map; at most one of three rows


class Panels:
    """State of the panels beside or below the map.

    `shown`: the panel below a small map: "orders", "talk" or "sheet". `sheet`: the name of the chosen sheet, "here" for
    that of the cursor's place. `chart`: how often the charts sheet was advanced, counted from 0; -1 before it is shown.
    """

    def __init__(self, app: App[None], port: MessagePort, legend: Legend) -> None:
        self.app, self.port, self.legend = app, port, legend
        self.say = port.context.localizer.say
        self.shown, self.sheet, self.chart = "orders", "here", -1

    @property
    def is_small(self) -> bool:
        """Return True if the panels do not fit beside the map."""
        size = self.app.size
        return size.width < WIDE[0] or size.height < WIDE[1]

    @property
    def reading(self) -> TextView:
        """Return the view that shows the sheets."""
        return self.app.query_one("#sheet", TextView)

    def is_sheet(self, name: str) -> bool:
        """Return whether the sheet with this name is visible."""
        return self.sheet == name and (self.shown == "sheet" or not self.is_small)

    def show_panel(self, name: str) -> None:
        """Show a panel by name; "charts" advances to the next chart."""
        if name in ("orders", "talk"):
            self.shown = name
        else:
            self.chart += name == "charts"
            self.shown, self.sheet = "sheet", name

    def show_beside_map(self) -> None:
        """Show the panels again if the map is alone."""
        self.app.screen.remove_class("alone")

    def close_sheet(self) -> bool:
        """Close the open sheet and show the orders; return False if no sheet covers them."""
        if self.sheet == "here" or self.is_small and self.shown != "sheet":
            return False
        self.shown, self.sheet = "orders", "here"
        return True

    def arrange(self) -> None:
        """Lay the panels out for the size of the window."""
        app, screen = self.app, self.app.screen
        screen.set_class(self.is_small, "small")
        low = max(2, min(_PANEL, app.size.height // 3))
        app.query_one("#right").styles.height = low if self.is_small else "100%"
        for name in ("orders", "sheet", "talk"):
            screen.set_class(self.shown == name, f"-{name}")
        names = (*(("orders", "talk") if self.is_small else ()), *panel_texts.SHEETS)
        present = self.shown if self.shown in ("orders", "talk") and self.is_small else self.sheet
        parts = [
            f"[@click=app.panel('{n}')]{'[reverse]' if n == present else ''} {self.say(panel_texts.TITLES[n])} "
            f"{'[/reverse]' if n == present else ''}[/]"
            for n in names
        ]
        app.query_one("#tabs", TextRow).set_text("".join(parts))

    def show_orders(
        self, view: DynamicView | None, options: Sequence[ShownOption], selection: Selection, more: int = 0
    ) -> None:
        """Show the prompt of the decision, the selected pieces, and the orders `options`.

        `view`: the shown game, or None before it is known. Without a decision that the viewer may make, the outcome of
        the game or the awaited player is shown instead. `more`: the number of matching orders that are not listed.
        """
        rows: list[tuple[str, int]] = []
        decision = view.decision if view is not None else None
        if view is not None and decision is not None and view.may_choose:
            rows.append((decision.prompt, -1))
            for one in selection.pieces:
                piece = next((p for p in view.pieces if p.id == one), None)
                rows.append((panel_texts.format_picked(piece.spoken if piece else one), -1))
            heading = -1
            for number, option in enumerate(options):
                if option.heading != heading and not selection.piece:
                    heading = option.heading
                    title = decision.headings[heading].title
                    rows += [(title, -1)] if title else []
                rows.append((option.label, number))
            if more:
                rows.append(
                    (self.say("{number} more: choose the counters that take part, or type names", number=more), -1)
                )
        elif view is not None:
            rows = [(line, -1) for line in (*view.outcome, view.waiting) if line]
        self.app.query_one("#orders", OptionList).set_rows(rows, selection.row)

    def show_place(
        self, lines: Sequence[str], around: Sequence[str], more: Sequence[str] = (), is_reason: bool = False
    ) -> None:
        """Show the cursor's place in its row and on its sheet.

        `around`: its neighbours, for the sheet; `more`: lines looked up about it; if they are the reason why it cannot
        be reached (`is_reason`), they take the place of its pieces in the row.
        """
        localizer = self.port.context.localizer
        text = localizer.join_sentences(line.strip() for line in (lines[:1] if more and is_reason else lines))
        row = localizer.prefix_topic(text, localizer.join_sentences(more)) if more else text
        self.app.query_one("#place", TextRow).set_text(row)
        if self.sheet == "here":
            self.reading.set_lines([*lines, *around, *(f"  {line}" for line in more)])

    @property
    def has_more(self) -> bool:
        """Return whether the text below a small map continues below its last row."""
        return self.is_small and self.shown == "sheet" and self.reading.has_more

    def scroll_page(self, is_down: bool, is_listing: bool) -> None:
        """Scroll the visible panel by one page, down or up.

        `is_listing`: on a large screen, scroll the orders and not the sheet.
        """
        name = self.shown if self.is_small else ("orders" if is_listing else "sheet")
        widget = self.app.query_one(f"#{name}")
        (widget.scroll_page_down if is_down else widget.scroll_page_up)(animate=False)

    def show_sheet(self, option: ShownOption | None, view: DynamicView | None, background: BackgroundLayer) -> bool:
        """Show the chosen sheet; return False if it needs a background task or is the cursor's place.

        `option`: the selected option, or None.
        """
        port = self.port
        match self.sheet:
            case "rules":
                self.reading.set_lines(panel_texts.render_rules(option, view, port.static_view, port.context.localizer))
            case "help":
                sides = [(s.letter, s.name) for s in port.static_view.sides]
                legend = panel_texts.render_legend(background, self.legend, sides, self.say)
                self.reading.set_lines([*panel_texts.render_help(self.say), *legend])
            case "here":
                return False
            case _:
                return self.shown != "sheet" and self.is_small
        return True
