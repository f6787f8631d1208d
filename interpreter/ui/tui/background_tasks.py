"""Slow queries computed in worker threads while the game is suspended: sheets, reasons, overlays, reach.

Every result is posted to the application as a message.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.app import App
from textual.message import Message

from interpreter.play.game import Game
from interpreter.play.lines import format_citations
from interpreter.players.narration.place_lines import render_reachability
from interpreter.runtime.errors import RuleFault, SetupError
from interpreter.ui.tui import panel_texts
from interpreter.ui.tui.messages import MessagePort
from interpreter.ui.tui.ui_channel import UiChannel
from interpreter.view_model.answer_records import Overlay, ResolutionCard
from interpreter.view_model.queries.card_queries import build_card
from interpreter.view_model.queries.overlay_queries import build_overlay
from interpreter.view_model.queries.route_queries import list_places_in_reach
from interpreter.view_model.queries.text_queries import answer_why
from interpreter.view_model.queries.visibility_queries import answer_visibility
from interpreter.view_model.records import DynamicView, ShownOption
from interpreter.view_model.view_context import ViewContext

_AT_ONCE, _PATIENCE = 0.3, 2.0  # seconds to wait for the lock, for immediate and background queries

MessageFactory = Callable[[Game], Message | None]


@dataclass
class SheetMade(Message):
    """Message with a sheet that was computed in the background; `sheet`: its name, `lines`: its content.

    `previous`: for a card, the address of the card before it, or () if there is none.
    """

    sheet: str
    lines: Sequence[str]
    previous: tuple[int, ...] = ()


@dataclass
class ReasonsFound(Message):
    """Message with lines about a place: why the picked piece cannot go there, or which pieces can reach it."""

    place: str
    lines: Sequence[str]


@dataclass
class OverlayMade(Message):
    """Message with the overlay to show on the map; None removes it."""

    overlay: Overlay | None


class BackgroundTasks:
    """Runner of queries in worker threads; a newer query replaces an older one of the same group."""

    def __init__(self, app: App[None], port: MessagePort, channel: UiChannel) -> None:
        self.app, self.port, self.channel = app, port, channel

    def compute_sheet(
        self, name: str, chart: int, option: ShownOption | None, view: DynamicView | None, card: tuple[int, ...] = ()
    ) -> None:
        """Compute a sheet that needs the game: "score", "log", "briefing", "odds", "card", or chart number `chart`.

        `option`: the selected option, or None; `view`: the present view of the game; `card`: the address of the card
        of a roll, () for the last one.
        """
        port, localizer = self.port, self.port.context.localizer

        def build_message(game: Game) -> Message:
            if name == "score":
                lines = panel_texts.render_score_sheet(view, game, localizer)
            elif name == "log":
                lines = panel_texts.render_log_sheet(view, game, localizer)
            elif name == "briefing":
                seat = game.decision.seat if game.decision is not None else next(iter(game.program.ids["seat"]))
                lines = panel_texts.render_briefing_sheet(game, seat, localizer, port.players())
            elif name == "odds":
                self.app.post_message(SheetMade(name, [localizer.say("computing the odds ...")]))
                lines = panel_texts.render_odds(option, port.queries, game, localizer)
            elif name == "card":
                shown = find_card(port.context, game, card)
                previous = shown.previous if shown is not None else ()
                return SheetMade(name, panel_texts.render_card_sheet(shown, localizer), previous)
            else:
                lines = panel_texts.render_chart(chart, option, port.queries, game, port.static_view, localizer.say)
            return SheetMade(name, lines)

        at_once = {"score": panel_texts.render_score_sheet, "log": panel_texts.render_log_sheet}
        beside = SheetMade(name, at_once[name](view, None, localizer)) if name in at_once else None
        self.run("sheet", build_message, beside)

    def compute_reach(self, piece: str) -> dict[str, str]:
        """Return the places that a piece can reach by several choices, with their costs.

        Returns an empty dictionary if the game is not suspended within a short timeout.
        """
        with self.channel.suspend_game(_AT_ONCE) as is_still:
            return dict(list_places_in_reach(self.port.game(), piece)) if is_still else {}

    def explain_place(self, place: str, piece: str, is_asked: bool, overlay: Overlay | None) -> None:
        """Explain why a piece cannot go to a place, or list the pieces that can reach it unless `is_asked`.

        If `piece` is "", the path that the decision asks for is meant. `is_asked`: a destination is being chosen. An
        overlay that explains itself gives its own reasons.
        """
        context = self.port.context

        def build_message(game: Game) -> Message:
            return ReasonsFound(place, _render_place(context, game, place, piece, is_asked, overlay))

        self.run("place", build_message)

    def compute_overlay(self, name: str, piece: str) -> None:
        """Compute an overlay by name, only for one piece unless `piece` is ""."""
        context = self.port.context
        self.run("overlay", lambda game: OverlayMade(build_overlay(context, game, name, piece)))

    def run(self, group: str, task: MessageFactory, otherwise: Message | None = None) -> None:
        """Post the message that `task` computes from the game, or `otherwise` if the game does not pause in time.

        `group`: the name of the group to which the task belongs; a newer task of a group replaces an older one.
        """

        def do_work() -> None:
            with self.channel.suspend_game(_PATIENCE) as is_still:
                answer = task(self.port.game()) if is_still else otherwise
            if answer is not None:
                self.app.post_message(answer)

        self.app.run_worker(do_work, thread=True, group=group, exclusive=True)


def find_card(context: ViewContext, game: Game, address: tuple[int, ...] = ()) -> ResolutionCard | None:
    """Return the card with an address (choice, part), or of the last roll if it is (); None if there is none."""
    number, part = address or (0, 0)
    try:
        return build_card(context, game, number, part=part)
    except (SetupError, RuleFault):
        return None


def _render_place(
    context: ViewContext, game: Game, place: str, piece: str, is_asked: bool, overlay: Overlay | None
) -> list[str]:
    """Return lines about the cursor's place: what the overlay says of `piece` there, or how it can be reached."""
    localizer = context.localizer
    if not is_asked:
        return [line.strip() for line in render_reachability(game, place, localizer)]
    if piece and overlay is not None and overlay.explains:
        try:
            return [
                line.text + format_citations(line.cite)
                for line in answer_visibility(context, game, overlay.id, piece, place).lines
            ]
        except SetupError:
            return []
    return [line.text + format_citations(line.cite) for line in answer_why(context, game, piece, place).lines[1:2]]
