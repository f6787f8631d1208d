"""Summaries of a position by topic: score, front, roster, arrivals, position, news."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from interpreter.i18n.translator import Message, mark as _
from interpreter.players.narration.position_lines import position_lines
from interpreter.players.summaries.contacts import render_front
from interpreter.players.summaries.roster import render_arrivals, render_roster_lines
from interpreter.players.summaries.scores import render_scores, render_tallies
from interpreter.players.summaries.turn_recap import collect_recap, find_index_after_last_choice, render_recap

if TYPE_CHECKING:
    from interpreter.play.game import Game
    from interpreter.play.lines import TextLine
    from interpreter.runtime.localizer import Localizer
    from interpreter.runtime.program import Program

_MAX_NEWS = 12  # lines of a recap

FormLoader = Callable[[str], "Program"]  # a form of the program by name
Summary = Callable[["Game", str, "Localizer", "FormLoader | None"], "Sequence[TextLine]"]

TITLES: Mapping[str, Message] = {
    "score": _("score"),
    "front": _("front"),
    "roster": _("roster"),
    "arrivals": _("off the map"),
    "position": _("position"),
    "news": _("since your last choice"),
}


def _render_score(game: Game, _seat: str, localizer: Localizer, form: FormLoader | None) -> Sequence[TextLine]:
    return [*render_scores(game, localizer), *(render_tallies(game, form, localizer) if form is not None else ())]


def _render_news(game: Game, seat: str, localizer: Localizer, _form: FormLoader | None) -> Sequence[TextLine]:
    return render_recap(collect_recap(game, find_index_after_last_choice(game, seat), localizer), localizer, _MAX_NEWS)


_SUMMARIES: Mapping[str, Summary] = {
    "score": _render_score,
    "front": lambda game, seat, localizer, _form: render_front(game, seat, localizer),
    "roster": lambda game, _seat, localizer, _form: render_roster_lines(game, localizer),
    "arrivals": lambda game, _seat, localizer, _form: render_arrivals(game, localizer),
    "position": lambda game, _seat, localizer, _form: position_lines(game, localizer),
    "news": _render_news,
}


def summarize(
    topic: str, game: Game, seat: str, localizer: Localizer, form: FormLoader | None = None
) -> Sequence[TextLine] | None:
    """Return the summary of a topic for a seat, or None for an unknown topic.

    `form`: function that returns an instrumented program by its name, to show the components of the score; None omits
    them.
    """
    render = _SUMMARIES.get(topic)
    return None if render is None else render(game, seat, localizer, form)
