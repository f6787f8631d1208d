"""Read-only queries of the page, answered by name on a copy of the game as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.i18n.translator import mark as _
from interpreter.model.learning import Glossary
from interpreter.play.game import Game
from interpreter.players.luck.luck_service import LuckService
from interpreter.players.orders.route_planning import limit_trials, try_options
from interpreter.ui.web.access_tokens import Requester
from interpreter.ui.web.api_errors import ApiError
from interpreter.ui.web.background_work import BackgroundWorker, SentPosition, build_sent_position
from interpreter.ui.web.served_game import ServedGame
from interpreter.view_model.dynamic_view import ViewBuilder, Viewer
from interpreter.view_model.queries import (
    analysis_queries,
    card_queries,
    ending_queries,
    full_log,
    overlay_queries,
    recap_queries,
    route_queries,
    text_queries,
    visibility_queries,
)
from interpreter.view_model.records import DynamicView
from interpreter.view_model.to_json import to_json
from interpreter.view_model.undo_info import restore_game_after
from interpreter.view_model.view_context import ViewContext

MAX_ODDS_POSITIONS, ODDS_SAMPLES = 40_000, 2_000  # position limit of exact odds, and samples beyond it
_MAX_ARGUMENT_LENGTH, _MAX_KEY_LENGTH = 200, 4_000  # characters of a query argument, and of an option's key

QueryParameters = Mapping[str, str]


def _list_human_seats(viewer: Viewer) -> tuple[str, ...]:
    """Return the seats that a viewer plays and no bot does."""
    return tuple(seat for seat in viewer.seats if seat not in viewer.bots)


def _try_option(game: Game, key: str) -> Game:
    """Return a copy of the game after the option with this key, with other dice; `game` itself if no option has it."""
    return try_options(game, [key]) if key and game.decision is not None and game.decision.find(key) else game


class QueryService:
    """Service for read-only queries about one served game. `seat` is the seat that asks, '' for an onlooker."""

    def __init__(self, served: ServedGame) -> None:
        self.served = served
        self._builders: dict[str, ViewBuilder] = {}  # of earlier positions, by language
        self._luck_service = LuckService(served.rules)
        self._glossary: Glossary | None = None

    def answer(self, what: str, params: QueryParameters, by: Requester) -> object:
        """Return the answer to the query `what` as plain data; `params`: its parameters, `by`: its author.

        Raises ApiError or SetupError if the query does not exist.
        """
        params = {
            name: value[: _MAX_KEY_LENGTH if name == "key" else _MAX_ARGUMENT_LENGTH] for name, value in params.items()
        }
        context, game = self.served.views.get_context(by.lang), self.served.copy_game()
        seat = by.seat or self._find_first_seat(game)
        answers = self._build_answers(context, game, params, seat, self.served.get_viewer(by))
        with limit_trials():
            if what in answers:
                return to_json(answers[what]())
            return to_json(text_queries.answer_about(context, game, what, seat, self.served.players))

    def compute_quick_odds(self, key: str, lang: str) -> tuple[object, SentPosition]:
        """Return the exact odds of an option, or None if they are slow to compute, and the position they refer to."""
        game = self.served.copy_game()
        odds = analysis_queries.answer_quick_odds(self.served.views.get_context(lang), game, key[:_MAX_KEY_LENGTH])
        return None if odds is None else to_json(odds), build_sent_position(game)

    def compute_slow_odds(self, position: SentPosition, key: str, lang: str, worker: BackgroundWorker) -> object:
        """Compute exact odds in a worker process, which may be ended at any time."""
        return worker.compute_odds(position, key[:_MAX_KEY_LENGTH], lang, MAX_ODDS_POSITIONS, ODDS_SAMPLES)

    def _find_first_seat(self, game: Game) -> str:
        """Return the seat for which a host or onlooker asks: the deciding one, unless a bot plays it."""
        decision, people = game.decision, self.served.people
        if decision is not None and (decision.seat in people or not people):
            return decision.seat
        return (people or self.served.seats)[0]

    def _build_answers(
        self, context: ViewContext, game: Game, params: QueryParameters, seat: str, viewer: Viewer
    ) -> dict[str, Callable[[], object]]:
        """Return the functions that answer each query, by its name.

        `params`: the parameters of the query, `seat`: the seat that asks, `viewer`: the seats it is answered for.
        """

        def get_text(name: str) -> str:
            return params.get(name, "")

        def get_number(name: str) -> int:
            given_number = get_text(name)
            return int(given_number[:9]) if given_number.isascii() and given_number.isdigit() else 0

        return {
            "piece": lambda: text_queries.answer_piece(context, game, get_text("id")),
            "place": lambda: text_queries.answer_place(context, game, get_text("id")),
            "why": lambda: text_queries.answer_why(context, game, get_text("piece"), get_text("place")),
            "rule": lambda: text_queries.answer_rule(context, get_text("id")),
            "plain": lambda: text_queries.answer_plain(context, game, get_text("text"), seat, self._get_glossary()),
            "find": lambda: text_queries.answer_find(context, game, get_text("text")),
            "reach": lambda: route_queries.list_places_in_reach(game, get_text("piece")),
            "plan": lambda: route_queries.list_plans(
                context, game, get_text("piece"), get_text("place"), get_number("from")
            ),
            "chart": lambda: analysis_queries.answer_chart(context, game, get_text("id"), get_text("key")),
            "ledger": lambda: analysis_queries.answer_ledger(context, game),
            "preview": lambda: analysis_queries.build_preview(
                context, _try_option(game, get_text("after")), get_text("key")
            ),
            "luck": lambda: analysis_queries.answer_luck(context, game, self._luck_service),
            "luck_summary": lambda: analysis_queries.answer_luck_summary(context, game, self._luck_service),
            "report": lambda: full_log.answer_report(context, game, self.served.players, self.served.autosave.notes),
            "log": lambda: full_log.list_full_log(context, game),
            "legend": lambda: {"drawing": self.served.views.get_builder(context.lang).get_legend_name(game)},
            "names": lambda: self.served.views.get_builder(context.lang).list_map_names(game),
            "overlays": lambda: overlay_queries.list_overlay_names(context),
            "overlay": lambda: overlay_queries.build_overlay(context, game, get_text("id"), get_text("piece")),
            "sight": lambda: visibility_queries.answer_visibility(
                context, game, get_text("id"), get_text("piece"), get_text("place")
            ),
            "comers": lambda: route_queries.list_pieces_in_reach(game, get_text("place")),
            "card": lambda: card_queries.build_card(
                context, game, get_number("number"), get_number("until"), _list_human_seats(viewer), get_number("part")
            ),
            "told": lambda: recap_queries.render_choice(context, game, get_number("number")),
            "recap": lambda: recap_queries.build_recap(context, game, viewer),
            "ending": lambda: ending_queries.build_ending(context, game),
            "ahead": lambda: route_queries.list_options_ahead(context, game),
            "groups": lambda: route_queries.list_group_orders(context, game),
            "hint": lambda: analysis_queries.build_hint(context, game, viewer.seats),
            "rulebook": lambda: text_queries.list_rulebook(context),
            "messages": lambda: self.served.list_messages(context.lang),
            "earlier": lambda: self._build_earlier_scene(context, game, get_text("choices")),
            "notes": lambda: text_queries.build_text_answer(context.localizer.say("notes"), self.served.autosave.notes),
        }

    def _get_glossary(self) -> Glossary:
        """Return the glossary of the ruleset, read once."""
        if self._glossary is None:
            self._glossary = self.served.rules.source.load_glossary(self.served.rules.program.languages)
        return self._glossary

    def _build_earlier_scene(self, context: ViewContext, game: Game, choices: str) -> DynamicView:
        """Return the scene after a number of choices, without options; `choices` is that number as text.

        Raises ApiError for a text that is not a number.
        """
        if not choices.isascii() or not choices.isdigit():
            raise ApiError(
                400, "no-number", _("expected a whole number of 1 or more, found {found!r}", found=quote_typed(choices))
            )
        earlier = restore_game_after(game, int(choices[:9]))
        builder = self._builders.get(context.lang)
        if builder is None:
            builder = self._builders[context.lang] = self.served.views.get_builder(context.lang).share_drawings()
        view = builder.build_view(earlier, Viewer(()), f"earlier-{choices}")
        return replace(view, waiting="")
