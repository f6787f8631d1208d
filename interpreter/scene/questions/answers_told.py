"""What can be asked about a position and the rules, told in lines. Changes nothing, and works nothing out by chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from interpreter.play.session import Game
from interpreter.players.orders.lexicon import Lexicon
from interpreter.players.overview.arrivals import arrival_lines
from interpreter.players.overview.briefing import briefing_lines, briefing_of
from interpreter.players.overview.deeds import deed_lines, deeds_since, last_chosen_by
from interpreter.players.overview.front import front_lines
from interpreter.players.overview.muster import roster_lines
from interpreter.players.overview.scores import score_lines, tally_lines
from interpreter.players.telling.comers import comer_lines
from interpreter.players.telling.finding import find_lines, rule_lines
from interpreter.players.telling.piece import piece_lines, told_lines
from interpreter.players.telling.place import place_lines
from interpreter.players.telling.position import position_lines
from interpreter.players.telling.reasons import why_not_there
from interpreter.runtime.faults import SetupError
from interpreter.scene.records import Answer
from interpreter.scene.shown_log import parted_lines
from interpreter.scene.stage import Stage
from interpreter.words.speech import mark as _

_MOST_DEEDS = 12
_TITLES: Mapping[str, str] = {
    "briefing": _("briefing"),
    "score": _("score"),
    "front": _("front"),
    "roster": _("roster"),
    "arrivals": _("off the map"),
    "position": _("position"),
    "news": _("since your last choice"),
}


def answer_about(stage: Stage, game: Game, what: str, seat: str, players: Mapping[str, str]) -> Answer:
    """The briefing, the score and so on, for a seat; SetupError for what nobody can ask."""
    words = stage.words
    asked: dict[str, Callable[[], Iterable[str]]] = {
        "briefing": lambda: briefing_lines(
            briefing_of(game, seat, words, players, words.say("choose among the orders, or point at the map")),
            words,
            cites_all=True,
        ),
        "score": lambda: [*score_lines(game, words), *tally_lines(game, stage.rules.form, words)],
        "front": lambda: front_lines(game, seat, words),
        "roster": lambda: roster_lines(game, words),
        "arrivals": lambda: arrival_lines(game, words),
        "position": lambda: position_lines(game, words),
        "news": lambda: deed_lines(deeds_since(game, last_chosen_by(game, seat), words), words, _MOST_DEEDS),
    }
    if what not in asked:
        raise SetupError("there is nothing called `{word}` to ask about", word=what[:40])
    return told_answer(stage, words.say(_TITLES[what]), asked[what]())


def answer_piece(stage: Stage, game: Game, piece: str) -> Answer:
    """All about a piece by its id; SetupError for none."""
    if piece not in game.program.handles["piece"]:
        raise SetupError("there is no piece `{text}`", text=piece[:40])
    title, *lines = piece_lines(piece, game, Lexicon(game, stage.words))
    return told_answer(stage, title, lines)


def answer_place(stage: Stage, game: Game, place: str) -> Answer:
    """All about a place by its id; SetupError for none."""
    if place not in game.program.handles["place"]:
        raise SetupError("there is no place `{text}`", text=place[:40])
    title, *lines = place_lines(place, game.view(), stage.words)
    told = told_lines("place", place, game, stage.words)
    return told_answer(stage, title, [*comer_lines(game, place, stage.words), *told, *lines])


def answer_why(stage: Stage, game: Game, piece: str, place: str) -> Answer:
    """Why a piece (or, with "", whoever is asked about) cannot go to a place now."""
    words = stage.words
    if place not in game.program.handles["place"] or piece and piece not in game.program.handles["piece"]:
        raise SetupError("there is nothing called `{word}` to ask about", word=(piece + " " + place)[:40])
    where = words.thing("place", place)
    text = f"{words.thing('piece', piece)} {where}" if piece else where
    title = f"{words.piece(piece)} {where}" if piece else where
    return told_answer(stage, title, why_not_there(text, game, Lexicon(game, words)))


def answer_rule(stage: Stage, number: str) -> Answer:
    """A paragraph of the rulebook."""
    first, *rest = rule_lines(number, stage.words)
    return told_answer(stage, first, rest)


def answer_find(stage: Stage, game: Game, text: str) -> Answer:
    """Whatever is called like this."""
    return told_answer(stage, text, find_lines(text[:80], Lexicon(game, stage.words)))


def told_answer(stage: Stage, title: str, lines: Iterable[str]) -> Answer:
    """Lines, as an answer."""
    found = parted_lines(lines, stage.words.data["rulebook"])
    least = min((line.depth for line in found), default=0)
    return Answer(title, tuple(replace(line, depth=line.depth - least) for line in found))
