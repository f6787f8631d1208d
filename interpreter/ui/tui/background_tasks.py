"""What takes its time, worked out in threads while the game stands still: sheets, reasons, overlays, who can come.

Must not show anything; every answer is a message.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.app import App
from textual.message import Message

from interpreter.play.game import Game
from interpreter.players.narration.localizer import cited
from interpreter.players.narration.reachability import comer_lines
from interpreter.players.narration.why_lines import why_not_there
from interpreter.players.orders.name_index import NameIndex
from interpreter.runtime.errors import SetupError
from interpreter.ui.tui import panel_texts
from interpreter.ui.tui.messages import MessagePort
from interpreter.ui.tui.ui_channel import UiChannel
from interpreter.view_model.queries.overlay_queries import overlay_of
from interpreter.view_model.queries.route_queries import places_in_reach
from interpreter.view_model.queries.visibility_queries import sighting
from interpreter.view_model.records import DynamicView, Overlay, ShownOption
from interpreter.view_model.view_context import ViewContext

_AT_ONCE, _PATIENCE = 0.3, 2.0  # seconds in which others may work something out before

Made = Callable[[Game], Message | None]


class SheetMade(Message):
    """A sheet that took its time."""

    def __init__(self, sheet: str, lines: Sequence[str]) -> None:
        super().__init__()
        self.sheet, self.lines = sheet, tuple(lines)


class ReasonsFound(Message):
    """What is to be told of a place: why whoever is picked cannot go there, or who can come."""

    def __init__(self, place: str, lines: Sequence[str]) -> None:
        super().__init__()
        self.place, self.lines = place, tuple(lines)


class OverlayMade(Message):
    """What is laid over the map now; None for nothing."""

    def __init__(self, overlay: Overlay | None) -> None:
        super().__init__()
        self.overlay = overlay


class BackgroundTasks:
    """Works things out beside the screen; of two questions of one sort the later one counts."""

    def __init__(self, app: App[None], theatre: MessagePort, conversation: UiChannel) -> None:
        self.app, self.theatre, self.conversation = app, theatre, conversation

    def sheet(self, name: str, chart: int, option: ShownOption | None, moment: DynamicView | None) -> None:
        """A sheet that needs the game: "score", "briefing", "odds" or "charts"."""
        theatre, words = self.theatre, self.theatre.stage.words

        def made(game: Game) -> Message:
            if name == "score":
                lines = panel_texts.score_sheet(moment, game, words)
            elif name == "briefing":
                seat = game.decision.seat if game.decision is not None else next(iter(game.program.ids["seat"]))
                lines = panel_texts.briefing_sheet(game, seat, words, theatre.players())
            elif name == "odds":
                self.app.post_message(SheetMade(name, [words.say("working out the odds ...")]))
                lines = panel_texts.odds_sheet(option, theatre.sheets, game, words.say)
            else:
                lines = panel_texts.chart_sheet(chart, option, theatre.sheets, game, theatre.still, words.say)
            return SheetMade(name, lines)

        beside = SheetMade(name, panel_texts.score_sheet(moment, None, words)) if name == "score" else None
        self._work("sheet", made, beside)

    def reach(self, piece: str) -> dict[str, str]:
        """At once: where a piece can go by several choices, with the cost; nothing while the game goes on."""
        with self.conversation.standing_still(_AT_ONCE) as is_still:
            return dict(places_in_reach(self.theatre.game(), piece)) if is_still else {}

    def place(self, place: str, piece: str, is_asked: bool, overlay: Overlay | None) -> None:
        """Why a piece (with "": whose path `is_asked`) cannot go to a place; where none is meant, who can come there.

        With an overlay that explains what it bars, that.
        """
        stage = self.theatre.stage

        def made(game: Game) -> Message:
            return ReasonsFound(place, _told_of(stage, game, place, piece, is_asked, overlay))

        self._work("place", made)

    def overlay(self, name: str, piece: str) -> None:
        """What the rules know, by the name of an overlay; for a piece alone where one is picked."""
        stage = self.theatre.stage
        self._work("overlay", lambda game: OverlayMade(overlay_of(stage, game, name, piece)))

    def _work(self, group: str, made: Made, otherwise: Message | None = None) -> None:
        def work() -> None:
            with self.conversation.standing_still(_PATIENCE) as is_still:
                answer = made(self.theatre.game()) if is_still else otherwise
            if answer is not None:
                self.app.post_message(answer)

        self.app.run_worker(work, thread=True, group=group, exclusive=True)


def _told_of(
    stage: ViewContext, game: Game, place: str, piece: str, is_asked: bool, overlay: Overlay | None
) -> list[str]:
    words = stage.words
    if not is_asked:
        return [line.strip() for line in comer_lines(game, place, words)]
    if piece and overlay is not None and overlay.explains:
        try:
            return [line.text + cited(line.cite) for line in sighting(stage, game, overlay.id, piece, place).lines]
        except SetupError:
            return []
    text = f"{words.thing('piece', piece) if piece else ''} {words.thing('place', place)}".strip()
    return [line.strip() for line in why_not_there(text, game, NameIndex(game, words))[1:2]]
