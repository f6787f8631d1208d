"""Figures of a report: maps of the phases with changes, and charts of scores and strengths, with captions.

A FigureRenderer draws the maps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Protocol

from interpreter.i18n.number_format import number_text
from interpreter.play.game import Game
from interpreter.players.narration.localizer import Localizer
from interpreter.players.narration.position_lines import heading
from interpreter.players.reports.action_report import FigureSource
from interpreter.players.reports.line_chart import draw_line_chart
from interpreter.players.reports.replay_log import ReplayLog
from interpreter.players.reports.report_model import ReportFigure
from interpreter.players.reports.timeline import Timeline, compute_timeline, split_chapters

_NAMED = 6  # pieces named in a caption; more are counted


class DrawnFigure(Protocol):
    """A picture of the map, and the ids of the pieces that moved on it."""

    @property
    def markup(self) -> str: ...
    @property
    def moved(self) -> tuple[str, ...]: ...
    @property
    def removed(self) -> tuple[str, ...]: ...
    @property
    def added(self) -> tuple[str, ...]: ...


class FigureRenderer(Protocol):
    """Protocol of a renderer that stores positions by number and draws them."""

    def take(self, game: Game) -> int:
        """Store the position of a game and return its number."""

    def render_map(self, number: int) -> DrawnFigure:
        """Draw the whole map."""

    def changed(self, before: int, now: int) -> DrawnFigure | None:
        """Draw the part of the map that changed between two positions, or return None if nothing did."""


def draw_figures(replay_log: ReplayLog, words: Localizer, renderer: FigureRenderer) -> tuple[Timeline, FigureSource]:
    """Replay the game with a renderer; return its timeline and figures."""
    parts = split_chapters(replay_log)
    ends = {part.last: part for part in parts}
    firsts = {part.first - 1 for part in parts}
    taken: dict[int, int] = {}
    titles: dict[int, str] = {}

    def visit(decision: int) -> None:
        if decision == 0 or decision in ends:
            taken[decision] = renderer.take(replay_log.game)
        if decision in firsts or decision == replay_log.last:
            titles[decision] = heading(replay_log.game.view(), words)

    course = compute_timeline(replay_log, visit)
    say = words.say
    figures: dict[int, ReportFigure] = {}
    before = 0
    for decision, part in ends.items():
        drawn = renderer.changed(taken[before], taken[decision])
        before = decision
        if drawn is not None:
            where = say("after decision {number}: {what}", number=decision, what=titles[part.first - 1])
            figures[part.first] = ReportFigure(drawn.markup, words.parted([where, *_changes(drawn, words)]), "phase")
    shown = [(say("the map at the start"), 0), (say("the map at the end"), replay_log.last)]
    maps = [
        ReportFigure(renderer.render_map(taken[decision]).markup, label, "whole")
        for label, decision in dict(shown).items()
    ]
    return course, FigureSource(maps, _curves(course, replay_log, words), figures)


def _changes(figure: DrawnFigure, words: Localizer) -> list[str]:
    say = words.say
    sentences = [
        say("{count} moved: {who}", count=len(figure.moved), who=_who(figure.moved, words)) if figure.moved else "",
        say("{count} removed from the map: {who}", count=len(figure.removed), who=_who(figure.removed, words))
        if figure.removed
        else "",
        say("{count} new on the map: {who}", count=len(figure.added), who=_who(figure.added, words))
        if figure.added
        else "",
    ]
    return [text for text in sentences if text]


def _who(pieces: Sequence[str], words: Localizer) -> str:
    names = words.company(pieces)
    more = [words.say("and {count} more", count=len(names) - _NAMED)] if len(names) > _NAMED else []
    return words.join_list([*names[:_NAMED], *more])


def _curves(timeline: Timeline, replay_log: ReplayLog, words: Localizer) -> list[ReportFigure]:
    say, turns = words.say, _turns(replay_log, words)
    seats = list(timeline.scores[0])
    scores = {words.thing("seat", seat): [had.get(seat, Fraction()) for had in timeline.scores] for seat in seats}
    sides = [side for side in timeline.pieces[0] if any(had[side] for had in timeline.pieces)]
    pieces = {words.thing("side", side): [Fraction(had[side]) for had in timeline.pieces] for side in sides}
    figures = []
    for title, lines in ((say("score"), scores), (say("pieces on the map"), pieces)):
        if any(len(set(values)) > 1 for values in lines.values()):
            caption = words.about(
                title, words.parted(_describe_series(name, values, words) for name, values in lines.items())
            )
            figures.append(ReportFigure(draw_line_chart(lines, turns), caption, "course"))
    return figures


def _describe_series(name: str, values: Sequence[Fraction], words: Localizer) -> str:
    first, last, most, least = (number_text(n) for n in (values[0], values[-1], max(values), min(values)))
    return words.say(
        "{who} {first} at the start, {last} at the end (at most {most}, at least {least})",
        who=name,
        first=first,
        last=last,
        most=most,
        least=least,
    )


def _turns(replay_log: ReplayLog, words: Localizer) -> Mapping[int, str]:
    titles: dict[int, str] = {}
    for decision, moment in enumerate(replay_log.moments):
        if decision == 0 or replay_log.moments[decision - 1].turn != moment.turn:
            titles[decision] = words.say("turn {number}", number=moment.turn)
    return titles
