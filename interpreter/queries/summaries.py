"""Summaries of a position by topic: score, front, roster, arrivals, position, news."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from interpreter.i18n.translator import Message, mark as _
from interpreter.players.narration.position_lines import position_lines
from interpreter.players.summaries.contacts import front_lines
from interpreter.players.summaries.roster import arrival_lines, roster_lines
from interpreter.players.summaries.scores import score_lines, tally_lines
from interpreter.players.summaries.turn_recap import collect_recap, index_after_last_choice, recap_lines

if TYPE_CHECKING:
    from interpreter.play.game import Game
    from interpreter.play.lines import TextLine
    from interpreter.runtime.localizer import Localizer
    from interpreter.runtime.program import Program

_MOST_NEWS = 12  # lines of a recap

Form = Callable[[str], "Program"]  # a form of the program by name
Summary = Callable[["Game", str, "Localizer", "Form | None"], "Sequence[TextLine]"]

TITLES: Mapping[str, Message] = {
    "score": _("score"),
    "front": _("front"),
    "roster": _("roster"),
    "arrivals": _("off the map"),
    "position": _("position"),
    "news": _("since your last choice"),
}


def _score(game: Game, _seat: str, words: Localizer, form: Form | None) -> Sequence[TextLine]:
    return [*score_lines(game, words), *(tally_lines(game, form, words) if form is not None else ())]


def _news(game: Game, seat: str, words: Localizer, _form: Form | None) -> Sequence[TextLine]:
    return recap_lines(collect_recap(game, index_after_last_choice(game, seat), words), words, _MOST_NEWS)


_SUMMARIES: Mapping[str, Summary] = {
    "score": _score,
    "front": lambda game, seat, words, _form: front_lines(game, seat, words),
    "roster": lambda game, _seat, words, _form: roster_lines(game, words),
    "arrivals": lambda game, _seat, words, _form: arrival_lines(game, words),
    "position": lambda game, _seat, words, _form: position_lines(game, words),
    "news": _news,
}


def summarize(
    topic: str, game: Game, seat: str, words: Localizer, form: Form | None = None
) -> Sequence[TextLine] | None:
    """Return the summary of a topic for a seat, or None for an unknown topic.

    `form`: function that returns an instrumented program by its name, to show the components of the score; None omits
    them.
    """
    found = _SUMMARIES.get(topic)
    return None if found is None else found(game, seat, words, form)
