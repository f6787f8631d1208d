"""Rows of text above and below the map: heading, place, news, prompt and keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.ui.tui import panel_texts
from interpreter.ui.tui.selection import find_done_key
from interpreter.ui.tui.widgets import TextRow, fit_text

if TYPE_CHECKING:
    from interpreter.ui.tui.app import Application
    from interpreter.view_model.records import DynamicView

_PROMPT = 6  # tenths of the width that the prompt may take


class StatusRows:
    """Owner of the rows of text on the screen.

    `since`: the number of the log line with which the news begin, or -1 to begin with the last choice of any seat.
    While the recap is open, the rows describe the position that it shows.
    """

    def __init__(self, app: Application) -> None:
        self.app, self.say = app, app.say
        self.since = -1
        self._read = -1  # number of the first log line that the player has not read

    def set_text(self, row: str, text: str) -> None:
        """Show a text in a row by its id."""
        self.app.query_one(f"#{row}", TextRow).set_text(text)

    @property
    def has_rolled(self) -> bool:
        """Return whether dice have been rolled since the news began."""
        return panel_texts.has_rolled(self.app.game_view, self.since)

    def mark_news_start(self, view: DynamicView) -> None:
        """Let the news begin with the player's last choice; after an undo, with the last choice of any seat."""
        end = view.log[-1].number + 1 if view.log else 0
        if end != self._read:
            self.since = self._read if 0 <= self._read < end else -1
        if view.may_choose:
            self._read = end

    def show_heading(self) -> None:
        """Show the game (omitted in a small window), the turn and the question."""
        app, frame = self.app, self.app.recap.shown
        game_view = app.game_view
        title = "" if game_view is not None and app.panels.is_small else app.port.static_view.title
        question = game_view.decision.prompt if game_view is not None and game_view.decision is not None else ""
        if frame is not None:
            game_view, question = frame.game_view, self.say("what happened")
        self.set_text("top", " - ".join(t for t in (title, game_view.heading if game_view else "", question) if t))

    def show_news(self) -> None:
        """Show what has happened since the player's last choice."""
        if self.app.game_view is not None:
            self.set_text(
                "news", panel_texts.format_news(self.app.game_view, self.since, self.app.port.context.localizer)
            )

    def show_place(self, more: Sequence[str] = (), is_reason: bool = False) -> None:
        """Show the cursor's place; `more`: lines looked up about it, the reason against going there if `is_reason`."""
        app, frame = self.app, self.app.recap.shown
        game_view, background = (
            (app.game_view, app.background) if frame is None else (frame.game_view, frame.background)
        )
        place, still, localizer = app.map_cursor.cursor, app.port.static_view, app.port.context.localizer
        lines = panel_texts.render_place(place, game_view, background, still, localizer)
        around = panel_texts.render_borders(place, background, still, localizer)
        app.panels.show_place(lines, around, more, is_reason)

    def show_prompt(self) -> None:
        """Show the prompt; one that leaves too little room to type is cut and also shown in full among the messages."""
        app = self.app
        text = (app.prompt or app.waiting).rstrip()
        fitted = fit_text(text, max(1, app.size.width * _PROMPT // 10 - 1), 1)[0]
        if app.prompt and fitted != text and app.talk.lines[-1:] != [text]:
            app.talk.add_lines([text])
        self.set_text("prompt", fitted + " " if fitted else "")

    def show_keys(self) -> None:
        """Show the most relevant keys."""
        app = self.app
        state = panel_texts.KeyState(
            app.order_entry.selection.row >= 0,
            app.order_entry.is_asking_destination(),
            app.recap.is_open,
            bool(find_done_key(app.game_view)),
            self.has_rolled,
            app.panels.has_more,
        )
        self.set_text("keys", panel_texts.render_key_row(app.size.width, state, self.say))
