"""Text queries about a position and the rules, answered in lines without random sampling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.model.learning import Glossary
from interpreter.play.game import Game
from interpreter.play.lines import TextLine
from interpreter.players.narration.lookup import render_matches, render_rule
from interpreter.players.narration.piece_lines import render_piece, render_views
from interpreter.players.narration.place_lines import render_place, render_reachability
from interpreter.players.narration.why_lines import render_why_unreachable
from interpreter.players.orders.name_index import NameIndex
from interpreter.players.orders.route_planning import list_piece_orders
from interpreter.players.questions.plain_answers import (
    answer_plainly,
    explain_later_order,
    explain_order,
    explain_word,
    find_intent,
)
from interpreter.players.questions.plain_commands import parse_plain_command
from interpreter.players.summaries.briefing import render_briefing_lines
from interpreter.queries.summaries import TITLES, summarize
from interpreter.runtime.errors import SetupError
from interpreter.view_model.answer_records import ShownRule, TextAnswer
from interpreter.view_model.log_view import build_answer_lines
from interpreter.view_model.view_context import ViewContext


def answer_about(context: ViewContext, game: Game, what: str, seat: str, players: Mapping[str, str]) -> TextAnswer:
    """Answer the query `what`, such as "briefing" or "score", for a seat; raise SetupError for an unknown query.

    `players`: the player of each seat.
    """
    localizer = context.localizer
    if what == "briefing":
        first = localizer.say("choose an order, or point at the map")
        return build_text_answer(
            localizer.say("briefing"), render_briefing_lines(game, seat, localizer, players, first, cites_all=True)
        )
    lines = summarize(what, game, seat, localizer, context.rules.form)
    if lines is None:
        raise SetupError("nothing is known about `{word}`", word=quote_typed(what))
    return build_text_answer(localizer.say(TITLES[what]), lines)


def answer_piece(context: ViewContext, game: Game, piece: str) -> TextAnswer:
    """Describe a piece by its id; raise SetupError for an unknown one."""
    if piece not in game.program.handles["piece"]:
        raise SetupError("unknown piece `{text}`", text=quote_typed(piece))
    title, *lines = render_piece(piece, game, NameIndex(game, context.localizer))
    return build_text_answer(str(title), lines)


def answer_place(context: ViewContext, game: Game, place: str) -> TextAnswer:
    """Describe a place by its id; raise SetupError for an unknown one."""
    if place not in game.program.handles["place"]:
        raise SetupError("unknown place `{text}`", text=quote_typed(place))
    title, *lines = render_place(place, game.view(), context.localizer)
    views = render_views("place", place, game, context.localizer)
    return build_text_answer(title, [*render_reachability(game, place, context.localizer), *views, *lines])


def answer_why(context: ViewContext, game: Game, piece: str, place: str) -> TextAnswer:
    """Explain why a piece ("": the one that the decision is about) cannot be ordered to a place now."""
    localizer = context.localizer
    if place not in game.program.handles["place"] or piece and piece not in game.program.handles["piece"]:
        raise SetupError("nothing is known about `{word}`", word=quote_typed(piece + " " + place))
    place_name = localizer.get_thing_name("place", place)
    text = f"{localizer.get_thing_name('piece', piece)} {place_name}" if piece else place_name
    title, name_index = (
        f"{localizer.get_piece_name(piece)} {place_name}" if piece else place_name,
        NameIndex(game, localizer),
    )
    if (
        piece
        and not list_piece_orders(piece, game)
        and (later := explain_later_order(place_name, game, name_index, False))
    ):
        return build_text_answer(title, later)
    return build_text_answer(title, render_why_unreachable(text, game, name_index))


def answer_rule(context: ViewContext, number: str) -> TextAnswer:
    """Return the paragraph `number` of the rulebook as an answer."""
    first, *rest = render_rule(number, context.localizer)
    return build_text_answer(first, rest)


def list_rulebook(context: ViewContext) -> tuple[ShownRule, ...]:
    """Return every paragraph of the rulebook in order."""
    localizer = context.localizer
    return tuple(
        ShownRule(
            number,
            localizer.translate_label(p["title"]),
            tuple(filter(None, localizer.translate_label(p["text"]).splitlines())),
        )
        for number, p in localizer.data["rulebook"].items()
    )


def answer_plain(context: ViewContext, game: Game, text: str, seat: str, glossary: Glossary) -> TextAnswer:
    """Answer a question or an order of `seat` in plain words; a single word is explained from the glossary."""
    name_index = NameIndex(game, context.localizer)
    line = "" if find_intent(text, context.localizer) else parse_plain_command(text, context.localizer)
    command, _space, rest = line.partition(" ")
    if (summary := summarize(command, game, seat, context.localizer, context.rules.form)) is not None:
        return build_text_answer(text, summary)
    if command in ("what", "look"):
        return build_text_answer(text, explain_word(rest, game, name_index, glossary))
    lesson = context.localizer.say("The menu has a guided first turn, if this game has one.")
    lines = answer_plainly(text, game, seat, name_index, glossary, lesson) or explain_order(text, game, name_index)
    return build_text_answer(text, lines or explain_word(text, game, name_index, glossary))


def answer_find(context: ViewContext, game: Game, text: str) -> TextAnswer:
    """Return lines about every piece, place, table and rule that the text names."""
    return build_text_answer(text, render_matches(text[:80], NameIndex(game, context.localizer)))


def build_text_answer(title: str, lines: Iterable[TextLine]) -> TextAnswer:
    """Wrap lines as an answer."""
    answer_lines = build_answer_lines(lines)
    least = min((line.depth for line in answer_lines), default=0)
    return TextAnswer(title, tuple(replace(line, depth=line.depth - least) for line in answer_lines))
